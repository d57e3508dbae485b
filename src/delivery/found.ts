import { readTime } from '../ground/text/instants.ts';
import { type Snapshot, type StoreAbilities, type StoreNames, UNSEEN } from '../stores/port.ts';
import type { Found } from './protocol/situation.ts';
import {
  linkMark,
  type ReadRecord,
  readState,
  type StateBinding,
  type StateRecord,
} from './state.ts';

// The state is the signed text next to a link, which says which export the link is of. The mark of
// a link is its digest, signed, which may be stored where anyone can read it.

/**
 * What a destination shows, with the signature of its state checked. Concludes nothing:
 * `situationOf` does.
 */
export function foundIn(
  binding: StateBinding,
  snapshot: Snapshot,
  shows: StoreAbilities['shows'],
): Found {
  const { baseUrl, domain, projectId } = binding;
  const read = readState(binding, snapshot.state);
  const { kind, record, why, job } = read;
  const found = {
    state: kind,
    record,
    link: linkIn(binding, snapshot, shows),
    empty: { version: 2, domain, projectId, baseUrl },
  } as const;
  const { foreignContent } = snapshot;
  // `UNSEEN` counts as a link: such a store never shows that it is one.
  if (foreignContent === undefined || foreignContent === UNSEEN)
    return { ...found, why, named: job, foreign: foreignIn(read) };
  const foreign = { place: 'link', what: foreignContent } as const;
  // A valid state still counts: its history stays if a person takes the destination over.
  return { ...found, state: record === undefined ? 'foreign' : kind, foreign };
}

/** What a text that is not a state of this destination says of the place that it is in. */
function foreignIn({ what, isLink }: ReadRecord): Found['foreign'] {
  if (what === undefined) return undefined;
  // The state of another site shows that the link is that of the other site, too.
  return { place: isLink ? 'link' : 'state', what };
}

/** The link, as far as the store shows it: an empty object says only that there is one. */
function linkIn(
  binding: StateBinding,
  { link }: Snapshot,
  shows: StoreAbilities['shows'],
): Found['link'] {
  if (link === undefined) return undefined;
  if (shows === 'nothing') return {};
  // Without a digest, the date is all that was read.
  if (shows === 'date' || link.digest === undefined) return { at: link.writtenAtMs };
  return { mark: linkMark(binding, link.digest), at: link.writtenAtMs };
}

/** Sentences that say how the link differs from the one in the state, and what may be the cause. */
export function describeChange(
  state: StateRecord,
  { link, stateWrittenAtMs }: Snapshot,
  names: StoreNames,
): string {
  const atMs = link?.writtenAtMs;
  // A store that shows the content of the link may show no date.
  const actual = atMs === undefined ? 'was changed' : `was last written at ${timeText(atMs)}`;
  const known = `the last write that the stored state knows of was at ${timeText(readTime(state.written?.at))}`;
  return `The ${names.link} ${actual}, but ${known}. ${cause(atMs, stateWrittenAtMs, names)}`;
}

/** What may have changed the link, by which of link and state was written later. */
function cause(linkMs: number | undefined, stateMs: number | undefined, names: StoreNames): string {
  if (linkMs === undefined || stateMs === undefined) {
    return 'Either an earlier state was put back, or the link was edited manually or written by a run that may not write the state.';
  }
  if (stateMs > linkMs) {
    return `The ${names.state} was written after that, at ${timeText(stateMs)}, and does not know of it: an earlier state was put back.`;
  }
  return `The ${names.state} was not written since ${timeText(stateMs)}: the link was edited manually, or written by a run that may not write the state.`;
}

function timeText(ms: number | undefined): string {
  if (ms === undefined) return 'an unknown time';
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
