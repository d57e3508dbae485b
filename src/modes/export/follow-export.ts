import { CourierError } from '../../errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { Log } from '../../log.ts';
import type { Reply } from '../../platform/call.ts';
import type { ExportJob } from '../../platform/contract.ts';
import { platformText } from '../../platform/failure.ts';
import { follow, type JobView } from '../../platform/follow.ts';
import { type Observation, predictEndMs, readFractions } from '../../platform/schedule.ts';
import { plainLine } from '../../text/escape.ts';
import type { ExportDeps } from './deps.ts';
import { isWorthTelling, type ProgressPoint, progressLine, readPages, thin } from './progress.ts';

export type ExportEnd =
  | { readonly kind: 'completed'; readonly pageCount: number | undefined }
  | { readonly kind: 'timed-out' };

interface FollowExport {
  readonly inputs: ExportInputs;
  readonly deps: ExportDeps;
  readonly jobId: string;
  /** Started by this run, a moment ago. */
  readonly fresh: boolean;
}

// The contract names the two ends; these are common names of the way there, so that they need no warning.
const UNDERWAY: ReadonlySet<string> = new Set(['queued', 'pending', 'running', 'processing', 'in_progress', 'active']);
const REPORTED_POINTS = 100;

function viewOf(job: ExportJob): JobView {
  const done = job.status === 'completed' || job.status === 'failed';
  return {
    status: job.status,
    phase: done ? 'done' : UNDERWAY.has(job.status) ? 'running' : 'unknown',
    progress: job.progress,
  };
}

/** Follows the job in a group of the log. Throws `job-failed` when the platform says so. */
export async function followExport({ inputs, deps, jobId, fresh }: FollowExport): Promise<ExportEnd> {
  const { clock, log, signal } = deps;
  const points: ProgressPoint[] = [];
  const result = await log.group(`Following export job ${jobId}`, () =>
    follow({
      poll: async () => checkId(await deps.platform.getExportJob(jobId), jobId),
      view: viewOf,
      timeoutMs: inputs.timeoutMs,
      fresh,
      clock,
      log,
      signal,
      onLook: (job, seen) => tellLook({ job, seen, points, deps }),
    }),
  );
  deps.tell({ jobElapsedMs: Math.round(result.elapsedMs) });
  if (result.kind === 'timed-out') return { kind: 'timed-out' };
  if (result.job.status === 'failed') throw jobFailed(jobId, result.job, log);
  return { kind: 'completed', pageCount: lastPages(points) };
}

function lastPages(points: readonly ProgressPoint[]): number | undefined {
  return points.findLast(({ pages }) => pages !== undefined)?.pages;
}

interface Look {
  readonly job: ExportJob;
  readonly seen: readonly Observation[];
  readonly points: ProgressPoint[];
  readonly deps: ExportDeps;
}

function tellLook({ job, seen, points, deps }: Look): void {
  const elapsedMs = seen.at(-1)?.atMs ?? 0;
  const endMs = predictEndMs(seen);
  const point: ProgressPoint = {
    elapsedMs: Math.round(elapsedMs),
    // Redacted before it is cut: the rest of a secret that is cut through has no form to be found by.
    status: plainLine(deps.log.redact(job.status), 40),
    fraction: readFractions(seen).at(-1),
    pages: readPages(job.pageCount),
    restMs: endMs === undefined || endMs <= elapsedMs ? undefined : Math.round(endMs - elapsedMs),
  };
  const told = points.at(-1);
  if (!isWorthTelling(point, told)) return;
  points.push(point);
  deps.log.info(progressLine(point));
  deps.tell({ pageCount: lastPages(points), progress: thin(points, REPORTED_POINTS) });
}

// The reply does not have to carry the id; where it does, it must be the one that was asked for.
function checkId(reply: Reply<ExportJob>, jobId: string): Reply<ExportJob> {
  const told = reply.value.jobId;
  if (told === undefined || told === jobId) return reply;
  throw new CourierError({
    code: 'protocol',
    message: `The platform was asked about export job ${jobId} and answered about ${plainLine(String(told), 140)}.`,
    hint: 'Run again with export-job-id; if it happens again, tell the platform.',
  });
}

function jobFailed(jobId: string, job: ExportJob, log: Log): CourierError {
  const text =
    typeof job.error === 'string' ? `: ${platformText(job.error, log.redact)}` : '. The platform gave no reason.';
  return new CourierError({
    code: 'job-failed',
    message: `Export job ${jobId} failed${text}`,
    hint: "Look at the job on the platform's dashboard. A new run starts a new export.",
  });
}
