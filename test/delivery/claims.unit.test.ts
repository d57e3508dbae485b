import { describe, expect, test } from 'vitest';
import { Delivery } from '../../src/delivery/delivery.ts';
import { CLAIM_OVER_MS, FRESH_MS, MAY_ARRIVE_MS } from '../../src/delivery/protocol/limits.ts';
import { Requests } from '../../src/delivery/requests.ts';
import { writeClaim } from '../../src/delivery/state.ts';
import { cancelled } from '../../src/ground/clock.ts';
import { CourierError } from '../../src/ground/errors.ts';
import type { LinkStore } from '../../src/stores/port.ts';
import { failure } from '../support/failure.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { ADMIN_KEY } from '../support/make-inputs.ts';
import { recordingLog } from '../support/recording-log.ts';
import { type Hook, lostReply, type Memory, memoryOf, memoryStore } from './memory-store.ts';

const HOUR_MS = 3_600_000;
const BEGIN = Date.parse('2026-03-01T10:00:00Z');

const BINDING = {
  adminApiKey: ADMIN_KEY,
  baseUrl: 'https://api.docs.example.com',
  address: 'memory:link',
};

type Kind = 'export' | 'refresh' | 'rollback';

interface Setting {
  readonly clock: FakeClock;
  readonly hook?: Hook;
  readonly store?: LinkStore;
  readonly attempt?: number;
  readonly signal?: AbortSignal;
}

async function open(
  memory: Memory,
  by: Kind,
  runId: string,
  { clock, hook, store = memoryStore(memory, hook), attempt = 1, signal }: Setting,
) {
  const log = recordingLog();
  const delivery = await Delivery.open({
    stores: [store],
    baseUrl: 'https://api.docs.example.com',
    adminApiKey: ADMIN_KEY,
    domain: by === 'export' ? 'docs.example.com' : undefined,
    needsState: by !== 'export',
    by,
    run: { runId, runAttempt: attempt, job: 'docs' },
    log,
    clock,
    signal: signal ?? new AbortController().signal,
    record: () => {},
  });
  return { delivery, log };
}

const linkOf = (jobId: string, runId: string) => ({
  url: `https://bundles.example.com/${jobId}/${runId}`,
  expiresAt: new Date('2027-01-01T00:00:00Z'),
  sizeBytes: undefined,
});

async function run(memory: Memory, kind: Kind, runId: string, setting: Setting) {
  const { delivery, log } = await open(memory, kind, runId, setting);
  const more = { linkOf: async (live: string) => linkOf(live, `${runId}-repair`) };
  if (kind === 'export') {
    const { jobId } = await delivery.start(async () => ({ jobId: `job-${runId}` }));
    await delivery.deliver({ jobId, link: linkOf(jobId, runId), intent: { kind }, ...more });
  } else if (kind === 'refresh') {
    const { jobId, jobOrder: order } = delivery.storedJob();
    await delivery.deliver({ jobId, link: linkOf(jobId, runId), intent: { kind, order }, ...more });
  } else {
    const { export: earlier, from } = delivery.rollbackTo(undefined);
    await delivery.deliver({
      jobId: earlier.job,
      link: linkOf(earlier.job, runId),
      intent: { kind, from },
      ...more,
    });
  }
  return log;
}

/** A destination with two exports, an hour apart, the last of them an hour ago. */
async function memoryWithTwo(
  shows: Memory['shows'] = 'date',
): Promise<{ memory: Memory; clock: FakeClock }> {
  const clock = fakeClock({ now: BEGIN });
  const memory = memoryOf(clock, shows);
  for (const runId of ['1', '2']) {
    await run(memory, 'export', runId, { clock });
    clock.advance(HOUR_MS);
  }
  return { memory, clock };
}

const live = ({ link }: Memory) => link?.text.split('/').at(-2);
const state = (memory: Memory) => JSON.parse(memory.state ?? '{}');
const count = ({ calls }: Memory, name: string) => calls.filter((one) => one === name).length;

/** Calls `then` after the nth call of this kind. */
function afterCall(kind: string, nth: number, then: () => Promise<void> | void): Hook {
  let seen = 0;
  return async (call, effect) => {
    effect();
    if (call !== kind) return;
    seen += 1;
    if (seen === nth) await then();
  };
}

/** Keeps the effect of the first write of the state in `held`; its reply is lost. */
function holdState(held: (() => void)[], clock: FakeClock, before = () => {}): Hook {
  return (call, effect) => {
    if (call !== 'write state' || held.length > 0) return effect();
    before();
    held.push(effect);
    clock.advance(15_000);
    throw lostReply();
  };
}

test('A claim is over only when its last write, and the reply to it, can be waited for no longer', () => {
  // A write is sent within FRESH_MS after the claim, and given up after as long again.
  expect(CLAIM_OVER_MS).toBeGreaterThan(2 * FRESH_MS);
  expect(CLAIM_OVER_MS).toBeGreaterThanOrEqual(45_000);
  expect(FRESH_MS).toBeLessThanOrEqual(20_000);
  expect(MAY_ARRIVE_MS).toBeGreaterThan(CLAIM_OVER_MS);
});

describe('time', () => {
  test('A refresh whose machine is suspended between its last reading and its write does not replace a newer export', async () => {
    const { memory, clock } = await memoryWithTwo();
    const own = fakeClock({ now: clock.now() });
    // The second reading is the one in the section.
    const hook = afterCall('read', 2, async () => {
      own.jumpWall(60_000);
      await run(memory, 'export', '3', { clock });
    });
    const ended = await failure(run(memory, 'refresh', '9', { clock: own, hook }));
    expect(ended).toMatchObject({ code: 'conflict' });
    expect([live(memory), state(memory).jobId]).toEqual(['job-3', 'job-3']);
  });

  test('A second claim of a run is not over because its first one was seen long ago', async () => {
    const clock = fakeClock({ now: BEGIN });
    const memory = memoryOf(clock);
    const requests = new Requests({
      store: memoryStore(memory),
      binding: () => BINDING,
      clock,
      nowMs: () => clock.monotonicMs(),
      log: recordingLog(),
      signal: new AbortController().signal,
      onLink: () => {},
      continueWithoutState: () => false,
    });
    const claim = {
      token: 't',
      by: 'refresh',
      at: new Date(BEGIN).toISOString(),
      run: '1/docs',
    } as const;
    for (const number of [7, 8]) {
      memory.claims.set(number, {
        text: writeClaim(BINDING, number, claim),
        writtenAtMs: clock.now(),
      });
      await requests.reply({ kind: 'read-claim', number });
      clock.advance(30_000);
    }
    const beginMs = clock.monotonicMs();
    await requests.reply({ kind: 'await-claim', number: 8, claim });
    expect(clock.monotonicMs() - beginMs).toBe(CLAIM_OVER_MS - 30_000);
  });

  test('While a run waits, the log says for which run, since when and until when, every 15 seconds', async () => {
    const { memory, clock } = await memoryWithTwo();
    await kill(memory, 'refresh', '8', clock, 'write link');
    const log = await run(memory, 'refresh', '9', { clock });
    expect(log.text('warning')).toMatch(
      /Another run \(8\/docs\) is writing memory:LINK since 12:00:00 UTC, or ended while it did. Waiting until 12:00:45 UTC at the latest/,
    );
    expect(
      log.text('info').match(/Still waiting for run 8\/docs at memory:LINK, for \d+ ?s/g),
    ).toHaveLength(2);
  });

  test('While a run waits, it reads nothing but the state', async () => {
    const { memory, clock } = await memoryWithTwo();
    await kill(memory, 'refresh', '8', clock, 'write link');
    const before = count(memory, 'read claim');
    await run(memory, 'refresh', '9', { clock });
    // Once to see whose it is, and once after the wait.
    expect(count(memory, 'read claim') - before).toBe(2);
  });
});

/** The first link of a run is on its way until `arrive`. */
function lateLink(): { readonly hook: Hook; readonly arrive: () => void } {
  const sent: (() => void)[] = [];
  const hook: Hook = (call, effect) => {
    if (call !== 'write link' || sent.length > 0) return effect();
    sent.push(effect);
    throw lostReply();
  };
  return { hook, arrive: () => sent[0]?.() };
}

/** A run that ends at a request, without a trace. */
async function kill(
  memory: Memory,
  kind: Kind,
  runId: string,
  clock: FakeClock,
  at: string,
): Promise<void> {
  const hook: Hook = (call, effect) => {
    if (call === at) throw new Error('killed');
    effect();
  };
  await run(memory, kind, runId, { clock, hook }).catch((error: unknown) => {
    if (String(error) !== 'Error: killed') throw error;
  });
}

test('A run that stops without writing does not make the next one wait', async () => {
  const { memory, clock } = await memoryWithTwo();
  const { delivery } = await open(memory, 'refresh', '8', { clock });
  const { jobId, jobOrder: order } = delivery.storedJob();
  await run(memory, 'export', '3', { clock });
  const stopped = delivery.deliver({
    jobId,
    link: linkOf(jobId, '8'),
    intent: { kind: 'refresh', order },
  });
  expect(await failure(stopped)).toMatchObject({ code: 'conflict' });
  const beginMs = clock.monotonicMs();
  await run(memory, 'refresh', '9', { clock });
  expect(clock.monotonicMs()).toBe(beginMs);
});

test('A claim whose reply took too long is not written under, though what was read then is fresh', async () => {
  const { memory, clock } = await memoryWithTwo();
  const before = count(memory, 'create');
  const own = fakeClock({ now: clock.now() });
  await run(memory, 'refresh', '9', {
    clock: own,
    hook: afterCall('create', 1, () => own.advance(25_000)),
  });
  expect(count(memory, 'create') - before).toBe(2);
});

test('An export that was killed after its link is live, and the next refresh renews it', async () => {
  const { memory, clock } = await memoryWithTwo();
  let writes = 0;
  const hook: Hook = (call, effect) => {
    if (call === 'write state') writes += 1;
    if (writes === 2) throw new Error('killed');
    effect();
  };
  await run(memory, 'export', '3', { clock, hook }).catch(() => {});
  await run(memory, 'refresh', '9', { clock });
  expect([live(memory), state(memory).jobId]).toEqual(['job-3', 'job-3']);
});

test('A state that is put back during a run ends the run', async () => {
  const { memory, clock } = await memoryWithTwo();
  const former = memory.state;
  await run(memory, 'export', '3', { clock });
  const { delivery } = await open(memory, 'refresh', '9', { clock });
  const { jobId, jobOrder: order } = delivery.storedJob();
  memory.state = former;
  const ended = delivery.deliver({
    jobId,
    link: linkOf(jobId, '9'),
    intent: { kind: 'refresh', order },
  });
  expect(await failure(ended)).toMatchObject({
    message: expect.stringContaining('an earlier state was put back'),
  });
});

test('An earlier state that arrives late during a suspended run ends that run, and the next refresh needs nobody', async () => {
  const { memory, clock } = await memoryWithTwo();
  const late: (() => void)[] = [];
  await run(memory, 'refresh', '8', { clock, hook: holdState(late, clock) });
  clock.advance(1000);
  const own = fakeClock({ now: clock.now() });
  const suspend = afterCall('read', 2, () => {
    own.jumpWall(60_000);
    late[0]?.();
  });
  const ended = await failure(run(memory, 'rollback', '9', { clock: own, hook: suspend }));
  expect(ended).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('an earlier state was put back'),
  });
  await run(memory, 'refresh', '10', { clock });
  expect([live(memory), state(memory).jobId]).toEqual(['job-2', 'job-2']);
});

test('An export goes live although an earlier state arrives late in its section and its own state is lost', async () => {
  const { memory, clock } = await memoryWithTwo();
  const late: (() => void)[] = [];
  await run(memory, 'refresh', '8', { clock, hook: holdState(late, clock) });
  const hook = holdState([], clock, () => late[0]?.());
  await run(memory, 'export', '9', { clock, hook });
  await run(memory, 'refresh', '10', { clock });
  expect([live(memory), state(memory).jobId]).toEqual(['job-9', 'job-9']);
});

test('An earlier state that arrives late is overruled by the claim of the live link, though others are gone', async () => {
  const { memory, clock } = await memoryWithTwo();
  const former = memory.state;
  await run(memory, 'export', '3', { clock });
  memory.state = former;
  for (const number of [...memory.claims.keys()].sort((a, b) => a - b).slice(0, -1))
    memory.claims.delete(number);
  await run(memory, 'refresh', '9', { clock });
  expect([live(memory), state(memory).jobId]).toEqual(['job-3', 'job-3']);
});

test('A later attempt waits for the claim of an earlier one, which may still run', async () => {
  const { memory, clock } = await memoryWithTwo();
  await kill(memory, 'refresh', '8', clock, 'write link');
  const beginMs = clock.monotonicMs();
  await run(memory, 'refresh', '8', { clock, attempt: 2 });
  expect(clock.monotonicMs() - beginMs).toBe(CLAIM_OVER_MS);
});

describe('an export into several destinations', () => {
  async function two() {
    const clock = fakeClock({ now: BEGIN });
    const memories = [memoryOf(clock), memoryOf(clock)] as const;
    for (const runId of ['1', '2', '3']) {
      await run(memories[1], 'export', runId, { clock });
      clock.advance(HOUR_MS);
    }
    return { clock, memories };
  }

  async function startIn(stores: readonly LinkStore[], clock: FakeClock) {
    const delivery = await Delivery.open({
      ...{
        stores,
        baseUrl: 'https://api.docs.example.com',
        adminApiKey: ADMIN_KEY,
        domain: 'docs.example.com',
      },
      ...{
        needsState: false,
        by: 'export',
        run: { runId: '9', runAttempt: 1, job: 'docs' },
        log: recordingLog(),
      },
      ...{ clock, signal: new AbortController().signal, record: () => {} },
    });
    await delivery.start(async () => ({ jobId: 'job-9' }));
  }

  const named = (store: LinkStore, signedAddress: string): LinkStore => ({
    ...store,
    signedAddress,
  });

  test('It has one order in all of them', async () => {
    const { clock, memories } = await two();
    const [first, second] = memories;
    await run(second, 'export', '4', { clock });
    // The second one gives a higher order than all that were known when the run began.
    const raise = afterCall('create', 1, () =>
      run(second, 'export', '5', { clock }).then(() => {}),
    );
    await startIn([named(memoryStore(first, raise), 'memory:a'), memoryStore(second)], clock);
    const orders = memories.map((memory) => state(memory).runs[0].order);
    expect(orders[0]).toBe(orders[1]);
    expect(state(first).order).toBe(orders[0]);
  });

  test.each([false, true])(
    'Their sections are entered in one order, whichever the input has (reversed: %s)',
    async (isReversed) => {
      const { clock, memories } = await two();
      const entered: string[] = [];
      const stores = memories.map((memory, index) => {
        const hook = afterCall('create', 1, () => void entered.push(String(index)));
        return named(memoryStore(memory, hook), `memory:${index}`);
      });
      await startIn(isReversed ? stores.reverse() : stores, clock);
      expect(entered).toEqual(['0', '1']);
    },
  );
});

describe('a link that may still arrive', () => {
  test.each(['date', 'value', 'nothing'] as const)(
    'In a store that shows its %s, a run that follows says so, and the next refresh writes even if it is not due',
    async (shows) => {
      const { memory, clock } = await memoryWithTwo(shows);
      const { hook, arrive } = lateLink();
      await run(memory, 'refresh', '8', { clock, hook });
      clock.advance(30_000);
      const log = await run(memory, 'export', '9', { clock });
      expect(log.text('warning')).toContain(
        'A link of export job job-2 that run 8/docs was writing to memory:LINK',
      );
      arrive();
      expect(live(memory)).toBe('job-2');
      const { delivery } = await open(memory, 'refresh', '10', { clock });
      expect(delivery.storedJob().jobId).toBe('job-9');
      expect(delivery.goodUntil('job-9', HOUR_MS)).toBeUndefined();
      await run(memory, 'refresh', '10', { clock });
      expect(live(memory)).toBe('job-9');
    },
  );

  test('Another link of the export that is live is no reason for a warning', async () => {
    const { memory, clock } = await memoryWithTwo();
    const { hook, arrive } = lateLink();
    await run(memory, 'refresh', '8', { clock, hook });
    clock.advance(30_000);
    const log = await run(memory, 'refresh', '9', { clock });
    expect(log.text('warning')).not.toContain('may still arrive');
    arrive();
    expect([live(memory), state(memory).jobId]).toEqual(['job-2', 'job-2']);
  });

  test('That of a rollback which an export overtakes, and which begins again, needs nobody', async () => {
    const { memory, clock } = await memoryWithTwo();
    const { hook: hold, arrive } = lateLink();
    const starter = await open(memory, 'export', '9', { clock });
    let reads = 0;
    const hook: Hook = async (call, effect, signal) => {
      await hold(call, effect, signal);
      if (call === 'read') reads += 1;
      // The third one follows the lost reply to the write of the link.
      if (call === 'read' && reads === 3)
        await starter.delivery.start(async () => ({ jobId: 'job-9' }));
    };
    await run(memory, 'rollback', '8', { clock, hook });
    clock.advance(1000);
    arrive();
    await run(memory, 'refresh', '10', { clock });
    expect([live(memory), state(memory).jobId]).toEqual(['job-1', 'job-1']);
  });

  test('That of an export which passed the claim of a rollback is not taken for the link of the rollback, which stops', async () => {
    const { memory, clock } = await memoryWithTwo();
    const { hook: hold, arrive } = lateLink();
    let writes = 0;
    const twice: Hook = async (call, effect, signal) => {
      if (call === 'write link') writes += 1;
      // Its first link arrives over the second one, before the state is read again.
      if (call === 'read' && writes === 2) {
        clock.advance(1000);
        arrive();
      }
      await hold(call, effect, signal);
    };
    const starter = await open(memory, 'export', '9', { clock, hook: twice });
    const { jobId } = await starter.delivery.start(async () => ({ jobId: 'job-9' }));
    const link = linkOf(jobId, '9');
    const hook = afterCall('create', 1, async () => {
      await starter.delivery.deliver({ jobId, link, intent: { kind: 'export' } });
    });
    const ended = await failure(run(memory, 'rollback', '8', { clock, hook }));
    expect(ended).toMatchObject({ code: 'conflict' });
    expect([live(memory), state(memory).jobId]).toEqual(['job-9', 'job-9']);
  });

  test('The clock of the run that follows may be ten minutes off', async () => {
    const { memory, clock } = await memoryWithTwo();
    const { hook, arrive } = lateLink();
    await run(memory, 'refresh', '8', { clock, hook });
    const wrong = fakeClock({ now: clock.now() + 600_000 });
    clock.advance(30_000);
    await run(memory, 'export', '9', { clock: wrong });
    clock.advance(30_000);
    arrive();
    await run(memory, 'refresh', '10', { clock });
    expect(live(memory)).toBe('job-9');
  });
});

describe('what others have written', () => {
  test('An earlier state and the claim that followed it, put back by a stranger, make no older export live', async () => {
    const clock = fakeClock({ now: BEGIN });
    const memory = memoryOf(clock);
    await run(memory, 'export', '1', { clock });
    clock.advance(HOUR_MS);
    const former = memory.state;
    await run(memory, 'refresh', 'r', { clock });
    const claim = memory.claims.get(3);
    for (const runId of ['2', '3']) {
      clock.advance(HOUR_MS);
      await run(memory, 'export', runId, { clock });
    }
    clock.advance(1000);
    memory.state = former;
    memory.claims.clear();
    if (claim !== undefined) memory.claims.set(3, { ...claim, writtenAtMs: clock.now() });
    expect(await failure(run(memory, 'refresh', '9', { clock }))).toMatchObject({
      code: 'integrity',
    });
    expect(live(memory)).toBe('job-3');
  });

  test('An earlier link and state that are put back together stay, and refreshes renew them', async () => {
    const { memory, clock } = await memoryWithTwo('value');
    const former = { state: memory.state, text: memory.link?.text ?? '' };
    await run(memory, 'rollback', '8', { clock });
    expect(live(memory)).toBe('job-1');
    memory.state = former.state;
    memory.link = { text: former.text, atMs: clock.now() };
    await run(memory, 'refresh', '9', { clock });
    expect([live(memory), state(memory).jobId]).toEqual(['job-2', 'job-2']);
  });

  test('A link that a person writes a minute after a run was killed is not replaced by a refresh', async () => {
    const { memory, clock } = await memoryWithTwo();
    await kill(memory, 'refresh', '8', clock, 'write link');
    clock.advance(60_000);
    memory.link = { text: 'https://theirs.example.com/a', atMs: clock.now() };
    expect(await failure(run(memory, 'refresh', '9', { clock }))).toMatchObject({
      code: 'integrity',
    });
    expect(memory.link.text).toBe('https://theirs.example.com/a');
  });

  test('Sixty texts in the places of claims cost one wait, and stay', async () => {
    const { memory, clock } = await memoryWithTwo();
    const { number } = state(memory);
    for (let at = number + 1; at <= number + 60; at += 1)
      memory.claims.set(at, { text: 'x', writtenAtMs: clock.now() });
    const beginMs = clock.monotonicMs();
    const log = await run(memory, 'refresh', '9', { clock });
    expect(clock.monotonicMs() - beginMs).toBe(CLAIM_OVER_MS);
    expect(log.text('warning')).toContain('has no valid signature');
    expect(state(memory).number).toBe(number + 61);
    expect(count(memory, 'remove')).toBeLessThan(5);
    const againMs = clock.monotonicMs();
    await run(memory, 'refresh', '10', { clock });
    expect(clock.monotonicMs()).toBe(againMs);
  });

  test.each(['date', 'nothing'] as const)(
    'A text with a very high number costs nothing in a store that shows %s',
    async (shows) => {
      const { memory, clock } = await memoryWithTwo(shows);
      memory.claims.set(999_999_999_999_999, { text: 'x', writtenAtMs: clock.now() });
      const beginMs = clock.monotonicMs();
      for (const runId of ['8', '9']) await run(memory, 'refresh', runId, { clock });
      expect([clock.monotonicMs() - beginMs, state(memory).number]).toEqual([0, 6]);
    },
  );

  test('A claim that exists and does not show yet is not asked for again and again', async () => {
    const { memory, clock } = await memoryWithTwo();
    let isHidden = true;
    const hook: Hook = (call, effect) => {
      if (call === 'create' && isHidden) return;
      effect();
    };
    const before = count(memory, 'create');
    const beginMs = clock.monotonicMs();
    const show = clock.monotonicMs() + 30_000;
    const hiding: Hook = (call, effect, signal) => {
      isHidden = clock.monotonicMs() < show;
      return hook(call, effect, signal);
    };
    await run(memory, 'refresh', '9', { clock, hook: hiding });
    expect(clock.monotonicMs() - beginMs).toBeLessThanOrEqual(CLAIM_OVER_MS);
    expect(count(memory, 'create') - before).toBeLessThan(5);
  });

  test('A state and a claim that show only after eight seconds are waited for', async () => {
    const { memory, clock } = await memoryWithTwo();
    const before = { state: memory.state, claims: new Map(memory.claims) };
    await run(memory, 'export', '3', { clock });
    const now = { state: memory.state, claims: new Map(memory.claims) };
    const show = (shown: typeof now) => {
      memory.state = shown.state;
      memory.claims.clear();
      for (const [number, claim] of shown.claims) memory.claims.set(number, claim);
    };
    show(before);
    const shownMs = clock.monotonicMs() + 8000;
    const hook: Hook = (_, effect) => {
      if (clock.monotonicMs() >= shownMs && memory.state === before.state) show(now);
      effect();
    };
    await run(memory, 'refresh', '9', { clock, hook });
    expect([live(memory), state(memory).jobId]).toEqual(['job-3', 'job-3']);
  });
});

describe('two runs that write at the same time', () => {
  test.each(['date', 'value', 'nothing'] as const)(
    'In a store that shows %s, the one whose link is over a newer one writes a fresh link of that, and fails',
    async (shows) => {
      const { memory, clock } = await memoryWithTwo(shows);
      const own = fakeClock({ now: clock.now() });
      let isFirst = true;
      // Its machine sleeps before the link is sent, and no clock shows that.
      const hook: Hook = async (call, effect) => {
        if (call === 'write link' && isFirst) {
          isFirst = false;
          await run(memory, 'export', '3', { clock });
          clock.advance(1000);
        }
        effect();
      };
      const ended = await failure(run(memory, 'refresh', '9', { clock: own, hook }));
      expect(ended).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('a fresh link of job job-3 is live'),
      });
      expect(memory.link?.text).toBe(linkOf('job-3', '9-repair').url);
      expect(state(memory)).toMatchObject({
        jobId: 'job-3',
        expiresAt: '2027-01-01T00:00:00.000Z',
        unanswered: [],
      });
    },
  );

  test('A rollback stops if the live export was named since it began', async () => {
    const { memory, clock } = await memoryWithTwo();
    const { delivery } = await open(memory, 'rollback', '8', { clock });
    const { export: earlier, from } = delivery.rollbackTo(undefined);
    const { delivery: named } = await open(memory, 'refresh', '9', { clock });
    await named.deliver({
      jobId: 'job-2',
      link: linkOf('job-2', '9'),
      intent: { kind: 'named' },
    });
    const link = linkOf(earlier.job, '8');
    const intent = { kind: 'rollback', from } as const;
    expect(await failure(delivery.deliver({ jobId: earlier.job, link, intent }))).toMatchObject({
      code: 'conflict',
    });
    expect([live(memory), state(memory).jobId]).toEqual(['job-2', 'job-2']);
  });
});

describe('a run that is cancelled', () => {
  test('It leaves a claim that others have passed: no number is used twice', async () => {
    const { memory, clock } = await memoryWithTwo();
    const cancel = new AbortController();
    const number = state(memory).number + 1;
    const hook = afterCall('create', 1, async () => {
      await run(memory, 'export', '3', { clock });
      cancel.abort('SIGTERM');
    });
    const own = fakeClock({ now: clock.now() });
    const ended = await failure(
      run(memory, 'refresh', '8', { clock: own, hook, signal: cancel.signal }),
    );
    expect(ended).toMatchObject({ code: 'cancelled' });
    expect(memory.claims.has(number)).toBe(true);
    expect([live(memory), state(memory).jobId]).toEqual(['job-3', 'job-3']);
  });

  test.each(['create', 'read', 'read claim'] as const)(
    'It writes no link after a request (%s) that was cancelled on its way',
    async (at) => {
      const { memory, clock } = await memoryWithTwo();
      const { delivery } = await open(memory, 'refresh', '7', { clock });
      const { jobId, jobOrder: order } = delivery.storedJob();
      const cancel = new AbortController();
      let calls = 0;
      const hook: Hook = (call, effect) => {
        calls += call === at ? 1 : 0;
        // The first reading is that of the start; a claim is read if its reply was lost.
        if (at === 'read claim' && call === 'create') throw lostReply();
        effect();
        if (call !== at || cancel.signal.aborted || (at === 'read' && calls === 1)) return;
        cancel.abort('SIGTERM');
        throw cancelled().with({ mayHaveActed: true });
      };
      const before = [count(memory, 'write link'), memory.link];
      const setting = { clock, hook, signal: cancel.signal };
      expect(await failure(run(memory, 'refresh', '8', setting))).toMatchObject({
        code: 'cancelled',
      });
      expect([count(memory, 'write link'), memory.link]).toEqual(before);
      expect([jobId, order]).toEqual(['job-2', state(memory).jobOrder]);
    },
  );

  test('It keeps its claim if its export may have been started', async () => {
    const { memory, clock } = await memoryWithTwo();
    const cancel = new AbortController();
    const number = state(memory).number + 1;
    let isRefused = false;
    const hook: Hook = (call, effect) => {
      if (call !== 'write state' || isRefused) return effect();
      isRefused = true;
      throw cancelled();
    };
    const { delivery } = await open(memory, 'export', '7', { clock, hook, signal: cancel.signal });
    const started = delivery.start(async () => {
      cancel.abort('SIGTERM');
      throw cancelled().with({ mayHaveActed: true });
    });
    expect(await failure(started)).toMatchObject({ code: 'cancelled' });
    expect([memory.claims.has(number), state(memory).number]).toEqual([true, number - 1]);
    const again = await open(memory, 'export', '7', { clock, attempt: 2 });
    expect(again.delivery.resume()).toMatchObject({
      kind: 'start',
      warning: expect.stringContaining('stored no job id'),
    });
  });

  test('It ends its section unchanged, so that the next run does not wait', async () => {
    const { memory, clock } = await memoryWithTwo();
    const cancel = new AbortController();
    const hook = afterCall('create', 1, () => cancel.abort('SIGTERM'));
    const ended = await failure(
      run(memory, 'refresh', '8', { clock, hook, signal: cancel.signal }),
    );
    expect(ended).toMatchObject({ code: 'cancelled' });
    const beginMs = clock.monotonicMs();
    await run(memory, 'refresh', '9', { clock });
    expect(clock.monotonicMs()).toBe(beginMs);
  });

  test('It calls no link live that it has not sent, if an earlier try was refused', async () => {
    const { memory, clock } = await memoryWithTwo('nothing');
    const cancel = new AbortController();
    let claims = 0;
    const refused = new Set<string>();
    const hook: Hook = (call, effect) => {
      claims += call === 'create' ? 1 : 0;
      if (claims === 1 && call.startsWith('write') && !refused.has(call)) {
        refused.add(call);
        throw new CourierError({ code: 'rate-limited', message: 'Refused.' });
      }
      effect();
      // The second try finds the claim of the first, and makes one past it.
      if (claims === 3) cancel.abort('SIGTERM');
    };
    const ended = await failure(
      run(memory, 'rollback', '8', { clock, hook, signal: cancel.signal }),
    );
    expect(ended).toMatchObject({ code: 'cancelled' });
    expect([...refused]).toEqual(['write link', 'write state']);
    expect([live(memory), state(memory).jobId]).toEqual(['job-2', 'job-2']);
  });

  test('It ends no section over an earlier state that was put back meanwhile', async () => {
    const { memory, clock } = await memoryWithTwo();
    const earlier = memory.state;
    await run(memory, 'export', '3', { clock });
    const cancel = new AbortController();
    const hook = afterCall('create', 1, () => {
      memory.state = earlier;
      cancel.abort('SIGTERM');
    });
    await failure(run(memory, 'refresh', '8', { clock, hook, signal: cancel.signal }));
    expect(memory.state).toBe(earlier);
    await run(memory, 'refresh', '9', { clock });
    expect([live(memory), state(memory).jobId]).toEqual(['job-3', 'job-3']);
  });

  test('It keeps its claim if its link may arrive', async () => {
    const { memory, clock } = await memoryWithTwo();
    const cancel = new AbortController();
    const hook: Hook = (call, effect) => {
      if (call !== 'write link') return effect();
      cancel.abort('SIGTERM');
      throw lostReply();
    };
    await failure(run(memory, 'refresh', '8', { clock, hook, signal: cancel.signal }));
    const beginMs = clock.monotonicMs();
    await run(memory, 'refresh', '9', { clock });
    expect(clock.monotonicMs() - beginMs).toBe(CLAIM_OVER_MS);
  });

  test('It stores the id of its export again if the write of the id is lost meanwhile', async () => {
    const { memory, clock } = await memoryWithTwo();
    const cancel = new AbortController();
    let isLost = false;
    const hook: Hook = (call, effect, signal) => {
      if (cancel.signal.aborted && signal === undefined) throw cancelled(cancel.signal.reason);
      if (call !== 'write state' || isLost) return effect();
      isLost = true;
      cancel.abort('SIGINT');
      throw lostReply();
    };
    const { delivery, log } = await open(memory, 'export', '7', {
      clock,
      hook,
      signal: cancel.signal,
    });
    await delivery.start(async () => ({ jobId: 'job-7' }));
    expect(log.text('warning')).not.toContain('could not be written');
    const again = await open(memory, 'export', '7', { clock, attempt: 2 });
    expect(again.delivery.resume()).toMatchObject({ kind: 'attach', jobId: 'job-7' });
  });
});

describe('what a run says of its link', () => {
  test('If the link was accepted and what is there cannot be read, the run does not say that nothing was written', async () => {
    const { memory, clock } = await memoryWithTwo();
    let isWritten = false;
    const hook: Hook = (call, effect) => {
      if (isWritten) throw new CourierError({ code: 'unauthorized', message: 'Bad credentials.' });
      effect();
      if (call !== 'write link') return;
      isWritten = true;
      throw lostReply();
    };
    const ended = await failure(run(memory, 'refresh', '9', { clock, hook }));
    expect(String(ended)).not.toContain('Nothing was written');
    expect(ended).toMatchObject({
      message: expect.stringContaining('has the previous link or the new one'),
    });
  });

  test('A link that the store accepts and never shows is an integrity error after two tries', async () => {
    const { memory, clock } = await memoryWithTwo();
    const hook: Hook = async (call, effect) => {
      if (call !== 'write link') return effect();
      await clock.sleep(10_000);
      throw new CourierError({
        code: 'integrity',
        message: 'It is accepted, and does not show.',
        mayHaveActed: true,
      });
    };
    const beginMs = clock.monotonicMs();
    expect(await failure(run(memory, 'refresh', '9', { clock, hook }))).toMatchObject({
      code: 'integrity',
    });
    expect(count(memory, 'write link') - 2).toBe(2);
    expect(clock.monotonicMs() - beginMs).toBeLessThan(30_000);
  });

  test('A store without claims that fails after the link was written is not said to have written nothing', async () => {
    const clock = fakeClock({ now: BEGIN });
    const memory = memoryOf(clock, 'value');
    const hook: Hook = (call, effect) => {
      if (call === 'read' && memory.link !== undefined)
        throw new CourierError({ code: 'protocol', message: 'Internal error.', httpStatus: 500 });
      effect();
    };
    const store = { ...memoryStore(memory, hook), claims: undefined };
    const unguarded = { ...store, can: { guard: 'none', shows: 'value' } } as const;
    const ended = await failure(run(memory, 'export', '1', { clock, store: unguarded }));
    expect(live(memory)).toBe('job-1');
    expect(ended).toMatchObject({ message: expect.stringContaining('was written, but') });
    expect(String(ended)).not.toContain('Nothing was written');
  });

  test('Without the right to the state, a link whose reading took too long is read and written again', async () => {
    const clock = fakeClock({ now: BEGIN });
    const memory = memoryOf(clock);
    const forbidden = { code: 'forbidden', message: 'No right.', lacksPermission: true } as const;
    const hook: Hook = (call, effect) => {
      if (call === 'create') throw new CourierError(forbidden);
      effect();
      if (call === 'read' && count(memory, 'create') > 0 && count(memory, 'write link') === 0)
        clock.advance(count(memory, 'read') > 2 ? 0 : FRESH_MS + 1000);
    };
    await run(memory, 'export', '1', { clock, hook });
    expect([live(memory), memory.state]).toEqual(['job-1', undefined]);
  });
});
