import { type DeliveredBy, placed } from '../history.ts';
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

/** What is there. */
export type Situation =
  /** No state has ever named a job. */
  | { readonly kind: 'nothing'; readonly record: StateRecord }
  | { readonly kind: 'confirmed'; readonly record: StateRecord }
  /**
   * A run ended between announcement and confirmation: the job of the record is live, or about to
   * be.
   */
  | { readonly kind: 'announced'; readonly record: StateRecord }
  /** Written with another admin key, for another destination, or by someone without a key. */
  | { readonly kind: 'bad-signature'; readonly record: StateRecord }
  /** The link is not one that the state or an announcement knows of. */
  | { readonly kind: 'changed'; readonly record: StateRecord }
  /** A link, a text or a state that is not ours. The record is empty. */
  | { readonly kind: 'foreign'; readonly record: StateRecord }
  | { readonly kind: 'unreadable'; readonly record: StateRecord };

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
 * earlier state was put back during the run.
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
  | 'put-back';

/** True if the state says whose link it is, or there is nothing to explain. */
export function explains({ link, record }: Found): boolean {
  if (link === undefined) return true;
  const { mark, at } = link;
  if (mark === undefined && at === undefined) return true;
  const { written, jobId } = record ?? {};
  if (jobId === undefined) return false;
  if (mark !== undefined) return written?.link === mark;
  return at !== undefined && at <= Date.parse(written?.at ?? '');
}

/**
 * What follows from what is there, and from the claims of runs that ended in their section (`over`,
 * oldest first). This is the only function that says whose link a destination has.
 */
export function resolve(found: Found, over: readonly Announcement[]): Situation {
  switch (found.state) {
    case 'foreign':
    case 'unreadable':
    case 'bad-signature':
      return { kind: found.state, record: found.empty };
    case 'missing':
    case 'valid':
      return resolveOurs(found, over);
  }
}

/**
 * True if the first decision is newer. Of two with one order, that of the job with the higher id
 * is: every destination agrees on it.
 */
export function isNewer(order: number, job = '', than = 0, thanJob = ''): boolean {
  return order === than ? job > thanJob : order > than;
}

function resolveOurs(found: Found, over: readonly Announcement[]): Situation {
  const base = found.record ?? found.empty;
  if (found.foreign !== undefined) return { kind: 'foreign', record: base };
  const record = remember(base, over);
  const announced = announcedIn(found, record, over);
  if (announced !== undefined)
    return { kind: 'announced', record: adopt(record, announced, found) };
  if (record.jobId === undefined) return { kind: 'nothing', record };
  if (!explains(found)) return { kind: 'changed', record };
  return {
    kind: record.expiresAt === undefined && isUnconfirmed(record) ? 'announced' : 'confirmed',
    record,
  };
}

function isUnconfirmed({ rollback }: StateRecord): boolean {
  return rollback?.open === true;
}

/**
 * The announcement whose link is in place, as far as the store shows that; undefined: that of the
 * state is.
 */
function announcedIn(
  { link, record: stored }: Found,
  record: StateRecord,
  over: readonly Announcement[],
) {
  const isSame = explains({ link, record: stored ?? record, state: 'valid', empty: record });
  if (link?.mark !== undefined) {
    return isSame ? undefined : known(record).findLast((one) => one.link === link.mark);
  }
  if (link?.at !== undefined && isSame) return undefined;
  // Only that the link has changed shows, or not even that: the newest one counts, which the next
  // refresh writes again.
  if (link === undefined) return undefined;
  const { at } = link;
  const shown =
    at === undefined ? over : known(record).filter((one) => explainsDate(one, at, over));
  const newest = newestOf(shown);
  const isOlder = (newest?.order ?? 0) < (record.jobOrder ?? 0);
  return at === undefined && isOlder ? undefined : newest;
}

function newestOf(announcements: readonly Announcement[]): Announcement | undefined {
  const all = announcements.filter(({ job }) => job !== undefined);
  const order = (a: Announcement, b: Announcement) =>
    isNewer(b.order ?? 0, b.job, a.order, a.job) ? 1 : -1;
  return [...all].sort(order)[0];
}

/**
 * True if the link was written in the section of this announcement; of one that another run has
 * passed, while it could still arrive.
 */
function explainsDate(
  { token, at }: Announcement,
  linkMs: number,
  over: readonly Announcement[],
): boolean {
  const sinceMs = linkMs - Math.floor(Date.parse(at) / 1000) * 1000;
  const isOwnTime = over.some((one) => one.token === token);
  return sinceMs >= 0 && sinceMs <= (isOwnTime ? CLAIM_OVER_MS : MAY_ARRIVE_MS);
}

function known({ unanswered = [] }: StateRecord): readonly Announcement[] {
  return unanswered.filter(({ job }) => job !== undefined);
}

const MAX_UNANSWERED = 6;

function remember(record: StateRecord, over: readonly Announcement[]): StateRecord {
  const tokens = new Set(over.map(({ token }) => token));
  const former = (record.unanswered ?? []).filter(({ token }) => !tokens.has(token));
  // An announced start of an export has no job yet: a re-run must know of it.
  const kept = over.filter(({ job, by }) => job !== undefined || by === 'export');
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
  const { job, order = 0, by, at, run, from, link: mark } = announced;
  const written = {
    at: link?.at === undefined ? at : new Date(link.at).toISOString(),
    link: link?.mark ?? mark,
  };
  const shown = { ...record, written, expiresAt: undefined };
  const { jobId, jobOrder = 0 } = record;
  if (job === jobId) return { ...shown, jobOrder: Math.max(order, jobOrder) };
  // Two decisions with the same order: the second one has not been confirmed, and gets another
  // order.
  if (job === undefined || !isNewer(order, job, jobOrder, jobId)) return shown;
  const { history, rollback } = placed(record, { jobId: job, by: byOf(by), details: {}, run }, at);
  const back = by === 'rollback' ? { at, from, run, open: true as const } : rollback;
  return { ...shown, jobId: job, jobOrder: order, history, rollback: back };
}

/**
 * Why the wish may not be written over what is there: the table of the page on what is live.
 * undefined: it may.
 */
export function decide(situation: Situation, wish: Wish): StopReason | undefined {
  const why = refusal(situation, wish);
  if (why !== undefined) return why;
  return isNew(wish) && isTaken(situation.record, wish) ? 'order' : undefined;
}

/** Why it may not be written, apart from its order; undefined: it may. */
function refusal({ kind: there, record }: Situation, wish: Wish): StopReason | undefined {
  const isPerson = wish.kind === 'named';
  switch (there) {
    case 'nothing':
      return isPerson || wish.kind === 'export' || wish.hasOthers ? undefined : 'nothing';
    case 'foreign':
    case 'unreadable':
      return wish.takeOver ? undefined : there;
    case 'bad-signature':
      return isPerson || wish.kind === 'export' ? undefined : 'rotated';
    case 'changed':
      if (isPerson) return undefined;
      return wish.kind === 'export' && wish.knowsChange !== false ? undefined : 'changed';
    case 'confirmed':
    case 'announced':
      return newerThan(wish, record);
  }
}

/** Why the wish is not the newest decision; undefined: it is. */
function newerThan(wish: Wish, { jobId, jobOrder = 0 }: StateRecord): StopReason | undefined {
  const { kind, job, order, from } = wish;
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
function isTaken(
  { jobId, jobOrder = 0, order: highest = 0, unanswered = [], runs = [] }: StateRecord,
  wish: Wish,
) {
  const { job, order, run } = wish;
  // An export keeps the order of its start, even if it has not announced its link yet.
  if (runs.some((one) => one.order === order)) return true;
  if (jobId !== job && jobOrder >= order) return true;
  // In place already, from an earlier section of this run: what was decided after it may replace
  // it.
  if (jobId === job && jobOrder === order) return false;
  if (highest > order) return true;
  return highest === order && !unanswered.some((one) => one.run === run && one.order === order);
}

function byOf(by: Announcement['by']): DeliveredBy {
  return by === 'rollback' || by === 'refresh' ? by : 'export';
}
