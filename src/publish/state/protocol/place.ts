import { type DeliveredBy, type ExportDetails, placed } from '../history.ts';
import type { Announcement, ExportRun, RunContent, StateRecord } from '../state.ts';
import { decide, type Found, type Situation, type Wish } from './situation.ts';
import type { Plan } from './steps.ts';

/** A run and its job, as the state names them. */
export interface RunKey {
  readonly id: string;
  readonly job: string;
}

/** A link to put in place. */
export interface Placement {
  readonly wish: Wish;
  readonly by: DeliveredBy;
  readonly run: RunKey;
  /** Of the rollback, if it is not the same as `run`. */
  readonly key: string;
  readonly details: ExportDetails;
  /** What this run has published. */
  readonly content?: RunContent | undefined;
  /** Signed digest of the link, in stores that show it. */
  readonly mark: string | undefined;
  /** ISO 8601, UTC; undefined: not known, or it does not expire. */
  readonly expiresAt: string | undefined;
  /** ISO 8601, UTC. */
  readonly now: string;
}

export function announcementOf(
  { wish, by, key, mark, now }: Placement,
  token: string,
  attempt: number,
): Announcement {
  const { kind, job, order, from } = wish;
  return {
    token,
    by: kind === 'named' ? 'named' : by,
    job,
    order,
    at: now,
    link: mark,
    run: key,
    attempt,
    from,
  };
}

/** What is written if the wish may be fulfilled. */
export function placing(placement: Placement): (situation: Situation) => Plan {
  return (situation) => {
    const why = decide(situation, placement.wish);
    if (why !== undefined) return { kind: 'stop', why };
    const base = situation.record;
    const announced = announce(base, placement);
    return {
      kind: 'write',
      link: true,
      announced,
      record: (shown) => confirm(base, placement, shown),
    };
  };
}

/** The record before the link is written, for stores without claims. */
function announce(base: StateRecord, placement: Placement): StateRecord {
  const mine = announcementOf(placement, placement.key, 1);
  const order = Math.max(base.order ?? 0, placement.wish.order);
  const others = (base.unanswered ?? []).filter(({ run }) => run !== mine.run);
  return { ...base, order, unanswered: [...others, mine] };
}

function confirm(base: StateRecord, placement: Placement, shown: Found['link']): StateRecord {
  const { wish, by, run, key, details, content, mark, expiresAt, now } = placement;
  const at = shown?.at === undefined ? now : new Date(shown.at).toISOString();
  const { history, rollback } = placed(base, { jobId: wish.job, by, details, run: key }, at);
  const isSame = base.jobId === wish.job;
  const closed =
    isSame && wish.kind === 'rollback' && rollback !== undefined
      ? { ...rollback, open: undefined }
      : rollback;
  return {
    ...base,
    jobId: wish.job,
    jobOrder:
      wish.kind === 'refresh' || wish.kind === 'export'
        ? wish.order
        : Math.max(wish.order, base.jobOrder ?? 0),
    order: Math.max(base.order ?? 0, wish.order),
    history,
    rollback: closed,
    expiresAt,
    written: { at, link: mark },
    // A start that this run has announced has led to this link, or to nothing.
    unanswered: (base.unanswered ?? []).filter((one) => one.run !== key || one.job !== undefined),
    runs:
      by === 'export'
        ? withOwn(base.runs, {
            ...run,
            state: 'done',
            jobId: wish.job,
            order: wish.order,
            ...noted(content),
          })
        : base.runs,
  };
}

const MAX_RUNS = 5;

/** The runs with this one first. What it has said before and does not say now stays. */
function withOwn(runs: readonly ExportRun[] | undefined, own: ExportRun): readonly ExportRun[] {
  const isOwn = ({ id, job }: ExportRun) => id === own.id && job === own.job;
  const former = runs?.find(isOwn);
  return [{ ...former, ...own }, ...(runs ?? []).filter((one) => !isOwn(one))].slice(0, MAX_RUNS);
}

/**
 * The order of an export in a destination: higher than `highest`, which this run knows, and than
 * what is there; no lower than in the destinations before (`given`), or two exports that start at
 * once would get one order.
 */
export function startOrder(
  { order = 0 }: StateRecord,
  highest: number,
  given: readonly number[],
): number {
  return Math.max(highest + 1, order + 1, ...given);
}

interface ExportStart {
  readonly run: RunKey;
  /** The order of this export, given what is there. */
  readonly order: (record: StateRecord) => number;
  /** That which it has in the end: the highest one that a destination of this run gives. */
  readonly last: () => number;
  /** What this run has published for it. */
  readonly content?: RunContent | undefined;
  readonly takeOver?: boolean | undefined;
}

/** An export that is announced, started, and named in the state. */
export function starting({
  run,
  order,
  last,
  content,
  takeOver = false,
}: ExportStart): (situation: Situation) => Plan {
  return (situation) => {
    const { kind, record: base } = situation;
    if ((kind === 'foreign' || kind === 'unreadable') && !takeOver)
      return { kind: 'stop', why: kind };
    const given = order(base);
    const own = (there: StateRecord, more: Pick<ExportRun, 'state' | 'jobId'>): StateRecord => {
      const final = Math.max(given, last());
      const runs = withOwn(there.runs, { ...run, order: final, ...noted(content), ...more });
      return { ...there, order: Math.max(there.order ?? 0, final), runs };
    };
    return {
      kind: 'start',
      announced: own(base, { state: 'starting', jobId: undefined }),
      after: (there, reply) => {
        if (reply.kind === 'started') return own(there, { state: 'started', jobId: reply.jobId });
        if (reply.kind === 'unknown') return own(there, { state: 'starting', jobId: undefined });
        return { ...there, runs: withoutOwn(there.runs, run, content) };
      },
    };
  };
}

/**
 * After the platform refused a start: nothing is known of this run but an update that it requested.
 */
function withoutOwn(
  runs: StateRecord['runs'],
  run: RunKey,
  content: RunContent | undefined,
): StateRecord['runs'] {
  if (content?.update !== undefined) return withOwn(runs, publishing(run, content));
  return runs?.filter(({ id, job }) => id !== run.id || job !== run.job);
}

/** What a run says about itself before it asks for an export; nothing else changes. */
export function noting(
  run: RunKey,
  content: RunContent,
  takeOver = false,
): (situation: Situation) => Plan {
  return ({ kind, record: base }) => {
    if ((kind === 'foreign' || kind === 'unreadable') && !takeOver)
      return { kind: 'stop', why: kind };
    const record = { ...base, runs: withOwn(base.runs, publishing(run, content)) };
    return { kind: 'write', link: false, announced: record, record: () => record };
  };
}

/** The job that this run has started, if the state missed it. */
export function recording(
  run: RunKey,
  { jobId, order = 0, content }: Pick<ExportRun, 'jobId' | 'order' | 'content'>,
): (situation: Situation) => Plan {
  return ({ record: base }) => {
    const runs = withOwn(base.runs, { ...run, state: 'started', jobId, order, ...noted(content) });
    const record = { ...base, order: Math.max(base.order ?? 0, order), runs };
    return { kind: 'write', link: false, announced: record, record: () => record };
  };
}

function publishing(run: RunKey, content: RunContent): ExportRun {
  return { ...run, state: 'publishing', content };
}

function noted(content: RunContent | undefined): Partial<ExportRun> {
  return content === undefined ? {} : { content };
}
