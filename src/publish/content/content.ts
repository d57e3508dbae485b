import type { CiRun } from '../../ci/port.ts';
import { checkMayWrite, whyNotOfPublisher } from '../../ci/rights.ts';
import { CourierError, type Hint } from '../../errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { Context } from '../../run/context.ts';
import type { RunFacts, Write } from '../../run/report.ts';
import { plainLine } from '../../text/escape.ts';
import type { ChosenJob } from '../job.ts';
import type { Publication } from '../publication.ts';
import { commitOf } from '../state/change.ts';
import type { PublishedCommit } from '../state/state.ts';
import { type ContentFacts, isCommit, namedBy, publishedSentence, shortCommit } from './summary.ts';

type ContentInputs = ExportInputs['content'];

/**
 * Events that the platform causes when it publishes: a run on one that publishes would start itself
 * endlessly.
 */
const CAUSED = ['deployment', 'deployment_status', 'check_run', 'check_suite', 'status'];
const UNDERWAY = ['queued', 'requested', 'waiting', 'pending', 'in_progress'];

/**
 * Checks, before anything is sent, that this run may publish and on which event. Gives the end of a
 * run that has nothing to do: its event says that the platform has only begun.
 */
export function checkContent(
  { publish, publisher }: ContentInputs,
  run: CiRun,
): RunFacts | undefined {
  const { appReport: report, eventName = '' } = run;
  if (publish === true) {
    assertNotCaused('publish: true', eventName);
    checkMayWrite(run);
    return undefined;
  }
  if (publisher === undefined || report === undefined) return undefined;
  if (whyNotOfPublisher(report, publisher) !== undefined || report.state === 'success')
    return undefined;
  const what = `${report.source} of ${report.app}, for commit ${shortCommit(report.sha)}`;
  const state = plainLine(report.state, 40);
  if (UNDERWAY.includes(report.state))
    return { status: 'skipped', reason: `Not published yet: ${what}, is ${state}` };
  throw new CourierError({
    code: 'job-failed',
    message: `Not published: ${what}, ended as ${state}. No export was started.`,
    hint: "Open the platform's dashboard, or the checks of the commit, and correct the documentation. What was live is still live.",
  });
}

/** `step`: what publishes, such as `publish: true`. */
export function assertNotCaused(step: string, eventName = ''): void {
  if (!CAUSED.includes(eventName)) return;
  throw new CourierError({
    code: 'config',
    message: `${step} cannot run on the event ${eventName}: publishing causes this event, so the workflow would start itself endlessly. Nothing was sent.`,
    hint: 'Run on push. A run that exports what the GitHub App of the platform has published names it with publisher.',
  });
}

/**
 * The run, with what GitHub says about the commit of a success of the publisher. Throws `forbidden`
 * if that cannot be read, and `refused` on a check run if the App makes deployments: a check may be
 * about anything.
 */
export async function confirmReport(
  { publisher, token }: ContentInputs,
  { run, github }: Context,
): Promise<CiRun> {
  const { appReport: report, eventName } = run;
  if (publisher === undefined || report === undefined) return run;
  if (whyNotOfPublisher(report, publisher) !== undefined || !isCommit(report.sha)) return run;
  const { sha, defaultBranch: branch, app } = report;
  if (branch === '') return run;
  const { isOnBranch, makesDeployments } = await import('./commits.ts');
  if (eventName === 'check_run' && (await makesDeployments({ app, token }, github))) {
    throw new CourierError({
      code: 'refused',
      message: `The run on check_run may not publish: ${app} makes deployments, so a check run does not show that the site was published.`,
      hint: 'Run the workflow on deployment_status.',
    });
  }
  const isOnDefaultBranch = await isOnBranch({ sha, branch, token }, github);
  return { ...run, appReport: { ...report, isOnDefaultBranch } };
}

/** What a dry run lists. */
export function planContent({ content, baseUrl }: ExportInputs): Write[] {
  if (content.publish !== true) return [];
  const target = `POST ${baseUrl}/v1/project/update/${content.projectId}`;
  return [{ action: `publish project ${content.projectId}`, target }];
}

/**
 * Warns of a run for a merge that says nothing about publishing: the platform may be slower than
 * the export.
 */
export function warnIfUnpublished(
  { publish }: ContentInputs,
  { kind }: ChosenJob,
  context: Context,
): void {
  const { run, log, showHint } = context;
  const isMerge = run.cause === 'merge' || (run.cause === 'push' && run.isDefaultBranch !== false);
  if (publish !== undefined || kind !== 'start' || !isMerge) return;
  const commit = commitOf(run.github);
  const named =
    commit === undefined ? 'the commit of this run' : `commit ${shortCommit(commit)} of this run`;
  const text = `publish is not set: the export has what the platform has published, and may not contain ${named}. Let the platform publish first; publish: false exports what is published without this warning. Add:`;
  log.warning(showHint({ text, inputs: { publish: 'true', 'project-id': '' } }));
}

const EXPORT_WITHOUT: Hint = {
  text: "Compare project-id with the API keys page of the dashboard. If it is right, this installation cannot publish on request. Then run the workflow on the event of the platform's GitHub App (input publisher), or export what is published already:",
  inputs: { publish: 'false' },
};

/** What is known about the content of one export. */
export class ExportContent {
  readonly #publication: Publication<ContentFacts, ExportInputs>;
  #facts: NonNullable<ContentFacts['content']>;
  /** How long it took to publish: part of `timeout`. */
  spentMs = 0;

  constructor(publication: Publication<ContentFacts, ExportInputs>) {
    const { deps, inputs } = publication;
    this.#publication = publication;
    this.#facts = { publish: inputs.content.publish === true, commit: commitOf(deps.run.github) };
  }

  /** The commit that was published for this run, or that the event of the publisher names. */
  get commit(): string | undefined {
    return this.#facts.published?.commit;
  }

  /** What names it. */
  get commitFrom(): string | undefined {
    const { published } = this.#facts;
    return published && namedBy(published);
  }

  /**
   * Lets the platform publish, as the step asks. A run that attaches keeps what an earlier attempt
   * has stored.
   */
  async publish(): Promise<void> {
    const { job, inputs, deps, delivery } = this.#publication;
    if (job.kind !== 'start') {
      const isOwn = job.kind === 'attach' && job.origin === 'resumed';
      const { update, published } = (isOwn ? delivery?.earlierContent : undefined) ?? {};
      this.#note({ update, published });
      return;
    }
    if (inputs.content.publish === true) await this.#publishFirst(inputs.content);
    else this.#note({ published: commitOfEvent(deps) });
    this.#note({ at: new Date(deps.clock.now()).toISOString() });
  }

  async #publishFirst({
    projectId,
    token,
  }: ContentInputs & { readonly publish: true }): Promise<void> {
    const { inputs, deps, delivery } = this.#publication;
    const { clock } = deps;
    const { publishFirst } = await import('./publish-first.ts');
    const startMs = clock.monotonicMs();
    const { commit } = this.#facts;
    const asked = { deps, projectId, token, delivery, commit, timeoutMs: inputs.timeoutMs };
    const words = { consequence: 'No export was started.', ifImpossible: EXPORT_WITHOUT };
    const { update, published } = await publishFirst({ ...asked, ...words });
    this.spentMs = clock.monotonicMs() - startMs;
    this.#note({ update, published, elapsedMs: Math.round(this.spentMs) });
  }

  /** Records it, and stores it for a later attempt with the next write of the state. */
  #note(facts: Partial<NonNullable<ContentFacts['content']>>): void {
    const { deps, delivery, job } = this.#publication;
    this.#facts = { ...this.#facts, ...facts };
    deps.record({ contentCommit: this.commit, content: this.#facts });
    const { update, published } = this.#facts;
    const { projectId } = job.api.source;
    if ((update ?? published ?? projectId) !== undefined)
      delivery?.setContent({ update, projectId, published });
  }
}

/** A run on another event, or one without `publisher`, has no commit that GitHub has confirmed. */
function commitOfEvent({ run, log }: Pick<Context, 'run' | 'log'>): PublishedCommit | undefined {
  const { appReport: report } = run;
  if (report?.isOnDefaultBranch !== true || report.state !== 'success') return undefined;
  const published = { commit: report.sha, by: report.app, source: report.source };
  log.info(`${publishedSentence(published)}.`);
  return published;
}
