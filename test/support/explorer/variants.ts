import { CLAIM_OVER_MS, FRESH_MS } from '../../../src/delivery/protocol/limits.ts';
import { later, type Reply, type Request } from '../../../src/delivery/protocol/steps.ts';
import type { Numbers } from './numbers.ts';
import { type Fault, type Running, type Runs, type Variant, wordsOf } from './running.ts';
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

/** All that may happen to the next request of a run: as it should first, then the faults. */
export class Variants {
  readonly #runs: Runs;
  readonly #numbers: Numbers;
  readonly #only: ReadonlySet<Fault>;

  constructor(runs: Runs, numbers: Numbers, only: ReadonlySet<Fault>) {
    this.#runs = runs;
    this.#numbers = numbers;
    this.#only = only;
  }

  /**
   * Made once for all states that differ only in what the other runs have come to. `mayFail`: false
   * gives only what happens without a further fault.
   */
  of(run: Running, sent: Sent, world: World, mayFail: boolean): readonly Variant[] {
    const { node, nowMs, realMs, isLagging } = run;
    const destination = world.destinations[sent.at];
    const there =
      destination === undefined
        ? `jobs ${this.#numbers.of(world.jobs)}`
        : this.#numbers.ofDestination(destination);
    const withFaults = mayFail || node.isCancelled;
    const key = `${there},${nowMs},${realMs},${isLagging},${withFaults}`;
    let known = node.variants.get(key);
    if (known === undefined) {
      known = [...this.#make(run, sent, world, withFaults)];
      node.variants.set(key, known);
    }
    return known;
  }

  *#make(run: Running, sent: Sent, world: World, withFaults: boolean): Generator<Variant> {
    const { node, nowMs, realMs } = run;
    const { request } = sent;
    const words = wordsOf(sent, node.spec.name);
    const variant = (fault: Fault | undefined, next: World, moved: Omit<Running, 'after'>) => ({
      fault,
      what: fault === undefined ? words : `${words} (${fault})`,
      change: { destinations: next.destinations, jobs: next.jobs },
      pending: next.pending.slice(world.pending.length),
      wrong: next.wrong,
      run: moved,
    });
    const reach = (reply: Reply, ms = 0) => {
      const at = { ...reply, nowMs: reply.nowMs + ms };
      const isLagging = run.isLagging && !PAUSES.has(request.kind);
      const child = this.#runs.child(node, at);
      return { node: child, nowMs: at.nowMs, realMs: realMs + ms, isKilled: false, isLagging };
    };
    const quiet = { ...world, wrong: [] };
    const done = (unusual: Unusual = {}) =>
      carryOut(quiet, sent, nowMs, { isLagging: run.isLagging, ...unusual }, realMs);
    const usual = done();
    const waits = request.kind === 'await-claim' && !hasClaimChanged(sent, world);
    yield variant(undefined, usual.world, reach(usual.reply, waits ? CLAIM_OVER_MS : 0));
    if (!withFaults) return;
    const copy = { request: sent, run: node.spec.name, nowMs };
    const withCopy = (next: World): World => ({ ...next, pending: [...next.pending, copy] });
    const only = this.#only;
    const lost = unknown(nowMs);
    const killed = { ...run, isKilled: true };
    const slept = { ...run, realMs: realMs + SLEEP_MS };
    if (isWrite(sent)) {
      if (only.has('lost')) yield variant('lost', usual.world, reach(lost, LOST_MS));
      if (only.has('refused')) yield variant('refused', quiet, reach(refused(nowMs)));
      if (only.has('killed after')) yield variant('killed after', usual.world, killed);
      const own = later(0, 0, SLEEP_MS);
      if (only.has('suspended'))
        yield variant('suspended', quiet, { ...slept, nowMs: nowMs + own });
      if (only.has('unnoticed')) yield variant('unnoticed', quiet, slept);
      // The platform gives each request another job.
      if (request.kind !== 'start') {
        if (only.has('late')) yield variant('late', withCopy(quiet), reach(lost));
        if (only.has('doubled'))
          yield variant('doubled', withCopy(usual.world), reach(usual.reply));
      }
      if (only.has('cancelled')) {
        const during = reach(cancelledDuring(nowMs));
        yield variant('cancelled', usual.world, during);
        if (request.kind !== 'start') yield variant('cancelled', withCopy(quiet), during);
        // What it still does may be lost, or come twice.
        if (node.isCancelled) yield variant('cancelled', withCopy(usual.world), during);
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
      yield variant('lagging', old.world, { ...reach(old.reply), isLagging: true });
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
