import { placed } from '../history.ts';
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
  /** Of a rollback: the job that it replaces. */
  readonly from?: string | undefined;
  /** Run and job of this run. */
  readonly run?: string | undefined;
  /** Another destination of this run names the job: this one is new, or missed it. */
  readonly hasOthers?: boolean | undefined;
  /** A person has said that whatever is there may be replaced. */
  readonly takeOver?: boolean | undefined;
  /**
   * The link was there, and was not explained by the state, when the run began: a new change is
   * another one.
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

/** True if the state says whose link it is, or there is nothing to explain. */
export function explains(found: Found): boolean {
  const { mark, at } = found.link ?? {};
  if (mark === undefined && at === undefined) return true;
  const record = found.record;
  if (record?.jobId === undefined) return false;
  if (mark !== undefined) return record.written?.link === mark;
  return at !== undefined && at <= Date.parse(record.written?.at ?? '');
}

/**
 * What follows from what is there, and from the claims of runs that ended in their section (`over`,
 * oldest first). This is the only function that says whose link a destination has.
 */
export function resolve(found: Found, over: readonly Announcement[]): Situation {
  if (found.state !== 'valid' && found.state !== 'missing')
    return { kind: found.state, record: found.empty };
  const stored = found.record ?? found.empty;
  if (found.foreign !== undefined) return { kind: 'foreign', record: stored };
  const record = remember(stored, over);
  const announced = announcedIn(found, record, over);
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
 * The announcement whose link is in place, as far as the store shows that; undefined: that of the
 * state is.
 */
function announcedIn(
  found: Found,
  record: StateRecord,
  over: readonly Announcement[],
): Announcement | undefined {
  if (found.link === undefined) return undefined;
  const { mark, at } = found.link;
  if (mark === undefined && at === undefined) {
    // The newest one counts: the next refresh writes its link again.
    const newest = newestOf(over);
    if ((newest?.order ?? 0) < (record.jobOrder ?? 0)) return undefined;
    return newest;
  }
  if (explains(found)) return undefined;
  const links = (record.unanswered ?? []).filter((one) => one.job !== undefined);
  if (mark !== undefined) return links.findLast((one) => one.link === mark);
  return newestOf(links.filter((one) => at !== undefined && explainsDate(one, at, over)));
}

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
 * True if the link was written in the section of this announcement; of one that another run has
 * passed, while it could still arrive.
 */
function explainsDate(
  announcement: Announcement,
  linkMs: number,
  over: readonly Announcement[],
): boolean {
  const sinceMs = linkMs - Math.floor(Date.parse(announcement.at) / 1000) * 1000;
  const isOwnTime = over.some((one) => one.token === announcement.token);
  return sinceMs >= 0 && sinceMs <= (isOwnTime ? CLAIM_OVER_MS : MAY_ARRIVE_MS);
}

const MAX_UNANSWERED = 6;

function remember(record: StateRecord, over: readonly Announcement[]): StateRecord {
  const tokens = new Set(over.map((one) => one.token));
  const former = (record.unanswered ?? []).filter((one) => !tokens.has(one.token));
  // An announced start of an export has no job yet: a re-run must know of it.
  const kept = over.filter((one) => one.job !== undefined || one.by === 'export');
  const unanswered = [...former, ...kept];
  const order = Math.max(record.order ?? 0, ...over.map((one) => one.order ?? 0));
  return { ...record, order, unanswered: unanswered.slice(-MAX_UNANSWERED) };
}

/**
 * The record that says that the announced link may be in place: nothing says until when it works,
 * so a refresh writes it again. An announced job that is older than that of the record is never
 * taken over: then the refresh puts that of the record back.
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
  const history = placed(record, placing, announced.at);
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
  if (isNew(wish) && isTaken(situation.record, wish)) return 'order';
  return undefined;
}

/** Why it may not be written, apart from its order; undefined: it may. */
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

/** Why the wish is not the newest decision; undefined: it is. */
function newerThan(wish: Wish, there: StateRecord): StopReason | undefined {
  const { kind, job, order, from } = wish;
  const { jobId, jobOrder = 0 } = there;
  if (kind === 'rollback' && jobId !== from && jobId !== job) return 'replaced';
  if (isNew(wish)) return undefined;
  return jobId !== job && isNewer(jobOrder, jobId, order, job) ? 'older' : undefined;
}

/**
 * It is decided in this section: then it is newer than all that is there, and gets a higher order.
 */
function isNew({ kind, isFirst }: Wish): boolean {
  return isFirst && (kind === 'rollback' || kind === 'named');
}

/**
 * True if another decision may have this order, or a higher one that is not in place yet: an
 * announcement of the same run does not count.
 */
function isTaken(there: StateRecord, wish: Wish): boolean {
  const { order } = wish;
  const { jobOrder = 0, order: highest = 0 } = there;
  // An export keeps the order of its start, even if it has not announced its link yet.
  if (there.runs?.some((one) => one.order === order)) return true;
  const isInPlace = there.jobId === wish.job;
  if (!isInPlace && jobOrder >= order) return true;
  // From an earlier section of this run: what was decided after it may replace it.
  if (isInPlace && jobOrder === order) return false;
  if (highest !== order) return highest > order;
  return !there.unanswered?.some((one) => one.run === wish.run && one.order === order);
}
