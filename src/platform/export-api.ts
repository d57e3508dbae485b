import { CourierError, type Hint, hasCode } from '../errors.ts';
import { foreignText } from '../http/service.ts';
import type { Work } from '../log.ts';
import { writeDuration } from '../text/amounts.ts';
import { plainLine } from '../text/escape.ts';
import type {
  ExportOrder,
  ExportSelection,
  PlatformClient,
  PlatformReply,
  ReadOptions,
  StartOptions,
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
const UNDERWAY: ReadonlySet<string> = new Set([
  'queued',
  'pending',
  'running',
  'processing',
  'in_progress',
  'active',
]);

/** A job as `follow` needs it. */
export function viewOfExport({ status, progress, updatedAt }: ExportJob): JobView {
  return { status, phase: phaseOfExport(status), progress, updatedAt };
}

function phaseOfExport(status: string): JobView['phase'] {
  if (status === 'completed' || status === 'failed') return 'done';
  return UNDERWAY.has(status) ? 'running' : 'unknown';
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
  const jobs = `/v1/static-export/${projectId === undefined ? '' : `${projectId}/`}jobs`;
  const first = firstCall(otherForm(init));
  const get = async (jobId: string, options: ReadOptions) =>
    sameJob(await first(() => platform.getExportJob({ projectId, jobId }, options)), jobId);
  const api: ExportApi = {
    source,
    as: (other) =>
      other === projectId ? api : openExport({ platform, source: { domain, projectId: other } }),
    subject: domain ?? (projectId === undefined ? 'the site' : `project ${projectId}`),
    requests: {
      start: () => `POST ${jobs}`,
      link: (jobId) =>
        projectId === undefined ? `POST ${jobs}/${jobId}/bundle` : `GET ${jobs}/${jobId}`,
    },
    pollEveryMs: projectId === undefined ? undefined : EVEN_POLL_MS,
    start: async (options) =>
      startOnce(api, () => first(() => platform.startExport(orderOf(init), options))),
    async poll(jobId, timeLimitMs) {
      const reply = await get(jobId, { timeLimitMs });
      const { bundleUrl: _, sizeBytes: __, expiresAt: ___, ...job } = reply.value;
      return { ...reply, value: job };
    },
    async link(jobId) {
      if (projectId === undefined)
        return sameJob(await first(() => platform.createBundle(jobId)), jobId);
      const { value, serverTime } = await get(jobId, { repeat: 'always' });
      const { bundleUrl, expiresAt, sizeBytes, status } = value;
      if (bundleUrl === undefined) throw noLink(jobId, status, api.requests.link(jobId));
      return { value: { jobId, bundleUrl, expiresAt, sizeBytes }, serverTime };
    },
  };
  return api;
}

function orderOf({
  source: { domain, projectId },
  selection,
  basePath,
}: OpenExportInit): ExportOrder {
  if (projectId !== undefined) return { projectId, basePath };
  if (domain !== undefined) return { domain, ...selection };
  throw new CourierError({ code: 'config', message: 'domain is missing.' });
}

/**
 * What a missing endpoint may mean: `base-url` is wrong, or an installation has only the other
 * form.
 */
function otherForm({ source: { projectId }, publishedProject }: OpenExportInit): Hint {
  if (projectId !== undefined) {
    return {
      text: `Check base-url, and compare project-id (${projectId}) with the API keys page of the platform's dashboard: this request was made by project. If they are right, this platform may export by domain only: then give the site instead of project-id:`,
      inputs: { domain: '' },
    };
  }
  const text =
    'Check base-url and domain: this request was made by domain. If they are right, this platform may export by project only';
  if (publishedProject !== undefined) return { text: `${text}: leave domain out.` };
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
function firstCall(other: Hint): <T>(call: () => Promise<T>) => Promise<T> {
  let isFirst = true;
  return async (call) => {
    const wasFirst = isFirst;
    try {
      const value = await call();
      isFirst = false;
      return value;
    } catch (error) {
      if (!isReplyOfApi(error)) throw error;
      const isThere = error.httpStatus !== 404 && error.httpStatus !== 405;
      // Any other status shows that the endpoint is there.
      if (isThere) isFirst = false;
      throw wasFirst && !isThere ? explainMissing(error, other) : error;
    }
  };
}

/** An endpoint that is not there: the other form may be, unless `base-url` is known to be wrong. */
function explainMissing(error: CourierError, other: Hint): CourierError {
  const isExplained =
    typeof error.hint === 'object' && error.hint.inputs?.['base-url'] !== undefined;
  return isExplained ? error : error.with({ hint: other });
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
  const { jobId } = reply.value;
  if (jobId === undefined || jobId === null || jobId === asked) return reply;
  throw new CourierError({
    code: 'protocol',
    message: `The platform was asked about export job ${asked} and answered about ${plainLine(String(jobId), 140)}.`,
    hint: 'Run again with export-job-id; if it happens again, report it to the platform.',
  });
}

/** Makes the start call once; what the platform says of a refused start becomes advice. */
async function startOnce(
  api: ExportApi,
  call: () => Promise<PlatformReply<ExportJobStarted | ExportJobBusy>>,
): Promise<StartResult> {
  try {
    const { value } = await call();
    if (!('busy' in value)) return { kind: 'started', jobId: value.jobId };
    return { kind: 'busy', jobId: value.busy.jobId, error: runningExportError(api, value.busy) };
  } catch (error) {
    // A 409 whose body says nothing.
    if (hasCode(error, 'conflict'))
      return { kind: 'busy', jobId: undefined, error: runningExportError(api, {}, error) };
    throw withStartAdvice(api, error);
  }
}

function runningExportError(
  api: ExportApi,
  { error, jobId }: ExportJobBusy['busy'],
  cause?: CourierError,
): CourierError {
  const which = jobId === undefined ? '' : ` (job ${jobId})`;
  const words =
    error === undefined ? '' : ` The platform says: ${foreignText(error, (text) => text)}`;
  const where = jobId === undefined ? "The platform's dashboard shows its id. " : '';
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

// A project that the organization does not have is answered in the same way.
function ofProject({ source }: ExportApi): string {
  return source.projectId === undefined
    ? ''
    : ` than project-id (${source.projectId}), which the API keys page of the platform's dashboard shows`;
}

/** What a refused start may mean besides what each refused request may mean. */
function withStartAdvice(api: ExportApi, error: unknown): unknown {
  if (!(error instanceof CourierError) || error.httpStatus !== 403 || error.isForeign) return error;
  if (typeof error.hint !== 'string') return error;
  return error.with({
    hint: `${error.hint} Or the key belongs to another organization${ofProject(api)}; or readers reach ${api.subject} only after a login: such a site cannot be exported.`,
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
export async function startWhenFree({
  api,
  runningJobId,
  timeoutMs,
  clock,
  log,
  signal,
}: StartInit): Promise<Started> {
  const startMs = clock.monotonicMs();
  const waitedMs = () => clock.monotonicMs() - startMs;
  for (;;) {
    // With `timeout: 0s` the start is all that the run waits for.
    const waitLimitMs = timeoutMs > 0 ? timeoutMs - waitedMs() : undefined;
    const outcome = await api.start({ waitLimitMs });
    if (outcome.kind === 'started') return { jobId: outcome.jobId, waitedMs: waitedMs() };
    const jobId = outcome.jobId ?? runningJobId;
    if (jobId === undefined || timeoutMs <= 0) throw outcome.error;
    if (waitedMs() >= timeoutMs) throw stillRunning(api, jobId, timeoutMs);
    log.info(
      `An export of ${api.subject} is running already: job ${jobId}. Waiting for it to end.`,
    );
    await waitForEnd(
      { api, jobId, timeoutMs: timeoutMs - waitedMs(), clock, log, signal },
      outcome.error,
    );
    if (waitedMs() >= timeoutMs) throw stillRunning(api, jobId, timeoutMs);
    await clock.sleep(Math.min(RELEASE_WAIT_MS, timeoutMs - waitedMs()), signal);
  }
}

interface Waiting extends Omit<StartInit, 'runningJobId'> {
  readonly jobId: string;
}

async function waitForEnd({ api, jobId, ...time }: Waiting, busy: CourierError): Promise<void> {
  try {
    const { pollEveryMs } = api;
    const poll = (timeLimitMs: number) => api.poll(jobId, timeLimitMs);
    await follow({ ...time, poll, view: viewOfExport, fresh: false, pollEveryMs });
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
