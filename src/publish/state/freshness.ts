import type { Snapshot, StoreNames } from '../../stores/port.ts';
import type { State } from './state.ts';

/**
 * A valid state may still be an old one that someone put back: who can write it needs no key for that. What the store shows
 * of the link, its date or its digest, is compared with the write that the state knows of.
 */
export type Fit =
  | { readonly kind: 'fits' }
  /** The store shows nothing of the link, or the state is of version 1, which names no write. */
  | { readonly kind: 'unknown' }
  /** The link is newer than the state. `why` is one or two sentences, with both times. */
  | { readonly kind: 'changed'; readonly why: string };

// The dates of a store have whole seconds, and link and state may be dated by two of its machines.
const CLOCK_TOLERANCE_MS = 2000;
// From the announcement to the reply of the last of five attempts, with every wait that a rate limit may ask for.
const LONGEST_WRITE_MS = 15 * 60_000;

interface Judged {
  readonly state: State;
  readonly version: 1 | 2;
  readonly snapshot: Snapshot;
  readonly names: StoreNames;
  /** The signed digest of the link in the store, where it can be read. */
  readonly mark: string | undefined;
}

export function judgeFit(judged: Judged): Fit {
  const { state, snapshot, mark, version } = judged;
  const { written, pending } = state;
  if (snapshot.link === undefined) return { kind: 'unknown' };
  if (mark !== undefined && (written?.link ?? pending?.link) !== undefined) {
    return mark === written?.link || mark === pending?.link ? { kind: 'fits' } : changed(judged);
  }
  const { writtenAtMs } = snapshot.link;
  if (writtenAtMs === undefined) return { kind: 'unknown' };
  const confirmedMs = timeOf(written?.at);
  const announcedMs = timeOf(pending?.at);
  if (confirmedMs === undefined && announcedMs === undefined) {
    // Version 1: the link was written before it expired. Whatever was written after that was another link.
    const lastMs = version === 1 ? timeOf(state.expiresAt) : undefined;
    return lastMs !== undefined && writtenAtMs > lastMs ? changed(judged) : { kind: 'unknown' };
  }
  if (confirmedMs !== undefined && writtenAtMs <= confirmedMs) return { kind: 'fits' };
  return announcedMs !== undefined && isAnnounced(writtenAtMs, announcedMs, snapshot)
    ? { kind: 'fits' }
    : changed(judged);
}

/**
 * A run that ended between the announcement and its confirmation is the normal case here. The announcement is then older than
 * the link; one that is younger was put back: whoever writes such a state later records the link's date with it (`settled`).
 */
function isAnnounced(writtenAtMs: number, announcedMs: number, { stateWrittenAtMs }: Snapshot): boolean {
  const isOlder = stateWrittenAtMs === undefined || stateWrittenAtMs <= writtenAtMs + CLOCK_TOLERANCE_MS;
  return isOlder && writtenAtMs <= announcedMs + LONGEST_WRITE_MS;
}

/** The state as it may be written anew: an announced write that shows in the store is recorded. */
export function settled(state: State, fit: Fit, { link }: Snapshot): State {
  const { writtenAtMs } = link ?? {};
  if (state.pending === undefined || fit.kind !== 'fits' || writtenAtMs === undefined) return state;
  if (writtenAtMs <= (timeOf(state.written?.at) ?? 0)) return state;
  return { ...state, written: { ...state.written, at: new Date(writtenAtMs).toISOString() } };
}

/** A state whose link may have been replaced by another one, of which the store shows the date. */
export function unconfirmedState(state: State, { link }: Snapshot, at: string): State {
  const { writtenAtMs } = link ?? {};
  const written = writtenAtMs === undefined ? state.written : { at: new Date(writtenAtMs).toISOString() };
  return { ...state, expiresAt: undefined, written, pending: { ...state.pending, at } };
}

export function sameLink(a: Snapshot, b: Snapshot): boolean {
  return a.link?.writtenAtMs === b.link?.writtenAtMs && a.link?.digest === b.link?.digest;
}

function timeOf(instant: string | undefined): number | undefined {
  const ms = Date.parse(instant ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

function changed({ state, snapshot, names }: Judged): Fit {
  const { writtenAtMs } = snapshot.link ?? {};
  const { stateWrittenAtMs } = snapshot;
  const { written, pending, expiresAt } = state;
  const knownAt = timeOf(written?.at) ?? timeOf(pending?.at);
  const actual = writtenAtMs === undefined ? 'was changed' : `was last written at ${timeText(writtenAtMs)}`;
  const known =
    knownAt === undefined
      ? `the link that the stored state describes expired at ${timeText(timeOf(expiresAt))}`
      : `the last write that the stored state knows of was at ${timeText(knownAt)}`;
  return {
    kind: 'changed',
    why: `The ${names.link} ${actual}, but ${known}. ${cause(writtenAtMs, stateWrittenAtMs, names)}`,
  };
}

function cause(writtenAtMs: number | undefined, stateWrittenAtMs: number | undefined, names: StoreNames): string {
  if (writtenAtMs === undefined || stateWrittenAtMs === undefined) {
    return 'Either an earlier state was put back, or the link was edited manually or written by a run that may not write the state.';
  }
  if (stateWrittenAtMs > writtenAtMs) {
    return `The ${names.state} was written after that, at ${timeText(stateWrittenAtMs)}, and does not know of it: an earlier state was put back.`;
  }
  return `The ${names.state} was not written since ${timeText(stateWrittenAtMs)}: the link was edited manually, or written by a run that may not write the state.`;
}

function timeText(ms: number | undefined): string {
  return ms === undefined ? 'an unknown time' : new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
