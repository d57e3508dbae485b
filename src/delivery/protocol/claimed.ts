import type { CourierError } from '../../ground/errors.ts';
import type { Announcement, StateRecord } from '../state.ts';
import { Entrance, type OwnClaim } from './entrance.ts';
import { MAY_ARRIVE_MS } from './limits.ts';
import {
  explainsLink,
  type Found,
  type Situation,
  showsNothing,
  situationOf,
} from './situation.ts';
import {
  busy,
  claimsIn,
  endOf,
  hasLink,
  Interruption,
  MAX_ROUNDS,
  numberOf,
  type Plan,
  type Reading,
  read,
  readAfter,
  readSince,
  type SectionEnd,
  type SectionInit,
  type Steps,
  withUncertainLink,
} from './steps.ts';

// A claim is a signed text next to the state, with a number: the announcement of what its run is
// about to write. The store creates each only once. The state is the signed text next to the link;
// a state with the number of a claim ends the section of that claim.

/**
 * More claims than this are not kept: a request under an older claim would have to be on its way
 * during several sections.
 */
const MAX_KEPT_CLAIMS = 4;
/** A link that the store accepts and does not show is sent once more. */
const MAX_UNSHOWN = 2;

/**
 * The section of a run in a store with claims. The run that creates the claim with the next number
 * is the only one that writes, until the state has that number. No number is used twice, so a claim
 * is removed only once the state has its number: a request that arrives late changes nothing of
 * another run.
 *
 * A step that gives `again` may write no more under its claim: everything is decided again under
 * the next one.
 */
export class ClaimedSection {
  readonly #init: SectionInit;
  readonly #entrance: Entrance;
  /** The start of an export, a link or a state was sent, and may have taken place. */
  #hasActed = false;
  #linkWritten = false;
  /** The reply to a write of the link was lost: a copy of it may still arrive. */
  #isLinkUncertain = false;
  #hasSentState = false;
  /** The last failure of a write of the link or the state whose reply was lost. */
  #lostWrite: Interruption | undefined;

  constructor(init: SectionInit) {
    this.#init = init;
    this.#entrance = new Entrance(init);
  }

  /** Gives how the section ended; a failed request ends it as `failed`. */
  *run(): Steps<SectionEnd> {
    let end = yield* endOf(this.#rounds());
    if (end.kind === 'failed') {
      end = { ...end, linkWritten: this.#linkWritten };
      const hasActed = this.#hasActed || end.error.mayHaveActed;
      if (end.error.code === 'cancelled' && !hasActed) yield* endOf(this.#leave());
    }
    return this.#isLinkUncertain ? withUncertainLink(end) : end;
  }

  /**
   * Ends the section of a cancelled run as one that stops, so that no run waits for its claim. The
   * claim is not removed: others may have passed it, and its number would be used twice.
   */
  *#leave(): Steps<void> {
    const made = this.#entrance.madeClaim;
    if (made === undefined) return;
    const ownClaim = this.#entrance.under(made, yield* read());
    const { found } = ownClaim.reading;
    // Otherwise other runs have completed since, or an earlier state was put back.
    const isAsRead = numberOf(found) === this.#entrance.highestNumber;
    const isHighest = (yield* this.#entrance.claimsAbove(ownClaim, this.#init.claims)).length === 0;
    if (isAsRead && isHighest) yield* this.#endUnchanged(ownClaim, this.#situationUnder(ownClaim));
  }

  /** Claims, reads and decides, until a round ends otherwise than with `again`. */
  *#rounds(): Steps<SectionEnd> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const ownClaim = yield* this.#entrance.enter();
      if (ownClaim === undefined) break;
      // The first round also looks at the claims that were there when the run began.
      const atStart = round === 1 ? this.#init.claims : [];
      const higher = yield* this.#entrance.claimsAbove(ownClaim, atStart);
      // Their runs may have written the link: it is decided again, past those that have ended.
      if (higher.length > 0) {
        yield* this.#entrance.passAll(higher);
        continue;
      }
      const end = yield* this.#decide(ownClaim);
      if (end !== 'again') return end;
    }
    // A write whose reply was lost may have taken place: its failure says more than `busy`.
    if (this.#lostWrite !== undefined) throw this.#lostWrite;
    return busy(this.#entrance.lastReading);
  }

  /** Ends the section as the plan says, given what was read under the claim. */
  *#decide(ownClaim: OwnClaim): Steps<SectionEnd | 'again'> {
    const { reading } = ownClaim;
    const situation = this.#situationUnder(ownClaim);
    // The reply to the state was lost in an earlier round, but the state is in place: only the
    // claim of this round is left to end.
    if (this.#hasSentState && reading.found.record?.writer === this.#init.token)
      return this.#done(yield* this.#endUnchanged(ownClaim, situation));
    // An earlier state was put back, or arrived late. Nothing is written, so that the claims above
    // its number still say whose link is there.
    if (numberOf(reading.found) < this.#entrance.highestNumber)
      return { kind: 'stopped', why: 'put-back', reading, record: situation.record };
    const plan = this.#init.plan(situation, reading);
    switch (plan.kind) {
      case 'stop': {
        const { record } = situation;
        const ended = yield* this.#endUnchanged(ownClaim, situation);
        const stopped = { kind: 'stopped', why: plan.why, reading: ended, record } as const;
        if (!this.#hasOverwritten(reading, situation)) return stopped;
        return { ...stopped, overwrote: 'not-repaired' };
      }
      case 'note':
        return yield* this.#endWithState(ownClaim, plan.record);
      case 'start': {
        // The claim stays even after a cancellation: it says that an export may have been started.
        this.#hasActed = true;
        // The caller notes the reply of the platform: then its plan is to write that.
        yield { kind: 'start' };
        return yield* this.#decide(ownClaim);
      }
      case 'place':
        return yield* this.#place(ownClaim, plan, situation);
    }
  }

  /**
   * True if the own link may be over that of another run's job, which stays: something has let two
   * runs write at the same time.
   */
  #hasOverwritten({ found }: Reading, { kind, record }: Situation): boolean {
    const mayBeThere = this.#linkWritten || this.#isLinkUncertain;
    const isOfOther = kind === 'known' && record.jobId !== this.#init.announcement.job;
    return mayBeThere && isOfOther && (!explainsLink(found) || showsNothing(found));
  }

  /** What is there, given the runs that ended in their sections. */
  #situationUnder({ passed, reading }: OwnClaim): Situation {
    const { token } = this.#init;
    const ended = claimsIn(passed).filter((one) => one.token !== token && !this.#isUnsent(one));
    if (this.#linkWritten || this.#isLinkUncertain)
      ended.push(this.#datedAnnouncement(reading.found));
    const { record } = reading.found;
    if (record === undefined) return situationOf(reading.found, ended);
    // Other runs may have passed a claim of this one, and noted what it says.
    const unanswered = record.unanswered?.filter((one) => !this.#isUnsent(one));
    return situationOf({ ...reading.found, record: { ...record, unanswered } }, ended);
  }

  /**
   * True if the announcement is of a link that this run has never sent, so that it is not in place:
   * a section that was begun again passes its former claim.
   */
  #isUnsent({ token, job }: Announcement): boolean {
    const { ownTokens, sentTokens } = this.#init;
    return job !== undefined && ownTokens.has(token) && !sentTokens.has(token);
  }

  /**
   * The announcement of this section, with the date by the clock of the store if a link was written
   * since the section began: the clock of this run may be wrong.
   */
  #datedAnnouncement(found: Found): Announcement {
    const { announcement, last } = this.#init;
    const ms = dateOf(found);
    // The date of an earlier link says nothing of the own link, which may still arrive.
    if (ms === undefined || ms === dateOf(last.found)) return announcement;
    return { ...announcement, at: new Date(ms).toISOString() };
  }

  /**
   * Writes the link, and the state that confirms it. In between, reads the state once more: if
   * another run has written it, whatever should have kept that run out has failed.
   */
  *#place(
    ownClaim: OwnClaim,
    plan: Extract<Plan, { readonly kind: 'place' }>,
    situation: Situation,
  ): Steps<SectionEnd | 'again'> {
    const placed = yield* this.#putLink(ownClaim, plan.link, situation);
    if (placed === 'again') return 'again';
    this.#linkWritten = true;
    const { found } = ownClaim.reading;
    const number = numberOf(found);
    const now = yield* readSince(number, placed);
    const isSameState =
      numberOf(now.found) === number && now.found.record?.writer === found.record?.writer;
    if (!isSameState) return 'again';
    const sameClaim = this.#entrance.under(ownClaim, now);
    return yield* this.#endWithState(sameClaim, plan.confirmed(placed.found.link));
  }

  /**
   * Writes the link, and gives what is there then. If the reply is lost, what the store shows
   * decides whether the link is in place; if it does not, the link is sent again.
   */
  *#putLink(ownClaim: OwnClaim, link: string, situation: Situation): Steps<Reading | 'again'> {
    let seen = ownClaim.reading;
    for (let attempt = 1; ; attempt += 1) {
      const reply = yield { kind: 'write-link', seen, link };
      if (reply.kind === 'stale') return 'again';
      if (reply.kind === 'refused') {
        // No run has to wait for the claim, unless an earlier request for the link may still
        // arrive: then the claim says whose link that is.
        if (!this.#isLinkUncertain) yield* this.#endUnchanged(ownClaim, situation);
        throw new Interruption(reply, 'write-link');
      }
      this.#hasActed = true;
      this.#init.sentTokens.add(this.#init.token);
      if (reply.kind === 'written') return reply.reading;
      // The reply was lost.
      this.#isLinkUncertain = true;
      const { reading: now } = this.#entrance.under(
        ownClaim,
        yield* readAfter(reply, 'write-link'),
      );
      if (hasLink(seen.found, now.found, this.#init.announcement.link)) return now;
      this.#lostWrite = new Interruption(reply, 'write-link');
      if (attempt >= triesAfter(this.#lostWrite.error)) throw this.#lostWrite;
      seen = now;
    }
  }

  /** Writes the state, which has the number of the claim and so ends the section. */
  *#endWithState(ownClaim: OwnClaim, record: StateRecord): Steps<SectionEnd | 'again'> {
    const written = yield* this.#writeState(ownClaim, record);
    if (written === 'again') return 'again';
    return this.#done(written);
  }

  /**
   * Writes the state under the claim, removes claims that nothing needs any more, and gives what is
   * there then. `again` also if the reply was lost.
   */
  *#writeState(ownClaim: OwnClaim, record: StateRecord): Steps<Reading | 'again'> {
    const { number, reading: seen } = ownClaim;
    const unanswered = (record.unanswered ?? []).filter((one) => one.token !== this.#init.token);
    // A copy of the link may still arrive.
    if (this.#isLinkUncertain) unanswered.push(this.#datedAnnouncement(seen.found));
    const { kept, removed } = this.#claimsToKeep(ownClaim, record);
    const mayBeReplaced = this.#mayArrive(record, seen).length > 0;
    const reply = yield {
      kind: 'write-state',
      seen,
      record: {
        ...record,
        unanswered,
        claims: kept,
        // It is not known when a link that arrives late expires: the next refresh writes again.
        expiresAt: mayBeReplaced ? undefined : record.expiresAt,
        number,
        writer: this.#init.token,
      },
    };
    if (reply.kind === 'stale') return 'again';
    this.#hasSentState = true;
    this.#hasActed = true;
    if (reply.kind !== 'written') {
      this.#lostWrite = new Interruption(reply, 'write-state');
      if (reply.kind === 'refused') throw this.#lostWrite;
      // The state may still arrive, and then another run may begin: this section writes no more
      // before it has made the next claim.
      return 'again';
    }
    if (removed.length > 0) yield { kind: 'remove-claims', numbers: removed };
    return reply.reading;
  }

  /** The announcements of links of other runs that may still arrive. */
  #mayArrive(record: StateRecord, { found }: Reading): readonly Announcement[] {
    // A link that was just written has the time of the store: the clock of this run may be wrong.
    const writtenMs = this.#linkWritten ? dateOf(found) : undefined;
    const nowMs = writtenMs ?? this.#init.wallMs;
    const { unanswered = [] } = record;
    return unanswered.filter(({ job, token, at }) => {
      const isOther = job !== undefined && token !== this.#init.token;
      return isOther && nowMs - Date.parse(at) <= MAY_ARRIVE_MS;
    });
  }

  /**
   * Ends a section that changes nothing: the state is written with the number of its claim, so that
   * no run waits for the claim. Gives what is there then.
   */
  *#endUnchanged(ownClaim: OwnClaim, { kind, record }: Situation): Steps<Reading> {
    // What is not ours is never overwritten: the next run has to wait for this claim then.
    if (kind === 'foreign' || kind === 'unreadable' || kind === 'bad-signature')
      return ownClaim.reading;
    const written = yield* this.#writeState(ownClaim, record);
    // Nothing was to be changed, so it is not tried again: the next run waits for this claim.
    if (written === 'again') return ownClaim.reading;
    return written;
  }

  /**
   * Which claims the state names from now on, and which are removed. The claim of the link in place
   * always stays: if an earlier state comes back, the claim says whose link that is.
   */
  #claimsToKeep(ownClaim: OwnClaim, record: StateRecord) {
    const { wallMs } = this.#init;
    const at = new Date(wallMs).toISOString();
    const all = [...(record.claims ?? [])];
    for (const { number } of ownClaim.passed) all.push({ number, at });
    // `link` is absent from the state rather than false.
    all.push({ number: ownClaim.number, at, link: this.#linkWritten || undefined });
    const ofLink = all.findLast((one) => one.link === true);
    const others = all.filter((one) => one !== ofLink);
    const [oldest] = others;
    // Nothing that was sent under it can still arrive.
    const hasOldClaim = oldest !== undefined && wallMs - Date.parse(oldest.at) > MAY_ARRIVE_MS;
    // Each section makes one claim and removes one old claim, so that all cost the same. It removes
    // more if there are too many.
    const count = Math.max(all.length - MAX_KEPT_CLAIMS, hasOldClaim ? 1 : 0);
    const removed = others.slice(0, count);
    const kept = all.filter((one) => !removed.includes(one));
    return { kept, removed: removed.map((one) => one.number) };
  }

  /** The end of a section that did what was planned. */
  #done(reading: Reading): SectionEnd {
    // `empty`: what is there now is not a state of ours any more.
    const mayArrive = this.#mayArrive(reading.found.record ?? reading.found.empty, reading);
    return { kind: 'done', reading, linkWritten: this.#linkWritten, mayArrive };
  }
}

/**
 * When the link was written, by the clock of the store; undefined if the store shows no date, or
 * the link itself.
 */
function dateOf({ link }: Found): number | undefined {
  return link?.mark === undefined ? link?.at : undefined;
}

/** How often the link is sent in all, after an attempt that ended with this error. */
function triesAfter({ code }: CourierError): number {
  // The store has accepted the link, and does not show it.
  return code === 'integrity' ? MAX_UNSHOWN : MAX_ROUNDS;
}
