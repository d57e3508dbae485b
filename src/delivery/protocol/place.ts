import { type DeliveredBy, type ExportDetails, historyAfter } from '../history.ts';
import type { Announcement, ExportRun, RunContent, StateRecord } from '../state.ts';
import { decide, type Found, type Situation, type StopReason, type Wish } from './situation.ts';
import type { Plan, Reply } from './steps.ts';

// What a run writes into the state, the signed text next to a link. Each decision has an order, a
// number: a newer decision has a higher one. Before a run writes, it announces what it is about to
// write; until its end is known, the announcement is unanswered.

/** A run and its job in the CI system, as the state names them. Any other job is an export. */
export interface OwnRun {
  readonly id: string;
  readonly job: string;
  /** What it has published, or is about to publish. */
  readonly content?: RunContent;
}

/** What a run wants to have in place in a destination. */
export interface Wanted {
  readonly wish: Wish;
  readonly link: string;
  /** ISO 8601, UTC; undefined: not known, or it does not expire. */
  readonly expiresAt: string | undefined;
  readonly by: DeliveredBy;
  readonly details: ExportDetails;
}

/** What a run wants to have in place, with what only the destination knows. */
export interface Placement extends Wanted {
  readonly run: OwnRun;
  /** Signed digest of the link, in stores that show it. */
  readonly mark: string | undefined;
  /** ISO 8601, UTC. */
  readonly now: string;
}

/** The announcement of the link that a placement writes. */
export function announcementOf(placement: Placement): Announcement {
  const { kind, job, order, from, run } = placement.wish;
  return {
    // Each section has its own, which it sets itself.
    token: '',
    // A person may name a job in a run of any mode.
    by: kind === 'named' ? 'named' : placement.by,
    job,
    order,
    at: placement.now,
    link: placement.mark,
    run,
    from,
  };
}

/** The plan that writes link and state if `decide` allows the wish, and otherwise stops. */
export function planToPlace(situation: Situation, placement: Placement): Plan {
  const why = decide(situation, placement.wish);
  if (why !== undefined) return { kind: 'stop', why };
  return {
    kind: 'place',
    link: placement.link,
    confirmed: (shown) => recordOnceLive(situation.record, placement, shown),
  };
}

/** The record once the link is in place. `shown`: what the store then shows of the link. */
function recordOnceLive(
  base: StateRecord,
  placement: Placement,
  shown: Found['link'],
): StateRecord {
  const { by, details, expiresAt, mark } = placement;
  const { kind, job, order, run: runKey } = placement.wish;
  // By the clock of the store if it shows a date: that of this machine may be wrong.
  const at = shown?.at === undefined ? placement.now : new Date(shown.at).toISOString();
  const after = historyAfter(base, { jobId: job, mode: by, details, run: runKey }, at);
  let { rollback } = after;
  // A rollback that an earlier attempt or run began is complete now.
  const isCompleted = base.jobId === job && kind === 'rollback';
  if (isCompleted && rollback !== undefined) rollback = { ...rollback, open: undefined };
  // An export or a refresh never replaces a job with a higher order. In a further destination, a
  // rollback or a named job may: it then takes that order, so that no older decision replaces it.
  const keepsOrder = kind === 'refresh' || kind === 'export';
  const record: StateRecord = {
    ...withOrder(base, order),
    jobId: job,
    jobOrder: keepsOrder ? order : Math.max(order, base.jobOrder ?? 0),
    history: after.history,
    rollback,
    expiresAt,
    written: { at, link: mark },
    // The announced starts of this run (no `job`) go: they have led to this link, or to nothing.
    unanswered: (base.unanswered ?? []).filter(
      (one) => one.run !== runKey || one.job !== undefined,
    ),
  };
  // A re-run looks for its export among the runs: a refresh or a rollback has none.
  if (by !== 'export') return record;
  return withRun(record, { ...placement.run, state: 'done', jobId: job, order });
}

/** The record with this order, if that is higher than its own: no later decision gets it again. */
export function withOrder(base: StateRecord, order: number): StateRecord {
  return { ...base, order: Math.max(base.order ?? 0, order) };
}

const MAX_RUNS = 5;

/**
 * The record with this run first among the runs, so that a re-run finds its export. Of its former
 * entry, fields that `entry` does not set stay.
 */
function withRun(base: StateRecord, entry: ExportRun): StateRecord {
  const runs = base.runs ?? [];
  const isThisRun = (run: ExportRun) => run.id === entry.id && run.job === entry.job;
  const first = { ...runs.find(isThisRun), ...entry };
  return { ...base, runs: [first, ...runs.filter((run) => !isThisRun(run))].slice(0, MAX_RUNS) };
}

/** The start of an export in all destinations of a run. */
export interface ExportStart {
  /** The reply of the platform; undefined: it was not asked yet. */
  readonly reply: Reply | undefined;
  /** The order of the export: until the platform was asked, higher than that of this record. */
  orderAbove(record: StateRecord): number;
}

/**
 * The plan of a run that starts an export, made twice: before the platform is asked, to start it;
 * then to write into the state what the platform replied.
 */
export function planToStart(
  situation: Situation,
  takeOver: boolean,
  run: OwnRun,
  start: ExportStart,
): Plan {
  const base = situation.record;
  const { reply } = start;
  if (reply === undefined) {
    const why = whyNotWritable(situation, takeOver);
    if (why !== undefined) return { kind: 'stop', why };
    return { kind: 'start', announced: withStart(base, run, start) };
  }
  if (reply.kind === 'started')
    return { kind: 'note', record: withStart(base, run, start, reply.jobId) };
  // The reply was lost, so the export may have been started: a re-run must know that.
  if (reply.kind === 'unknown') return { kind: 'note', record: withStart(base, run, start) };
  // The start was refused: the state forgets this run, unless it has requested an update, which a
  // re-run must not request again.
  const hasUpdate = run.content?.update !== undefined;
  if (hasUpdate) return { kind: 'note', record: withRun(base, { ...run, state: 'publishing' }) };
  const runs = base.runs?.filter((one) => one.id !== run.id || one.job !== run.job);
  return { kind: 'note', record: { ...base, runs } };
}

/** The record that names the start, or the started job; `jobId` is undefined before the reply. */
function withStart(
  base: StateRecord,
  run: OwnRun,
  start: ExportStart,
  jobId?: string,
): StateRecord {
  const order = start.orderAbove(base);
  const state = jobId === undefined ? 'starting' : 'started';
  return withRun(withOrder(base, order), { ...run, state, jobId, order });
}

/** The plan of a run that writes only what it is about to publish, before it asks for an export. */
export function planToNote(situation: Situation, takeOver: boolean, run: OwnRun): Plan {
  const why = whyNotWritable(situation, takeOver);
  if (why !== undefined) return { kind: 'stop', why };
  return { kind: 'note', record: withRun(situation.record, { ...run, state: 'publishing' }) };
}

/**
 * Why this run may not write over the state; undefined: it may, or a person takes it over. A state
 * with an invalid signature may be written over: nothing in it can be relied on.
 */
function whyNotWritable({ kind }: Situation, takeOver: boolean): StopReason | undefined {
  if (takeOver) return undefined;
  if (kind === 'foreign' || kind === 'unreadable') return kind;
  return undefined;
}
