import { describe, expect, test } from 'vitest';
import { runStep, type StepResult } from '../support/runner.ts';
import { startActionWorld, stepWithSecret } from '../support/world/built-action.ts';
import { REPOSITORY, STATE, TARGET } from '../support/world/names.ts';
import type { World } from '../support/world.ts';

const TOKEN = 'ghs_workflowTokenOfWholeProcesses0123456789';
const [FORMER, MERGED] = ['a'.repeat(40), 'b'.repeat(40)];
const LAG_MS = 3000;

/** A merge that the platform publishes some seconds later. */
async function startMerge(): Promise<World> {
  const world = await startActionWorld({ projectId: 'project-1', publishLagMs: LAG_MS });
  world.github.setToken(TOKEN, {
    kind: 'workflow',
    permissions: { contents: 'read' },
  });
  for (const sha of [FORMER, MERGED]) world.github.addCommit({ repository: REPOSITORY, sha });
  const content = { 'index.md': '# Docs\n\nThe merged text.', 'install.md': '# Install\n\nOne command.' };
  await world.platform.push({ sha: MERGED, content });
  return world;
}

const push = { sha: MERGED, githubToken: TOKEN };
const publish = { publish: 'true', 'project-id': 'project-1' };

function stateOf(world: World): { history?: { commit?: string; contentCommit?: string }[] } {
  return JSON.parse(world.github.variable(TARGET, STATE)?.value ?? '{}');
}

function expectCancelled(result: StepResult, world: World): void {
  expect(result.exitCode, result.log).toBe(1);
  expect(result.cancelledAfterMs).toBeLessThan(5000);
  expect(result.outputs).toMatchObject({ status: 'cancelled', 'error-code': 'cancelled' });
  expect(world.platform.exportJobs).toEqual([]);
}

describe('an export of what was merged', () => {
  test('A push whose content is published some seconds later is exported with it, and the summary names the commit', async () => {
    await using world = await startMerge();
    const result = await runStep(stepWithSecret(world, { ...publish, 'extract-to': 'site' }, push));
    expect(result.exitCode, result.log).toBe(0);
    expect(result.summary).toContain('**Published for this run**: commit `bbbbbbb` (update ');
    expect(result.log).toContain('Publishing: following update');
    expect(JSON.parse(result.outputs['report'] ?? '')).toMatchObject({ contentCommit: MERGED });
    expect(stateOf(world).history?.[0]).toMatchObject({ commit: MERGED, contentCommit: MERGED });
    const job = world.platform.exportJobs[0];
    expect(Date.parse(job?.createdAt ?? '') - (world.platform.updates[0]?.createdAt ?? 0)).toBeGreaterThanOrEqual(
      LAG_MS,
    );
  });

  test('Without publish the same push warns once and claims nothing', async () => {
    await using world = await startMerge();
    const result = await runStep(stepWithSecret(world, {}, push));
    expect(result.exitCode, result.log).toBe(0);
    expect(result.stdout.match(/^::warning/gm)).toHaveLength(1);
    expect(result.log).toContain('may not contain commit bbbbbbb of this run');
    expect(result.summary).toContain('**Content**: what the platform had published at ');
    expect(result.outputs['report']).not.toContain('contentCommit');
    expect(JSON.stringify(stateOf(world))).not.toContain('contentCommit');
  });

  test('A run that is cancelled while it follows the update ends within 5 s, and starts no export', async () => {
    await using world = await startMerge();
    world.platform.behaviour.publishLagMs = 600_000;
    const signalAfter = (step: { readonly stdout: string }) => step.stdout.includes(' elapsed');
    expectCancelled(await runStep(stepWithSecret(world, publish, { ...push, signalAfter })), world);
  });
});
