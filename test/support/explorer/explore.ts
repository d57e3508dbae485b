import { CLAIM_OVER_MS, FRESH_MS } from '../../../src/publish/state/protocol/limits.ts';
import { later, type Reply, type Request } from '../../../src/publish/state/protocol/steps.ts';
import type { StoreAbilities } from '../../../src/stores/port.ts';
import { wrongAfter } from './ends.ts';
import { type Outcome, play, type Spec } from './run.ts';
import {
  BEGIN_MS,
  carryOut,
  numberIn,
  refused,
  type Sent,
  type Unusual,
  unknown,
  type World,
  type WorldDestination,
} from './world.ts';

/**
 * A run as far as its replies have led it. Runs with the same replies are the same node, so that
 * every state is looked at once.
 */
interface Node {
  readonly id: number;
  readonly spec: Spec;
  readonly path: readonly Reply[];
  readonly next: Sent | undefined;
  readonly outcome: Outcome | undefined;
  readonly children: Map<string, Node>;
}

interface Running {
  readonly node: Node;
  /** As the run counts it. */
  readonly nowMs: number;
  /** As it is. */
  readonly realMs: number;
  readonly isKilled: boolean;
  /** What it reads is some seconds old. */
  readonly isLagging: boolean;
  /** The runs that had decided when this one first wrote something; undefined: it has not yet. */
  readonly after: readonly number[] | undefined;
}

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
}

/** Faults of requests. */
export const USUAL = ['lost', 'late', 'refused', 'killed', 'killed after', 'slept'] as const;
/** Faults of machines, stores and people, each tried by itself. */
export const OTHERS = [
  'suspended',
  'lagging',
  'same second',
  'cleaned',
  'edited',
  'put back',
] as const;
export type Fault = (typeof USUAL)[number] | (typeof OTHERS)[number];
const SLEEP_MS = 60_000;
/** Until a reply is given up. */
const LOST_MS = 15_000;
const MOST_STATES = 12_000_000;

class Runs {
  #ids = 0;
  readonly #roots = new Map<string, Node>();
  readonly #destinations: World['destinations'];

  constructor(destinations: World['destinations']) {
    this.#destinations = destinations;
  }

  root(spec: Spec): Node {
    const key = JSON.stringify(spec);
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const node = this.#make(spec, []);
    this.#roots.set(key, node);
    return node;
  }

  child(node: Node, reply: Reply): Node {
    const key = JSON.stringify(reply);
    const known = node.children.get(key);
    if (known !== undefined) return known;
    const made = this.#make(node.spec, [...node.path, reply]);
    node.children.set(key, made);
    return made;
  }

  #make(spec: Spec, path: readonly Reply[]): Node {
    const steps = play(spec, this.#destinations);
    let next = steps.next();
    for (const reply of path) next = steps.next(reply);
    this.#ids += 1;
    const common = { id: this.#ids, spec, path, children: new Map() };
    return next.done
      ? { ...common, next: undefined, outcome: next.value }
      : { ...common, next: next.value, outcome: undefined };
  }
}

/** Numbers for parts of worlds. Parts that are equal as JSON have the same one. */
class Numbers {
  readonly #byText = new Map<string, number>();
  /**
   * A step changes few parts of its world; the others are the same objects, and are not made a text
   * again.
   */
  readonly #byPart = new WeakMap<object, number>();

  of(part: object): number {
    const known = this.#byPart.get(part);
    if (known !== undefined) return known;
    const text = JSON.stringify(part);
    const number = this.#byText.get(text) ?? this.#byText.size;
    this.#byText.set(text, number);
    this.#byPart.set(part, number);
    return number;
  }
}

const WRITES = new Set<Request['kind']>([
  'claim',
  'write-link',
  'write-state',
  'remove-claims',
  'start',
]);
/** What takes so long that readings are not old any more. */
const PAUSES = new Set<Request['kind']>(['await-claim', 'wait', 'pause']);

/** One search: every order of the requests of all runs, with every fault, breadth first. */
class Search {
  readonly #scenario: Scenario;
  readonly #runs: Runs;
  readonly #wrong = new Map<string, number>();
  readonly #findings = new Map<string, Finding>();
  readonly #seen = new Set<string>();
  readonly #checked = new Map<string, readonly string[]>();
  readonly #numbers = new Numbers();
  readonly #only: ReadonlySet<Fault>;
  #following: Step[] = [];

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#runs = new Runs(scenario.start.destinations);
    this.#only = new Set(scenario.faults === 0 ? [] : (scenario.only ?? USUAL));
  }

  run(): Explored {
    const { start, specs, afterwards, faults, isFound = () => false } = this.#scenario;
    const runs = specs.map((spec, index) => (index === afterwards ? undefined : this.#begin(spec)));
    // What has versions is read as a whole, from one place.
    const world = this.#only.has('lagging') ? withFormer(start) : start;
    let level: Step[] = [{ world, runs, faults, from: undefined, what: 'start' }];
    while (level.length > 0) {
      this.#following = [];
      for (const step of level) this.#go(step);
      if (this.#seen.size > MOST_STATES) throw new Error(`more than ${MOST_STATES} states`);
      level = [...this.#findings.keys()].some(isFound) ? [] : this.#following;
    }
    const { size: states } = this.#seen;
    return { states, ends: this.#checked.size, wrong: this.#wrong, findings: this.#findings };
  }

  #begin(spec: Spec): Running {
    return {
      node: this.#runs.root(spec),
      nowMs: BEGIN_MS,
      realMs: BEGIN_MS,
      isKilled: false,
      isLagging: false,
      after: undefined,
    };
  }

  #push(step: Step): void {
    // What was wrong on the way says nothing about what follows; all other fields do.
    const { destinations, jobs, pending } = step.world;
    const world = [...destinations, jobs, pending].map((part) => this.#numbers.of(part)).join();
    const runs = step.runs.map((run) => {
      if (run === undefined) return '-';
      const { node, nowMs, realMs, isKilled, isLagging, after } = run;
      return `${node.id},${nowMs},${realMs},${isKilled},${isLagging},${after}`;
    });
    const key = `${world}|${runs.join('|')}|${step.faults}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#following.push(step);
  }

  #note(what: string, step: Step): void {
    if (!this.#findings.has(what)) this.#findings.set(what, { what, trace: traceOf(step) });
  }

  /** All that may happen next. */
  #go(step: Step): void {
    for (const wrong of step.world.wrong) this.#note(wrong, step);
    this.#startAnother(step);
    for (const [index, pending] of step.world.pending.entries()) {
      const world = { ...step.world, pending: step.world.pending.filter((_, at) => at !== index) };
      const what = `late: ${wordsOf(pending.request, pending.run)}`;
      const { world: after } = carryOut(world, pending.request, pending.nowMs, { isLate: true });
      this.#push({ ...step, world: after, from: step, what });
      if (!this.#only.has('same second') || step.faults === 0) continue;
      const unusual = { isLate: true, sameSecond: true };
      const { world: same } = carryOut(world, pending.request, pending.nowMs, unusual);
      this.#push({
        ...step,
        world: same,
        faults: step.faults - 1,
        from: step,
        what: `${what} (same second)`,
      });
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
    const runs = step.runs.map((run, index) => (index === afterwards ? this.#begin(spec) : run));
    this.#push({ ...step, runs, from: step, what: `${spec.name} starts` });
  }

  /** What others than the runs do. */
  #interfere(step: Step): void {
    const change = (at: number, parts: Partial<WorldDestination>, what: string) => {
      const destinations = step.world.destinations.map((one, index) =>
        index === at ? { ...one, ...parts } : one,
      );
      this.#push({
        ...step,
        world: { ...step.world, destinations },
        faults: step.faults - 1,
        from: step,
        what,
      });
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
    const all = this.#stepsOf(run, step, hasWaited);
    for (const next of all) {
      const runs = step.runs.map((one, at) => (at === index ? next.run : one));
      this.#push({
        world: next.world,
        runs,
        faults: step.faults - next.cost,
        from: step,
        what: next.what,
      });
    }
    return all.length > 0;
  }

  /** What may happen to the next request of a run. */
  #stepsOf(run: Running, step: Step, hasWaited: boolean): Next[] {
    const { node, nowMs, realMs } = run;
    const sent = node.next;
    if (sent === undefined) return [];
    const { request } = sent;
    const { world } = step;
    const what = wordsOf(sent, node.spec.name);
    const isOver = hasWaited || isClaimOver(sent, step);
    if (request.kind === 'await-claim' && !isOver && !hasClaimChanged(sent, world)) return [];
    const reach = (reply: Reply, ms = 0, own = ms): Running => {
      const at = { ...reply, nowMs: reply.nowMs + own };
      const isLagging = run.isLagging && !PAUSES.has(request.kind);
      const child = this.#runs.child(node, at);
      const after = run.after ?? (WRITES.has(request.kind) ? this.#decidedIn(step) : undefined);
      return {
        node: child,
        nowMs: at.nowMs,
        realMs: realMs + ms,
        isKilled: false,
        isLagging,
        after,
      };
    };
    const done = (unusual: Unusual = {}) =>
      carryOut(world, sent, nowMs, { isLagging: run.isLagging, ...unusual }, realMs);
    const usual = done();
    const waitMs =
      request.kind === 'await-claim' && !hasClaimChanged(sent, world) ? CLAIM_OVER_MS : 0;
    const all: Next[] = [{ world: usual.world, run: reach(usual.reply, waitMs), cost: 0, what }];
    if (step.faults === 0) return all;
    const { isOrdered = false, only = [], faults } = this.#scenario;
    const following = only[faults - step.faults];
    const fault = (name: Fault, next: World, moved: Running) => {
      const isItsTurn = !isOrdered || name === following;
      if (this.#only.has(name) && isItsTurn)
        all.push({ world: next, run: moved, cost: 1, what: `${what} (${name})` });
    };
    const lost = unknown(nowMs);
    if (WRITES.has(request.kind)) {
      fault('lost', usual.world, reach(lost, LOST_MS));
      fault('refused', world, reach(refused(nowMs)));
      fault('killed after', usual.world, { ...run, isKilled: true });
      const pending = [...world.pending, { request: sent, run: node.spec.name, nowMs }];
      if (request.kind !== 'start') fault('late', { ...world, pending }, reach(lost));
      const own = later(0, 0, SLEEP_MS);
      fault('suspended', world, { ...run, nowMs: nowMs + own, realMs: realMs + SLEEP_MS });
    } else fault('lost', world, reach(lost, LOST_MS));
    if (request.kind === 'write-link') {
      const same = done({ sameSecond: true });
      fault('same second', same.world, reach(same.reply));
    }
    if (request.kind === 'read') {
      const old = done({ isLagging: true });
      if (this.#only.has('lagging'))
        fault('lagging', old.world, { ...reach(old.reply), isLagging: true });
    }
    fault('killed', world, { ...run, isKilled: true });
    fault('slept', usual.world, reach(arriving(usual.reply, nowMs, SLEEP_MS), SLEEP_MS));
    return all;
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

  #hasDecided({ node, nowMs }: Running): boolean {
    if (node.next?.request.kind !== 'remove-claims') return node.outcome !== undefined;
    return this.#runs.child(node, { kind: 'done', sentMs: nowMs, nowMs }).outcome !== undefined;
  }

  #end(step: Step): void {
    const { start, specs } = this.#scenario;
    const ends = step.runs.map((run) => {
      const { spec, outcome } = run?.node ?? {};
      return { spec, outcome, after: run?.after ?? [] };
    });
    const what = ends.map(({ outcome, after }) => [outcome, after]);
    const key = `${this.#numbers.of(step.world.destinations)}|${JSON.stringify(what)}`;
    let wrongs = this.#checked.get(key);
    if (wrongs === undefined) {
      wrongs = wrongAfter(start, step.world, specs, ends);
      this.#checked.set(key, wrongs);
      for (const wrong of wrongs) this.#wrong.set(wrong, (this.#wrong.get(wrong) ?? 0) + 1);
    }
    for (const wrong of wrongs) this.#note(wrong, step);
  }
}

interface Next {
  readonly world: World;
  readonly run: Running;
  readonly cost: number;
  readonly what: string;
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

function isActive({ node, isKilled }: Running): boolean {
  return !isKilled && node.outcome === undefined;
}

/**
 * The reply arrives only after the process has slept. A write that took so long is not believed.
 */
function arriving(reply: Reply, nowMs: number, ms: number): Reply {
  if (reply.kind === 'written' && ms > FRESH_MS) return unknown(nowMs);
  return 'reading' in reply
    ? { ...reply, reading: { ...reply.reading, arrivedMs: nowMs + ms } }
    : reply;
}

function hasClaimChanged({ at, request }: Sent, world: World): boolean {
  if (request.kind !== 'await-claim') return true;
  const destination = world.destinations[at];
  const claim = destination?.claims[request.number]?.claim;
  return (
    claim?.token !== request.claim.token ||
    (destination !== undefined && numberIn(destination) >= request.number)
  );
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

function wordsOf({ at, request }: Sent, run: string): string {
  const number =
    'number' in request
      ? ` ${request.number}`
      : 'record' in request
        ? ` ${request.record?.number ?? ''}:${request.record?.jobId ?? ''}`
        : '';
  return `${run} ${request.kind}${number}${at > 0 ? ` [${at}]` : ''}`;
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
