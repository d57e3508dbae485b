import { cancelled } from '../clock.ts';
import { CourierError, hintText } from '../errors.ts';
import { delayedAbort } from '../http/http.ts';
import type { ExportInputs } from '../inputs/inputs.ts';
import { type ExportApi, type Started, startWhenFree } from '../platform/export-api.ts';
import type { ExportDeps } from './export-deps.ts';
import type { Delivery } from './state/delivery.ts';

export type ChosenJob =
  | { readonly kind: 'start'; readonly origin: 'started' }
  | { readonly kind: 'attach'; readonly jobId: string; readonly origin: 'attached' }
  | {
      readonly kind: 'attach';
      readonly jobId: string;
      readonly origin: 'resumed';
      readonly requestedAtMs: number | undefined;
    };

interface Choice {
  readonly inputs: ExportInputs;
  readonly deps: ExportDeps;
  readonly api: ExportApi;
  readonly delivery: Delivery | undefined;
}

const START: ChosenJob = { kind: 'start', origin: 'started' };

/** The job of the input, else the one that an earlier attempt of this run has started, else a new one. */
export async function chooseJob({ inputs, deps, api, delivery }: Choice): Promise<ChosenJob> {
  if (inputs.exportJobId !== undefined) return { kind: 'attach', jobId: inputs.exportJobId, origin: 'attached' };
  const resume = delivery?.resume();
  if (resume === undefined || resume.kind === 'start') {
    if (resume?.warning !== undefined) deps.log.warning(resume.warning);
    return START;
  }
  return (await isUsable(resume.jobId, api, deps)) ? { ...resume, origin: 'resumed' } : START;
}

// An earlier attempt's job is worth attaching to unless it failed or no longer exists; then a new one is what the user wants.
async function isUsable(jobId: string, api: ExportApi, { log }: ExportDeps): Promise<boolean> {
  try {
    const { value } = await api.poll(jobId);
    if (value.status !== 'failed') {
      log.info(
        `An earlier attempt of this run followed export job ${jobId}: attaching to it. A new export needs a new run.`,
      );
      return true;
    }
    log.info(`Export job ${jobId} of an earlier attempt failed; starting a new one.`);
    return false;
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    if (error.code === 'not-found') {
      log.info(`Export job ${jobId} of an earlier attempt no longer exists; starting a new one.`);
      return false;
    }
    if (error.code === 'network' || error.code === 'rate-limited' || error.code === 'protocol') return true;
    throw error;
  }
}

// A cancelled run ends 4.5 s later at the latest; the report is written in what is left.
const LAST_WRITE_MS = 4300;

/**
 * Starts an export; the state next to the link says so before, and names the job right after. The id goes to the log first,
 * then into the state, then to the outputs: whichever of them fails, the others have it.
 */
export async function startJob(choice: Choice): Promise<Started> {
  const { deps, api, delivery } = choice;
  const lastWrite = delayedAbort(deps.signal, LAST_WRITE_MS);
  await delivery?.markStarting();
  deps.log.info(`Starting an export of ${api.subject}: ${api.requests.start()}.`);
  const started = await start(choice);
  deps.log.info(
    `Started export job ${started.jobId}. To attach another run to it, give export-job-id: ${started.jobId}`,
  );
  try {
    await delivery?.markStarted(started.jobId, { cancelled: deps.signal, lastWrite });
  } finally {
    deps.record({ jobId: started.jobId, origin: 'started' });
  }
  if (deps.signal.aborted) throw cancelled(deps.signal.reason);
  return started;
}

async function start({ inputs, deps, api, delivery }: Choice): Promise<Started> {
  const stored = delivery?.state?.run;
  const runningJobId = stored?.state === 'started' ? stored.jobId : undefined;
  try {
    return await startWhenFree({ ...deps, api, runningJobId, timeoutMs: inputs.timeoutMs });
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    if (error.mayHaveStarted) throw mayHaveStarted(api.subject, error);
    await delivery?.unmarkStarting();
    throw error;
  }
}

function mayHaveStarted(subject: string, error: CourierError): CourierError {
  // A portal's page in place of a reply: then nothing has started, and only base-url is wrong.
  const first =
    error.code === 'protocol' && error.hint !== undefined ? `${hintText(error.hint)} Otherwise look` : 'Look';
  return error.with({
    message: `${error.message} The export of ${subject} may have started; it was not requested again.`,
    hint: {
      text: `${first} for a running export of ${subject} on the platform's dashboard. Attach to it, which starts no second export:`,
      inputs: { 'export-job-id': 'the id shown there' },
    },
  });
}
