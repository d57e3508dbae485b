import type { ChildProcess } from 'node:child_process';
import type { CancelTiming } from './options.ts';

export const RUNNER_CANCEL_TIMING: CancelTiming = { interruptMs: 7500, terminateMs: 2500 };

/**
 * Ends a process like actions/runner's ProcessInvoker: SIGINT, after a while SIGTERM, then SIGKILL. Returns a function that
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
