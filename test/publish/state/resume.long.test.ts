import { expect, test } from 'vitest';
import { runJob, runStep, startStep } from '../../support/runner.ts';
import { linkStatus, startActionWorld, stepWithSecret } from '../../support/world/built-action.ts';
import { NAME, STATE, TARGET } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';

function runState({ github }: World): string {
  return JSON.parse(github.variable(TARGET, STATE)?.value ?? '{}').runs?.[0]?.state ?? '';
}

/** Runs attempt 1 and kills it, without a warning, as soon as the condition is met. */
async function killWhen(world: World, isSo: () => boolean): Promise<void> {
  const step = await startStep(stepWithSecret(world));
  const timer = setInterval(() => isSo() && step.kill('SIGKILL'), 1);
  await step.done;
  clearInterval(timer);
}

test.concurrent('Attempt 2 after attempt 1 was killed right after the start reply attaches, so one job is started', async () => {
  await using world = await startActionWorld();
  await killWhen(world, () => runState(world) === 'started');
  expect(world.github.secret(TARGET, NAME)).toBeUndefined();
  const result = await runStep(stepWithSecret(world, {}, { runAttempt: 2 }));
  expect(result.exitCode, result.log).toBe(0);
  expect(world.platform.exportJobs.length).toBe(1);
  expect(result.outputs['job-id']).toBe(world.platform.exportJobs[0]?.jobId);
  expect(await linkStatus(world)).toBe(200);
  expect(result.summary).toContain('a new export needs a new run');
});

test.concurrent('In a split job only the job id crosses to the second half, which makes a working link from it', async () => {
  await using world = await startActionWorld();
  const inputs = { to: '', 'secret-token': '' };
  const first = await runJob({
    steps: [
      stepWithSecret(world, { ...inputs, timeout: '0s', 'on-timeout': 'detach' }),
      stepWithSecret(world, inputs),
    ],
    outputs: { job: { step: 0, output: 'job-id' }, link: { step: 1, output: 'bundle-url' } },
  });
  expect(first.steps[0]?.outputs.status).toBe('detached');
  expect(first.dropped).toEqual(['link']);
  const id = first.outputs.job ?? '';
  const before = world.platform.exportJobs.length;
  const second = await runStep(stepWithSecret(world, { 'export-job-id': id }));
  expect(second.exitCode, second.log).toBe(0);
  expect(world.platform.exportJobs.length).toBe(before);
  expect(await linkStatus(world)).toBe(200);
});
