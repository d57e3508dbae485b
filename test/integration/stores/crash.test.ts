import { expect, test } from 'vitest';
import type { BundleLink } from '../../../src/platform/link.ts';
import { failure } from '../../support/failure.ts';
import { link, openDelivery, TARGETS } from '../../support/world/delivery.ts';
import { DOMAIN, NAME, STATE } from '../../support/world/names.ts';
import { startWorld, type World } from '../../support/world.ts';

// Five attempts of a call, none of which is known to have succeeded: after that the run is over, as if it had been killed there.
const ATTEMPTS = { times: 5 } as const;
const WRITES = {
  'the state': { method: 'PATCH', ...ATTEMPTS },
  'the secret': { method: 'PUT', ...ATTEMPTS },
  'the state once more': { method: 'PATCH', nth: 2, ...ATTEMPTS },
} as const;

/** Links that replace a link of job-1 for 24 hours, and what is written for each. */
const DELIVERIES = [
  { jobId: 'job-1', hours: 48, writes: ['the secret', 'the state'] },
  { jobId: 'job-1', hours: 12, writes: ['the state', 'the secret'] },
  { jobId: 'job-1', hours: undefined, writes: ['the state', 'the secret'] },
  { jobId: 'job-2', hours: 48, writes: ['the state', 'the secret', 'the state once more'] },
  { jobId: 'job-2', hours: 12, writes: ['the state', 'the secret'] },
  { jobId: 'job-2', hours: undefined, writes: ['the state', 'the secret'] },
] as const;
const CASES = DELIVERIES.flatMap(({ jobId, hours, writes }) =>
  writes.flatMap((write) => (['before', 'after'] as const).map((reset) => ({ jobId, hours, write, reset }))),
);

interface Held {
  readonly jobId: string;
  readonly link: BundleLink;
}

function stored(world: World): { jobId?: string; expiresAt?: string } {
  return JSON.parse(world.github.variable(TARGETS.repository, STATE)?.value ?? '{}');
}

function heldOf(world: World, all: readonly Held[]): Held {
  const value = world.github.secret(TARGETS.repository, NAME)?.value;
  const held = all.find(({ link: { url } }) => url === value);
  if (held === undefined) throw new Error('The secret holds a link of no test.');
  return held;
}

test.each(CASES)(
  'A refresh after a run that ends $reset writing $write ($jobId, $hours h) is in time and keeps the newest export',
  async ({ jobId, hours, write, reset }) => {
    await using world = await startWorld();
    for (const id of ['job-1', 'job-2']) await world.platform.addExportJob({ jobId: id, domain: DOMAIN });
    const former: Held = { jobId: 'job-1', link: link(world, 24) };
    const next: Held = { jobId, link: link(world, hours, 'b') };
    await (await openDelivery(world)).deliver(former);
    const delivery = await openDelivery(world);
    world.github.inject({ match: WRITES[write], reset });
    expect(await failure(delivery.deliver(next))).toMatchObject({ code: 'network' });

    const held = heldOf(world, [former, next]);
    const state = stored(world);
    const expiresMs = held.link.expiresAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    expect(state.expiresAt === undefined || Date.parse(state.expiresAt) <= expiresMs).toBe(true);
    expect([held.jobId, next.jobId]).toContain(state.jobId);

    const refreshBeforeMs = 100 * 3_600_000;
    expect((await world.refresh({ refreshBeforeMs })).facts).toMatchObject({
      changed: true,
      delivery: { stateWritten: true },
    });
    expect(world.platform.requests.at(-1)?.path).toBe(`/v1/static-export/jobs/${state.jobId}/bundle`);
    expect(world.github.secret(TARGETS.repository, NAME)?.value).toBe(world.recorded.bundleUrl);
  },
);

test('After a first export that ends between secret and state, the refresh knows its job and is due immediately', async () => {
  await using world = await startWorld();
  await world.platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
  const delivery = await openDelivery(world);
  await delivery.markStarting();
  await delivery.markStarted('job-1');
  world.github.inject({ match: { method: 'PATCH', nth: 2, ...ATTEMPTS }, reset: 'before' });
  const error = await failure(delivery.deliver({ jobId: 'job-1', link: link(world, 48) }));
  expect(error).toMatchObject({ code: 'network', message: expect.stringContaining('holds the new link') });
  expect((await world.refresh({ refreshBeforeMs: 0 })).facts).toMatchObject({ changed: true });
});
