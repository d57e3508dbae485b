import type { CourierError } from '../../../errors.ts';
import type { Announcement, StateRecord } from '../state.ts';
import { explains, type Found, resolve, type Situation } from './situation.ts';
import {
  errorOf,
  FRESH_MS,
  hasLink,
  Interruption,
  MAX_ROUNDS,
  type NumberedClaim,
  numberOf,
  outcomeOf,
  type Plan,
  type Reading,
  type Reply,
  read,
  type SectionEnd,
  type SectionInit,
  type Steps,
} from './steps.ts';

/** How many claims of other runs a section waits for, or passes because their runs have ended. */
const MAX_CLAIMS = 40;
/**
 * A write that was given up may still arrive for this long: until then, the claims after it keep other runs from following it, and the
 * state says whose it is.
 */
const MAY_ARRIVE_MS = 5 * 60_000;
/** Of many runs at once, these are enough: an older one would have to be on its way for several sections. */
const MOST_CLAIMS = 8;

/** The claim under which this section writes. */
interface OwnClaim {
  readonly number: number;
  /** What was read after it was made. */
  readonly reading: Reading;
  /** The announcements of runs that ended in their section, oldest first. */
  readonly over: readonly Announcement[];
  /** The numbers of their claims. */
  readonly former: readonly number[];
  /** Before it was sent, on the monotonic clock. */
  readonly sentMs: number;
}

type Writing = Exclude<Plan, { readonly kind: 'stop' }>;

/** `again`: nothing may be written under this claim any more, and everything is decided again under the next one. */
type OrAgain<T> = T | 'again';

/**
 * The section of a run in a store with claims. The run that creates the claim with the next number is the only one that writes, until
 * the state has that number. No number is used twice: a request that arrives late meets nothing of another run.
 */
export class ClaimedSection {
  readonly #init: SectionInit;
  #plan: SectionInit['plan'];
  #last: Reading | undefined;
  #own: OwnClaim | undefined;
  #linkWritten = false;
  /** The reply to a write of the link was lost: a copy of it may still arrive. */
  #isLinkUncertain = false;
  #hasSentState = false;
  /** Instead of the reply to the last write of the state. */
  #lost: Reply | undefined;
  /** Whose reply was lost, and which do not show. */
  #lostClaims = 0;
  /** When the claim with a number was first sent: a copy of that request may have made it, and other runs may wait for it since. */
  readonly #claimsSentMs = new Map<number, number>();

  constructor(init: SectionInit) {
    this.#init = init;
    this.#plan = init.plan;
    this.#last = init.last;
  }

  *run(): Steps<SectionEnd> {
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
    if (this.#lost !== undefined) throw new Interruption(this.#lost, 'write-state', this.#linkWritten);
    if (this.#last === undefined) throw new Error('A section begins with a reading.');
    return { kind: 'busy', reading: this.#last };
  }

  *#decide(own: OwnClaim): Steps<OrAgain<SectionEnd>> {
    const { reading, over } = own;
    const situation = resolve(reading.found, over);
    if (this.#hasSentState && reading.found.record?.writer === this.#init.token) {
      // The write whose reply was lost has arrived after all.
      return this.#done(yield* this.#leave(own, situation), situation);
    }
    const isPutBack = !this.#hasSentState && numberOf(reading.found) < numberOf(this.#init.last?.found);
    const planned: Plan = isPutBack ? { kind: 'stop', why: 'put-back' } : this.#plan(situation, reading);
    if (planned.kind === 'stop') {
      return { kind: 'stopped', why: planned.why, reading: yield* this.#leave(own, situation), situation };
    }
    return yield* this.#carryOut(own, planned, situation);
  }

  *#carryOut(own: OwnClaim, planned: Writing, situation: Situation): Steps<OrAgain<SectionEnd>> {
    if (planned.kind === 'start') {
      const record = yield* this.#start(own, planned, situation.record);
      return record === 'again' ? 'again' : yield* this.#confirm({ own, seen: own.reading, record, situation });
    }
    if (!planned.link) {
      const record = planned.record(own.reading.found.link);
      return yield* this.#confirm({ own, seen: own.reading, record, situation });
    }
    const put = yield* this.#putLink(own);
    if (put === 'again') return 'again';
    if ('error' in put) {
      if (put.isUntouched) yield* this.#leave(own, situation);
      return { kind: 'failed', error: put.error, at: 'write-link', linkWritten: this.#linkWritten };
    }
    this.#linkWritten = true;
    const record = this.#answered(planned.record(put.seen.found.link));
    return yield* this.#confirm({ own, seen: put.seen, record, situation });
  }

  /** The export is started once: another round only says what that led to. */
  *#start(
    own: OwnClaim,
    planned: Extract<Plan, { readonly kind: 'start' }>,
    base: StateRecord,
  ): Steps<OrAgain<StateRecord>> {
    const started = yield { kind: 'start' };
    const outcome = outcomeOf(started);
    this.#plan = ({ record }) => ({
      kind: 'write',
      link: false,
      announced: record,
      record: () => planned.after(record, outcome),
    });
    return isOld(own, started.nowMs) ? 'again' : planned.after(base, outcome);
  }

  /** Writes the link. If a reply is lost, what the store then shows says whether it is there. `isUntouched`: no write can arrive later. */
  *#putLink(
    own: OwnClaim,
  ): Steps<OrAgain<{ readonly seen: Reading } | { readonly error: CourierError; readonly isUntouched: boolean }>> {
    let seen = own.reading;
    for (let attempt = 1; ; attempt += 1) {
      if (isOld(own, seen.arrivedMs)) return 'again';
      const reply = yield { kind: 'write-link', seen };
      if (reply.kind === 'written') return { seen: reply.reading };
      if (reply.kind === 'stale') return 'again';
      if (reply.kind === 'refused') return { error: reply.error, isUntouched: !this.#isLinkUncertain };
      this.#isLinkUncertain = true;
      const now = yield* read();
      if (hasLink(seen.found, now.found, this.#init.announcement)) return { seen: now };
      if (attempt === MAX_ROUNDS) return { error: errorOf(reply), isUntouched: false };
      seen = now;
    }
  }

  /** Now that the link is in place, the state has to know only of links that may still arrive, and of starts. */
  #answered(record: StateRecord): StateRecord {
    const { announcement, token, wallMs } = this.#init;
    const others = (record.unanswered ?? []).filter(
      (one) => one.token !== token && (one.job === undefined || wallMs - Date.parse(one.at) <= MAY_ARRIVE_MS),
    );
    return { ...record, unanswered: this.#isLinkUncertain ? [...others, announcement] : others };
  }

  /** Writes the state, which ends the section, and removes the claims that nothing needs any more. */
  *#confirm({ own, seen, record, situation }: Confirmation): Steps<OrAgain<SectionEnd>> {
    const { kept, removed } = this.#claimsAfter(own, record);
    const written = yield* this.#writeState(own, seen, { ...record, claims: kept });
    if (written === 'again') return 'again';
    if (removed.length > 0) yield { kind: 'remove-claims', numbers: removed };
    return this.#done(written, situation);
  }

  *#writeState(own: OwnClaim, seen: Reading, record: StateRecord): Steps<OrAgain<Reading>> {
    if (isOld(own, seen.arrivedMs)) return 'again';
    const reply = yield {
      kind: 'write-state',
      seen,
      record: { ...record, number: own.number, writer: this.#init.token },
    };
    if (reply.kind === 'stale') return 'again';
    this.#hasSentState = true;
    if (reply.kind === 'written') return reply.reading;
    if (reply.kind === 'refused') throw new Interruption(reply, 'write-state', this.#linkWritten);
    this.#lost = reply;
    // It may still arrive, and another run may then begin: nothing is written before the next claim is made.
    return 'again';
  }

  /** Ends a section that changes nothing: its number is used up. Gives what is there then. */
  *#leave(own: OwnClaim, { kind, record }: Situation): Steps<Reading> {
    // What is not ours is never written. The next run waits until this claim is over.
    if (kind === 'foreign' || kind === 'unreadable' || kind === 'bad-signature') return own.reading;
    const { kept, removed } = this.#claimsAfter(own, record);
    const left = yield* this.#writeState(own, own.reading, { ...record, claims: kept });
    if (left === 'again') return own.reading;
    if (removed.length > 0) yield { kind: 'remove-claims', numbers: removed };
    return left;
  }

  /** Young ones stay, and that of the link in place: it says whose it is, should an earlier state come back. */
  #claimsAfter({ number, former }: OwnClaim, { claims = [] }: StateRecord) {
    const at = this.#now;
    const own = this.#linkWritten ? { number, at, link: true } : { number, at };
    const all = [...claims, ...former.map((one) => ({ number: one, at })), own];
    const last = all.findLast((one) => 'link' in one && one.link === true);
    const old = all.filter((one) => one !== last && this.#init.wallMs - Date.parse(one.at) > MAY_ARRIVE_MS);
    // One for each that is made, so that each section costs the same; more if many runs have left some.
    const tooMany = all.filter((one) => one !== last).slice(0, Math.max(0, all.length - MOST_CLAIMS));
    const removed = [...new Set([...old.slice(0, 1), ...tooMany])];
    return { kept: all.filter((one) => !removed.includes(one)), removed: removed.map((one) => one.number) };
  }

  get #now(): string {
    return new Date(this.#init.wallMs).toISOString();
  }

  #done(reading: Reading, before: Situation): SectionEnd {
    return { kind: 'done', reading, linkWritten: this.#linkWritten, before };
  }

  /** Claims that are higher than that of this section: the state is an earlier one, which arrived late or was put back. */
  *#claimsAbove({ reading, over, number }: OwnClaim, known: readonly NumberedClaim[]): Steps<readonly NumberedClaim[]> {
    const higher = known.filter((one) => one.number > number);
    if (higher.length > 0 || explains(reading.found) || over.length > 0) return higher;
    const reply = yield { kind: 'list-claims', above: number };
    if (reply.kind !== 'claims') throw new Interruption(reply, 'list-claims', this.#linkWritten);
    return reply.claims;
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
    const isOver = this.#init.isOver?.(claim) ?? false;
    const reply = yield { kind: 'await-claim', number, token: claim.token, isOver };
    if (reply.kind !== 'claim') throw new Interruption(reply, 'await-claim', this.#linkWritten);
    return reply.claim?.token === claim.token;
  }

  /**
   * Makes the next claim, and reads again. A claim that exists belongs to another run: it is waited for, or it is over and a higher one
   * is made. undefined: other runs were always faster.
   */
  *#enter(): Steps<OwnClaim | undefined> {
    let reading = this.#last ?? (yield* read());
    let entering = this.#next(reading.found);
    for (let met = 0; met <= MAX_CLAIMS; met += 1) {
      const { number, over, former } = entering;
      const { isHeld, holder, sentMs } = yield* this.#claim(number, resolve(reading.found, over));
      const base = numberOf(reading.found);
      reading = yield* read();
      const now = numberOf(reading.found);
      if (now !== base) {
        // Other runs have completed, and their numbers are used up.
        if (isHeld && number <= now) yield { kind: 'remove-claims', numbers: [number] };
        entering = this.#next(reading.found);
      } else if (isHeld) {
        return { number, reading, over, former, sentMs };
      } else if (holder !== undefined && (yield* this.#isOver({ number, claim: holder }))) {
        entering = { number: number + 1, over: [...over, holder], former: [...former, number] };
      }
    }
    return undefined;
  }

  /**
   * The next claim to make. One of this section that became too old counts like that of a run that ended: it is not used again, even if
   * a state with a lower number is back.
   */
  #next(found: Found): Pick<OwnClaim, 'number' | 'over' | 'former'> {
    const own = this.#own;
    const stored = numberOf(found);
    if (own === undefined || stored >= own.number) return { number: stored + 1, over: [], former: [] };
    return {
      number: own.number + 1,
      over: [...own.over, this.#init.announcement],
      former: [...own.former, own.number],
    };
  }

  *#claim(number: number, { record }: Situation): Steps<Claimed> {
    const { token, order } = this.#init;
    const announcement = order ? { ...this.#init.announcement, order: order(record) } : this.#init.announcement;
    const created = yield { kind: 'claim', number, announcement };
    const sentMs = this.#claimsSentMs.get(number) ?? created.sentMs;
    this.#claimsSentMs.set(number, sentMs);
    if (created.kind === 'done') return { isHeld: true, holder: undefined, sentMs };
    if (created.kind === 'refused') throw new Interruption(created, 'claim', this.#linkWritten);
    // It exists, or the reply was lost: whose it is decides.
    const looked = yield { kind: 'read-claim', number };
    if (looked.kind !== 'claim') throw new Interruption(looked, 'read-claim', this.#linkWritten);
    if (created.kind === 'unknown' && looked.claim === undefined) this.#lostClaims += 1;
    if (this.#lostClaims === MAX_ROUNDS) throw new Interruption(created, 'claim', this.#linkWritten);
    return { isHeld: looked.claim?.token === token, holder: looked.claim, sentMs };
  }
}

interface Claimed {
  readonly isHeld: boolean;
  /** Whose claim exists. */
  readonly holder: Announcement | undefined;
  /** Before the first request to create it was sent. */
  readonly sentMs: number;
}

interface Confirmation {
  readonly own: OwnClaim;
  readonly seen: Reading;
  readonly record: StateRecord;
  readonly situation: Situation;
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
