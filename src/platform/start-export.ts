import type { Clock } from '../clock.ts';
import { CourierError, hasCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { writeDuration } from '../text/markdown.ts';
import { type ExportApi, viewOfExport } from './export-api.ts';
import { follow } from './follow.ts';

interface StartInit {
  readonly api: ExportApi;
  /** A job that may be the running one where the platform's reply names none, such as the last one of another run. */
  readonly runningJobId?: string | undefined;
  /** How long to wait for a running export; 0: not at all. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface Started {
  readonly jobId: string;
  /** How long this run waited for another export. */
  readonly waitedMs: number;
}

// A job that has ended may hold its place for a moment.
const RELEASE_WAIT_MS = 5000;

/**
 * Starts an export. Where the platform says that one is running already, waits for that one to end, within `timeoutMs`, and
 * starts then: what is running was begun before this run's content was published. Throws `conflict` where its id is not
 * known, and `timed-out` after waiting.
 */
export async function startWhenFree({ api, runningJobId, timeoutMs, clock, log, signal }: StartInit): Promise<Started> {
  const startMs = clock.monotonicMs();
  const waitedMs = () => clock.monotonicMs() - startMs;
  for (;;) {
    const outcome = await api.start();
    if (outcome.kind === 'started') return { jobId: outcome.jobId, waitedMs: waitedMs() };
    const jobId = outcome.jobId ?? runningJobId;
    if (jobId === undefined || timeoutMs <= 0) throw outcome.error;
    if (waitedMs() >= timeoutMs) throw stillRunning(api, jobId, timeoutMs);
    log.info(`An export of ${api.subject} is running already: job ${jobId}. Waiting for it to end.`);
    await waitForEnd({ api, jobId, timeoutMs: timeoutMs - waitedMs(), clock, log, signal }, outcome.error);
    if (waitedMs() >= timeoutMs) throw stillRunning(api, jobId, timeoutMs);
    await clock.sleep(Math.min(RELEASE_WAIT_MS, timeoutMs - waitedMs()), signal);
  }
}

interface Waiting extends Omit<StartInit, 'runningJobId'> {
  readonly jobId: string;
}

async function waitForEnd({ api, jobId, ...time }: Waiting, busy: CourierError): Promise<void> {
  try {
    await follow({ ...time, poll: (timeLimitMs) => api.poll(jobId, timeLimitMs), view: viewOfExport, fresh: false });
  } catch (error) {
    // The id was a guess, and the platform does not know it: only people can find the running job.
    if (hasCode(error, 'not-found')) throw busy;
    // Whatever went wrong, this run has started nothing.
    throw error instanceof CourierError ? error.with({ mayHaveStarted: false }) : error;
  }
}

function stillRunning(api: ExportApi, jobId: string, timeoutMs: number): CourierError {
  return new CourierError({
    code: 'timed-out',
    message: `Export job ${jobId} of ${api.subject} was running already and did not finish within ${writeDuration(timeoutMs)}; no export was started.`,
    hint: {
      text: 'Run again later, or attach to that job, which starts no second export:',
      inputs: { 'export-job-id': jobId },
    },
  });
}
