/**
 * The platform's export API as the rest of the program sees it. The platform has two revisions of it, by domain and by
 * project; which one a run uses follows from its inputs (or from the state of an earlier export), and nothing above this file
 * has to know.
 */
import type { CourierError } from '../errors.ts';
import type { Reply } from './call.ts';
import type { ExportBundle, ExportJob } from './contract.ts';
import type { JobView } from './follow.ts';

/**
 * What is exported, and with it the revision of the API. It has to be kept with a job's id: a job of a project cannot be
 * polled, nor can a link be made for it, without the project's id.
 */
export interface ExportSource {
  /** A host name. By domain: undefined where a job is attached to by its id alone. By project: for people only. */
  readonly domain: string | undefined;
  /** Given: the revision by project. */
  readonly projectId: string | undefined;
}

export type StartOutcome =
  | { readonly kind: 'started'; readonly jobId: string }
  /** Nothing was started: the platform runs one export at a time. `error` is what to throw where nobody waits. */
  | { readonly kind: 'busy'; readonly jobId: string | undefined; readonly error: CourierError };

/** Every method throws a CourierError, and only that. */
export interface ExportApi {
  readonly source: ExportSource;
  /** What is exported, for messages: `docs.acme.com`, or `project proj_1`. */
  readonly subject: string;
  /** The requests as people read them: `POST /v1/static-export/jobs`. */
  readonly requests: { start(): string; poll(jobId: string): string; link(jobId: string): string };
  /** Never repeated once the platform may have seen it. */
  start(): Promise<StartOutcome>;
  /** One attempt, of at most `timeLimitMs`. The reply is about this job; it never holds the link. */
  poll(jobId: string, timeLimitMs?: number): Promise<Reply<ExportJob>>;
  /** A fresh link for a completed job; `conflict` where the job is not completed yet. */
  link(jobId: string): Promise<Reply<ExportBundle>>;
}

// The documented names of a job that has not ended, and common ones besides, so that they need no warning.
const UNDERWAY: ReadonlySet<string> = new Set(['queued', 'pending', 'running', 'processing', 'in_progress', 'active']);

/** A job as `follow` needs it. */
export function viewOfExport({ status, progress, updatedAt }: ExportJob): JobView {
  const done = status === 'completed' || status === 'failed';
  return { status, phase: done ? 'done' : UNDERWAY.has(status) ? 'running' : 'unknown', progress, updatedAt };
}
