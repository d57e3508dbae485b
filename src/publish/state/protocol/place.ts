import { type DeliveredBy, type ExportDetails, placed } from '../history.ts';
import type { Announcement, ExportRun, RunContent, StateRecord } from '../state.ts';
import { decide, type Found, type Situation, type StopReason, type Wish } from './situation.ts';
import type { Plan, Reply } from './steps.ts';

/** A run and its job, as the state names them. */
export interface RunKey {
  readonly id: string;
  readonly job: string;
}

/** What a run wants to have in place in a destination. */
export interface Wanted {
  readonly wish: Wish & { readonly run: string };
  readonly link: string;
  /** ISO 8601, UTC; undefined: not known, or it does not expire. */
  readonly expiresAt: string | undefined;
  readonly by: DeliveredBy;
  readonly details: ExportDetails;
}

/** It with what the destination knows of it. */
export interface Placement extends Wanted {
  readonly run: RunKey;
  readonly attempt: number;
  /** What this run has published. */
  readonly content?: RunContent | undefined;
  /** Signed digest of the link, in stores that show it. */
  readonly mark: string | undefined;
  /** ISO 8601, UTC. */
  readonly now: string;
}

export function announcementOf(placement: Placement, token: string): Announcement {
  const { kind, job, order, from, run } = placement.wish;
  return {
    token,
    by: kind === 'named' ? 'named' : placement.by,
    job,
    order,
    at: placement.now,
    link: placement.mark,
    run,
    attempt: placement.attempt,
    from,
  };
}

/** What is written if the wish may be fulfilled. */
export function placing(situation: Situation, placement: Placement): Plan {
  const why = decide(situation, placement.wish);
  if (why !== undefined) return { kind: 'stop', why };
  const base = situation.record;
  return {
    kind: 'place',
    announced: announce(base, placement),
    confirmed: (shown) => confirm(base, placement, shown),
  };
}

/** The record before the link is written, for stores without claims. */
function announce(base: StateRecord, placement: Placement): StateRecord {
  const { run, order } = placement.wish;
  const others = (base.unanswered ?? []).filter((one) => one.run !== run);
  const own = announcementOf(placement, run);
  return { ...withOrder(base, order), unanswered: [...others, own] };
}

function confirm(base: StateRecord, placement: Placement, shown: Found['link']): StateRecord {
  const { by, details, expiresAt, mark } = placement;
  const { kind, job, order, run } = placement.wish;
  const at = shown?.at === undefined ? placement.now : new Date(shown.at).toISOString();
  const { history, rollback } = placed(base, { jobId: job, by, details, run }, at);
  const isDecidedBefore = kind === 'refresh' || kind === 'export';
  const isCompleted = base.jobId === job && kind === 'rollback';
  const record: StateRecord = {
    ...withOrder(base, order),
    jobId: job,
    jobOrder: isDecidedBefore ? order : Math.max(order, base.jobOrder ?? 0),
    history,
    rollback: isCompleted ? rollback && { ...rollback, open: undefined } : rollback,
    expiresAt,
    written: { at, link: mark },
    // A start that this run has announced has led to this link, or to nothing.
    unanswered: (base.unanswered ?? []).filter((one) => one.run !== run || one.job !== undefined),
  };
  if (by !== 'export') return record;
  const own = { ...placement.run, state: 'done', jobId: job, order } as const;
  return withRun(record, own, placement.content);
}

function withOrder(base: StateRecord, order: number): StateRecord {
  return { ...base, order: Math.max(base.order ?? 0, order) };
}

const MAX_RUNS = 5;

/** With this run first. What it has said before and does not say now stays. */
function withRun(base: StateRecord, own: ExportRun, content: RunContent | undefined): StateRecord {
  const runs = base.runs ?? [];
  const isOwn = (one: ExportRun) => one.id === own.id && one.job === own.job;
  const first: ExportRun = { ...runs.find(isOwn), ...own };
  if (content !== undefined) first.content = content;
  return { ...base, runs: [first, ...runs.filter((one) => !isOwn(one))].slice(0, MAX_RUNS) };
}

/** The start of an export in all destinations of a run. */
export interface ExportStart {
  /** Of the platform, once it was asked. */
  readonly reply: Reply | undefined;
  /** The order of the export, which is higher than that of this record until then. */
  orderAbove(record: StateRecord): number;
}

/** What a run writes of its own export. */
export interface OwnRun {
  readonly run: RunKey;
  /** What it has published, or is about to publish. */
  readonly content: RunContent | undefined;
  readonly takeOver: boolean;
}

/** An export that is announced, started, and named in the state. */
export function starting(situation: Situation, own: OwnRun, start: ExportStart): Plan {
  const base = situation.record;
  const after = (there: StateRecord, reply: Reply): StateRecord => {
    if (reply.kind === 'started') return withStart(there, own, start, 'started', reply.jobId);
    if (reply.kind === 'unknown') return withStart(there, own, start, 'starting');
    return withoutStart(there, own);
  };
  // Asked before, and the state does not say so yet.
  if (start.reply !== undefined) return { kind: 'note', record: after(base, start.reply) };
  const why = refusal(situation, own);
  if (why !== undefined) return { kind: 'stop', why };
  return { kind: 'start', announced: withStart(base, own, start, 'starting'), after };
}

function withStart(
  there: StateRecord,
  { run, content }: OwnRun,
  start: ExportStart,
  state: 'starting' | 'started',
  jobId?: string,
): StateRecord {
  const order = start.orderAbove(there);
  return withRun(withOrder(there, order), { ...run, state, jobId, order }, content);
}

/** After the platform refused: nothing is known of this run but an update that it requested. */
function withoutStart(there: StateRecord, own: OwnRun): StateRecord {
  const { id, job } = own.run;
  if (own.content?.update !== undefined) return withPublishing(there, own);
  return { ...there, runs: there.runs?.filter((one) => one.id !== id || one.job !== job) };
}

/** What a run says about itself before it asks for an export; nothing else changes. */
export function noting(situation: Situation, own: OwnRun): Plan {
  const why = refusal(situation, own);
  if (why !== undefined) return { kind: 'stop', why };
  return { kind: 'note', record: withPublishing(situation.record, own) };
}

function withPublishing(base: StateRecord, own: OwnRun): StateRecord {
  return withRun(base, { ...own.run, state: 'publishing' }, own.content);
}

/** Why nothing of this run is written; undefined: it is. */
function refusal({ kind }: Situation, { takeOver }: OwnRun): StopReason | undefined {
  return !takeOver && (kind === 'foreign' || kind === 'unreadable') ? kind : undefined;
}
