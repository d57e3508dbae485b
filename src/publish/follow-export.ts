import { CourierError } from '../errors.ts';
import { foreignText } from '../http/service.ts';
import type { Log } from '../log.ts';
import type { ExportJob } from '../platform/contract.ts';
import { type ExportApi, viewOfExport } from '../platform/export-api.ts';
import { follow, type Observation, predictEndMs, readFractions } from '../platform/follow.ts';
import { plainLine } from '../text/escape.ts';
import type { ExportDeps } from './export-deps.ts';
import { isWorthALine, type ProgressPoint, progressLine, readPages, thin } from './progress.ts';

type ExportEnd =
  /** `pageCount`: of the finished job; a count of one that was still running may have been too low. */
  { readonly kind: 'completed'; readonly pageCount: number | undefined } | { readonly kind: 'timed-out' };

interface FollowExport {
  readonly deps: ExportDeps;
  readonly api: ExportApi;
  readonly jobId: string;
  /** How long to follow, 0 or more. */
  readonly timeoutMs: number;
  /** Started by this run, a moment ago. */
  readonly fresh: boolean;
}

const REPORTED_POINTS = 100;

/** Follows the job in a group of the log. Throws `job-failed` when the platform says so. */
export async function followExport({ deps, api, jobId, timeoutMs, fresh }: FollowExport): Promise<ExportEnd> {
  const { clock, log, signal } = deps;
  const points: ProgressPoint[] = [];
  const result = await log.group(`Following export job ${jobId}`, () =>
    follow({
      poll: (timeLimitMs) => api.poll(jobId, timeLimitMs),
      view: viewOfExport,
      timeoutMs,
      fresh,
      clock,
      log,
      signal,
      onPoll: (job, seen) => recordPoll({ job, seen, points, deps }),
    }),
  );
  deps.record({ jobElapsedMs: Math.round(result.elapsedMs) });
  if (result.kind === 'timed-out') return { kind: 'timed-out' };
  if (result.job.status === 'failed') throw jobFailed(jobId, result.job, log);
  return { kind: 'completed', pageCount: readPages(result.job.pageCount) };
}

function lastPages(points: readonly ProgressPoint[]): number | undefined {
  return points.findLast(({ pages }) => pages !== undefined)?.pages;
}

interface Poll {
  readonly job: ExportJob;
  readonly seen: readonly Observation[];
  readonly points: ProgressPoint[];
  readonly deps: ExportDeps;
}

function recordPoll({ job, seen, points, deps }: Poll): void {
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
  const reported = points.at(-1);
  if (!isWorthALine(point, reported)) return;
  points.push(point);
  const line = progressLine(point);
  if (deps.log.progress === undefined) deps.log.info(line);
  else deps.log.progress(line, point.fraction);
  deps.record({ pageCount: lastPages(points), progress: thin(points, REPORTED_POINTS) });
}

function jobFailed(jobId: string, job: ExportJob, log: Log): CourierError {
  const text =
    typeof job.error === 'string'
      ? `: ${foreignText(job.error, (text) => log.redact(text))}`
      : '. The platform gave no reason.';
  return new CourierError({
    code: 'job-failed',
    message: `Export job ${jobId} failed${text}`,
    hint: "Open the job on the platform's dashboard. A new run starts a new export.",
  });
}
