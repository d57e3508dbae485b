import { readFileSync } from 'node:fs';

/** Whether a process runs, on Linux. */
export function isRunning(pid: number): boolean {
  try {
    // A zombie counts as ended: its parent is gone, and the process that adopts it may take its
    // time.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
