import { describe, expect, test, vi } from 'vitest';
import type { FrontRequest } from '../support/fault-front.ts';
import type { RunningStep } from '../support/runner.ts';
import { NAME, STATE } from '../support/world/names.ts';
import { ProcessPlace } from '../support/world/process-place.ts';

vi.setConfig({ testTimeout: 240_000 });

/** Suspends the process as soon as the store or the platform has got what it waits for. */
async function suspendOnce(step: RunningStep, hasArrived: () => boolean): Promise<void> {
  await vi.waitUntil(hasArrived, { timeout: 30_000, interval: 2 });
  step.kill('SIGSTOP');
}

describe.each(['github', 'gitlab'] as const)('whole processes on %s', (kind) => {
  /** The claims that were asked for since the place was started, without those of its start. */
  const claimsOf = ({ target }: ProcessPlace): string[] =>
    (target.front?.requests ?? [])
      .filter(({ method, body }) => method === 'POST' && body.includes(`${STATE}_`))
      .map(({ body }) => /_STATE_(\d+)/.exec(body)?.[1] ?? '');

  test('A run that is cancelled after another has passed its claim frees no number', async () => {
    await using place = await ProcessPlace.start(kind);
    const count = claimsOf(place).length;
    const isReading = ({ method, path }: FrontRequest) =>
      method === 'GET' && path.includes(STATE) && claimsOf(place).length > count;
    place.target.front?.inject(isReading, { kind: 'hold', ms: 60_000 });
    const suspended = await place.begin({ mode: 'rollback' });
    await suspendOnce(suspended, () => place.target.front?.requests.some(isReading) === true);
    const [number = ''] = claimsOf(place).slice(count);
    // It waits 45 s for the claim.
    const passing = await place.run();
    expect(passing.exitCode, passing.log).toBe(0);
    suspended.cancel();
    suspended.kill('SIGCONT');
    const cancelled = await suspended.done;
    expect(cancelled.outputs['status'], cancelled.log).toBe('cancelled');
    const later = await place.run();
    expect(later.exitCode, later.log).toBe(0);
    expect(claimsOf(place).filter((one) => one === number)).toHaveLength(2);
    const isRemoval = ({ method, path }: FrontRequest) =>
      method === 'DELETE' && path.includes(`${STATE}_${number}`);
    expect(place.target.front?.requests.filter(isRemoval)).toEqual([]);
    expect(later.outputs['job-id']).toBe('live');
  });

  test('A rollback stops if a person names the live export while it runs', async () => {
    await using place = await ProcessPlace.start(kind);
    const isBundle = ({ path }: { path: string }) => path.endsWith('/bundle');
    const count = place.platform.requests.filter(isBundle).length;
    const rollback = await place.begin({ mode: 'rollback' });
    await suspendOnce(rollback, () => place.platform.requests.filter(isBundle).length > count);
    const named = await place.run({ 'export-job-id': 'live' });
    expect(named.exitCode, named.log).toBe(0);
    rollback.kill('SIGCONT');
    const stopped = await rollback.done;
    expect(stopped.outputs['error-code'], stopped.log).toBe('conflict');
    expect(await place.target.readLink()).toBe(named.outputs['bundle-url']);
    expect((await place.run()).outputs['job-id']).toBe('live');
  });

  test('A run that is cancelled while it asks for its claim writes no link', async () => {
    await using place = await ProcessPlace.start(kind);
    const link = await place.target.readLink();
    const count = claimsOf(place).length;
    const step = await place.begin({ mode: 'rollback' });
    const isHeld = ({ method }: FrontRequest) => method === 'POST';
    place.target.front?.inject(isHeld, { kind: 'hold', ms: 200 });
    await vi.waitUntil(() => claimsOf(place).length > count, { timeout: 30_000, interval: 2 });
    step.cancel();
    const cancelled = await step.done;
    expect(cancelled.outputs['status'], cancelled.log).toBe('cancelled');
    expect(cancelled.exitCode).toBe(1);
    expect(await place.target.readLink()).toBe(link);
  });
});

test('An earlier link and state that are put back together on GitLab stay, and refreshes renew them', async () => {
  await using place = await ProcessPlace.start('gitlab');
  const front = place.target.front;
  const variable = async (name: string, value?: string) => {
    const reply = await fetch(`${front?.url}/api/v4/projects/7/variables/${name}`, {
      method: value === undefined ? 'GET' : 'PUT',
      headers: {
        'private-token': place.target.inputs['secret-token'] ?? '',
        'content-type': 'application/json',
      },
      ...(value !== undefined && { body: JSON.stringify({ value }) }),
    });
    return String(Object(await reply.json()).value);
  };
  const earlier = [await variable(NAME), await variable(STATE)] as const;
  expect((await place.run({ mode: 'rollback' })).outputs['job-id']).toBe('old');
  await variable(NAME, earlier[0]);
  await variable(STATE, earlier[1]);
  const refresh = await place.run();
  expect([refresh.exitCode, refresh.outputs['job-id']], refresh.log).toEqual([0, 'live']);
});
