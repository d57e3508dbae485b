import type { AppReport, CiRun } from '../../ci/port.ts';
import { checkMayWrite, whyNotOfPublisher } from '../../ci/rights.ts';
import { commitOf } from '../../delivery/change.ts';
import type { Delivery } from '../../delivery/delivery.ts';
import type { PublishedCommit, RunContent } from '../../delivery/state.ts';
import { configError, courierError, type Hint } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { ChosenJob } from '../../job/job.ts';
import type { Context, Deps } from '../../run/context.ts';
import type { RunFacts } from '../../run/report.ts';
import { type ContentFacts, isCommit, publishedSentence, shortCommit } from './summary.ts';

type ContentInputs = ExportInputs['content'];

/**
 * Events that the platform causes when it publishes: a run that publishes on such an event would
 * start itself endlessly.
 */
const CAUSED = ['deployment', 'deployment_status', 'check_run', 'check_suite', 'status'];
/** States that the platform reports while it publishes. */
const UNDERWAY = ['queued', 'requested', 'waiting', 'pending', 'in_progress'];

/**
 * Checks, before anything is sent, that this run may publish on its event. Gives the end of the run
 * if the event says that the platform has only begun to publish; undefined: the run continues.
 */
export function checkContent(content: ContentInputs, run: CiRun): RunFacts | undefined {
  if (content.publish) {
    assertNotCaused('publish: true', run.eventName);
    checkMayWrite(run);
    return undefined;
  }
  const report = run.appReport;
  // What any other App reports says nothing about the site.
  if (report === undefined || !isOfPublisher(content, report)) return undefined;
  if (report.state === 'success') return undefined;
  const subject = `${report.source} of ${report.app}, for commit ${shortCommit(report.sha)}`;
  const state = plainLine(report.state, 40);
  if (UNDERWAY.includes(report.state))
    return { status: 'skipped', reason: `Not published yet: ${subject}, is ${state}` };
  throw courierError(
    'job-failed',
    `Not published: ${subject}, ended as ${state}. No export was started.`,
    "Open the platform's dashboard, or the checks of the commit, and correct the documentation. What was live is still live.",
  );
}

/** True if the report is of the GitHub App that the input `publisher` names. */
function isOfPublisher({ publisher }: ContentInputs, report: AppReport): boolean {
  return publisher !== undefined && whyNotOfPublisher(report, publisher) === undefined;
}

/** Throws on an event that publishing causes. `step`: what publishes, such as `publish: true`. */
export function assertNotCaused(step: string, eventName = ''): void {
  if (!CAUSED.includes(eventName)) return;
  throw configError(
    `${step} cannot run on the event ${eventName}: publishing causes this event, so the workflow would start itself endlessly. Nothing was sent.`,
    'Run on push. A run that exports what the GitHub App of the platform has published names it with publisher.',
  );
}

/**
 * Gives the run. If a report of the publisher, a GitHub App, has started it, and so one of a success
 * (see `checkContent`), that report then says also whether the commit is on the default branch.
 * Throws `forbidden` if GitHub does not say it; `refused` on a check run if the App makes
 * deployments, as its checks may be about anything, and on a re-run if the deployment of the report
 * is not the live one any more.
 */
export async function confirmReport(
  content: ContentInputs | undefined,
  { run, github }: Context,
): Promise<CiRun> {
  const report = run.appReport;
  if (report === undefined || content === undefined) return run;
  // GitHub can only be asked about a whole hash and a branch. A commit that it has not confirmed
  // does not count as published.
  const isComplete = isCommit(report.sha) && report.defaultBranch !== '';
  if (!isComplete || !isOfPublisher(content, report)) return run;
  const { isOnBranch } = await import('./commits.ts');
  const { makesDeployments, whyNotLive } = await import('./deployments.ts');
  if (
    run.eventName === 'check_run' &&
    (await makesDeployments(report.app, content.token, github))
  ) {
    throw courierError(
      'refused',
      `The run on check_run may not publish: ${report.app} makes deployments, so a check run does not show that the site was published.`,
      'Run the workflow on deployment_status.',
    );
  }
  // A re-run has the event of the first attempt, which may be days old.
  if (run.eventName === 'deployment_status' && github.run.runAttempt > 1) {
    const why = await whyNotLive(report, content.token, github);
    if (why !== undefined) {
      throw courierError(
        'refused',
        `This re-run may not publish: ${why}. No export was started.`,
        'Re-run the workflow run of the newest deployment, or start an export manually.',
      );
    }
  }
  const isOnDefaultBranch = await isOnBranch(report, content.token, github);
  return { ...run, appReport: { ...report, isOnDefaultBranch } };
}

/**
 * Warns of a run for a merge that says nothing about publishing: the platform may be slower than
 * the export.
 */
export function warnIfUnpublished(
  publish: boolean | undefined,
  job: ChosenJob,
  { run, log, showHint }: Context,
): void {
  const isPush = run.cause === 'push' && run.isDefaultBranch !== false;
  // Also on `pull_request_target`, where a run without a destination may export.
  const isMerge = run.changeRequest?.isMerged ?? run.cause === 'merge';
  // A person may have decided it with `publish: false`. A job that runs already has what was
  // published when it was started.
  if (publish !== undefined || job.kind !== 'start' || !(isPush || isMerge)) return;
  const commit = commitOf(run.github);
  const named = commit === undefined ? 'the commit' : `commit ${shortCommit(commit)}`;
  // That event may not let the platform publish.
  const where =
    run.cause === 'change-request' ? `Run on push instead of ${run.eventName}, and let` : 'Let';
  const text = `publish is not set: the export has what the platform has published, and may not contain ${named} of this run. ${where} the platform publish first; publish: false exports what is published without this warning. Add:`;
  // A placeholder is shown for the empty one.
  log.warning(showHint({ text, inputs: { publish: 'true', 'project-id': '' } }));
}

const EXPORT_WITHOUT: Hint = {
  text: "Compare project-id with the API keys page of the dashboard. If it is right, this installation cannot publish on request: on GitHub, run the workflow on the event of the platform's App (input publisher). Or export what is published already:",
  inputs: { publish: 'false' },
};

/**
 * Lets the platform publish, if the step asks for it. Records what is known of the content, and
 * stores it for a later attempt with the next write of the state. Gives the commit that was
 * published for this run, or that the event of the publisher names.
 */
export async function publishContent(
  inputs: ExportInputs,
  job: ChosenJob,
  deps: Deps<ContentFacts>,
  delivery: Delivery | undefined,
): Promise<PublishedCommit | undefined> {
  const { update, published, elapsedMs } = await contentOf(inputs, job, deps, delivery);
  const publish = inputs.content.publish === true;
  const commit = commitOf(deps.run.github);
  // Only a new export begins now; when that of a job that runs already began is not known.
  const at = job.kind === 'start' ? new Date(deps.clock.now()).toISOString() : undefined;
  deps.record({
    contentCommit: published?.commit,
    content: { publish, commit, update, published, elapsedMs, at },
  });
  const { projectId } = job.api.source;
  const isAnyKnown = [update, published, projectId].some((one) => one !== undefined);
  if (isAnyKnown) delivery?.setContent({ update, projectId, published });
  return published;
}

/** What is known of the content of the export, after the platform has published if it should. */
async function contentOf(
  inputs: ExportInputs,
  job: ChosenJob,
  deps: Deps<ContentFacts>,
  delivery: Delivery | undefined,
): Promise<Pick<RunContent, 'update' | 'published'> & { readonly elapsedMs?: number }> {
  // An earlier attempt of this run has published, and stored in the state what it published.
  if (job.kind === 'attach' && job.origin === 'resumed') return delivery?.earlierContent ?? {};
  if (inputs.content.skipsPublish)
    deps.log.info('Nothing is published: the export of export-job-id has its content already.');
  // What was published before a job that a person names is not known.
  if (job.kind !== 'start') return {};
  if (!inputs.content.publish) return { published: commitOfEvent(deps) };
  const { publishFirst } = await import('./publish-first.ts');
  const startMs = deps.clock.monotonicMs();
  const { update, published } = await publishFirst({
    deps,
    projectId: inputs.content.projectId,
    token: inputs.content.token,
    delivery,
    commit: commitOf(deps.run.github),
    timeoutMs: inputs.timeoutMs,
    consequence: 'No export was started.',
    ifImpossible: EXPORT_WITHOUT,
  });
  return { update, published, elapsedMs: Math.round(deps.clock.monotonicMs() - startMs) };
}

/** The commit that the event of the publisher names, if GitHub has confirmed it. */
function commitOfEvent(context: Context): PublishedCommit | undefined {
  const report = context.run.appReport;
  if (!report?.isOnDefaultBranch || report.state !== 'success') return undefined;
  // The check run of a re-run may be days old, and nothing shows what was published since.
  const isOld = context.run.github.runAttempt > 1 && report.deployment === undefined;
  if (isOld) return undefined;
  const published = { commit: report.sha, by: report.app, source: report.source };
  context.log.info(`${publishedSentence(published)}.`);
  return published;
}
