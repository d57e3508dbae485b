import { expect, test } from 'vitest';
import { runJob, runStep, startStep } from '../../support/runner.ts';
import {
  type Deployment,
  linkStatus,
  NAME,
  posts,
  STATE,
  startDeployment,
  starts,
  stepOf,
  TARGET,
  TOKEN,
} from './deployment.ts';

function runState({ github }: Deployment): string {
  return JSON.parse(github.variable(TARGET, STATE)?.value ?? '{}').run?.state ?? '';
}

/** Runs attempt 1 and kills it, without a warning, as soon as that is so. */
async function killWhen(deployment: Deployment, isSo: () => boolean): Promise<void> {
  const step = await startStep(stepOf(deployment, {}));
  const timer = setInterval(() => isSo() && step.kill('SIGKILL'), 1);
  await step.done;
  clearInterval(timer);
}

test.concurrent('attempt 2 after attempt 1 was killed right after the start reply attaches: one start in all', async () => {
  await using deployment = await startDeployment();
  await killWhen(deployment, () => runState(deployment) === 'started');
  expect(deployment.github.secret(TARGET, NAME)).toBeUndefined();
  const result = await runStep(stepOf(deployment, {}, { runAttempt: 2 }));
  expect(result.exitCode, result.log).toBe(0);
  expect(starts(deployment)).toBe(1);
  expect(result.outputs['job-id']).toBe(deployment.platform.exportJobs[0]?.jobId);
  expect(await linkStatus(deployment)).toBe(200);
  expect(result.summary).toContain('a new export needs a new run');
});

test.concurrent('attempt 2 after attempt 1 was killed before it knew an id warns that an export may be running', async () => {
  await using deployment = await startDeployment();
  deployment.platform.inject({ match: { method: 'POST', path: /\/jobs$/ }, reset: 'before', delayMs: 20_000 });
  await killWhen(deployment, () => posts(deployment).length > 0);
  expect(runState(deployment)).toBe('starting');
  const result = await runStep(stepOf(deployment, {}, { runAttempt: 2 }));
  expect(result.exitCode, result.log).toBe(0);
  expect(result.log).toContain('may still be running');
  expect(starts(deployment)).toBe(1);
  expect(await linkStatus(deployment)).toBe(200);
});

test.concurrent('attempt 2 after a completed attempt 1 starts nothing and makes one link; another run starts its own', async () => {
  await using deployment = await startDeployment();
  expect((await runStep(stepOf(deployment, {}))).exitCode).toBe(0);
  const before = posts(deployment).length;
  const again = await runStep(stepOf(deployment, {}, { runAttempt: 2 }));
  expect(again.exitCode, again.log).toBe(0);
  expect(posts(deployment).slice(before)).toEqual(['/v1/static-export/jobs/ID/bundle']);
  expect(starts(deployment)).toBe(1);
  const other = await runStep(stepOf(deployment, {}, { runAttempt: 2, runId: '999' }));
  expect(other.exitCode, other.log).toBe(0);
  expect(starts(deployment)).toBe(2);
});

test.concurrent('a job in two halves: the masked link does not cross, the job id does, and the second half makes a working link', async () => {
  await using deployment = await startDeployment();
  const inputs = { 'secret-name': '', 'secret-token': '' };
  const first = await runJob({
    steps: [stepOf(deployment, { ...inputs, timeout: '0s', 'on-timeout': 'detach' }), stepOf(deployment, inputs)],
    outputs: { job: { step: 0, output: 'job-id' }, link: { step: 1, output: 'bundle-url' } },
  });
  expect(first.steps[0]?.outputs.status).toBe('detached');
  expect(first.dropped).toEqual(['link']);
  const id = first.outputs.job ?? '';
  const before = starts(deployment);
  const second = await runStep(stepOf(deployment, { 'export-job-id': id }));
  expect(second.exitCode, second.log).toBe(0);
  expect(starts(deployment)).toBe(before);
  expect(await linkStatus(deployment)).toBe(200);
});

test.concurrent('a link good for two hours is left alone by refresh, one good for half an hour is made anew', async () => {
  await using deployment = await startDeployment({ linkLifetimeMs: 2 * 3_600_000 });
  expect((await runStep(stepOf(deployment, {}))).exitCode).toBe(0);
  let before = posts(deployment).length;
  const refresh = stepOf(deployment, { mode: 'refresh', 'refresh-before': '1h' }, { runId: '5000' });
  const early = await runStep(refresh);
  expect(early.outputs, early.log).toMatchObject({ status: 'completed', changed: 'false', 'bundle-url': '' });
  expect(posts(deployment).slice(before)).toEqual([]);

  deployment.platform.behaviour.linkLifetimeMs = 1_800_000;
  expect((await runStep(stepOf(deployment, {}, { runId: '5001' }))).exitCode).toBe(0);
  before = posts(deployment).length;
  const due = await runStep(refresh);
  expect(due.outputs, due.log).toMatchObject({ changed: 'true', 'secret-updated': 'true' });
  expect(posts(deployment).slice(before)).toEqual(['/v1/static-export/jobs/ID/bundle']);
  expect(due.outputs['bundle-url']).toBe(deployment.github.secret(TARGET, NAME)?.value);
  expect(due.log).not.toContain(due.outputs['bundle-url']);
});

test.concurrent('a token without the Variables permission: export writes the secret and warns, refresh is forbidden', async () => {
  await using deployment = await startDeployment();
  deployment.github.setToken(TOKEN, { permissions: { secrets: 'write' } });
  const result = await runStep(stepOf(deployment, {}));
  expect(result.exitCode, result.log).toBe(0);
  expect(result.outputs['secret-updated']).toBe('true');
  expect(result.log).toContain('Variables: Read and write');
  const refresh = await runStep(stepOf(deployment, { mode: 'refresh' }));
  expect(refresh.exitCode).toBe(1);
  expect(refresh.outputs['error-code']).toBe('forbidden');
});

test.concurrent('a state that was put back does not bring back the earlier export', async () => {
  await using deployment = await startDeployment({ linkLifetimeMs: 1_800_000 });
  const { github } = deployment;
  expect((await runStep(stepOf(deployment, {}, { runId: '1' }))).exitCode).toBe(0);
  const earlier = github.variable(TARGET, STATE)?.value ?? '';
  // GitHub's dates have whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect((await runStep(stepOf(deployment, {}, { runId: '2' }))).exitCode).toBe(0);
  const newest = github.secret(TARGET, NAME)?.value;
  github.setVariable(TARGET, { name: STATE, value: earlier });
  const refresh = await runStep(stepOf(deployment, { mode: 'refresh' }, { runId: '3' }));
  expect(refresh.exitCode, refresh.log).toBe(1);
  expect(refresh.outputs['error-code']).toBe('integrity');
  expect(refresh.log).toContain('export-job-id');
  expect(github.secret(TARGET, NAME)?.value).toBe(newest);
});

test.concurrent('a link goes to a file and a secret, and places says so', async () => {
  await using deployment = await startDeployment();
  const result = await runStep(stepOf(deployment, { to: 'file:link.txt' }));
  expect(result.exitCode, result.log).toBe(0);
  expect(JSON.parse(result.outputs.places ?? '')).toEqual([
    { place: `github:secret/${NAME}`, written: true },
    { place: expect.stringMatching(/^file:\/.*\/link\.txt$/), written: true },
  ]);
  expect(result.outputs['secret-updated']).toBe('true');
});
