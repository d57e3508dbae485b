import { describe, expect, it } from 'vitest';
import { CourierError, type CourierErrorInit } from '../../src/ground/errors.ts';
import { type FollowInit, follow } from '../../src/platform/follow.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

type Look = string | Partial<CourierErrorInit>;

/** Follows a job that returns these states in turn, and the last one forever. */
async function followLooks(looks: readonly Look[], overrides: Partial<FollowInit<string>> = {}) {
  const clock = fakeClock();
  const log = recordingLog();
  let polls = 0;
  const result = await follow<string>({
    async poll() {
      const look = looks[Math.min(polls, looks.length - 1)] ?? 'running';
      polls += 1;
      if (typeof look === 'string') return { value: look, serverTimeMs: undefined };
      throw new CourierError({ code: 'network', message: 'no', ...look });
    },
    view: (status) => ({
      status,
      phase: status === 'done' ? 'done' : status === 'running' ? 'running' : 'unknown',
    }),
    timeoutMs: 600_000,
    fresh: true,
    clock,
    log,
    signal: new AbortController().signal,
    random: () => 0.5,
    ...overrides,
  }).catch((error: unknown) => error);
  return { result, polls, clock, log };
}

const failures = (count: number, init: Partial<CourierErrorInit> = {}) =>
  Array.from({ length: count }, () => init);

describe('following a job', () => {
  it('The first poll is after a second, and the first final state ends the following', async () => {
    const { result, polls, clock } = await followLooks(['running', 'done', 'running']);
    expect(result).toMatchObject({ kind: 'done', job: 'done' });
    expect(polls).toBe(2);
    expect(clock.sleeps[0]).toBe(1000);
  });

  it('Following continues after nine failures in a row, and ends at the tenth', async () => {
    expect(
      (await followLooks([...failures(9), 'running', ...failures(9), 'done'])).result,
    ).toMatchObject({
      kind: 'done',
    });
    const { result, polls } = await followLooks(failures(11));
    expect(result).toMatchObject({ code: 'network' });
    expect(polls).toBe(10);
  });

  it('Following ends immediately if waiting would not help', async () => {
    for (const code of ['unauthorized', 'forbidden', 'config', 'job-failed'] as const) {
      expect(await followLooks(['running', { code }])).toMatchObject({
        result: { code },
        polls: 2,
      });
    }
  });

  it.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    'A poll that fails with %s ends the following immediately, also after polls that succeeded',
    async (code) => {
      const cause = Object.assign(new Error('certificate'), { code });
      for (const fresh of [true, false]) {
        const { result, polls } = await followLooks(['running', { cause }], { fresh });
        expect(result).toMatchObject({ code: 'network' });
        expect(polls).toBe(2);
      }
    },
  );

  it('A job that was just started may be unknown for thirty seconds', async () => {
    expect(
      (await followLooks([...failures(5, { code: 'not-found' }), 'done'])).result,
    ).toMatchObject({ kind: 'done' });
    const { result, clock } = await followLooks(failures(1, { code: 'not-found' }));
    expect(result).toMatchObject({ code: 'not-found' });
    expect(clock.monotonicMs()).toBeGreaterThan(30_000);
  });

  it('Polls of a job that is not known yet do not count as failures in a row', async () => {
    const unknown = failures(10, { code: 'not-found' });
    const { result, clock } = await followLooks([...unknown, {}, 'done']);
    expect(result).toMatchObject({ kind: 'done' });
    // The first wait after a failure of another kind, and not the longest.
    expect(clock.sleeps.at(-1)).toBe(1000);
  });

  it('Each poll has the remaining time plus 8 s, so a running one ends with the timeout', async () => {
    const limits: number[] = [];
    await followLooks([], {
      timeoutMs: 3000,
      async poll(timeLimitMs) {
        limits.push(timeLimitMs);
        return { value: 'running', serverTimeMs: undefined };
      },
    });
    expect(limits[0]).toBe(3000 - 1000 + 8000);
    expect(limits.every((ms) => ms >= 8000 && ms <= 10_000)).toBe(true);
  });

  it('A given job must not be unknown', async () => {
    expect(await followLooks(failures(1, { code: 'not-found' }), { fresh: false })).toMatchObject({
      result: { code: 'not-found' },
      polls: 1,
    });
  });

  it('The wait is as long as Retry-After says, and no poll is earlier', async () => {
    const { clock } = await followLooks([{ code: 'rate-limited', retryAfterMs: 45_000 }, 'done']);
    expect(clock.sleeps[1]).toBeGreaterThanOrEqual(45_000);
  });

  it('Following ends if Retry-After is longer than the remaining time', async () => {
    const { result } = await followLooks([{ code: 'rate-limited', retryAfterMs: 900_000 }]);
    expect(result).toMatchObject({ code: 'rate-limited', retryAfterMs: 900_000 });
  });

  it('Following uses all of its time, and polls once more at the end', async () => {
    const { result, clock } = await followLooks(['running'], { timeoutMs: 100_000 });
    expect(result).toMatchObject({ kind: 'timed-out', job: 'running', elapsedMs: 100_000 });
    expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(100_000, 3);
  });

  it('Without any time, a given job is polled once and a new one is not polled', async () => {
    expect(await followLooks(['done'], { timeoutMs: 0, fresh: false })).toMatchObject({
      result: { kind: 'done' },
      polls: 1,
    });
    expect(await followLooks(['done'], { timeoutMs: 0 })).toMatchObject({
      result: { kind: 'timed-out' },
      polls: 0,
    });
  });

  it('Time is measured with the monotonic clock: a jump of the wall clock changes nothing', async () => {
    const clock = fakeClock({ onSleep: () => clock.jumpWall(3_600_000) });
    const { result } = await followLooks(['running'], { clock, timeoutMs: 60_000 });
    expect(result).toMatchObject({ kind: 'timed-out', elapsedMs: 60_000 });
  });
});
