import type { Delivery, Intent } from '../delivery/delivery.ts';
import type { Rollback } from '../delivery/jobs.ts';
import { isFromFork } from '../github/connection.ts';
import { configError, courierError, hasCode } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { formatInstant } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import { fieldOf, textOf } from '../ground/text/json.ts';
import type {
  ExportInputs,
  PublishInputs,
  RefreshInputs,
  RollbackInputs,
} from '../inputs/inputs.ts';
import { type ExportApi, explainUnknownJob, openExport } from '../platform/export-api.ts';
import type { Deps, Known } from '../run/context.ts';
import type { RunFacts } from '../run/report.ts';
import type { GivenSite } from '../site/given/given.ts';

/**
 * What is known of the export job of a run: the job on the platform that makes an export. A link to
 * its bundle is made from its id, now and later.
 */
export type JobFacts = Known<{
  domain: string;
  jobId: string;
  /** The site that was there already, as people know its path: then there is no job. */
  from: string;
  /** That site may be a stranger's: it is read and reported, and goes nowhere else. */
  fromFork: true;
  /** How far the run has come; undefined: nothing was started, and nothing is being written. */
  stage: PublishStage;
  /**
   * Where the job of an export came from: this run, the input, or an earlier attempt of this run.
   */
  origin: 'started' | 'attached' | 'resumed';
  pageCount: number;
  /** How far the job was when it reported `pageCount`, 0 to 1; undefined: it did not say. */
  countedAt: number;
  /** The export that was live before a rollback. */
  formerJobId: string;
  /** The export that a rollback has replaced by the earlier one that this run refreshes. */
  rolledBackFrom: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
  /** When a refresh will be due, if it is not due yet. */
  dueAt: string;
  /** How long this run followed the job. */
  jobElapsedMs: number;
}>;

/**
 * `starting`: the start was requested, and its reply has not come; `running` and `finished`: the
 * export job; `writing`: some destinations may have the new link; `written`: all of them have it.
 */
type PublishStage = 'starting' | 'running' | 'finished' | 'writing' | 'written';

interface KnownJob {
  /** If the platform does not know the job, its errors say what that means. */
  readonly api: ExportApi;
  /**
   * Why its link is put in place. Its `order` numbers the decisions of all runs: the link of a
   * newer decision is never replaced by that of an older one.
   */
  readonly intent: Intent;
}

/** A job that is started or followed. */
export type RunningJob = KnownJob & {
  readonly origin: 'started' | 'attached' | 'resumed';
  readonly limits: Pick<ExportInputs, 'timeoutMs' | 'onTimeout'>;
} & ({ readonly kind: 'start' } | { readonly kind: 'attach'; readonly jobId: string });

/** The job whose link is published. `reason`: what a rollback did, for the report. */
export type ChosenJob =
  | RunningJob
  /** There is no job: a site that is there already. Its id is that of its content. */
  | (KnownJob & {
      readonly kind: 'given';
      readonly jobId: string;
      readonly site: GivenSite;
      readonly isOfFork: boolean;
    })
  | (KnownJob & { readonly kind: 'finished'; readonly jobId: string; readonly reason?: string });

type Choice = ChosenJob | { readonly kind: 'none'; readonly end: RunFacts };

/** Chooses the job of this run. `none`: there is nothing to publish, and the run ends. */
export async function chooseJob(
  inputs: PublishInputs,
  deps: Deps<JobFacts>,
  delivery: Delivery | undefined,
): Promise<Choice> {
  switch (inputs.mode) {
    case 'export':
      if (inputs.from !== undefined) return takeGiven(inputs.from, deps);
      return chooseExport(inputs, deps, delivery);
    case 'refresh':
      return chooseRefresh(inputs, deps, delivery);
    case 'rollback':
      return chooseJobToRestore(inputs, deps, delivery);
  }
}

/** The site at the path of `from`, in place of a job. */
async function takeGiven(from: string, deps: Deps<JobFacts>): Promise<Choice> {
  const { GivenSite: Site } = await import('../site/given/given.ts');
  const site = await Site.open(from, deps.run, deps.signal);
  deps.log.info(`Read ${site.name}: its files have the digest ${site.id}.`);
  const isOfFork = await mayBeOfFork(deps);
  if (isOfFork) deps.log.warning('A fork may have built this site: do not deploy this copy.');
  deps.record({ from: site.name, fromFork: isOfFork || undefined });
  // No request is made with it.
  const source = { domain: undefined, projectId: undefined };
  const api = openExport({ platform: deps.platform, source });
  return { kind: 'given', api, intent: { kind: 'export' }, jobId: site.id, site, isOfFork };
}

/**
 * The events on which a workflow builds what a branch of the repository itself has. On others, such
 * as `issue_comment`, `status`, `deployment` and `workflow_run`, which strangers can cause, it may
 * build a pull request of anyone.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
const OF_OWN_BRANCH: ReadonlySet<string> = new Set([
  'pull_request',
  'push',
  'release',
  'repository_dispatch',
  'schedule',
  'workflow_dispatch',
]);

/**
 * True for a run, with secrets or without, on an open pull request from a fork, and for one that
 * follows another run, unless that one has built a branch of the repository itself: anything else
 * may have scripts of a stranger.
 */
async function mayBeOfFork({ run, github }: Deps<JobFacts>): Promise<boolean> {
  const { changeRequest } = run;
  if (changeRequest !== undefined) return !changeRequest.isOwn && !changeRequest.isMerged;
  const payload = await github.event();
  if (isFromFork(github.run, payload)) return true;
  const { eventName } = github.run;
  const followed = fieldOf(payload, 'workflow_run');
  // No event: another CI system. Who may merge has put a pull request into the queue.
  if (followed === undefined)
    return !OF_OWN_BRANCH.has(eventName) && !['', 'merge_group'].includes(eventName);
  // `head_repository` is `null` if the fork was deleted since.
  const head = textOf(followed, 'head_repository', 'full_name').toLowerCase();
  const isOwn = head === github.run.repository.toLowerCase();
  return !isOwn || !OF_OWN_BRANCH.has(textOf(followed, 'event'));
}

/**
 * The job of `export-job-id`, else the job that an earlier attempt of this run has started, else a
 * new job.
 */
async function chooseExport(
  inputs: ExportInputs,
  deps: Deps<JobFacts>,
  delivery: Delivery | undefined,
): Promise<Choice> {
  const limits = { timeoutMs: inputs.timeoutMs, onTimeout: inputs.onTimeout };
  const api = openExport({
    platform: deps.platform,
    source: { domain: inputs.domain, projectId: inputs.projectId },
    selection: { version: inputs.exportVersion, paths: inputs.exportPaths },
    basePath: inputs.basePath,
  });
  const jobId = inputs.exportJobId;
  if (jobId !== undefined) {
    const apiOfNamed = apiOfNamedJob(api, jobId, delivery);
    return { kind: 'attach', origin: 'attached', api: apiOfNamed, jobId, intent: NAMED, limits };
  }
  const newJob = {
    kind: 'start',
    origin: 'started',
    api,
    intent: { kind: 'export' },
    limits,
  } as const;
  // What the state says of an export that an earlier attempt of this run has requested.
  const earlier = delivery?.resume();
  if (earlier?.kind !== 'attach') {
    // Such as that an earlier attempt may have started a job whose id is not known.
    if (earlier?.warning !== undefined) deps.log.warning(earlier.warning);
    return newJob;
  }
  const { jobId: earlierId, order } = earlier;
  const apiOfEarlier = api.ofJob(earlier);
  const hasFailed = apiOfEarlier.poll(earlierId).then((reply) => reply.value.status === 'failed');
  if (!(await isUsable(`export job ${earlierId}`, hasFailed, deps.log))) return newJob;
  // Attempts of one run are one decision, so the order of the first one is kept.
  const intent = { kind: 'export', order } as const;
  return { kind: 'attach', origin: 'resumed', api: apiOfEarlier, jobId: earlierId, intent, limits };
}

const NAMED = { kind: 'named' } as const;

/**
 * True if what an earlier attempt of this run started should be followed: it has not failed, and
 * still exists. True also if the platform cannot be asked for the moment. Logs what was decided.
 * `job`: such as `export job 12`. `hasFailed`: what the platform answers about it.
 */
export async function isUsable(
  job: string,
  hasFailed: Promise<boolean>,
  log: Log,
): Promise<boolean> {
  const why = await whyUnusable(hasFailed);
  if (why !== undefined) {
    log.info(`The ${job} of an earlier attempt ${why}; starting a new one.`);
    return false;
  }
  log.info(
    `An earlier attempt of this run started ${job}: following it. Another one needs a new run.`,
  );
  return true;
}

/** Why a job cannot be followed, as the end of a sentence; undefined: it can, or may be able to. */
async function whyUnusable(hasFailed: Promise<boolean>): Promise<string | undefined> {
  try {
    return (await hasFailed) ? 'failed' : undefined;
  } catch (error) {
    if (hasCode(error, 'not-found')) return 'no longer exists';
    // The platform cannot be asked for the moment: following the job asks it again.
    if (hasCode(error, 'network', 'rate-limited', 'protocol')) return undefined;
    throw error;
  }
}

/** The job of the input, else the live job. `none`: there is no job, or its link is not due yet. */
function chooseRefresh(
  inputs: RefreshInputs,
  deps: Deps<JobFacts>,
  delivery: Delivery | undefined,
): Choice {
  const isNamed = inputs.exportJobId !== undefined;
  // Such as on a schedule that begins before the first export.
  const whyNoExport = delivery?.withoutExport;
  if (!isNamed && inputs.ifNoState === 'skip' && whyNoExport !== undefined) {
    // A destination that could not be read may have an export.
    delivery?.assertComplete();
    const reason = `${whyNoExport}, and if-no-state is skip`;
    return { kind: 'none', end: { status: 'skipped', reason } };
  }
  const { jobId, state } = refreshedJob(inputs.exportJobId, delivery);
  deps.record({ jobId, domain: state?.domain });
  const isLiveJob = state?.jobId === jobId;
  if (isLiveJob) deps.record({ rolledBackFrom: state.rollback?.from });
  // A person names another job than the live one: its link replaces that of the live one.
  else deps.record({ formerJobId: state?.jobId });
  // undefined: a fresh link is due.
  const goodUntil = delivery?.goodUntil(jobId, inputs.refreshBeforeMs);
  if (goodUntil !== undefined) {
    const dueAt = new Date(goodUntil.getTime() - inputs.refreshBeforeMs);
    const reason = `The stored link works until ${formatInstant(goodUntil)}; a fresh one is due from ${formatInstant(dueAt)}`;
    deps.record({ expiresAt: goodUntil.toISOString(), dueAt: dueAt.toISOString() });
    // A destination that could not be read fails the run, although no link is written.
    delivery?.assertComplete();
    // A dry run lists what would be written: nothing.
    const planned = inputs.dryRun ? [] : undefined;
    return { kind: 'none', end: { status: 'completed', reason, planned } };
  }
  const source = { domain: state?.domain, projectId: inputs.projectId ?? state?.projectId };
  const api = openExport({ platform: deps.platform, source });
  // If the platform does not know a named job, its id may be wrong; a job of the state was there.
  if (isNamed)
    return { kind: 'finished', api: apiOfNamedJob(api, jobId, delivery), jobId, intent: NAMED };
  const apiOfLive = api.ofJob(delivery?.formOf(jobId));
  return {
    kind: 'finished',
    api: explainUnknownJob(apiOfLive, jobId, noLonger(jobId), LOST_JOB),
    jobId,
    // The link is new, the decision for this job is not: a newer decision of another run stays.
    intent: { kind: 'refresh', order: state?.jobOrder ?? OLDEST_ORDER },
  };
}

/** The order of a job whose state names none: any other decision is newer. */
const OLDEST_ORDER = 0;

/**
 * The job to refresh: that of the input, else the live one. `state`: that of the destination, which
 * may have another job if a person names one; undefined: there is no destination or no state.
 */
function refreshedJob(named: string | undefined, delivery: Delivery | undefined) {
  if (named !== undefined) return { jobId: named, state: delivery?.state };
  // The inputs of a refresh name a job or a destination, so this is only for the compiler.
  if (delivery === undefined) throw configError('export-job-id or to is missing.');
  // Throws if no state names a live job.
  const state = delivery.storedJob();
  return { jobId: state.jobId, state };
}

/**
 * The job that a rollback restores: that of the input, else the export before the live one. The
 * platform must still have it, unless only an image is restored. Later refreshes renew this job; an
 * export that was requested before does not replace it.
 */
async function chooseJobToRestore(
  inputs: RollbackInputs,
  deps: Deps<JobFacts>,
  delivery: Delivery | undefined,
): Promise<Choice> {
  // The inputs of a rollback always have a destination, so this is only for the compiler.
  if (delivery === undefined) throw configError('to is missing.');
  const rollback = delivery.rollbackTo(inputs.exportJobId);
  const { state, from } = rollback;
  const jobId = rollback.export.job;
  deps.record({ jobId, formerJobId: from, domain: state.domain, pageCount: rollback.export.pages });
  deps.log.info(rollbackText(rollback));
  const source = { domain: state.domain, projectId: inputs.projectId ?? state.projectId };
  const opened = openExport({ platform: deps.platform, source });
  const api = explainUnknownJob(
    opened.ofJob(delivery?.formOf(jobId)),
    jobId,
    `${noLonger(jobId)} Nothing was written; what was live stays live.`,
    `${OTHER_EXPORT} Or export an earlier version of the content.`,
  );
  // An image that the history names is restored from the registry, without the platform.
  const isOnlyImage = !delivery.needsLink && delivery.imageOf(jobId) !== undefined;
  if (!isOnlyImage) await assertFinished(api, jobId, deps.log);
  let reason = `Export job ${jobId} is live`;
  if (from !== undefined) reason += ` again, instead of ${from}`;
  const intent = rollbackIntent(rollback, inputs.exportJobId);
  return { kind: 'finished', api, jobId, intent, reason };
}

/** Why the link of the restored job is put in place. `named`: the job that the input names. */
function rollbackIntent({ isContinued, from, state }: Rollback, named: string | undefined): Intent {
  // An earlier attempt or run has made the decision: its order is in the state.
  if (isContinued) return { kind: 'rollback', from, order: state.jobOrder ?? OLDEST_ORDER };
  // Only a job that a person names may replace one that a newer run has put in place.
  return { kind: named === undefined ? 'rollback' : 'named', from };
}

/** What the log says as a rollback begins. */
function rollbackText({ from, isContinued, isKnownToDiffer, export: restored }: Rollback): string {
  if (isContinued)
    return `Finishing the rollback to export job ${restored.job}, which an earlier attempt or run began.`;
  let text = 'Rolling back';
  if (from !== undefined) text += ` from export job ${from}`;
  text += ` to ${restored.job}`;
  if (restored.at !== undefined) text += `, which was first live at ${restored.at}`;
  if (isKnownToDiffer) return `${text}.`;
  return `${text}. Whether its content differs from that of the live one is not known.`;
}

const OTHER_EXPORT =
  'Name another export with export-job-id; the summary lists those that were live.';

/**
 * Throws if the platform does not have the finished job: it does not say for how long it keeps
 * jobs.
 */
async function assertFinished(api: ExportApi, jobId: string, log: Log): Promise<void> {
  const { status } = (await api.poll(jobId)).value;
  if (status === 'completed') return;
  throw courierError(
    status === 'failed' ? 'job-failed' : 'conflict',
    `Export job ${jobId} is not finished: its status is ${plainLine(log.redact(status), 40)}. Nothing was written; what was live stays live.`,
    OTHER_EXPORT,
  );
}

function noLonger(jobId: string): string {
  return `The platform no longer knows export job ${jobId}.`;
}

const LOST_JOB =
  'Run an export again: it makes a new job and stores it. Or roll back to an earlier export with mode: rollback.';

/**
 * The API for the job of `export-job-id`. If the platform does not know the job, its reply does not
 * show which id in the inputs is wrong, so the error names all.
 */
function apiOfNamedJob(api: ExportApi, jobId: string, delivery: Delivery | undefined): ExportApi {
  const apiOfNamed = api.ofJob(delivery?.formOf(jobId));
  const { projectId } = apiOfNamed.source;
  const message = `The platform does not know the export job "${jobId}" of export-job-id`;
  const copyId =
    'Copy export-job-id from the log or the job-id output of the run that started the export';
  // By project, a job is found only with the project that it exports.
  if (projectId !== undefined) {
    return explainUnknownJob(
      apiOfNamed,
      jobId,
      `${message} in the project "${projectId}" of project-id.`,
      `${copyId}, and project-id from the API keys page of the platform's dashboard; that run must have exported the same project.`,
    );
  }
  const text = `${copyId}. If that run exported by project, leave domain out, and give the project if the step does not have it yet:`;
  // A placeholder is shown for the empty text.
  const hint = { text, inputs: { 'project-id': '' } };
  return explainUnknownJob(apiOfNamed, jobId, `${message}.`, hint);
}
