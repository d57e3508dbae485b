import { CourierError, configError, type Hint, hasCode, protocolError } from '../errors.ts';
import { foreignText } from '../http/service.ts';
import type { Work } from '../log.ts';
import { writeDuration } from '../text/amounts.ts';
import { plainLine } from '../text/escape.ts';
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
 * it, by domain and by project; which one a run uses follows from its inputs (or from the state of
 * an earlier export), and nothing above this file has to know.
 */

/**
 * What is exported, and with it the revision of the API. It has to be kept with a job's id: a job
 * of a project cannot be polled, nor can a link be made for it, without the project's id.
 */
interface ExportSource {
  /**
   * A host name. By domain: undefined if a job is attached to by its id alone. By project: for
   * people only.
   */
  readonly domain: string | undefined;
  /** Given: the revision by project. */
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
  /** The same platform in the form by this project, or by domain. */
  as(projectId: string | undefined): ExportApi;
  /** The requests as people read them: `POST /v1/static-export/jobs`. */
  readonly requests: { start(): string; link(jobId: string): string };
  /** Never repeated once the platform may have seen it. */
  start(options?: StartOptions): Promise<StartResult>;
  /** The time between polls, if a job never shows progress. */
  readonly pollEveryMs: number | undefined;
  /**
   * One attempt, of at most `timeLimitMs`. The reply is about this job; it never contains the link.
   */
  poll(jobId: string, timeLimitMs?: number): Promise<PlatformReply<ExportJob>>;
  /** A fresh link for a completed job; `conflict` if the job is not completed yet. */
  link(jobId: string): Promise<PlatformReply<ExportBundle>>;
}

// The documented names of a job that has not ended, and common ones besides, so that they need no
// warning.
const UNDERWAY = new Set(['queued', 'pending', 'running', 'processing', 'in_progress', 'active']);

/** A job as `follow` needs it. */
export function viewOfExport(job: ExportJob): JobView {
  const { status, progress, updatedAt } = job;
  let phase: JobView['phase'] = UNDERWAY.has(status) ? 'running' : 'unknown';
  if (status === 'completed' || status === 'failed') phase = 'done';
  return { status, phase, progress, updatedAt };
}

interface OpenExportInit {
  readonly platform: PlatformClient;
  readonly source: ExportSource;
  /** By domain only. */
  readonly selection?: ExportSelection | undefined;
  /** By domain: the project that is published before. */
  readonly publishedProject?: string | undefined;
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
  const first = new FirstCall(init);
  const get = async (jobId: string, options: ReadOptions) => {
    const reply = await first.make(() => platform.getExportJob({ projectId, jobId }, options));
    return sameJob(reply, jobId);
  };
  const api: ExportApi = {
    source,
    as(other) {
      if (other === projectId) return api;
      return openExport({ platform, source: { domain, projectId: other } });
    },
    subject: domain ?? (projectId === undefined ? 'the site' : `project ${projectId}`),
    requests: {
      start: () => `POST ${jobs}`,
      link(jobId) {
        if (projectId !== undefined) return `GET ${jobs}/${jobId}`;
        return `POST ${jobs}/${jobId}/bundle`;
      },
    },
    pollEveryMs: projectId === undefined ? undefined : EVEN_POLL_MS,
    start: (options) =>
      startOnce(
        api,
        first.make(() => platform.startExport(orderOf(init), options)),
      ),
    async poll(jobId, timeLimitMs) {
      const reply = await get(jobId, { timeLimitMs });
      const { bundleUrl: _, ...job } = reply.value;
      return { ...reply, value: job };
    },
    async link(jobId) {
      if (projectId === undefined) {
        return sameJob(await first.make(() => platform.createBundle(jobId)), jobId);
      }
      const { value, serverTimeMs } = await get(jobId, { repeat: 'always' });
      const { bundleUrl, expiresAt, sizeBytes } = value;
      if (bundleUrl === undefined) throw noLink(jobId, value.status, api.requests.link(jobId));
      return { value: { jobId, bundleUrl, expiresAt, sizeBytes }, serverTimeMs };
    },
  };
  return api;
}

function orderOf(init: OpenExportInit): ExportOrder {
  const { domain, projectId } = init.source;
  if (projectId !== undefined) return { projectId, basePath: init.basePath };
  if (domain !== undefined) return { domain, ...init.selection };
  throw configError('domain is missing.');
}

/**
 * What a missing endpoint may mean: `base-url` is wrong, or an installation has only the other
 * form.
 */
function otherForm(init: OpenExportInit): Hint {
  const projectId = init.source.projectId;
  if (projectId !== undefined) {
    return {
      text: `Check base-url, and compare project-id (${projectId}) with the API keys page of the platform's dashboard: this request was made by project. If they are right, this platform may export by domain only: then give the site instead of project-id:`,
      inputs: { domain: '' },
    };
  }
  const text =
    'Check base-url and domain: this request was made by domain. If they are right, this platform may export by project only';
  if (init.publishedProject !== undefined) return { text: `${text}: leave domain out.` };
  return {
    text: `${text}: then give its id, from the API keys page of the platform's dashboard, instead of domain:`,
    inputs: { 'project-id': '' },
  };
}

function noLink(jobId: string, status: string, request: string): CourierError {
  if (status === 'failed') {
    return new CourierError({
      code: 'job-failed',
      message: `Export job ${jobId} failed: there is no bundle to make a link for.`,
      hint: 'Run an export again: it starts a new job.',
    });
  }
  return new CourierError({
    code: 'conflict',
    message: `${request} answered without a link: export job ${jobId} is ${plainLine(status, 40)}.`,
    hint: 'Wait until the job has completed, then run again.',
  });
}

/**
 * Adds what a failure of the first call may mean: an installation may have the other revision only.
 */
class FirstCall {
  readonly #init: OpenExportInit;
  #isDone = false;

  constructor(init: OpenExportInit) {
    this.#init = init;
  }

  async make<T>(call: () => Promise<T>): Promise<T> {
    const wasDone = this.#isDone;
    try {
      const value = await call();
      this.#isDone = true;
      return value;
    } catch (error) {
      if (!isReplyOfApi(error)) throw error;
      // Any other status shows that the endpoint is there.
      if (error.httpStatus !== 404 && error.httpStatus !== 405) this.#isDone = true;
      if (wasDone || this.#isDone || namesBaseUrl(error)) throw error;
      throw error.with({ hint: otherForm(this.#init) });
    }
  }
}

/** The hint says that `base-url` is wrong, which is more than that the other form may be there. */
function namesBaseUrl(error: CourierError): boolean {
  return typeof error.hint === 'object' && error.hint.inputs?.['base-url'] !== undefined;
}

/** Only what the API itself answered says which endpoints it has. */
function isReplyOfApi(error: unknown): error is CourierError {
  return error instanceof CourierError && error.httpStatus !== undefined && !error.isForeign;
}

/** The reply does not have to carry the id; if it does, it must be the one that was asked for. */
function sameJob<T extends { readonly jobId?: unknown }>(
  reply: PlatformReply<T>,
  asked: string,
): PlatformReply<T> {
  const jobId = reply.value.jobId ?? asked;
  if (jobId === asked) return reply;
  throw protocolError(
    `The platform was asked about export job ${asked} and answered about ${plainLine(String(jobId), 140)}.`,
    'Run again with export-job-id; if it happens again, report it to the platform.',
  );
}

/** Makes the start call once; what the platform says of a refused start becomes advice. */
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
    // A 409 whose body says nothing.
    return { kind: 'busy', jobId: undefined, error: runningExportError(api, {}, error) };
  }
}

function runningExportError(
  api: ExportApi,
  busy: ExportJobBusy['busy'],
  cause?: CourierError,
): CourierError {
  const jobId = busy.jobId;
  let which = '';
  let where = '';
  if (jobId === undefined) where = "The platform's dashboard shows its id. ";
  else which = ` (job ${jobId})`;
  let words = '';
  if (busy.error !== undefined) {
    words = ` The platform says: ${foreignText(busy.error, (text) => text)}`;
  }
  return new CourierError({
    code: 'conflict',
    message: `An export of ${api.subject} is running already${which}: ${api.requests.start()} answered 409.${words}`,
    hint: {
      text: `The platform runs one export at a time. Run again when it has finished. ${where}To attach to it, which does not start a second export:`,
      inputs: { 'export-job-id': jobId ?? '' },
    },
    httpStatus: 409,
    cause,
  });
}

/** What a refused start may mean besides what each refused request may mean. */
function withStartAdvice(api: ExportApi, error: unknown): unknown {
  if (!(error instanceof CourierError) || error.httpStatus !== 403 || error.isForeign) return error;
  if (typeof error.hint !== 'string') return error;
  const projectId = api.source.projectId;
  // A project that the organization does not have is answered in the same way.
  const ofProject =
    projectId === undefined
      ? ''
      : ` than project-id (${projectId}), which the API keys page of the platform's dashboard shows`;
  return error.with({
    hint: `${error.hint} Or the key belongs to another organization${ofProject}; or readers reach ${api.subject} only after a login: such a site cannot be exported.`,
  });
}

interface StartInit extends Work {
  readonly api: ExportApi;
  /**
   * A job that may be the running one if the platform's reply names none, such as the last one of
   * another run.
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

// A job that has ended may block the next one for a moment.
const RELEASE_WAIT_MS = 5000;

/**
 * Starts an export. If the platform says that one is running already, waits for that one to end,
 * within `timeoutMs`, and starts then: what is running was begun before this run's content was
 * published. Throws `conflict` if its id is not known, and `timed-out` after waiting.
 */
export async function startWhenFree(init: StartInit): Promise<Started> {
  const { api, timeoutMs, clock } = init;
  const startMs = clock.monotonicMs();
  const waitedMs = () => clock.monotonicMs() - startMs;
  for (;;) {
    // With `timeout: 0s` the start is all that the run waits for.
    const waitLimitMs = timeoutMs > 0 ? timeoutMs - waitedMs() : undefined;
    const outcome = await api.start({ waitLimitMs });
    if (outcome.kind === 'started') return { jobId: outcome.jobId, waitedMs: waitedMs() };
    const jobId = outcome.jobId ?? init.runningJobId;
    if (jobId === undefined || timeoutMs <= 0) throw outcome.error;
    if (waitedMs() >= timeoutMs) throw stillRunning(api, jobId, timeoutMs);
    init.log.info(
      `An export of ${api.subject} is running already: job ${jobId}. Waiting for it to end.`,
    );
    await waitForEnd({ ...init, timeoutMs: timeoutMs - waitedMs() }, jobId, outcome.error);
    if (waitedMs() >= timeoutMs) throw stillRunning(api, jobId, timeoutMs);
    await clock.sleep(Math.min(RELEASE_WAIT_MS, timeoutMs - waitedMs()), init.signal);
  }
}

async function waitForEnd(init: StartInit, jobId: string, busy: CourierError): Promise<void> {
  try {
    await follow({
      ...init,
      poll: (timeLimitMs) => init.api.poll(jobId, timeLimitMs),
      view: viewOfExport,
      fresh: false,
      pollEveryMs: init.api.pollEveryMs,
    });
  } catch (error) {
    // The id was a guess, and the platform does not know it: only people can find the running job.
    if (hasCode(error, 'not-found')) throw busy;
    // Whatever went wrong, this run has started nothing.
    throw error instanceof CourierError ? error.with({ mayHaveStarted: false }) : error;
  }
}

function stillRunning(api: ExportApi, jobId: string, timeoutMs: number): CourierError {
  return new CourierError({
    code: 'timed-out',
    message: `Export job ${jobId} of ${api.subject} was running already and did not finish within ${writeDuration(timeoutMs)}; no export was started.`,
    hint: {
      text: 'Run again later, or attach to that job, which does not start a second export:',
      inputs: { 'export-job-id': jobId },
    },
  });
}
