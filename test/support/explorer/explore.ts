import { type Abilities, CLAIM_OVER_MS, type Reply, type Request } from '../../../src/publish/state/protocol/steps.ts';
import { type Outcome, play, type Spec } from './run.ts';
import { carryOut, refused, type Sent, unknown, type World } from './world.ts';

/** A run as far as its replies have led it. Runs with the same replies are the same node, so that every state is looked at once. */
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
  readonly nowMs: number;
  readonly isKilled: boolean;
}

interface Step {
  readonly world: World;
  readonly runs: readonly (Running | undefined)[];
  readonly faults: number;
  readonly from: Step | undefined;
  readonly what: string;
}

export interface Scenario {
  readonly start: World;
  /** The third starts once another has ended. */
  readonly specs: readonly Spec[];
  readonly faults: number;
  /** Faults that may happen; all of them unless given. */
  readonly only?: readonly string[] | undefined;
  /** The search ends with a finding for which this is true. */
  readonly isFound?: ((what: string) => boolean) | undefined;
}

export interface Finding {
  readonly what: string;
  readonly trace: readonly string[];
}

export interface Explored {
  readonly states: number;
  readonly findings: ReadonlyMap<string, Finding>;
}

const FAULTS = ['lost', 'late', 'refused', 'killed', 'killed after', 'slept'] as const;
const SLEEP_MS = 60_000;
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
  /** A step changes few parts of its world; the others are the same objects, and are not made a text again. */
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

const WRITES = new Set<Request['kind']>(['claim', 'write-link', 'write-state', 'remove-claims', 'start']);

/** Tries every order of the requests of all runs, with every fault, breadth first. */
export function explore({ start, specs, faults, only = FAULTS, isFound = () => false }: Scenario): Explored {
  const runs = new Runs(start.destinations);
  const findings = new Map<string, Finding>();
  const seen = new Set<string>();
  const checked = new Map<string, readonly string[]>();
  const begin = (spec: Spec | undefined): Running | undefined =>
    spec && { node: runs.root(spec), nowMs: 1_000_000, isKilled: false };
  let level: Step[] = [
    { world: start, runs: [begin(specs[0]), begin(specs[1]), undefined], faults, from: undefined, what: 'start' },
  ];
  const note = (what: string, step: Step) => {
    if (!findings.has(what)) findings.set(what, { what, trace: traceOf(step) });
  };
  const numbers = new Numbers();
  // What was wrong on the way says nothing about what follows; all other fields do.
  const worldKey = ({ wrong: _, destinations, jobs, pending, ...rest }: World) =>
    `${[...destinations, jobs, pending].map((part) => numbers.of(part)).join()},${JSON.stringify(rest)}`;
  while (level.length > 0) {
    const following: Step[] = [];
    const push = (step: Step) => {
      const key = `${worldKey(step.world)}|${step.runs.map((run) => (run === undefined ? '-' : `${run.node.id},${run.nowMs},${run.isKilled}`)).join('|')}|${step.faults}`;
      if (seen.has(key)) return;
      seen.add(key);
      following.push(step);
    };
    for (const step of level) {
      for (const wrong of step.world.wrong)
        note(step.world.isLate ? `late: ${wrong.replace('late: ', '')}` : wrong, step);
      const active = step.runs.filter((run) => run !== undefined && isActive(run));
      const third = specs[2];
      // A re-run starts when its first attempt has ended, another run when any has.
      const hasEnded = step.runs
        .slice(0, 2)
        .some(
          (run) =>
            run !== undefined && !isActive(run) && (third?.attempt === undefined || run.node.spec.name === third.name),
        );
      if (third !== undefined && step.runs[2] === undefined && hasEnded) {
        push({ ...step, runs: [step.runs[0], step.runs[1], begin(third)], from: step, what: `${third.name} starts` });
      }
      for (const [index, pending] of step.world.pending.entries()) {
        const world = { ...step.world, pending: step.world.pending.filter((_, at) => at !== index) };
        const isLate = world.isLate || pending.hasOthers;
        const after = { ...carryOut(world, pending.request, pending.nowMs, true).world, isLate };
        push({ ...step, world: after, from: step, what: `late: ${wordsOf(pending.request, pending.run)}` });
      }
      for (const [index, run] of step.runs.entries()) {
        if (run === undefined || !isActive(run)) continue;
        for (const next of stepsOf(run, step, only)) {
          const moved = next.run === undefined ? { ...run, isKilled: true } : next.run(runs);
          const all = step.runs.map((one, at) => (at === index ? moved : one));
          const world = withOthers(next.world, run.node.spec.name);
          const after = { ...step, world, runs: all, faults: step.faults - next.cost, from: step, what: next.what };
          const { outcome } = moved.node;
          if (outcome?.kind === 'completed')
            for (const wrong of wrongAtEnd(after.world, outcome))
              note(`${after.world.isLate ? 'late: ' : ''}${run.node.spec.kind}: ${wrong}`, after);
          push(after);
        }
      }
      if (active.length === 0) {
        const key = JSON.stringify([step.world.destinations, step.world.jobs]);
        let wrongs = checked.get(key);
        if (wrongs === undefined) {
          wrongs = wrongAfter(step.world);
          checked.set(key, wrongs);
        }
        for (const wrong of wrongs) note(step.world.isLate ? `late: ${wrong}` : wrong, step);
      }
    }
    if (seen.size > MOST_STATES) throw new Error(`more than ${MOST_STATES} states`);
    level = [...findings.keys()].some(isFound) ? [] : following;
  }
  return { states: seen.size, findings };
}

/** A request of another run than the one whose effect is late. */
function withOthers(world: World, run: string): World {
  if (world.pending.every((one) => one.hasOthers || one.run === run)) return world;
  return { ...world, pending: world.pending.map((one) => (one.run === run ? one : { ...one, hasOthers: true })) };
}

function isActive({ node, isKilled }: Running): boolean {
  return !isKilled && node.outcome === undefined;
}

interface Next {
  readonly world: World;
  /** undefined: the run was killed. */
  readonly run: ((runs: Runs) => Running) | undefined;
  readonly cost: number;
  readonly what: string;
}

/** What may happen to the next request of a run. */
function stepsOf({ node, nowMs }: Running, step: Step, only: readonly string[]): Next[] {
  const sent = node.next;
  if (sent === undefined) return [];
  const { request } = sent;
  const what = wordsOf(sent, node.spec.name);
  const reach =
    (reply: Reply, ms = nowMs) =>
    (runs: Runs): Running => ({ node: runs.child(node, reply), nowMs: ms, isKilled: false });
  if (request.kind === 'await-claim' && !mayStopWaiting(sent, step)) return [];
  const done = carryOut(step.world, sent, nowMs);
  const all: Next[] = [{ world: done.world, run: reach(done.reply), cost: 0, what }];
  if (step.faults === 0) return all;
  const isWrite = WRITES.has(request.kind);
  const fault = (name: string, world: World, run: Next['run']) => {
    if (only.includes(name)) all.push({ world, run, cost: 1, what: `${what} (${name})` });
  };
  if (isWrite) {
    fault('lost', done.world, reach(unknown(nowMs)));
    fault('refused', step.world, reach(refused(nowMs)));
    fault('killed after', done.world, undefined);
    if (request.kind !== 'start') {
      fault(
        'late',
        {
          ...step.world,
          pending: [...step.world.pending, { request: sent, run: node.spec.name, hasOthers: false, nowMs }],
        },
        reach(unknown(nowMs)),
      );
    }
  } else fault('lost', step.world, reach(unknown(nowMs)));
  fault('killed', step.world, undefined);
  const later = nowMs + SLEEP_MS;
  fault('slept', done.world, reach(arriving(done.reply, later), later));
  return all;
}

/** The reply arrives only after the process has slept. */
function arriving(reply: Reply, nowMs: number): Reply {
  return 'reading' in reply
    ? { ...reply, nowMs, reading: { ...reply.reading, arrivedMs: nowMs } }
    : { ...reply, nowMs };
}

/** The claim has changed, or its run has ended, or has slept for so long that it writes no more with this claim. */
function mayStopWaiting({ at, request }: Sent, step: Step): boolean {
  if (request.kind !== 'await-claim') return true;
  const { claim, madeMs = 0 } = step.world.destinations[at]?.claims[request.number] ?? {};
  if (claim === undefined || claim.token !== request.token || request.isOver) return true;
  const holder = step.runs.find(
    (run) =>
      run !== undefined && `${run.node.spec.name}/docs` === claim.run && (run.node.spec.attempt ?? 1) === claim.attempt,
  );
  return holder === undefined || !isActive(holder) || holder.nowMs - madeMs > CLAIM_OVER_MS;
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

/** A run that ends well has left its own job in place, or a newer one is there. */
function wrongAtEnd(world: World, { job, order }: Extract<Outcome, { kind: 'completed' }>): string[] {
  return world.destinations.flatMap(({ link }) =>
    link?.job === job || (link?.order ?? 0) > order
      ? []
      : [`completed, and the link is that of ${link?.job === undefined ? 'nothing' : 'an older job'}`],
  );
}

/** What a run without faults finds and does, when all others have ended. */
export function runAlone(start: World, spec: Spec): { world: World; outcome: Outcome } {
  const steps = play(spec, start.destinations);
  let world = start;
  let next = steps.next();
  for (let count = 0; !next.done; count += 1) {
    if (count > 200) throw new Error('a run without faults does not end');
    const done = carryOut(world, { ...next.value, run: `${spec.name}/docs` }, 2_000_000);
    world = done.world;
    next = steps.next(done.reply);
  }
  return { world, outcome: next.value };
}

function wrongAfter(world: World): string[] {
  const wrong: string[] = [];
  const starts = new Map<string, number>();
  for (const { run } of world.jobs) starts.set(run, (starts.get(run) ?? 0) + 1);
  const { world: after, outcome } = runAlone({ ...world, pending: [], wrong: [] }, { name: 'final', kind: 'refresh' });
  if (outcome.kind === 'failed') wrong.push(`the next refresh fails: ${outcome.why}`);
  if (outcome.kind === 'nothing' && world.destinations.some(({ link }) => link !== undefined))
    wrong.push('the next refresh knows no job, and there is a link');
  wrong.push(...after.wrong.map((text) => `the next refresh: ${text}`));
  const links = after.destinations.map(({ link }) => link);
  if (outcome.kind === 'completed') {
    if (new Set(links.map((link) => link?.job)).size > 1) wrong.push('the destinations do not agree after a refresh');
    // A job that got a second order, after the reply to its first one was lost, is the same job.
    const isBack = world.destinations.some(
      ({ link }) => link !== undefined && link.order > (links[0]?.order ?? 0) && link.job !== links[0]?.job,
    );
    if (isBack) wrong.push('the next refresh goes back to an older job');
    for (const { state, link } of after.destinations) {
      if (Date.parse(state?.expiresAt ?? '') > (link?.expires ?? 0))
        wrong.push('the state says that the link works longer than it does');
    }
  }
  const again = runAlone({ ...world, pending: [], wrong: [] }, { name: 'next', kind: 'export' });
  if (again.outcome.kind !== 'completed')
    wrong.push(`the next export fails: ${'why' in again.outcome ? again.outcome.why : ''}`);
  return wrong;
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
} as const satisfies Record<string, Abilities>;

/** Destinations with this many exports in their history, one after the other. */
export function startOf(abilities: readonly Abilities[], exports: number): World {
  let world: World = {
    destinations: abilities.map((one) => ({
      abilities: one,
      state: undefined,
      kind: 'missing',
      link: undefined,
      claims: {},
      version: 0,
    })),
    jobs: [],
    pending: [],
    isLate: false,
    wrong: [],
  };
  for (let index = 0; index < exports; index += 1) {
    const { world: next, outcome } = runAlone(world, { name: `old${index}`, kind: 'export' });
    if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
    world = { ...next, jobs: [] };
  }
  return world;
}
