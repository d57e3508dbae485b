import type { ChildProcess } from 'node:child_process';

const INTERRUPT_MS = 7500;
const TERMINATE_MS = 2500;

/**
 * Ends a process like actions/runner's ProcessInvoker: SIGINT, after 7.5 s SIGTERM, 2.5 s later
 * SIGKILL. Returns a function that stops the escalation.
 */
export function cancelProcess(child: ChildProcess): () => void {
  child.kill('SIGINT');
  const timers = [
    setTimeout(() => child.kill('SIGTERM'), INTERRUPT_MS),
    setTimeout(() => child.kill('SIGKILL'), INTERRUPT_MS + TERMINATE_MS),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
