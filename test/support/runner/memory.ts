import { readFileSync } from 'node:fs';

/**
 * The kernel's own high-water mark of resident memory; 0 without /proc, or if the process has
 * ended.
 */
export function readPeakRssBytes(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
