import type { CourierError } from '../../../errors.ts';
import type { Announcement, StateRecord } from '../state.ts';
import { FRESH_MS, MAY_ARRIVE_MS } from './limits.ts';
import { explains, type Found, resolve, type Situation } from './situation.ts';
import {
  busy,
  claimsIn,
  hasLink,
  Interruption,
  listClaims,
  MAX_ROUNDS,
  type NumberedClaim,
  numberOf,
  type Plan,
  type Reading,
  type Reply,
  readAfter,
  readSince,
  type SectionEnd,
  type SectionInit,
  type Steps,
  UNSIGNED,
  uncertain,
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

/** The number of the next claim, and the claims of runs that ended in their section. */
interface Entering {
  readonly number: number;
  /** Oldest first. */
  readonly passed: readonly NumberedClaim[];
}

/** The claim under which this section writes. */
interface OwnClaim extends Entering {
  /** What was read after it was made. */
  readonly reading: Reading;
  /** Before it was sent. */
  readonly sentMs: number;
}

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
  #last: Reading;
  /**
   * After the last claim of this section. That counts like one of a run that ended: it is not used
   * again, even if a state with a lower number is back.
   */
  #next: Entering = { number: 0, passed: [] };
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
  /** Instead of the reply to the last write. */
  #lost: Interruption | undefined;
  /** Whose reply was lost, and which do not show. */
  #lostClaims = 0;
  /**
   * When the claim with a number was first sent: a copy of that request may have made it, and other
   * runs may wait for it since.
   */
  readonly #claimsSentMs = new Map<number, number>();

  constructor(init: SectionInit) {
    this.#init = init;
    this.#last = init.last;
    this.#highest = numberOf(init.last.found);
  }

  *run(): Steps<SectionEnd> {
    const end = yield* this.#end();
    return this.#isLinkUncertain ? uncertain(end) : end;
  }

  *#end(): Steps<SectionEnd> {
    try {
      return yield* this.#rounds();
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      const isCancelled = error.error.code === 'cancelled';
      if (isCancelled && this.#unused !== undefined)
        yield { kind: 'remove-claims', numbers: [this.#unused] };
      const { at } = error;
      return { kind: 'failed', error: error.error, at, linkWritten: this.#linkWritten };
    }
  }

  *#rounds(): Steps<SectionEnd> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const own = yield* this.#enter();
      if (own === undefined) break;
      this.#last = own.reading;
      this.#next = passed(own, [{ number: own.number, claim: this.#init.announcement }]);
      const higher = yield* this.#claimsAbove(own, round === 1 ? this.#init.claims : []);
      if (higher.length > 0) {
        this.#next = passed(this.#next, yield* this.#awaitAll(higher));
        continue;
      }
      const end = yield* this.#decide(own);
      if (end !== 'again') return end;
    }
    if (this.#lost !== undefined) throw this.#lost;
    return busy(this.#last);
  }

  *#decide(own: OwnClaim): Steps<SectionEnd | 'again'> {
    const { reading } = own;
    const situation = resolve(reading.found, this.#overIn(own));
    // The write whose reply was lost has arrived after all.
    if (this.#hasSentState && reading.found.record?.writer === this.#init.token)
      return this.#done(yield* this.#leave(own, situation));
    // Nothing is written: the claims above that state say whose link is there.
    if (!this.#hasSentState && numberOf(reading.found) < this.#highest)
      return { kind: 'stopped', why: 'put-back', reading, record: situation.record };
    const plan = this.#init.plan(situation, reading);
    switch (plan.kind) {
      case 'stop': {
        const left = yield* this.#leave(own, situation);
        return { kind: 'stopped', why: plan.why, reading: left, record: situation.record };
      }
      case 'note':
        return yield* this.#confirm(own, reading, plan.record);
      case 'start': {
        this.#unused = undefined;
        const { nowMs } = yield { kind: 'start' };
        return isOld(own, nowMs) ? 'again' : yield* this.#decide(own);
      }
      case 'place':
        return yield* this.#place(own, plan, situation);
    }
  }

  /**
   * The announcements of runs that ended. Its own says something only once its link was sent: then
   * the link has its own date.
   */
  #overIn({ passed, reading }: OwnClaim): readonly Announcement[] {
    const others = claimsIn(passed).filter((one) => one.token !== this.#init.token);
    if (!this.#linkWritten && !this.#isLinkUncertain) return others;
    return [...others, datedAs(this.#init.announcement, reading.found)];
  }

  *#place(
    own: OwnClaim,
    plan: Extract<Plan, { readonly kind: 'place' }>,
    situation: Situation,
  ): Steps<SectionEnd | 'again'> {
    const put = yield* this.#putLink(own, plan.link, situation);
    if (put === 'again') return 'again';
    this.#linkWritten = true;
    const record = plan.confirmed(put.found.link);
    const unanswered = (record.unanswered ?? []).filter((one) => one.token !== this.#init.token);
    // Its own date, by the clock of the store: that of this run may be wrong.
    if (this.#isLinkUncertain) unanswered.push(datedAs(this.#init.announcement, put.found));
    // Now the state has to know only of links that may still arrive, and of starts.
    return yield* this.#confirm(own, put, { ...record, unanswered });
  }

  /** Writes the link, again if what the store shows does not say that it is there. */
  *#putLink(own: OwnClaim, link: string, situation: Situation): Steps<Reading | 'again'> {
    let seen = own.reading;
    for (let attempt = 1; ; attempt += 1) {
      if (isOld(own, seen.arrivedMs)) return 'again';
      this.#unused = undefined;
      const reply = yield { kind: 'write-link', seen, link };
      if (reply.kind === 'written') return reply.reading;
      if (reply.kind === 'stale') return 'again';
      if (reply.kind === 'refused') return yield* this.#refused(own, situation, reply);
      this.#isLinkUncertain = true;
      const now = yield* readAfter(reply, 'write-link');
      if (hasLink(seen.found, now.found, this.#init.announcement.link)) return now;
      const failed = new Interruption(reply, 'write-link');
      if (attempt >= triesAfter(failed.error)) throw failed;
      this.#lost = failed;
      seen = now;
    }
  }

  /** The link was not written: the section is left as if nothing had been sent. */
  *#refused(own: OwnClaim, situation: Situation, reply: Reply): Steps<never> {
    if (!this.#isLinkUncertain) yield* this.#leave(own, situation);
    throw new Interruption(reply, 'write-link');
  }

  /**
   * Writes the state, which ends the section, and removes the claims that nothing needs any more.
   */
  *#confirm(own: OwnClaim, seen: Reading, record: StateRecord): Steps<SectionEnd | 'again'> {
    const written = yield* this.#writeState(own, seen, record);
    if (written === 'again') return 'again';
    return this.#done(written);
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
    if (reply.kind !== 'written') {
      this.#lost = new Interruption(reply, 'write-state');
      if (reply.kind === 'refused') throw this.#lost;
      // It may still arrive, and another run may then begin: nothing is written before the next
      // claim is made.
      return 'again';
    }
    if (removed.length > 0) yield { kind: 'remove-claims', numbers: removed };
    return reply.reading;
  }

  /** Links of other runs that may still arrive. */
  #mayArrive(record: StateRecord, { found }: Reading): readonly Announcement[] {
    // A link that was just written has the time of the store: the clock of this run may be wrong.
    const nowMs = (this.#linkWritten ? dateOf(found) : undefined) ?? this.#init.wallMs;
    const others = (record.unanswered ?? []).filter(
      (one) => one.job !== undefined && one.token !== this.#init.token,
    );
    return others.filter((one) => nowMs - Date.parse(one.at) <= MAY_ARRIVE_MS);
  }

  /** Ends a section that changes nothing: its number is used up. Gives what is there then. */
  *#leave(own: OwnClaim, { kind, record }: Situation): Steps<Reading> {
    // What is not ours is never written. The next run waits until this claim is over.
    if (kind === 'foreign' || kind === 'unreadable' || kind === 'bad-signature') return own.reading;
    const left = yield* this.#writeState(own, own.reading, record);
    if (left === 'again') return own.reading;
    return left;
  }

  /**
   * Young ones stay, and that of the link in place: it says whose it is, should an earlier state
   * come back.
   */
  #claimsAfter(own: OwnClaim, record: StateRecord) {
    const { wallMs } = this.#init;
    const at = new Date(wallMs).toISOString();
    const all = [...(record.claims ?? [])];
    for (const { number } of own.passed) all.push({ number, at });
    all.push({ number: own.number, at, link: this.#linkWritten || undefined });
    const last = all.findLast((one) => one.link === true);
    const others = all.filter((one) => one !== last);
    const [oldest] = others;
    const isOld = oldest !== undefined && wallMs - Date.parse(oldest.at) > MAY_ARRIVE_MS;
    // One for each that is made, so that each section costs the same; more if many runs have left
    // some.
    const removed = others.slice(0, Math.max(Number(isOld), all.length - MOST_CLAIMS));
    const kept = all.filter((one) => !removed.includes(one));
    return { kept, removed: removed.map((one) => one.number) };
  }

  #done(reading: Reading): SectionEnd {
    const mayArrive = this.#mayArrive(reading.found.record ?? reading.found.empty, reading);
    return { kind: 'done', reading, linkWritten: this.#linkWritten, mayArrive };
  }

  /**
   * Claims that are higher than that of this section: the state is an earlier one, which arrived
   * late or was put back.
   */
  *#claimsAbove(own: OwnClaim, known: readonly NumberedClaim[]): Steps<readonly NumberedClaim[]> {
    const { found } = own.reading;
    const higher = known.filter((one) => one.number > own.number);
    if (higher.length > 0 || explains(found) || own.passed.length > 0) return higher;
    const { claims, unsigned } = yield* listClaims(own.number);
    // The key was replaced: a run with the former one may be at work.
    const last = found.state === 'bad-signature' ? unsigned.at(-1) : undefined;
    if (last !== undefined) yield* this.#isOver(last, UNSIGNED);
    return claims;
  }

  /** Waits for each of these claims; gives those that did not change, up to the first that did. */
  *#awaitAll(claims: readonly NumberedClaim[]): Steps<readonly NumberedClaim[]> {
    const over: NumberedClaim[] = [];
    for (const one of claims) {
      if (!(yield* this.#isOver(one.number, one.claim))) break;
      over.push(one);
    }
    return over;
  }

  /** Waits for a claim. True: it did not change, so that its run writes no more. */
  *#isOver(number: number, claim: Announcement): Steps<boolean> {
    if (this.#init.ownTokens.has(claim.token)) return true;
    const reply = yield { kind: 'await-claim', number, claim };
    if (reply.kind !== 'claim') throw new Interruption(reply, 'await-claim');
    return reply.claim?.token === claim.token;
  }

  /**
   * Makes the next claim, and reads again. A claim that exists belongs to another run: it is waited
   * for, or it is over and a higher one is made. undefined: other runs were always faster.
   */
  *#enter(): Steps<OwnClaim | undefined> {
    let reading = this.#last;
    let entering = this.#nextAfter(reading.found);
    for (let met = 0; met <= MAX_CLAIMS; met += 1) {
      const { number } = entering;
      const before = resolve(reading.found, claimsIn(entering.passed));
      const holder = yield* this.#claim(number, before.record);
      const isHeld = holder?.token === this.#init.token;
      const base = numberOf(reading.found);
      reading = yield* readSince(base);
      const now = numberOf(reading.found);
      this.#highest = Math.max(this.#highest, now);
      if (now !== base) {
        // Other runs have completed, and their numbers are used up.
        if (isHeld && number <= now) yield { kind: 'remove-claims', numbers: [number] };
        entering = this.#nextAfter(reading.found);
      } else if (isHeld) {
        const sentMs = this.#claimsSentMs.get(number) ?? reading.sentMs;
        return { ...entering, reading, sentMs };
      } else if (holder !== undefined) {
        entering = yield* this.#afterHolder(entering, holder);
      }
    }
    return undefined;
  }

  /** The next claim to make over this state. */
  #nextAfter(found: Found): Entering {
    const number = numberOf(found) + 1;
    return this.#next.number > number ? this.#next : { number, passed: [] };
  }

  /**
   * Waits for the run of a claim. What it has written is read again before the same number is tried
   * once more.
   */
  *#afterHolder(entering: Entering, claim: Announcement): Steps<Entering> {
    const { number } = entering;
    if (!(yield* this.#isOver(number, claim))) return entering;
    if (claim === UNSIGNED) return yield* this.#afterUnsigned(entering);
    return passed(entering, [{ number, claim }]);
  }

  /**
   * Texts that are not signed with this key are stepped over, all of them together: they decide
   * nothing, and stay.
   */
  *#afterUnsigned(entering: Entering): Steps<Entering> {
    const { unsigned } = yield* listClaims(entering.number);
    const taken = new Set(unsigned);
    let number = entering.number + 1;
    while (taken.has(number)) number += 1;
    return { ...entering, number };
  }

  /** Gives whose claim exists then; undefined: none does. */
  *#claim(number: number, record: StateRecord): Steps<Announcement | undefined> {
    const announcement = { ...this.#init.announcement };
    if (this.#init.order !== undefined) announcement.order = this.#init.order(record);
    const created = yield { kind: 'claim', number, announcement };
    if (!this.#claimsSentMs.has(number)) this.#claimsSentMs.set(number, created.sentMs);
    if (created.kind === 'done') {
      this.#unused = number;
      return announcement;
    }
    if (created.kind === 'refused') throw new Interruption(created, 'claim');
    // It exists, or the reply was lost: whose it is decides.
    const looked = yield { kind: 'read-claim', number };
    if (looked.kind !== 'claim') throw new Interruption(looked, 'read-claim');
    if (looked.claim !== undefined) return looked.claim;
    // One that exists and cannot be read yet, or was removed just now.
    if (created.kind !== 'unknown') return UNSIGNED;
    this.#lostClaims += 1;
    if (this.#lostClaims === MAX_ROUNDS) throw new Interruption(created, 'claim');
    return undefined;
  }
}

/** After these claims, whose runs have ended. */
function passed(before: Entering, claims: readonly NumberedClaim[]): Entering {
  const number = Math.max(before.number, ...claims.map((one) => one.number + 1));
  return { number, passed: [...before.passed, ...claims] };
}

/** When the link was written, by the clock of the store, in stores that show only that. */
function dateOf({ link }: Found): number | undefined {
  return link?.mark === undefined ? link?.at : undefined;
}

function datedAs(announcement: Announcement, found: Found): Announcement {
  const ms = dateOf(found);
  if (ms === undefined) return announcement;
  return { ...announcement, at: new Date(ms).toISOString() };
}

/** How often a link is sent, if this is what became of it. */
function triesAfter({ code }: CourierError): number {
  if (code === 'cancelled') return 1;
  if (code === 'integrity') return MAX_UNSHOWN;
  return MAX_ROUNDS;
}

/** True once no write may be sent any more under this claim. */
function isOld({ reading, sentMs }: OwnClaim, nowMs: number): boolean {
  return nowMs - reading.sentMs > FRESH_MS || nowMs - sentMs > FRESH_MS;
}
