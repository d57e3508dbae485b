import { historyAfter } from '../history.ts';
import type { Announcement, StateRecord } from '../state.ts';
import { CLAIM_OVER_MS, MAY_ARRIVE_MS } from './limits.ts';

/** What a destination shows, before anything is concluded from it. */
export interface Found {
  /**
   * undefined: there is none. Both fields absent: the store shows only that something is there, or
   * nothing.
   */
  readonly link:
    | { readonly mark?: string | undefined; readonly at?: number | undefined }
    | undefined;
  readonly state: 'missing' | 'valid' | 'bad-signature' | 'unreadable' | 'foreign';
  /** The state, if it is valid. */
  readonly record: StateRecord | undefined;
  /**
   * What is there and is neither a link nor a state of ours: where, and its kind, or whose it is.
   */
  readonly foreign?: { readonly place: 'link' | 'state'; readonly what: string } | undefined;
  /** Why the state is not used; completes "it is ignored because …". */
  readonly why?: string | undefined;
  /** The job that a state with an invalid signature names: it cannot be verified. */
  readonly named?: string | undefined;
  /** What the first state of this destination begins with. */
  readonly empty: StateRecord;
}

/**
 * What is there. `nothing`: no state has ever named a job. `known`: the job of the record is live,
 * or about to be, if a run ended between its announcement and the state. `changed`: the link is not
 * one that the state or an announcement knows of. `bad-signature`: written with another admin key,
 * for another destination, or by someone without a key. `foreign`: a link, a text or a state that
 * is not ours.
 */
export interface Situation {
  readonly kind: 'nothing' | 'known' | 'changed' | Exclude<Found['state'], 'missing' | 'valid'>;
  /** Empty if the state is not used. */
  readonly record: StateRecord;
}

/** What a run wants to put in place. */
export interface Wish {
  readonly kind: 'export' | 'refresh' | 'rollback' | 'named';
  readonly job: string;
  readonly order: number;
  /**
   * No destination of this run has this order yet: it must be higher than all that the state knows.
   */
  readonly isFirst: boolean;
  /** The job that a rollback replaces. */
  readonly from?: string | undefined;
  /** Run and job of this run. */
  readonly run?: string | undefined;
  /** Another destination of this run names the job: this one is new, or missed it. */
  readonly hasOthers?: boolean | undefined;
  /** A person has said that whatever is there may be replaced. */
  readonly takeOver?: boolean | undefined;
  /**
   * True if the link that the state does not explain was there when the run began; false if the
   * link was changed during the run.
   */
  readonly knowsChange?: boolean | undefined;
}

/**
 * Why a run stops. `nothing`: no job is known. `older`: the destination has a newer job.
 * `replaced`: another job than the one to be rolled back is live. `changed`: the link is not ours
 * any more. `rotated`: the signature fails. `order`: the wish needs a higher order. `put-back`: an
 * earlier state was put back during the run. `busy`: other runs were faster, several times.
 */
export type StopReason =
  | 'nothing'
  | 'older'
  | 'replaced'
  | 'changed'
  | 'rotated'
  | 'foreign'
  | 'unreadable'
  | 'order'
  | 'put-back'
  | 'busy';

/**
 * True if the state says whose link is there, or if there is no link to explain, or the store shows
 * nothing of it.
 */
export function explains(found: Found): boolean {
  const { mark, at } = found.link ?? {};
  if (mark === undefined && at === undefined) return true;
  const record = found.record;
  if (record?.jobId === undefined) return false;
  if (mark !== undefined) return record.written?.link === mark;
  return at !== undefined && at <= Date.parse(record.written?.at ?? '');
}

/**
 * What follows from what is there, and from the claims of runs that ended in their section
 * (`ended`, oldest first). This is the only function that says whose link a destination has.
 */
export function resolve(found: Found, ended: readonly Announcement[]): Situation {
  if (found.state !== 'valid' && found.state !== 'missing')
    return { kind: found.state, record: found.empty };
  const stored = found.record ?? found.empty;
  if (found.foreign !== undefined) return { kind: 'foreign', record: stored };
  const record = remember(stored, ended);
  const announced = announcedIn(found, record, ended);
  if (announced !== undefined) return { kind: 'known', record: adopt(record, announced, found) };
  if (record.jobId === undefined) return { kind: 'nothing', record };
  return { kind: explains(found) ? 'known' : 'changed', record };
}

/**
 * True if the first decision is newer. Of two with one order, that of the job with the higher id
 * is: every destination agrees on it.
 */
export function isNewer(order: number, job = '', than = 0, thanJob = ''): boolean {
  return order === than ? job > thanJob : order > than;
}

/**
 * The announcement whose link is in place, as far as the store shows that. undefined: the link is
 * that of the state, or no announcement explains it.
 */
function announcedIn(
  found: Found,
  record: StateRecord,
  ended: readonly Announcement[],
): Announcement | undefined {
  if (found.link === undefined) return undefined;
  const { mark, at } = found.link;
  if (mark === undefined && at === undefined) {
    // The store shows nothing of the link: the newest announcement counts, and the next refresh
    // writes its link again.
    const newest = newestOf(ended);
    if ((newest?.order ?? 0) < (record.jobOrder ?? 0)) return undefined;
    return newest;
  }
  if (explains(found)) return undefined;
  const links = (record.unanswered ?? []).filter((one) => one.job !== undefined);
  if (mark !== undefined) return links.findLast((one) => one.link === mark);
  return newestOf(links.filter((one) => at !== undefined && explainsDate(one, at, ended)));
}

/** The announcement of a link with the newest decision. */
function newestOf(announcements: readonly Announcement[]): Announcement | undefined {
  let newest: Announcement | undefined;
  for (const one of announcements) {
    if (one.job === undefined) continue;
    if (newest === undefined || isNewer(one.order ?? 0, one.job, newest.order, newest.job))
      newest = one;
  }
  return newest;
}

/**
 * True if the link was written in the section of this announcement. If the state remembers the
 * announcement from an earlier section (it is not in `ended`): as long as its link could still
 * arrive.
 */
function explainsDate(
  announcement: Announcement,
  linkMs: number,
  ended: readonly Announcement[],
): boolean {
  const sinceMs = linkMs - Math.floor(Date.parse(announcement.at) / 1000) * 1000;
  const hasJustEnded = ended.some((one) => one.token === announcement.token);
  return sinceMs >= 0 && sinceMs <= (hasJustEnded ? CLAIM_OVER_MS : MAY_ARRIVE_MS);
}

const MAX_UNANSWERED = 6;

/** The record with the announcements of ended runs among the unanswered ones. */
function remember(record: StateRecord, ended: readonly Announcement[]): StateRecord {
  const tokens = new Set(ended.map((one) => one.token));
  const former = (record.unanswered ?? []).filter((one) => !tokens.has(one.token));
  // An announced start of an export has no job yet: a re-run must know of it.
  const kept = ended.filter((one) => one.job !== undefined || one.by === 'export');
  const unanswered = [...former, ...kept];
  const order = Math.max(record.order ?? 0, ...ended.map((one) => one.order ?? 0));
  return { ...record, order, unanswered: unanswered.slice(-MAX_UNANSWERED) };
}

/**
 * The record if the announced link may be in place: its expiry is not known, so a refresh writes
 * the link again. A record keeps its job if the announced job is older: then the refresh puts the
 * job of the record back.
 */
function adopt(record: StateRecord, announced: Announcement, { link }: Found): StateRecord {
  const { job, order = 0, by, run, from } = announced;
  const at = link?.at === undefined ? announced.at : new Date(link.at).toISOString();
  const written = { at, link: link?.mark ?? announced.link };
  const shown = { ...record, written, expiresAt: undefined };
  const { jobId, jobOrder = 0 } = record;
  if (job === jobId) return { ...shown, jobOrder: Math.max(order, jobOrder) };
  // Two decisions with the same order: the second one has not been confirmed, and gets another
  // order.
  if (job === undefined || !isNewer(order, job, jobOrder, jobId)) return shown;
  const placing = { jobId: job, by: 'export', details: {}, run } as const;
  const history = historyAfter(record, placing, announced.at);
  const adopted = { ...shown, ...history, jobId: job, jobOrder: order };
  if (by !== 'rollback') return adopted;
  return { ...adopted, rollback: { at: announced.at, from, run, open: true } };
}

/**
 * Why the wish may not be written over what is there: the table of the page on what is live.
 * undefined: it may.
 */
export function decide(situation: Situation, wish: Wish): StopReason | undefined {
  const why = refusal(situation, wish);
  if (why !== undefined) return why;
  if (isDecidedNow(wish) && isTaken(situation.record, wish)) return 'order';
  return undefined;
}

/** Why the wish may not be written, apart from its order; undefined: it may. */
function refusal(situation: Situation, wish: Wish): StopReason | undefined {
  const isPerson = wish.kind === 'named';
  const isDecision = isPerson || wish.kind === 'export';
  switch (situation.kind) {
    case 'nothing':
      if (isDecision || wish.hasOthers) return undefined;
      return 'nothing';
    case 'foreign':
    case 'unreadable':
      if (wish.takeOver) return undefined;
      return situation.kind;
    case 'bad-signature':
      if (isDecision) return undefined;
      return 'rotated';
    case 'changed':
      if (isPerson || (isDecision && wish.knowsChange !== false)) return undefined;
      return 'changed';
    case 'known':
      return newerThan(wish, situation.record);
  }
}

/** Why what is there wins over the wish; undefined: the wish is the newest decision. */
function newerThan(wish: Wish, there: StateRecord): StopReason | undefined {
  const { kind, job, order, from } = wish;
  const { jobId, jobOrder = 0 } = there;
  if (kind === 'rollback' && jobId !== from && jobId !== job) return 'replaced';
  if (isDecidedNow(wish)) return undefined;
  return jobId !== job && isNewer(jobOrder, jobId, order, job) ? 'older' : undefined;
}

/**
 * True if the wish is decided in this section: then it is newer than all that is there, and needs a
 * higher order.
 */
function isDecidedNow({ kind, isFirst }: Wish): boolean {
  return isFirst && (kind === 'rollback' || kind === 'named');
}

/**
 * True if another decision may have the order of the wish, or a higher order that is not in place
 * yet. An announcement of the same run does not count.
 */
function isTaken(there: StateRecord, wish: Wish): boolean {
  const { order } = wish;
  const { jobOrder = 0, order: highest = 0 } = there;
  // An export keeps the order of its start, even if it has not announced its link yet.
  if (there.runs?.some((one) => one.order === order)) return true;
  const isInPlace = there.jobId === wish.job;
  if (!isInPlace && jobOrder >= order) return true;
  // An earlier section of this run has put it in place: later decisions may replace it.
  if (isInPlace && jobOrder === order) return false;
  if (highest !== order) return highest > order;
  return !there.unanswered?.some((one) => one.run === wish.run && one.order === order);
}
