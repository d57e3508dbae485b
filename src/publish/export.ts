import type { Comparison } from '../bundle/compare/comparison.ts';
import type { Inspected } from '../bundle/receive.ts';
import { CourierError } from '../errors.ts';
import type { ExportInputs } from '../inputs/inputs.ts';
import { type ExportApi, openExport } from '../platform/export-api.ts';
import { createLinkMaker } from '../platform/link.ts';
import { documentation, type RunFacts } from '../run/report.ts';
import { writeDuration } from '../text/markdown.ts';
import { type AfterDelivery, openAfterDelivery } from './after/after.ts';
import { type Earlier, findEarlier } from './changes/earlier.ts';
import { recordChanges } from './changes/record-changes.ts';
import { destinationsText } from './destinations-text.ts';
import type { ExportDeps } from './export-deps.ts';
import { followExport } from './follow-export.ts';
import { Gate } from './guard/gate.ts';
import { assertMayForce } from './guard/guard.ts';
import { type ChosenJob, chooseJob, startJob } from './job.ts';
import { readPages } from './progress.ts';
import { checkReceipt, isReceived, planReceipt, receive } from './receive-bundle.ts';
import type { DeliveredJob, Delivery } from './state/delivery.ts';
import { explainUnknownJob } from './unknown-job.ts';

// A GitHub App's installation token expires after an hour, which a long export may take.
const APP_TOKEN_SAFE_MS = 50 * 60_000;

/**
 * Exports a site: finds or starts the job, follows it, makes a link, and hands it over as an output, a file, a folder and a
 * secret. Everything that can be checked is checked before a job is started.
 */
export async function runExport(inputs: ExportInputs, deps: ExportDeps): Promise<RunFacts> {
  const { baseUrl, domain } = inputs;
  deps.record({ baseUrl, domain, secretName: destinationsText(inputs.to) });
  warnOfShortToken(inputs, deps);
  assertMayForce(inputs, deps.run);
  await checkReceipt(inputs, deps);
  const delivery = await openDestinations(inputs, deps);
  deps.record({ storedLinkExpiresAt: delivery?.state?.expiresAt, exports: delivery?.exports });
  const after = await openAfterDelivery(inputs, deps);
  const api = openApi(inputs, deps);
  const earlier = await findEarlier({ inputs, deps, api, delivery });
  const gate = await Gate.open({ inputs, deps, api, earlier });
  const choice = await chooseJob({ inputs, deps, api, delivery });
  if (inputs.dryRun) return plan({ inputs, api, choice, delivery, earlier, after, gate });
  return exportSite({ inputs, deps, api, delivery, earlier, gate, choice, after });
}

interface ExportSite {
  readonly inputs: ExportInputs;
  readonly deps: ExportDeps;
  readonly api: ExportApi;
  readonly delivery: Delivery | undefined;
  readonly earlier: Earlier;
  readonly gate: Gate;
  readonly choice: ChosenJob;
  readonly after: AfterDelivery;
}

/** From the start of the job to the last step after its delivery. */
async function exportSite(exporting: ExportSite): Promise<RunFacts> {
  const { inputs, deps, api, delivery, choice, after } = exporting;
  const { jobId, waitedMs } =
    choice.kind === 'start' ? await startJob({ inputs, deps, api, delivery }) : { jobId: choice.jobId, waitedMs: 0 };
  deps.record({ jobId, origin: choice.origin });
  if (choice.kind === 'attach') {
    deps.log.info(`Export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`);
  }
  const timeoutMs = Math.max(0, inputs.timeoutMs - waitedMs);
  const end = await followExport({ deps, api, jobId, timeoutMs, fresh: choice.kind === 'start' }).catch((error) => {
    throw choice.origin === 'attached' ? explainUnknownJob(error, jobId, api.source) : error;
  });
  if (end.kind === 'timed-out') return detach(inputs, jobId);

  await handOver({ ...exporting, jobId, pageCount: end.pageCount });
  await after.run({ jobId, api, delivery });
  return { status: 'completed' };
}

/** Stores and their state are loaded only where there is a destination for the link. */
async function openDestinations({ to, ...inputs }: ExportInputs, deps: ExportDeps): Promise<Delivery | undefined> {
  if (to === undefined) return undefined;
  const { openDestinations } = await import('./destinations.ts');
  return openDestinations({ ...inputs, to, needsState: false }, deps);
}

function openApi(inputs: ExportInputs, { platform }: ExportDeps): ExportApi {
  const { domain, projectId, exportVersion: version, exportPaths: paths, basePath } = inputs;
  return openExport({
    platform,
    source: { domain, projectId },
    selection: { version, paths },
    basePath: basePath === '/' ? '' : basePath,
  });
}

interface HandOver extends Omit<ExportSite, 'after'> {
  readonly jobId: string;
  readonly pageCount: number | undefined;
  readonly after: AfterDelivery;
}

/** A finished job's link: made, used for the download, and last of all stored. */
async function handOver(handing: HandOver): Promise<void> {
  const { inputs, deps, api, delivery, earlier, gate, choice, jobId, pageCount, after } = handing;
  const { baseUrl, domain, basePath } = inputs;
  const isNeeded = isReceived(inputs.bundle) || after.readsSite || needsBundle(inputs, earlier);
  if (!isNeeded) await gate.pass(pageCount, undefined);
  const links = createLinkMaker({ ...deps, api, jobId, baseUrl });
  let link = await links.fresh();
  deps.record({ bundleUrl: link.url, expiresAt: link.expiresAt?.toISOString(), bundleBytes: link.sizeBytes });
  const origin = { domain, jobId, pageCount, basePath: basePath === '/' ? '' : basePath };
  const guard = async (inspected: Inspected) => {
    await gate.pass(pageCount, inspected);
    await after.readSite(inspected, origin.basePath);
  };
  const onComparison = (comparison: Comparison) => recordChanges(comparison, inputs, deps);
  const checks = { guard, readsPages: after.readsSite, earlier: earlier.with, onComparison };
  const received = isNeeded ? await receive({ inputs, deps, links, link, origin, ...checks }) : undefined;
  if (received !== undefined && earlier.with !== undefined && received.comparison === undefined) {
    deps.record({ notCompared: 'The bundle of the live export could not be had again; the log says why.' });
  }
  if (received !== undefined) {
    link = received.link;
    deps.record({
      bundle: received.facts,
      pageCount: pageCount ?? received.facts.pages,
      bundleUrl: link.url,
      expiresAt: link.expiresAt?.toISOString(),
      bundleBytes: received.facts.bytes,
    });
  }
  const pages = received?.facts.pages ?? pageCount;
  const details = { pages, manifest: received?.facts.manifestSha256, forced: gate.wasForced || undefined };
  const secret = await delivery?.deliver({ jobId, link, details, ...rankOf(choice, delivery) });
  deps.record({ secret });
}

/** Some checks look into the bundle: it is then downloaded also where it has no destination to go to. */
function needsBundle({ requiredPages, maxSizeBytes }: ExportInputs, earlier: Earlier): boolean {
  return earlier.with !== undefined || requiredPages !== undefined || maxSizeBytes !== undefined;
}

/** What decides whether the link may replace that of another job. */
function rankOf(choice: ChosenJob, delivery: Delivery): Pick<DeliveredJob, 'requestedAtMs' | 'isExplicit'> {
  if (choice.origin === 'resumed') return { requestedAtMs: choice.requestedAtMs, isExplicit: false };
  return { requestedAtMs: delivery.requestNow(), isExplicit: choice.origin === 'attached' };
}

function detach({ onTimeout, timeoutMs }: ExportInputs, jobId: string): RunFacts {
  if (onTimeout === 'detach') {
    return { status: 'detached', reason: `The export is still running; attach to it with export-job-id: ${jobId}` };
  }
  throw new CourierError({
    code: 'timed-out',
    message: `Export job ${jobId} did not finish within ${writeDuration(timeoutMs)}.`,
    hint: {
      text: 'The export is still running. Attach a later run to it, which starts no second export:',
      inputs: { 'export-job-id': jobId },
    },
  });
}

function warnOfShortToken({ to, timeoutMs }: ExportInputs, { log }: ExportDeps): void {
  if (to?.credentials.secretToken?.startsWith('ghs_') && timeoutMs > APP_TOKEN_SAFE_MS) {
    log.warning(
      `secret-token is a GitHub App token, which expires after an hour; with a timeout over 50m it may have expired when the secret is written. Use two jobs, the second of which makes its own token: ${documentation('how-to/two-jobs.md')}`,
    );
  }
}

interface Plan {
  readonly inputs: ExportInputs;
  readonly api: ExportApi;
  readonly choice: ChosenJob;
  readonly delivery: Delivery | undefined;
  readonly earlier: Earlier;
  readonly after: AfterDelivery;
  readonly gate: Gate;
}

/** Every read is done, a given job's too, so that a wrong id shows; every write is only listed. */
async function plan({ inputs, api, choice, delivery, earlier, after, gate }: Plan): Promise<RunFacts> {
  if (choice.kind === 'attach') {
    const { value } = await api.poll(choice.jobId).catch((error) => {
      throw explainUnknownJob(error, choice.jobId, api.source);
    });
    await gate.preview(value.status === 'completed' ? readPages(value.pageCount) : undefined);
  } else await gate.preview(undefined);
  const target = (request: string) => request.replace(' ', ` ${inputs.baseUrl}`);
  const id = choice.kind === 'start' ? '{jobId}' : choice.jobId;
  const start = { action: `start an export of ${api.subject}`, target: target(api.requests.start()) };
  const link = { action: 'make a bundle link', target: target(api.requests.link(id)) };
  // Making a link counts as a write, because it gives access.
  const live = earlier.with?.kind === 'job' ? api.requests.link(earlier.with.jobId) : undefined;
  const toCompare = live === undefined ? [] : [{ action: 'make a bundle link, to compare with', target: target(live) }];
  const writes = [link, ...toCompare, ...planReceipt(inputs.bundle), ...(delivery?.plan() ?? []), ...after.plan()];
  return { status: 'completed', planned: choice.kind === 'start' ? [start, ...writes] : writes };
}
