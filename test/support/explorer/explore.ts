import { CLAIM_OVER_MS } from '../../../src/delivery/protocol/limits.ts';
import type { StoreAbilities } from '../../../src/stores/port.ts';
import { Checks, isOlder } from './ends.ts';
import { Numbers, Seen } from './numbers.ts';
import type { Spec } from './run.ts';
import { type Fault, isActive, type Running, Runs, USUAL, wordsOf } from './running.ts';
import { hasClaimChanged, isWrite, Variants } from './variants.ts';
import { carryOut, numberIn, type Sent, type World, type WorldDestination } from './world.ts';

export { type Fault, OTHERS, USUAL } from './running.ts';

interface Step {
  readonly world: World;
  readonly runs: readonly (Running | undefined)[];
  readonly faults: number;
  readonly from: Step | undefined;
  readonly what: string;
}

/** What a stranger can put back: a state, and the claims that followed it. */
export type Former = Pick<WorldDestination, 'state' | 'claims'>;

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
  readonly #numbers = new Numbers();
  readonly #variants: Variants;
  readonly #checks: Checks;
  readonly #wrong = new Map<string, number>();
  readonly #findings = new Map<string, Finding>();
  readonly #seen = new Seen();
  readonly #checked = new Map<string, readonly string[]>();
  readonly #only: ReadonlySet<Fault>;
  #olderStates = 0;
  #olderEnds = 0;
  #following: Step[] = [];

  constructor(scenario: Scenario) {
    const { start, specs, faults, only = USUAL } = scenario;
    this.#scenario = scenario;
    this.#runs = new Runs(start.destinations);
    this.#only = new Set(faults === 0 ? [] : only);
    this.#variants = new Variants(this.#runs, this.#numbers, this.#only);
    this.#checks = new Checks(start, specs, this.#numbers, this.#only);
  }

  run(): Explored {
    const { start, specs, afterwards, faults, isFound = () => false } = this.#scenario;
    const runs = specs.map((spec, index) =>
      index === afterwards ? undefined : this.#runs.begin(spec),
    );
    // What has versions is read as a whole, from one place.
    const world = this.#only.has('lagging') ? withFormer(start) : start;
    let level: Step[] = [{ world, runs, faults, from: undefined, what: 'start' }];
    while (level.length > 0) {
      this.#following = [];
      for (const step of level) this.#go(step);
      if (this.#seen.size > MOST_STATES) throw new Error(`more than ${MOST_STATES} states`);
      level = [...this.#findings.keys()].some(isFound) ? [] : this.#following;
    }
    return {
      states: this.#seen.size,
      ends: this.#checked.size,
      wrong: this.#wrong,
      findings: this.#findings,
      olderStates: this.#olderStates,
      olderEnds: this.#olderEnds,
    };
  }

  #push(step: Step): void {
    const { world, number } = this.#numbers.world(step.world);
    const runs = step.runs.map((run) => run && this.#numbers.run(run));
    const numbers = runs.map((run) => this.#numbers.ofRun(run));
    if (!this.#seen.add(number, step.faults, numbers)) return;
    if (isOlderIn(world, runs)) this.#olderStates += 1;
    this.#following.push({ ...step, world, runs });
  }

  #note(what: string, step: Step): void {
    if (!this.#findings.has(what)) this.#findings.set(what, { what, trace: traceOf(step) });
  }

  /** All that may happen next. */
  #go(step: Step): void {
    this.#startAnother(step);
    for (const [index, pending] of step.world.pending.entries()) {
      const rest = step.world.pending.filter((_, at) => at !== index);
      const what = `late: ${wordsOf(pending.request, pending.run)}`;
      const arrive = (words: string, faults: number, sameSecond: boolean) => {
        const before = { ...step.world, pending: rest, wrong: [] };
        const unusual = { isLate: true, sameSecond };
        const { world } = carryOut(before, pending.request, pending.nowMs, unusual);
        this.#pushWith(world.wrong, { ...step, world, faults, from: step, what: words });
      };
      arrive(what, step.faults, false);
      if (this.#only.has('same second') && step.faults > 0)
        arrive(`${what} (same second)`, step.faults - 1, true);
    }
    if (step.faults > 0) this.#interfere(step);
    const active = step.runs.filter((run) => run !== undefined && isActive(run));
    const hasMoved = step.runs.map(
      (run, index) => run !== undefined && isActive(run) && this.#move(step, run, index),
    );
    if (active.length === 0) this.#end(step);
    else if (step.world.pending.length === 0 && !hasMoved.includes(true)) {
      // After a fault this may be so, and ends when the claims are over.
      if (step.faults === this.#scenario.faults) this.#note('all runs wait for each other', step);
      for (const [index, run] of step.runs.entries()) {
        if (run !== undefined && isActive(run)) this.#move(step, run, index, true);
      }
    }
  }

  #pushWith(wrong: readonly string[], step: Step): void {
    for (const what of wrong) this.#note(what, step);
    this.#push(step);
  }

  #startAnother(step: Step): void {
    const { afterwards, specs } = this.#scenario;
    const spec = afterwards === undefined ? undefined : specs[afterwards];
    if (afterwards === undefined || spec === undefined || step.runs[afterwards] !== undefined)
      return;
    const isOver = (run: Running | undefined) =>
      run !== undefined &&
      !isActive(run) &&
      (spec.attempt === undefined || run.node.spec.name === spec.name);
    if (!step.runs.some(isOver)) return;
    const runs = step.runs.map((run, index) =>
      index === afterwards ? this.#runs.begin(spec) : run,
    );
    this.#push({ ...step, runs, from: step, what: `${spec.name} starts` });
  }

  /** What others than the runs do. */
  #interfere(step: Step): void {
    const change = (at: number, parts: Partial<WorldDestination>, what: string) => {
      const destinations = step.world.destinations.map((one, index) =>
        index === at ? { ...one, ...parts } : one,
      );
      const world = { ...step.world, destinations };
      this.#push({ ...step, world, faults: step.faults - 1, from: step, what });
    };
    for (const [at, one] of step.world.destinations.entries()) {
      const { link, claims, version } = one;
      const old = Object.keys(claims).filter((number) => Number(number) <= numberIn(one));
      if (this.#only.has('cleaned') && old.length > 0) {
        const left = Object.entries(claims).filter(([number]) => !old.includes(number));
        change(
          at,
          { claims: Object.fromEntries(left) },
          `the claims below the state are removed [${at}]`,
        );
      }
      if (this.#only.has('edited') && link !== undefined) {
        const edited = { text: 'edited', at: link.at + 600_000 };
        change(at, { link: edited, version: version + 1 }, `the link is edited [${at}]`);
      }
    }
    if (!this.#only.has('put back')) return;
    for (const [index, { state, claims }] of (this.#scenario.formers ?? []).entries()) {
      const [one] = step.world.destinations;
      if (one === undefined) return;
      // Those of runs at work stay.
      const young = Object.entries(one.claims).filter(([number]) => Number(number) > numberIn(one));
      const all = { ...claims, ...Object.fromEntries(young) };
      change(
        0,
        { state, claims: all },
        `the state of export ${index + 1} and the claims that followed it are put back`,
      );
    }
  }

  /** False: the run waits. */
  #move(step: Step, run: Running, index: number, hasWaited = false): boolean {
    const { world } = step;
    const { node } = run;
    const sent = node.next;
    if (sent === undefined) return false;
    const isOver = hasWaited || isClaimOver(sent, step);
    if (sent.request.kind === 'await-claim' && !isOver && !hasClaimChanged(sent, world))
      return false;
    let after: readonly number[] | undefined;
    if (isWrite(sent)) after = run.after ?? this.#decidedIn(step);
    for (const variant of this.#variants.of(run, sent, world, step.faults > 0)) {
      const faults = step.faults - this.#costOf(run, variant.fault, step.faults);
      if (faults < 0) continue;
      const { change, pending, what, wrong } = variant;
      const hasReplied = variant.run.node !== node;
      const moved = { ...variant.run, after: hasReplied ? (after ?? run.after) : run.after };
      const settled = this.#runs.settled(moved, this.#hasDecided(moved));
      this.#pushWith(wrong, {
        world: {
          ...world,
          ...this.#changed(world, sent, change),
          pending: [...world.pending, ...pending],
        },
        runs: step.runs.map((one, at) => (at === index ? settled : one)),
        faults,
        from: step,
        what,
      });
    }
    return true;
  }

  /** What a variant changes: it was made in a world whose other destinations may have differed. */
  #changed(world: World, { at }: Sent, change: Pick<World, 'destinations' | 'jobs'>) {
    if (at < 0) return { jobs: change.jobs };
    const destinations = world.destinations.map((one, index) =>
      index === at ? (change.destinations[at] ?? one) : one,
    );
    return { destinations };
  }

  /** More than there are: it is not its turn. */
  #costOf({ node }: Running, fault: Fault | undefined, faults: number): number {
    if (fault === undefined) return 0;
    // What a cancelled run still does may fail in any way.
    if (fault === 'cancelled' && node.isCancelled) return 0;
    const { isOrdered = false, only = [], faults: most } = this.#scenario;
    return isOrdered && fault !== only[most - faults] ? faults + 1 : 1;
  }

  /**
   * The runs that have decided: only their cleaning up may be left. After a state was put back,
   * their orders do not say who is newer.
   */
  #decidedIn({ runs }: Step): readonly number[] {
    if (!this.#only.has('put back')) return [];
    return runs.flatMap((run, index) =>
      run !== undefined && this.#hasDecided(run) ? [index] : [],
    );
  }

  #hasDecided({ node, nowMs }: Omit<Running, 'after'>): boolean {
    if (node.next?.request.kind !== 'remove-claims') return node.outcome !== undefined;
    return this.#runs.child(node, { kind: 'done', sentMs: nowMs, nowMs }).outcome !== undefined;
  }

  #end(step: Step): void {
    const ends = step.runs.map((run) => {
      const { spec, outcome } = run?.node ?? {};
      return { spec, outcome, after: run?.after ?? [] };
    });
    const what = ends.map(({ outcome, after }) => [outcome, after]);
    const there = step.world.destinations.map((one) => this.#numbers.ofDestination(one));
    const key = `${there}|${JSON.stringify(what)}`;
    let wrongs = this.#checked.get(key);
    if (wrongs === undefined) {
      wrongs = this.#checks.wrongAfter(step.world, ends);
      this.#checked.set(key, wrongs);
      for (const wrong of wrongs) this.#wrong.set(wrong, (this.#wrong.get(wrong) ?? 0) + 1);
      if (isOlderIn(step.world, step.runs)) this.#olderEnds += 1;
    }
    for (const wrong of wrongs) this.#note(wrong, step);
  }
}

/** True if an older link is live in a destination than that of a run that has ended green. */
function isOlderIn(world: World, runs: readonly (Running | undefined)[]): boolean {
  return world.destinations.some((one, index) =>
    isOlder(
      one,
      runs.flatMap((run) => {
        const { spec, outcome } = run?.node ?? {};
        return spec?.to?.includes(index) === false ? [] : [{ spec, outcome, after: [] }];
      }),
    ),
  );
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

/**
 * The run of the claim has ended, or has slept for so long that it writes no more with this claim.
 */
function isClaimOver({ at, request }: Sent, step: Step): boolean {
  if (request.kind !== 'await-claim') return true;
  const { claim, madeMs = 0 } = step.world.destinations[at]?.claims[request.number] ?? {};
  if (claim === undefined) return true;
  const holder = step.runs.find(
    (run) =>
      run !== undefined &&
      claim.token.startsWith(`${run.node.spec.name}.${run.node.spec.attempt ?? 1}.`),
  );
  return holder === undefined || !isActive(holder) || holder.realMs - madeMs > CLAIM_OVER_MS;
}

function traceOf(step: Step): string[] {
  const trace: string[] = [];
  for (let one: Step | undefined = step; one !== undefined; one = one.from) trace.unshift(one.what);
  return trace;
}

export const KINDS = {
  versions: { guard: 'versions', shows: 'value' },
  'claims, value': { guard: 'claims', shows: 'value' },
  'claims, date': { guard: 'claims', shows: 'date' },
  'claims, nothing': { guard: 'claims', shows: 'nothing' },
  'none, value': { guard: 'none', shows: 'value' },
} as const satisfies Record<string, StoreAbilities>;
