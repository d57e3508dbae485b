import type { Delivery } from '../delivery/delivery.ts';
import { cancelled } from '../ground/clock.ts';
import { CourierError, courierError, hintText } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { writeDuration } from '../ground/text/amounts.ts';
import { foreignText } from '../http/service.ts';
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
import type { JobFacts, RunningJob } from './job.ts';
import { followJob, readPageCount } from './progress.ts';

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
    // It may have waited for another export to end, which counts towards `timeout`.
    leftMs = Math.max(0, leftMs - started.waitedMs);
  } else {
    jobId = job.jobId;
    deps.log.info(`Export job ${jobId}, to which the input export-job-id attaches another run.`);
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
  throw courierError(
    'timed-out',
    `Export job ${jobId} did not finish within ${writeDuration(limits.timeoutMs)}.`,
    {
      text: `${state} Attach a later run to it, which does not start a second export:`,
      inputs: { 'export-job-id': jobId },
    },
  );
}

/**
 * What is known of the job when time is up. `lastPoll`: what the last answered poll showed;
 * undefined: no poll was answered.
 */
function lastState(kind: RunningJob['kind'], lastPoll: ExportJob | undefined): string {
  if (lastPoll !== undefined) return 'The export is still running.';
  // The reply to the start is then the last that is known.
  if (kind === 'start') return 'The export was started.';
  return 'The platform did not say whether the export is still running.';
}

/**
 * Starts an export. The state, the signed text next to the link in each destination, announces the
 * start before it, and names the job after it. The id goes to the log at once: if it cannot be
 * written into the state, a person finds it there.
 */
async function startJob(
  api: ExportApi,
  deps: Deps<JobFacts>,
  delivery: Delivery | undefined,
  timeoutMs: number,
): Promise<Started> {
  const { log, signal, record } = deps;
  // The API, which records the stage of each start: a run that is cancelled says what it leaves.
  const recordingApi: ExportApi = {
    ...api,
    async start(options) {
      record({ stage: 'starting' });
      const outcome = await api.start(options);
      // A busy platform has started nothing, and the run may wait for long before the next start.
      if (outcome.kind === 'busy') record({ stage: undefined });
      return outcome;
    },
  };
  const startOnPlatform = async () => {
    log.info(`Starting an export of ${api.subject}: ${api.requests.start()}.`);
    // If the platform is busy and does not say with which job, the state may name it.
    const { runningJobId } = delivery ?? {};
    const init = { ...deps, api: recordingApi, runningJobId, timeoutMs };
    const started = await startWhenFree(init).catch((error) => {
      const mayHaveStarted = error instanceof CourierError && error.mayHaveActed;
      throw mayHaveStarted ? unsureStartError(api.subject, error) : error;
    });
    const { jobId } = started;
    log.info(`Started export job ${jobId}, to which the input export-job-id attaches another run.`);
    record({ jobId, origin: 'started', stage: 'running' });
    return started;
  };
  // Without a delivery, there is no state to announce it in.
  const started = await (delivery?.start(startOnPlatform) ?? startOnPlatform());
  // A run that was cancelled meanwhile ends only here: the state names its job by now, so that a
  // re-run finds it.
  if (signal.aborted) throw cancelled(signal.reason);
  return started;
}

/** The error of a start whose reply is missing or useless, so that a job may have started. */
function unsureStartError(subject: string, error: CourierError): CourierError {
  // Not a reply of the platform's API, such as a web page: the error says already that base-url is
  // wrong, and on that address no export is to be looked for.
  if (error.isForeign) return error;
  let look = 'Look';
  // JSON that is not a reply to a start: its hint is to check base-url. Only if base-url is right may
  // a job have started.
  const mayBeOtherServer = error.code === 'protocol' && error.hint !== undefined;
  if (mayBeOtherServer) look = `${hintText(error.hint)} Otherwise look`;
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
  job: RunningJob,
  jobId: string,
  timeoutMs: number,
  deps: Deps<JobFacts>,
): Promise<FollowResult<ExportJob>> {
  const { api, kind } = job;
  const result = await followJob<ExportJob>({
    ...deps,
    title: `Following export job ${jobId}`,
    poll: (timeLimitMs) => api.poll(jobId, timeLimitMs),
    view: viewOfExport,
    timeoutMs,
    // A job that this run has just started has not ended yet, and for 30 s the platform may not
    // know it; one that another run started may have ended, and must be known.
    fresh: kind === 'start',
    pollEveryMs: api.pollEveryMs,
    // For the summary: a job that ends between two polls may leave a count that is too low.
    onPages: (pageCount, countedAt) => deps.record({ pageCount, countedAt }),
  });
  deps.record({ jobElapsedMs: Math.round(result.elapsedMs) });
  if (result.kind === 'done' && result.job.status === 'failed')
    throw jobFailed(jobId, result.job.error, deps.log);
  return result;
}

function jobFailed(jobId: string, reason: unknown, log: Log): CourierError {
  let why = '. The platform gave no reason.';
  // In the reply it may be anything; only a text is shown.
  if (typeof reason === 'string') why = `: ${foreignText(reason, (text) => log.redact(text))}`;
  return courierError(
    'job-failed',
    `Export job ${jobId} failed${why}`,
    "Open the job on the platform's dashboard. A new run starts a new export.",
  );
}
