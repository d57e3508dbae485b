/** When a failed call may be made again: numbers and pure functions, shared by all callers of HTTP services. */

export const MAX_ATTEMPTS = 5;
export const MAX_RETRIES_PER_RUN = 20;
/** The longest wait that a server may ask for; beyond it the call fails and says when to come back. */
export const LONGEST_WAIT_MS = 120_000;
/** How long one call waits in all because it was asked to. Such waits are no failures, so that nothing else bounds them. */
export const LONGEST_THROTTLED_MS = 300_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_LONGEST_MS = 20_000;
const THROTTLE_FIRST_MS = 10_000;
const RETRY_AFTER_JITTER = 0.1;

// RFC 9110, section 5.6.7: the one date form that senders must use.
const IMF_FIXDATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * A `Retry-After` header (RFC 9110, section 10.2.3) in milliseconds from now: whole seconds or an IMF-fixdate, nothing else.
 * A date in the past is 0. Anything unreadable is undefined, and the caller's own backoff applies.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1000;
  if (!IMF_FIXDATE.test(header)) return undefined;
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs);
}

/** Full jitter: anything from 0 to a ceiling that doubles with each attempt, 500 ms to 20 s. `attempt` counts from 1. */
export function backoffMs({ attempt, random }: { attempt: number; random: () => number }): number {
  return Math.floor(random() * Math.min(BACKOFF_LONGEST_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1)));
}

/**
 * The wait after a rate limit that does not say for how long: half of it is fixed, since such limits are counted by the minute or
 * the hour, and coming back at once makes them longer. 5 s to 10 s at first, then twice as long each time.
 */
export function throttleMs({ attempt, random }: { attempt: number; random: () => number }): number {
  return Math.floor((0.5 + random() / 2) * THROTTLE_FIRST_MS * 2 ** (attempt - 1));
}

/** Never earlier than asked for, up to a tenth later, so that those who were sent away together do not come back together. */
export function afterRetryAfterMs(retryAfterMs: number, random: () => number): number {
  return Math.ceil(retryAfterMs * (1 + RETRY_AFTER_JITTER * random()));
}
