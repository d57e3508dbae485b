import { isCancelled, type Reply } from '../../../src/delivery/protocol/steps.ts';
import { Parts } from './numbers.ts';
import { Integers, Rows } from './rows.ts';
import { type Outcome, type Playing, play, type Spec } from './run.ts';
import { BEGIN_MS, type Sent, type World } from './world.ts';

/**
 * A run as far as its replies have led it. Runs with the same replies are the same node, so that
 * every state is looked at once.
 */
export interface Node {
  readonly id: number;
  readonly spec: Spec;
  /** Where the run was before its last reply; undefined: it has none. */
  readonly from: Node | undefined;
  readonly reply: Reply | undefined;
  readonly next: Sent | undefined;
  /** The number of `next`; -1: there is none. */
  readonly request: number;
  readonly outcome: Outcome | undefined;
  /** The number of its outcome; 0: it has none. */
  readonly end: number;
  /** One of its requests was cancelled. */
  readonly isCancelled: boolean;
  /** The run as it waits for the next reply, until one is given to it. */
  steps: Playing<Outcome> | undefined;
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
  /**
   * The runs that had decided when this one first wrote something, with a bit for the index of each;
   * -1: it has not yet.
   */
  readonly after: number;
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

const ACTIVE = 1;
const WAITING = 2;
const GREEN = 4;

function marksOf(run: Running): number {
  const { next, outcome } = run.node;
  if (isActive(run)) return next?.request.kind === 'await-claim' ? ACTIVE + WAITING : ACTIVE;
  return outcome?.kind === 'completed' ? GREEN : 0;
}

/** The runs of a search, by their numbers; 0: it has not begun. */
export class Runs {
  readonly #destinations: World['destinations'];
  readonly #specs = new Parts<Spec>();
  readonly #replies = new Parts<Reply>();
  readonly #requests = new Parts<Sent>();
  readonly #outcomes = new Parts<Outcome>();
  readonly #children = new Rows(2);
  readonly #nodes: Node[] = [];
  readonly #rows = new Rows(5);
  readonly #runs: Running[] = [];
  /** Of each run: what is asked so often that it is kept apart. */
  readonly #marks = new Integers();
  readonly #ended = new Rows(4);
  readonly #endedRuns: number[] = [];

  constructor(destinations: World['destinations']) {
    this.#destinations = destinations;
  }

  get(number: number): Running | undefined {
    return this.#runs[number - 1];
  }

  /** True if it goes on: it was not killed and has not ended. */
  isActive(number: number): boolean {
    return this.#has(number, ACTIVE);
  }

  /** True if it waits for a claim. */
  isWaiting(number: number): boolean {
    return this.#has(number, WAITING);
  }

  isGreen(number: number): boolean {
    return this.#has(number, GREEN);
  }

  #has(number: number, mark: number): boolean {
    return number > 0 && (this.#marks.at(number - 1) & mark) !== 0;
  }

  /** The number of a run before its first request. */
  begin(spec: Spec): number {
    const id = this.#children.add([-1, this.#specs.numberOf(spec)]);
    const node = this.#nodes[id] ?? this.#make(spec, play(spec, this.#destinations));
    const times = { nowMs: BEGIN_MS, realMs: BEGIN_MS };
    return this.#add({ node, ...times, isKilled: false, isLagging: false, after: -1 });
  }

  child(node: Node, reply: number): Node {
    const id = this.#children.add([node.id, reply]);
    const known = this.#nodes[id];
    if (known !== undefined) return known;
    return this.#make(node.spec, this.#stepsOf(node), node, this.#replies.get(reply));
  }

  numberOfReply(reply: Reply): number {
    return this.#replies.numberOf(reply);
  }

  /**
   * The number of the run, without what no longer matters if it has ended: of all that ended in the
   * same way, one stands for all.
   */
  numberOf(run: Running): number {
    if (isActive(run)) return this.#add(run);
    const { node, isKilled, after } = run;
    const flags = Number(isKilled) * 2 + Number(this.hasDecided(run));
    const row = [this.#specs.numberOf(node.spec), node.end, flags, after];
    const ended = this.#ended.add(row);
    const times = { nowMs: BEGIN_MS, realMs: BEGIN_MS };
    this.#endedRuns[ended] ??= this.#add({ node, ...times, isKilled, isLagging: false, after });
    return this.#endedRuns[ended];
  }

  /** True if only its cleaning up may be left. */
  hasDecided({ node, nowMs }: Running): boolean {
    if (node.next?.request.kind !== 'remove-claims') return node.outcome !== undefined;
    const reply = this.numberOfReply({ kind: 'done', sentMs: nowMs, nowMs });
    return this.child(node, reply).outcome !== undefined;
  }

  #add(run: Running): number {
    const { node, nowMs, realMs, isKilled, isLagging, after } = run;
    const flags = Number(isKilled) * 2 + Number(isLagging);
    const row = this.#rows.add([node.id, nowMs, realMs, flags, after]);
    if (row === this.#runs.length) {
      this.#runs.push(run);
      this.#marks.push(marksOf(run));
    }
    return row + 1;
  }

  /** The run as it waits for a reply to the request of the node. */
  #stepsOf(node: Node): Playing<Outcome> {
    const { steps } = node;
    node.steps = undefined;
    if (steps !== undefined) return steps;
    const replies: Reply[] = [];
    for (let one: Node | undefined = node; one?.reply !== undefined; one = one.from)
      replies.unshift(one.reply);
    const again = play(node.spec, this.#destinations);
    again.next();
    for (const reply of replies) again.next(reply);
    return again;
  }

  #make(spec: Spec, steps: Playing<Outcome>, from?: Node, reply?: Reply): Node {
    const next = reply === undefined ? steps.next() : steps.next(reply);
    const outcome = next.done ? next.value : undefined;
    const request = next.done ? -1 : this.#requests.numberOf(next.value);
    const node: Node = {
      id: this.#nodes.length,
      spec,
      from,
      reply,
      next: next.done ? undefined : this.#requests.get(request),
      request,
      outcome,
      end: outcome === undefined ? 0 : this.#outcomes.numberOf(outcome) + 1,
      isCancelled: from?.isCancelled === true || (reply !== undefined && isCancelled(reply)),
      steps: next.done ? undefined : steps,
    };
    this.#nodes.push(node);
    return node;
  }
}

function isActive({ node, isKilled }: Running): boolean {
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
