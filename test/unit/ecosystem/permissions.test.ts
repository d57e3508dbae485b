import { describe, expect, test } from 'vitest';
import { missingPermissions, readWorkflow, tokenPermissions } from '../../../scripts/examples/workflow.ts';

function jobWith(permissions: string, uses: string) {
  const job = readWorkflow(
    `on: push\npermissions: {}\njobs:\n  one:\n${permissions}    steps:\n      - uses: ${uses}\n`,
  )?.[0];
  if (job === undefined) throw new Error('no job');
  return job;
}

describe('the permissions of a job', () => {
  test('are its own, else those of the workflow', () => {
    expect(jobWith('    permissions: { checks: read }\n', 'a/b@v1').permissions).toEqual({ checks: 'read' });
    expect(jobWith('', 'a/b@v1').permissions).toEqual({});
  });

  test('that an action needs are missed when the job does not grant them', () => {
    const job = jobWith('    permissions: { pages: write }\n', 'actions/deploy-pages@v4');
    expect(missingPermissions(job)).toEqual(['job one: actions/deploy-pages needs the permission id-token: write']);
  });

  test('hold what is less: write covers read', () => {
    expect(missingPermissions(jobWith('    permissions: { contents: write }\n', 'actions/checkout@v5'))).toEqual([]);
    expect(missingPermissions(jobWith('', 'actions/checkout@v5'))).toHaveLength(1);
  });

  test('become the rights of the token, under the names of the interface', () => {
    expect(tokenPermissions({ 'pull-requests': 'write', checks: 'read', pages: 'write', contents: 'none' })).toEqual({
      pull_requests: 'write',
      checks: 'read',
    });
  });

  test('given as one word for all of them are an error: nothing would be checked', () => {
    expect(() => jobWith('    permissions: write-all\n', 'a/b@v1')).toThrow('write-all');
  });
});
