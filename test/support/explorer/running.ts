import type { Reply } from '../../../src/delivery/protocol/steps.ts';
import { type Outcome, play, type Spec } from './run.ts';
import { BEGIN_MS, type Sent, type World } from './world.ts';

/**
 * A run as far as its replies have led it. Runs with the same replies are the same node, so that
 * every state is looked at once.
 */
export interface Node {
  readonly id: number;
  readonly spec: Spec;
  readonly path: readonly Reply[];
  readonly next: Sent | undefined;
  readonly outcome: Outcome | undefined;
  /** One of its requests was cancelled. */
  readonly isCancelled: boolean;
  readonly children: Map<string, Node>;
  /** What may happen to its request, by what is there and by its times. */
  readonly variants: Map<string, readonly Variant[]>;
}

export interface Running {
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

/** One way in which a request may end. */
export interface Variant {
  /** undefined: as it should. */
  readonly fault: Fault | undefined;
  readonly what: string;
  /** What follows of the world: only these parts change. */
  readonly change: Pick<World, 'destinations' | 'jobs'>;
  /** A copy of the request that may still arrive. */
  readonly pending: World['pending'];
  readonly wrong: readonly string[];
  readonly run: Omit<Running, 'after'>;
}

/** Faults of requests. */
export const USUAL = ['lost', 'late', 'refused', 'killed', 'killed after', 'slept'] as const;
/**
 * Faults of machines, stores and people, each tried by itself. `cancelled` has three forms: before
 * the request, after it took effect, and while it is on its way; what the run still does then may
 * be lost or doubled. `doubled`: it takes effect, and once more at any later time.
 */
export const OTHERS = [
  'suspended',
  'lagging',
  'same second',
  'cleaned',
  'edited',
  'put back',
  'cancelled',
  'doubled',
] as const;
/**
 * `unnoticed`: the machine is suspended, and neither clock shows that, so that nothing keeps another
 * run out.
 */
export type Fault = (typeof USUAL)[number] | (typeof OTHERS)[number] | 'unnoticed';

export class Runs {
  #ids = 0;
  readonly #roots = new Map<string, Node>();
  readonly #ended = new Map<string, Running>();
  readonly #destinations: World['destinations'];

  constructor(destinations: World['destinations']) {
    this.#destinations = destinations;
  }

  begin(spec: Spec): Running {
    const key = JSON.stringify(spec);
    const node = this.#roots.get(key) ?? this.#make(spec, []);
    this.#roots.set(key, node);
    const times = { nowMs: BEGIN_MS, realMs: BEGIN_MS };
    return { node, ...times, isKilled: false, isLagging: false, after: undefined };
  }

  child(node: Node, reply: Reply): Node {
    const key = JSON.stringify(reply);
    const known = node.children.get(key);
    if (known !== undefined) return known;
    const made = this.#make(node.spec, [...node.path, reply]);
    node.children.set(key, made);
    return made;
  }

  /**
   * The run, without what no longer matters if it has ended: of all that ended in the same way, one
   * stands for all. `hasDecided`: see `Search`.
   */
  settled(run: Running, hasDecided: boolean): Running {
    const { node, isKilled, after } = run;
    if (isActive(run)) return run;
    const { spec, outcome } = node;
    const key = JSON.stringify([spec, outcome, isKilled, hasDecided, after]);
    const known = this.#ended.get(key);
    if (known !== undefined) return known;
    const settled = { node, nowMs: BEGIN_MS, realMs: BEGIN_MS, isKilled, isLagging: false, after };
    this.#ended.set(key, settled);
    return settled;
  }

  #make(spec: Spec, path: readonly Reply[]): Node {
    const steps = play(spec, this.#destinations);
    let next = steps.next();
    for (const reply of path) next = steps.next(reply);
    this.#ids += 1;
    const isCancelled = path.some((one) => 'error' in one && one.error.code === 'cancelled');
    const maps = { children: new Map(), variants: new Map() };
    const common = { id: this.#ids, spec, path, isCancelled, ...maps };
    return next.done
      ? { ...common, next: undefined, outcome: next.value }
      : { ...common, next: next.value, outcome: undefined };
  }
}

export function isActive({ node, isKilled }: Running): boolean {
  return !isKilled && node.outcome === undefined;
}

export function wordsOf({ at, request }: Sent, run: string): string {
  const number =
    'number' in request
      ? ` ${request.number}`
      : 'record' in request
        ? ` ${request.record?.number ?? ''}:${request.record?.jobId ?? ''}`
        : '';
  return `${run} ${request.kind}${number}${at > 0 ? ` [${at}]` : ''}`;
}
