import { CourierError, hasCode } from '../errors.ts';
import type { RollbackInputs } from '../inputs/inputs.ts';
import { type ExportApi, openExport } from '../platform/export-api.ts';
import type { Deps } from '../run/context.ts';
import type { RunFacts } from '../run/report.ts';
import { plainLine } from '../text/escape.ts';
import { openAfterDelivery } from './after/after.ts';
import { openDestinations } from './destinations.ts';
import { destinationsText } from './destinations-text.ts';
import { checkReceipt } from './receive-bundle.ts';
import { planRenewal, renew } from './renew.ts';
import type { RollbackFacts } from './rollback-summary.ts';
import type { Rollback } from './state/jobs.ts';

type RollbackDeps = Deps<RollbackFacts>;

/**
 * Puts a fresh link of an earlier export back in place. The job and its files are still on the platform, so nothing is
 * exported. Refreshes then renew this job; an export that is requested later replaces it, one from before does not.
 */
export async function runRollback(inputs: RollbackInputs, deps: RollbackDeps): Promise<RunFacts> {
  const { baseUrl, exportJobId, to, ...rest } = inputs;
  deps.record({ baseUrl, secretName: destinationsText(to) });
  await checkReceipt(inputs, deps);
  const delivery = await openDestinations({ ...rest, baseUrl, to, needsState: true }, deps);
  deps.record({ exports: delivery.exports });
  const earlier = delivery.rollbackTo(exportJobId);
  const { job: jobId } = earlier.export;
  const { domain, projectId } = earlier.state;
  deps.record({ jobId, formerJobId: earlier.from, domain, pageCount: earlier.export.pages });
  const api = openExport({ platform: deps.platform, source: { domain, projectId: inputs.projectId ?? projectId } });
  await assertFinished(api, jobId, deps);
  const after = await openAfterDelivery(inputs, deps);
  const job = { jobId, requestedAtMs: delivery.requestNow(), isExplicit: true, replacedJobId: earlier.from };
  const renewal = { inputs, api, delivery, job, after };
  if (inputs.dryRun) return { status: 'completed', planned: planRenewal(renewal) };
  deps.log.info(announcement(earlier));
  await renew({ ...renewal, deps, explain: (error) => error });
  return { status: 'completed', reason: `Export job ${jobId} is live again, in place of ${earlier.from}` };
}

function announcement({ export: { job, at }, from, isRepeated }: Rollback): string {
  if (isRepeated) return `An earlier attempt of this run has rolled back to export job ${job}: going on with it.`;
  const since = at === undefined ? '' : `, which was first live at ${at}`;
  return `Rolling back from export job ${from} to ${job}${since}.`;
}

/** The platform keeps jobs and their files, but promises nowhere for how long. */
async function assertFinished(api: ExportApi, jobId: string, { log }: RollbackDeps): Promise<void> {
  const { value } = await api.poll(jobId).catch((error) => {
    throw hasCode(error, 'not-found') ? gone(error, jobId) : error;
  });
  if (value.status === 'completed') return;
  throw new CourierError({
    code: value.status === 'failed' ? 'job-failed' : 'conflict',
    message: `Export job ${jobId} is not finished: its status is ${plainLine(log.redact(value.status), 40)}. Nothing was written; what was live stays live.`,
    hint: 'Name another export with export-job-id; the summary lists those that were live.',
  });
}

function gone(error: CourierError, jobId: string): CourierError {
  return error.with({
    message: `The platform no longer knows export job ${jobId}. Nothing was written; what was live stays live. ${error.message}`,
    hint: 'Name another export with export-job-id; the summary lists those that were live. Or export an earlier version of the content.',
  });
}
