import type { BundleFacts } from '../bundle/facts.ts';
import type { Inspected } from '../bundle/receive.ts';
import type { RefreshInputs, RollbackInputs } from '../inputs/inputs.ts';
import type { ExportApi } from '../platform/export-api.ts';
import { type BundleLink, createLinkMaker, type LinkMaker } from '../platform/link.ts';
import type { Deps } from '../run/context.ts';
import type { Write } from '../run/report.ts';
import type { AfterDelivery, AfterDeliveryFacts } from './after/after.ts';
import { isReceived, planReceipt, receive } from './receive-bundle.ts';
import type { Delivery } from './state/delivery.ts';
import type { DeliveryFacts } from './state/summary.ts';

/** What is known of a fresh link, as soon as it is. */
export interface LinkFacts extends AfterDeliveryFacts {
  /** A secret: an output, never part of report or summary. */
  readonly bundleUrl?: string | undefined;
  /** ISO 8601, UTC. */
  readonly expiresAt?: string | undefined;
  readonly bundleBytes?: number | undefined;
  readonly bundle?: BundleFacts | undefined;
  readonly secret?: DeliveryFacts | undefined;
  /** Every destination holds the fresh link. */
  readonly changed?: boolean | undefined;
}

interface Renewal {
  readonly inputs: RefreshInputs | RollbackInputs;
  readonly deps: Deps<LinkFacts>;
  readonly api: ExportApi;
  /** undefined: the link is an output and nothing more. */
  readonly delivery: Delivery | undefined;
  readonly job: {
    readonly jobId: string;
    readonly requestedAtMs: number | undefined;
    /** A person named it. */
    readonly isExplicit: boolean;
    /** The export job that a rollback takes out of place. */
    readonly replacedJobId?: string | undefined;
  };
  readonly after: AfterDelivery;
  /** What it means that no link can be made. */
  readonly explain: (error: unknown) => unknown;
}

/** Makes a fresh link for a finished job, uses it for the download, writes it into every destination, and does what comes after. */
export async function renew({ inputs, deps, api, delivery, job, after, explain }: Renewal): Promise<void> {
  const { baseUrl } = inputs;
  const { jobId, requestedAtMs, isExplicit, replacedJobId } = job;
  deps.log.info(
    `Making a fresh link for export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`,
  );
  const links = createLinkMaker({ ...deps, api, jobId, baseUrl });
  let link = await makeLink(links, explain);
  recordLink(deps, link);
  const origin = { domain: api.source.domain, jobId, pageCount: undefined };
  const isNeeded = isReceived(inputs.bundle) || after.readsSite;
  const checks = { guard: (inspected: Inspected) => after.readSite(inspected), readsPages: after.readsSite };
  const received = isNeeded ? await receive({ inputs, deps, links, link, origin, ...checks }) : undefined;
  if (received !== undefined) {
    link = received.link;
    deps.record({ bundle: received.facts, bundleBytes: received.facts.bytes });
    recordLink(deps, link);
  }
  const details = { pages: received?.facts.pages, manifest: received?.facts.manifestSha256 };
  const secret = await delivery?.deliver({ jobId, link, details, requestedAtMs, isExplicit });
  deps.record({ secret, changed: true });
  await after.run({ jobId, api, delivery, replacedJobId, expiresAt: link.expiresAt?.toISOString() });
}

async function makeLink(links: LinkMaker, explain: (error: unknown) => unknown): Promise<BundleLink> {
  try {
    return await links.fresh();
  } catch (error) {
    throw explain(error);
  }
}

function recordLink({ record }: Pick<Deps<LinkFacts>, 'record'>, { url, expiresAt, sizeBytes }: BundleLink): void {
  record({
    bundleUrl: url,
    expiresAt: expiresAt?.toISOString(),
    ...(sizeBytes !== undefined && { bundleBytes: sizeBytes }),
  });
}

/** What `renew` would do, for a dry run. */
export function planRenewal({ inputs, api, job, delivery, after }: Omit<Renewal, 'deps' | 'explain'>): Write[] {
  const request = api.requests.link(job.jobId).replace(' ', ` ${inputs.baseUrl}`);
  const link = { action: 'make a bundle link', target: request };
  return [link, ...planReceipt(inputs.bundle), ...(delivery?.plan() ?? []), ...after.plan()];
}
