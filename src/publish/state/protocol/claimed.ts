import type { CourierError } from '../../../errors.ts';
import type { Announcement, StateRecord } from '../state.ts';
import { FRESH_MS, MAY_ARRIVE_MS } from './limits.ts';
import { explains, type Found, resolve, type Situation } from './situation.ts';
import {
  errorOf,
  hasLink,
  Interruption,
  MAX_ROUNDS,
  type NumberedClaim,
  numberOf,
  type Plan,
  type Reading,
  type Reply,
  read,
  readAfter,
  readUntil,
  type SectionEnd,
  type SectionFailure,
  type SectionInit,
  type Steps,
  UNSIGNED,
  uncertain,
  type Writing,
} from './steps.ts';

/** How many claims of other runs a section waits for, or passes because their runs have ended. */
const MAX_CLAIMS = 40;
/**
 * Of many runs at once, these are enough: an older one would have to be on its way for several
 * sections.
 */
const MOST_CLAIMS = 4;
/** A link that the store accepts and does not show is sent once more. */
const MAX_UNSHOWN = 2;

/** The claim under which this section writes. */
interface OwnClaim {
  readonly number: number;
  /** What was read after it was made. */
  readonly reading: Reading;
  /** The announcements of runs that ended in their section, oldest first. */
  readonly over: readonly Announcement[];
  /** The numbers of their claims. */
  readonly former: readonly number[];
  /** Before it was sent. */
  readonly sentMs: number;
}

type Entering = Pick<OwnClaim, 'number' | 'over' | 'former'>;

/**
 * The section of a run in a store with claims. The run that creates the claim with the next number
 * is the only one that writes, until the state has that number. No number is used twice: a request
 * that arrives late meets nothing of another run.
 *
 * `again`: nothing may be written under this claim any more, and everything is decided again under
 * the next one.
 */
export class ClaimedSection {
  readonly #init: SectionInit;
  #plan: SectionInit['plan'];
  #last: Reading | undefined;
  #own: OwnClaim | undefined;
  /** The highest number of a state that this run has read. */
  #highest: number;
  /**
   * The claim that was made last, while nothing was sent under it: it is taken back if the run is
   * cancelled.
   */
  #unused: number | undefined;
  #linkWritten = false;
  /** The reply to a write of the link was lost: a copy of it may still arrive. */
  #isLinkUncertain = false;
  #hasSentState = false;
  /** Instead of the reply to the last write of the state. */
  #lost: Reply | undefined;
  /** Whose reply was lost, and which do not show. */
  #lostClaims = 0;
  /**
   * When the claim with a number was first sent: a copy of that request may have made it, and other
   * runs may wait for it since.
   */
  readonly #claimsSentMs = new Map<number, number>();

  constructor(init: SectionInit) {
    this.#init = init;
    this.#plan = init.plan;
    this.#last = init.last;
    this.#highest = numberOf(init.last?.found);
  }

  *run(): Steps<SectionEnd> {
    try {
      const end = yield* this.#rounds();
      const isDone = end.kind === 'done' || end.kind === 'failed';
      return isDone ? end : { ...end, isUncertain: this.#isLinkUncertain };
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      const isCancelled = error.error.code === 'cancelled';
      if (isCancelled && this.#unused !== undefined)
        yield { kind: 'remove-claims', numbers: [this.#unused] };
      return this.#failed(error.error, error.at);
    }
  }

  *#rounds(): Steps<SectionEnd> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const own = yield* this.#enter();
      if (own === undefined) break;
      this.#own = own;
      this.#last = own.reading;
      const higher = yield* this.#claimsAbove(own, round === 1 ? this.#init.claims : []);
      if (higher.length > 0) {
        this.#own = above(own, yield* this.#awaitAll(higher));
        continue;
      }
      const end = yield* this.#decide(own);
      if (end !== 'again') return end;
    }
    if (this.#lost !== undefined)
      throw new Interruption(this.#lost, this.#linkWritten ? 'write-state' : 'write-link');
    if (this.#last === undefined) throw new Error('A section begins with a reading.');
    return { kind: 'busy', reading: this.#last };
  }

  #failed(error: CourierError, at: SectionFailure['at']): SectionEnd {
    const end: SectionFailure = { kind: 'failed', error, at, linkWritten: this.#linkWritten };
    return this.#isLinkUncertain ? uncertain(end) : end;
  }

  *#decide(own: OwnClaim): Steps<SectionEnd | 'again'> {
    const { reading } = own;
    const situation = resolve(reading.found, this.#overIn(own));
    if (this.#hasSentState && reading.found.record?.writer === this.#init.token) {
      // The write whose reply was lost has arrived after all.
      return this.#done(yield* this.#leave(own, situation));
    }
    const isPutBack = !this.#hasSentState && numberOf(reading.found) < this.#highest;
    // Nothing is written: the claims above that state say whose link is there.
    if (isPutBack) return { kind: 'stopped', why: 'put-back', reading, situation };
    const planned = this.#plan(situation, reading);
    if (planned.kind === 'stop') {
      const left = yield* this.#leave(own, situation);
      return { kind: 'stopped', why: planned.why, reading: left, situation };
    }
    return yield* this.#carryOut(own, planned, situation);
  }

  /**
   * The announcements of runs that ended. Its own says something only once its link was sent: then
   * the link has its own date.
   */
  #overIn({ over, reading }: OwnClaim): readonly Announcement[] {
    const { announcement, token } = this.#init;
    const others = over.filter((one) => one.token !== token);
    if (!this.#linkWritten && !this.#isLinkUncertain) return others;
    return [...others, datedAs(announcement, reading.found)];
  }

  *#carryOut(own: OwnClaim, planned: Writing, situation: Situation): Steps<SectionEnd | 'again'> {
    if (planned.kind === 'start') {
      const record = yield* this.#start(own, planned, situation.record);
      return record === 'again' ? 'again' : yield* this.#confirm(own, own.reading, record);
    }
    if (!planned.link)
      return yield* this.#confirm(own, own.reading, planned.record(own.reading.found.link));
    const put = yield* this.#putLink(own);
    if (put === 'again') return 'again';
    if ('error' in put) {
      if (!this.#isLinkUncertain) yield* this.#leave(own, situation);
      return this.#failed(put.error, 'write-link');
    }
    this.#linkWritten = true;
    return yield* this.#confirm(own, put, this.#answered(planned.record(put.found.link), put));
  }

  /** The export is started once: another round only says what that led to. */
  *#start(
    own: OwnClaim,
    planned: Extract<Plan, { readonly kind: 'start' }>,
    base: StateRecord,
  ): Steps<StateRecord | 'again'> {
    this.#unused = undefined;
    const started = yield { kind: 'start' };
    this.#plan = ({ record }) => ({
      kind: 'write',
      link: false,
      announced: record,
      record: () => planned.after(record, started),
    });
    return isOld(own, started.nowMs) ? 'again' : planned.after(base, started);
  }

  /** Writes the link. If a reply is lost, what the store then shows says whether it is there. */
  *#putLink(own: OwnClaim): Steps<Reading | { readonly error: CourierError } | 'again'> {
    const { announcement, link = '' } = this.#init;
    let seen = own.reading;
    for (let attempt = 1; ; attempt += 1) {
      if (isOld(own, seen.arrivedMs)) return 'again';
      this.#unused = undefined;
      const reply = yield { kind: 'write-link', seen, link };
      if (reply.kind === 'written') return reply.reading;
      if (reply.kind === 'stale') return 'again';
      if (reply.kind === 'refused') return { error: reply.error };
      this.#isLinkUncertain = true;
      const now = yield* readAfter(reply, 'write-link');
      if (hasLink(seen.found, now.found, announcement)) return now;
      const error = errorOf(reply);
      if (attempt >= triesAfter(error)) return { error };
      this.#lost = reply;
      seen = now;
    }
  }

  /**
   * Now that the link is in place, the state has to know only of links that may still arrive, and
   * of starts.
   */
  #answered(record: StateRecord, { found }: Reading): StateRecord {
    const { announcement, token } = this.#init;
    const others = (record.unanswered ?? []).filter((one) => one.token !== token);
    // Its own date, by the clock of the store: that of this run may be wrong.
    const own = datedAs(announcement, found);
    return { ...record, unanswered: this.#isLinkUncertain ? [...others, own] : others };
  }

  /**
   * Writes the state, which ends the section, and removes the claims that nothing needs any more.
   */
  *#confirm(own: OwnClaim, seen: Reading, record: StateRecord): Steps<SectionEnd | 'again'> {
    const written = yield* this.#writeState(own, seen, record);
    return written === 'again' ? 'again' : this.#done(written);
  }

  *#writeState(own: OwnClaim, seen: Reading, record: StateRecord): Steps<Reading | 'again'> {
    if (isOld(own, seen.arrivedMs)) return 'again';
    this.#unused = undefined;
    const { kept, removed } = this.#claimsAfter(own, record);
    const isSettled = this.#mayArrive(record, seen).length === 0;
    const reply = yield {
      kind: 'write-state',
      seen,
      record: {
        ...record,
        claims: kept,
        // Until when the link works that may arrive is not known: the next refresh writes again.
        expiresAt: isSettled ? record.expiresAt : undefined,
        number: own.number,
        writer: this.#init.token,
      },
    };
    if (reply.kind === 'stale') return 'again';
    this.#hasSentState = true;
    if (reply.kind === 'refused') throw new Interruption(reply, 'write-state');
    if (reply.kind !== 'written') {
      this.#lost = reply;
      // It may still arrive, and another run may then begin: nothing is written before the next
      // claim is made.
      return 'again';
    }
    if (removed.length > 0) yield { kind: 'remove-claims', numbers: removed };
    return reply.reading;
  }

  /** Links of other runs that may still arrive. */
  #mayArrive({ unanswered = [] }: StateRecord, { found }: Reading): readonly Announcement[] {
    const { token, wallMs } = this.#init;
    // A link that was just written has the time of the store: the clock of this run may be wrong.
    const nowMs = (this.#linkWritten ? dateOf(found) : undefined) ?? wallMs;
    return unanswered.filter(
      (one) =>
        one.job !== undefined && one.token !== token && nowMs - Date.parse(one.at) <= MAY_ARRIVE_MS,
    );
  }

  /** Ends a section that changes nothing: its number is used up. Gives what is there then. */
  *#leave(own: OwnClaim, { kind, record }: Situation): Steps<Reading> {
    // What is not ours is never written. The next run waits until this claim is over.
    if (kind === 'foreign' || kind === 'unreadable' || kind === 'bad-signature') return own.reading;
    const left = yield* this.#writeState(own, own.reading, record);
    return left === 'again' ? own.reading : left;
  }

  /**
   * Young ones stay, and that of the link in place: it says whose it is, should an earlier state
   * come back.
   */
  #claimsAfter({ number, former }: OwnClaim, { claims = [] }: StateRecord) {
    const { wallMs } = this.#init;
    const at = new Date(wallMs).toISOString();
    const own = this.#linkWritten ? { number, at, link: true } : { number, at };
    const all = [...claims, ...former.map((one) => ({ number: one, at })), own];
    const last = all.findLast((one) => 'link' in one && one.link === true);
    const others = all.filter((one) => one !== last);
    const old = others.filter((one) => wallMs - Date.parse(one.at) > MAY_ARRIVE_MS);
    // One for each that is made, so that each section costs the same; more if many runs have left
    // some.
    const removed = new Set([
      ...old.slice(0, 1),
      ...others.slice(0, Math.max(0, all.length - MOST_CLAIMS)),
    ]);
    const kept = all.filter((one) => !removed.has(one));
    return { kept, removed: [...removed].map((one) => one.number) };
  }

  #done(reading: Reading): SectionEnd {
    const mayArrive = this.#mayArrive(reading.found.record ?? reading.found.empty, reading);
    return { kind: 'done', reading, linkWritten: this.#linkWritten, mayArrive };
  }

  /**
   * Claims that are higher than that of this section: the state is an earlier one, which arrived
   * late or was put back.
   */
  *#claimsAbove(
    { reading, over, number }: OwnClaim,
    known: readonly NumberedClaim[],
  ): Steps<readonly NumberedClaim[]> {
    const higher = known.filter((one) => one.number > number);
    if (higher.length > 0 || explains(reading.found) || over.length > 0) return higher;
    const { claims, unsigned } = yield* this.#list(number);
    // The key was replaced: a run with the former one may be at work.
    const last = reading.found.state === 'bad-signature' ? unsigned.at(-1) : undefined;
    if (last !== undefined) yield* this.#isOver({ number: last, claim: UNSIGNED });
    return claims;
  }

  *#list(above: number): Steps<Extract<Reply, { readonly kind: 'claims' }>> {
    const reply = yield { kind: 'list-claims', above };
    if (reply.kind !== 'claims') throw new Interruption(reply, 'list-claims');
    return reply;
  }

  /** Waits for each of these claims; gives those that did not change, up to the first that did. */
  *#awaitAll(claims: readonly NumberedClaim[]): Steps<readonly NumberedClaim[]> {
    const over: NumberedClaim[] = [];
    for (const one of claims) {
      if (!(yield* this.#isOver(one))) break;
      over.push(one);
    }
    return over;
  }

  /** Waits for a claim. True: it did not change, so that its run writes no more. */
  *#isOver({ number, claim }: NumberedClaim): Steps<boolean> {
    if (this.#init.isOver?.(claim) === true) return true;
    const reply = yield { kind: 'await-claim', number, claim };
    if (reply.kind !== 'claim') throw new Interruption(reply, 'await-claim');
    return reply.claim?.token === claim.token;
  }

  /**
   * Makes the next claim, and reads again. A claim that exists belongs to another run: it is waited
   * for, or it is over and a higher one is made. undefined: other runs were always faster.
   */
  *#enter(): Steps<OwnClaim | undefined> {
    let reading = this.#last ?? (yield* read());
    let entering = this.#next(reading.found);
    for (let met = 0; met <= MAX_CLAIMS; met += 1) {
      const { number, over, former } = entering;
      const holder = yield* this.#claim(number, resolve(reading.found, over));
      const isHeld = holder?.token === this.#init.token;
      const base = numberOf(reading.found);
      reading = yield* readUntil(({ found }) => numberOf(found) >= base);
      const now = numberOf(reading.found);
      this.#highest = Math.max(this.#highest, now);
      if (now !== base) {
        // Other runs have completed, and their numbers are used up.
        if (isHeld && number <= now) yield { kind: 'remove-claims', numbers: [number] };
        entering = this.#next(reading.found);
      } else if (isHeld) {
        return {
          number,
          reading,
          over,
          former,
          sentMs: this.#claimsSentMs.get(number) ?? reading.sentMs,
        };
      } else if (holder !== undefined) {
        entering = yield* this.#afterHolder(entering, holder);
      }
    }
    return undefined;
  }

  /**
   * Waits for the run of a claim. What it has written is read again before the same number is tried
   * once more.
   */
  *#afterHolder(entering: Entering, holder: Announcement): Steps<Entering> {
    if (!(yield* this.#isOver({ number: entering.number, claim: holder }))) return entering;
    return holder === UNSIGNED ? yield* this.#afterUnsigned(entering) : passed(entering, holder);
  }

  /**
   * Texts that are not signed with this key are stepped over, all of them together: they decide
   * nothing, and stay.
   */
  *#afterUnsigned(entering: Entering): Steps<Entering> {
    const { unsigned } = yield* this.#list(entering.number);
    const taken = new Set(unsigned);
    let number = entering.number + 1;
    while (taken.has(number)) number += 1;
    return { ...entering, number };
  }

  /**
   * The next claim to make. One of this section that became too old counts like that of a run that
   * ended: it is not used again, even if a state with a lower number is back.
   */
  #next(found: Found): Entering {
    const own = this.#own;
    const stored = numberOf(found);
    if (own === undefined || stored >= own.number)
      return { number: stored + 1, over: [], former: [] };
    return passed(own, this.#init.announcement);
  }

  /** Gives whose claim exists then; undefined: none does. */
  *#claim(number: number, { record }: Situation): Steps<Announcement | undefined> {
    const { order } = this.#init;
    const announcement = order
      ? { ...this.#init.announcement, order: order(record) }
      : this.#init.announcement;
    const created = yield { kind: 'claim', number, announcement };
    this.#claimsSentMs.set(number, this.#claimsSentMs.get(number) ?? created.sentMs);
    if (created.kind === 'done') {
      this.#unused = number;
      return announcement;
    }
    if (created.kind === 'refused') throw new Interruption(created, 'claim');
    // It exists, or the reply was lost: whose it is decides.
    const looked = yield { kind: 'read-claim', number };
    if (looked.kind !== 'claim') throw new Interruption(looked, 'read-claim');
    if (created.kind === 'unknown' && looked.claim === undefined) this.#lostClaims += 1;
    if (this.#lostClaims === MAX_ROUNDS) throw new Interruption(created, 'claim');
    // One that exists and cannot be read yet, or was removed just now.
    return looked.claim ?? (created.kind === 'exists' ? UNSIGNED : undefined);
  }
}

/** When the link was written, by the clock of the store, in stores that show only that. */
function dateOf({ link }: Found): number | undefined {
  return link?.mark === undefined ? link?.at : undefined;
}

function datedAs(announcement: Announcement, found: Found): Announcement {
  const ms = dateOf(found);
  return ms === undefined ? announcement : { ...announcement, at: new Date(ms).toISOString() };
}

/** How often a link is sent, if this is what became of it. */
function triesAfter({ code }: CourierError): number {
  if (code === 'cancelled') return 1;
  return code === 'integrity' ? MAX_UNSHOWN : MAX_ROUNDS;
}

/** The next number, after a claim whose run has ended. */
function passed({ number, over, former }: Entering, holder: Announcement): Entering {
  return { number: number + 1, over: [...over, holder], former: [...former, number] };
}

/** The section continues above these claims, whose runs have ended. */
function above(own: OwnClaim, over: readonly NumberedClaim[]): OwnClaim {
  const numbers = [own.number, ...over.map(({ number }) => number)];
  const number = Math.max(...numbers);
  const former = [...own.former, ...numbers.filter((one) => one < number)];
  return { ...own, number, over: [...own.over, ...over.map(({ claim }) => claim)], former };
}

/** True once no write may be sent any more under this claim. */
function isOld({ reading, sentMs }: OwnClaim, nowMs: number): boolean {
  return nowMs - reading.sentMs > FRESH_MS || nowMs - sentMs > FRESH_MS;
}
