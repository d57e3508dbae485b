import { vi } from 'vitest';

// The event loop turns many times while a socket is slow.
const MOST_SECONDS = 1_000_000;

/** Timers that pass only when a test says so, while sockets and files are real. */
interface FakeTimers extends Disposable {
  /** The next `ms` milliseconds, in steps between which what is ready happens, until `isOver`. */
  passUntil(isOver: () => boolean): Promise<void>;
  pass(ms: number): void;
}

/**
 * For limits that the code keeps with `setTimeout`: a loaded machine is then as quick as any other.
 */
export function fakeTimers(): FakeTimers {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return {
    pass: (ms) => void vi.advanceTimersByTime(ms),
    async passUntil(isOver) {
      for (let seconds = 0; !isOver(); seconds += 1) {
        if (seconds === MOST_SECONDS)
          throw new Error(`It did not happen in ${MOST_SECONDS} s of these timers.`);
        vi.advanceTimersByTime(1000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}
