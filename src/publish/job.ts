import { CourierError, hasCode } from '../errors.ts';
import type {
  ExportInputs,
  PublishInputs,
  RefreshInputs,
  RollbackInputs,
} from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import { type ExportApi, type ExportSource, openExport } from '../platform/export-api.ts';
import type { Deps } from '../run/context.ts';
import type { RunFacts } from '../run/report.ts';
import { formatInstant } from '../text/amounts.ts';
import { plainLine } from '../text/escape.ts';
import type { ProgressPoint } from './progress.ts';
import type { Delivery, Intent } from './state/delivery.ts';
import type { StateRecord } from './state/state.ts';

/** What is known of the export job of a run. */
export interface JobFacts {
  readonly domain?: string | undefined;
  readonly jobId?: string | undefined;
  /** How far the run has come; undefined: nothing was started, and nothing is being written. */
  readonly stage?: PublishStage | undefined;
  /**
   * Where the job of an export came from: this run, the input, or an earlier attempt of this run.
   */
  readonly origin?: 'started' | 'attached' | 'resumed' | undefined;
  readonly pageCount?: number | undefined;
  /** Of a rollback: the export that was live before. */
  readonly formerJobId?: string | undefined;
  /**
   * Of a refresh: the live export is an earlier one, which a rollback put back instead of this one.
   */
  readonly rolledBackFrom?: string | undefined;
  /** ISO 8601, UTC. */
  readonly expiresAt?: string | undefined;
  /** Of a refresh: when a fresh link will be due, if it is not yet. */
  readonly dueAt?: string | undefined;
  /** How long this run followed the job. */
  readonly jobElapsedMs?: number | undefined;
  readonly progress?: readonly ProgressPoint[] | undefined;
}

/**
 * `starting`: the start was requested, and its reply has not come; `running` and `finished`: the
 * export job; `writing`: some destinations may have the new link; `written`: all of them have it.
 */
type PublishStage = 'starting' | 'running' | 'finished' | 'writing' | 'written';

interface KnownJob {
  readonly api: ExportApi;
  /** Why its link is put in place. */
  readonly intent: Intent;
  /** The export job that a rollback replaces. */
  readonly replacedJobId?: string | undefined;
  /** Of a rollback, for the report. */
  readonly reason?: string | undefined;
  /** What it means that the platform does not know the job. */
  readonly ifUnknown?: Pick<CourierError, 'message' | 'hint'> | undefined;
}

interface JobToFollow extends KnownJob {
  readonly origin: 'started' | 'attached' | 'resumed';
  readonly limits: Pick<ExportInputs, 'timeoutMs' | 'onTimeout'>;
}

/** A job that is started or followed. */
export type RunningJob = JobToFollow &
  ({ readonly kind: 'start' } | { readonly kind: 'attach'; readonly jobId: string });

/** The job whose link is published. */
export type ChosenJob =
  | RunningJob
  | (KnownJob & { readonly kind: 'finished'; readonly jobId: string });

type Choice = ChosenJob | { readonly kind: 'none'; readonly end: RunFacts };

interface Choosing {
  readonly deps: Deps<JobFacts>;
  readonly delivery: Delivery | undefined;
}

/**
 * The API in the form in which a job was started, whatever `project-id` says now; as given if no
 * history names the job.
 */
export function apiOfJob(api: ExportApi, jobId: string, delivery: Delivery | undefined): ExportApi {
  const form = delivery?.formOf(jobId);
  return form === undefined ? api : api.as(form.projectId);
}

/** A request about the job: if the platform does not know it, the error says what that means. */
export async function asking<T>(
  { ifUnknown }: Pick<KnownJob, 'ifUnknown'>,
  request: Promise<T>,
): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (ifUnknown === undefined || !hasCode(error, 'not-found')) throw error;
    throw error.with({ ...ifUnknown, message: `${ifUnknown.message} ${error.message}` });
  }
}

/** Chooses the job of this run. `none`: there is nothing to publish, and the run ends. */
export async function chooseJob(inputs: PublishInputs, choosing: Choosing): Promise<Choice> {
  switch (inputs.mode) {
    case 'export':
      return chooseExport(inputs, choosing);
    case 'refresh':
      return chooseRefresh(inputs, choosing);
    case 'rollback':
      return chooseJobToRestore(inputs, choosing);
  }
}

/**
 * The job of the input, else the one that an earlier attempt of this run has started, else a new
 * one.
 */
async function chooseExport(inputs: ExportInputs, { deps, delivery }: Choosing): Promise<Choice> {
  const {
    domain,
    projectId,
    exportVersion: version,
    exportPaths: paths,
    basePath,
    exportJobId,
  } = inputs;
  const [source, selection] = [
    { domain, projectId },
    { version, paths },
  ];
  const { projectId: publishedProject } = inputs.content;
  const api = openExport({
    platform: deps.platform,
    source,
    selection,
    basePath,
    publishedProject,
  });
  const common = { api, intent: { kind: 'export' }, limits: inputs } as const;
  const start = { ...common, kind: 'start', origin: 'started' } as const;
  if (exportJobId !== undefined) {
    const named = apiOfJob(api, exportJobId, delivery);
    const ifUnknown = unknownJob(exportJobId, named.source);
    const intent = { kind: 'named' } as const;
    return {
      ...common,
      api: named,
      intent,
      kind: 'attach',
      origin: 'attached',
      jobId: exportJobId,
      ifUnknown,
    };
  }
  const resume = delivery?.resume();
  if (resume === undefined || resume.kind === 'start') {
    if (resume?.warning !== undefined) deps.log.warning(resume.warning);
    return start;
  }
  const { jobId, order } = resume;
  const own = api.as(resume.projectId);
  const hasFailed = async () => (await own.poll(jobId)).value.status === 'failed';
  const attaches = await isUsable(`export job ${jobId}`, hasFailed, deps.log);
  if (!attaches) return start;
  return {
    ...common,
    api: own,
    intent: { kind: 'export', order },
    kind: 'attach',
    origin: 'resumed',
    jobId,
  };
}

/**
 * Whether what an earlier attempt of this run started is worth following: unless it failed or no
 * longer exists, when the user wants another. What cannot be asked for a moment may be there.
 */
export async function isUsable(
  what: string,
  hasFailed: () => Promise<boolean>,
  log: Log,
): Promise<boolean> {
  const why = await hasFailed().then(
    (failed) => (failed ? 'failed' : undefined),
    (error: unknown) => {
      if (hasCode(error, 'not-found')) return 'no longer exists';
      if (hasCode(error, 'network', 'rate-limited', 'protocol')) return undefined;
      throw error;
    },
  );
  log.info(
    why === undefined
      ? `An earlier attempt of this run started ${what}: following it. Another one needs a new run.`
      : `The ${what} of an earlier attempt ${why}; starting a new one.`,
  );
  return why === undefined;
}

/** The job whose link is stored, if that expires soon. A job that a person names is due at once. */
function chooseRefresh(inputs: RefreshInputs, { deps, delivery }: Choosing): Choice {
  const { exportJobId, ifNoState, refreshBeforeMs } = inputs;
  const nothing = delivery?.withoutExport;
  if (exportJobId === undefined && ifNoState === 'skip' && nothing !== undefined) {
    return {
      kind: 'none',
      end: { status: 'skipped', reason: `${nothing}, and if-no-state is skip` },
    };
  }
  const { jobId, intent, state } = refreshedJob(exportJobId, delivery);
  const rolledBackFrom = state?.jobId === jobId ? state.rollback?.from : undefined;
  const formerJobId = state?.jobId === jobId ? undefined : state?.jobId;
  deps.record({ jobId, domain: state?.domain, rolledBackFrom, formerJobId });
  const goodUntil = delivery?.goodUntil(jobId, refreshBeforeMs);
  if (goodUntil !== undefined) {
    const dueAt = new Date(goodUntil.getTime() - refreshBeforeMs);
    const reason = `The stored link works until ${formatInstant(goodUntil)}; a fresh one is due from ${formatInstant(dueAt)}`;
    deps.record({ expiresAt: goodUntil.toISOString(), dueAt: dueAt.toISOString() });
    delivery?.assertComplete();
    return {
      kind: 'none',
      end: { status: 'completed', reason, planned: inputs.dryRun ? [] : undefined },
    };
  }
  const source = { domain: state?.domain, projectId: inputs.projectId ?? state?.projectId };
  const api = apiOfJob(openExport({ platform: deps.platform, source }), jobId, delivery);
  const isNamed = exportJobId !== undefined;
  const ifUnknown = isNamed
    ? unknownJob(jobId, api.source)
    : { message: noLonger(jobId), hint: LOST_JOB };
  return { kind: 'finished', api, jobId, intent, ifUnknown };
}

interface Refreshed {
  readonly jobId: string;
  readonly intent: Intent;
  readonly state: StateRecord | undefined;
}

function refreshedJob(exportJobId: string | undefined, delivery: Delivery | undefined): Refreshed {
  if (exportJobId !== undefined)
    return { jobId: exportJobId, intent: { kind: 'named' }, state: delivery?.state };
  if (delivery === undefined)
    throw new CourierError({ code: 'config', message: 'export-job-id or to is missing.' });
  const state = delivery.storedJob();
  return { jobId: state.jobId, intent: { kind: 'refresh', order: state.jobOrder ?? 0 }, state };
}

/**
 * The export before the live one, or the one that is named. If only an image goes back, the
 * platform is not asked; else the job and its files must still be there. Refreshes then renew this
 * job; an export that is requested later replaces it, one from before does not.
 */
async function chooseJobToRestore(
  inputs: RollbackInputs,
  { deps, delivery }: Choosing,
): Promise<Choice> {
  if (delivery === undefined) throw new CourierError({ code: 'config', message: 'to is missing.' });
  const earlier = delivery.rollbackTo(inputs.exportJobId);
  const { from, isContinued, isOther, state } = earlier;
  const { job: jobId, pages, at } = earlier.export;
  const { domain } = state;
  deps.record({ jobId, formerJobId: from, domain, pageCount: pages });
  const source = { domain, projectId: inputs.projectId ?? state.projectId };
  const api = apiOfJob(openExport({ platform: deps.platform, source }), jobId, delivery);
  const reason =
    from === undefined
      ? `Export job ${jobId} is live`
      : `Export job ${jobId} is live again, instead of ${from}`;
  const since = at === undefined ? '' : `, which was first live at ${at}`;
  deps.log.info(
    isContinued
      ? `Finishing the rollback to export job ${jobId}, which an earlier attempt or run began.`
      : `Rolling back${from === undefined ? '' : ` from export job ${from}`} to ${jobId}${since}.${isOther ? '' : UNKNOWN_CONTENT}`,
  );
  const kind = inputs.exportJobId === undefined ? 'rollback' : 'named';
  const intent = isContinued
    ? ({ kind: 'rollback', from, order: state.jobOrder ?? 0 } as const)
    : ({ kind, from } as const);
  const message = `${noLonger(jobId)} Nothing was written; what was live stays live.`;
  const ifUnknown = {
    message,
    hint: `${OTHER_EXPORT} Or export an earlier version of the content.`,
  };
  const job = {
    kind: 'finished',
    api,
    jobId,
    replacedJobId: from,
    intent,
    reason,
    ifUnknown,
  } as const;
  if (delivery.needsLink || delivery.imageOf(jobId) === undefined) await assertFinished(job, deps);
  return job;
}

const UNKNOWN_CONTENT = ' Whether its content differs from that of the live one is not known.';

const OTHER_EXPORT =
  'Name another export with export-job-id; the summary lists those that were live.';

/** The platform keeps jobs and their files, but does not say for how long. */
async function assertFinished(
  job: ChosenJob & { kind: 'finished' },
  { log }: Choosing['deps'],
): Promise<void> {
  const { api, jobId } = job;
  const { status } = (await asking(job, api.poll(jobId))).value;
  if (status === 'completed') return;
  throw new CourierError({
    code: status === 'failed' ? 'job-failed' : 'conflict',
    message: `Export job ${jobId} is not finished: its status is ${plainLine(log.redact(status), 40)}. Nothing was written; what was live stays live.`,
    hint: OTHER_EXPORT,
  });
}

function noLonger(jobId: string): string {
  return `The platform no longer knows export job ${jobId}.`;
}

const LOST_JOB =
  'Run an export again: it makes a new job and stores it. Or roll back to an earlier export with mode: rollback. The stored link keeps working until it expires.';

/**
 * The job of `export-job-id`: which of the ids in the inputs is wrong does not show in the reply,
 * so all are named.
 */
function unknownJob(jobId: string, { projectId }: ExportSource): KnownJob['ifUnknown'] {
  const message = `The platform does not know the export job "${jobId}" of export-job-id`;
  const text =
    'Copy export-job-id from the log or the job-id output of the run that started the export';
  if (projectId === undefined) {
    const way = `${text}. If that run exported by project, give the project instead of domain:`;
    return { message: `${message}.`, hint: { text: way, inputs: { 'project-id': '' } } };
  }
  return {
    message: `${message} in the project "${projectId}" of project-id.`,
    hint: `${text}, and project-id from the API keys page of the platform's dashboard; that run must have exported the same project.`,
  };
}
