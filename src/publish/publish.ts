import type { ComparedSite } from '../bundle/compare/compared-site.ts';
import type { Inspected, Received } from '../bundle/receive.ts';
import { takeTurn } from '../clock.ts';
import type { ExportInputs, PublishInputs } from '../inputs/inputs.ts';
import { type BundleLink, CheckedLinks } from '../platform/link.ts';
import type { Deps } from '../run/context.ts';
import { defineMode } from '../run/finish.ts';
import { documentation, type RunFacts, type Write } from '../run/report.ts';
import { formatAddress } from '../stores/kinds.ts';
import { checkTemporary } from '../temporary.ts';
import { type AfterDelivery, openAfterDelivery } from './after/after.ts';
import {
  addParts,
  checkReceipt,
  isReceived,
  noteNamedSite,
  openAddition,
  openPageReaders,
  planReceipt,
  receive,
  warnOfOtherSite,
} from './bundle.ts';
import {
  checkContent,
  confirmReport,
  ExportContent,
  planContent,
  warnIfUnpublished,
} from './content/content.ts';
import type { Gate } from './guard/gate.ts';
import { assertMayForce } from './guard/guard.ts';
import type { ImagePush } from './image.ts';
import { asking, chooseJob } from './job.ts';
import { readPageCount } from './progress.ts';
import type { Publication } from './publication.ts';
import type { FinishedJob } from './run-job.ts';
import type { Delivery } from './state/delivery.ts';
import { type PublishFacts, publishPresentation } from './summary.ts';

type PublishDeps = Deps<PublishFacts>;

/** A publication with everything that can be checked before an export is started. */
interface Checked extends Publication<PublishFacts> {
  /** What holds an export back; undefined in the other modes. */
  readonly gate: Gate | undefined;
  /** undefined: no image is asked for. */
  readonly image: ImagePush | undefined;
  /** What is known about the content of an export; undefined in the other modes. */
  readonly content: ExportContent | undefined;
  readonly after: AfterDelivery;
  /** The bundle itself has a destination, or a step reads it. */
  readonly needsBundle: boolean;
  /**
   * A rollback to an image that the registry has asks the platform for nothing, which may have
   * forgotten the job.
   */
  readonly needsLink: boolean;
}

type Exported = Omit<Extract<FinishedJob, { readonly kind: 'finished' }>, 'kind'>;

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

/**
 * The way of a link: choose the job, check, follow the job, make the link, receive the bundle,
 * write the link to its destinations, and do what comes after. Everything that can be checked is
 * checked before an export is started.
 */
export async function publish(inputs: PublishInputs, given: PublishDeps): Promise<RunFacts> {
  const { baseUrl, to } = inputs;
  const addresses = to?.addresses.map(formatAddress).join(', ');
  given.record({ baseUrl, changed: false, to: addresses, keepsSite: isReceived(inputs.bundle) });
  if (inputs.mode === 'export') given.record({ domain: inputs.domain });
  const nothing = inputs.mode === 'export' ? checkExport(inputs, given) : undefined;
  if (nothing !== undefined) return nothing;
  const deps =
    inputs.mode === 'export'
      ? { ...given, run: await confirmReport(inputs.content, given) }
      : given;
  await checkReceipt(inputs, deps);
  const delivery = await openDelivery(inputs, deps);
  const job = await chooseJob(inputs, { deps, delivery });
  if (job.kind === 'none') return job.end;
  const after = await openAfterDelivery(inputs, deps);
  const publication = { inputs, deps, job, delivery };
  const { gate, content } =
    inputs.mode === 'export' ? await openExportChecks({ ...publication, inputs }) : NO_EXPORT;
  const image = await openImage(publication);
  const reads = after.readsSite || image?.needsSite === true || gate?.needsBundle === true;
  const needsBundle = reads || isReceived(inputs.bundle);
  if (needsBundle) checkTemporary(deps.github.run.runnerTemp);
  else noteNamedSite(job, inputs.exportJobId, { delivery, log: deps.log });
  const needsLink = needsBundle || inputs.mode !== 'rollback' || delivery?.needsLink !== false;
  const checked = { ...publication, gate, image, content, after, needsBundle, needsLink };
  if (inputs.dryRun) return { status: 'completed', planned: await plan(checked) };

  await content?.publish();
  const finished = await finishJob(checked);
  if (finished.kind === 'detached') return finished.end;
  const { jobId } = finished;
  const made = await makeBundle(checked, finished);
  await deliver(checked, finished, made);
  const { api, replacedJobId, reason } = job;
  const expiresAt = made.link?.expiresAt?.toISOString();
  const contentCommit = content?.commit;
  const delivered = {
    jobId,
    api,
    delivery,
    image: image?.reference,
    replacedJobId,
    expiresAt,
    contentCommit,
  };
  const { comparison } = made;
  await after.run({ ...delivered, comparison, deliveredMs: deps.clock.monotonicMs() });
  return { status: 'completed', reason };
}

/** Gives the end of a run that has nothing to do. */
function checkExport(inputs: ExportInputs, { run, log }: PublishDeps): RunFacts | undefined {
  const { to, timeoutMs, domain } = inputs;
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
  if (to?.credentials.secretToken?.startsWith('ghs_') && timeoutMs > APP_TOKEN_SAFE_MS) {
    log.warning(
      `secret-token is a GitHub App token, which expires after an hour; with a timeout over 50m it may have expired when the secret is written. Use two jobs, the second of which makes its own token: ${documentation('how-to/resume-an-export.md')}, section In two jobs`,
    );
  }
  assertMayForce(inputs, run);
  return checkContent(inputs.content, run);
}

/** Stores and their states are loaded only if there is a destination for the link. */
async function openDelivery(
  { to, ...inputs }: PublishInputs,
  deps: PublishDeps,
): Promise<Delivery | undefined> {
  if (to === undefined) return undefined;
  const { openDestinations } = await import('./destinations.ts');
  const needsState =
    inputs.mode === 'rollback' || (inputs.mode === 'refresh' && inputs.exportJobId === undefined);
  const publisher = inputs.mode === 'export' ? inputs.content.publisher : undefined;
  const delivery = await openDestinations({ ...inputs, to, needsState, publisher }, deps);
  deps.record({ storedLinkExpiresAt: delivery.state?.expiresAt, exports: delivery.exports });
  return delivery;
}

async function openExportChecks(publication: Publication<PublishFacts, ExportInputs>) {
  const { inputs, job, deps } = publication;
  warnIfUnpublished(inputs.content, job, deps);
  const { Gate } = await import('./guard/gate.ts');
  return { gate: await Gate.open(publication), content: new ExportContent(publication) };
}

const NO_EXPORT = { gate: undefined, content: undefined };

/** The registry's client and the packer are loaded only if an image is asked for. */
async function openImage(publication: Publication<PublishFacts>): Promise<ImagePush | undefined> {
  const { to } = publication.inputs;
  if (!to?.addresses.some(({ scheme }) => scheme === 'image')) return undefined;
  const { ImagePush: Push } = await import('./image.ts');
  return Push.open(publication);
}

/** Every read is done, a given job's too, so that a wrong id shows; every write is only listed. */
async function plan(checked: Checked): Promise<Write[]> {
  const { inputs, job, delivery, gate, after } = checked;
  const { api } = job;
  const attached =
    job.kind === 'attach' ? (await asking(job, api.poll(job.jobId))).value : undefined;
  await gate?.preview(
    attached?.status === 'completed' ? readPageCount(attached.pageCount) : undefined,
  );
  const write = (action: string, request: string) => ({
    action,
    target: request.replace(' ', ` ${inputs.baseUrl}`),
  });
  const published = inputs.mode === 'export' ? planContent(inputs) : [];
  const start =
    job.kind === 'start'
      ? [...published, write(`start an export of ${api.subject}`, api.requests.start())]
      : [];
  // Making a link counts as a write, because it gives access.
  const jobId = job.kind === 'start' ? '{jobId}' : job.jobId;
  const link = checked.needsLink ? [write('make a bundle link', api.requests.link(jobId))] : [];
  const live = gate?.earlier.with;
  const toCompare =
    live?.kind === 'job'
      ? [write('make a bundle link, to compare with', api.requests.link(live.jobId))]
      : [];
  const writes = [...planReceipt(inputs), ...(delivery?.plan() ?? []), ...after.plan()];
  return [...start, ...link, ...toCompare, ...writes];
}

/** The job of a refresh and of a rollback is finished; only a stamp asks when it was requested. */
async function finishJob({
  inputs,
  deps,
  job,
  delivery,
  content,
  needsBundle,
}: Checked): Promise<FinishedJob> {
  if (job.kind !== 'finished') {
    const { runJob } = await import('./run-job.ts');
    return runJob({ deps, job, delivery, spentMs: content?.spentMs ?? 0 });
  }
  const { jobId } = job;
  const isStamped = needsBundle && inputs.add.includes('stamp');
  const requestedAt = isStamped
    ? (await asking(job, job.api.poll(jobId))).value.createdAt
    : undefined;
  return { kind: 'finished', jobId, pageCount: undefined, requestedAt };
}

/**
 * Makes the link, and downloads the bundle if it has a destination or a step reads it. An export
 * that is held back ends here.
 */
async function makeBundle(
  { inputs, deps, job, delivery, gate, image, content, after, needsBundle, needsLink }: Checked,
  { jobId, pageCount, requestedAt }: Exported,
): Promise<Partial<Received>> {
  const { api } = job;
  const makesImage = image?.needsSite === true;
  if (!needsBundle) await gate?.pass(pageCount, undefined);
  if (!needsLink) return {};
  if (job.kind === 'finished') {
    deps.log.info(
      `Making a fresh link for export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`,
    );
  }
  const links = new CheckedLinks({ ...deps, api, jobId, baseUrl: inputs.baseUrl });
  const link = await asking(job, links.fresh());
  if (!needsBundle) {
    recordLink(deps, link);
    return { link };
  }
  const basePath = inputs.mode === 'export' ? inputs.basePath : undefined;
  const guard = async (inspected: Inspected) => {
    warnOfOtherSite(job, jobId, inspected.site, deps.log);
    await gate?.pass(pageCount, inspected);
    await after.readSite(inspected, basePath);
  };
  const addition = await openAddition(inputs);
  const add = async ({ site }: Inspected) => {
    const exportedAt = requestedAt;
    const added = await addParts(inputs, deps, {
      addition,
      site,
      job,
      jobId,
      exportedAt,
      delivery,
      content,
    });
    await image?.push({ site }, { jobId, contentCommit: content?.commit, added });
    return added;
  };
  const livePath = inputs.live && new URL(inputs.live.url).pathname.replace(/(?<!\/)\/+$/, '');
  const origin = { domain: api.source.domain, jobId, pageCount, basePath, livePath };
  const needsFingerprint = makesImage || inputs.add.includes('stamp');
  const pageReaders = (site: ComparedSite) => openPageReaders(site, { addition, needsFingerprint });
  const readsPages = after.readsSite || makesImage || job.intent.kind === 'named';
  const checks = { guard, add, pageReaders, readsPages, ...gate?.comparing };
  const verifies = inputs.bundle.extractTo !== undefined || makesImage;
  const received = await receive(inputs, deps, { links, link, origin, verifies, ...checks });
  gate?.noteUncompared(received.comparison);
  deps.record({ bundle: received.facts, pageCount: pageCount ?? received.facts.pages });
  // Only now: a later step must not publish a bundle that failed a check.
  recordLink(deps, { ...received.link, sizeBytes: received.facts.bytes });
  return received;
}

function recordLink({ record }: PublishDeps, { url, expiresAt, sizeBytes }: BundleLink): void {
  record({
    bundleUrl: url,
    expiresAt: expiresAt?.toISOString(),
    ...(sizeBytes !== undefined && { bundleBytes: sizeBytes }),
  });
}

/** Writes the link into every destination: the first step that changes what is live. */
async function deliver(
  { deps, job, delivery, gate, image, content }: Checked,
  { jobId, pageCount }: Exported,
  { link, facts }: Partial<Received>,
): Promise<void> {
  // What was done before may have kept a SIGTERM waiting: a cancelled run does not publish.
  await takeTurn(deps.signal);
  const { pages = pageCount, manifestSha256: manifest } = facts ?? {};
  const { commit: contentCommit, commitFrom: contentFrom } = content ?? {};
  const fingerprint = image?.fingerprint;
  const { projectId } = job.api.source;
  const details = {
    pages,
    projectId,
    manifest,
    forced: gate?.wasForced || undefined,
    contentCommit,
    contentFrom,
    fingerprint,
  };
  const change = { jobId, link, image: image?.reference, details, intent: job.intent };
  if (delivery !== undefined) deps.record({ stage: 'writing' });
  deps.record({ delivery: await delivery?.deliver(change), changed: true });
  if (delivery !== undefined) deps.record({ stage: 'written' });
}
