import type { ChildProcess } from 'node:child_process';
import type { CancelTiming } from './options.ts';

export const RUNNER_CANCEL_TIMING: CancelTiming = { interruptMs: 7500, terminateMs: 2500 };

/**
 * Ends a process as actions/runner's ProcessInvoker does: SIGINT, after a while SIGTERM, after another SIGKILL. Returns what
 * stops the escalation.
 */
export function cancelProcess(child: ChildProcess, timing: CancelTiming = RUNNER_CANCEL_TIMING): () => void {
  child.kill('SIGINT');
  const timers = [
    setTimeout(() => child.kill('SIGTERM'), timing.interruptMs),
    setTimeout(() => child.kill('SIGKILL'), timing.interruptMs + timing.terminateMs),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
