import { setTimeout as delay } from 'node:timers/promises';
import { CourierError } from './errors.ts';

/** Time as the program sees it; tests hand in one that they move themselves. */
export interface Clock {
  /** Wall clock, epoch milliseconds. For timestamps only: it can jump. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start. For every deadline and duration. */
  monotonicMs(): number;
  /**
   * Resolves after `ms` (0 or more); rejects with a `cancelled` error as soon as `signal` aborts.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What every wait and every call throws when the run is cancelled. */
export function cancelled(cause?: unknown): CourierError {
  return new CourierError({ code: 'cancelled', message: 'The run was cancelled.', cause });
}

/**
 * Lets Node.js handle signals, timers and sockets during a long computation, such as a SIGTERM.
 * Throws `cancelled` if `signal` has aborted. It takes two turns: only the second turn handles
 * everything that came before this call.
 */
export async function takeTurn(signal: AbortSignal): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted) throw cancelled(signal.reason);
}

// setTimeout takes a 32-bit number of milliseconds and fires at once beyond it.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  // `performance` would load a part of Node.js that nothing else needs before the first request.
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  async sleep(ms, signal) {
    try {
      for (let remainingMs = ms; remainingMs > 0; remainingMs -= LONGEST_TIMER_MS) {
        await delay(Math.min(remainingMs, LONGEST_TIMER_MS), undefined, signal && { signal });
      }
    } catch (cause) {
      // A timer fails only because the signal has aborted.
      throw cancelled(cause);
    }
    // A wait of 0 ms starts no timer, which would have noticed the signal.
    if (signal?.aborted) throw cancelled(signal.reason);
  },
};
