import { describe, expect, it } from 'vitest';
import { publishPresentation } from '../../../src/publish/summary.ts';
import { updatePresentation } from '../../../src/publish/update/summary.ts';
import { outputsOf } from '../../../src/run/outputs.ts';
import { expectError } from '../../support/failure.ts';
import {
  FIRST,
  LATER,
  MERGED,
  PUSH,
  push,
  startMerge,
  WORKFLOW_TOKEN,
} from '../../support/merge.ts';
import { REPOSITORY } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';

const REQUEST = { method: 'POST', path: '/v1/project/update/' };
const inputs = { token: WORKFLOW_TOKEN } as const;

function updates(world: World): number {
  return world.calls(REQUEST).length;
}

describe('updating', () => {
  it('A push to the default branch is published, and the commit that the platform names is an output', async () => {
    await using world = await startMerge();
    const { facts, recorded, log } = await world.update(inputs, PUSH);
    expect(facts).toMatchObject({
      status: 'completed',
      publishedCommit: MERGED,
      projectId: 'project-1',
    });
    expect(facts.content).toMatchObject({ commit: MERGED, published: { commit: MERGED } });
    expect(outputsOf('publish', recorded)).toEqual({
      'preview-url': undefined,
      'published-commit': MERGED,
    });
    expect(log.text('info')).toContain('Published for this run: commit 2222222');
    expect(updates(world)).toBe(1);
    expect(world.platform.exportJobs).toEqual([]);
  });

  it('The summary names the commit, and whether it contains that of the run', async () => {
    await using world = await startMerge();
    world.github.addCommit({ repository: REPOSITORY, sha: LATER });
    await push(world, LATER, 'Later text.');
    const { recorded } = await world.update(inputs, PUSH);
    const report = {
      ...recorded,
      version: 1,
      mode: 'publish',
      startedAt: '',
      elapsedMs: 1,
      status: 'completed',
    } as const;
    const summary = updatePresentation.summary(report, 0);
    expect(summary).toContain('## ✅ Publishing of project-1: completed');
    expect(summary).toContain(
      '- **Commit of this run**: `2222222`, published\n- **Published commit**: `3333333`',
    );
  });

  it.each([
    ['a schedule', { ...PUSH, eventName: 'schedule' }],
    ['a dispatch', { ...PUSH, eventName: 'workflow_dispatch' }],
    [
      'a merged pull request',
      {
        eventName: 'pull_request',
        payload: {
          action: 'closed',
          repository: { default_branch: 'main' },
          pull_request: {
            number: 7,
            state: 'closed',
            merged: true,
            merge_commit_sha: MERGED,
            base: { ref: 'main' },
            head: { ref: 'docs/new', sha: FIRST, repo: { full_name: REPOSITORY } },
          },
        },
        run: { sha: MERGED },
      },
    ],
  ])('A run by %s publishes', async (_, options) => {
    await using world = await startMerge();
    const { facts } = await world.update(inputs, options);
    expect(facts).toMatchObject({
      status: 'completed',
      publishedCommit: MERGED,
      branch: undefined,
    });
    expect(updates(world)).toBe(1);
  });

  it('A failed update ends with the words of the platform, and says nothing about an export', async () => {
    await using world = await startMerge({
      platform: { updateScript: { outcome: 'failure', logs: ['The last line'] } },
    });
    const { error } = await world.update(inputs, PUSH);
    expectError(error, {
      code: 'job-failed',
      message: /failed: The build failed\.\n- The last line$/,
    });
  });

  it('With on-timeout: detach the run ends with the id of the update, without a commit', async () => {
    await using world = await startMerge();
    const { facts } = await world.update({ ...inputs, timeoutMs: 0, onTimeout: 'detach' }, PUSH);
    const id = world.platform.updates[0]?.id;
    expect(facts).toMatchObject({
      status: 'detached',
      reason: `Update ${id} did not finish within 0s.`,
    });
    expect(facts.publishedCommit).toBeUndefined();
  });

  it('A project of another organization is not-found, with what to compare', async () => {
    await using world = await startMerge();
    const { error } = await world.update({ ...inputs, projectId: 'project-2' }, PUSH);
    expectError(error, {
      code: 'not-found',
      message: 'This project does not exist.',
      hint: { inputs: { 'project-id': '' } },
    });
  });

  it('A signal says what keeps running, before and after the request', () => {
    const ended = { content: { publish: true, update: 'u1', elapsedMs: 5 } };
    expect(
      [{}, { content: { publish: true, update: 'u1' } }, ended].map(
        updatePresentation.leaves ?? String,
      ),
    ).toEqual([
      'An update may have been requested.',
      'Update u1 keeps running on the platform.',
      'Update u1 has ended.',
    ]);
    expect(publishPresentation.leaves?.(ended)).toMatch(/^No export was started/);
  });
});
