import type { BundleLink } from '../../platform/link.ts';
import { plainLine } from '../../text/escape.ts';
import { type ExportDetails, placed } from './history.ts';
import type { StateRecord } from './state.ts';

export type DeliveredBy = 'export' | 'refresh' | 'rollback';

/** Which run this is, for the state. */
export interface RunIdentity {
  /** The same in every attempt of a run. */
  readonly runId: string;
  /** 1 for the first attempt. */
  readonly runAttempt: number;
  readonly job: string;
  /** The commit that the run is for, and who caused it; empty where the system does not say. */
  readonly sha?: string | undefined;
  readonly actor?: string | undefined;
}

const MAX_NAME = 60;

/** Who caused the run, for the history. */
export function actorOf({ actor = '' }: RunIdentity): string | undefined {
  return plainLine(actor, MAX_NAME) || undefined;
}

/** The commit that the run is for, where its name is one. */
export function commitOf({ sha = '' }: RunIdentity): string | undefined {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha) ? sha : undefined;
}

/** The same in every attempt of a job of a run. */
export function runKey({ runId, job }: RunIdentity): string {
  return `${runId}/${job}`;
}

/** The link that is to be written, and whether it may replace another job's. */
export interface Delivered {
  readonly jobId: string;
  readonly link: BundleLink;
  /**
   * When the job was asked for, epoch milliseconds; undefined: unknown, which counts as before everything else. A job that was
   * asked for earlier never replaces one that was asked for later.
   */
  readonly requestedAtMs: number | undefined;
  /** A person named the job by its id: it may replace any other. */
  readonly isExplicit: boolean;
  /** An export records this run as the one that made the link; the others keep the record of the last export. */
  readonly by: DeliveredBy;
  /** Only the link of this job may be replaced; undefined: see `isExplicit`. */
  readonly replaces?: string | undefined;
  /** For the history. */
  readonly details: ExportDetails;
  /** Run and job. */
  readonly run: string;
  /** The count that the states of all destinations have at least when the link is there. */
  readonly count: number;
}

interface Change {
  /** What every record of the destination begins with. */
  readonly base: StateRecord;
  readonly delivered: Delivered;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Signed digest of the link, where the store can read it back. */
  readonly mark: string | undefined;
}

/** The record before the link is written. If the run ends after that, the next refresh comes early, never late. */
export function announced({ base, delivered, at, mark }: Change): StateRecord {
  const { jobId, link, requestedAtMs, by } = delivered;
  return {
    ...base,
    ...placed(base, { ...delivered, at, isRollback: by === 'rollback' }),
    jobId,
    requestedAt: requestedAtMs === undefined ? undefined : new Date(requestedAtMs).toISOString(),
    expiresAt: base.jobId === jobId ? earlier(base.expiresAt, link.expiresAt) : undefined,
    pending: { at, link: mark },
  };
}

/** The record after the link was written, at `at`, by this run. */
export function confirmed(change: Change, run: { readonly id: string; readonly job: string }): StateRecord {
  const { delivered, at, mark } = change;
  const { jobId, by, link } = delivered;
  const { pending: _, ...rest } = announced(change);
  return {
    ...rest,
    version: 2,
    expiresAt: link.expiresAt?.toISOString(),
    written: { at, link: mark },
    run: by === 'export' ? { ...run, state: 'done', jobId, requestedAt: rest.requestedAt } : rest.run,
  };
}

/** The earlier of both; undefined where one of them is not known. */
function earlier(stored: string | undefined, next: Date | undefined): string | undefined {
  if (stored === undefined || next === undefined) return undefined;
  return Date.parse(stored) <= next.getTime() ? stored : next.toISOString();
}
