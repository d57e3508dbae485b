import { CourierError, hasCode } from '../errors.ts';
import type { RefreshInputs } from '../inputs/inputs.ts';
import { type ExportApi, openExport } from '../platform/export-api.ts';
import type { Deps } from '../run/context.ts';
import type { RunFacts } from '../run/report.ts';
import { formatInstant } from '../text/markdown.ts';
import { type AfterDelivery, openAfterDelivery } from './after/after.ts';
import { openDestinations } from './destinations.ts';
import { destinationsText } from './destinations-text.ts';
import { checkReceipt } from './receive-bundle.ts';
import type { RefreshFacts } from './refresh-summary.ts';
import { planRenewal, renew } from './renew.ts';
import type { Delivery } from './state/delivery.ts';
import type { StateRecord } from './state/state.ts';
import { explainUnknownJob } from './unknown-job.ts';

type RefreshDeps = Deps<RefreshFacts>;

/**
 * Makes a fresh link for a finished export when the stored one expires soon. One call to the platform, no export: the
 * content stays what it was. Not due: nothing is made, written or downloaded.
 */
export async function runRefresh(inputs: RefreshInputs, deps: RefreshDeps): Promise<RunFacts> {
  deps.record({ baseUrl: inputs.baseUrl, changed: false, secretName: destinationsText(inputs.to) });
  await checkReceipt(inputs, deps);
  const { to, exportJobId, ...rest } = inputs;
  const needsState = exportJobId === undefined;
  const delivery = to && (await openDestinations({ ...rest, to, needsState }, deps));
  deps.record({ storedLinkExpiresAt: delivery?.state?.expiresAt });
  const nothing = delivery?.withoutExport;
  if (exportJobId === undefined && inputs.ifNoState === 'skip' && nothing !== undefined) {
    return { status: 'skipped', reason: `${nothing}, and if-no-state is skip` };
  }
  const job = findJob(exportJobId, delivery);
  const { jobId, state } = job;
  deps.record({
    jobId,
    domain: state?.domain,
    rolledBackFrom: state?.jobId === jobId ? state.rollback?.from : undefined,
    exports: delivery?.exports,
  });
  const source = { domain: state?.domain, projectId: inputs.projectId ?? state?.projectId };
  const api = openExport({ platform: deps.platform, source });
  const waiting = notDue({ inputs, deps, delivery, jobId });
  if (waiting !== undefined) return { ...waiting, planned: inputs.dryRun ? [] : undefined };
  const after = await openAfterDelivery(inputs, deps);
  const refreshing = { inputs, deps, api, delivery, job, after };
  if (inputs.dryRun) return { status: 'completed', planned: planRenewal(refreshing) };
  await renew({ ...refreshing, explain: (error) => explain(error, refreshing) });
  return { status: 'completed' };
}

interface RefreshJob {
  readonly jobId: string;
  /** A person named it. */
  readonly isExplicit: boolean;
  readonly requestedAtMs: number | undefined;
  /** Of the destination, where it has one. */
  readonly state: StateRecord | undefined;
}

function findJob(exportJobId: string | undefined, delivery: Delivery | undefined): RefreshJob {
  if (exportJobId !== undefined) {
    const requestedAtMs = delivery?.requestNow();
    return { jobId: exportJobId, isExplicit: true, requestedAtMs, state: delivery?.state };
  }
  if (delivery === undefined) throw new CourierError({ code: 'config', message: 'Give to or export-job-id.' });
  return { ...delivery.storedJob(), isExplicit: false };
}

interface Waiting {
  readonly inputs: RefreshInputs;
  readonly deps: RefreshDeps;
  readonly delivery: Delivery | undefined;
  readonly jobId: string;
}

// A job other than the stored one is asked for by a person: that is due at once.
function notDue({ inputs, deps, delivery, jobId }: Waiting): RunFacts | undefined {
  const { refreshBeforeMs } = inputs;
  const goodUntil = delivery?.goodUntil(jobId, refreshBeforeMs);
  if (goodUntil === undefined) return undefined;
  const dueAt = new Date(goodUntil.getTime() - refreshBeforeMs);
  const reason = `The stored link works until ${formatInstant(goodUntil)}; a fresh one is due from ${formatInstant(dueAt)}`;
  deps.record({ expiresAt: goodUntil.toISOString(), dueAt: dueAt.toISOString() });
  delivery?.assertComplete();
  return { status: 'completed', reason };
}

interface Refreshing {
  readonly inputs: RefreshInputs;
  readonly deps: RefreshDeps;
  readonly delivery: Delivery | undefined;
  readonly job: RefreshJob;
  readonly api: ExportApi;
  readonly after: AfterDelivery;
}

/** What it means that no link can be made. */
function explain(error: unknown, { inputs, api, job: { jobId } }: Refreshing): unknown {
  if (inputs.exportJobId !== undefined) return explainUnknownJob(error, jobId, api.source);
  if (!hasCode(error, 'not-found')) return error;
  return error.with({
    message: `The platform no longer knows export job ${jobId}. ${error.message}`,
    hint: 'Run an export again: it makes a new job and stores it. Or roll back to an earlier export with mode: rollback. The stored link goes on working until it expires.',
  });
}
