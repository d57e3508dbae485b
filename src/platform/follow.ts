import { CourierError, type ErrorCode, hasCode } from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import { formatDuration, formatInstant } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import { isTlsError } from '../http/codes.ts';
import type { PlatformReply } from './client.ts';

/** A job as one poll has shown it, as far as following needs it. */
export interface JobView {
  readonly status: string;
  /**
   * `done`: the job has ended, well or not. `running`: a documented status of a job that has not
   * ended. `unknown`: a status that is not documented, taken as one of a job that has not ended.
   */
  readonly phase: 'done' | 'running' | 'unknown';
  readonly progress?: unknown;
  /** When the job last changed, by the platform's clock. */
  readonly updatedAt?: Date | undefined;
}

export interface FollowInit<T> extends Work {
  /**
   * Makes one poll in one attempt, of at most `timeLimitMs`: the follower counts failures itself.
   */
  readonly poll: (timeLimitMs: number) => Promise<PlatformReply<T>>;
  readonly view: (job: T) => JobView;
  /** How long to follow, 0 or more. */
  readonly timeoutMs: number;
  /**
   * The job was started a moment ago by this run: there is a wait before the first poll, and for 30
   * s a 404 means that the platform does not know the job yet.
   */
  readonly fresh: boolean;
  /**
   * The time between polls of a job that never shows progress, and before the first poll of a fresh
   * job.
   */
  readonly pollEveryMs?: number | undefined;
  /**
   * `quick`: the job never shows progress and may end within seconds: it is polled often at first.
   */
  readonly pace?: 'quick';
  readonly random?: () => number;
  /** Called after each poll that succeeded, with the observations of all polls so far. */
  readonly onPoll?: (job: T, seen: readonly Observation[]) => void;
}

export type FollowResult<T> =
  | { readonly kind: 'done'; readonly job: T; readonly elapsedMs: number }
  /**
   * Time is up; `job` is what the last answered poll showed. Without one, `error` is why the last
   * poll failed; undefined: the job was not polled.
   */
  | {
      readonly kind: 'timed-out';
      readonly job: T | undefined;
      readonly error: CourierError | undefined;
      readonly elapsedMs: number;
    };

export const MIN_POLL_MS = 1000;
export const MAX_POLL_MS = 15_000;
/**
 * The time between polls of a job without progress. Nothing is known about its end, so the polls
 * are even: a schedule that polls more often at first needs more requests, or notices the end of
 * longer jobs later.
 */
export const EVEN_POLL_MS = 10_000;
// The part of a wait by which `random` makes it longer or shorter.
const JITTER = 0.1;
const MAX_FAILURES_IN_A_ROW = 10;
// How long, and how often, the platform is asked about a new job that it does not know yet.
const NOT_FOUND_TOLERANCE_MS = 30_000;
const NOT_FOUND_WAIT_MS = 2000;
// How long a poll may continue after the time is up: a silent or slow server must not delay the end
// of the run for another minute.
const LAST_POLL_MS = 8000;
const STALLED_MS = 10 * 60_000;
// A poll may fail for these reasons and succeed a moment later, unless a certificate is the reason.
const PASSING: readonly ErrorCode[] = ['network', 'protocol', 'rate-limited'];

/**
 * Polls a remote job until it has ended or time is up. Throws what a poll throws when waiting does
 * not help.
 */
export function follow<T>(init: FollowInit<T>): Promise<FollowResult<T>> {
  return new Follower(init).run();
}

class Follower<T> {
  readonly #init: FollowInit<T>;
  readonly #startMs: number;
  readonly #seen: Observation[] = [];
  readonly #warned = new Set<'status' | 'stalled'>();
  #job: T | undefined;
  #error: CourierError | undefined;
  /** How many polls in a row have failed, without those of a job that is not known yet. */
  #failures = 0;

  constructor(init: FollowInit<T>) {
    this.#init = init;
    this.#startMs = init.clock.monotonicMs();
  }

  /** See `follow`. */
  async run(): Promise<FollowResult<T>> {
    const { clock, signal, fresh, pollEveryMs, pace } = this.#init;
    const random = this.#init.random ?? Math.random;
    // A job that was started a moment ago has hardly ended; any other job may have.
    let waitMs = fresh ? (pollEveryMs ?? MIN_POLL_MS) : 0;
    for (;;) {
      const leftMs = this.#leftMs();
      // With a time limit of 0, a job that this run has started is not polled, and any other job is
      // polled once.
      const hasPolled = this.#seen.length + this.#failures > 0;
      if (leftMs <= 0 && (fresh || hasPolled)) break;
      await clock.sleep(Math.min(waitMs, Math.max(0, leftMs)), signal);
      try {
        const job = await this.#pollOnce();
        if (job !== undefined) return { kind: 'done', job, elapsedMs: this.#elapsedMs() };
        waitMs = pollEveryMs ?? nextPollMs(this.#seen, random, pace);
      } catch (error) {
        waitMs = this.#waitAfter(error);
      }
    }
    const error = this.#job === undefined ? this.#error : undefined;
    return { kind: 'timed-out', job: this.#job, error, elapsedMs: this.#elapsedMs() };
  }

  /** Polls the job, and gives it if it has ended; undefined: it has not ended. */
  async #pollOnce(): Promise<T | undefined> {
    const { value, serverTimeMs } = await this.#init.poll(
      Math.max(0, this.#leftMs()) + LAST_POLL_MS,
    );
    this.#failures = 0;
    this.#job = value;
    const view = this.#init.view(value);
    this.#seen.push({ atMs: this.#elapsedMs(), progress: view.progress });
    this.#init.onPoll?.(value, this.#seen);
    if (view.phase === 'done') return value;
    if (view.phase === 'unknown') {
      const status = plainLine(this.#init.log.redact(view.status), 60);
      this.#warnOnce(
        'status',
        `The job has the status "${status}", which is not documented; polling continues.`,
      );
    }
    if (view.updatedAt !== undefined && serverTimeMs !== undefined) {
      this.#warnOfSilence(view.updatedAt, serverTimeMs);
    }
    return undefined;
  }

  /** Both times are by the platform's clock, since that of this machine may be wrong. */
  #warnOfSilence(changed: Date, nowMs: number): void {
    const silentMs = nowMs - changed.getTime();
    if (silentMs < STALLED_MS) return;
    this.#warnOnce(
      'stalled',
      `The job has not changed for ${formatDuration(silentMs)} (since ${formatInstant(changed)}): it may have stalled. Polling continues; open the job on the platform's dashboard.`,
    );
  }

  /** How long to wait after a poll that failed. Throws its error if another poll would not help. */
  #waitAfter(error: unknown): number {
    if (!(error instanceof CourierError)) throw error;
    this.#error = error;
    const isNewJob = this.#init.fresh && this.#elapsedMs() < NOT_FOUND_TOLERANCE_MS;
    const isNotKnownYet = isNewJob && error.code === 'not-found';
    if (!isNotKnownYet) this.#countFailure(error);
    // A wait that goes beyond the time limit is not begun: no poll would follow it.
    if (error.retryAfterMs !== undefined && error.retryAfterMs > this.#leftMs()) throw error;
    this.#init.log.debug(`A poll of the job failed; failures in a row: ${this.#failures}.`);
    const askedMs = error.retryAfterMs ?? 0;
    // While a job is not known yet, the waits do not grow: it may be known any moment. After other
    // failures, each wait is twice the one before, to spare the server.
    if (isNotKnownYet) return Math.max(NOT_FOUND_WAIT_MS, askedMs);
    const doubledMs = MIN_POLL_MS * 2 ** (this.#failures - 1);
    return Math.max(Math.min(MAX_POLL_MS, doubledMs), askedMs);
  }

  /** Counts a failed poll. Throws its error if another would not help, or too many have failed. */
  #countFailure(error: CourierError): void {
    this.#failures += 1;
    if (!hasCode(error, ...PASSING) || isTlsError(error)) throw error;
    if (this.#failures < MAX_FAILURES_IN_A_ROW) return;
    throw error.with({
      message: `Polling the job failed ${MAX_FAILURES_IN_A_ROW} times in a row. The last time: ${error.message}`,
    });
  }

  #warnOnce(what: 'status' | 'stalled', text: string): void {
    if (!this.#warned.has(what)) this.#init.log.warning(text);
    this.#warned.add(what);
  }

  #elapsedMs(): number {
    return this.#init.clock.monotonicMs() - this.#startMs;
  }

  #leftMs(): number {
    return this.#init.timeoutMs - this.#elapsedMs();
  }
}

/**
 * What one poll of a remote job showed: when (milliseconds since following began), and its raw
 * progress.
 */
export interface Observation {
  readonly atMs: number;
  readonly progress: unknown;
}

/** A number, or a text with one and perhaps `%` after it; undefined: neither. */
function readNumber(raw: unknown): number | undefined {
  if (typeof raw === 'number' && Number.isFinite(raw)) return raw;
  const text = typeof raw === 'string' ? raw.trim().replace(/%$/, '') : '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  return undefined;
}

/**
 * Progress as a fraction from 0 to 1, for each observation. The documentation names neither type
 * nor unit. If no number is above 1 and one is between 0 and 1, all are fractions; otherwise all
 * are percent. undefined: no number, or one out of range.
 */
export function readFractions(seen: readonly Observation[]): (number | undefined)[] {
  const values = seen.map((observation) => readNumber(observation.progress));
  const numbers = values.filter((value) => value !== undefined);
  const hasFraction = numbers.some((value) => value > 0 && value < 1);
  const whole = hasFraction && Math.max(...numbers) <= 1 ? 1 : 100;
  return values.map((value) => {
    if (value === undefined || value < 0 || value > whole) return undefined;
    return value / whole;
  });
}

/** An observation that shows more progress than all before it, or the first progress. */
interface Advance {
  readonly atMs: number;
  readonly fraction: number;
}

/**
 * When the job will be done if progress keeps its rate, in milliseconds since following began;
 * undefined: there is no rate yet.
 */
export function predictEndMs(seen: readonly Observation[]): number | undefined {
  const fractions = readFractions(seen);
  let first: Advance | undefined;
  let last: Advance | undefined;
  // Keeps the first progress and the last advance. A step backward is not an advance.
  for (const [index, observation] of seen.entries()) {
    const fraction = fractions[index];
    if (fraction === undefined) continue;
    if (last !== undefined && fraction <= last.fraction) continue;
    last = { atMs: observation.atMs, fraction };
    first ??= last;
  }
  if (first === undefined || last === undefined || last.atMs <= first.atMs) return undefined;
  const msPerUnit = (last.atMs - first.atMs) / (last.fraction - first.fraction);
  return last.atMs + (1 - last.fraction) * msPerUnit;
}

function clampPoll(ms: number): number {
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, ms));
}

/**
 * Milliseconds until the next poll. If the rate of progress predicts an end that is still to come:
 * half of the time until then. If the predicted end has passed: see `untilNextMs`. If there is no
 * rate yet: a tenth of the time waited so far. These waits are 1 s to 15 s, plus or minus 10 % by
 * `random` (0 to 1), so that many runs do not poll at the same moment. For a job without any
 * progress: exactly 10 s, so that runs stay as far apart as they started, unless the pace is quick.
 */
export function nextPollMs(
  seen: readonly Observation[],
  random: () => number,
  pace?: 'quick',
): number {
  const last = seen.at(-1);
  if (last === undefined) return MIN_POLL_MS;
  const isSilent = readFractions(seen).every((fraction) => fraction === undefined);
  if (isSilent && pace !== 'quick') return EVEN_POLL_MS;
  const endMs = predictEndMs(seen);
  const waitMs = endMs === undefined ? last.atMs / 10 : untilNextMs(last.atMs, endMs);
  // Clamped before the random part is added too: else all long waits would be cut to the same one.
  return clampPoll(clampPoll(waitMs) * (1 + JITTER * (2 * random() - 1)));
}

// Shortly after the predicted end, the real end is probably near, so the wait is short. The longer
// ago it was, the less the prediction counts: up to a tenth of the time waited so far. At least a
// sixtieth of it, since a job that moves in bursts passes many predictions and would be polled
// every second.
function untilNextMs(nowMs: number, endMs: number): number {
  if (endMs > nowMs) return (endMs - nowMs) / 2;
  return Math.max(nowMs / 60, Math.min(nowMs / 10, (nowMs - endMs) / 4));
}
