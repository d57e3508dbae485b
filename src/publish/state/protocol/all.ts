import type { StateRecord } from '../state.ts';
import type { Part, Wanted } from './part.ts';
import { startOrder } from './place.ts';
import { MAX_ROUNDS, type Reply, type Request, type SectionEnd, type Steps } from './steps.ts';

/** A request to one of the destinations of a run, or to the platform. */
export interface Sent<P extends Part> {
  /** undefined: the platform. */
  readonly part: P | undefined;
  readonly request: Request;
}

/** What a run does in all of its destinations, request by request. */
export type RunSteps<P extends Part, T> = Generator<Sent<P>, T, Reply>;

export function* inPart<P extends Part, T>(part: P, steps: Steps<T>): RunSteps<P, T> {
  let next = steps.next();
  while (!next.done) next = steps.next(yield { part, request: next.value });
  return next.value;
}

/** The start of an export in all destinations. */
interface Started<P extends Part> {
  /** Where no section could be entered: the platform was not asked. */
  readonly refused: P | undefined;
  /** Of the platform. */
  readonly reply: Reply | undefined;
  readonly order: number;
  readonly ends: ReadonlyMap<P, SectionEnd>;
}

/**
 * Starts an export, in the section of every destination: no other run can start or place one
 * meanwhile, as far as the stores allow that, and each state names the job right after.
 */
export function* startInAll<P extends Part>(parts: readonly P[]): RunSteps<P, Started<P>> {
  const entered: { part: P; steps: Steps<SectionEnd> }[] = [];
  const given = () => entered.map(({ part }) => part.startOrder);
  const order = (record: StateRecord) => startOrder(record, highestOrder(parts), given());
  const ends = new Map<P, SectionEnd>();
  let refused: P | undefined;
  // In one order for all runs: two of them never wait for each other.
  const inOrder = parts.filter(({ isKept }) => isKept).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const part of inOrder) {
    const entry = yield* inPart(part, part.enter(order));
    if ('next' in entry) entered.push({ part, steps: entry });
    else if (part.isKept) {
      refused = part;
      ends.set(part, entry);
      break;
    }
  }
  const reply =
    refused === undefined ? yield { part: undefined, request: { kind: 'start' } } : undefined;
  const last = Math.max(0, ...given());
  for (const { part, steps } of entered) {
    ends.set(part, yield* inPart(part, part.leave(steps, reply ?? NOT_ASKED, last)));
  }
  return { refused, reply, order: last, ends };
}

const NOT_ASKED: Reply = { kind: 'stale', sentMs: 0, nowMs: 0 };

/** A job that is put in place in all destinations. */
interface Placed<P extends Part> {
  /** Of the decision; undefined: it is taken now, and is newer than all that are known. */
  readonly order: number | undefined;
  readonly wanted: (part: P, wish: { readonly order: number; readonly isFirst: boolean }) => Wanted;
  /** Called for each destination. */
  readonly onEnd: (part: P, end: SectionEnd) => void;
}

/**
 * Places the link in all destinations, with one order: if one of them knows a decision that is
 * newer, a new order is given, and all begin again. undefined: other runs were always faster.
 */
export function* placeInAll<P extends Part>(
  parts: readonly P[],
  job: Placed<P>,
): RunSteps<P, number | undefined> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const { order = highestOrder(parts) + 1 } = job;
    let isFirst = job.order === undefined;
    let needsOrder = false;
    for (const part of parts) {
      const end = yield* inPart(part, part.place(job.wanted(part, { order, isFirst })));
      job.onEnd(part, end);
      if (end.kind === 'done') isFirst = false;
      needsOrder = end.kind === 'stopped' && end.why === 'order';
      if (needsOrder) break;
    }
    if (!needsOrder) return order;
  }
  return undefined;
}

function highestOrder(parts: readonly Part[]): number {
  return Math.max(0, ...parts.map((part) => part.highestOrder));
}
