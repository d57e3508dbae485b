import { Integers, Rows } from './rows.ts';
import type { World, WorldDestination } from './world.ts';

/** Parts of one kind: equal ones have the same number, and one of them stands for all. */
export class Parts<T extends object> {
  readonly #textOf: (part: T) => string;
  readonly #byText = new Map<string, number>();
  readonly #byPart = new WeakMap<T, number>();
  readonly #all: T[] = [];

  constructor(textOf: (part: T) => string = JSON.stringify) {
    this.#textOf = textOf;
  }

  get(number: number): T {
    const part = this.#all[number];
    if (part === undefined) throw new Error(`There is no part ${number}.`);
    return part;
  }

  /** A part that is the same object is not made a text again. */
  numberOf(part: T): number {
    const known = this.#byPart.get(part);
    if (known !== undefined) return known;
    const text = this.#textOf(part);
    const number = this.#byText.get(text) ?? this.#all.length;
    if (number === this.#all.length) {
      this.#all.push(part);
      this.#byText.set(text, number);
    }
    this.#byPart.set(part, number);
    return number;
  }
}

/** The worlds of a search, and their parts, by their numbers. */
export class Worlds {
  readonly #texts = new Parts<object>();
  readonly #destinations = new Parts<WorldDestination>((one) => this.#textOf(one));
  readonly #worlds = new Parts<World>(
    (world) =>
      `${this.ofDestinations(world)}|${this.#texts.numberOf(world.jobs)}|${world.pending.map((one) => this.#texts.numberOf(one))}`,
  );
  readonly #changes = new Rows(4);
  readonly #changed = new Integers();

  get(number: number): World {
    return this.#worlds.get(number);
  }

  numberOf(world: World): number {
    return this.#worlds.numberOf(world);
  }

  /** The number of what a request at `at` reads and changes, apart from what may still arrive. */
  ofPart({ destinations, jobs }: World, at: number): number {
    const one = destinations[at];
    return one === undefined ? this.#texts.numberOf(jobs) : this.#destinations.numberOf(one);
  }

  /** The numbers of all destinations. */
  ofDestinations({ destinations }: World): string {
    return destinations.map((one) => this.#destinations.numberOf(one)).join();
  }

  /**
   * The world with what `next` changed at `at`, and with its last effect that may still arrive.
   * `next` was made in a world whose other parts may have differed.
   */
  changed(number: number, at: number, next: World, copy: World['pending']): number {
    const ofCopy = copy.length === 0 ? -1 : this.#texts.numberOf(copy);
    const change = this.#changes.add([number, at, this.ofPart(next, at), ofCopy]);
    if (change === this.#changed.length) {
      const world = this.get(number);
      const destinations = world.destinations.map((one, index) =>
        index === at ? (next.destinations[at] ?? one) : one,
      );
      const jobs = at < 0 ? next.jobs : world.jobs;
      const pending = [...world.pending, ...copy];
      this.#changed.push(this.numberOf({ ...world, destinations, jobs, pending }));
    }
    return this.#changed.at(change);
  }

  #textOf({ state, kind, link, claims, version, former }: WorldDestination): string {
    const made = Object.entries(claims).map(
      ([number, { claim, madeMs }]) => `${number}:${this.#texts.numberOf(claim)}:${madeMs}`,
    );
    const before = former && this.#texts.numberOf(former);
    const shown = `${state && this.#texts.numberOf(state)},${kind},${link?.text}@${link?.at}`;
    return `${shown},${made.join()},${version},${before}`;
  }
}
