import { describe, expect, test } from 'vitest';
import { missingPermissions, readWorkflow, tokenPermissions } from '../../scripts/examples/workflow.ts';

function jobWith(permissions: string, uses: string) {
  const job = readWorkflow(
    `on: push\npermissions: {}\njobs:\n  one:\n${permissions}    steps:\n      - uses: ${uses}\n`,
  )?.[0];
  if (job === undefined) throw new Error('no job');
  return job;
}

describe('the permissions of a job', () => {
  test('The permissions of a job are its own, or those of the workflow', () => {
    expect(jobWith('    permissions: { checks: read }\n', 'a/b@v1').permissions).toEqual({ checks: 'read' });
    expect(jobWith('', 'a/b@v1').permissions).toEqual({});
  });

  test('Permissions that an action needs are reported if the job does not grant them', () => {
    const job = jobWith('    permissions: { pages: write }\n', 'actions/deploy-pages@v4');
    expect(missingPermissions(job)).toEqual(['job one: actions/deploy-pages needs the permission id-token: write']);
  });

  test('The permission write includes read', () => {
    expect(missingPermissions(jobWith('    permissions: { contents: write }\n', 'actions/checkout@v5'))).toEqual([]);
    expect(missingPermissions(jobWith('', 'actions/checkout@v5'))).toHaveLength(1);
  });

  test('The permissions of a job become those of the token, with the names of the API', () => {
    expect(tokenPermissions({ 'pull-requests': 'write', checks: 'read', pages: 'write', contents: 'none' })).toEqual({
      pull_requests: 'write',
      checks: 'read',
    });
  });

  test('One word for all permissions is an error, because nothing would be checked', () => {
    expect(() => jobWith('    permissions: write-all\n', 'a/b@v1')).toThrow('write-all');
  });
});
