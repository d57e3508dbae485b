import { expect, test } from 'vitest';
import { runJob, runStep, type StepResult, startStep } from '../../support/runner.ts';
import {
  CANARIES,
  linkStatus,
  posts,
  startActionWorld,
  stepWithSecret,
} from '../../support/world/built-action.ts';
import { NAME, STATE, TARGET } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';

function runState({ github }: World): string {
  return JSON.parse(github.variable(TARGET, STATE)?.value ?? '{}').runs?.[0]?.state ?? '';
}

function reportOf({ outputs }: StepResult): unknown {
  return JSON.parse(outputs.report ?? '');
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

test.concurrent('Attempt 2 after attempt 1 was killed before it knew an id warns that an export may be running', async () => {
  await using world = await startActionWorld();
  world.platform.inject({
    match: { method: 'POST', path: /\/jobs$/ },
    reset: 'before',
    delayMs: 20_000,
  });
  await killWhen(world, () => posts(world).length > 0);
  expect(JSON.parse(world.github.variable(TARGET, `${STATE}_1`)?.value ?? '{}')).toMatchObject({
    by: 'export',
  });
  const result = await runStep(stepWithSecret(world, {}, { runAttempt: 2 }));
  expect(result.exitCode, result.log).toBe(0);
  expect(result.log).toContain('may still be running');
  expect(world.platform.exportJobs.length).toBe(1);
  expect(await linkStatus(world)).toBe(200);
});

test.concurrent('Attempt 2 after a completed attempt 1 starts nothing and makes one link; another run starts an export', async () => {
  await using world = await startActionWorld();
  expect((await runStep(stepWithSecret(world))).exitCode).toBe(0);
  const before = posts(world).length;
  const again = await runStep(stepWithSecret(world, {}, { runAttempt: 2 }));
  expect(again.exitCode, again.log).toBe(0);
  expect(posts(world).slice(before)).toEqual(['/v1/static-export/jobs/ID/bundle']);
  expect(world.platform.exportJobs.length).toBe(1);
  const other = await runStep(stepWithSecret(world, {}, { runAttempt: 2, runId: '999' }));
  expect(other.exitCode, other.log).toBe(0);
  expect(world.platform.exportJobs.length).toBe(2);
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

test.concurrent('A refresh keeps a link that is valid for two hours, and renews one that is valid for half an hour', async () => {
  await using world = await startActionWorld({ linkLifetimeMs: 2 * 3_600_000 });
  expect((await runStep(stepWithSecret(world))).exitCode).toBe(0);
  let before = posts(world).length;
  const refresh = stepWithSecret(
    world,
    { mode: 'refresh', 'refresh-before': '1h' },
    { runId: '5000' },
  );
  const early = await runStep(refresh);
  expect(early.outputs, early.log).toMatchObject({
    status: 'completed',
    changed: 'false',
    'bundle-url': '',
  });
  expect(posts(world).slice(before)).toEqual([]);

  world.platform.behaviour.linkLifetimeMs = 1_800_000;
  expect((await runStep(stepWithSecret(world, {}, { runId: '5001' }))).exitCode).toBe(0);
  before = posts(world).length;
  const due = await runStep(refresh);
  expect(due.outputs, due.log).toMatchObject({ changed: 'true' });
  expect(posts(world).slice(before)).toEqual(['/v1/static-export/jobs/ID/bundle']);
  expect(due.outputs['bundle-url']).toBe(world.github.secret(TARGET, NAME)?.value);
  expect(due.log).not.toContain(due.outputs['bundle-url']);
});

test.concurrent('Without the Variables permission an export writes the secret and warns, and a refresh is forbidden', async () => {
  await using world = await startActionWorld();
  world.github.setToken(CANARIES['secret token'], { permissions: { secrets: 'write' } });
  const result = await runStep(stepWithSecret(world));
  expect(result.exitCode, result.log).toBe(0);
  expect(reportOf(result)).toMatchObject({ delivery: { updated: true } });
  expect(result.log).toContain('Variables: Read and write');
  const refresh = await runStep(stepWithSecret(world, { mode: 'refresh' }));
  expect(refresh.exitCode).toBe(1);
  expect(refresh.outputs['error-code']).toBe('forbidden');
});

test.concurrent('A link is written to a file and a secret, and the report says so', async () => {
  await using world = await startActionWorld();
  const result = await runStep(
    stepWithSecret(world, { to: `github:secret/${NAME}\nfile:link.txt` }),
  );
  expect(result.exitCode, result.log).toBe(0);
  const destinations = [
    { destination: `github:secret/${NAME}`, written: true },
    { destination: expect.stringMatching(/^file:\/.*\/link\.txt$/), written: true },
  ];
  expect(reportOf(result)).toMatchObject({ delivery: { updated: true, destinations } });
});
