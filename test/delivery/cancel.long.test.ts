import { expect, test } from 'vitest';
import { runStep, type StepResult } from '../support/runner.ts';
import { linkStatus, startActionWorld, stepWithSecret } from '../support/world/built-action.ts';
import { NAME, TARGET } from '../support/world/names.ts';
import type { World } from '../support/world.ts';

interface Phase {
  readonly name: string;
  readonly server: 'github' | 'platform';
  readonly method: string;
  readonly path: RegExp;
  /** The number of the request that hangs, counted from 1. */
  readonly nth?: number;
  /** What the platform and the log know about the job at that time. */
  readonly job: 'none' | 'maybe' | 'known';
  /** The request takes effect, and its reply hangs. */
  readonly acted?: boolean;
}

const VARIABLES = /\/actions\/variables/;
const PHASES: readonly Phase[] = [
  {
    name: 'the public key is read',
    server: 'github',
    method: 'GET',
    path: /public-key/,
    job: 'none',
  },
  {
    name: 'the claim of the start is made',
    server: 'github',
    method: 'POST',
    path: VARIABLES,
    job: 'none',
  },
  {
    name: 'the start is in flight',
    server: 'platform',
    method: 'POST',
    path: /\/jobs$/,
    job: 'maybe',
    acted: true,
  },
  {
    name: 'the job id is noted',
    server: 'github',
    method: 'POST',
    path: VARIABLES,
    nth: 2,
    job: 'known',
  },
  {
    name: 'the job is polled',
    server: 'platform',
    method: 'GET',
    path: /\/jobs\/[^/]+$/,
    job: 'known',
  },
  { name: 'the link is made', server: 'platform', method: 'POST', path: /\/bundle$/, job: 'known' },
  {
    name: 'the claim of the link is made',
    server: 'github',
    method: 'POST',
    path: VARIABLES,
    nth: 3,
    job: 'known',
  },
  { name: 'the secret is written', server: 'github', method: 'PUT', path: /secrets/, job: 'known' },
];
const LAST: Phase = {
  name: 'the state gets the expiry',
  server: 'github',
  method: 'PATCH',
  path: VARIABLES,
  job: 'known',
};

function arrived(world: World, { server, method, path, nth = 1 }: Phase): boolean {
  const { requests } = world[server];
  return (
    requests.filter((request) => request.method === method && path.test(request.path)).length >= nth
  );
}

// A reply of one byte in two seconds, or none. Without an effect, however long the next run takes.
const HANGS = {
  acted: { drip: { bytes: 1, everyMs: 2000 } },
  idle: { delayMs: 8000, reset: 'before' },
} as const;

async function cancelAt(world: World, phase: Phase): Promise<StepResult> {
  const { server, method, path, nth = 1, acted = false } = phase;
  world[server].inject({ match: { method, path, nth }, ...HANGS[acted ? 'acted' : 'idle'] });
  const result = await runStep(
    stepWithSecret(world, {}, { signalAfter: () => arrived(world, phase) }),
  );
  expect(result.exitCode, result.log).toBe(1);
  // The reply of a start is waited for up to 4 s; the runner allows 7.5 s.
  expect(result.cancelledAfterMs).toBeLessThan(5500);
  expect(result.outputs).toMatchObject({ status: 'cancelled', 'error-code': 'cancelled' });
  return result;
}

test.concurrent.each([...PHASES, LAST])(
  'A run that is cancelled while $name ends within 5 s, says so, and loses nothing',
  async (phase) => {
    await using world = await startActionWorld();
    const result = await cancelAt(world, phase);
    if (phase.job === 'none') expect(world.platform.exportJobs.length).toBe(0);
    if (phase.job === 'none') return;

    // What a person finds on the platform's dashboard.
    const id = world.platform.exportJobs[0]?.jobId ?? '';
    if (phase.job === 'maybe') expect(result.log).toContain('may have started');
    if (phase.job === 'known') {
      expect(result.outputs['job-id']).toBe(id);
      expect(result.log).toContain(`Started export job ${id}, to which the input export-job-id`);
    }
    // A later attempt does not wait for the claim of the one before.
    const attached = await runStep(
      stepWithSecret(world, { 'export-job-id': id }, { runAttempt: 2 }),
    );
    expect(attached.exitCode, attached.log).toBe(0);
    expect(world.platform.exportJobs.length).toBe(1);
    expect(await linkStatus(world)).toBe(200);
    expect(world.github.secret(TARGET, NAME)?.value).toBe(attached.outputs['bundle-url']);
  },
);

test.concurrent("If a run is cancelled before the start's reply arrives, the id is still stored, and a re-run attaches", async () => {
  await using world = await startActionWorld();
  const start = { method: 'POST', path: /\/jobs$/ };
  world.platform.inject({ match: start, delayMs: 1500, applied: true });
  const signalAfter = () => world.platform.requests.some(({ method }) => method === 'POST');
  const result = await runStep(stepWithSecret(world, {}, { signalAfter }));
  expect(result.outputs, result.log).toMatchObject({ status: 'cancelled' });
  const id = world.platform.exportJobs[0]?.jobId ?? 'none';
  expect(result.outputs['job-id']).toBe(id);
  expect(result.log).toContain(`Started export job ${id}`);
  const again = await runStep(stepWithSecret(world, {}, { runAttempt: 2 }));
  expect(again.exitCode, again.log).toBe(0);
  expect(again.outputs['job-id']).toBe(id);
  expect(world.platform.exportJobs.length).toBe(1);
});
