import { takeTurn } from '../clock.ts';
import type { BundleInputs, ExportInputs, PublishInputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import { type BundleLink, CheckedLinks } from '../platform/link.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { documentation, type RunFacts, type Write } from '../run/report.ts';
import { formatAddress } from '../stores/kinds.ts';
import { checkTemporary } from '../temporary.ts';
import { openAfterDelivery } from './after/after.ts';
import type { ReceivedSite } from './bundle.ts';
import {
  checkContent,
  confirmReport,
  type ExportContent,
  publishContent,
  warnIfUnpublished,
} from './content/content.ts';
import { namedBy } from './content/summary.ts';
import { assertMayForce } from './guard/guard.ts';
import { apiOfJob, type ChosenJob, chooseJob } from './job.ts';
import { readPageCount } from './progress.ts';
import type { Finished, Publication } from './publication.ts';
import type { FollowedJob } from './run-job.ts';
import type { Delivery } from './state/delivery.ts';
import { type PublishFacts, publishPresentation } from './summary.ts';

type PublishDeps = Deps<PublishFacts>;

/** What nothing holds back. `site`: if it was downloaded. */
type Passed = Pick<ReceivedSite, 'forced'> & Partial<ReceivedSite>;

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
  deps.record({ baseUrl: inputs.baseUrl, changed: false, to, keepsSite: keepsSite(inputs.bundle) });
  if (inputs.mode !== 'export') return publishJob(inputs, deps);
  deps.record({ domain: inputs.domain });
  warnOfInputs(inputs, deps.log);
  assertMayForce(inputs.force, deps.run);
  const endWithoutExport = checkContent(inputs.content, deps.run);
  // The event says that the platform has only begun to publish: a later event starts the export.
  if (endWithoutExport !== undefined) return endWithoutExport;
  const run = await confirmReport(inputs.content, deps);
  return publishJob(inputs, { ...deps, run });
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
  // By this prefix, GitHub marks the installation tokens of Apps.
  const isAppToken = inputs.to?.credentials.secretToken?.startsWith('ghs_') === true;
  if (isAppToken && inputs.timeoutMs > APP_TOKEN_SAFE_MS) {
    log.warning(
      `secret-token is a GitHub App token, which expires after an hour; with a timeout over 50m it may have expired when the secret is written. Use two jobs, the second of which makes its own token: ${documentation('how-to/resume-an-export.md')}, section In two jobs`,
    );
  }
}

/**
 * Publishes a link: chooses the job, follows it, makes the link, receives the bundle, writes the
 * link to its destinations, and runs the steps after delivery. Everything that can be checked is
 * checked before an export is started.
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
  const publication = await openSteps(inputs, deps, job, delivery);
  if (inputs.dryRun) return { status: 'completed', planned: await plan(inputs, publication) };
  // A refresh and a rollback publish an export that is there: its content does not change.
  let content: ExportContent | undefined;
  if (inputs.mode === 'export') content = await publishContent(inputs, job, deps, delivery);
  // Without the bundle, there is no site to put a stamp into.
  const isStamped = publication.needsBundle && inputs.add.includes('stamp');
  const followed = await finishJob(publication, content?.spentMs ?? 0, { isStamped });
  if (followed.kind === 'detached') return followed.end;
  const finished = { ...followed, content };
  const passed = await makeLink(inputs, publication, finished);
  await deliver(inputs, publication, finished, passed);
  if (publication.after.length > 0) await runAfter(publication, finished, passed);
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
  if (to === undefined) return undefined;
  const { openDestinations } = await import('./destinations.ts');
  const common = { to, mode, baseUrl, adminApiKey, projectId };
  let delivery: Delivery;
  if (mode === 'export') {
    const { domain, content } = inputs;
    // The first export of a site finds no state.
    const init = { ...common, domain, content, needsState: false };
    delivery = await openDestinations(init, deps);
  } else {
    // The state says which job is live, unless the input of a refresh names the job.
    const needsState = mode === 'rollback' || inputs.exportJobId === undefined;
    delivery = await openDestinations({ ...common, needsState }, deps);
  }
  deps.record({ storedLinkExpiresAt: delivery.state?.expiresAt, exports: delivery.exports });
  return delivery;
}

/**
 * Opens and checks what the run does besides its job: checks, image, steps after delivery. Each is
 * loaded only if an input asks for it. Decides whether bundle and link are needed.
 */
async function openSteps(
  inputs: PublishInputs,
  deps: PublishDeps,
  job: ChosenJob,
  delivery: Delivery | undefined,
): Promise<Publication> {
  const after = await openAfterDelivery(inputs, deps);
  let gate: Publication['gate'];
  if (inputs.mode === 'export') {
    warnIfUnpublished(inputs.content.publish, job, deps);
    const { Gate } = await import('./guard/gate.ts');
    gate = await Gate.open(inputs, deps, job.api, delivery);
  }
  let image: Publication['image'];
  if (inputs.to?.addresses.some((address) => address.scheme === 'image')) {
    const { ImagePush } = await import('./image.ts');
    image = await ImagePush.open(inputs.add, deps, job, delivery);
  }
  const isRead = after.some((step) => step.readSite !== undefined);
  const needsBundle =
    isRead || keepsSite(inputs.bundle) || image?.needsSite === true || gate?.needsBundle === true;
  // Where the bundle is downloaded and unpacked: checked now, before an export is started.
  if (needsBundle) checkTemporary(deps.github.run.runnerTemp);
  // The bundle would show its site.
  else if (job.intent.kind === 'named') noteNamedSite(job, delivery, deps.log);
  const areAllImages = delivery?.needsLink === false;
  // Such as a rollback to an image that the registry still has.
  const movesOnlyTags = inputs.mode === 'rollback' && areAllImages && !needsBundle;
  return { deps, job, delivery, gate, image, after, needsBundle, needsLink: !movesOnlyTags };
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
  if (isInHistory === true) return;
  log.notice(
    `The platform does not say which site export job ${job.jobId} exports. This run takes it for ${domain}. The log of the run that started it names its site.`,
  );
}

/** The writes of a dry run. It asks the platform about a given job, so that a wrong id shows. */
async function plan(inputs: PublishInputs, publication: Publication): Promise<Write[]> {
  const { job, gate, delivery, after } = publication;
  const { api } = job;
  const writes: Write[] = [];
  /** `request`: method and path, such as `POST /v1/…`. */
  const addRequest = (action: string, request: string) =>
    writes.push({ action, target: request.replace(' ', ` ${inputs.baseUrl}`) });
  // The pages of a job that has not finished are not known.
  let pageCount: number | undefined;
  if (job.kind === 'attach') {
    const polled = (await api.poll(job.jobId)).value;
    if (polled.status === 'completed') pageCount = readPageCount(polled.pageCount);
  }
  // Records which checks would pass, for the summary.
  await gate?.preview(pageCount);
  if (job.kind === 'start') {
    if (inputs.mode === 'export' && inputs.content.publish === true) {
      const { projectId } = inputs.content;
      addRequest(`publish project ${projectId}`, `POST /v1/project/update/${projectId}`);
    }
    addRequest(`start an export of ${api.subject}`, api.requests.start());
  }
  // Making a link counts as a write, because it gives access.
  const jobId = job.kind === 'start' ? '{jobId}' : job.jobId;
  if (publication.needsLink) addRequest('make a bundle link', api.requests.link(jobId));
  const comparedWith = gate?.comparesWith;
  // A manifest to compare with is a file: it needs no link.
  if (comparedWith?.kind === 'job')
    addRequest('make a bundle link, to compare with', api.requests.link(comparedWith.jobId));
  return [
    ...writes,
    ...planFiles(inputs.bundle, inputs.add),
    ...(delivery?.plan() ?? []),
    ...after.flatMap((step) => step.plan()),
  ];
}

/** What a dry run lists about archive and site. */
function planFiles(bundle: BundleInputs, add: PublishInputs['add']): Write[] {
  const writes: Write[] = [];
  const archive = 'download the archive, with manifest and checksums';
  if (bundle.bundlePath !== undefined) writes.push({ action: archive, target: bundle.bundlePath });
  if (bundle.extractTo !== undefined)
    writes.push({ action: 'unpack the site', target: bundle.extractTo });
  if (add.length > 0) writes.push({ action: 'add files to the site', target: add.join(', ') });
  return writes;
}

/**
 * Follows the job of an export. That of a refresh or rollback is finished: only for a stamp, the
 * platform is asked when it was requested. `spentMs`: how much of `timeout` has passed already.
 */
async function finishJob(
  { deps, job, delivery }: Publication,
  spentMs: number,
  { isStamped }: { readonly isStamped: boolean },
): Promise<FollowedJob> {
  if (job.kind !== 'finished') {
    const { runJob } = await import('./run-job.ts');
    return runJob(job, deps, delivery, spentMs);
  }
  let requestedAt: Date | undefined;
  if (isStamped) requestedAt = (await job.api.poll(job.jobId)).value.createdAt;
  // No check of a refresh or rollback reads the number of pages.
  return { kind: 'finished', jobId: job.jobId, pageCount: undefined, requestedAt };
}

/**
 * Makes the link, and downloads the bundle if it has a destination or a step reads it. An export
 * that is held back ends here.
 */
async function makeLink(
  inputs: PublishInputs,
  publication: Publication,
  finished: Finished,
): Promise<Passed> {
  const { deps, job, gate } = publication;
  let forced: true | undefined;
  // With the bundle, the checks are made when it is there: they may read it.
  if (!publication.needsBundle) forced = await gate?.checkExport(finished.pageCount, undefined);
  if (!publication.needsLink) return { forced };
  // The job of an export has been named in the log when it was started or attached to.
  if (job.kind === 'finished') {
    deps.log.info(
      `Making a fresh link for export job ${finished.jobId}. To attach another run to it, give export-job-id: ${finished.jobId}`,
    );
  }
  const links = new CheckedLinks({
    ...deps,
    api: job.api,
    jobId: finished.jobId,
    baseUrl: inputs.baseUrl,
  });
  if (publication.needsBundle) {
    const { receiveSite } = await import('./bundle.ts');
    const site = await receiveSite(inputs, publication, finished, links);
    // Recorded only now: a later step must not publish a bundle that failed a check.
    recordLink({ ...site.link, sizeBytes: site.facts.bytes }, deps);
    return site;
  }
  const link = await links.fresh();
  recordLink(link, deps);
  return { forced, link };
}

/** From here on, the link is an output of the step. */
function recordLink(link: BundleLink, deps: PublishDeps): void {
  const expiresAt = link.expiresAt?.toISOString();
  deps.record({ bundleUrl: link.url, expiresAt, bundleBytes: link.sizeBytes });
}

/** Writes the link into every destination: the first step that changes what is live. */
async function deliver(
  { baseUrl }: PublishInputs,
  { deps, job, delivery, image }: Publication,
  { jobId, pageCount, content }: Finished,
  passed: Passed,
): Promise<void> {
  // The link is only an output: that has changed. A folder or an archive is in its place by now.
  if (delivery === undefined) return deps.record({ changed: true, stage: 'written' });
  // A SIGTERM may have had to wait for the steps before: a cancelled run does not publish.
  await takeTurn(deps.signal);
  deps.record({ stage: 'writing' });
  const published = content?.published;
  const linkOf = (live: string) => {
    const api = apiOfJob(job.api, live, delivery);
    return new CheckedLinks({ ...deps, api, jobId: live, baseUrl }).fresh();
  };
  const facts = await delivery.deliver({
    jobId,
    linkOf,
    link: passed.link,
    image: image?.reference,
    intent: job.intent,
    details: {
      // The bundle says for certain; without it, the platform's count is the best that is known.
      pages: passed.facts?.pages ?? pageCount,
      projectId: job.api.source.projectId,
      manifest: passed.facts?.manifestSha256,
      forced: passed.forced,
      contentCommit: published?.commit,
      contentFrom: published && namedBy(published),
      fingerprint: image?.fingerprint,
    },
  });
  deps.record({ delivery: facts, changed: true, stage: 'written' });
}

/** Runs the steps after delivery in their order; the first that fails ends the run. */
async function runAfter(
  publication: Publication,
  finished: Finished,
  passed: Passed,
): Promise<void> {
  const delivered = {
    jobId: finished.jobId,
    api: publication.job.api,
    delivery: publication.delivery,
    image: publication.image?.reference,
    expiresAt: passed.link?.expiresAt?.toISOString(),
    comparison: passed.comparison,
    replacedJobId: publication.job.intent.from,
    contentCommit: finished.content?.published?.commit,
    deliveredMs: publication.deps.clock.monotonicMs(),
  };
  for (const step of publication.after) {
    // The comment on the pull request says whether readers have the export: the check of the site,
    // which runs before it, may have seen that.
    const isLive = publication.after.some((earlierStep) => earlierStep.isLive === true);
    await step.run({ ...delivered, isLive });
  }
}
