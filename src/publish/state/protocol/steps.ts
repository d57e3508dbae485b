import type { CourierError } from '../../../errors.ts';
import type { Snapshot, StoreAbilities } from '../../../stores/port.ts';
import type { Announcement, StateRecord } from '../state.ts';
import type { Found, Situation, StopReason } from './situation.ts';

/**
 * How one run reads and writes one destination, request by request. These generators send nothing: a destination carries their
 * requests out (`destination.ts`), and the tests try every order in which the requests of two runs can arrive, with faults. So both
 * run the same rules.
 */

/** What a kind of store can do; everything below follows from it. */
export type Abilities = Pick<StoreAbilities, 'guard' | 'shows'>;

/** What was read. Times are milliseconds of the monotonic clock; `sentMs` is that of the first request for it. */
export interface Reading {
  readonly found: Found;
  readonly sentMs: number;
  /** When the last reply to it arrived. */
  readonly arrivedMs: number;
  /** What the store compares a write with. */
  readonly handle: Snapshot;
}

/** A claim with its number. */
export interface NumberedClaim {
  readonly number: number;
  readonly claim: Announcement;
}

export type Request =
  | { readonly kind: 'read' }
  /** Creates the claim with this number, unless it exists. */
  | { readonly kind: 'claim'; readonly number: number; readonly announcement: Announcement }
  | { readonly kind: 'read-claim'; readonly number: number }
  /** Finds the claims with a higher number than the state has. */
  | { readonly kind: 'list-claims'; readonly above: number }
  /** Waits until the claim has changed, or has stayed the same for so long that its run can no longer be writing. */
  | { readonly kind: 'await-claim'; readonly number: number; readonly token: string; readonly isOver: boolean }
  /** `record`: link and state in one write that is refused if `seen` is no longer there. */
  | { readonly kind: 'write-link'; readonly seen: Reading; readonly record?: StateRecord | undefined }
  | { readonly kind: 'write-state'; readonly seen: Reading; readonly record: StateRecord }
  /** Removes claims that nothing needs any more. */
  | { readonly kind: 'remove-claims'; readonly numbers: readonly number[] }
  /** Asks the platform to start the export. */
  | { readonly kind: 'start' };

/** `sentMs`, `nowMs`: when the request was sent and when the reply arrived, on the monotonic clock. */
export type Reply = { readonly sentMs: number; readonly nowMs: number } & (
  | { readonly kind: 'reading'; readonly reading: Reading }
  | { readonly kind: 'claim'; readonly claim: Announcement | undefined }
  | { readonly kind: 'claims'; readonly claims: readonly NumberedClaim[] }
  | { readonly kind: 'done' }
  /** What is there now; its time is that of the reading before. */
  | { readonly kind: 'written'; readonly reading: Reading }
  | { readonly kind: 'started'; readonly jobId: string }
  /** The claim exists already. */
  | { readonly kind: 'exists' }
  /** Nothing was sent, or the store has versions: the reading is too old. */
  | { readonly kind: 'stale' }
  /** It did not take place. */
  | { readonly kind: 'refused'; readonly error: CourierError }
  /** Whether it took place is unknown, and it may still do so. */
  | { readonly kind: 'unknown'; readonly error: CourierError }
);

/** What the run does with what is there. */
export type Plan =
  | { readonly kind: 'stop'; readonly why: StopReason }
  /** `record`: after the write, without number and token. `announced`: before it, for stores that keep no claims. */
  | {
      readonly kind: 'write';
      readonly link: boolean;
      readonly announced: StateRecord;
      readonly record: (link: Found['link']) => StateRecord;
    }
  /** An export is started first. `after`: what is written then, over what is there. */
  | {
      readonly kind: 'start';
      readonly announced: StateRecord;
      readonly after: (there: StateRecord, outcome: StartOutcome) => StateRecord;
    };

/** What became of the start of an export. `unknown`: it may have been started. */
type StartOutcome = { readonly kind: 'started'; readonly jobId: string } | { readonly kind: 'refused' | 'unknown' };

export type SectionEnd =
  | { readonly kind: 'done'; readonly reading: Reading; readonly linkWritten: boolean; readonly before: Situation }
  | { readonly kind: 'stopped'; readonly why: StopReason; readonly reading: Reading; readonly situation: Situation }
  /** `linkWritten`: the link is in place, and the state does not say so. */
  | {
      readonly kind: 'failed';
      readonly error: CourierError;
      readonly at: Request['kind'];
      readonly linkWritten: boolean;
    }
  /** Other runs were faster, three times. */
  | { readonly kind: 'busy'; readonly reading: Reading };

export interface SectionInit {
  readonly abilities: Abilities;
  /** Of this section alone: a state or a claim with it was written by this section. */
  readonly token: string;
  /** As this run last read or wrote it. */
  readonly last: Reading | undefined;
  readonly announcement: Announcement;
  /** Of an export that is started: its order, given what is there. The claim says it, so that no other decision gets the same one. */
  readonly order?: ((record: StateRecord) => number) | undefined;
  /** Now, epoch milliseconds. */
  readonly wallMs: number;
  /** Decides what follows from what is there. Called with a reading that no other run can make old, as far as the store allows that. */
  readonly plan: (situation: Situation, reading: Reading) => Plan;
  /** Claims with a higher number than the state had when the run began. */
  readonly claims: readonly NumberedClaim[];
  /** True for the claim of an earlier attempt of this run, which has ended. */
  readonly isOver?: ((claim: Announcement) => boolean) | undefined;
}

/** A decision is taken on a reading that is no older, and a claim is good for no longer. */
export const FRESH_MS = 20_000;
/** A claim that has not changed for so long belongs to a run that writes no more: its last write was sent within `FRESH_MS`. */
export const CLAIM_OVER_MS = 45_000;
/** How often a section begins again, and how often a request is repeated. */
export const MAX_ROUNDS = 3;

export type Steps<T> = Generator<Request, T, Reply>;

/** A reply that ends a section. Thrown inside of it; `section` makes an end of it. */
export class Interruption extends Error {
  readonly error: CourierError;
  readonly at: Request['kind'];
  /** The link is in place, and the state does not say so. */
  readonly linkWritten: boolean;

  constructor(reply: Reply, at: Request['kind'], linkWritten = false) {
    super('A section was interrupted.');
    this.error = errorOf(reply);
    this.at = at;
    this.linkWritten = linkWritten;
  }
}

/** What is there now. Throws an `Interruption`. */
export function* read(): Steps<Reading> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = yield { kind: 'read' };
    if (reply.kind === 'reading') return reply.reading;
    // A reading changes nothing: it is simply repeated.
    if (reply.kind !== 'unknown' || attempt === MAX_ROUNDS) throw new Interruption(reply, 'read');
  }
}

export function errorOf(reply: Reply): CourierError {
  if ('error' in reply) return reply.error;
  throw new Error(`A reply of this kind answers no such request: ${reply.kind}`);
}

export function numberOf(found: Found | undefined): number {
  return found?.record?.number ?? 0;
}

/** After a write whose reply was lost: true if the store shows that it took place. */
export function hasLink(seen: Found, now: Found, { link: mark }: Announcement): boolean {
  if (now.link?.mark !== undefined) return now.link.mark === mark;
  return now.link?.at !== undefined && !sameLink(seen, now);
}

export function sameLink(a: Found, b: Found): boolean {
  return a.link?.at === b.link?.at && a.link?.mark === b.link?.mark;
}

/** What became of the start, as its reply says. */
export function outcomeOf(reply: Reply): StartOutcome {
  if (reply.kind === 'started') return { kind: 'started', jobId: reply.jobId };
  return { kind: reply.kind === 'refused' ? 'refused' : 'unknown' };
}
