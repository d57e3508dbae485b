import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { formatBytes } from '../../text/markdown.ts';
import type { TransferLimits } from './limits.ts';

/** Whether a transfer has become too slow to go on with, from nothing but times and byte counts. */
export class Pace {
  readonly #limits: TransferLimits;
  #startMs: number;
  #startBytes = 0;

  constructor(startMs: number, limits: TransferLimits) {
    this.#startMs = startMs;
    this.#limits = limits;
  }

  /** False when it was slower than allowed over the last window. `bytes`: since the start of the transfer. */
  isFastEnough(nowMs: number, bytes: number): boolean {
    const { slowWindowMs, slowBytesPerSecond } = this.#limits;
    const elapsedMs = nowMs - this.#startMs;
    if (elapsedMs < slowWindowMs) return true;
    const rate = ((bytes - this.#startBytes) / elapsedMs) * 1000;
    this.#startMs = nowMs;
    this.#startBytes = bytes;
    return rate >= slowBytesPerSecond;
  }
}

const PROGRESS_EVERY_MS = 10_000;

/** Logs a line of progress at most every 10 s; with a known size and a slow transfer, at most one per tenth of it. */
export class DownloadProgress {
  readonly #clock: Clock;
  readonly #log: Log;
  #lastMs: number;
  #lastTenth = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#lastMs = clock.monotonicMs();
  }

  report(bytes: number, totalBytes: number | undefined): void {
    const now = this.#clock.monotonicMs();
    if (now - this.#lastMs < PROGRESS_EVERY_MS) return;
    const tenth = totalBytes === undefined ? this.#lastTenth + 1 : Math.floor((bytes / totalBytes) * 10);
    if (tenth === this.#lastTenth && now - this.#lastMs < 6 * PROGRESS_EVERY_MS) return;
    this.#lastMs = now;
    this.#lastTenth = tenth;
    const share =
      totalBytes === undefined ? '' : ` of ${formatBytes(totalBytes)} (${Math.floor((bytes / totalBytes) * 100)} %)`;
    this.#log.info(`Downloaded ${formatBytes(bytes)}${share}.`);
  }
}
