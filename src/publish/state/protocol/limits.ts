/** A decision is taken on a reading that is no older, and a claim is good for no longer. */
export const FRESH_MS = 20_000;
/**
 * A claim that has not changed for so long belongs to a run that writes no more: its last write was
 * sent within `FRESH_MS`.
 */
export const CLAIM_OVER_MS = 45_000;
/** A write that was given up may still arrive for this long. */
export const MAY_ARRIVE_MS = 5 * 60_000;
/** What was just written shows after so many pauses at the latest. */
export const MAX_PAUSES = 3;
