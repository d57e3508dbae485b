import { cancelled } from '../clock.ts';
import { CourierError, hintText } from '../errors.ts';
import { foreignText } from '../http/service.ts';
import type { Log } from '../log.ts';
import type { ExportJob } from '../platform/contract.ts';
import {
  type ExportApi,
  type Started,
  startWhenFree,
  viewOfExport,
} from '../platform/export-api.ts';
import type { FollowResult } from '../platform/follow.ts';
import type { Deps } from '../run/context.ts';
import type { RunFacts } from '../run/report.ts';
import { writeDuration } from '../text/amounts.ts';
import { asking, type JobFacts, type RunningJob } from './job.ts';
import { followJob, readPageCount, thin } from './progress.ts';
import type { Delivery } from './state/delivery.ts';

/**
 * `pageCount`: of the finished job; a count of one that was still running may have been too low.
 */
export type FinishedJob =
  | {
      readonly kind: 'finished';
      readonly jobId: string;
      readonly pageCount: number | undefined;
      /** As the platform says; undefined: it did not say, or was not asked. */
      readonly requestedAt: Date | undefined;
    }
  | { readonly kind: 'detached'; readonly end: RunFacts };

interface Running {
  readonly deps: Deps<JobFacts>;
  readonly job: RunningJob;
  readonly delivery: Delivery | undefined;
  /** What of `timeout` is over already. */
  readonly spentMs: number;
}

/**
 * Starts an export or attaches to one, and follows it to its end, or for as long as `timeout`
 * allows.
 */
export async function runJob(running: Running): Promise<FinishedJob> {
  const { deps, job, spentMs } = running;
  const { limits } = job;
  const { jobId, waitedMs } =
    job.kind === 'start' ? await startJob(running) : { jobId: job.jobId, waitedMs: 0 };
  deps.record({ jobId, origin: job.origin, stage: 'running' });
  if (job.kind === 'attach') {
    deps.log.info(`Export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`);
  }
  const timeoutMs = Math.max(0, limits.timeoutMs - spentMs - waitedMs);
  const end = await asking(job, followExport(running, jobId, timeoutMs));
  if (end.kind === 'done') {
    const { pageCount, createdAt: requestedAt } = end.job;
    deps.record({ stage: 'finished' });
    return { kind: 'finished', jobId, pageCount: readPageCount(pageCount), requestedAt };
  }
  const state = lastState(job.kind, end.job);
  if (limits.onTimeout === 'detach') {
    const reason = `${state} To attach to it, give export-job-id: ${jobId}`;
    return { kind: 'detached', end: { status: 'detached', reason } };
  }
  throw new CourierError({
    code: 'timed-out',
    message: `Export job ${jobId} did not finish within ${writeDuration(limits.timeoutMs)}.`,
    hint: {
      text: `${state} Attach a later run to it, which does not start a second export:`,
      inputs: { 'export-job-id': jobId },
    },
  });
}

/**
 * What is known when time is up. `seen`: what the last poll showed, if the platform answered any.
 */
function lastState(kind: RunningJob['kind'], seen: ExportJob | undefined): string {
  if (seen !== undefined) return 'The export is still running.';
  return kind === 'start'
    ? 'The export was started.'
    : 'The platform did not say whether the export is still running.';
}

/**
 * Starts an export; the state next to the link says so before, and names the job right after. The
 * id goes to the log first, then into the state, then to the outputs: whichever of them fails, the
 * others have it.
 */
async function startJob(running: Running): Promise<Started> {
  const { deps, delivery } = running;
  const started = await (delivery === undefined
    ? start(running)
    : delivery.start(() => start(running)));
  if (deps.signal.aborted) throw cancelled(deps.signal.reason);
  return started;
}

async function start({ deps, job, delivery, spentMs }: Running): Promise<Started> {
  const { api, limits } = job;
  deps.log.info(`Starting an export of ${api.subject}: ${api.requests.start()}.`);
  try {
    const timeoutMs = Math.max(0, limits.timeoutMs - spentMs);
    const watched = recordingStarts(api, deps);
    const started = await startWhenFree({
      ...deps,
      api: watched,
      runningJobId: delivery?.runningJobId,
      timeoutMs,
    });
    const { jobId } = started;
    deps.log.info(
      `Started export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`,
    );
    deps.record({ jobId, origin: 'started', stage: 'running' });
    return started;
  } catch (error) {
    if (!(error instanceof CourierError) || !error.mayHaveStarted) throw error;
    throw mayHaveStarted(api.subject, error);
  }
}

/** While another export runs, none of this run was started. */
function recordingStarts(api: ExportApi, { record }: Deps<JobFacts>): ExportApi {
  return {
    ...api,
    async start(options) {
      record({ stage: 'starting' });
      const outcome = await api.start(options);
      if (outcome.kind === 'busy') record({ stage: undefined });
      return outcome;
    },
  };
}

function mayHaveStarted(subject: string, error: CourierError): CourierError {
  // Another server answered: what to correct is its address.
  if (error.isForeign) return error;
  // A portal's page instead of a reply: then nothing has started, and only base-url is wrong.
  const first =
    error.code === 'protocol' && error.hint !== undefined
      ? `${hintText(error.hint)} Otherwise look`
      : 'Look';
  return error.with({
    message: `${error.message} The export of ${subject} may have started; it was not requested again.`,
    hint: {
      text: `${first} for a running export of ${subject} on the platform's dashboard. Attach to it, which does not start a second export:`,
      inputs: { 'export-job-id': '' },
    },
  });
}

const REPORTED_POINTS = 100;

/** Follows the job for `timeoutMs`, 0 or more. Throws `job-failed` when the platform says so. */
async function followExport(
  { deps, job }: Running,
  jobId: string,
  timeoutMs: number,
): Promise<FollowResult<ExportJob>> {
  const result = await followJob({
    deps,
    title: `Following export job ${jobId}`,
    poll: (timeLimitMs) => job.api.poll(jobId, timeLimitMs),
    view: viewOfExport,
    timeoutMs,
    fresh: job.kind === 'start',
    pollEveryMs: job.api.pollEveryMs,
    pagesOf: ({ pageCount }) => readPageCount(pageCount),
    onLine: (points) => {
      const pageCount = points.findLast(({ pages }) => pages !== undefined)?.pages;
      deps.record({ pageCount, progress: thin(points, REPORTED_POINTS) });
    },
  });
  deps.record({ jobElapsedMs: Math.round(result.elapsedMs) });
  if (result.kind === 'done' && result.job.status === 'failed')
    throw jobFailed(jobId, result.job, deps.log);
  return result;
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
