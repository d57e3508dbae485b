/** Lets one request or call of one run through at a time, in an order that the seed decides. */
export class Turns {
  readonly #random: () => number;
  readonly #waiting = new Map<string, () => void>();
  #running: Set<string>;

  constructor(seed: number, runs: readonly string[]) {
    this.#random = mulberry(seed);
    this.#running = new Set(runs);
  }

  /** Resolves when this run may continue. */
  take(run: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(run, resolve);
      this.#next();
    });
  }

  leave(run: string): void {
    this.#running.delete(run);
    this.#next();
  }

  // Only once every run that is still at work waits: nothing but the seed decides.
  #next(): void {
    if (this.#waiting.size === 0 || this.#waiting.size < this.#running.size) return;
    const names = [...this.#waiting.keys()].sort();
    const name = names[Math.floor(this.#random() * names.length)] ?? '';
    const resolve = this.#waiting.get(name);
    this.#waiting.delete(name);
    resolve?.();
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
export function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
