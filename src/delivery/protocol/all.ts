import type { StateRecord } from '../state.ts';
import type { Part } from './part.ts';
import type { Wanted } from './place.ts';
import { MAX_ROUNDS, type Reply, type Request, type SectionEnd, type Steps } from './steps.ts';

// A run has a section in each of its destinations: there, no other run writes meanwhile. Its
// decision has one order in all of them, a number higher than those before: of two decisions, the
// one with the higher order is newer. The platform is what makes the export.

/**
 * What a run does in all of its destinations, request by request. `destination`: undefined for a
 * request to the platform.
 */
export type RunSteps<P extends Part, T> = Generator<
  { readonly destination: P | undefined; readonly request: Request },
  T,
  Reply
>;

/** The steps of one destination, each request marked with the destination. */
export function* inDestination<P extends Part, T>(destination: P, steps: Steps<T>): RunSteps<P, T> {
  let next = steps.next();
  while (!next.done) next = steps.next(yield { destination, request: next.value });
  return next.value;
}

/**
 * Starts an export, in the section of every destination: no other run can start or place one
 * meanwhile, as far as the stores allow that, and each state names the job right after.
 */
export class StartInAll<P extends Part> {
  /** The reply of the platform, or `NOT_ASKED`; undefined: no section has got so far yet. */
  reply: Reply | undefined;
  /** The order of the export, the same in all destinations. */
  order = 0;
  /** The destination whose section could not be entered, and why: the platform was not asked. */
  refused: { readonly destination: P; readonly end: SectionEnd } | undefined;
  /** How the sections ended that were entered. */
  readonly ends = new Map<P, SectionEnd>();
  readonly #destinations: readonly P[];

  constructor(destinations: readonly P[]) {
    this.#destinations = destinations;
  }

  /** Gives the reply of the platform, or `NOT_ASKED`. */
  *run(): RunSteps<P, Reply> {
    // A destination without its state has no sections.
    const kept = this.#destinations.filter((destination) => destination.keepsState);
    // All runs enter the destinations in the same order: no two runs ever wait for each other.
    return yield* this.#startIn(kept.sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  /**
   * The order of the export, given the state of a destination. No lower than in the destinations
   * before: otherwise two exports that start at the same time could get the same order. Once the
   * platform was asked, the order stays.
   */
  orderAbove(record: StateRecord): number {
    if (this.reply === undefined)
      this.order = Math.max(
        this.order,
        highestOrder(this.#destinations) + 1,
        (record.order ?? 0) + 1,
      );
    return this.order;
  }

  /**
   * Enters the section of the first destination, and within it those of the others; within the last
   * section, the platform is asked. Each section then ends with the reply.
   */
  *#startIn(destinations: readonly P[]): RunSteps<P, Reply> {
    const [destination, ...others] = destinations;
    // The sections of all destinations are entered: now the platform is asked.
    if (destination === undefined) return yield { destination, request: { kind: 'start' } };
    const steps = destination.start(this);
    let next = steps.next();
    while (!next.done) {
      const request = next.value;
      if (request.kind === 'start') {
        this.reply = yield* this.#startIn(others);
        next = steps.next(this.reply);
      } else next = steps.next(yield { destination, request });
    }
    // The section was entered, since only then the inner ones run: it has ended with the reply.
    if (this.reply !== undefined) {
      this.ends.set(destination, next.value);
      return this.reply;
    }
    // The right to the state is missing: the start continues without this destination.
    if (!destination.keepsState) return yield* this.#startIn(others);
    this.refused = { destination, end: next.value };
    return NOT_ASKED;
  }
}

/** Stands for the reply of the platform if a destination refused the start. */
const NOT_ASKED: Reply = { kind: 'stale', sentMs: 0, nowMs: 0 };

/**
 * Places the link in all destinations, with one order: if one of them knows a decision that is
 * newer, all begin again with a new order. Gives the order; undefined: other runs were always
 * faster. `decidedOrder`: the order of the decision; undefined: it is made now, and newer than all
 * known ones. `onEnd` is called for each destination in each round.
 */
export function* placeInAll<P extends Part>(
  destinations: readonly P[],
  decidedOrder: number | undefined,
  wantedIn: (destination: P, order: number, isFirst: boolean) => Wanted,
  onEnd: (destination: P, end: SectionEnd) => void,
): RunSteps<P, number | undefined> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    // An order that was decided before is never too low: then the first round is the last.
    const order = decidedOrder ?? highestOrder(destinations) + 1;
    // The first section in which the order is used checks that it is higher than all others.
    let isFirst = decidedOrder === undefined;
    let end: SectionEnd | undefined;
    for (const destination of destinations) {
      // If a destination needs a higher order, all begin again: the rest of this round is skipped,
      // with the same end.
      if (end === undefined || !needsHigherOrder(end))
        end = yield* inDestination(
          destination,
          destination.place(wantedIn(destination, order, isFirst)),
        );
      onEnd(destination, end);
      if (end.kind === 'done') isFirst = false;
    }
    if (end === undefined || !needsHigherOrder(end)) return order;
  }
  return undefined;
}

/** True if the section stopped because the order was not high enough. */
function needsHigherOrder(end: SectionEnd): boolean {
  return end.kind === 'stopped' && end.why === 'order';
}

/** The highest order that any of the destinations knows. */
function highestOrder(destinations: readonly Part[]): number {
  return Math.max(0, ...destinations.map((destination) => destination.highestOrder));
}
