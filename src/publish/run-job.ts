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
import type { JobFacts, RunningJob } from './job.ts';
import { followJob, readPageCount } from './progress.ts';
import type { Delivery } from './state/delivery.ts';

export interface FinishedJob {
  readonly jobId: string;
  /** The count of the finished job: an earlier count may have been too low. */
  readonly pageCount: number | undefined;
  /** When the export was requested; undefined: the platform did not say, or was not asked. */
  readonly requestedAt: Date | undefined;
}

export type FollowedJob =
  | (FinishedJob & { readonly kind: 'finished' })
  | { readonly kind: 'detached'; readonly end: RunFacts };

/**
 * Starts an export or attaches to one, and follows it to its end, or for as long as `timeout`
 * allows. `detached`: time is up, and the step wants its job to continue without it, as
 * `on-timeout` says. `spentMs`: how much of `timeout` has passed already.
 */
export async function runJob(
  job: RunningJob,
  deps: Deps<JobFacts>,
  delivery: Delivery | undefined,
  spentMs: number,
): Promise<FollowedJob> {
  const { limits } = job;
  let leftMs = Math.max(0, limits.timeoutMs - spentMs);
  let jobId: string;
  if (job.kind === 'start') {
    const started = await startJob(job.api, deps, delivery, leftMs);
    jobId = started.jobId;
    leftMs = Math.max(0, leftMs - started.waitedMs);
  } else {
    jobId = job.jobId;
    deps.log.info(`Export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`);
  }
  deps.record({ jobId, origin: job.origin, stage: 'running' });
  const followed = await followExport(job, jobId, leftMs, deps);
  if (followed.kind === 'done') {
    deps.record({ stage: 'finished' });
    return {
      kind: 'finished',
      jobId,
      pageCount: readPageCount(followed.job.pageCount),
      requestedAt: followed.job.createdAt,
    };
  }
  const state = lastState(job.kind, followed.job);
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
 * What is known of the job when time is up. `seen`: what the last answered poll showed; undefined:
 * no poll was answered.
 */
function lastState(kind: RunningJob['kind'], seen: ExportJob | undefined): string {
  if (seen !== undefined) return 'The export is still running.';
  if (kind === 'start') return 'The export was started.';
  return 'The platform did not say whether the export is still running.';
}

/**
 * Starts an export. The state, a record next to the link in each destination, announces it first,
 * and names the job right after.
 * The id goes to the log first, then into the state, then to the outputs: if one of them fails, the
 * others have it.
 */
async function startJob(
  api: ExportApi,
  deps: Deps<JobFacts>,
  delivery: Delivery | undefined,
  timeoutMs: number,
): Promise<Started> {
  const { log, signal, record } = deps;
  // The API, which records the stage `starting`.
  const watched: ExportApi = {
    ...api,
    async start(options) {
      record({ stage: 'starting' });
      const outcome = await api.start(options);
      // A busy platform has started nothing.
      if (outcome.kind === 'busy') record({ stage: undefined });
      return outcome;
    },
  };
  const startOnPlatform = async () => {
    log.info(`Starting an export of ${api.subject}: ${api.requests.start()}.`);
    // If the platform is busy and does not say with which job, the state may name it.
    const { runningJobId } = delivery ?? {};
    const init = { ...deps, api: watched, runningJobId, timeoutMs };
    const started = await startWhenFree(init).catch((error) => {
      const isUnsure = error instanceof CourierError && error.mayHaveActed;
      throw isUnsure ? unsureStart(api.subject, error) : error;
    });
    const { jobId } = started;
    log.info(
      `Started export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`,
    );
    record({ jobId, origin: 'started', stage: 'running' });
    return started;
  };
  // Without a delivery, there is no state to announce it in.
  const started = await (delivery?.start(startOnPlatform) ?? startOnPlatform());
  // The state is written even after the run was cancelled, so that its job can be found again.
  if (signal.aborted) throw cancelled(signal.reason);
  return started;
}

/** The error of a start whose reply is missing or useless, so that a job may have started. */
function unsureStart(subject: string, error: CourierError): CourierError {
  // Another server than the platform answered: the error says already that base-url is wrong.
  if (error.isForeign) return error;
  let look = 'Look';
  // Its hint is about a login page instead of a reply. If that is right, nothing has started.
  if (error.code === 'protocol' && error.hint !== undefined)
    look = `${hintText(error.hint)} Otherwise look`;
  return error.with({
    message: `${error.message} The export of ${subject} may have started; it was not requested again.`,
    hint: {
      text: `${look} for a running export of ${subject} on the platform's dashboard. Attach to it, which does not start a second export:`,
      // A placeholder is shown for it, as the id is not known.
      inputs: { 'export-job-id': '' },
    },
  });
}

/** Follows the job to its end, or for `timeoutMs`. Throws `job-failed` if the job failed. */
async function followExport(
  runningJob: RunningJob,
  jobId: string,
  timeoutMs: number,
  deps: Deps<JobFacts>,
): Promise<FollowResult<ExportJob>> {
  const result = await followJob<ExportJob>({
    ...deps,
    title: `Following export job ${jobId}`,
    poll: (timeLimitMs) => runningJob.api.poll(jobId, timeLimitMs),
    view: viewOfExport,
    timeoutMs,
    fresh: runningJob.kind === 'start',
    pollEveryMs: runningJob.api.pollEveryMs,
    onPages: (pageCount, countedAt) => deps.record({ pageCount, countedAt }),
  });
  deps.record({ jobElapsedMs: Math.round(result.elapsedMs) });
  if (result.kind === 'done' && result.job.status === 'failed')
    throw jobFailed(jobId, result.job.error, deps.log);
  return result;
}

function jobFailed(jobId: string, error: unknown, log: Log): CourierError {
  let why = '. The platform gave no reason.';
  if (typeof error === 'string') why = `: ${foreignText(error, (text) => log.redact(text))}`;
  return new CourierError({
    code: 'job-failed',
    message: `Export job ${jobId} failed${why}`,
    hint: "Open the job on the platform's dashboard. A new run starts a new export.",
  });
}
