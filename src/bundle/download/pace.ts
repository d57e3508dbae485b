import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { formatBytes } from '../../text/markdown.ts';
import type { TransferLimits } from '../archive/limits.ts';

/** Tells whether a transfer has become too slow to go on with, from nothing but times and byte counts. */
export interface Pace {
  /** False: over the last window it was slower than allowed. */
  isFastEnough(nowMs: number, bytes: number): boolean;
}

export function createPace(startMs: number, { slowWindowMs, slowBytesPerSecond }: TransferLimits): Pace {
  let window = { startMs, bytes: 0 };
  return {
    isFastEnough(nowMs, bytes) {
      if (nowMs - window.startMs < slowWindowMs) return true;
      const rate = ((bytes - window.bytes) / (nowMs - window.startMs)) * 1000;
      window = { startMs: nowMs, bytes };
      return rate >= slowBytesPerSecond;
    },
  };
}

const PROGRESS_EVERY_MS = 10_000;

/** A line of progress at most every 10 s; with a known size and a slow transfer, at most one per tenth of it. */
export function createDownloadProgress(
  clock: Clock,
  log: Log,
): (bytes: number, totalBytes: number | undefined) => void {
  let lastMs = clock.monotonicMs();
  let lastTenth = 0;
  return (bytes, totalBytes) => {
    const now = clock.monotonicMs();
    if (now - lastMs < PROGRESS_EVERY_MS) return;
    const tenth = totalBytes === undefined ? lastTenth + 1 : Math.floor((bytes / totalBytes) * 10);
    if (tenth === lastTenth && now - lastMs < 6 * PROGRESS_EVERY_MS) return;
    lastMs = now;
    lastTenth = tenth;
    const share =
      totalBytes === undefined ? '' : ` of ${formatBytes(totalBytes)} (${Math.floor((bytes / totalBytes) * 100)} %)`;
    log.info(`Downloaded ${formatBytes(bytes)}${share}.`);
  };
}
