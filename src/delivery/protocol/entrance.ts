import type { Announcement, StateRecord } from '../state.ts';
import { explainsLink, type Found, situationOf } from './situation.ts';
import {
  claimsIn,
  Interruption,
  listClaims,
  MAX_ROUNDS,
  type NumberedClaim,
  numberOf,
  type Reading,
  readSince,
  type SectionInit,
  type Steps,
  UNSIGNED,
} from './steps.ts';

// A claim is a signed text next to the state, with a number: the announcement of what its run is
// about to write. The store creates each only once.

/** A section gives up after it has met this many claims of other runs. */
const MAX_MET_CLAIMS = 40;

/** The claim that a section tries to make next, and the claims that it has passed. */
interface Entering {
  readonly number: number;
  /** The claims of runs that ended in their section, oldest first. */
  readonly passed: readonly NumberedClaim[];
}

/** The claim under which this section writes. */
export interface OwnClaim extends Entering {
  /** What was read after the claim was made; its age counts from the claim: see `under`. */
  readonly reading: Reading;
}

/** How one section makes its claims, and waits for those of other runs. */
export class Entrance {
  readonly #init: SectionInit;
  /** What was last read under a claim, or before the section began. */
  lastReading: Reading;
  /**
   * What to try after the last claim of this section. That claim counts like that of an ended run:
   * it is not used again, even if a state with a lower number came back.
   */
  #nextClaim: Entering = { number: 0, passed: [] };
  /** The highest number of a state that this run has read. */
  highestNumber: number;
  /** The claim of this round; undefined: it has made none. */
  madeClaim: Entering | undefined;
  /** How many requests for a claim got no reply and, when read back, had made no claim. */
  #lostClaims = 0;
  /**
   * When this section first asked for the claim with a number: a copy of that request may have made
   * the claim, and other runs may have waited for it since then.
   */
  readonly #claimsSentMs = new Map<number, number>();

  constructor(init: SectionInit) {
    this.#init = init;
    this.lastReading = init.last;
    this.highestNumber = numberOf(init.last.found);
  }

  /**
   * Claims with a higher number than that of this section: if there are any, the state is an
   * earlier one, which arrived late or was put back. They are listed only if the state does not
   * explain the link. `atStart`: those that the run has found when it began.
   */
  *claimsAbove(
    ownClaim: OwnClaim,
    atStart: readonly NumberedClaim[],
  ): Steps<readonly NumberedClaim[]> {
    const { found } = ownClaim.reading;
    const higher = atStart.filter((one) => one.number > ownClaim.number);
    // A claim that this section has passed may explain the link, too.
    if (higher.length > 0 || explainsLink(found) || ownClaim.passed.length > 0) return higher;
    const { claims, unsigned } = yield* listClaims(ownClaim.number);
    // The admin key was replaced, and a run with the former key may be writing. The time of all
    // unsigned texts passes in one wait, and however that ends, they say nothing.
    const number = found.state === 'bad-signature' ? unsigned.at(-1) : undefined;
    if (number !== undefined) yield* this.#awaitEnd({ number, claim: UNSIGNED });
    return claims;
  }

  /**
   * Waits for the runs of these claims, and passes those that ended, up to the first that did not.
   */
  *passAll(claims: readonly NumberedClaim[]): Steps<void> {
    for (const one of claims) {
      if (!(yield* this.#awaitEnd(one))) break;
      this.#nextClaim = pastClaim(this.#nextClaim, one);
    }
  }

  /**
   * Waits until the run of a claim writes no more. True at once for an earlier section of this run,
   * and true after the wait if the claim has stayed the same: the run ended in its section. False
   * if the claim changed or was removed, or its run has written the state: read again.
   */
  *#awaitEnd(numbered: NumberedClaim): Steps<boolean> {
    const { claim } = numbered;
    if (this.#init.ownTokens.has(claim.token)) return true;
    const reply = yield { kind: 'await-claim', ...numbered };
    if (reply.kind !== 'claim') throw new Interruption(reply, 'await-claim');
    return reply.claim?.token === claim.token;
  }

  /**
   * Makes the next claim, and reads again. If the claim exists already, waits for its run, and then
   * makes a higher claim if that run has ended. undefined: other runs were always faster.
   */
  *enter(): Steps<OwnClaim | undefined> {
    this.madeClaim = undefined;
    let reading = this.lastReading;
    let entering = this.#nextAfter(reading.found);
    for (let met = 0; met <= MAX_MET_CLAIMS; met += 1) {
      const { number } = entering;
      const { record } = situationOf(reading.found, claimsIn(entering.passed));
      const holder = yield* this.#createClaim(number, record);
      const isOwn = holder?.token === this.#init.token;
      if (isOwn) this.madeClaim = entering;
      const formerNumber = numberOf(reading.found);
      reading = yield* readSince(formerNumber);
      const stateNumber = numberOf(reading.found);
      this.highestNumber = Math.max(this.highestNumber, stateNumber);
      if (stateNumber !== formerNumber) {
        // Other runs have completed: the numbers up to that of the state are used up. A higher
        // claim of this run is found again under its number.
        this.madeClaim = undefined;
        if (isOwn && number <= stateNumber) yield { kind: 'remove-claims', numbers: [number] };
        entering = this.#nextAfter(reading.found);
      } else if (isOwn) {
        const claim = this.#init.announcement;
        this.#nextClaim = pastClaim(entering, { number, claim });
        const ownClaim = this.under(entering, reading);
        this.lastReading = ownClaim.reading;
        return ownClaim;
      } else if (holder !== undefined) {
        entering = yield* this.#awaitHolder(entering, holder);
      }
      // Without a holder, no claim was made: the same number is tried again.
    }
    return undefined;
  }

  /**
   * The claim with what was read under it. The age of that counts from the first request for the
   * claim: since then, another run may wait for it, and after some time writes itself.
   */
  under(entering: Entering, reading: Reading): OwnClaim {
    // `#createClaim` has noted when: the fallback is for the types alone.
    const sentMs = this.#claimsSentMs.get(entering.number) ?? reading.sentMs;
    return { ...entering, reading: { ...reading, sentMs } };
  }

  /** The next claim to make over this state, and the claims passed since it was written. */
  #nextAfter(found: Found): Entering {
    const number = numberOf(found) + 1;
    return this.#nextClaim.number > number ? this.#nextClaim : { number, passed: [] };
  }

  /**
   * Waits for the run that holds the claim, and gives what to try next: the same number if the
   * claim changed, else a higher one, past the ended run or past all texts that are not claims.
   */
  *#awaitHolder(entering: Entering, holder: Announcement): Steps<Entering> {
    const claim = { number: entering.number, claim: holder };
    if (!(yield* this.#awaitEnd(claim))) return entering;
    if (holder === UNSIGNED) return yield* this.#passUnsigned(entering);
    return pastClaim(entering, claim);
  }

  /**
   * The next number without a text that is not signed with this key: such texts decide nothing, and
   * are not removed.
   */
  *#passUnsigned(entering: Entering): Steps<Entering> {
    const { unsigned } = yield* listClaims(entering.number);
    const taken = new Set(unsigned);
    let number = entering.number + 1;
    while (taken.has(number)) number += 1;
    return { ...entering, number };
  }

  /** Makes the claim with this number. Gives whose claim exists then; undefined: no claim does. */
  *#createClaim(number: number, record: StateRecord): Steps<Announcement | undefined> {
    const claim = { ...this.#init.announcement };
    // Only an export gets its order from the state; the other decisions have it already.
    if (this.#init.orderFrom !== undefined) claim.order = this.#init.orderFrom(record);
    const created = yield { kind: 'claim', number, claim };
    if (!this.#claimsSentMs.has(number)) this.#claimsSentMs.set(number, created.sentMs);
    if (created.kind === 'done') return claim;
    if (created.kind === 'refused') throw new Interruption(created, 'claim');
    // The claim existed, or the reply was lost: reading it back shows whose claim it is.
    const looked = yield { kind: 'read-claim', number };
    if (looked.kind !== 'claim') throw new Interruption(looked, 'read-claim');
    if (looked.claim !== undefined) return looked.claim;
    // It exists and cannot be read: it does not show yet, or was removed just now. As with a text
    // without a signature, the caller waits.
    if (created.kind !== 'unknown') return UNSIGNED;
    // The request made no claim, or not yet: the caller asks for one again.
    this.#lostClaims += 1;
    if (this.#lostClaims === MAX_ROUNDS) throw new Interruption(created, 'claim');
    return undefined;
  }
}

/** What to try next, past this claim, whose run has ended. */
function pastClaim(entering: Entering, claim: NumberedClaim): Entering {
  const number = Math.max(entering.number, claim.number + 1);
  return { number, passed: [...entering.passed, claim] };
}
