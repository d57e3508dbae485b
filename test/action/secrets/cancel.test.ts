import { expect, test } from 'vitest';
import { runStep } from '../../support/runner.ts';
import { type Deployment, linkStatus, NAME, startDeployment, starts, stepOf, TARGET } from './deployment.ts';

interface Phase {
  readonly name: string;
  readonly server: 'github' | 'platform';
  readonly method: string;
  readonly path: RegExp;
  /** The how manieth such request hangs. */
  readonly nth?: number;
  /** What the platform and the log know of a job by then. */
  readonly job: 'none' | 'maybe' | 'known';
}

const VARIABLES = /\/actions\/variables/;
const JOBS = '/v1/static-export/jobs';
const PHASES: readonly Phase[] = [
  { name: 'the public key is read', server: 'github', method: 'GET', path: /public-key/, job: 'none' },
  { name: 'the secret is looked at', server: 'github', method: 'GET', path: /secrets\/DOCS_BUNDLE_URL$/, job: 'none' },
  { name: 'the state is read', server: 'github', method: 'GET', path: VARIABLES, job: 'none' },
  { name: 'the state says that a start is near', server: 'github', method: 'POST', path: VARIABLES, job: 'none' },
  { name: 'the start is in flight', server: 'platform', method: 'POST', path: /\/jobs$/, job: 'maybe' },
  // The first update finds no variable and is followed by a create.
  { name: 'the job id is noted', server: 'github', method: 'PATCH', path: VARIABLES, nth: 2, job: 'known' },
  { name: 'the job is polled', server: 'platform', method: 'GET', path: /\/jobs\/[^/]+$/, job: 'known' },
  { name: 'the link is made', server: 'platform', method: 'POST', path: /\/bundle$/, job: 'known' },
  { name: 'the secret is written', server: 'github', method: 'PUT', path: /secrets/, job: 'known' },
  {
    name: 'the state after the secret is written',
    server: 'github',
    method: 'PATCH',
    path: VARIABLES,
    nth: 3,
    job: 'known',
  },
];

function arrived(deployment: Deployment, { server, method, path, nth = 1 }: Phase): boolean {
  const { requests } = deployment[server];
  return requests.filter((request) => request.method === method && path.test(request.path)).length >= nth;
}

test.each(PHASES)('cancelled while $name: over within 5 s, told, and nothing is lost', async (phase) => {
  await using deployment = await startDeployment();
  const { server, method, path, nth = 1 } = phase;
  deployment[server].inject({ match: { method, path, nth }, delayMs: 8000 });
  const result = await runStep(stepOf(deployment, {}, { signalAfter: () => arrived(deployment, phase) }));
  expect(result.exitCode, result.log).toBe(1);
  expect(result.cancelledAfterMs).toBeLessThan(4000);
  expect(result.outputs).toMatchObject({ status: 'cancelled', 'error-code': 'cancelled' });
  if (phase.job === 'none') expect(starts(deployment)).toBe(0);
  if (phase.job === 'maybe') expect(result.log).toContain('may have started');
  if (phase.job !== 'known') return;

  const id = result.outputs['job-id'] ?? '';
  expect(id).toBe(deployment.platform.exportJobs[0]?.jobId);
  expect(result.log).toContain(`export-job-id: ${id}`);
  const attached = await runStep(stepOf(deployment, { 'export-job-id': id }));
  expect(attached.exitCode, attached.log).toBe(0);
  expect(starts(deployment)).toBe(1);
  expect(await linkStatus(deployment)).toBe(200);
  expect(deployment.github.secret(TARGET, NAME)?.value).toBe(attached.outputs['bundle-url']);
});

test('the platform path of the phases is the one that the action uses', async () => {
  await using deployment = await startDeployment();
  expect((await runStep(stepOf(deployment, {}))).exitCode).toBe(0);
  expect(deployment.platform.requests[0]?.path).toBe(JOBS);
});
