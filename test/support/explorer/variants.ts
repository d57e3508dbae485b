import { CLAIM_OVER_MS, FRESH_MS } from '../../../src/delivery/protocol/limits.ts';
import { later, type Reply, type Request } from '../../../src/delivery/protocol/steps.ts';
import type { Parts, Worlds } from './numbers.ts';
import { Rows } from './rows.ts';
import { type Fault, type Running, type Runs, wordsOf } from './running.ts';
import {
  cancelledBefore,
  cancelledDuring,
  carryOut,
  numberIn,
  refused,
  type Sent,
  type Unusual,
  unknown,
  type World,
} from './world.ts';

const SLEEP_MS = 60_000;
/** Until a reply is given up. */
const LOST_MS = 15_000;

const WRITES = new Set<Request['kind']>([
  'claim',
  'write-link',
  'write-state',
  'remove-claims',
  'start',
]);
/** What takes so long that readings are not old any more. */
const PAUSES = new Set<Request['kind']>(['await-claim', 'wait', 'pause']);

export function isWrite({ request }: Sent): boolean {
  return WRITES.has(request.kind);
}

/** Something that happens. */
export interface Event {
  /** undefined: as it should, or what an earlier fault has left. */
  readonly fault: Fault | undefined;
  readonly what: string;
  /** What happened that must not happen. */
  readonly wrong: readonly string[];
}

/** One way in which a request may end. Events, parts of the world and replies are numbers. */
interface Variant {
  readonly event: number;
  /** What is then at the place of the request. */
  readonly part: number;
  /** A copy of the request that may still arrive; -1: none. */
  readonly copy: number;
  /** -1: the run does not go on. */
  readonly reply: number;
  readonly run: Pick<Running, 'nowMs' | 'realMs' | 'isKilled' | 'isLagging'>;
}

/** All that may happen to the next request of a run: as it should first, then the faults. */
export class Variants {
  readonly #runs: Runs;
  readonly #worlds: Worlds;
  readonly #events: Parts<Event>;
  readonly #only: ReadonlySet<Fault>;
  readonly #rows = new Rows(5);
  readonly #known: (readonly Variant[])[] = [];

  constructor(runs: Runs, worlds: Worlds, events: Parts<Event>, only: ReadonlySet<Fault>) {
    this.#runs = runs;
    this.#worlds = worlds;
    this.#events = events;
    this.#only = only;
  }

  /**
   * Made once for all runs with this request and these times that meet the same there. `mayFail`:
   * false gives only what happens without a further fault.
   */
  of(run: Running, sent: Sent, world: World, mayFail: boolean): readonly Variant[] {
    const { node, nowMs, realMs, isLagging } = run;
    const flags = Number(isLagging) * 4 + Number(node.isCancelled) * 2 + Number(mayFail);
    const there = this.#worlds.ofPart(world, sent.at);
    const row = this.#rows.add([node.request, there, nowMs, realMs, flags]);
    this.#known[row] ??= [...this.#make(run, sent, world, mayFail)];
    return this.#known[row];
  }

  *#make(run: Running, sent: Sent, world: World, mayFail: boolean): Generator<Variant> {
    const { node, nowMs, realMs } = run;
    const { request } = sent;
    const words = wordsOf(sent, node.spec.name);
    const variant = (
      fault: Fault | undefined,
      next: World,
      moved: Pick<Variant, 'reply' | 'run'>,
      copy = -1,
    ): Variant => {
      const what = fault === undefined ? words : `${words} (${fault})`;
      // What a cancelled run still does may fail in any way.
      const isFree = fault === 'cancelled' && node.isCancelled;
      const event = { fault: isFree ? undefined : fault, what, wrong: next.wrong };
      const part = this.#worlds.ofPart(next, sent.at);
      return { event: this.#events.numberOf(event), part, copy, ...moved };
    };
    const reach = (reply: Reply, ms = 0) => {
      const at = { ...reply, nowMs: reply.nowMs + ms };
      const isLagging = run.isLagging && !PAUSES.has(request.kind);
      return {
        reply: this.#runs.numberOfReply(at),
        run: { nowMs: at.nowMs, realMs: realMs + ms, isKilled: false, isLagging },
      };
    };
    const stay = (change: Partial<Variant['run']>) => {
      const { isLagging } = run;
      return { reply: -1, run: { nowMs, realMs, isKilled: false, isLagging, ...change } };
    };
    const quiet = { ...world, wrong: [] };
    const done = (unusual: Unusual = {}) =>
      carryOut(quiet, sent, nowMs, { isLagging: run.isLagging, ...unusual }, realMs);
    const usual = done();
    const waits = request.kind === 'await-claim' && !hasClaimChanged(sent, world);
    yield variant(undefined, usual.world, reach(usual.reply, waits ? CLAIM_OVER_MS : 0));
    if (!mayFail && !node.isCancelled) return;
    const copy = this.#worlds.ofPending({ request: sent, run: node.spec.name, nowMs });
    const only = this.#only;
    const lost = unknown(nowMs);
    const killed = stay({ isKilled: true });
    if (isWrite(sent)) {
      if (only.has('lost')) yield variant('lost', usual.world, reach(lost, LOST_MS));
      if (only.has('refused')) yield variant('refused', quiet, reach(refused(nowMs)));
      if (only.has('killed after')) yield variant('killed after', usual.world, killed);
      const own = later(0, 0, SLEEP_MS);
      if (only.has('suspended'))
        yield variant('suspended', quiet, stay({ nowMs: nowMs + own, realMs: realMs + SLEEP_MS }));
      if (only.has('unnoticed'))
        yield variant('unnoticed', quiet, stay({ realMs: realMs + SLEEP_MS }));
      // The platform gives each request another job. What is too old is not sent at all.
      const mayCopy = request.kind !== 'start' && usual.reply.kind !== 'stale';
      if (mayCopy) {
        if (only.has('late')) yield variant('late', quiet, reach(lost), copy);
        if (only.has('doubled')) yield variant('doubled', usual.world, reach(usual.reply), copy);
      }
      if (only.has('cancelled')) {
        const during = reach(cancelledDuring(nowMs));
        yield variant('cancelled', usual.world, during);
        if (mayCopy) yield variant('cancelled', quiet, during, copy);
        // What it still does may be lost, or come twice.
        if (node.isCancelled && mayCopy) yield variant('cancelled', usual.world, during, copy);
      }
    } else if (only.has('lost')) yield variant('lost', quiet, reach(lost, LOST_MS));
    if (only.has('cancelled')) {
      yield variant('cancelled', quiet, reach(cancelledBefore(nowMs)));
      if (node.isCancelled) yield variant('cancelled', quiet, killed);
    }
    if (request.kind === 'write-link' && only.has('same second')) {
      const same = done({ sameSecond: true });
      yield variant('same second', same.world, reach(same.reply));
    }
    if (request.kind === 'read' && only.has('lagging')) {
      const old = done({ isLagging: true });
      const { reply, run: moved } = reach(old.reply);
      yield variant('lagging', old.world, { reply, run: { ...moved, isLagging: true } });
    }
    if (only.has('killed')) yield variant('killed', quiet, killed);
    if (only.has('slept')) {
      // The reply arrives only after the process has slept. A write that took so long is not
      // believed.
      const isBelieved = usual.reply.kind !== 'written' || SLEEP_MS <= FRESH_MS;
      yield variant('slept', usual.world, reach(isBelieved ? usual.reply : lost, SLEEP_MS));
    }
  }
}

export function hasClaimChanged({ at, request }: Sent, world: World): boolean {
  if (request.kind !== 'await-claim') return true;
  const destination = world.destinations[at];
  const claim = destination?.claims[request.number]?.claim;
  return (
    claim?.token !== request.claim.token ||
    (destination !== undefined && numberIn(destination) >= request.number)
  );
}
