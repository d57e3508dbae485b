import { vi } from 'vitest';

/** Timers that pass only when a test says so, while sockets and files are real. */
export interface FakeTimers extends Disposable {
  /** The next `ms` milliseconds, in steps between which what is ready happens, until `isOver`. */
  passUntil(isOver: () => boolean): Promise<void>;
  pass(ms: number): void;
}

/** For limits that the code keeps with `setTimeout`: a loaded machine is then as quick as any other. */
export function fakeTimers(): FakeTimers {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return {
    pass: (ms) => void vi.advanceTimersByTime(ms),
    async passUntil(isOver) {
      while (!isOver()) {
        vi.advanceTimersByTime(1000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}
