import type { Comparison } from '../../bundle/compare/comparison.ts';
import type { CiRun } from '../../ci/port.ts';
import { checkMayWrite, isPublishedBy } from '../../ci/rights.ts';
import { CourierError } from '../../errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { Context, Deps } from '../../run/context.ts';
import type { RunFacts, Write } from '../../run/report.ts';
import { plainLine } from '../../text/escape.ts';
import type { ChosenJob } from '../job.ts';
import { commitOf } from '../state/change.ts';
import type { Delivery } from '../state/delivery.ts';
import type { Verdict } from './proof.ts';
import { type ContentFacts, shortCommit } from './summary.ts';

interface Publishing {
  readonly inputs: ExportInputs;
  readonly deps: Deps<ContentFacts>;
  readonly job: ChosenJob;
  readonly delivery: Delivery | undefined;
}

/** What the export will have. */
export interface Published {
  /** The commit that is proved to be in it; undefined: not known. */
  readonly commit: string | undefined;
  /** How long it took to publish it: part of `timeout`. */
  readonly spentMs: number;
  readonly content: ContentFacts['content'];
}

/** Events that the platform causes when it publishes: a run on one that publishes would start itself for ever. */
const CAUSED = ['deployment', 'deployment_status', 'check_run', 'check_suite', 'status'];
const UNDERWAY = ['queued', 'requested', 'waiting', 'pending', 'in_progress'];

/**
 * Checks, before anything is sent, that this run may publish and on which event. Gives the end of a run that has nothing to do:
 * its event says that the platform has only begun.
 */
export function checkContent({ content }: ExportInputs, run: CiRun): RunFacts | undefined {
  const { appReport: report, eventName = '' } = run;
  if (content.kind === 'trigger') {
    if (CAUSED.includes(eventName)) {
      throw new CourierError({
        code: 'config',
        message: `publish: trigger cannot run on the event ${eventName}: publishing causes this event, so the workflow would start itself for ever. Nothing was sent.`,
        hint: 'Run on push, or remove publish here and name the GitHub App of the platform with publisher.',
      });
    }
    checkMayWrite(run);
  }
  if (content.publisher === undefined || report === undefined) return undefined;
  const { publisher } = content;
  if (!isPublishedBy({ ...report, state: 'success' }, publisher) || report.state === 'success') return undefined;
  const state = plainLine(report.state, 40);
  const what = `${publisher} reports commit ${shortCommit(report.sha)} as ${state}`;
  if (UNDERWAY.includes(report.state)) return { status: 'skipped', reason: `${what}: it is not published yet` };
  throw new CourierError({
    code: 'job-failed',
    message: `${what}. No export was started.`,
    hint: "Open the platform's dashboard, or the check of the commit, and correct the documentation.",
  });
}

/**
 * The run, with what its event leaves open: a deployment of a commit instead of a branch counts if this commit is on the default
 * branch. Throws `forbidden` where that cannot be read.
 */
export async function readReport(content: ExportInputs['content'], { run, github }: Context): Promise<CiRun> {
  const { appReport: report } = run;
  if (report?.defaultBranch === undefined || report.isPreview || report.app !== content.publisher) return run;
  const { isOnBranch } = await import('./proof.ts');
  const { sha, defaultBranch: branch } = report;
  const isDefaultBranch = await isOnBranch({ sha, branch, token: content.token }, github);
  return { ...run, appReport: { ...report, isDefaultBranch } };
}

/** What a dry run lists. */
export function planContent({ content, baseUrl }: ExportInputs): Write[] {
  if (content.kind !== 'trigger') return [];
  const target = `POST ${baseUrl}/v1/project/update/${content.projectId}`;
  return [{ action: `publish project ${content.projectId}`, target }];
}

/** Publishes the content of the run's commit, or waits for it, as the step asks; and finds out what can be proved about it. */
export async function publishContent(publishing: Publishing): Promise<Published> {
  const { inputs, deps, job, delivery } = publishing;
  const { clock, run, log, record } = deps;
  const commit = commitOf(run.github);
  const known = { publish: inputs.content.kind, commit };
  if (job.kind !== 'start') {
    // What an earlier attempt proved before it started the same job.
    const earlier = job.kind === 'attach' && job.origin === 'resumed' ? delivery?.earlierContent : undefined;
    if (earlier !== undefined) delivery?.setContent(earlier);
    const content = { ...known, update: earlier?.update };
    record({ contentCommit: earlier?.commit, content });
    return { commit: earlier?.commit, spentMs: 0, content };
  }
  const startMs = clock.monotonicMs();
  record({ content: known });
  const { verdict, update } = await runPublishing(publishing, commit);
  const spentMs = clock.monotonicMs() - startMs;
  const proved = verdict?.kind === 'proved' ? verdict.commit : undefined;
  const later = commit === undefined || commit === proved ? '' : `, which includes commit ${shortCommit(commit)}`;
  if (proved !== undefined) log.info(`Published: commit ${shortCommit(proved)}${later}.`);
  else if (verdict?.kind === 'not-known') {
    log.info(`${verdict.why} So whether the export includes the commit of this run is not known.`);
  }
  if (delivery !== undefined && (update ?? proved) !== undefined) delivery.setContent({ update, commit: proved });
  const elapsedMs = inputs.content.kind === 'off' ? undefined : Math.round(spentMs);
  const at = new Date(clock.now()).toISOString();
  const content = { ...known, at, update, elapsedMs };
  record({ contentCommit: proved, content });
  return { commit: proved, spentMs, content };
}

/** Without a verdict, the run neither publishes nor waits. */
async function runPublishing(
  publishing: Publishing,
  commit: string | undefined,
): Promise<{ verdict?: Verdict; update?: string }> {
  const { inputs, deps, delivery } = publishing;
  const { content, timeoutMs } = inputs;
  const { appReport: report } = deps.run;
  if (report !== undefined && content.publisher !== undefined && isPublishedBy(report, content.publisher)) {
    return { verdict: { kind: 'proved', commit: report.sha } };
  }
  if (content.kind === 'off') return {};
  const { proveFor } = await import('./proof.ts');
  const prove = proveFor({ commit, token: content.token }, deps);
  const common = { deps, prove, timeoutMs, commit };
  if (content.kind === 'trigger') {
    const { publishNow } = await import('./trigger.ts');
    return publishNow({ ...common, projectId: content.projectId, delivery });
  }
  const { waitUntilPublished } = await import('./wait.ts');
  return { verdict: await waitUntilPublished({ ...common, ...content }) };
}

/**
 * Warns of an export that follows a change and has nothing new: one that began before the platform published the change looks
 * like that. Not where the commit is proved: then the change was not about the documentation.
 */
export function warnIfUnchanged(
  comparison: Comparison | undefined,
  { inputs, deps }: Publishing,
  published: Published,
): void {
  const { cause, github } = deps.run;
  const { commit, content } = published;
  const isChange = cause === 'push' || cause === 'merge';
  if (comparison === undefined || inputs.compareWith.kind !== 'previous' || !isChange || commit !== undefined) return;
  const { from, to, assets, added, changed, moved, removed } = comparison;
  const changes = added.length + changed.length + moved.length + removed.length;
  if (from.jobId === to.jobId || changes + assets.added + assets.changed + assets.removed > 0) return;
  const sha = commitOf(github);
  const of = sha === undefined ? 'the change' : `commit ${shortCommit(sha)}`;
  const advice = inputs.content.kind === 'off' ? ' Set publish to export what was merged.' : '';
  deps.log.warning(
    `Nothing changed since the live export, although this run follows a ${cause}: the platform may not have published ${of} when the export began, and the next export has it.${advice}`,
  );
  if (content !== undefined) deps.record({ content: { ...content, isUnchanged: true } });
}
