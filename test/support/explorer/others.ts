import type { Parts, Worlds } from './numbers.ts';
import { type Fault, wordsOf } from './running.ts';
import type { Event } from './variants.ts';
import { carryOut, numberIn, type World, type WorldDestination } from './world.ts';

/** What a stranger can put back: a state, and the claims that followed it. */
export type Former = Pick<WorldDestination, 'state' | 'claims'>;

/** The numbers of an event and of the world after it. */
interface Happening {
  readonly world: number;
  readonly event: number;
}

/** What happens in a world without the runs: requests that arrive late, and what strangers do. */
export class Others {
  readonly #formers: readonly Former[];
  readonly #worlds: Worlds;
  readonly #events: Parts<Event>;
  readonly #only: ReadonlySet<Fault>;
  readonly #known: (readonly Happening[])[] = [];

  constructor(
    formers: readonly Former[],
    worlds: Worlds,
    events: Parts<Event>,
    only: ReadonlySet<Fault>,
  ) {
    this.#formers = formers;
    this.#worlds = worlds;
    this.#events = events;
    this.#only = only;
  }

  in(number: number): readonly Happening[] {
    this.#known[number] ??= [...this.#all(this.#worlds.get(number))];
    return this.#known[number];
  }

  *#all(world: World): Generator<Happening> {
    yield* this.#arrivals(world);
    for (const at of world.destinations.keys()) yield* this.#interferences(world, at);
    const [first] = world.destinations;
    if (!this.#only.has('put back') || first === undefined) return;
    for (const [index, { state, claims }] of this.#formers.entries()) {
      // Those of runs at work stay.
      const young = Object.entries(first.claims).filter(
        ([number]) => Number(number) > numberIn(first),
      );
      const all = { ...claims, ...Object.fromEntries(young) };
      const what = `the state of export ${index + 1} and the claims that followed it are put back`;
      yield this.#change(world, 0, { state, claims: all }, 'put back', what);
    }
  }

  *#arrivals(world: World): Generator<Happening> {
    for (const [index, { request, run, nowMs }] of world.pending.entries()) {
      const before = { ...world, pending: world.pending.toSpliced(index, 1), wrong: [] };
      const what = `late: ${wordsOf(request, run)}`;
      const usual = carryOut(before, request, nowMs, { isLate: true });
      yield this.#happening(usual.world, undefined, what);
      if (!this.#only.has('same second')) continue;
      const same = carryOut(before, request, nowMs, { isLate: true, sameSecond: true });
      yield this.#happening(same.world, 'same second', `${what} (same second)`);
    }
  }

  *#interferences(world: World, at: number): Generator<Happening> {
    const one = world.destinations[at];
    if (one === undefined) return;
    const { link, claims, version } = one;
    const left = Object.entries(claims).filter(([number]) => Number(number) > numberIn(one));
    if (this.#only.has('cleaned') && left.length < Object.keys(claims).length) {
      const what = `the claims below the state are removed [${at}]`;
      yield this.#change(world, at, { claims: Object.fromEntries(left) }, 'cleaned', what);
    }
    if (this.#only.has('edited') && link !== undefined) {
      const edited = { text: 'edited', at: link.at + 600_000 };
      const parts = { link: edited, version: version + 1 };
      yield this.#change(world, at, parts, 'edited', `the link is edited [${at}]`);
    }
  }

  #change(
    world: World,
    at: number,
    parts: Partial<WorldDestination>,
    fault: Fault,
    what: string,
  ): Happening {
    const destinations = world.destinations.map((one, index) =>
      index === at ? { ...one, ...parts } : one,
    );
    return this.#happening({ ...world, destinations, wrong: [] }, fault, what);
  }

  #happening(world: World, fault: Fault | undefined, what: string): Happening {
    const event = this.#events.numberOf({ fault, what, wrong: world.wrong });
    return { world: this.#worlds.numberOf(world), event };
  }
}
