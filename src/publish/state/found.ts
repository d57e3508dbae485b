import { type Snapshot, type StoreNames, UNSEEN } from '../../stores/port.ts';
import type { Found } from './protocol/situation.ts';
import {
  linkMark,
  type ReadRecord,
  readState,
  type StateBinding,
  type StateRecord,
  timeOf,
} from './state.ts';

interface Looked {
  readonly binding: StateBinding;
  readonly snapshot: Snapshot;
  /** What the store shows of the link. */
  readonly shows: 'value' | 'date' | 'nothing';
}

/**
 * What a destination shows, with the signature of its state checked. Concludes nothing: `resolve`
 * does.
 */
export function foundIn({ binding, snapshot, shows }: Looked): Found {
  const read = readState(binding, snapshot.state);
  const empty = emptyState(binding);
  const link = linkIn({ binding, snapshot, shows });
  const { content } = snapshot;
  if (content !== undefined && content !== UNSEEN) {
    const foreign = { place: 'link', what: content } as const;
    return read.kind === 'valid'
      ? { link, state: 'valid', record: read.record, foreign, empty }
      : { link, state: 'foreign', record: undefined, foreign, empty };
  }
  return { link, empty, ...stateIn(read) };
}

/** What the first state of a destination begins with. */
function emptyState({ baseUrl, domain, projectId }: StateBinding): StateRecord {
  return { version: 2, domain, projectId, baseUrl };
}

function stateIn(read: ReadRecord): Omit<Found, 'link' | 'empty'> {
  switch (read.kind) {
    case 'missing':
      return { state: 'missing', record: undefined };
    case 'valid':
      return { state: 'valid', record: read.record };
    case 'bad-signature':
      return { state: 'bad-signature', record: undefined, why: read.why, named: read.job };
    case 'unreadable':
      return { state: 'unreadable', record: undefined, why: read.why };
    case 'foreign': {
      const foreign = { place: read.isLink ? 'link' : 'state', what: read.what } as const;
      return { state: 'foreign', record: undefined, why: read.why, foreign };
    }
  }
}

function linkIn({ binding, snapshot: { link }, shows }: Looked): Found['link'] {
  if (link === undefined) return undefined;
  if (shows === 'nothing') return {};
  const mark =
    shows === 'value' && link.digest !== undefined ? linkMark(binding, link.digest) : undefined;
  return { mark, at: link.writtenAtMs };
}

/** One or two sentences: the link is not the one that the state knows of. */
export function whyChanged(
  { written }: StateRecord,
  snapshot: Snapshot,
  names: StoreNames,
): string {
  const { writtenAtMs } = snapshot.link ?? {};
  const actual =
    writtenAtMs === undefined ? 'was changed' : `was last written at ${timeText(writtenAtMs)}`;
  const known = `the last write that the stored state knows of was at ${timeText(timeOf(written?.at))}`;
  return `The ${names.link} ${actual}, but ${known}. ${cause(writtenAtMs, snapshot.stateWrittenAtMs, names)}`;
}

function cause(
  writtenAtMs: number | undefined,
  stateWrittenAtMs: number | undefined,
  names: StoreNames,
): string {
  if (writtenAtMs === undefined || stateWrittenAtMs === undefined) {
    return 'Either an earlier state was put back, or the link was edited manually or written by a run that may not write the state.';
  }
  if (stateWrittenAtMs > writtenAtMs) {
    return `The ${names.state} was written after that, at ${timeText(stateWrittenAtMs)}, and does not know of it: an earlier state was put back.`;
  }
  return `The ${names.state} was not written since ${timeText(stateWrittenAtMs)}: the link was edited manually, or written by a run that may not write the state.`;
}

function timeText(ms: number | undefined): string {
  return ms === undefined
    ? 'an unknown time'
    : new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
