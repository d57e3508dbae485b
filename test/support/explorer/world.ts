import { CourierError } from '../../../src/errors.ts';
import type { Found } from '../../../src/publish/state/protocol/situation.ts';
import type { Abilities, Reading, Reply, Request } from '../../../src/publish/state/protocol/steps.ts';
import { numberOf } from '../../../src/publish/state/protocol/steps.ts';
import type { Announcement, StateRecord } from '../../../src/publish/state/state.ts';
import type { Snapshot } from '../../../src/stores/port.ts';

/** A link in the world: what the protocol sees of it, and what only the checks know. */
export interface WorldLink {
  readonly mark: string;
  readonly at: number;
  readonly job: string;
  readonly order: number;
  readonly expires: number;
}

export interface WorldDestination {
  readonly abilities: Abilities;
  readonly state: StateRecord | undefined;
  readonly kind: Found['state'];
  readonly link: WorldLink | undefined;
  /** `madeMs`: by the clock of its run. */
  readonly claims: Readonly<Record<number, { readonly claim: Announcement; readonly madeMs: number }>>;
  readonly version: number;
}

/** An effect that has not taken place yet although its reply was given up. */
export interface Pending {
  readonly request: Sent;
  readonly run: string;
  /** Another run has sent a request since. */
  readonly hasOthers: boolean;
  readonly nowMs: number;
}

export interface World {
  readonly destinations: readonly WorldDestination[];
  /** The run that asked for each export job, in order. */
  readonly jobs: readonly { readonly job: string; readonly run: string }[];
  readonly pending: readonly Pending[];
  /** An effect took place after another run had gone on. */
  readonly isLate: boolean;
  /** What happened that must not happen. */
  readonly wrong: readonly string[];
}

/** A request with what it needs to be carried out. `at`: the destination; -1: the platform. */
export interface Sent {
  readonly at: number;
  readonly request: Request;
  readonly link?: Omit<WorldLink, 'at'> | undefined;
  /** The attempt of a run that asks for an export. */
  readonly run: string;
}

export const EMPTY: StateRecord = { version: 2, baseUrl: 'https://api.docs.example.com', domain: 'docs.example.com' };
/** What a store compares a write with. */
function handleOf(version: number): Snapshot {
  return { link: undefined, state: undefined, version: String(version) };
}

export const START_MS = Date.parse('2026-01-01T00:00:00Z');

export function foundIn({ abilities, state, kind, link }: WorldDestination): Found {
  const { shows } = abilities;
  const all = { link: link && {}, state: kind, record: kind === 'valid' ? state : undefined, empty: EMPTY } as const;
  if (link === undefined || shows === 'nothing') return all;
  if (shows === 'date') return { ...all, link: { at: link.at } };
  return { ...all, link: { at: link.at, mark: link.mark } };
}

const LOST = new CourierError({ code: 'network', message: 'The reply was lost.', mayHaveStarted: true });
const REFUSED = new CourierError({ code: 'rate-limited', message: 'Refused.' });

export const unknown = (nowMs: number): Reply => ({ kind: 'unknown', error: LOST, sentMs: nowMs, nowMs });
export const refused = (nowMs: number): Reply => ({ kind: 'refused', error: REFUSED, sentMs: nowMs, nowMs });

/** Carries a request out. `nowMs`: the clock of the run. */
export function carryOut(world: World, sent: Sent, nowMs: number, isLate = false): { world: World; reply: Reply } {
  const { at, request } = sent;
  if (request.kind === 'start') {
    const job = `job-${sent.run}${world.jobs.filter(({ run }) => run === sent.run).length || ''}`;
    return {
      world: { ...world, jobs: [...world.jobs, { job, run: sent.run }] },
      reply: { kind: 'started', jobId: job, sentMs: nowMs, nowMs },
    };
  }
  const destination = world.destinations[at];
  if (destination === undefined) throw new Error('no such destination');
  const { claims, version } = destination;
  const put = (change: Partial<WorldDestination>, wrong: readonly string[] = []): World => ({
    ...world,
    wrong: [...world.wrong, ...wrong],
    destinations: world.destinations.map((one, index) => (index === at ? { ...one, ...change } : one)),
  });
  const written = (next: World, seen: Reading): { world: World; reply: Reply } => {
    const now = next.destinations[at] ?? destination;
    const reading = { found: foundIn(now), sentMs: seen.sentMs, arrivedMs: nowMs, handle: handleOf(now.version) };
    return { world: next, reply: { kind: 'written', reading, sentMs: nowMs, nowMs } };
  };
  switch (request.kind) {
    case 'read': {
      const reading: Reading = {
        found: foundIn(destination),
        sentMs: nowMs,
        arrivedMs: nowMs,
        handle: handleOf(version),
      };
      return { world, reply: { kind: 'reading', reading, sentMs: nowMs, nowMs } };
    }
    case 'read-claim':
    case 'await-claim':
      return { world, reply: { kind: 'claim', claim: claims[request.number]?.claim, sentMs: nowMs, nowMs } };
    case 'list-claims': {
      const found = Object.entries(claims).flatMap(([number, { claim }]) =>
        Number(number) > request.above ? [{ number: Number(number), claim }] : [],
      );
      return { world, reply: { kind: 'claims', claims: found, sentMs: nowMs, nowMs } };
    }
    case 'claim': {
      if (claims[request.number] !== undefined) return { world, reply: { kind: 'exists', sentMs: nowMs, nowMs } };
      return {
        world: put({ claims: { ...claims, [request.number]: { claim: request.announcement, madeMs: nowMs } } }),
        reply: { kind: 'done', sentMs: nowMs, nowMs },
      };
    }
    case 'remove-claims': {
      const left = Object.fromEntries(
        Object.entries(claims).filter(([number]) => !request.numbers.includes(Number(number))),
      );
      return { world: put({ claims: left }), reply: { kind: 'done', sentMs: nowMs, nowMs } };
    }
    case 'write-link': {
      const isStale = destination.abilities.guard === 'versions' && request.seen.handle.version !== String(version);
      if (isStale) return { world, reply: { kind: 'stale', sentMs: nowMs, nowMs } };
      if (sent.link === undefined) throw new Error('a link is written without a link');
      const link = { ...sent.link, at: (destination.link?.at ?? START_MS) + 1000 };
      const former = destination.link;
      const isOlder = former !== undefined && former.order > link.order && former.job !== link.job;
      const wrong = isOlder
        ? [`${isLate ? 'late: ' : ''}an older link (${link.job}) replaced a newer one (${former.job})`]
        : [];
      const state = request.record === undefined ? {} : { state: request.record, kind: 'valid' as const };
      const next = put({ link, version: version + 1, ...state }, wrong);
      return written(next, request.seen);
    }
    case 'write-state': {
      const isStale = destination.abilities.guard === 'versions' && request.seen.handle.version !== String(version);
      if (isStale) return { world, reply: { kind: 'stale', sentMs: nowMs, nowMs } };
      const isOurs = destination.kind === 'valid' || destination.kind === 'missing';
      const wrong = isOurs ? [] : ['a state that is not ours was overwritten'];
      const { number = 0, writer } = request.record;
      const isBack = numberOf(foundIn(destination)) >= number && destination.state?.writer !== writer;
      const late = isBack ? [`${isLate ? 'late: ' : ''}a state with a lower number was written`] : [];
      return written(
        put({ state: request.record, kind: 'valid', version: version + 1 }, [...wrong, ...late]),
        request.seen,
      );
    }
  }
}
