import type { Running } from './running.ts';
import type { Pending, World, WorldDestination } from './world.ts';

/**
 * Numbers for the parts of a search: equal parts have the same one. A step changes few parts of its
 * world, and the others are the same objects, which are not made a text again.
 */
export class Numbers {
  readonly #byText = new Map<string, number>();
  readonly #byPart = new WeakMap<object, number>();
  readonly #worlds = new Map<string, { readonly world: World; readonly number: number }>();
  readonly #runs = new Map<string, { readonly run: Running; readonly number: number }>();
  readonly #numberOfRun = new WeakMap<Running, number>();

  /** The number of a part that is small, or that many worlds share. */
  of(part: object): number {
    return this.#numberOf(part, () => JSON.stringify(part));
  }

  /** The number of a destination, made of the numbers of its parts. */
  ofDestination(destination: WorldDestination): number {
    return this.#numberOf(destination, () => {
      const { state, kind, link, claims, version, former } = destination;
      const made = Object.entries(claims).map(
        ([number, { claim, madeMs }]) => `${number}:${this.of(claim)}:${madeMs}`,
      );
      const before = former && this.of(former);
      const shown = `${state && this.of(state)},${kind},${link?.text}@${link?.at}`;
      return `destination ${shown},${made.join()},${version},${before}`;
    });
  }

  #numberOf(part: object, textOf: () => string): number {
    const known = this.#byPart.get(part);
    if (known !== undefined) return known;
    const text = textOf();
    const number = this.#byText.get(text) ?? this.#byText.size;
    this.#byText.set(text, number);
    this.#byPart.set(part, number);
    return number;
  }

  /** The one object for all equal worlds. What was wrong on the way says nothing of what follows. */
  world(world: World): { readonly world: World; readonly number: number } {
    const destinations = world.destinations.map((one) => this.ofDestination(one));
    const pending = world.pending.map((one) => this.#ofPending(one));
    const key = `${destinations.join()}|${this.of(world.jobs)}|${pending.join()}`;
    let known = this.#worlds.get(key);
    if (known === undefined) {
      known = { world, number: this.#worlds.size };
      this.#worlds.set(key, known);
    }
    return known;
  }

  #ofPending(pending: Pending): number {
    return this.of(pending);
  }

  /** The one object for all equal runs. */
  run(run: Running): Running {
    const { node, nowMs, realMs, isKilled, isLagging, after } = run;
    const key = `${node.id},${nowMs},${realMs},${isKilled},${isLagging},${after}`;
    let known = this.#runs.get(key);
    if (known === undefined) {
      known = { run, number: this.#runs.size + 1 };
      this.#runs.set(key, known);
      this.#numberOfRun.set(run, known.number);
    }
    return known.run;
  }

  /** The number of a run that `run` gave; 0: it has not begun. */
  ofRun(run: Running | undefined): number {
    return run === undefined ? 0 : (this.#numberOfRun.get(run) ?? 0);
  }
}

const SHIFT = 2 ** 26;

/** The states that were seen: exact, in two numbers for each, which take little memory. */
export class Seen {
  readonly #byFirst = new Map<number, Set<number>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** False: it was there. */
  add(world: number, faults: number, runs: readonly number[]): boolean {
    const [one = 0, other = 0, third = 0, ...more] = runs;
    const [first, second] = [(third * SHIFT + world) * 4 + faults, one * SHIFT + other];
    if (more.length > 0 || !Number.isSafeInteger(first) || !Number.isSafeInteger(second))
      throw new Error('Too many runs, worlds or faults for exact numbers.');
    const seconds = this.#byFirst.get(first) ?? new Set();
    if (seconds.has(second)) return false;
    seconds.add(second);
    this.#byFirst.set(first, seconds);
    this.#size += 1;
    return true;
  }
}
