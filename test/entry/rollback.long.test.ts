import { expect, test } from 'vitest';
import { runStep, type StepResult, startStep } from '../support/runner.ts';
import { CANARIES, linkStatus, startActionWorld, stepWithSecret, writtenBy } from '../support/world/built-action.ts';
import { NAME, STATE, TARGET } from '../support/world/names.ts';
import type { World } from '../support/world.ts';

const SHAS = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40));

/** A separate run for a separate commit. */
function stepOf(world: World, run: number, inputs: Readonly<Record<string, string>>) {
  const env = { GITHUB_SHA: SHAS[run % SHAS.length] ?? '', GITHUB_ACTOR: 'maya' };
  return stepWithSecret(world, inputs, { runId: String(100 + run), env });
}

async function ran(world: World, run: number, inputs: Readonly<Record<string, string>>): Promise<StepResult> {
  const result = await runStep(stepOf(world, run, inputs));
  expect(result.exitCode, result.log).toBe(0);
  return result;
}

const liveJob = (world: World) =>
  world.platform.exportJobs.findLast(({ jobId }) => world.secret()?.includes(jobId))?.jobId;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('An export is rolled back, refreshed, not replaced by a late run, and replaced by the next one', async () => {
  await using world = await startActionWorld();
  const first = (await ran(world, 0, {})).outputs['job-id'];
  const second = (await ran(world, 1, {})).outputs['job-id'];
  expect(liveJob(world)).toBe(second);

  // A third export has finished and is about to fetch its link when a person rolls back.
  world.platform.inject({ match: { method: 'POST', path: '/bundle' }, delayMs: 3000 });
  const bundles = () => world.calls({ method: 'POST', path: '/bundle' }).length;
  const before = bundles();
  const late = await startStep(stepOf(world, 2, {}));
  await until(() => bundles() > before);
  late.kill('SIGSTOP');
  const rollback = await ran(world, 3, { mode: 'rollback' });
  expect(rollback.outputs).toMatchObject({ status: 'completed', 'job-id': first });
  expect(JSON.parse(rollback.outputs.report ?? '')).toMatchObject({ formerJobId: second });
  expect(rollback.outputs['bundle-url']).toBe(world.secret());
  expect(rollback.summary).toContain(`\`${first}\` | **live**`);
  late.kill('SIGCONT');
  const ended = await late.done;
  expect(ended.exitCode).toBe(1);
  expect(ended.outputs['error-code'], ended.log).toBe('conflict');
  expect(ended.log).toContain(`was rolled back to job ${first}`);
  expect(liveJob(world)).toBe(first);

  const rolledBack = world.secret();
  const refresh = await ran(world, 4, { mode: 'refresh', 'refresh-before': '9000h' });
  expect(refresh.outputs).toMatchObject({ changed: 'true', 'job-id': first });
  expect(world.secret()).not.toBe(rolledBack);
  expect(liveJob(world)).toBe(first);
  expect(await linkStatus(world)).toBe(200);

  const next = await ran(world, 5, {});
  expect(liveJob(world)).toBe(next.outputs['job-id']);
  const state = JSON.parse(world.github.variable(TARGET, STATE)?.value ?? '{}');
  expect(state).toMatchObject({ jobId: next.outputs['job-id'] });
  for (const text of Object.values(writtenBy(rollback))) {
    for (const canary of Object.values(CANARIES)) expect(text).not.toContain(canary);
    expect(text).not.toContain(world.github.secret(TARGET, NAME)?.value ?? '?');
  }
});
