import {
  amended,
  CourierError,
  configError,
  courierError,
  type Hint,
  hasCode,
  protocolError,
} from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import { writeDuration } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import { foreignText } from '../http/service.ts';
import {
  type ExportOrder,
  type ExportSelection,
  exportJobs,
  type PlatformClient,
  type PlatformReply,
  type ReadOptions,
  type StartOptions,
} from './client.ts';
import type {
  BasePath,
  ExportBundle,
  ExportJob,
  ExportJobBusy,
  ExportJobStarted,
} from './contract.ts';
import { EVEN_POLL_MS, follow, type JobView } from './follow.ts';

/**
 * The platform's export API as the rest of the program sees it. The platform has two revisions of
 * it, by domain and by project. Which one a run uses follows from its inputs, or from the state of
 * an earlier export; the callers of this file need not know which.
 */

/**
 * What is exported, and with it the revision of the API. It has to be kept with a job's id: a job
 * of a project cannot be polled, nor can a link be made for it, without the project's id.
 */
interface ExportSource {
  /**
   * A host name. In the revision by domain: undefined if the run attaches to a job by its id alone.
   * In that by project: only shown in messages.
   */
  readonly domain: string | undefined;
  /** If it is given, the revision by project is used; otherwise that by domain. */
  readonly projectId: string | undefined;
}

type StartResult =
  | { readonly kind: 'started'; readonly jobId: string }
  /**
   * Nothing was started: the platform runs one export at a time. `error` is what to throw if the
   * run does not wait.
   */
  | { readonly kind: 'busy'; readonly jobId: string | undefined; readonly error: CourierError };

/** Every method throws a CourierError, and only that. */
export interface ExportApi {
  readonly source: ExportSource;
  /** What is exported, for messages: `docs.acme.com`, or `project proj_1`. */
  readonly subject: string;
  /**
   * The same platform in the revision in which a job was started, whatever `project-id` says now: a
   * job without a project is one of the domain. undefined: nothing is known of it, so in this one.
   */
  ofJob(job: { readonly projectId?: string | undefined } | undefined): ExportApi;
  /** The requests as messages name them: `POST /v1/static-export/jobs`. */
  readonly requests: { start(): string; link(jobId: string): string };
  /** Never repeated once the platform may have seen it. */
  start(options?: StartOptions): Promise<StartResult>;
  /** The time between polls if a job never shows progress; undefined: progress decides. */
  readonly pollEveryMs: number | undefined;
  /**
   * One attempt, of at most `timeLimitMs`. Throws if the reply is about another job. What is given
   * never contains the link.
   */
  poll(jobId: string, timeLimitMs?: number): Promise<PlatformReply<ExportJob>>;
  /** A fresh link for a completed job; `conflict` if the job is not completed yet. */
  link(jobId: string): Promise<PlatformReply<ExportBundle>>;
}

// The documented statuses of a job that has not ended, and common ones besides: these need no
// warning.
const UNDERWAY = new Set(['queued', 'pending', 'running', 'processing', 'in_progress', 'active']);

/** A job as `follow` needs it. */
export function viewOfExport(job: ExportJob): JobView {
  const { status, progress, updatedAt } = job;
  return { status, phase: phaseOf(status), progress, updatedAt };
}

function phaseOf(status: string): JobView['phase'] {
  if (status === 'completed' || status === 'failed') return 'done';
  if (UNDERWAY.has(status)) return 'running';
  return 'unknown';
}

interface OpenExportInit {
  readonly platform: PlatformClient;
  readonly source: ExportSource;
  /** Which pages are exported; by domain only. */
  readonly selection?: ExportSelection | undefined;
  /** By project only; undefined: the deployment's own. */
  readonly basePath?: BasePath | undefined;
}

/**
 * The revision of the export API that the source asks for. By project, the reply of a completed job
 * carries the link, and progress is not shown; by domain, which every installation has, another
 * endpoint makes the link.
 */
export function openExport(init: OpenExportInit): ExportApi {
  const { platform, source } = init;
  const { domain, projectId } = source;
  const jobs = `/${exportJobs(projectId)}`;
  const call = revisionCaller(init);
  const getJob = async (jobId: string, options: ReadOptions) => {
    const reply = await call(() => platform.getExportJob({ projectId, jobId }, options));
    assertAboutJob(reply.value.jobId, jobId);
    return reply;
  };
  const api: ExportApi = {
    source,
    ofJob(job) {
      if (job === undefined || job.projectId === projectId) return api;
      // Without a selection, which is only for a start: it follows the job of another run.
      return openExport({ platform, source: { domain, projectId: job.projectId } });
    },
    subject: domain ?? (projectId === undefined ? 'the site' : `project ${projectId}`),
    requests: {
      start: () => `POST ${jobs}`,
      link(jobId) {
        if (projectId !== undefined) return `GET ${jobs}/${jobId}`;
        return `POST ${jobs}/${jobId}/bundle`;
      },
    },
    // By project, no job shows progress.
    pollEveryMs: projectId === undefined ? undefined : EVEN_POLL_MS,
    start(options) {
      const started = call(() => platform.startExport(orderOf(init), options));
      return startOnce(api, started);
    },
    async poll(jobId, timeLimitMs) {
      const reply = await getJob(jobId, { timeLimitMs });
      // All but the link, which is a secret.
      const { bundleUrl: _, ...job } = reply.value;
      return { value: job, serverTimeMs: reply.serverTimeMs };
    },
    async link(jobId) {
      if (projectId === undefined) {
        const reply = await call(() => platform.createBundle(jobId));
        assertAboutJob(reply.value.jobId, jobId);
        return reply;
      }
      // By project, the reply about the job has the link.
      const { value, serverTimeMs } = await getJob(jobId, { repeat: 'always' });
      const { bundleUrl, expiresAt, sizeBytes } = value;
      if (bundleUrl === undefined) throw noLink(jobId, value.status, api.requests.link(jobId));
      return { value: { jobId, bundleUrl, expiresAt, sizeBytes }, serverTimeMs };
    },
  };
  return api;
}

/**
 * The API whose errors explain what it means that the platform does not know this job. Requests
 * about other jobs, such as the one to compare with, are left as they are.
 */
export function explainUnknownJob(
  api: ExportApi,
  jobId: string,
  message: string,
  hint: string | Hint,
): ExportApi {
  const explain = <T>(asked: string, call: Promise<T>) => {
    if (asked !== jobId) return call;
    return amended(['not-found'], call, (error) => ({
      message: `${message} ${error.message}`,
      hint,
    }));
  };
  return {
    ...api,
    poll: (asked, timeLimitMs) => explain(asked, api.poll(asked, timeLimitMs)),
    link: (asked) => explain(asked, api.link(asked)),
  };
}

/**
 * What is exported, as the client takes it. Throws `config` if neither project nor domain is given.
 */
function orderOf(init: OpenExportInit): ExportOrder {
  const { domain, projectId } = init.source;
  if (projectId !== undefined) return { projectId, basePath: init.basePath };
  if (domain !== undefined) return { domain, ...init.selection };
  throw configError('domain is missing.');
}

/**
 * What a missing endpoint may mean: `base-url` is wrong, or this installation has only the other
 * revision of the API.
 */
function otherRevisionHint(init: OpenExportInit): Hint {
  const projectId = init.source.projectId;
  if (projectId !== undefined) {
    return {
      text: `Check base-url, and compare project-id (${projectId}) with the API keys page of the platform's dashboard: this request was made by project. If they are right, this platform may export by domain only: then give the site instead of project-id:`,
      inputs: { domain: '' },
    };
  }
  return {
    text: "Check base-url and domain: this request was made by domain. If they are right, this platform may export by project only: leave domain out, and give the id of the project, from the API keys page of the platform's dashboard, if the step does not have it yet:",
    inputs: { 'project-id': '' },
  };
}

/**
 * The error for a job without a link: `job-failed`, or `conflict`, after which the caller asks
 * again for a while.
 */
function noLink(jobId: string, status: string, request: string): CourierError {
  if (status === 'failed') {
    return courierError(
      'job-failed',
      `Export job ${jobId} failed: there is no bundle to make a link for.`,
      'Run an export again: it starts a new job.',
    );
  }
  return courierError(
    'conflict',
    `${request} answered without a link: export job ${jobId} is ${plainLine(status, 40)}.`,
    'Wait until the job has completed, then run again.',
  );
}

/**
 * Makes calls. If the platform answers 404 or 405 before any call has shown that its endpoints
 * exist, the error says that the installation may have only the other revision.
 */
function revisionCaller(init: OpenExportInit): <T>(request: () => Promise<T>) => Promise<T> {
  // A reply has shown that this revision of the API is there.
  let isKnown = false;
  return async (request) => {
    try {
      const value = await request();
      isKnown = true;
      return value;
    } catch (error) {
      if (!isReplyOfApi(error)) throw error;
      // Any other status shows that the endpoint is there.
      if (error.httpStatus !== 404 && error.httpStatus !== 405) isKnown = true;
      if (isKnown || namesBaseUrl(error)) throw error;
      throw error.with({ hint: otherRevisionHint(init) });
    }
  };
}

/**
 * True if the hint of the error says that `base-url` is wrong. That is more certain than that the
 * installation has only the other revision.
 */
function namesBaseUrl(error: CourierError): boolean {
  return typeof error.hint === 'object' && error.hint.inputs?.['base-url'] !== undefined;
}

/** True if the API itself answered: only such a reply shows which endpoints there are. */
function isReplyOfApi(error: unknown): error is CourierError {
  return error instanceof CourierError && error.httpStatus !== undefined && !error.isForeign;
}

/** Throws `protocol` if a reply names another job than the one that was asked for. */
function assertAboutJob(named: unknown, asked: string): void {
  // A reply need not name its job.
  if (named === undefined || named === null || named === asked) return;
  throw protocolError(
    `The platform was asked about export job ${asked} and answered about ${plainLine(String(named), 140)}.`,
    'Run again with export-job-id; if it happens again, report it to the platform.',
  );
}

/**
 * The result of the start call. A 409 is `busy`, with the error to throw if the run does not wait.
 * Of the other failures, a 403 gets advice about what it may mean for a start.
 */
async function startOnce(
  api: ExportApi,
  call: Promise<PlatformReply<ExportJobStarted | ExportJobBusy>>,
): Promise<StartResult> {
  try {
    const { value } = await call;
    if (!('busy' in value)) return { kind: 'started', jobId: value.jobId };
    return { kind: 'busy', jobId: value.busy.jobId, error: runningExportError(api, value.busy) };
  } catch (error) {
    if (!hasCode(error, 'conflict')) throw withStartAdvice(api, error);
    // A 409 whose body does not fit the schema of the busy reply names neither a job nor a reason.
    return { kind: 'busy', jobId: undefined, error: runningExportError(api, {}, error) };
  }
}

/** `conflict`: an export is running already. Names its job if the platform does. */
function runningExportError(
  api: ExportApi,
  busy: ExportJobBusy['busy'],
  cause?: CourierError,
): CourierError {
  const jobId = busy.jobId;
  let jobName = '';
  let whereToFindId = "The platform's dashboard shows its id. ";
  if (jobId !== undefined) {
    jobName = ` (job ${jobId})`;
    whereToFindId = '';
  }
  let platformText = '';
  if (busy.error !== undefined) {
    // Not redacted here: the log and the report hide secrets in every message.
    platformText = ` The platform says: ${foreignText(busy.error, (text) => text)}`;
  }
  return courierError(
    'conflict',
    `An export of ${api.subject} is running already${jobName}: ${api.requests.start()} answered 409.${platformText}`,
    {
      text: `The platform runs one export at a time. Run again when it has finished. ${whereToFindId}To attach to it, which does not start a second export:`,
      // An empty text is shown as a placeholder.
      inputs: { 'export-job-id': jobId ?? '' },
    },
    { httpStatus: 409, cause },
  );
}

/**
 * The error; if it is a 403 of the API, with what this may mean for a start, besides what a 403 may
 * mean for each request.
 */
function withStartAdvice(api: ExportApi, error: unknown): unknown {
  if (!isReplyOfApi(error) || error.httpStatus !== 403) return error;
  // A hint that is an object ends with an example, after which no sentence can follow.
  if (typeof error.hint !== 'string') return error;
  const projectId = api.source.projectId;
  // A project of another organization is answered with 403 too.
  const thanProject =
    projectId === undefined
      ? ''
      : ` than project-id (${projectId}), which the API keys page of the platform's dashboard shows`;
  return error.with({
    hint: `${error.hint} Or the key belongs to another organization${thanProject}; or readers reach ${api.subject} only after a login: such a site cannot be exported.`,
  });
}

interface StartInit extends Work {
  readonly api: ExportApi;
  /**
   * A job that may be the running one, such as the last job of another run. Used if the platform
   * does not name the running job.
   */
  readonly runningJobId?: string | undefined;
  /** How long to wait for a running export; 0: not at all. */
  readonly timeoutMs: number;
}

export interface Started {
  readonly jobId: string;
  /** How long this run waited for another export. */
  readonly waitedMs: number;
}

// How long to wait after a job has ended: the platform may refuse the next start for a moment.
const RELEASE_WAIT_MS = 5000;

/**
 * Starts an export. If another export is running already, waits for its end, within `timeoutMs`,
 * and starts an export then: the other one began before this run's content was published. Throws
 * `conflict` if the id of the other job is not known or the run does not wait, and `timed-out` if
 * the time was too short.
 */
export async function startWhenFree(init: StartInit): Promise<Started> {
  const { api, timeoutMs, clock } = init;
  const startMs = clock.monotonicMs();
  const waitedMs = () => clock.monotonicMs() - startMs;
  for (;;) {
    // With `timeout: 0s` the run waits for nothing but the start, so that the start has no limit.
    const waitLimitMs = timeoutMs > 0 ? timeoutMs - waitedMs() : undefined;
    const outcome = await api.start({ waitLimitMs });
    if (outcome.kind === 'started') return { jobId: outcome.jobId, waitedMs: waitedMs() };
    // Without an id, nothing can be followed; with `timeout: 0s`, nothing is waited for.
    const jobId = outcome.jobId ?? init.runningJobId;
    if (jobId === undefined || timeoutMs <= 0) throw outcome.error;
    // The start itself took the time, or after a wait yet another export had begun before this one.
    if (waitedMs() >= timeoutMs) throw stillRunning(api, jobId, timeoutMs);
    init.log.info(
      `An export of ${api.subject} is running already: job ${jobId}. Waiting for it to end.`,
    );
    await waitForEnd({ ...init, timeoutMs: timeoutMs - waitedMs() }, jobId, outcome.error);
    // `waitForEnd` also returns when the time is up.
    if (waitedMs() >= timeoutMs) throw stillRunning(api, jobId, timeoutMs);
    await clock.sleep(Math.min(RELEASE_WAIT_MS, timeoutMs - waitedMs()), init.signal);
  }
}

/**
 * Follows the running job to its end, within `timeoutMs`. Throws `busy` if the platform has no such
 * job.
 */
async function waitForEnd(init: StartInit, jobId: string, busy: CourierError): Promise<void> {
  try {
    await follow({
      ...init,
      poll: (timeLimitMs) => init.api.poll(jobId, timeLimitMs),
      view: viewOfExport,
      // Another run has started it, so that it may have ended already.
      fresh: false,
      pollEveryMs: init.api.pollEveryMs,
    });
  } catch (error) {
    // The platform has no such job: the id was a guess, and only a person can find the running job.
    if (hasCode(error, 'not-found')) throw busy;
    throw error;
  }
}

function stillRunning(api: ExportApi, jobId: string, timeoutMs: number): CourierError {
  return courierError(
    'timed-out',
    `Export job ${jobId} of ${api.subject} was running already and did not finish within ${writeDuration(timeoutMs)}; no export was started.`,
    {
      text: 'Run again later, or attach to that job, which does not start a second export:',
      inputs: { 'export-job-id': jobId },
    },
  );
}
