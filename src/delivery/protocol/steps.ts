import type { CourierError } from '../../ground/errors.ts';
import type { Snapshot, StoreAbilities } from '../../stores/port.ts';
import type { Announcement, StateRecord } from '../state.ts';
import { FRESH_MS, MAX_PAUSES } from './limits.ts';
import type { Found, Situation, StopReason } from './situation.ts';

/**
 * How one run reads and writes one destination, request by request. These generators send nothing:
 * a destination carries their requests out (`destination.ts`), and the tests try every order in
 * which the requests of two runs can arrive, with faults. So both run the same rules.
 */

// A section is the part of a run in which no other run writes to the destination. In a store with
// claims, it begins when the run creates the claim with the next number, and ends when the state
// has this number. An announcement is the text of a claim: it says what the section is about to
// write.

/**
 * What was read. Times are milliseconds of the monotonic clock; `sentMs` is that of the first
 * request for it.
 */
export interface Reading {
  readonly found: Found;
  readonly sentMs: number;
  /** What the store compares a write with. */
  readonly handle: Snapshot;
}

/** A claim with its number. */
export interface NumberedClaim {
  readonly number: number;
  readonly claim: Announcement;
}

/** The claims without their numbers. */
export function claimsIn(claims: readonly NumberedClaim[]): readonly Announcement[] {
  return claims.map((one) => one.claim);
}

export type Request =
  /** `seen`: only the state is wanted; the link is that of this reading. */
  | { readonly kind: 'read'; readonly seen?: Reading | undefined }
  /**
   * `claim`: creates the claim, unless one with this number exists. `await-claim`: waits until the
   * claim has changed, or has stayed the same for so long that its run can no longer be writing.
   */
  | ({ readonly kind: 'claim' | 'await-claim' } & NumberedClaim)
  | { readonly kind: 'read-claim'; readonly number: number }
  /** Finds the claims with a higher number than the state has. */
  | { readonly kind: 'list-claims'; readonly above: number }
  /** `record`: link and state in one write that is refused if `seen` is no longer there. */
  | {
      readonly kind: 'write-link';
      readonly seen: Reading;
      readonly link: string;
      readonly record?: StateRecord;
    }
  | { readonly kind: 'write-state'; readonly seen: Reading; readonly record: StateRecord }
  /** Removes claims that nothing needs any more. */
  | { readonly kind: 'remove-claims'; readonly numbers: readonly number[] }
  /** Waits for a moment: what was just written may not show yet. */
  | { readonly kind: 'pause' }
  /** Waits before everything is tried again; refused: after this error that does not help. */
  | { readonly kind: 'wait'; readonly error: CourierError; readonly attempt: number }
  /** Asks the platform to start the export. */
  | { readonly kind: 'start' }
  /** Asks the platform for a link of an export job. */
  | { readonly kind: 'make-link'; readonly job: string };

/** If one of these requests fails, everything is read and decided again, and then tried again. */
export const RETRIED: ReadonlySet<Request['kind']> = new Set([
  'claim',
  'write-link',
  'write-state',
]);

export type Answer =
  | { readonly kind: 'reading'; readonly reading: Reading }
  | { readonly kind: 'claim'; readonly claim: Announcement | undefined }
  /** `unsigned`: the numbers of texts that are not signed with this key. */
  | {
      readonly kind: 'claims';
      readonly claims: readonly NumberedClaim[];
      readonly unsigned: readonly number[];
    }
  /** What is there now. Its `sentMs` is that of the reading that was written over. */
  | { readonly kind: 'written'; readonly reading: Reading }
  | { readonly kind: 'started'; readonly jobId: string }
  /** `expiresAt`: ISO 8601, UTC; undefined: not known. */
  | { readonly kind: 'link'; readonly link: string; readonly expiresAt: string | undefined }
  /**
   * `exists`: the claim exists already. `stale`: the reading is too old: nothing was sent, or a store
   * with versions refused the write.
   */
  | { readonly kind: 'done' | 'exists' | 'stale' }
  /**
   * `refused`: the request changed nothing. `unknown`: the reply was lost: the request may have
   * changed something, or may still do so.
   */
  | { readonly kind: 'refused' | 'unknown'; readonly error: CourierError };

/**
 * The answer with its times on the clock of the run: when the request was sent, and when the answer
 * arrived.
 */
export type Reply = Answer & { readonly sentMs: number; readonly nowMs: number };

/** What the run does, given what is there. Its records have neither number nor token yet. */
export type Plan =
  | { readonly kind: 'stop'; readonly why: StopReason }
  /** Only the state is written. */
  | { readonly kind: 'note'; readonly record: StateRecord }
  /** Writes link and state. `confirmed` gives the state once the link is in place. */
  | {
      readonly kind: 'place';
      readonly link: string;
      readonly confirmed: (link: Found['link']) => StateRecord;
    }
  /**
   * Starts an export; then the plan is asked for again. `announced`: the state before the start, in
   * stores without claims.
   */
  | { readonly kind: 'start'; readonly announced: StateRecord };

export type SectionEnd =
  /** `mayArrive`: links of other runs that may still replace what is there. */
  | {
      readonly kind: 'done';
      readonly reading: Reading;
      readonly linkWritten: boolean;
      readonly mayArrive?: readonly Announcement[];
    }
  | StoppedEnd
  | FailedEnd;

export interface StoppedEnd {
  readonly kind: 'stopped';
  readonly why: StopReason;
  readonly reading: Reading;
  /** What is there, as far as it is ours. */
  readonly record: StateRecord;
  /** A write of the link whose reply was lost may still arrive. */
  readonly isUncertain?: boolean;
  /**
   * The link of this run was put over that of the job in `record`; whether a fresh link of that job
   * has replaced it.
   */
  readonly overwrote?: 'not-repaired' | 'repaired';
}

export interface FailedEnd {
  readonly kind: 'failed';
  readonly error: CourierError;
  readonly at: Request['kind'];
  /** The link is in place, and the state does not say so. */
  readonly linkWritten: boolean;
}

/**
 * The end of a section in a run that has sent the link before, and lost the reply: unless the link
 * is known to be in place, the end says that it may be.
 */
export function withUncertainLink(end: SectionEnd): SectionEnd {
  if (end.kind === 'stopped') return { ...end, isUncertain: true };
  if (end.kind === 'done' || end.linkWritten) return end;
  // Whatever failed last: as a failed write of the link, the error says that it may be in place.
  return { ...end, at: 'write-link', error: end.error.with({ mayHaveActed: true }) };
}

/** What a section is for. */
export interface SectionWish {
  readonly announcement: Announcement;
  /**
   * Gives the order of an export that is started, from the state. The claim contains it, so that no
   * other decision gets the same order. undefined: the announcement has its order already, or
   * needs none, since it announces no link.
   */
  readonly orderFrom?: (record: StateRecord) => number;
  /**
   * Decides what follows from what is there. Called with a reading that no other run can make old,
   * as far as the store allows that.
   */
  readonly plan: (situation: Situation, reading: Reading) => Plan;
}

/** The end of a section in which other runs were faster, several times. */
export function busy(reading: Reading): SectionEnd {
  const record = reading.found.record ?? reading.found.empty;
  return { kind: 'stopped', why: 'busy', reading, record };
}

export interface SectionInit extends SectionWish {
  readonly guard: StoreAbilities['guard'];
  /** Unique to this section: it wrote every state and claim with this token. */
  readonly token: string;
  /** What is there, as this run last read or wrote it. */
  readonly last: Reading;
  /** Now, epoch milliseconds. */
  readonly wallMs: number;
  /** Claims with a higher number than the state had when the run began. */
  readonly claims: readonly NumberedClaim[];
  /** The tokens of the sections of this run so far: it does not wait for their claims. */
  readonly ownTokens: ReadonlySet<string>;
  /** The tokens of those of them that have sent a link. */
  readonly sentTokens: Set<string>;
}

/**
 * Instead of a claim whose text says nothing: it is not signed with this key, or it is not visible
 * yet.
 */
export const UNSIGNED: Announcement = {
  token: '',
  by: 'state',
  at: new Date(0).toISOString(),
  run: '',
};

/** How often a section begins again, and how often a request is repeated. */
export const MAX_ROUNDS = 3;

export type Steps<T> = Generator<Request, T, Reply>;

/** A reply that ends a section. It is thrown inside the section; `section` turns it into an end. */
export class Interruption extends Error {
  readonly error: CourierError;
  readonly at: Request['kind'];

  constructor(reply: Reply, at: Request['kind']) {
    super('A section was interrupted.');
    // A reply of a kind that its request never gets: a mistake in this program.
    if (!('error' in reply)) throw new Error(`A reply to ${at} of another kind: ${reply.kind}`);
    this.error = reply.error;
    this.at = at;
  }
}

/** What is there now; with `seen`, only the state is read again. Throws an `Interruption`. */
export function* read(seen?: Reading): Steps<Reading> {
  const reply = yield { kind: 'read', seen };
  if (reply.kind !== 'reading') throw new Interruption(reply, 'read');
  return reply.reading;
}

/**
 * Reads until the state has this number or a higher one, with a pause before each further reading:
 * a replica of the store may still show an earlier state. After too many pauses, gives the last
 * reading. `seen`: see `read`.
 */
export function* readSince(number: number, seen?: Reading): Steps<Reading> {
  let reading = yield* read(seen);
  for (let pauses = 0; pauses < MAX_PAUSES && numberOf(reading.found) < number; pauses += 1) {
    yield* pause();
    reading = yield* read(seen);
  }
  return reading;
}

/**
 * Runs the steps; a failed request that interrupts them is their end. `linkWritten` is false then:
 * a section that fails once its link is written gives its end itself.
 */
export function* endOf<T>(steps: Steps<T>): Steps<T | FailedEnd> {
  try {
    return yield* steps;
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    return { kind: 'failed', error: error.error, at: error.at, linkWritten: false };
  }
}

/** True if the run was cancelled while the request waited for its reply, or before. */
export function isCancelled(
  reply: Reply,
): reply is Extract<Reply, { readonly error: CourierError }> {
  return 'error' in reply && reply.error.code === 'cancelled';
}

/**
 * Runs the steps; once a request was cancelled, an `Interruption` ends them, whatever they would do
 * about a lost reply: a cancelled run sends nothing again. Only what became of the start of an
 * export is still written.
 */
export function* untilCancelled<T>(steps: Steps<T>): Steps<T> {
  let next = steps.next();
  while (!next.done) {
    const request = next.value;
    const reply = yield request;
    const isEnd = isCancelled(reply) && request.kind !== 'start';
    next = isEnd ? steps.throw(new Interruption(reply, request.kind)) : steps.next(reply);
  }
  return next.value;
}

/** Waits until what was just written may show. */
export function* pause(): Steps<void> {
  const reply = yield { kind: 'pause' };
  if (reply.kind !== 'done') throw new Interruption(reply, 'pause');
}

/**
 * What is there after a write whose reply was lost. If that cannot be read, throws the failure of
 * the write, which says that the write may have taken place.
 */
export function* readAfter(lost: Reply, at: Request['kind']): Steps<Reading> {
  try {
    return yield* read();
  } catch (error) {
    throw error instanceof Interruption ? new Interruption(lost, at) : error;
  }
}

/** The claims with a number higher than `above`. */
export function* listClaims(above: number): Steps<Extract<Reply, { readonly kind: 'claims' }>> {
  const reply = yield { kind: 'list-claims', above };
  if (reply.kind !== 'claims') throw new Interruption(reply, 'list-claims');
  return reply;
}

/** The number of the state, which each write raises; 0 without a state. */
export function numberOf(found: Found): number {
  return found.record?.number ?? 0;
}

/** After a write whose reply was lost: true if the store shows that the link is in place. */
export function hasLink(seen: Found, now: Found, mark: string | undefined): boolean {
  if (now.link?.mark !== undefined) return now.link.mark === mark;
  // The store shows only a date: a new one is that of this write.
  return now.link?.at !== undefined && !sameLink(seen, now);
}

/** True if both readings show the same link, as far as the store shows it. */
export function sameLink(a: Found | undefined, b: Found | undefined): boolean {
  return a?.link?.at === b?.link?.at && a?.link?.mark === b?.link?.mark;
}

/** True if what was sent or read then is too old: another run may have written since. */
export function isTooOld({ sentMs }: Pick<Reading, 'sentMs'>, nowMs: number): boolean {
  return nowMs - sentMs > FRESH_MS;
}

/**
 * The time of a run after both of its clocks have advanced: the larger difference counts. A
 * suspended machine stops its monotonic clock, and a correction can set the wall clock back.
 */
export function later(ms: number, monotonicMs: number, wallMs: number): number {
  return ms + Math.max(monotonicMs, wallMs, 0);
}
