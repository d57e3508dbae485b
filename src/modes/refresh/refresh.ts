import { type Delivery, openDelivery } from '../../delivery/delivery.ts';
import { isDue, type ReadState, type State, variableName } from '../../delivery/state.ts';
import { CourierError, hasCode } from '../../errors.ts';
import type { RefreshInputs } from '../../inputs/inputs.ts';
import type { ExportApi } from '../../platform/export-api.ts';
import { type BundleLink, createLinkMaker, type LinkMaker } from '../../platform/link.ts';
import { openExport } from '../../platform/open-export.ts';
import type { RunFacts, Write } from '../../report/report.ts';
import { formatInstant } from '../../text/markdown.ts';
import type { Deps } from '../deps.ts';
import { checkReceipt, planReceipt, receive } from '../receive-bundle.ts';
import { explainUnknownJob } from '../unknown-job.ts';
import type { RefreshFacts } from './summary.ts';

export type RefreshDeps = Deps<RefreshFacts>;

/**
 * Makes a fresh link for a finished export when the stored one expires soon. One call to the platform, no export: the
 * content stays what it was. Not due: nothing is made, written or downloaded.
 */
export async function runRefresh(inputs: RefreshInputs, deps: RefreshDeps): Promise<RunFacts> {
  const { baseUrl, deploymentType, secret } = inputs;
  deps.record({ baseUrl, deploymentType, changed: false, secretName: secret?.name });
  await checkReceipt(inputs, deps);
  const needsState = inputs.exportJobId === undefined;
  const delivery = secret && (await openDelivery({ ...inputs, secret, needsState }, deps));
  const state = delivery?.state.kind === 'believed' ? delivery.state.state : undefined;
  const jobId = inputs.exportJobId ?? state?.jobId;
  if (jobId === undefined) return withoutJob(inputs, delivery?.state);
  deps.record({ jobId, domain: state?.domain });
  const waiting = notDue(inputs, deps, state, jobId);
  if (waiting !== undefined) return { ...waiting, planned: inputs.dryRun ? [] : undefined };
  const source = { domain: state?.domain, projectId: inputs.projectId };
  const api = openExport({ platform: deps.platform, source });
  const refreshing = { inputs, deps, api, delivery, jobId };
  return inputs.dryRun ? { status: 'completed', planned: planRefresh(refreshing) } : refresh(refreshing);
}

/** No export yet. On a schedule that is no mistake; a state whose signature is invalid is one, whatever the input says. */
function withoutJob({ secret, ifNoState }: RefreshInputs, found: ReadState | undefined): RunFacts {
  const variable = variableName(secret?.name ?? '');
  const running = found?.kind === 'believed' ? found.state.run?.jobId : undefined;
  const nothing = `${variable} holds no finished export`;
  const message = `${found?.kind === 'distrusted' ? `${variable} is ignored: ${found.why}` : nothing}.`;
  if (ifNoState === 'skip' && found?.kind !== 'distrusted') {
    return { status: 'skipped', reason: `${nothing} yet, and if-no-state is skip` };
  }
  throw new CourierError({
    code: 'not-found',
    message: running === undefined ? message : `${message} Export job ${running} may be running.`,
    hint: {
      text: 'Run mode: export with this secret first, or give the id of a finished job. A schedule that may run before the first export takes if-no-state: skip.',
      inputs: { 'export-job-id': 'the id of the job' },
    },
  });
}

/** A job other than the stored one is asked for by a person: that is due at once. */
function notDue(
  { refreshBeforeMs }: RefreshInputs,
  { clock, record }: RefreshDeps,
  state: State | undefined,
  jobId: string,
): RunFacts | undefined {
  if (state?.expiresAt === undefined || state.jobId !== jobId) return undefined;
  if (isDue(state, { nowMs: clock.now(), refreshBeforeMs })) return undefined;
  const dueAt = new Date(Date.parse(state.expiresAt) - refreshBeforeMs);
  record({ expiresAt: state.expiresAt, dueAt: dueAt.toISOString() });
  const reason = `The stored link works until ${formatInstant(new Date(state.expiresAt))}; a fresh one is due from ${formatInstant(dueAt)}`;
  return { status: 'completed', reason };
}

interface Refreshing {
  readonly inputs: RefreshInputs;
  readonly deps: RefreshDeps;
  readonly delivery: Delivery | undefined;
  readonly jobId: string;
  readonly api: ExportApi;
}

async function refresh(refreshing: Refreshing): Promise<RunFacts> {
  const { inputs, deps, api, delivery, jobId } = refreshing;
  const { baseUrl, deploymentType } = inputs;
  deps.log.info(
    `Making a fresh link for export job ${jobId}. To attach another run to it, add to the step: export-job-id: ${jobId}`,
  );
  const links = createLinkMaker({ ...deps, api, jobId, baseUrl });
  let link = await makeLink(links, refreshing);
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

async function makeLink(links: LinkMaker, { inputs, api, jobId }: Refreshing): Promise<BundleLink> {
  try {
    return await links.fresh();
  } catch (error) {
    if (inputs.exportJobId !== undefined) throw explainUnknownJob(error, jobId, api.source);
    if (!hasCode(error, 'not-found')) throw error;
    throw error.with({
      message: `The platform no longer knows export job ${jobId}. ${error.message}`,
      hint: 'Run mode: export again: it makes a new job and stores it. The stored link goes on working until it expires.',
    });
  }
}

function planRefresh({ inputs, api, jobId, delivery }: Refreshing): Write[] {
  const request = api.requests.link(jobId).replace(' ', ` ${inputs.baseUrl}`);
  const link = { action: 'make a bundle link', target: request };
  return [link, ...planReceipt(inputs.bundle), ...(delivery?.plan() ?? [])];
}
