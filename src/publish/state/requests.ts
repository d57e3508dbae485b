import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { LinkStore, Snapshot, StoreChange } from '../../stores/port.ts';
import { formatDuration } from '../../text/amounts.ts';
import { foundIn } from './found.ts';
import { cutState } from './history.ts';
import {
  CLAIM_OVER_MS,
  FRESH_MS,
  Interruption,
  type NumberedClaim,
  numberOf,
  type Reading,
  type Reply,
  type Request,
  type SectionEnd,
  type Steps,
} from './protocol/steps.ts';
import { type Announcement, readClaim, type StateBinding, type StateRecord, writeClaim, writeState } from './state.ts';

interface RequestsInit {
  readonly store: LinkStore;
  /** Known once the store is open. */
  readonly binding: () => StateBinding;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Called if the credentials do not reach the state. Throws, or lets the run continue without it. */
  readonly onUnreadable: (error: CourierError) => void;
  /** Called when the link was written. */
  readonly onLink: (before: Snapshot, after: Snapshot) => void;
}

/** What a section is given to send. */
interface Sending {
  /** The link, in sections that write one. */
  readonly link?: string | undefined;
  /** Instead of the run's signal: for the last write after a cancellation. */
  readonly signal?: AbortSignal | undefined;
}

/** A section that waits for the reply of the platform. */
export interface Paused {
  readonly kind: 'paused';
  readonly steps: Steps<SectionEnd>;
}

type WithoutTime<T> = T extends unknown ? Omit<T, 'sentMs' | 'nowMs'> : never;

// A stranger can make texts of any number and size next to a state: the newest ones count.
const MAX_CLAIMS_READ = 20;
const CLAIM_POLL_MS = 3000;

function tooLate(destination: string): CourierError {
  return new CourierError({
    code: 'network',
    message: `The reply to a write of ${destination} took longer than ${formatDuration(FRESH_MS)}.`,
    mayHaveStarted: true,
  });
}

/** Carries the requests of sections out in one store, and gives them its replies. Decides nothing. */
export class Requests {
  readonly #init: RequestsInit;
  /** When each claim was first seen, by its token, on the monotonic clock. */
  readonly #seen = new Map<string, number>();
  #hasWarned = false;

  constructor(init: RequestsInit) {
    this.#init = init;
  }

  /** To the end; what cannot be read is thrown. */
  async run<T>(steps: Steps<T>): Promise<T> {
    try {
      let next = steps.next();
      while (!next.done) next = steps.next(await this.#reply(next.value, {}));
      return next.value;
    } catch (error) {
      throw error instanceof Interruption ? error.error : error;
    }
  }

  /** To the end of a section, or to its request to the platform. `reply`: of the platform, for a section that waited for it. */
  async runSection(steps: Steps<SectionEnd>, sending: Sending, reply?: Reply): Promise<SectionEnd | Paused> {
    let next = reply === undefined ? steps.next() : steps.next(reply);
    while (!next.done) {
      if (next.value.kind === 'start') return { kind: 'paused', steps };
      next = steps.next(await this.#reply(next.value, sending));
    }
    return next.value;
  }

  /** What the store answers, and what broke on the way, is a reply; a cancelled run ends at once. */
  async #reply(request: Request, sending: Sending): Promise<Reply> {
    const { clock, store } = this.#init;
    const sentMs = clock.monotonicMs();
    try {
      const reply = await this.#send(request, sending);
      const nowMs = clock.monotonicMs();
      if (reply.kind !== 'written' || nowMs - sentMs <= FRESH_MS) return { ...reply, sentMs, nowMs };
      // Another run may have followed meanwhile: what is there now decides.
      return { kind: 'unknown', error: tooLate(store.names.destination), sentMs, nowMs };
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      const times = { sentMs, nowMs: clock.monotonicMs() };
      const isStale = error.code === 'conflict' && !error.mayHaveStarted && store.can.guard !== 'claims';
      if (isStale) return { kind: 'stale', ...times };
      return { kind: error.mayHaveStarted ? 'unknown' : 'refused', error, ...times };
    }
  }

  async #send(request: Request, sending: Sending): Promise<WithoutTime<Reply>> {
    switch (request.kind) {
      case 'read':
        return { kind: 'reading', reading: await this.#read() };
      case 'claim':
        return this.#claim(request.number, request.announcement, sending);
      case 'read-claim':
        return { kind: 'claim', claim: await this.#readClaim(request.number, sending) };
      case 'list-claims':
        return { kind: 'claims', claims: await this.#listClaims(request.above) };
      case 'await-claim':
        return { kind: 'claim', claim: await this.#awaitClaim(request, sending) };
      case 'remove-claims':
        return this.#removeClaims(request.numbers);
      case 'write-link': {
        if (sending.link === undefined) throw new Error('A section without a link writes one.');
        const state = request.record && this.#textOf(request.record);
        return this.#write({ link: sending.link, state }, request.seen, sending);
      }
      case 'write-state':
        return this.#write({ state: this.#textOf(request.record) }, request.seen, sending);
      case 'start':
        throw new Error('The platform is asked by the caller.');
    }
  }

  async #read(): Promise<Reading> {
    const { clock, store, onUnreadable } = this.#init;
    const sentMs = clock.monotonicMs();
    const snapshot = await store.read();
    if (snapshot.stateError !== undefined) onUnreadable(snapshot.stateError);
    return { found: this.#found(snapshot), sentMs, arrivedMs: clock.monotonicMs(), handle: snapshot };
  }

  #found(snapshot: Snapshot) {
    const { store, binding } = this.#init;
    return foundIn({ binding: binding(), snapshot, shows: store.can.shows });
  }

  /** Nothing is written over a reading that is too old: what was decided on it counts no more. */
  async #write(change: StoreChange, seen: Reading, { signal }: Sending): Promise<WithoutTime<Reply>> {
    const { clock, store, onLink } = this.#init;
    if (clock.monotonicMs() - seen.sentMs > FRESH_MS) return { kind: 'stale' };
    const snapshot = await store.write(change, seen.handle, signal);
    if (change.link !== undefined) onLink(seen.handle, snapshot);
    const reading = { ...seen, found: this.#found(snapshot), arrivedMs: clock.monotonicMs(), handle: snapshot };
    return { kind: 'written', reading };
  }

  async #claim(number: number, announcement: Announcement, { signal }: Sending): Promise<WithoutTime<Reply>> {
    const { store, binding } = this.#init;
    const isMade = await store.claims?.create(number, writeClaim(binding(), number, announcement), signal);
    return { kind: isMade === true ? 'done' : 'exists' };
  }

  /** A claim that was not signed with this key is one of a run that nothing is known of. */
  async #readClaim(number: number, { signal }: Sending): Promise<Announcement | undefined> {
    const { store, binding, clock } = this.#init;
    const text = await store.claims?.read(number, signal);
    if (text === undefined) return undefined;
    const token = createHash('sha256').update(text).digest('hex');
    const unknown = { token, by: 'state', at: new Date(clock.now()).toISOString(), run: '' } as const;
    const claim = readClaim(binding(), number, text) ?? unknown;
    if (!this.#seen.has(claim.token)) this.#seen.set(claim.token, clock.monotonicMs());
    return claim;
  }

  async #listClaims(above: number): Promise<readonly NumberedClaim[]> {
    const numbers = (await this.#init.store.claims?.list(above)) ?? [];
    const claims: NumberedClaim[] = [];
    for (const number of numbers.slice(-MAX_CLAIMS_READ)) {
      const claim = await this.#readClaim(number, {});
      if (claim !== undefined) claims.push({ number, claim });
    }
    return claims;
  }

  /**
   * Waits until the run of the claim has written the state, or until the claim has stayed the same for so long that its run writes no
   * more. Gives the claim that is there then; undefined: another run has completed.
   */
  async #awaitClaim(
    { number, token, isOver }: Extract<Request, { readonly kind: 'await-claim' }>,
    sending: Sending,
  ): Promise<Announcement | undefined> {
    const { clock, signal } = this.#init;
    let claim = await this.#readClaim(number, sending);
    if (isOver || claim?.token !== token) return claim;
    const endMs = (this.#seen.get(token) ?? clock.monotonicMs()) + CLAIM_OVER_MS;
    if (clock.monotonicMs() >= endMs) return claim;
    this.#warn(claim);
    // Those of runs that have ended as well are over at the same time.
    await this.#listClaims(number);
    while (clock.monotonicMs() < endMs) {
      await clock.sleep(CLAIM_POLL_MS, sending.signal ?? signal);
      const { found } = await this.#read();
      if (numberOf(found) >= number) return undefined;
      claim = await this.#readClaim(number, sending);
      if (claim?.token !== token) return claim;
    }
    return claim;
  }

  #warn({ run }: Announcement): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { log, store } = this.#init;
    const { destination } = store.names;
    const why =
      run === ''
        ? `A claim on ${destination} has an invalid signature, such as one from before the admin key was replaced: its run may be at work, or ended long ago`
        : `Another run (${run}) is writing ${destination}, or ended while it did`;
    log.warning(
      `${why}. Waiting for at most ${formatDuration(CLAIM_OVER_MS)}. Let only one run at a time write a destination: use a concurrency group.`,
    );
  }

  /** Best effort: a claim that stays says nothing that is wrong. */
  async #removeClaims(numbers: readonly number[]): Promise<WithoutTime<Reply>> {
    const { store, log } = this.#init;
    for (const number of numbers) {
      try {
        await store.claims?.remove(number);
      } catch (error) {
        if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
        log.info(`A claim next to the ${store.names.state} was not removed: ${error.message}`);
      }
    }
    return { kind: 'done' };
  }

  /** With so much of the history as the store has room for. */
  #textOf(record: StateRecord): string {
    const { store, binding } = this.#init;
    const { maxStateBytes = Number.POSITIVE_INFINITY } = store.can;
    const textOf = (cut: StateRecord) => writeState(binding(), cut);
    return textOf(cutState(record, (cut) => Buffer.byteLength(textOf(cut)) <= maxStateBytes));
  }
}
