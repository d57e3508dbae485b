import { handsOnLink } from '../ci/port.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { takeTurn } from '../ground/clock.ts';
import type { Log } from '../ground/log.ts';
import { checkTemporary } from '../ground/temporary.ts';
import { writeDuration } from '../ground/text/amounts.ts';
import type { BundleInputs, ExportInputs, PublishInputs, RefreshInputs } from '../inputs/inputs.ts';
import { type ChosenJob, chooseJob } from '../job/job.ts';
import { readPageCount } from '../job/progress.ts';
import type { FinishedJob, FollowedJob } from '../job/run-job.ts';
import { type BundleLink, CheckedLinks } from '../platform/link.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { documentation, type RunFacts, type Write } from '../run/report.ts';
import type { BundleFile } from '../site/archive/sink.ts';
import type { Inspected, Received } from '../site/receive.ts';
import { checkContent, confirmReport } from '../steps/content/content.ts';
import { assertMayForce } from '../steps/guard/guard.ts';
import {
  type DeliveredExport,
  type Found,
  inTurn,
  type Opening,
  plannedRequest,
  type Step,
} from '../steps/step.ts';
import { openSteps } from '../steps/steps.ts';
import { formatAddress } from '../stores/kinds.ts';
import { warnOfShortLife, withStoredLink } from './stored-link.ts';
import { type PublishFacts, publishPresentation } from './summary.ts';

type PublishDeps = Deps<PublishFacts>;

/** A run with all that was opened and checked before an export is started. */
interface Opened extends Opening<PublishFacts> {
  readonly steps: readonly Step[];
  /** True if the bundle itself has a destination, or a step reads it. */
  readonly needsBundle: boolean;
  /**
   * False for a rollback to an image that the registry still has, since the platform may have
   * forgotten the job, and for a site that is there already.
   */
  readonly needsLink: boolean;
}

/** A finished export that nothing holds back. */
interface Passed extends FinishedJob, Partial<Received> {
  readonly found: Found;
}

// A GitHub App's installation token expires after an hour, which a long export may take.
const APP_TOKEN_SAFE_MS = 50 * 60_000;

/**
 * Modes `export`, `refresh` and `rollback`: they differ in the job whose link is published, and in
 * what may hold it back.
 */
export const publishMode = defineMode<PublishInputs, PublishFacts>({
  run: publish,
  ...publishPresentation,
});

export async function publish(inputs: PublishInputs, deps: PublishDeps): Promise<RunFacts> {
  const to = inputs.to?.addresses.map(formatAddress).join(', ');
  deps.record({
    baseUrl: inputs.baseUrl,
    changed: false,
    to,
    keepsSite: keepsSite(inputs.bundle),
    servedAt: inputs.bundle.servedAt?.url,
    handsOnLink: handsOnLink(deps.run.kind),
  });
  if (inputs.mode === 'refresh') return publishFresh(inputs, deps);
  if (inputs.mode === 'rollback') return publishJob(inputs, deps);
  deps.record({ domain: inputs.domain });
  warnOfInputs(inputs, deps.log);
  if (inputs.force) assertMayForce(deps.run);
  // The platform has nothing to publish first.
  if (inputs.from !== undefined) return publishJob(inputs, deps);
  const endWithoutExport = checkContent(inputs.content, deps.run);
  // The event says that the platform has only begun to publish: a later event starts the export.
  if (endWithoutExport !== undefined) return endWithoutExport;
  const run = await confirmReport(inputs.content, deps);
  return publishJob(inputs, { ...deps, run });
}

/** A refresh: if it fails, its error says until when the stored link works. */
async function publishFresh(inputs: RefreshInputs, deps: PublishDeps): Promise<RunFacts> {
  let facts: PublishFacts = {};
  const record = (found: PublishFacts) => {
    facts = { ...facts, ...found };
    deps.record(found);
  };
  try {
    return await publishJob(inputs, { ...deps, record });
  } catch (error) {
    throw withStoredLink(error, facts, deps.clock.now());
  }
}

/** True if the inputs name a path for the archive or a folder for the site. */
function keepsSite(bundle: BundleInputs): boolean {
  return (bundle.bundlePath ?? bundle.extractTo) !== undefined;
}

/** Warns about inputs that are valid, but probably wrong. */
function warnOfInputs(inputs: ExportInputs, log: Log): void {
  const { domain } = inputs;
  if (domain !== undefined && !domain.includes('.')) {
    log.warning(
      `domain: ${domain} has no dot. An export needs the host name of the site, such as docs.example.com.`,
    );
  }
  if (domain !== undefined && new URL(inputs.baseUrl).hostname === domain) {
    log.warning(
      `base-url and domain name the same host, ${domain}. base-url is the address of the API, which the API keys page of the dashboard shows.`,
    );
  }
  if (domain !== undefined && inputs.projectId !== undefined) {
    log.info(
      `served-at: the export is by project (${inputs.projectId}) and not by domain, since only such an export has a base path.`,
    );
  }
  // By this prefix, GitHub marks the installation tokens of Apps.
  const isAppToken = inputs.to?.credentials.secretToken?.startsWith('ghs_') === true;
  if (isAppToken && inputs.timeoutMs > APP_TOKEN_SAFE_MS) {
    const guide = documentation('how-to/resume-an-export.md#in-two-jobs');
    log.warning(
      `secret-token is a GitHub App token, which expires after an hour; this run may follow the job for ${writeDuration(inputs.timeoutMs)}, and the token may have expired when the secret is written. Use two jobs, the second of which makes its own token.${guide === undefined ? '' : ` ${guide}`}`,
    );
  }
}

/**
 * Publishes a link: opens the destinations, chooses the job, follows it, makes the link, and writes
 * it. The steps that the inputs ask for take their turns in between. Everything that can be checked
 * is checked before an export is started.
 */
async function publishJob(inputs: PublishInputs, deps: PublishDeps): Promise<RunFacts> {
  if (keepsSite(inputs.bundle) || inputs.outputFiles.length > 0) {
    const { checkWrittenPaths } = await import('./bundle.ts');
    await checkWrittenPaths(inputs, deps);
  }
  const delivery = await openDelivery(inputs, deps);
  const job = await chooseJob(inputs, deps, delivery);
  // Such as a refresh that is not due yet.
  if (job.kind === 'none') return job.end;
  if (job.kind !== 'start') deps.record({ jobId: job.jobId });
  const opened = await open({ inputs, deps, job, delivery });
  if (inputs.dryRun) return { status: 'completed', planned: await plan(opened) };
  const startMs = deps.clock.monotonicMs();
  const before = await inTurn(opened.steps, {}, (step) => step.before?.());
  const followed = await finishJob(opened, deps.clock.monotonicMs() - startMs);
  if (followed.kind === 'detached') return followed.end;
  const passed = await inspect(opened, followed, before);
  if (inputs.mode === 'refresh')
    warnOfShortLife(passed.link?.expiresAt, delivery?.state, { ...deps, inputs });
  await deliver(opened, passed);
  await finishSteps(opened, passed);
  // Only a rollback has one: what it did.
  return { status: 'completed', reason: job.kind === 'finished' ? job.reason : undefined };
}

/**
 * Opens the destinations of the link, and records what their states say; undefined: `to` names
 * none, so the link is only an output. The code of the stores is loaded only if it is needed.
 */
async function openDelivery(
  inputs: PublishInputs,
  deps: PublishDeps,
): Promise<Delivery | undefined> {
  const { to, mode, baseUrl, adminApiKey, projectId } = inputs;
  // A given site has no link: the image, if there is one, is pushed by its step.
  const isGiven = inputs.mode === 'export' && inputs.from !== undefined;
  if (to === undefined || isGiven) return undefined;
  const { openDestinations } = await import('../delivery/destinations.ts');
  const ofExport = mode === 'export' && { domain: inputs.domain, content: inputs.content };
  // The state says which job is live, unless an input names the job. The first export of a site
  // finds none.
  const needsState =
    mode === 'rollback' || (mode === 'refresh' && inputs.exportJobId === undefined);
  const init = { to, mode, baseUrl, adminApiKey, projectId, ...ofExport, needsState };
  const delivery = await openDestinations(init, deps);
  deps.record({ exports: delivery.exports });
  // The state does not know how long a link works that another program wrote.
  if (delivery.changed === undefined)
    deps.record({ storedLinkExpiresAt: delivery.state?.expiresAt });
  return delivery;
}

/** Opens and checks the steps. Decides whether bundle and link are needed. */
async function open(opening: Opening<PublishFacts>): Promise<Opened> {
  const { inputs, deps, job, delivery } = opening;
  const steps = await openSteps(opening);
  const isAsked = keepsSite(inputs.bundle) || steps.some((step) => step.needs !== undefined);
  const isGiven = job.kind === 'given';
  const needsBundle = isGiven || isAsked;
  // Where the bundle is downloaded and unpacked: checked now, before an export is started.
  if (needsBundle) checkTemporary(deps.github.run.runnerTemp);
  // The bundle would show its site.
  else if (job.intent.kind === 'named') noteNamedSite(job, delivery, deps.log);
  const areAllImages = delivery?.needsLink === false;
  // Such as a rollback to an image that the registry still has.
  const movesOnlyTags = inputs.mode === 'rollback' && areAllImages && !needsBundle;
  return { ...opening, steps, needsBundle, needsLink: !movesOnlyTags && !isGiven };
}

/**
 * Notes that a run without the bundle cannot check the site of a job that a person names. A job
 * that the destinations know needs no note.
 */
function noteNamedSite(job: ChosenJob, delivery: Delivery | undefined, log: Log): void {
  const { domain } = job.api.source;
  // Without a domain no site is assumed. A new job, which no person can name, is for `domain`.
  if (domain === undefined || job.kind === 'start') return;
  const isInHistory = delivery?.exports?.some((known) => known.job === job.jobId);
  if (isInHistory) return;
  log.notice(
    `The platform does not say which site export job ${job.jobId} exports. This run takes it for ${domain}. The log of the run that started it names its site.`,
  );
}

/** The writes of a dry run, in the order of a run that is none. */
async function plan(opened: Opened): Promise<Write[]> {
  const { inputs, job, steps, delivery } = opened;
  const pageCount = await countFinishedPages(job);
  const first: Write[] = [];
  const between: Write[] = [];
  const last: Write[] = [];
  for (const step of steps) {
    const writes = (await step.plan?.(pageCount)) ?? [];
    if (step.before !== undefined) first.push(...writes);
    else if (step.after !== undefined) last.push(...writes);
    else between.push(...writes);
  }
  const delivered = [...planFiles(inputs.bundle), ...(delivery?.plan() ?? [])];
  return [...first, ...planJob(opened), ...between, ...delivered, ...last];
}

/**
 * The pages of a given job, so that a wrong id shows; undefined: those of a job that has not
 * finished are not known.
 */
async function countFinishedPages(job: ChosenJob): Promise<number | undefined> {
  if (job.kind !== 'attach') return undefined;
  const polled = (await job.api.poll(job.jobId)).value;
  return polled.status === 'completed' ? readPageCount(polled.pageCount) : undefined;
}

/** The requests about the job, or what is read without one. */
function planJob({ inputs, job, needsLink }: Opened): readonly Write[] {
  const { api } = job;
  const writes: Write[] = [];
  if (job.kind === 'given') writes.push({ action: 'read the site', target: job.site.name });
  if (job.kind === 'start') {
    const action = `start an export of ${api.subject}`;
    writes.push(plannedRequest(action, api.requests.start(), inputs.baseUrl));
  }
  if (!needsLink) return writes;
  // Making a link counts as a write, because it gives access.
  const request = api.requests.link(job.kind === 'start' ? '{jobId}' : job.jobId);
  return [...writes, plannedRequest('make a bundle link', request, inputs.baseUrl)];
}

/** What a dry run lists about archive and site. */
function planFiles(bundle: BundleInputs): readonly Write[] {
  const writes: Write[] = [];
  const archive = 'download the archive, with manifest and checksums';
  if (bundle.bundlePath !== undefined) writes.push({ action: archive, target: bundle.bundlePath });
  if (bundle.extractTo !== undefined)
    writes.push({ action: 'unpack the site', target: bundle.extractTo });
  return writes;
}

/**
 * Follows the job of an export. That of a refresh or rollback is finished. `spentMs`: how much of
 * `timeout` has passed already.
 */
async function finishJob({ deps, job, delivery }: Opened, spentMs: number): Promise<FollowedJob> {
  if (job.kind === 'start' || job.kind === 'attach') {
    const { runJob } = await import('../job/run-job.ts');
    return runJob(job, deps, delivery, spentMs);
  }
  // The pages of a given site are counted; no check of a refresh or rollback reads their number.
  return { kind: 'finished', jobId: job.jobId, pageCount: undefined, requestedAt: undefined };
}

/**
 * Makes the link, and downloads the bundle if it has a destination or a step reads it. Then the
 * steps inspect the export; one that is held back ends here.
 */
async function inspect(opened: Opened, finished: FinishedJob, before: Found): Promise<Passed> {
  const { inputs, deps, job, steps } = opened;
  const inspectAll = (bundle: Inspected | undefined) =>
    inTurn(steps, before, (step, found) => step.inspect?.({ ...finished, bundle }, found));
  let found = before;
  // With the bundle, the steps inspect it when it is there: they may read it.
  if (!opened.needsBundle) found = await inspectAll(undefined);
  if (!opened.needsBundle && !opened.needsLink) return { ...finished, found };
  // The job of an export has been named in the log when it was started or attached to.
  if (job.kind === 'finished') {
    deps.log.info(
      `Making a fresh link for export job ${finished.jobId}, to which the input export-job-id attaches another run.`,
    );
  }
  const links = new CheckedLinks({
    ...deps,
    api: job.api,
    jobId: finished.jobId,
    baseUrl: inputs.baseUrl,
    commit: found.contentCommit,
  });
  if (!opened.needsBundle) {
    const link = await links.fresh();
    recordLink(link, deps);
    return { ...finished, found, link };
  }
  const inspectBundle = async (received: Inspected): Promise<readonly BundleFile[]> => {
    found = await inspectAll(received);
    return found.added ?? [];
  };
  const { receiveSite } = await import('./bundle.ts');
  const received = await receiveSite(opened, steps, finished, links, inspectBundle);
  const { link, facts } = received;
  // Recorded only now: a later step must not publish a bundle that failed a check.
  if (link !== undefined) recordLink({ ...link, sizeBytes: facts.bytes }, deps);
  return { ...finished, ...received, found };
}

/** From here on, the link is an output of the step. */
function recordLink(link: BundleLink, deps: PublishDeps): void {
  const expiresAt = link.expiresAt?.toISOString();
  deps.record({ bundleUrl: link.url, expiresAt, bundleBytes: link.sizeBytes });
}

/** Writes the link into every destination, which changes what is live. */
async function deliver({ inputs, deps, job, delivery }: Opened, passed: Passed): Promise<void> {
  // The link is only an output: that has changed. A folder or an archive is in its place by now.
  if (delivery === undefined) return deps.record({ changed: true, stage: 'written' });
  // A SIGTERM may have had to wait for the steps before: a cancelled run does not publish.
  await takeTurn(deps.signal);
  deps.record({ stage: 'writing' });
  const { jobId, pageCount, facts, found } = passed;
  const { baseUrl } = inputs;
  const linkOf = (live: string) => {
    const api = job.api.ofJob(delivery.formOf(live));
    return new CheckedLinks({ ...deps, api, jobId: live, baseUrl }).fresh();
  };
  const delivered = await delivery.deliver({
    jobId,
    linkOf,
    link: passed.link,
    image: found.image,
    intent: job.intent,
    details: {
      // The bundle says for certain; without it, the platform's count is the best that is known.
      pages: facts?.pages ?? pageCount,
      projectId: job.api.source.projectId,
      manifest: facts?.manifestSha256,
      forced: found.forced,
      contentCommit: found.contentCommit,
      contentFrom: found.contentFrom,
      fingerprint: found.fingerprint,
    },
  });
  deps.record({ delivery: delivered, changed: true, stage: 'written' });
}

/** Runs what steps do after the delivery; the first that fails ends the run. */
async function finishSteps({ deps, job, delivery, steps }: Opened, passed: Passed): Promise<void> {
  const delivered: DeliveredExport = {
    jobId: passed.jobId,
    api: job.api,
    delivery,
    expiresAt: passed.link?.expiresAt?.toISOString(),
    comparison: passed.comparison,
    replacedJobId: job.intent.from,
    deliveredMs: deps.clock.monotonicMs(),
  };
  await inTurn(steps, passed.found, (step, found) => step.after?.({ ...delivered, ...found }));
}
