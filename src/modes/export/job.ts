import type { Delivery } from '../../delivery/delivery.ts';
import { CourierError } from '../../errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import type { ExportDeps } from './deps.ts';

export type ChosenJob =
  | { readonly kind: 'start'; readonly origin: 'started' }
  | { readonly kind: 'attach'; readonly jobId: string; readonly origin: 'attached' | 'resumed' };

interface Choice {
  readonly inputs: ExportInputs;
  readonly deps: ExportDeps;
  readonly delivery: Delivery | undefined;
}

const START: ChosenJob = { kind: 'start', origin: 'started' };

/** The job of the input, else the one that an earlier attempt of this run has started, else a new one. */
export async function chooseJob({ inputs, deps, delivery }: Choice): Promise<ChosenJob> {
  if (inputs.exportJobId !== undefined) return { kind: 'attach', jobId: inputs.exportJobId, origin: 'attached' };
  const resume = delivery?.resume();
  if (resume === undefined || resume.kind === 'start') {
    if (resume?.warning !== undefined) deps.log.warning(resume.warning);
    return START;
  }
  return (await isUsable(resume.jobId, deps)) ? { kind: 'attach', jobId: resume.jobId, origin: 'resumed' } : START;
}

// An earlier attempt's job is worth attaching to unless it failed or is gone; then a new one is what the user wants.
async function isUsable(jobId: string, { platform, log }: ExportDeps): Promise<boolean> {
  try {
    const { value } = await platform.getExportJob(jobId);
    if (value.status !== 'failed') {
      log.info(
        `An earlier attempt of this run followed export job ${jobId}: attaching to it. A new export needs a new run.`,
      );
      return true;
    }
    log.info(`Export job ${jobId} of an earlier attempt failed; starting anew.`);
    return false;
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    if (error.code === 'not-found') {
      log.info(`Export job ${jobId} of an earlier attempt is gone; starting anew.`);
      return false;
    }
    if (error.code === 'network' || error.code === 'rate-limited' || error.code === 'protocol') return true;
    throw error;
  }
}

/** Starts an export; the state beside the secret says so before, and names the job right after. */
export async function startJob({ inputs, deps, delivery }: Choice): Promise<string> {
  const { domain } = inputs;
  if (domain === undefined) throw new CourierError({ code: 'config', message: 'domain is missing.' });
  await delivery?.markStarting();
  deps.log.info(`Starting an export of ${domain}.`);
  const { jobId } = await start({ domain, deps, delivery });
  // Told before the next call, so that not even a crash in it loses the id.
  deps.tell({ jobId });
  await delivery?.markStarted(jobId);
  return jobId;
}

interface Start {
  readonly domain: string;
  readonly deps: ExportDeps;
  readonly delivery: Delivery | undefined;
}

async function start({ domain, deps, delivery }: Start): Promise<{ jobId: string }> {
  try {
    return (await deps.platform.startExport(domain)).value;
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    if (error.mayHaveStarted) throw mayHaveStarted(domain, error);
    await delivery?.unmarkStarting();
    throw error;
  }
}

function mayHaveStarted(domain: string, error: CourierError): CourierError {
  // A portal's page in place of a reply: then nothing has started, and only base-url is wrong.
  const first = error.code === 'protocol' && error.hint !== undefined ? `${error.hint} Otherwise look` : 'Look';
  return new CourierError({
    code: error.code,
    message: `${error.message} The export of ${domain} may have started; it was not asked for again.`,
    hint: `${first} for a running export of ${domain} on the platform's dashboard. Attach to it, which starts no second export:\nwith:\n  export-job-id: the id shown there`,
    cause: error,
    httpStatus: error.httpStatus,
    mayHaveStarted: true,
  });
}
