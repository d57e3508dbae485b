import type { IncomingHttpHeaders } from 'node:http';
import { type CourierError, type ErrorCode, hasCode } from '../ground/errors.ts';
import { readHttpDate } from '../ground/text/instants.ts';
import { isTlsError } from './codes.ts';

export const MAX_ATTEMPTS = 5;
export const MAX_RETRIES_PER_RUN = 20;
/**
 * The longest wait that a server may ask for. If it asks for more, the call fails, and its message
 * says when to call again.
 */
export const LONGEST_WAIT_MS = 120_000;
/**
 * How long one call waits in all because the server asks it to. Such waits use up no attempts, so
 * that only this limits them.
 */
export const LONGEST_THROTTLED_MS = 300_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_LONGEST_MS = 20_000;
const THROTTLE_FIRST_MS = 10_000;
const RETRY_AFTER_JITTER = 0.1;

/**
 * What the clock of the server shows, by which it says when to come back; `ownMs`, the clock of
 * this machine, if the reply has no date. A reply from a cache is older than its date (RFC 9111,
 * section 5.1). Epoch milliseconds.
 */
export function serverTimeMs(headers: IncomingHttpHeaders, ownMs: number): number {
  const dateMs = readHttpDate(headers.date ?? '');
  if (dateMs === undefined) return ownMs;
  const age = /^\d{1,8}$/.test(headers.age ?? '') ? Number(headers.age) : 0;
  return dateMs + age * 1000;
}

/**
 * A `Retry-After` header (RFC 9110, section 10.2.3) in milliseconds from now: whole seconds or a
 * date of HTTP, nothing else. `nowMs`: by the clock of the server. A date in the past is 0. undefined: there is no header, or it cannot
 * be read; then the caller's own backoff applies.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1000;
  const timeMs = readHttpDate(header);
  return timeMs === undefined ? undefined : Math.max(0, timeMs - nowMs);
}

/**
 * A random wait from 0 to a ceiling (full jitter). The ceiling doubles with each attempt, from 500
 * ms to 20 s. `attempt` counts from 1.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const ceilingMs = Math.min(BACKOFF_LONGEST_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1));
  return Math.floor(random() * ceilingMs);
}

/**
 * A wait that is never shorter than the server asked for, and up to a tenth longer: clients that
 * were throttled together do not come back together.
 */
export function afterRetryAfterMs(retryAfterMs: number, random: () => number): number {
  return Math.ceil(retryAfterMs * (1 + RETRY_AFTER_JITTER * random()));
}

/**
 * How long to wait before another try, in ms, after a failure with this error. For callers that
 * decide again before each try, so that the transport does not repeat their calls. undefined:
 * another try does not help, or there were enough. `attempt` counts from 1.
 */
export function retryWaitMs(
  error: CourierError,
  attempt: number,
  random: () => number,
): number | undefined {
  if (attempt >= MAX_ATTEMPTS || isTlsError(error)) return undefined;
  if (!hasCode(error, 'network', 'rate-limited')) return undefined;
  const retryAfterMs = error.retryAfterMs;
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS) return undefined;
  return pauseMs(error.code, retryAfterMs, attempt, random);
}

/** The wait after a failure: what the server asks for, else longer with each attempt. */
export function pauseMs(
  code: ErrorCode,
  retryAfterMs: number | undefined,
  attempt: number,
  random: () => number,
): number {
  if (retryAfterMs !== undefined) return afterRetryAfterMs(retryAfterMs, random);
  if (code !== 'rate-limited') return backoffMs(attempt, random);
  // 5 s to 10 s at first, then twice as long each time. Never near 0: rate limits are counted by
  // the minute or the hour, and calling again at once makes some of them longer.
  return Math.floor((0.5 + random() / 2) * THROTTLE_FIRST_MS * 2 ** (attempt - 1));
}
