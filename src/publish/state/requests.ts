import { type Clock, cancelled } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import { retryWaitMs } from '../../http/service.ts';
import type { Log } from '../../log.ts';
import type { LinkStore, Snapshot, StoreChange } from '../../stores/port.ts';
import { formatDuration } from '../../text/amounts.ts';
import { foundIn } from './found.ts';
import { cutState } from './history.ts';
import { CLAIM_OVER_MS, FRESH_MS } from './protocol/limits.ts';
import {
  isTooOld,
  later,
  type NumberedClaim,
  numberOf,
  type Reading,
  type Reply,
  type Request,
  UNSIGNED,
} from './protocol/steps.ts';
import {
  type Announcement,
  readClaim,
  type StateBinding,
  type StateRecord,
  writeClaim,
  writeState,
} from './state.ts';

interface RequestsInit {
  readonly store: LinkStore;
  /** Known once the store is open. */
  readonly binding: () => StateBinding;
  readonly clock: Clock;
  /** Of the run. */
  readonly nowMs: () => number;
  readonly log: Log;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /**
   * Called if the credentials do not reach the state. Throws, or lets the run continue without it.
   */
  readonly onUnreadable: (error: CourierError) => void;
  /** Called when the link was written. */
  readonly onLink: (before: Snapshot, after: Snapshot) => void;
  /** True if the run continues without the state after this failure. */
  readonly givesUp: (error: CourierError) => boolean;
}

type Claims = Extract<WithoutTime<Reply>, { readonly kind: 'claims' }>;
type WithoutTime<T> = T extends unknown ? Omit<T, 'sentMs' | 'nowMs'> : never;

const CLAIM_POLL_MS = 3000;
const TELL_EVERY_MS = 15_000;

function tooLate(destination: string): CourierError {
  return new CourierError({
    code: 'network',
    message: `The reply to a write of ${destination} took longer than ${formatDuration(FRESH_MS)}.`,
    mayHaveStarted: true,
  });
}

/** The time of a run: what has passed on both of its clocks. */
export function timeOfRun(clock: Clock): () => number {
  let nowMs = 0;
  let [monotonicMs, wallMs] = [clock.monotonicMs(), clock.now()];
  return () => {
    const last = { monotonicMs, wallMs };
    [monotonicMs, wallMs] = [clock.monotonicMs(), clock.now()];
    nowMs = later(nowMs, monotonicMs - last.monotonicMs, wallMs - last.wallMs);
    return nowMs;
  };
}

/**
 * Carries the requests of sections out in one store, and gives them its replies. Decides nothing.
 */
export class Requests {
  readonly #init: RequestsInit;
  /**
   * When each claim was first seen, by its number and token. On the monotonic clock: a wall clock
   * that is set makes no other run end.
   */
  readonly #seen = new Map<string, number>();
  #hasWarned = false;
  #lastRead: Snapshot | undefined;

  constructor(init: RequestsInit) {
    this.#init = init;
  }

  /**
   * What the store answers, and what broke on the way, is a reply. `signal` is used instead of the
   * run's own: for the last write after a cancellation.
   */
  async reply(request: Request, signal?: AbortSignal): Promise<Reply> {
    const { store, signal: own } = this.#init;
    const sentMs = this.#init.nowMs();
    try {
      if ((signal ?? own).aborted) throw cancelled((signal ?? own).reason);
      const reply = await this.#send(request, signal);
      const nowMs = this.#init.nowMs();
      if (reply.kind !== 'written' || nowMs - sentMs <= FRESH_MS)
        return { ...reply, sentMs, nowMs };
      // Another run may have followed meanwhile: what is there now decides.
      return { kind: 'unknown', error: tooLate(store.names.destination), sentMs, nowMs };
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      const times = { sentMs, nowMs: this.#init.nowMs() };
      const isStale =
        error.code === 'conflict' && !error.mayHaveStarted && store.can.guard !== 'claims';
      if (isStale) return { kind: 'stale', ...times };
      return { kind: error.mayHaveStarted ? 'unknown' : 'refused', error, ...times };
    }
  }

  async #send(request: Request, signal: AbortSignal | undefined): Promise<WithoutTime<Reply>> {
    switch (request.kind) {
      case 'read':
        return { kind: 'reading', reading: await this.#read(signal) };
      case 'claim':
        return this.#claim(request.number, request.announcement, signal);
      case 'read-claim':
        return { kind: 'claim', claim: await this.#readClaim(request.number, signal) };
      case 'list-claims':
        return this.#listClaims(request.above, signal);
      case 'await-claim':
        return {
          kind: 'claim',
          claim: await this.#awaitClaim(request.number, request.claim, signal),
        };
      case 'remove-claims':
        return this.#removeClaims(request.numbers, signal);
      case 'write-link': {
        const state = request.record && this.#textOf(request.record);
        return this.#write({ link: request.link, state }, request.seen, signal);
      }
      case 'write-state':
        return this.#write({ state: this.#textOf(request.record) }, request.seen, signal);
      case 'pause':
        await this.#init.clock.sleep(CLAIM_POLL_MS, signal ?? this.#init.signal);
        return { kind: 'done' };
      case 'wait':
        return this.#wait(request.error, request.attempt, signal);
      case 'start':
        throw new Error('The platform is asked by the caller.');
    }
  }

  async #read(signal?: AbortSignal): Promise<Reading> {
    const { store, onUnreadable } = this.#init;
    const sentMs = this.#init.nowMs();
    const snapshot = await store.read(undefined, undefined, signal);
    if (snapshot.stateError !== undefined) onUnreadable(snapshot.stateError);
    this.#lastRead = snapshot;
    return {
      found: this.#found(snapshot),
      sentMs,
      arrivedMs: this.#init.nowMs(),
      handle: snapshot,
    };
  }

  #found(snapshot: Snapshot) {
    const { store, binding } = this.#init;
    return foundIn({ binding: binding(), snapshot, shows: store.can.shows });
  }

  /** Nothing is written over a reading that is too old: what was decided on it counts no more. */
  async #write(
    change: StoreChange,
    seen: Reading,
    signal: AbortSignal | undefined,
  ): Promise<WithoutTime<Reply>> {
    const { store, onLink } = this.#init;
    if (isTooOld(seen, this.#init.nowMs())) return { kind: 'stale' };
    const snapshot = await store.write(change, seen.handle, signal);
    if (change.link !== undefined) onLink(seen.handle, snapshot);
    const reading = {
      ...seen,
      found: this.#found(snapshot),
      arrivedMs: this.#init.nowMs(),
      handle: snapshot,
    };
    return { kind: 'written', reading };
  }

  async #claim(
    number: number,
    announcement: Announcement,
    signal: AbortSignal | undefined,
  ): Promise<WithoutTime<Reply>> {
    const { store, binding } = this.#init;
    const isMade = await store.claims?.create(
      number,
      writeClaim(binding(), number, announcement),
      signal,
    );
    return { kind: isMade === true ? 'done' : 'exists' };
  }

  /** undefined: there is none. */
  async #readClaim(number: number, signal?: AbortSignal): Promise<Announcement | undefined> {
    const { store, binding } = this.#init;
    const stored = await store.claims?.read(number, signal);
    if (stored === undefined) return undefined;
    const { text, writtenAtMs } = stored;
    const claim = readClaim(binding(), number, text) ?? UNSIGNED;
    // The clock of the store is the same for all runs.
    const at = writtenAtMs === undefined ? claim.at : new Date(writtenAtMs).toISOString();
    const found = claim === UNSIGNED ? UNSIGNED : { ...claim, at };
    this.#firstSeenMs(number, found);
    return found;
  }

  /**
   * A claim is as old as this run knows it. All texts without a signature have one age: together
   * they cost one wait.
   */
  #firstSeenMs(number: number, { token }: Announcement): number {
    const key = token === UNSIGNED.token ? token : `${number} ${token}`;
    const seenMs = this.#seen.get(key) ?? this.#init.clock.monotonicMs();
    this.#seen.set(key, seenMs);
    return seenMs;
  }

  async #listClaims(above: number, signal?: AbortSignal): Promise<Claims> {
    const numbers = (await this.#init.store.claims?.list(above, signal)) ?? [];
    const found: NumberedClaim[] = [];
    for (const number of numbers) {
      const claim = await this.#readClaim(number, signal);
      if (claim !== undefined) found.push({ number, claim });
    }
    const claims = found.filter(({ claim }) => claim !== UNSIGNED);
    const unsigned = found.filter(({ claim }) => claim === UNSIGNED).map(({ number }) => number);
    return { kind: 'claims', claims, unsigned };
  }

  /**
   * Waits until the run of the claim has written the state, or until the claim has stayed the same
   * for so long that its run writes no more. Gives the claim that is there then; undefined: another
   * run has completed.
   */
  async #awaitClaim(
    number: number,
    claim: Announcement,
    own?: AbortSignal,
  ): Promise<Announcement | undefined> {
    const { clock, signal } = this.#init;
    const sinceMs = this.#firstSeenMs(number, claim);
    const endMs = sinceMs + CLAIM_OVER_MS;
    let toldMs = Number.NEGATIVE_INFINITY;
    // Those of runs that have ended as well are over at the same time.
    if (clock.monotonicMs() < endMs) await this.#listClaims(number, own);
    while (clock.monotonicMs() < endMs) {
      const nowMs = clock.monotonicMs();
      if (nowMs - toldMs >= TELL_EVERY_MS) {
        this.#showWait(claim, nowMs - sinceMs, endMs - nowMs);
        toldMs = nowMs;
      }
      await clock.sleep(Math.min(CLAIM_POLL_MS, endMs - nowMs), own ?? signal);
      if (numberOf(this.#found(await this.#look(own))) >= number) return undefined;
    }
    return this.#readClaim(number, own);
  }

  /** Only the state. */
  async #look(own?: AbortSignal): Promise<Snapshot> {
    const { store } = this.#init;
    return store.read(this.#lastRead, 'state', own);
  }

  #showWait(claim: Announcement, waitedMs: number, leftMs: number): void {
    const { log, store, clock } = this.#init;
    const { destination } = store.names;
    const until = timeOfDay(clock.now() + leftMs);
    if (this.#hasWarned) {
      const whose = claim === UNSIGNED ? 'a text that is not a claim' : `run ${claim.run}`;
      log.info(
        `Still waiting for ${whose} at ${destination}, for ${formatDuration(waitedMs)}, until ${until} at the latest.`,
      );
      return;
    }
    this.#hasWarned = true;
    const why =
      claim === UNSIGNED
        ? `A text in the place of a claim on ${destination} has no valid signature, such as one from before the admin key was replaced: its run may be at work, or ended long ago`
        : `Another run (${claim.run}) is writing ${destination} since ${timeOfDay(Date.parse(claim.at))}, or ended while it did`;
    log.warning(
      `${why}. Waiting until ${until} at the latest. Let only one run at a time write a destination: use a concurrency group.`,
    );
  }

  /** Before something is tried again; refused: that does not help. */
  async #wait(
    error: CourierError,
    attempt: number,
    own: AbortSignal | undefined,
  ): Promise<WithoutTime<Reply>> {
    const { clock, log, signal, givesUp } = this.#init;
    const waitMs = givesUp(error) ? undefined : retryWaitMs(error, attempt, Math.random);
    if (waitMs === undefined) return { kind: 'refused', error };
    log.info(`${error.message} Trying again in ${formatDuration(Math.max(waitMs, 1))}.`);
    await clock.sleep(waitMs, own ?? signal);
    return { kind: 'done' };
  }

  /** Best effort: a claim that stays says nothing that is wrong. */
  async #removeClaims(
    numbers: readonly number[],
    signal?: AbortSignal,
  ): Promise<WithoutTime<Reply>> {
    const { store, log } = this.#init;
    for (const number of numbers) {
      try {
        await store.claims?.remove(number, signal);
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

function timeOfDay(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 19)} UTC`;
}
