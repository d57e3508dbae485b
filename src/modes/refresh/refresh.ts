import { type Delivery, openDelivery } from '../../delivery/delivery.ts';
import { isDue, type State, variableName } from '../../delivery/state.ts';
import { CourierError } from '../../errors.ts';
import type { RefreshInputs } from '../../inputs/inputs.ts';
import type { ExportApi } from '../../platform/export-api.ts';
import { type BundleLink, createLinkMaker, type LinkMaker } from '../../platform/link.ts';
import { openExport } from '../../platform/open-export.ts';
import type { RunFacts, Write } from '../../report/report.ts';
import { formatInstant } from '../../text/markdown.ts';
import type { Deps } from '../deps.ts';
import { checkReceipt, planReceipt, receive } from '../receive-bundle.ts';
import type { RefreshFacts } from './summary.ts';

export type RefreshDeps = Deps<RefreshFacts>;

/**
 * Makes a fresh link for a finished export when the stored one expires soon. One call to the platform, no export: the
 * content stays what it was. Not due: nothing is made, written or downloaded.
 */
export async function runRefresh(inputs: RefreshInputs, deps: RefreshDeps): Promise<RunFacts> {
  const { baseUrl, deploymentType } = inputs;
  deps.record({ baseUrl, deploymentType, changed: false });
  await checkReceipt(inputs, deps);
  const needsState = inputs.exportJobId === undefined;
  const delivery = inputs.secret && (await openDelivery({ ...inputs, secret: inputs.secret, needsState }, deps));
  const state = delivery?.state.kind === 'believed' ? delivery.state.state : undefined;
  const jobId = findJob({ inputs, delivery, state });
  deps.record({ jobId, domain: state?.domain });
  const source = { domain: state?.domain, projectId: inputs.projectId };
  const api = openExport({ platform: deps.platform, source });
  const waiting = notDue({ inputs, deps, state, jobId });
  if (waiting !== undefined) return { ...waiting, planned: inputs.dryRun ? [] : undefined };
  if (inputs.dryRun) return { status: 'completed', planned: planRefresh({ inputs, api, jobId, delivery }) };
  return refresh({ inputs, deps, api, delivery, jobId });
}

interface Found {
  readonly inputs: RefreshInputs;
  readonly delivery: Delivery | undefined;
  readonly state: State | undefined;
}

function findJob({ inputs, delivery, state }: Found): string {
  const jobId = inputs.exportJobId ?? state?.jobId;
  if (jobId !== undefined) return jobId;
  const variable = variableName(inputs.secret?.name ?? '');
  const why =
    delivery?.state.kind === 'distrusted'
      ? `what stands there is not believed: ${delivery.state.why}`
      : 'no finished export is noted there';
  const running = state?.run?.jobId === undefined ? '' : ` An export is under way: job ${state.run.jobId}.`;
  throw new CourierError({
    code: 'not-found',
    message: `${variable} tells of no job whose link could be made fresh: ${why}.${running}`,
    hint: {
      text: 'Run mode: export with this secret first, or give the id of a finished job:',
      inputs: { 'export-job-id': 'the id of the job' },
    },
  });
}

interface Waiting {
  readonly inputs: RefreshInputs;
  readonly deps: RefreshDeps;
  readonly state: State | undefined;
  readonly jobId: string;
}

// A job other than the stored one is asked for by a person: that is due at once.
function notDue({ inputs, deps, state, jobId }: Waiting): RunFacts | undefined {
  const { refreshBeforeMs } = inputs;
  const nowMs = deps.clock.now();
  if (state?.expiresAt === undefined || state.jobId !== jobId || isDue(state, { nowMs, refreshBeforeMs }))
    return undefined;
  const dueAt = new Date(Date.parse(state.expiresAt) - refreshBeforeMs);
  const reason = `The stored link is good until ${formatInstant(new Date(state.expiresAt))}; a fresh one is due from ${formatInstant(dueAt)}`;
  deps.record({ expiresAt: state.expiresAt, dueAt: dueAt.toISOString() });
  return { status: 'completed', reason };
}

interface Refreshing {
  readonly inputs: RefreshInputs;
  readonly deps: RefreshDeps;
  readonly delivery: Delivery | undefined;
  readonly jobId: string;
  readonly api: ExportApi;
}

async function refresh({ inputs, deps, api, delivery, jobId }: Refreshing): Promise<RunFacts> {
  const { baseUrl, deploymentType } = inputs;
  deps.log.info(
    `Making a fresh link for export job ${jobId}. To attach another run to it, add to the step: export-job-id: ${jobId}`,
  );
  const links = createLinkMaker({ ...deps, api, jobId, baseUrl });
  let link = await makeLink(links, jobId);
  recordLink(deps, link);
  const origin = { domain: api.source.domain, jobId, pageCount: undefined, deploymentType };
  const received = await receive({ inputs, deps, links, link, origin });
  if (received !== undefined) {
    link = received.link;
    deps.record({ bundle: received.facts, bundleBytes: received.facts.bytes });
    recordLink(deps, link);
  }
  const secret = await delivery?.deliver({ jobId, link });
  deps.record({ changed: true, secret });
  return { status: 'completed' };
}

function recordLink({ record }: RefreshDeps, { url, expiresAt, sizeBytes }: BundleLink): void {
  record({
    bundleUrl: url,
    expiresAt: expiresAt?.toISOString(),
    ...(sizeBytes !== undefined && { bundleBytes: sizeBytes }),
  });
}

async function makeLink(links: LinkMaker, jobId: string): Promise<BundleLink> {
  try {
    return await links.fresh();
  } catch (error) {
    if (!(error instanceof CourierError) || error.code !== 'not-found') throw error;
    throw new CourierError({
      code: 'not-found',
      message: `The platform no longer knows export job ${jobId}. ${error.message}`,
      hint: 'Run mode: export again: it makes a new job and stores it. Until then the stored link works as long as it lives.',
      cause: error,
      httpStatus: error.httpStatus,
    });
  }
}

function planRefresh({
  inputs,
  api,
  jobId,
  delivery,
}: Pick<Refreshing, 'inputs' | 'api' | 'jobId' | 'delivery'>): Write[] {
  const request = api.requests.link(jobId).replace(' ', ` ${inputs.baseUrl}`);
  const link = { action: 'make a bundle link', target: request };
  return [link, ...planReceipt(inputs.bundle), ...(delivery?.plan() ?? [])];
}
