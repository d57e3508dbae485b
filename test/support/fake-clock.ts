import { type Clock, cancelled } from '../../src/ground/clock.ts';

export interface FakeClock extends Clock {
  /** Every requested sleep so far, in milliseconds. */
  readonly sleeps: number[];
  /** Advances both clocks. */
  advance(ms: number): void;
  /** Moves only the wall clock, like a correction of the system time. */
  jumpWall(ms: number): void;
}

/**
 * A clock on which a sleep takes no real time: it advances the clock by the sleep and yields once
 * to the event loop. `onSleep` is called after each sleep, before the sleeper continues.
 */
export function fakeClock(init: { now?: number; onSleep?: (ms: number) => void } = {}): FakeClock {
  let wall = init.now ?? Date.parse('2026-01-01T00:00:00Z');
  let monotonic = 1000;
  const sleeps: number[] = [];
  const advance = (ms: number) => {
    wall += ms;
    monotonic += ms;
  };
  return {
    sleeps,
    advance,
    jumpWall: (ms) => {
      wall += ms;
    },
    now: () => wall,
    monotonicMs: () => monotonic,
    async sleep(ms, signal) {
      if (signal?.aborted) throw cancelled(signal.reason);
      sleeps.push(ms);
      advance(ms);
      init.onSleep?.(ms);
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) throw cancelled(signal.reason);
    },
  };
}
