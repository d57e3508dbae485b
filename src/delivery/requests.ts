import { type Clock, cancelled } from '../ground/clock.ts';
import { CourierError } from '../ground/errors.ts';
import { formatDuration } from '../ground/text/amounts.ts';
import { retryWaitMs } from '../http/retries.ts';
import type { BundleLink } from '../platform/link.ts';
import type { Context } from '../run/context.ts';
import type { Claims, LinkStore, Snapshot, StoreChange } from '../stores/port.ts';
import { foundIn } from './found.ts';
import { cutState } from './history.ts';
import { CLAIM_OVER_MS, FRESH_MS } from './protocol/limits.ts';
import type { Found } from './protocol/situation.ts';
import {
  type Answer,
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

// The state is the signed text next to a link. A run writes both in a section, in which no other
// run writes: it creates a claim first, a signed text with the next number, and ends the section
// with a state of that number. The rules of a section are in `protocol`; here its requests are
// sent.

interface RequestsInit extends Pick<Context, 'log' | 'clock' | 'signal'> {
  readonly store: LinkStore;
  /** Known once the store is open. */
  readonly binding: () => StateBinding;
  /** The time of the run: see `timeOfRun`. */
  readonly nowMs: () => number;
  /** Called when the link was written. */
  readonly onLink: (before: Snapshot, after: Snapshot) => void;
  /** Lets the run continue without the state after this error; false: it cannot. */
  readonly continueWithoutState: (error: CourierError) => boolean;
}

/** Makes a fresh link of an export job. */
export type LinkOf = (jobId: string) => Promise<BundleLink>;

/** How often a run that waits looks again. */
const CLAIM_POLL_MS = 3000;
const SHOW_EVERY_MS = 15_000;

/**
 * Gives the time of a run, in milliseconds since this call: of the monotonic clock and the wall
 * clock, the one that went further counts, in each step. A suspended machine stops the first, and a
 * person may set the second back.
 */
export function timeOfRun(clock: Clock): () => number {
  let nowMs = 0;
  let monotonicMs = clock.monotonicMs();
  let wallMs = clock.now();
  return () => {
    const lastMonotonicMs = monotonicMs;
    const lastWallMs = wallMs;
    monotonicMs = clock.monotonicMs();
    wallMs = clock.now();
    nowMs = later(nowMs, monotonicMs - lastMonotonicMs, wallMs - lastWallMs);
    return nowMs;
  };
}

/** The answer that a failed request stands for. */
function answerFor(error: unknown): Answer {
  if (!(error instanceof CourierError)) throw error;
  return { kind: error.mayHaveActed ? 'unknown' : 'refused', error };
}

/**
 * Carries the requests of sections out in one store, and gives the sections its replies. Decides
 * nothing.
 */
export class Requests {
  readonly #init: RequestsInit;
  readonly #store: LinkStore;
  readonly #clock: Clock;
  /**
   * When each claim was first seen, by its number and token. On the monotonic clock: if a person
   * sets the wall clock, no other run must seem to have ended.
   */
  readonly #seenMs = new Map<string, number>();
  /** The signal of the current request, instead of that of the run: there is one at a time. */
  #signal: AbortSignal | undefined;
  #hasWarned = false;
  #lastRead: Snapshot | undefined;
  /** Asks the platform for a link; undefined: the caller gives no way to do so. */
  linkOf: LinkOf | undefined;

  constructor(init: RequestsInit) {
    this.#init = init;
    this.#store = init.store;
    this.#clock = init.clock;
  }

  /**
   * Sends a request, and gives what the store answered; a failure is a reply, too. `signal`
   * replaces that of the run, for the last write after a cancellation.
   */
  async reply(request: Request, signal?: AbortSignal): Promise<Reply> {
    this.#signal = signal;
    const reply = await this.replyTo(() => this.#send(request));
    const { sentMs, nowMs } = reply;
    // Another run may have written since: what is there now decides, as after a lost reply.
    if (reply.kind === 'written' && isTooOld(reply, nowMs)) {
      const { destination } = this.#store.names;
      const message = `The reply to a write of ${destination} took longer than ${formatDuration(FRESH_MS)}.`;
      const error = new CourierError({ code: 'network', message, mayHaveActed: true });
      return { kind: 'unknown', error, sentMs, nowMs };
    }
    const isConflict = reply.kind === 'refused' && reply.error.code === 'conflict';
    // Everything is decided again. With claims no other run writes, so a conflict is a failure.
    if (isConflict && this.#store.can.guard !== 'claims') return { kind: 'stale', sentMs, nowMs };
    return reply;
  }

  /** The answer to a request, with its times. A failure of the request is an answer, too. */
  async replyTo(send: () => Promise<Answer>): Promise<Reply> {
    const sentMs = this.#init.nowMs();
    const answer = await send().catch(answerFor);
    return { ...answer, sentMs, nowMs: this.#init.nowMs() };
  }

  /** Does in the store what a section asks for. Throws the failure. */
  async #send(request: Request): Promise<Answer> {
    const used = this.#signal ?? this.#init.signal;
    if (used.aborted) throw cancelled(used.reason);
    switch (request.kind) {
      case 'read':
        return { kind: 'reading', reading: await this.#read(request.seen) };
      case 'claim': {
        const text = writeClaim(this.#init.binding(), request.number, request.claim);
        const isMade = await this.#claims.create(request.number, text, this.#signal);
        return { kind: isMade ? 'done' : 'exists' };
      }
      case 'read-claim':
        return { kind: 'claim', claim: await this.#findClaim(request.number) };
      case 'list-claims':
        return this.#listClaims(request.above);
      case 'await-claim':
        return { kind: 'claim', claim: await this.#awaitClaim(request) };
      case 'remove-claims':
        await this.#removeClaims(request.numbers);
        return { kind: 'done' };
      case 'write-link': {
        // Only a store with versions takes link and state at once: else there is no record.
        const state = request.record && this.#textOf(request.record);
        return this.#write({ link: request.link, state }, request.seen);
      }
      case 'write-state':
        return this.#write({ state: this.#textOf(request.record) }, request.seen);
      case 'pause':
        await this.#sleep(CLAIM_POLL_MS);
        return { kind: 'done' };
      case 'wait':
        return this.#wait(request.error, request.attempt);
      case 'make-link':
        return this.#makeLink(request.job);
      case 'start':
        throw new Error('The platform is asked by the caller.');
    }
  }

  async #makeLink(job: string): Promise<Answer> {
    // The section then ends without it.
    if (this.linkOf === undefined) return { kind: 'stale' };
    const { url, expiresAt } = await this.linkOf(job);
    return { kind: 'link', link: url, expiresAt: expiresAt?.toISOString() };
  }

  /** The claims of the store. Only sections of stores with claims ask for them. */
  get #claims(): Claims {
    const { claims } = this.#store;
    if (claims === undefined) throw new Error('This store has no claims.');
    return claims;
  }

  /**
   * Reads link and state, or with `seen` the state only. Throws if the run cannot continue without
   * the state.
   */
  async #read(seen: Reading | undefined): Promise<Reading> {
    const sentMs = this.#init.nowMs();
    const handle = await this.#store.read(seen?.handle, this.#signal);
    if (handle.stateError !== undefined && !this.#init.continueWithoutState(handle.stateError))
      throw handle.stateError;
    this.#lastRead = handle;
    return { found: this.#found(handle), sentMs, handle };
  }

  /** What the store shows, with the signature of the state checked. */
  #found(snapshot: Snapshot): Found {
    return foundIn(this.#init.binding(), snapshot, this.#store.can.shows);
  }

  /**
   * Writes over what was read; `stale`, and nothing is written, if the reading is too old to decide
   * by, or if something else is there by now.
   */
  async #write(change: StoreChange, seen: Reading): Promise<Answer> {
    if (isTooOld(seen, this.#init.nowMs())) return { kind: 'stale' };
    // Other stores notice it themselves, or keep other runs out.
    const hasNoGuard = this.#store.can.guard === 'none';
    if (hasNoGuard && !(await this.#isStillThere(change, seen.handle))) return { kind: 'stale' };
    const handle = await this.#store.write(change, seen.handle, this.#signal);
    if (change.link !== undefined) this.#init.onLink(seen.handle, handle);
    // The age of a decision counts from the reading that it was made on, so its time is kept.
    const { sentMs } = seen;
    return { kind: 'written', reading: { found: this.#found(handle), sentMs, handle } };
  }

  /** True if the store still contains what was seen. Before a write of the state, that alone is read. */
  async #isStillThere(change: StoreChange, seen: Snapshot): Promise<boolean> {
    const isStateAlone = change.link === undefined;
    const now = await this.#store.read(isStateAlone ? seen : undefined, this.#signal);
    return now.state === seen.state && now.link?.digest === seen.link?.digest;
  }

  /** The claim with this number; undefined: there is none. */
  async #findClaim(number: number): Promise<Announcement | undefined> {
    const stored = await this.#claims.read(number, this.#signal);
    if (stored === undefined) return undefined;
    const claim = readClaim(this.#init.binding(), number, stored.text) ?? UNSIGNED;
    // Notes when it was first seen, if it was not seen before: `#awaitClaim` waits from then on.
    this.#firstSeenMs(number, claim);
    // The date of a text that is not a claim says nothing.
    if (claim === UNSIGNED || stored.writtenAtMs === undefined) return claim;
    // Dated by the clock of the store, which is the same for all runs.
    return { ...claim, at: new Date(stored.writtenAtMs).toISOString() };
  }

  /**
   * When this run first saw a claim: now, if it is new. All unsigned texts count as seen with the
   * first of them, so that a run waits for all of them together.
   */
  #firstSeenMs(number: number, { token }: Announcement): number {
    // The number belongs to it: the next claim of a run says nothing of when it made the last one.
    const key = token === UNSIGNED.token ? token : `${number} ${token}`;
    const seenMs = this.#seenMs.get(key) ?? this.#clock.monotonicMs();
    this.#seenMs.set(key, seenMs);
    return seenMs;
  }

  /** The claims with a higher number than `above`, and the numbers of unsigned texts there. */
  async #listClaims(above: number): Promise<Answer> {
    const claims: NumberedClaim[] = [];
    const unsigned: number[] = [];
    for (const number of await this.#claimNumbers(above)) {
      const claim = await this.#findClaim(number);
      // undefined: it was removed since it was listed.
      if (claim === UNSIGNED) unsigned.push(number);
      else if (claim !== undefined) claims.push({ number, claim });
    }
    return { kind: 'claims', claims, unsigned };
  }

  /** The numbers of the claims above `above`: none if the run continues without the state. */
  async #claimNumbers(above: number): Promise<readonly number[]> {
    try {
      return await this.#claims.list(above, this.#signal);
    } catch (error) {
      const mayContinue = error instanceof CourierError && this.#init.continueWithoutState(error);
      if (!mayContinue) throw error;
      return [];
    }
  }

  /**
   * Waits until the run of the claim has written the state, or until the claim has stayed the same
   * for so long that its run writes no more. Gives the claim that is there then; undefined: there
   * is none, or the state has reached its number.
   */
  async #awaitClaim({ number, claim }: NumberedClaim): Promise<Announcement | undefined> {
    const sinceMs = this.#firstSeenMs(number, claim);
    const endMs = sinceMs + CLAIM_OVER_MS;
    let nextShowMs = sinceMs;
    const leftMs = () => endMs - this.#clock.monotonicMs();
    // Notes now when the higher claims were first seen, so that their time passes in the same wait.
    if (leftMs() > 0) await this.#listClaims(number);
    while (leftMs() > 0) {
      const nowMs = this.#clock.monotonicMs();
      if (nowMs >= nextShowMs) {
        this.#showWait(claim, nowMs - sinceMs, endMs - nowMs);
        nextShowMs = nowMs + SHOW_EVERY_MS;
      }
      await this.#sleep(Math.min(CLAIM_POLL_MS, endMs - nowMs));
      // Only the state is read again.
      const now = await this.#store.read(this.#lastRead, this.#signal);
      if (numberOf(this.#found(now)) >= number) return undefined;
    }
    return this.#findClaim(number);
  }

  /** Says in the log for what this run waits: the first time as a warning. */
  #showWait(claim: Announcement, waitedMs: number, leftMs: number): void {
    const { destination } = this.#store.names;
    const until = timeOfDay(this.#clock.now() + leftMs);
    const isUnsigned = claim === UNSIGNED;
    if (this.#hasWarned) {
      const whose = isUnsigned ? 'a text that is not a claim' : `run ${claim.run}`;
      this.#init.log.info(
        `Still waiting for ${whose} at ${destination}, for ${formatDuration(waitedMs)}, until ${until} at the latest.`,
      );
      return;
    }
    this.#hasWarned = true;
    const why = isUnsigned
      ? `A text in the place of a claim on ${destination} has no valid signature, such as one from before the admin key was replaced: its run may be at work, or ended long ago`
      : `Another run (${claim.run}) is writing ${destination} since ${timeOfDay(Date.parse(claim.at))}, or ended while it did`;
    this.#init.log.warning(
      `${why}. Waiting until ${until} at the latest. Let only one run at a time write a destination: use a concurrency group.`,
    );
  }

  /** Waits before everything is tried again; refused: trying again does not help. */
  async #wait(error: CourierError, attempt: number): Promise<Answer> {
    // The right to the state is missing, which a wait does not change. The section ends with this
    // error, and the run continues without this state.
    if (this.#init.continueWithoutState(error)) return { kind: 'refused', error };
    const waitMs = retryWaitMs(error, attempt, Math.random);
    if (waitMs === undefined) return { kind: 'refused', error };
    this.#init.log.info(`${error.message} Trying again in ${formatDuration(waitMs)}.`);
    await this.#sleep(waitMs);
    return { kind: 'done' };
  }

  /** Removes claims as far as that works: a claim that stays does no harm. */
  async #removeClaims(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      try {
        await this.#claims.remove(number, this.#signal);
      } catch (error) {
        if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
        const claim = `A claim next to the ${this.#store.names.state}`;
        this.#init.log.info(`${claim} was not removed: ${error.message}`);
      }
    }
  }

  #sleep(ms: number): Promise<void> {
    return this.#clock.sleep(ms, this.#signal ?? this.#init.signal);
  }

  /** The text of the state, with as much of the history as the store has room for. */
  #textOf(record: StateRecord): string {
    const { maxStateBytes } = this.#store.can;
    const textOf = (state: StateRecord) => writeState(this.#init.binding(), state);
    if (maxStateBytes === undefined) return textOf(record);
    const fits = (state: StateRecord) => Buffer.byteLength(textOf(state)) <= maxStateBytes;
    return textOf(cutState(record, fits));
  }
}

function timeOfDay(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 19)} UTC`;
}
