/** Nothing is written over a reading, or under a claim, that is older than this. */
export const FRESH_MS = 20_000;
/**
 * If a claim has not changed for this long, its run writes no more: it sent its last write within
 * `FRESH_MS`.
 */
export const CLAIM_OVER_MS = 45_000;
/** A write whose reply was lost may still arrive for this long. */
export const MAY_ARRIVE_MS = 5 * 60_000;
/** What was just written shows after this many pauses at the latest. */
export const MAX_PAUSES = 3;
