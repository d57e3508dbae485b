import type { Clock } from '../../../clock.ts';
import { CourierError, hasCode } from '../../../errors.ts';
import type { Workload } from '../../../inputs/inputs.ts';
import type { Log } from '../../../log.ts';
import { carries, type Marks, type Progress, progressOf, type WorkloadClient, type WorkloadState } from './cluster.ts';

const POLL_MS = 2000;
const LONGEST_POLL_MS = 8000;
// An API server that is being upgraded is away for a while.
const MAX_FAILURES_IN_A_ROW = 10;

/** One workload on its way to the new template. */
export interface Followed {
  readonly workload: Workload;
  /** While the pod template has them, this run's change is the present one. */
  readonly marks: Marks;
  /** This run has changed the template. */
  readonly isRestarted: boolean;
  state: WorkloadState;
  progress: Progress;
}

interface FollowInit {
  readonly client: WorkloadClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called after each poll. */
  readonly onProgress: () => void;
}

/** Polls all workloads until each is complete, one is given up by the cluster, or `timeoutMs` have passed. */
export async function followRollout(
  all: readonly Followed[],
  timeoutMs: number,
  { client, clock, log, signal, onProgress }: FollowInit,
): Promise<void> {
  const endMs = clock.monotonicMs() + timeoutMs;
  const lines = new Map<Followed, string>();
  let failures = 0;
  for (;;) {
    for (const one of all) {
      const line = progressLine(one);
      if (lines.get(one) !== line) log.info(line);
      lines.set(one, line);
    }
    onProgress();
    const pending = all.filter(({ progress }) => !progress.isComplete);
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0 || pending.length === 0 || pending.some(isGivenUp)) return;
    await clock.sleep(Math.min(POLL_MS, leftMs), signal);
    try {
      for (const one of pending) await poll(one, client);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!hasCode(error, 'network', 'protocol', 'rate-limited')) throw error;
      if (failures >= MAX_FAILURES_IN_A_ROW) throw tooManyFailures(error);
    }
  }
}

/** What an earlier run has seen given up is waited for: that it was corrected meanwhile is why the run is repeated. */
export function isGivenUp({ isRestarted, progress }: Followed): boolean {
  return isRestarted && progress.givenUp !== undefined;
}

async function poll(one: Followed, client: WorkloadClient): Promise<void> {
  one.state = await client.read(one.workload, { timeLimitMs: LONGEST_POLL_MS });
  one.progress = progressOf(one.workload, one.state);
  if (!carries(one.state.spec.template, one.marks)) throw superseded(one.workload);
}

function progressLine({ workload: { kind, name }, progress }: Followed): string {
  const { ready, updated, wanted, isComplete, waitingFor } = progress;
  const numbers = `${updated} of ${wanted} pods updated, ${ready} ready`;
  return `${kind}/${name}: ${numbers}${isComplete ? '; complete' : waitingFor === undefined ? '' : `; ${waitingFor}`}`;
}

function superseded({ kind, name }: Workload): CourierError {
  return new CourierError({
    code: 'conflict',
    message: `Another writer has changed the pod template of ${kind}/${name}: it no longer names the export of this run.`,
    hint: 'A run for a newer export does that; then let only one run at a time write a destination, with a concurrency group. A GitOps controller does it where it owns the annotations of the pod template: let it ignore those that begin with docs-courier/.',
  });
}

function tooManyFailures(last: CourierError): CourierError {
  return last.with({
    message: `Polling the rollout failed ${MAX_FAILURES_IN_A_ROW} times in a row. The last time: ${last.message}`,
  });
}
