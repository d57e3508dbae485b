import { describe, expect, it } from 'vitest';
import { makeDestination } from '../../support/make-inputs.ts';
import { FIRST, MERGED, PUSH, startMerge } from '../../support/merge.ts';

const content = { publish: undefined } as const;

function mergedInto(ref: string, isProtected = false) {
  const pull_request = {
    ...{ merged: true, merged_at: '2026-01-01T12:00:00Z' },
    ...{ merge_commit_sha: MERGED, base: { ref, sha: FIRST } },
  };
  return {
    eventName: 'pull_request',
    payload: { action: 'closed', repository: { default_branch: 'main' }, pull_request },
    env: { GITHUB_REF_NAME: ref, GITHUB_SHA: MERGED, GITHUB_REF_PROTECTED: String(isProtected) },
    run: { sha: MERGED },
  };
}

describe('an export without publish', () => {
  it.each([
    ['a push to the default branch', PUSH],
    ['a pull request that was merged', mergedInto('main')],
  ])(
    'On %s it has exactly one warning, with the lines to add, and names no commit',
    async (_, run) => {
      await using world = await startMerge();
      const { facts, log } = await world.export({ content, to: makeDestination() }, run);
      expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
      const warnings = log.entries.filter(({ level }) => level === 'warning');
      expect(warnings).toHaveLength(1);
      expect(log.text('warning')).toContain('may not contain commit 2222222 of this run');
      expect(log.text('warning')).toContain('with:\n  publish: true\n  project-id: PROJECT_ID');
    },
  );

  it.each([
    ['with publish: false', { content: { publish: false } }, PUSH],
    ['on a schedule', { content }, { eventName: 'schedule' }],
    ['on a dispatch', { content }, { eventName: 'workflow_dispatch' }],
    [
      'on a push to another protected branch',
      { content },
      { ...PUSH, env: { ...PUSH.env, GITHUB_REF_NAME: 'docs' } },
    ],
    ['if it attaches to a job', { content, exportJobId: 'job-1' }, PUSH],
  ] as const)('It warns of nothing %s', async (_, inputs, run) => {
    await using world = await startMerge();
    await world.platform.addExportJob({ jobId: 'job-1' });
    const { facts, log } = await world.export(inputs, run);
    expect(facts).toMatchObject({ status: 'completed', contentCommit: undefined });
    expect(log.text('warning')).toBe('');
  });

  it('After a push that changes no page it draws no conclusion about publishing', async () => {
    await using world = await startMerge();
    const to = makeDestination();
    const given = { to, compareWith: { kind: 'previous' } } as const;
    await world.export({ to }, PUSH);
    const { facts, log } = await world.export(given, {
      ...PUSH,
      run: { ...PUSH.run, runId: '777' },
    });
    expect(facts).toMatchObject({ status: 'completed', changes: { changed: 0 } });
    expect(log.text()).not.toContain('may not have published');
  });
});

describe('a pull request that was merged', () => {
  it.each([
    ['was merged', { merged: true }, /instead of pull_request_target[\s\S]*\n {2}publish: true\n/],
    ['was closed without a merge', { merged: false }, /^$/],
  ])(
    'On pull_request_target an export of one that %s has the warning that fits',
    async (_, change, warning) => {
      await using world = await startMerge();
      const { payload, env, run } = mergedInto('main');
      const pull_request = { ...payload.pull_request, ...change };
      const { facts, log } = await world.export(
        { content },
        { eventName: 'pull_request_target', payload: { ...payload, pull_request }, env, run },
      );
      expect(facts.status).toBe('completed');
      expect(log.text('warning')).toMatch(warning);
    },
  );

  it('The link is not written if it was merged into a branch that is not protected', async () => {
    await using world = await startMerge();
    const { error } = await world.export({ to: makeDestination() }, mergedInto('topic'));
    expect(error).toMatchObject({ code: 'refused' });
    expect([...world.platform.requests, ...world.writes()]).toEqual([]);
  });

  it('The link is written if it was merged into a protected branch', async () => {
    await using world = await startMerge();
    const { facts } = await world.export({ to: makeDestination() }, mergedInto('release', true));
    expect(facts).toMatchObject({ status: 'completed', delivery: { updated: true } });
  });
});
