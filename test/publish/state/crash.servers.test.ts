import { expect, test } from 'vitest';
import type { BundleLink } from '../../../src/platform/link.ts';
import { link, openDelivery, TARGETS } from '../../support/world/delivery.ts';
import { DOMAIN, NAME, STATE } from '../../support/world/names.ts';
import { startWorld, type World } from '../../support/world.ts';

// No attempt of it gets a reply: after that the run is over, as if it had been killed there.
const ALWAYS = { times: Infinity } as const;
const WRITES = {
  'the claim': { method: 'POST', ...ALWAYS },
  'the secret': { method: 'PUT', ...ALWAYS },
  'the state': { method: 'PATCH', ...ALWAYS },
} as const;

/** Links that replace a link of job-1 for 24 hours. */
const DELIVERIES = [
  { jobId: 'job-1', hours: 48 },
  { jobId: 'job-1', hours: 12 },
  { jobId: 'job-1', hours: undefined },
  { jobId: 'job-2', hours: 48 },
  { jobId: 'job-2', hours: 12 },
  { jobId: 'job-2', hours: undefined },
] as const;
const CASES = DELIVERIES.flatMap((delivery) =>
  (['the claim', 'the secret', 'the state'] as const).flatMap((write) =>
    (['before', 'after'] as const).map((reset) => ({ ...delivery, write, reset })),
  ),
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
    for (const id of ['job-1', 'job-2'])
      await world.platform.addExportJob({ jobId: id, domain: DOMAIN });
    const former: Held = { jobId: 'job-1', link: link(world, 24) };
    const next: Held = { jobId, link: link(world, hours, 'b') };
    await (await openDelivery(world)).deliver(former);
    const delivery = await openDelivery(world);
    world.github.inject({ match: WRITES[write], reset });
    const error = await outcome(delivery.deliver(next));
    world.github.clearFaults();

    const held = heldOf(world, [former, next]);
    const state = stored(world);
    const expiresMs = held.link.expiresAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    const isConfirmed = state.jobId === held.jobId;
    expect(
      !isConfirmed ||
        state.expiresAt === undefined ||
        Date.parse(state.expiresAt) <= expiresMs ||
        held.link === next.link,
    ).toBe(true);
    if (error === undefined) expect([held.jobId, state.jobId]).toEqual([jobId, jobId]);
    else expect(error).toMatchObject({ code: 'network' });

    const refreshBeforeMs = 100 * 3_600_000;
    expect((await world.refresh({ refreshBeforeMs })).facts).toMatchObject({
      changed: true,
      jobId: held.jobId,
      delivery: { stateWritten: true },
    });
    expect(world.github.secret(TARGETS.repository, NAME)?.value).toBe(world.recorded.bundleUrl);
  },
);

/** The error; undefined: it succeeded. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
