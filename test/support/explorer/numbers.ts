import { Integers, Rows } from './rows.ts';
import type { Pending, World, WorldDestination } from './world.ts';

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
  readonly #jobs = new Parts<World['jobs']>();
  readonly #pending = new Parts<Pending>();
  readonly #worlds = new Parts<World>(
    (world) =>
      `${this.ofDestinations(world)}|${this.#jobs.numberOf(world.jobs)}|${world.pending.map((one) => this.ofPending(one))}`,
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
    return one === undefined ? this.#jobs.numberOf(jobs) : this.#destinations.numberOf(one);
  }

  /** The numbers of all destinations. */
  ofDestinations({ destinations }: World): string {
    return destinations.map((one) => this.#destinations.numberOf(one)).join();
  }

  ofPending(pending: Pending): number {
    return this.#pending.numberOf(pending);
  }

  /** The world with this part at `at`, and with this effect that may still arrive, unless -1. */
  changed(number: number, at: number, part: number, copy: number): number {
    const change = this.#changes.add([number, at, part, copy]);
    if (change === this.#changed.length) {
      const world = this.get(number);
      const pending = copy < 0 ? world.pending : [...world.pending, this.#pending.get(copy)];
      this.#changed.push(this.numberOf({ ...this.#withPart(world, at, part), pending }));
    }
    return this.#changed.at(change);
  }

  #withPart(world: World, at: number, part: number): World {
    if (at < 0) return { ...world, jobs: this.#jobs.get(part) };
    const destinations = world.destinations.with(at, this.#destinations.get(part));
    return { ...world, destinations };
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
