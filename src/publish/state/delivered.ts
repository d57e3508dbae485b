import type { BundleLink } from '../../platform/link.ts';
import { linkDigest } from '../../stores/port.ts';
import { type ExportDetails, placed } from './history.ts';
import type { State } from './state.ts';
import type { StoredState } from './stored-state.ts';

/** The link that is to be written, and whether it may replace another job's. */
export interface Delivered {
  readonly jobId: string;
  readonly link: BundleLink;
  /**
   * When the job was asked for, epoch milliseconds; undefined: nobody knows, which counts as before everything else. A job
   * that was asked for earlier never replaces one that was asked for later.
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

export type DeliveredBy = 'export' | 'refresh' | 'rollback';

/** How far a run has come with its own export. */
export interface RunProgress {
  readonly state: 'starting' | 'started';
  readonly jobId?: string | undefined;
  readonly requestedAtMs: number;
}

/** The state before the link is written. If the run ends after that, the next refresh comes early, never late. */
export function announcedState(stored: StoredState, delivered: Delivered, at: string): State {
  const { jobId, link, requestedAtMs, by } = delivered;
  const { state } = stored.held;
  const { base } = stored;
  return {
    ...base,
    ...placed(base, { ...delivered, at, isRollback: by === 'rollback' }),
    jobId,
    requestedAt: requestedAtMs === undefined ? undefined : new Date(requestedAtMs).toISOString(),
    expiresAt: state?.jobId === jobId ? earlier(state.expiresAt, link.expiresAt) : undefined,
    pending: { at, link: stored.markOf(linkDigest(link.url)) },
  };
}

/** The state after the link was written, at `at`. */
export function confirmedState(
  stored: StoredState,
  delivered: Delivered,
  { at, run }: { readonly at: string; readonly run: { readonly id: string; readonly job: string } },
): State {
  const { jobId, by, link } = delivered;
  const { pending, ...announced } = announcedState(stored, delivered, at);
  const { requestedAt } = announced;
  return {
    ...announced,
    version: 2,
    expiresAt: link.expiresAt?.toISOString(),
    written: { at, link: pending?.link },
    run: by !== 'export' ? announced.run : { ...run, state: 'done', jobId, requestedAt },
  };
}

/** Epoch milliseconds; 0 where nothing is known. */
export function timeOf(instant: string | undefined): number {
  const ms = Date.parse(instant ?? '');
  return Number.isNaN(ms) ? 0 : ms;
}

/** The earlier of both; undefined where one of them is not known. */
function earlier(stored: string | undefined, next: Date | undefined): string | undefined {
  if (stored === undefined || next === undefined) return undefined;
  return Date.parse(stored) <= next.getTime() ? stored : next.toISOString();
}
