import type { Found } from '../../../src/delivery/protocol/situation.ts';
import {
  isTooOld,
  numberOf,
  type Reading,
  type Reply,
  type Request,
} from '../../../src/delivery/protocol/steps.ts';
import type { Announcement, StateRecord } from '../../../src/delivery/state.ts';
import { cancelled } from '../../../src/ground/clock.ts';
import { CourierError } from '../../../src/ground/errors.ts';
import type { Snapshot, StoreAbilities } from '../../../src/stores/port.ts';

/** A link in the world. Its text is that of `linkOf`. */
export interface WorldLink {
  readonly text: string;
  /** By the clock of the store, which goes on by a second with each link. */
  readonly at: number;
}

/** What a reading shows. */
export interface Shown {
  readonly state: StateRecord | undefined;
  readonly kind: Found['state'];
  readonly link: WorldLink | undefined;
}

export interface WorldDestination extends Shown {
  readonly abilities: StoreAbilities;
  /** `madeMs`: by the time of its run. */
  readonly claims: Readonly<
    Record<number, { readonly claim: Announcement; readonly madeMs: number }>
  >;
  readonly version: number;
  /** State and claims before the last claim was made, if readings may be some seconds old. */
  readonly former: Pick<WorldDestination, 'state' | 'kind' | 'claims'> | undefined;
}

/** An effect that has not taken place yet although its reply was given up. */
export interface Pending {
  readonly request: Sent;
  readonly run: string;
  readonly nowMs: number;
}

export interface World {
  readonly destinations: readonly WorldDestination[];
  /** The run that asked for each export job, in order. */
  readonly jobs: readonly { readonly job: string; readonly run: string }[];
  readonly pending: readonly Pending[];
  /** The clock of the stores. */
  readonly clockMs: number;
  /** What happened that must not happen. */
  readonly wrong: readonly string[];
}

/** A request with what it needs to be carried out. `at`: the destination; -1: the platform. */
export interface Sent {
  readonly at: number;
  readonly request: Request;
  readonly run: string;
}

/** What is unusual about a request or its reply. */
export interface Unusual {
  /** The link gets the date of the one before it. */
  readonly sameSecond?: boolean;
  /** What is read of state and claims is some seconds old. */
  readonly isLagging?: boolean;
  /** It was sent before: nothing on this side holds it back any more. */
  readonly isLate?: boolean;
}

export const EMPTY: StateRecord = {
  version: 2,
  baseUrl: 'https://api.docs.example.com',
  domain: 'docs.example.com',
};
/** The time of a run when it begins. */
export const BEGIN_MS = 1_000_000;
export const START_MS = Date.parse('2026-01-01T00:00:00Z');

/** The job of a link. */
export function jobIn(link: WorldLink | undefined): string | undefined {
  return link?.text.split('>')[1];
}

/** What a store compares a write with. */
function handleOf(version: number): Snapshot {
  return { link: undefined, state: undefined, version: String(version) };
}

export function foundIn({ shows }: StoreAbilities, { state, kind, link }: Shown): Found {
  const all = {
    link: link && {},
    state: kind,
    record: kind === 'valid' ? state : undefined,
    empty: EMPTY,
  } as const;
  if (link === undefined || shows === 'nothing') return all;
  if (shows === 'date') return { ...all, link: { at: link.at } };
  return { ...all, link: { at: link.at, mark: link.text } };
}

const LOST = new CourierError({
  code: 'network',
  message: 'The reply was lost.',
  mayHaveActed: true,
});
const REFUSED = new CourierError({ code: 'rate-limited', message: 'Refused.' });

export const unknown = (nowMs: number): Reply => ({
  kind: 'unknown',
  error: LOST,
  sentMs: nowMs,
  nowMs,
});
export const refused = (nowMs: number): Reply => ({
  kind: 'refused',
  error: REFUSED,
  sentMs: nowMs,
  nowMs,
});

const CANCELLED = cancelled();
const MAYBE = CANCELLED.with({ mayHaveActed: true });

/** The run was cancelled before it sent the request. */
export const cancelledBefore = (nowMs: number): Reply => ({
  kind: 'refused',
  error: CANCELLED,
  sentMs: nowMs,
  nowMs,
});
/** The run was cancelled while the request was on its way. */
export const cancelledDuring = (nowMs: number): Reply => ({
  kind: 'unknown',
  error: MAYBE,
  sentMs: nowMs,
  nowMs,
});

interface Done {
  readonly world: World;
  readonly reply: Reply;
}

/** Carries a request out. `nowMs`: the time of the run; `realMs`: that of the world for it. */
export function carryOut(
  world: World,
  sent: Sent,
  nowMs: number,
  unusual: Unusual = {},
  realMs = nowMs,
): Done {
  const { at, request } = sent;
  const times = { sentMs: nowMs, nowMs };
  const answer = (reply: object, next = world): Done => ({
    world: next,
    reply: { ...reply, ...times } as Reply,
  });
  if (request.kind === 'start') {
    const job = `job-${sent.run}${world.jobs.filter(({ run }) => run === sent.run).length || ''}`;
    return answer(
      { kind: 'started', jobId: job },
      { ...world, jobs: [...world.jobs, { job, run: sent.run }] },
    );
  }
  const destination = world.destinations[at];
  if (destination === undefined) throw new Error('no such destination');
  const { version, abilities } = destination;
  const shown =
    unusual.isLagging && destination.former
      ? { ...destination, ...destination.former }
      : destination;
  const { claims } = shown;
  const put = (change: Partial<WorldDestination>, wrong: readonly string[] = []): World => ({
    ...world,
    wrong: [...world.wrong, ...wrong],
    destinations: world.destinations.map((one, index) =>
      index === at ? { ...one, ...change } : one,
    ),
  });
  // Where no write compares it, it would only make more states.
  const nextVersion = abilities.guard === 'versions' ? version + 1 : version;
  const change = (parts: Partial<Shown>, wrong: readonly string[], seen: Reading): Done => {
    const { state, kind, link } = { ...destination, ...parts };
    const next = put({ ...parts, version: nextVersion }, wrong);
    const found = foundIn(abilities, { state, kind, link });
    return answer(
      {
        kind: 'written',
        reading: { ...seen, found, handle: handleOf(nextVersion) },
      },
      next,
    );
  };
  const isHeldBack = (seen: Reading) =>
    (abilities.guard === 'versions' && seen.handle.version !== String(version)) ||
    (unusual.isLate !== true && isTooOld(seen, nowMs));
  switch (request.kind) {
    case 'make-link': {
      const link = `${sent.run}~>${request.job}`;
      return answer({ kind: 'link', link, expiresAt: undefined });
    }
    case 'read': {
      const { seen } = request;
      const now = foundIn(abilities, shown);
      const found = seen === undefined ? now : { ...now, link: seen.found.link };
      return answer({
        kind: 'reading',
        reading: { found, sentMs: nowMs, handle: handleOf(version) },
      });
    }
    case 'read-claim':
    case 'await-claim':
      return answer({ kind: 'claim', claim: claims[request.number]?.claim });
    case 'list-claims': {
      const found = Object.entries(claims).map(([number, { claim }]) => ({
        number: Number(number),
        claim,
      }));
      return answer({
        kind: 'claims',
        claims: found.filter(({ number }) => number > request.above),
        unsigned: [],
      });
    }
    case 'claim': {
      const { claims: all, state, kind, link, former } = destination;
      if (all[request.number] !== undefined) return answer({ kind: 'exists' });
      // The store shows when it was made, by the clock of the links.
      const made = new Date(Math.max((link?.at ?? 0) + 1000, world.clockMs)).toISOString();
      const claim = abilities.shows === 'date' ? { ...request.claim, at: made } : request.claim;
      const before = former && { state, kind, claims: all };
      const next = put({
        claims: { ...all, [request.number]: { claim, madeMs: realMs } },
        former: before,
      });
      return answer({ kind: 'done' }, next);
    }
    case 'remove-claims': {
      const left = Object.entries(destination.claims).filter(
        ([number]) => !request.numbers.includes(Number(number)),
      );
      return answer({ kind: 'done' }, put({ claims: Object.fromEntries(left) }));
    }
    case 'wait':
      // A cancelled run does not try again.
      if (request.error.code === 'cancelled') return answer({ kind: 'refused', error: CANCELLED });
      return answer({ kind: 'done' });
    case 'pause':
      return answer({ kind: 'done' });
    case 'write-link': {
      if (isHeldBack(request.seen)) return answer({ kind: 'stale' });
      const before = destination.link?.at ?? world.clockMs;
      const link = {
        text: request.link,
        at: unusual.sameSecond ? before : Math.max(before + 1000, world.clockMs),
      };
      const state =
        request.record === undefined ? {} : { state: request.record, kind: 'valid' as const };
      return change({ link, ...state }, [], request.seen);
    }
    case 'write-state': {
      if (isHeldBack(request.seen)) return answer({ kind: 'stale' });
      const isOurs = destination.kind === 'valid' || destination.kind === 'missing';
      const wrong = isOurs ? [] : ['a state that is not ours was overwritten'];
      return change({ state: request.record, kind: 'valid' }, wrong, request.seen);
    }
  }
}

export function numberIn(destination: WorldDestination): number {
  return numberOf(foundIn(destination.abilities, destination));
}
