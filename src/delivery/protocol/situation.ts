import { historyAfter } from '../history.ts';
import type { Announcement, ReadRecord, StateRecord } from '../state.ts';
import { CLAIM_OVER_MS, MAY_ARRIVE_MS } from './limits.ts';

// The rules of "Which export is live". Each decision has an order, a number: the newer decision has
// the higher one. The state, the signed text next to a link, says whose link is there, and which
// order its job has (`jobOrder`).
//
// A run writes in a section, in which no other run writes. Its announcement says what it is about
// to write. If a run ends before the state says what became of that, its announcement is
// unanswered: its link may be in place, or may still arrive. The mark of a link is its digest,
// signed.

/** What a destination shows, before anything is concluded from it. */
export interface Found {
  /**
   * undefined: there is none. Both fields absent: the store shows only that something is there, or
   * nothing.
   */
  readonly link:
    | { readonly mark?: string | undefined; readonly at?: number | undefined }
    | undefined;
  readonly state: ReadRecord['kind'];
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
  /** The order that the live job had when this run began. */
  readonly liveOrder?: number | undefined;
  /** Run and job of this run. */
  readonly run: string;
  /** Another destination of this run names the job: this one is new, or missed it. */
  readonly hasOthers?: boolean;
  /** A person has said that whatever is there may be replaced. */
  readonly takeOver?: boolean;
  /**
   * True if the link that the state does not explain was there when the run began; false if the
   * link was changed during the run.
   */
  readonly knowsChange?: boolean;
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
export function explainsLink(found: Found): boolean {
  const { mark, at } = found.link ?? {};
  if (showsNothing(found)) return true;
  const record = found.record;
  if (record?.jobId === undefined) return false;
  if (mark !== undefined) return record.written?.link === mark;
  // A later date is that of a write that the state does not know. A state without a date explains
  // none.
  const writtenMs = Date.parse(record.written?.at ?? '');
  return at !== undefined && at <= writtenMs;
}

/** True if there is no link, or the store shows nothing of it. */
export function showsNothing({ link }: Found): boolean {
  return link?.mark === undefined && link?.at === undefined;
}

/**
 * What follows from what is there, and from the claims of runs that ended in their section
 * (`ended`, oldest first). This is the only function that says whose link a destination has.
 */
export function situationOf(found: Found, ended: readonly Announcement[]): Situation {
  if (found.state !== 'valid' && found.state !== 'missing')
    return { kind: found.state, record: found.empty };
  const stored = found.record ?? found.empty;
  // The state is ours, and what is in the place of the link is not.
  if (found.foreign !== undefined) return { kind: 'foreign', record: stored };
  const record = withUnanswered(stored, ended);
  // A run wrote its link and ended before the state said so: the announcement says whose it is.
  const announced = announcementInPlace(found, record, ended);
  if (announced !== undefined)
    return { kind: 'known', record: withAnnouncedLink(record, announced, found) };
  if (record.jobId === undefined) return { kind: 'nothing', record };
  return { kind: explainsLink(found) ? 'known' : 'changed', record };
}

/**
 * True if the first decision is newer. Of two with one order, that of the job with the higher id
 * is: every destination agrees on it. A decision without a job or an order counts as the oldest.
 */
export function isNewer(order: number, job = '', otherOrder = 0, otherJob = ''): boolean {
  return order === otherOrder ? job > otherJob : order > otherOrder;
}

/**
 * The announcement whose link is in place, as far as the store shows that. undefined: the link is
 * that of the state, or no announcement explains it. `ended`: the announcements of runs that have
 * ended in their section just now.
 */
function announcementInPlace(
  found: Found,
  record: StateRecord,
  ended: readonly Announcement[],
): Announcement | undefined {
  if (found.link === undefined) return undefined;
  const { mark, at } = found.link;
  if (showsNothing(found)) {
    // The link of the newest announcement counts as in place. If the job of the state is newer,
    // that job counts: the next refresh writes its link again.
    const newest = newestOf(ended);
    if ((newest?.order ?? 0) < (record.jobOrder ?? 0)) return undefined;
    return newest;
  }
  if (explainsLink(found)) return undefined;
  const { unanswered = [] } = record;
  // A mark names the link for certain; a date can fit several announcements.
  if (mark !== undefined) return unanswered.findLast((one) => one.link === mark);
  return newestOf(unanswered.filter((one) => at !== undefined && mayBeWriteOf(one, at, ended)));
}

/** The announcement of a link with the newest decision; those without a job announce no link. */
function newestOf(announcements: readonly Announcement[]): Announcement | undefined {
  let newest: Announcement | undefined;
  for (const one of announcements) {
    if (one.job === undefined) continue;
    if (isNewer(one.order ?? 0, one.job, newest?.order, newest?.job)) newest = one;
  }
  return newest;
}

/**
 * True if a link with this date may have been written in the section of this announcement. If only
 * the state remembers the announcement (it is not in `ended`), another run has passed it meanwhile,
 * and its link could arrive for longer.
 */
function mayBeWriteOf(
  announcement: Announcement,
  linkMs: number,
  ended: readonly Announcement[],
): boolean {
  // Dates of links have whole seconds: one of the same second must not seem to be earlier.
  const sinceMs = linkMs - Math.floor(Date.parse(announcement.at) / 1000) * 1000;
  const hasJustEnded = ended.some((one) => one.token === announcement.token);
  return sinceMs >= 0 && sinceMs <= (hasJustEnded ? CLAIM_OVER_MS : MAY_ARRIVE_MS);
}

/** The state has room for so many: the oldest ones go. */
const MAX_UNANSWERED = 6;

/**
 * The record with the announcements of ended runs among the unanswered ones. Its order becomes as
 * high as theirs, so that the next decision gets a higher one.
 */
function withUnanswered(record: StateRecord, ended: readonly Announcement[]): StateRecord {
  const endedTokens = new Set(ended.map((one) => one.token));
  const others = (record.unanswered ?? []).filter((one) => !endedTokens.has(one.token));
  // Those that announce a link, and those of a start, which a re-run must know of.
  const kept = ended.filter((one) => one.job !== undefined || one.by === 'export');
  const unanswered = [...others, ...kept];
  const order = Math.max(record.order ?? 0, ...ended.map((one) => one.order ?? 0));
  return { ...record, order, unanswered: unanswered.slice(-MAX_UNANSWERED) };
}

/**
 * The record if the announced link is in place. Its expiry is not known, so the next refresh writes
 * a link again. If the job of the record is newer, the record keeps it, and that refresh puts it
 * back; otherwise the announced job becomes its job.
 */
function withAnnouncedLink(
  record: StateRecord,
  announced: Announcement,
  { link }: Found,
): StateRecord {
  const { job, order = 0, by, run, from } = announced;
  // By the clock of the store if it shows a date: that of the run may have been wrong.
  const at = link?.at === undefined ? announced.at : new Date(link.at).toISOString();
  const written = { at, link: link?.mark ?? announced.link };
  const keepingJob = { ...record, written, expiresAt: undefined };
  const { jobId, jobOrder = 0 } = record;
  // Such as a refresh of the live job, or that job named once more, which is a newer decision.
  if (job === jobId) return { ...keepingJob, jobOrder: Math.max(order, jobOrder) };
  // The announcement of a link always has a job: `undefined` is for the types alone.
  if (job === undefined || !isNewer(order, job, jobOrder, jobId)) return keepingJob;
  // `export` also for a rollback: that is entered below, since it is still open.
  const placing = { jobId: job, mode: 'export', details: {}, run } as const;
  const history = historyAfter(record, placing, announced.at);
  const adopted = { ...keepingJob, ...history, jobId: job, jobOrder: order };
  if (by !== 'rollback') return adopted;
  // Open: it may have reached only some of its destinations.
  return { ...adopted, rollback: { at: announced.at, from, run, open: true } };
}

/**
 * Why the wish may not be written over what is there: the table of the page on what is live.
 * undefined: it may.
 */
export function decide(situation: Situation, wish: Wish): StopReason | undefined {
  const why = whyNotApartFromOrder(situation, wish);
  if (why !== undefined) return why;
  if (isDecidedNow(wish) && isOrderTaken(situation.record, wish)) return 'order';
  return undefined;
}

/** Why the wish may not be written, apart from its order; undefined: it may. */
function whyNotApartFromOrder(situation: Situation, wish: Wish): StopReason | undefined {
  // A refresh and a rollback need to know what is live; an export and a person who names a job do
  // not.
  const isPerson = wish.kind === 'named';
  const needsNoState = isPerson || wish.kind === 'export';
  switch (situation.kind) {
    case 'nothing':
      // A new destination beside others: a refresh or rollback gives it their link.
      if (needsNoState || wish.hasOthers) return undefined;
      return 'nothing';
    case 'foreign':
    case 'unreadable':
      if (wish.takeOver) return undefined;
      return situation.kind;
    case 'bad-signature':
      // The admin key was replaced, or the state is forged: nothing in it says what is live.
      if (needsNoState) return undefined;
      return 'rotated';
    case 'changed': {
      // What was changed during the run may be a newer decision of a person, which an export keeps.
      const wasThereBefore = wish.knowsChange !== false;
      if (isPerson || (needsNoState && wasThereBefore)) return undefined;
      return 'changed';
    }
    case 'known':
      return whyNotOverLive(wish, situation.record);
  }
}

/** Why the live job of the record wins over the wish; undefined: the wish is newer. */
function whyNotOverLive(wish: Wish, there: StateRecord): StopReason | undefined {
  const { kind, job, order, from } = wish;
  const { jobId, jobOrder = 0 } = there;
  // A rollback replaces only the job that was live when it began, unless another run has decided for
  // that job since. Its own job is there if an earlier attempt has written it.
  const isNamedSince = jobId === from && jobOrder > (wish.liveOrder ?? jobOrder);
  const isOther = isNamedSince || (jobId !== from && jobId !== job);
  if (kind === 'rollback' && isOther) return 'replaced';
  if (isDecidedNow(wish)) return undefined;
  // Its own job may be live with any order: the link is only renewed.
  return jobId !== job && isNewer(jobOrder, jobId, order, job) ? 'older' : undefined;
}

/**
 * True if the wish is decided in this section: then it is newer than all that is there, and needs a
 * higher order. An export was decided at its start, a refresh decides nothing, and in the further
 * destinations of a run its order is given.
 */
function isDecidedNow({ kind, isFirst }: Wish): boolean {
  return isFirst && (kind === 'rollback' || kind === 'named');
}

/**
 * True if another decision may have the order of the wish, or a higher order that is not in place
 * yet. An announcement of the same run does not count.
 */
function isOrderTaken(there: StateRecord, wish: Wish): boolean {
  const { order } = wish;
  // `jobOrder` is that of the live job, `highest` that of the last decision, which may not be live.
  const { jobOrder = 0, order: highest = 0 } = there;
  // An export has its order from its start on, even if it has not announced its link yet.
  if (there.runs?.some((run) => run.order === order)) return true;
  const isInPlace = there.jobId === wish.job;
  if (!isInPlace && jobOrder >= order) return true;
  // An earlier section of this run has put it in place with this order. If `highest` is higher,
  // that is of later decisions, which are free to replace it.
  if (isInPlace && jobOrder === order) return false;
  if (highest !== order) return highest > order;
  // The last decision has this order: it is that of this run if an earlier section announced it.
  return !there.unanswered?.some((one) => one.run === wish.run && one.order === order);
}
