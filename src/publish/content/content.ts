import type { Comparison } from '../../bundle/compare/comparison.ts';
import type { Inspected } from '../../bundle/receive.ts';
import type { AppReport, CiRun } from '../../ci/port.ts';
import { checkMayWrite, isPublishedBy } from '../../ci/rights.ts';
import { CourierError } from '../../errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { Context } from '../../run/context.ts';
import type { RunFacts, Write } from '../../run/report.ts';
import { plainLine } from '../../text/escape.ts';
import { type Publisher, publisherOf } from '../../values/values.ts';
import type { Publication } from '../publication.ts';
import { commitOf } from '../state/change.ts';
import { exportsOf, liveExport } from '../state/history.ts';
import type { AppReports } from './app.ts';
import type { ContentFinding, Reported, Since } from './claim.ts';
import type { Relate } from './commits.ts';
import { type ContentFacts, contentSentence, isCommit, shortCommit } from './summary.ts';

/** Events that the platform causes when it publishes: a run on one that publishes would start itself endlessly. */
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
        message: `publish: trigger cannot run on the event ${eventName}: publishing causes this event, so the workflow would start itself endlessly. Nothing was sent.`,
        hint: 'Run on push, or remove publish here and name the GitHub App of the platform with publisher.',
      });
    }
    checkMayWrite(run);
  }
  if (content.publisher === undefined || report === undefined) return undefined;
  const { publisher } = content;
  if (!isPublishedBy({ ...report, state: 'success' }, publisher) || report.state === 'success') return undefined;
  const state = plainLine(report.state, 40);
  const what = `${publisherOf(publisher).slug} reports commit ${shortCommit(report.sha)} as ${state}`;
  if (UNDERWAY.includes(report.state)) return { status: 'skipped', reason: `${what}: it is not published yet` };
  throw new CourierError({
    code: 'job-failed',
    message: `${what}. No export was started.`,
    hint: "Open the platform's dashboard, or the check of the commit, and correct the documentation.",
  });
}

/** The run with what its event leaves open, and what the App reports. */
export interface ContentSource {
  readonly run: CiRun;
  /** undefined: the run reads nothing of an App. */
  readonly app: AppReports | undefined;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
}

/**
 * Reads what the event leaves open: whether the commit of a deployment is on the default branch, and whether it counts as the
 * published site. Throws `forbidden` if that cannot be read, and `config` if the App has several sites and none is named.
 */
export async function openContent(content: ExportInputs['content'], context: Context): Promise<ContentSource> {
  const { run, clock } = context;
  const { appReport: report } = run;
  const source = { run, app: undefined, startedAtMs: clock.now() };
  if (content.publisher === undefined) return source;
  const publisher = publisherOf(content.publisher);
  const isOfApp = report !== undefined && report.app === publisher.slug;
  const needsApp = content.kind === 'wait' || (isOfApp && report.state === 'success');
  const app = needsApp ? await openApp({ publisher, token: content.token }, context) : undefined;
  if (!isOfApp) return { ...source, app };
  const appReport = await completeReport(report, { app, token: content.token }, context);
  return { ...source, run: { ...run, appReport }, app };
}

async function openApp(
  { publisher, token }: { readonly publisher: Publisher; readonly token: string | undefined },
  { github, clock }: Context,
): Promise<AppReports> {
  const { AppReports: Reports, NEEDS_RIGHTS } = await import('./app.ts');
  if (token === undefined) {
    throw new CourierError({
      code: 'forbidden',
      message: `github-token is empty, and the run needs it to read what ${publisher.slug} reports. Nothing was started.`,
      hint: NEEDS_RIGHTS,
    });
  }
  const app = new Reports({ octokit: await github.connect(token), repository: github.run.repository, publisher });
  await app.assertOneSite(clock.now());
  return app;
}

async function completeReport(
  report: AppReport,
  { app, token }: { readonly app: AppReports | undefined; readonly token: string | undefined },
  { github }: Context,
): Promise<AppReport> {
  const { sha, defaultBranch: branch } = report;
  const isOtherPreview = report.isPreview && report.mayBeProduction !== true;
  if (isOtherPreview) return report;
  const isPreview = report.isPreview && (app === undefined || (await app.marksProduction()));
  if (isPreview || branch === undefined) return { ...report, isPreview };
  const { isOnBranch } = await import('./commits.ts');
  return { ...report, isPreview, isDefaultBranch: await isOnBranch({ sha, branch, token }, github) };
}

/** What a dry run lists. */
export function planContent({ content, baseUrl }: ExportInputs): Write[] {
  if (content.kind !== 'trigger') return [];
  const target = `POST ${baseUrl}/v1/project/update/${content.projectId}`;
  return [{ action: `publish project ${content.projectId}`, target }];
}

/**
 * What is known about the content of one export, from before it begins to its end. It publishes, reads and records; what follows
 * from that is decided in `claim.ts`.
 */
export class ExportContent {
  readonly #publication: Publication<ContentFacts, ExportInputs>;
  readonly #source: ContentSource;
  /** The commit of the run. */
  readonly #commit: string | undefined;
  #relating: Relate | undefined;
  #facts: NonNullable<ContentFacts['content']>;
  #reported: Reported | undefined;
  /** How long it took to publish: part of `timeout`. */
  spentMs = 0;
  /** Of the content with what is added to it; undefined: not known. */
  fingerprint: string | undefined;

  constructor(publication: Publication<ContentFacts, ExportInputs>, source: ContentSource) {
    const { deps, inputs } = publication;
    this.#publication = publication;
    this.#source = source;
    this.#commit = commitOf(deps.run.github);
    this.#facts = { publish: inputs.content.kind, commit: this.#commit };
  }

  /** The commit that was reported as published, and that nothing contradicts. */
  get commit(): string | undefined {
    return this.#reported?.commit;
  }

  /** Who reported it, and by what. */
  get commitFrom(): string | undefined {
    return this.#reported && `${this.#reported.by}, ${this.#reported.source}`;
  }

  /** Publishes the content of the run's commit, or waits for it, as the step asks. A run that attaches keeps what was recorded. */
  async publish(): Promise<void> {
    const { deps, job, inputs } = this.#publication;
    const { clock } = deps;
    if (job.kind !== 'start') {
      this.#keepEarlier();
      return;
    }
    const startMs = clock.monotonicMs();
    this.#note({});
    const { found, update } = await this.#runPublishing();
    this.spentMs = clock.monotonicMs() - startMs;
    const elapsedMs = inputs.content.kind === 'off' ? undefined : Math.round(this.spentMs);
    const at = new Date(clock.now()).toISOString();
    this.#note({ at, update, elapsedMs });
    this.#take(found);
    if ((update ?? this.#reported) !== undefined) this.#store();
  }

  /** Call it when the export job has ended: what was reported must still hold. */
  async confirm(): Promise<void> {
    const reported = this.#reported;
    if (reported === undefined) return;
    const found = await this.#readAgain(reported).catch((error: unknown): ContentFinding => {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      return { kind: 'nothing', state: 'over', why: `It could not be read again. ${error.message.replace(/\.$/, '')}` };
    });
    if (found.kind !== 'reported') this.#take(found);
  }

  /** Call it with the site, before anything of it is published: what the export itself says about the change. */
  async see({ site, comparison }: Pick<Inspected, 'site' | 'comparison'>): Promise<void> {
    if (!this.#isAsked || site.root === undefined) return;
    const { deps, delivery, inputs } = this.#publication;
    const [{ judgeExport }, { fingerprintSite }, { fingerprintWith }] = await Promise.all([
      import('./claim.ts'),
      import('../../bundle/compare/fingerprint.ts'),
      import('../../added/add.ts'),
    ]);
    this.fingerprint = fingerprintWith(await fingerprintSite(site, deps.signal), inputs.add);
    const state = delivery?.state;
    const others = state === undefined ? [] : exportsOf(state).filter(({ job }) => job !== site.jobId);
    const changed = this.#changedPages(comparison);
    const sight = judgeExport({
      pages: site.pages.keys(),
      changed,
      touched: changed === undefined ? [] : await this.#touched(),
      fingerprint: this.fingerprint,
      live: state && liveExport(state),
      earlier: others.filter(({ job }) => job !== state?.jobId),
    });
    if (sight.kind === 'seen') this.#note({ seenPages: sight.pages });
    if (sight.kind === 'contradicted') this.#contradict(sight.why);
  }

  /**
   * Warns of an export that follows a change and has nothing new: one that began before the platform published the change looks
   * like that. Not if the commit was reported: then the change was not about the documentation.
   */
  warnIfUnchanged(comparison: Comparison | undefined): void {
    const { inputs, deps } = this.#publication;
    const { cause } = deps.run;
    const isChange = cause === 'push' || cause === 'merge';
    const isSaid = this.commit !== undefined || this.#facts.contradicted !== undefined;
    if (comparison === undefined || inputs.compareWith.kind !== 'previous' || !isChange || isSaid) return;
    const { from, to, assets, added, changed, moved, removed } = comparison;
    const changes = added.length + changed.length + moved.length + removed.length;
    if (from.jobId === to.jobId || changes + assets.added + assets.changed + assets.removed > 0) return;
    const advice = inputs.content.kind === 'off' ? ' Set publish to export what was merged.' : '';
    deps.log.warning(
      `Nothing changed since the live export, although this run follows a ${cause}: the platform may not have published ${this.#change} when the export began; the next export will include it.${advice}`,
    );
    this.#note({ isUnchanged: true });
  }

  /** The step publishes or waits, or the event is one of the App. A job that a person names is of any content. */
  get #isAsked(): boolean {
    const { inputs, job } = this.#publication;
    const isOwn = job.kind === 'start' || (job.kind === 'attach' && job.origin === 'resumed');
    return isOwn && (inputs.content.kind !== 'off' || this.#source.app !== undefined);
  }

  get #change(): string {
    return this.#commit === undefined ? 'the change' : `commit ${shortCommit(this.#commit)}`;
  }

  #keepEarlier(): void {
    const { job, delivery } = this.#publication;
    const earlier = job.kind === 'attach' && job.origin === 'resumed' ? delivery?.earlierContent : undefined;
    if (earlier?.commit !== undefined) {
      const { by, source, at } = earlier.reported ?? { by: 'an earlier attempt', source: 'the state' };
      this.#reported = { commit: earlier.commit, by, source, at };
    }
    this.#note({ update: earlier?.update, reported: earlier?.reported });
    if (earlier !== undefined) this.#store();
  }

  /** Without a finding, the run neither publishes nor waits. */
  async #runPublishing(): Promise<{ found?: ContentFinding | undefined; update?: string | undefined }> {
    const { inputs, deps, delivery } = this.#publication;
    const { content, timeoutMs } = inputs;
    const commit = this.#commit;
    switch (content.kind) {
      case 'trigger': {
        const { publishNow } = await import('./trigger.ts');
        const { projectId } = content;
        return publishNow({ deps, relate: await this.#relate(), timeoutMs, commit, projectId, delivery });
      }
      case 'wait': {
        const { waitUntilPublished } = await import('./wait.ts');
        const { slug } = publisherOf(content.publisher);
        return {
          found: await waitUntilPublished({ deps, app: slug, commit, timeoutMs, look: (sha) => this.#look(sha) }),
        };
      }
      case 'off':
        return this.#source.app === undefined ? {} : { found: await this.#lookAtEvent(deps.run.appReport) };
    }
  }

  async #lookAtEvent(report: AppReport | undefined): Promise<ContentFinding | undefined> {
    if (report === undefined) return undefined;
    const why = 'The event names something that is not a commit';
    return isCommit(report.sha) ? this.#look(report.sha) : { kind: 'nothing', state: 'over', why };
  }

  /** What the App reports about a commit now. */
  async #look(commit: string, since = this.#since): Promise<ContentFinding> {
    const { app } = this.#source;
    if (app === undefined) return { kind: 'nothing', state: 'over', why: 'No GitHub App is named' };
    const { judgeApp } = await import('./claim.ts');
    return judgeApp(await app.read({ commit, since, relate: await this.#relate() }));
  }

  async #readAgain({ commit }: Reported): Promise<ContentFinding> {
    const { deps, job } = this.#publication;
    const { update } = this.#facts;
    if (update !== undefined) {
      const { readUpdate } = await import('./trigger.ts');
      return readUpdate({ deps, relate: await this.#relate() }, { id: update, commit });
    }
    if (this.#source.app === undefined) return { kind: 'nothing', state: 'over', why: 'It cannot be read again' };
    // An attempt that attaches began after the check run that an earlier one has seen.
    const isLater = job.kind === 'attach' && this.#since.event === 'none';
    return this.#look(commit, isLater ? { event: 'none', ms: 0 } : this.#since);
  }

  get #since(): Since {
    const { deps } = this.#publication;
    const { change } = deps.run;
    if (change === undefined) return { event: 'none', ms: this.#source.startedAtMs };
    return { event: 'push', ms: change.time.getTime() - CLOCK_TOLERANCE_MS };
  }

  async #relate(): Promise<Relate> {
    const { inputs, deps } = this.#publication;
    const { relateIn } = await import('./commits.ts');
    this.#relating ??= relateIn({ ...deps, token: inputs.content.token });
    return this.#relating;
  }

  async #touched(): Promise<readonly string[]> {
    const { inputs, deps } = this.#publication;
    if (this.#commit === undefined) return [];
    const { touchedFiles } = await import('./commits.ts');
    // The base of a pull request is older than the change before it.
    const base = deps.run.cause === 'push' ? deps.run.baseCommit : undefined;
    const isFirst = base !== undefined && /^0+$/.test(base);
    const change = { base: isFirst ? undefined : base, sha: this.#commit };
    return touchedFiles(change, { ...deps, token: inputs.content.token });
  }

  /** Addresses; undefined: nothing was compared with the export that was live. */
  #changedPages(comparison: Comparison | undefined): readonly string[] | undefined {
    const isLive = this.#publication.inputs.compareWith.kind === 'previous';
    if (comparison === undefined || !isLive || comparison.from.jobId === comparison.to.jobId) return undefined;
    const { added, changed, moved, removed } = comparison;
    return [...[...added, ...changed, ...removed].map(({ path }) => path), ...moved.map(({ to }) => to)];
  }

  /** Records what was found: something that is reported, contradicted, or neither. */
  #take(found: ContentFinding | undefined): void {
    const { log } = this.#publication.deps;
    if (found?.kind === 'reported') {
      this.#reported = found.reported;
      const { by, source, at } = found.reported;
      this.#note({ reported: { by, source, at } });
      log.info(`Published: ${contentSentence(found.reported, this.#commit)}.`);
      return;
    }
    if (found?.kind === 'contradicted') {
      this.#contradict(found.why);
      return;
    }
    this.#withdraw();
    if (found === undefined) return;
    log.info(
      `${found.why.charAt(0).toUpperCase()}${found.why.slice(1)}. So it is not known whether the export includes the commit of this run.`,
    );
  }

  #contradict(why: string): void {
    const { log } = this.#publication.deps;
    this.#withdraw();
    this.#note({ contradicted: why, seenPages: undefined });
    log.warning(
      `The export may not include ${this.#change}: ${why}. The site may have been rolled back on the platform.`,
    );
  }

  #withdraw(): void {
    const wasStored = this.#reported !== undefined;
    this.#reported = undefined;
    this.#note({ reported: undefined });
    if (wasStored) this.#store();
  }

  #note(facts: Partial<NonNullable<ContentFacts['content']>>): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#publication.deps.record({ contentCommit: this.commit, content: this.#facts });
  }

  /** For a later attempt, with the next write of the state. */
  #store(): void {
    const { by, source, at } = this.#reported ?? {};
    const reported = by === undefined || source === undefined ? undefined : { by, source, at };
    this.#publication.delivery?.setContent({ update: this.#facts.update, commit: this.commit, reported });
  }
}

// The clocks of GitHub's servers, and a push that is recorded a moment after its checks began.
const CLOCK_TOLERANCE_MS = 60_000;
