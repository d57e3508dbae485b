import { CLAIM_OVER_MS } from '../../../src/delivery/protocol/limits.ts';
import type { StoreAbilities } from '../../../src/stores/port.ts';
import { Checks, type End, isOlder } from './ends.ts';
import { Moves } from './moves.ts';
import { Parts, Worlds } from './numbers.ts';
import { type Former, Others } from './others.ts';
import { Integers, Rows } from './rows.ts';
import type { Spec } from './run.ts';
import { type Fault, isActive, Runs, USUAL } from './running.ts';
import type { Event } from './variants.ts';
import type { Sent, World } from './world.ts';

export { type Fault, OTHERS, USUAL } from './running.ts';

/** A state, with the numbers of its parts. */
interface Step {
  readonly state: number;
  readonly world: number;
  readonly faults: number;
  readonly runs: readonly number[];
}

export interface Scenario {
  readonly start: World;
  readonly specs: readonly Spec[];
  /**
   * The run with this index starts only once another has ended; a re-run once its first attempt
   * has.
   */
  readonly afterwards?: number | undefined;
  readonly faults: number;
  /** Faults that may happen. */
  readonly only?: readonly Fault[] | undefined;
  /** The faults of `only` happen in this order, each once. */
  readonly isOrdered?: boolean | undefined;
  /** What a stranger may put back into the first destination. */
  readonly formers?: readonly Former[] | undefined;
  /** The search ends with a finding for which this is true. */
  readonly isFound?: ((what: string) => boolean) | undefined;
}

export interface Finding {
  readonly what: string;
  readonly trace: readonly string[];
}

export interface Explored {
  readonly states: number;
  /** How many ends there are, and in how many of them each thing was wrong. */
  readonly ends: number;
  readonly wrong: ReadonlyMap<string, number>;
  readonly findings: ReadonlyMap<string, Finding>;
  /** In how many states an older link is live after a run with a newer decision has ended green. */
  readonly olderStates: number;
  /** In how many ends it still is, before the next refresh. */
  readonly olderEnds: number;
}

const MOST_STATES = 40_000_000;

/** One search: every order of the requests of all runs, with every fault, breadth first. */
class Search {
  readonly #scenario: Scenario;
  readonly #runs: Runs;
  readonly #worlds = new Worlds();
  readonly #moves: Moves;
  readonly #checks: Checks;
  readonly #wrong = new Map<string, number>();
  readonly #findings = new Map<string, Finding>();
  /** The states in the order in which they were found: world, faults left, runs. */
  readonly #states: Rows;
  /** The state before each, and what has happened since. */
  readonly #from = new Integers();
  readonly #what = new Integers();
  readonly #events = new Parts<Event>();
  readonly #others: Others;
  readonly #checked = new Map<string, readonly string[]>();
  readonly #only: ReadonlySet<Fault>;
  readonly #tokens: readonly string[];
  #olderStates = 0;
  #olderEnds = 0;

  constructor(scenario: Scenario) {
    const { start, specs, faults, only = USUAL } = scenario;
    this.#scenario = scenario;
    this.#runs = new Runs(start.destinations);
    this.#only = new Set(faults === 0 ? [] : only);
    this.#moves = new Moves(this.#runs, this.#worlds, this.#events, this.#only);
    this.#others = new Others(scenario.formers ?? [], this.#worlds, this.#events, this.#only);
    this.#checks = new Checks(start, specs, this.#worlds, this.#only);
    this.#states = new Rows(2 + specs.length);
    this.#tokens = specs.map(({ name, attempt = 1 }) => `${name}.${attempt}.`);
  }
  run(): Explored {
    const { start, specs, afterwards, faults, isFound = () => false } = this.#scenario;
    const runs = specs.map((spec, index) => (index === afterwards ? 0 : this.#runs.begin(spec)));
    // What has versions is read as a whole, from one place.
    const world = this.#only.has('lagging') ? withFormer(start) : start;
    this.#push(this.#worlds.numberOf(world), faults, runs, -1, this.#eventOf('start'));
    let next = 0;
    while (next < this.#states.size && ![...this.#findings.keys()].some(isFound)) {
      const level = this.#states.size;
      for (; next < level; next += 1) this.#go(this.#stepOf(next));
      if (this.#states.size > MOST_STATES) throw new Error(`more than ${MOST_STATES} states`);
    }
    return {
      states: this.#states.size,
      ends: this.#checked.size,
      wrong: this.#wrong,
      findings: this.#findings,
      olderStates: this.#olderStates,
      olderEnds: this.#olderEnds,
    };
  }

  #eventOf(what: string): number {
    return this.#events.numberOf({ fault: undefined, what, wrong: [] });
  }

  #stepOf(state: number): Step {
    const runs = this.#scenario.specs.map((_, index) => this.#states.at(state, index + 2));
    return { state, world: this.#states.at(state, 0), faults: this.#states.at(state, 1), runs };
  }

  #push(world: number, faults: number, runs: readonly number[], from: number, event: number): void {
    const state = this.#states.add([world, faults, ...runs]);
    if (state < this.#from.length) return;
    this.#from.push(from);
    this.#what.push(event);
    if (this.#isOlder(world, runs)) this.#olderStates += 1;
  }

  /** True if an older link is live in a destination than that of a run that has ended green. */
  #isOlder(world: number, runs: readonly number[]): boolean {
    const ends = this.#endsOf(runs);
    return (
      ends.some(({ outcome }) => outcome?.kind === 'completed') &&
      this.#worlds.get(world).destinations.some((one, index) =>
        isOlder(
          one,
          ends.filter(({ spec }) => spec?.to?.includes(index) !== false),
        ),
      )
    );
  }

  #endsOf(runs: readonly number[]): readonly End[] {
    return runs.map((number) => {
      const run = this.#runs.get(number);
      const { spec, outcome } = run?.node ?? {};
      return { spec, outcome, after: Math.max(run?.after ?? 0, 0) };
    });
  }

  #note(what: string, trace: readonly string[]): void {
    if (!this.#findings.has(what)) this.#findings.set(what, { what, trace });
  }

  /** All that may happen next. */
  #go(step: Step): void {
    this.#startAnother(step);
    for (const { world, event } of this.#others.in(step.world))
      this.#happen(step, world, step.runs, event);
    const active = [...step.runs.keys()].filter((index) => this.#isActive(step, index));
    const moved = active.filter((index) => this.#move(step, index));
    if (active.length === 0) this.#end(step);
    else if (moved.length === 0 && this.#worlds.get(step.world).pending.length === 0) {
      // After a fault this may be so, and ends when the claims are over.
      if (step.faults === this.#scenario.faults)
        this.#note('all runs wait for each other', this.#traceOf(step.state));
      for (const index of active) this.#move(step, index, true);
    }
  }

  #isActive({ runs }: Step, index: number): boolean {
    const run = this.#runs.get(runs[index] ?? 0);
    return run !== undefined && isActive(run);
  }

  /** Unless there are too few faults left. */
  #happen(step: Step, world: number, runs: readonly number[], event: number): void {
    const { fault, what, wrong } = this.#events.get(event);
    const faults = step.faults - this.#costOf(fault, step.faults);
    if (faults < 0) return;
    for (const one of wrong) this.#note(one, [...this.#traceOf(step.state), what]);
    this.#push(world, faults, runs, step.state, event);
  }

  #traceOf(state: number): string[] {
    const trace: string[] = [];
    for (let one = state; one >= 0; one = this.#from.at(one))
      trace.unshift(this.#events.get(this.#what.at(one)).what);
    return trace;
  }

  #startAnother(step: Step): void {
    const { afterwards, specs } = this.#scenario;
    const spec = afterwards === undefined ? undefined : specs[afterwards];
    if (afterwards === undefined || spec === undefined || step.runs[afterwards] !== 0) return;
    const isOver = (number: number) => {
      const run = this.#runs.get(number);
      return (
        run !== undefined &&
        !isActive(run) &&
        (spec.attempt === undefined || run.node.spec.name === spec.name)
      );
    };
    if (!step.runs.some(isOver)) return;
    const runs = step.runs.with(afterwards, this.#runs.begin(spec));
    this.#push(step.world, step.faults, runs, step.state, this.#eventOf(`${spec.name} starts`));
  }

  /** False: the run waits. */
  #move(step: Step, index: number, hasWaited = false): boolean {
    const number = step.runs[index] ?? 0;
    const sent = this.#runs.get(number)?.node.next;
    const isOver = hasWaited || sent === undefined || this.#isClaimOver(sent, step);
    const when = { isOver, mayFail: step.faults > 0, decided: this.#decidedIn(step) };
    return this.#moves.each(number, step.world, when, (world, run, event) =>
      this.#happen(step, world, step.runs.with(index, run), event),
    );
  }

  /**
   * The run of the claim has ended, or has slept for so long that it writes no more with this claim.
   */
  #isClaimOver({ at, request }: Sent, { world, runs }: Step): boolean {
    if (request.kind !== 'await-claim') return true;
    const { destinations } = this.#worlds.get(world);
    const { claim, madeMs = 0 } = destinations[at]?.claims[request.number] ?? {};
    if (claim === undefined) return true;
    const index = this.#tokens.findIndex((token) => claim.token.startsWith(token));
    const holder = this.#runs.get(runs[index] ?? 0);
    return holder === undefined || !isActive(holder) || holder.realMs - madeMs > CLAIM_OVER_MS;
  }

  /** More than there are: it is not its turn. */
  #costOf(fault: Fault | undefined, faults: number): number {
    if (fault === undefined) return 0;
    const { isOrdered = false, only = [], faults: most } = this.#scenario;
    return isOrdered && fault !== only[most - faults] ? faults + 1 : 1;
  }

  /** After a state was put back, the orders of the runs do not say who is newer. */
  #decidedIn({ runs }: Step): number {
    if (!this.#only.has('put back')) return 0;
    let decided = 0;
    for (const [index, number] of runs.entries()) {
      const run = this.#runs.get(number);
      if (run !== undefined && this.#runs.hasDecided(run)) decided |= 1 << index;
    }
    return decided;
  }

  #end({ state, world: number, runs }: Step): void {
    const world = this.#worlds.get(number);
    const ends = this.#endsOf(runs);
    const what = ends.map(({ outcome, after }) => [outcome, after]);
    const key = `${this.#worlds.ofDestinations(world)}|${JSON.stringify(what)}`;
    let wrongs = this.#checked.get(key);
    if (wrongs === undefined) {
      wrongs = this.#checks.wrongAfter(world, ends);
      this.#checked.set(key, wrongs);
      for (const wrong of wrongs) this.#wrong.set(wrong, (this.#wrong.get(wrong) ?? 0) + 1);
      if (this.#isOlder(number, runs)) this.#olderEnds += 1;
    }
    for (const wrong of wrongs) this.#note(wrong, this.#traceOf(state));
  }
}

export function explore(scenario: Scenario): Explored {
  return new Search(scenario).run();
}

function withFormer(world: World): World {
  return {
    ...world,
    destinations: world.destinations.map((one) => ({
      ...one,
      former:
        one.abilities.guard === 'versions'
          ? undefined
          : { state: one.state, kind: one.kind, claims: one.claims },
    })),
  };
}

export const KINDS = {
  versions: { guard: 'versions', shows: 'value' },
  'claims, value': { guard: 'claims', shows: 'value' },
  'claims, date': { guard: 'claims', shows: 'date' },
  'claims, nothing': { guard: 'claims', shows: 'nothing' },
  'none, value': { guard: 'none', shows: 'value' },
} as const satisfies Record<string, StoreAbilities>;
