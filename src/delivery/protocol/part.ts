import type { LinkStore } from '../../stores/port.ts';
import { type Announcement, type RunContent, type RunIdentity, runKey } from '../state.ts';
import { ClaimedSection } from './claimed.ts';
import { MAX_PAUSES } from './limits.ts';
import {
  announcementOf,
  type ExportStart,
  type OwnRun,
  type Placement,
  planToNote,
  planToPlace,
  planToStart,
  type Wanted,
} from './place.ts';
import { explainsLink, type Situation, situationOf } from './situation.ts';
import {
  busy,
  claimsIn,
  endOf,
  Interruption,
  isCancelled,
  listClaims,
  MAX_ROUNDS,
  type NumberedClaim,
  numberOf,
  pause,
  RETRIED,
  type Reading,
  type Reply,
  read,
  type SectionEnd,
  type SectionWish,
  type Steps,
  type StoppedEnd,
  sameLink,
  untilCancelled,
  withUncertainLink,
} from './steps.ts';
import { unclaimed } from './unclaimed.ts';

// The state is the signed text next to the link of a destination. A run writes in sections, in
// which no other run writes, as far as the store allows that: each has its own token. A store with
// claims creates each claim, a signed text with a number, only once: the run whose claim it is writes
// alone, until the state has that number. Other stores refuse a write over what has changed
// (versions), or can do neither.

interface PartInit {
  readonly run: RunIdentity;
  readonly takeOver: boolean;
  /** Some stores know this only after a reading. `signedAddress`: the same for every run. */
  readonly store: Pick<LinkStore, 'signedAddress' | 'can'>;
  /** Now, epoch milliseconds. */
  readonly wallMs: () => number;
  /** A new token with each call. */
  readonly token: () => string;
  /** What the store shows of this link, if it shows its content. */
  readonly markOf: (link: string) => string;
}

/** One destination of a run: what the run has read and written there, and what it can ask of it. */
export class Part {
  /**
   * False from the moment when a missing right showed: the state is neither read nor written any
   * more.
   */
  keepsState = true;
  /** What this run has published: each entry about its export in the state repeats it. */
  content: RunContent | undefined;
  protected readingAtStart: Reading | undefined;
  protected reading: Reading | undefined;
  readonly #init: PartInit;
  /** The tokens of the sections of this run in this destination. */
  readonly #tokens = new Set<string>();
  readonly #sentTokens = new Set<string>();
  /** The claims with a higher number than the state had when the run began. */
  #claims: readonly NumberedClaim[] = [];
  /** The order of the live job when the run began, or as the run has last written it. */
  #liveOrder: number | undefined;

  constructor(init: PartInit) {
    this.#init = init;
  }

  get name(): string {
    return this.#init.store.signedAddress;
  }

  /** What was there when this run came. */
  get situationAtStart(): Situation {
    return this.#situationIn(this.readingAtStart);
  }

  /** What is there, as it was last read or written. */
  get situation(): Situation {
    return this.#situationIn(this.reading);
  }

  #situationIn(reading: Reading | undefined): Situation {
    // The destination could not be reached: its record is empty.
    if (reading === undefined) return { kind: 'nothing', record: { version: 2, baseUrl: '' } };
    // The claims belong to the first reading; in later ones, sections have dealt with them.
    const claims = reading === this.readingAtStart ? this.#claims : [];
    return situationOf(reading.found, claimsIn(claims));
  }

  /** The highest order that this destination knows, also if an earlier state was put back since. */
  get highestOrder(): number {
    return Math.max(this.situation.record.order ?? 0, this.situationAtStart.record.order ?? 0);
  }

  /** Reads link and state. Throws an `Interruption`. */
  *look(): Steps<Reading> {
    const reading = yield* this.#readAtStart();
    this.readingAtStart = reading;
    this.reading = reading;
    this.#liveOrder = this.situation.record.jobOrder;
    return reading;
  }

  /**
   * Reads the destination. A link that the state does not explain may be that of a run that was
   * interrupted or is still writing: then the claims with a higher number than the state are read,
   * too.
   */
  *#readAtStart(): Steps<Reading> {
    let reading = yield* read();
    // Some stores know what they can do only after a reading.
    const { shows, guard } = this.#init.store.can;
    // The claim of an earlier attempt says whether it has asked for an export. A store that shows
    // nothing of the link never shows that a run was interrupted: only a claim does.
    const isLaterAttempt = this.#init.run.runAttempt > 1;
    const needsClaims = isLaterAttempt || shows === 'nothing' || !explainsLink(reading.found);
    if (guard !== 'claims' || !needsClaims) return reading;
    for (let pauses = 0; ; pauses += 1) {
      this.#claims = (yield* listClaims(numberOf(reading.found))).claims;
      // The claims or the state say whose link it is. Without a job in the state, the link does not
      // count as changed: that is not a reason to wait.
      const hasAnswer = this.#claims.length > 0 || explainsLink(reading.found);
      const namesNoJob = reading.found.record?.jobId === undefined;
      if (hasAnswer || namesNoJob || pauses === MAX_PAUSES) return reading;
      // Another run may have written link and state just now, and the state does not show yet.
      yield* pause();
      reading = yield* read();
    }
  }

  /** Writes `content` into the state: what this run is about to publish, or has asked for. */
  storeContent(): Steps<SectionEnd> {
    return this.#section({
      announcement: this.#announcement('state'),
      plan: (there) => planToNote(there, this.#init.takeOver, this.#run),
    });
  }

  /** Starts the export, in a section, and names it in the state. */
  start(exportStart: ExportStart): Steps<SectionEnd> {
    return this.#section({
      announcement: this.#announcement('export'),
      // Known only in the section: higher than all orders that the state knows then.
      orderFrom: (record) => exportStart.orderAbove(record),
      plan: (there) => planToStart(there, this.#init.takeOver, this.#run, exportStart),
    });
  }

  /** Writes the link, and next to it the state, unless the right to the state is missing. */
  *place(wanted: Wanted): Steps<SectionEnd> {
    if (this.keepsState) {
      const end = yield* this.#section({
        announcement: announcementOf(this.#placement(wanted, this.reading)),
        plan: (there, reading) => planToPlace(there, this.#placement(wanted, reading)),
      });
      if (end.kind === 'stopped' && end.overwrote !== undefined)
        return yield* this.#repair(end, wanted);
      // Otherwise the section has shown that the right to the state is missing.
      if (this.keepsState) return end;
    }
    return yield* this.#repeat(() => writeLinkAlone(wanted.link));
  }

  /**
   * Writes a fresh link of the job that stays, as a refresh would: the link of this run was put over
   * it. Gives the end again, with what became of that.
   */
  *#repair(end: StoppedEnd, { wish }: Wanted): Steps<SectionEnd> {
    const { jobId: job, jobOrder: order = 0 } = end.record;
    // A state whose job stays names it: `undefined` is for the types alone.
    if (job === undefined) return end;
    const made: Reply = yield { kind: 'make-link', job };
    // A cancelled run begins nothing again, also if it would need a higher order.
    if (isCancelled(made))
      return { kind: 'failed', error: made.error, at: 'make-link', linkWritten: false };
    if (made.kind !== 'link') return end;
    const refresh = { kind: 'refresh', job, order, isFirst: false, run: wish.run } as const;
    const repaired = yield* this.place({ ...made, wish: refresh, by: 'refresh', details: {} });
    if (repaired.kind === 'failed' && repaired.error.code === 'cancelled') return repaired;
    if (repaired.kind !== 'done') return end;
    const stopped = { ...end, reading: repaired.reading, overwrote: 'repaired' } as const;
    this.noteEnd(stopped);
    return stopped;
  }

  /** This run, with what it has published if it has published something. */
  get #run(): OwnRun {
    const { runId: id, job } = this.#init.run;
    return this.content === undefined ? { id, job } : { id, job, content: this.content };
  }

  /** What the plan needs to know, given what was read last. */
  #placement(wanted: Wanted, reading: Reading | undefined): Placement {
    const { store, takeOver, wallMs, markOf } = this.#init;
    const wasChanged = this.situationAtStart.kind === 'changed';
    // The link that the state does not explain was there when the run began, and still is.
    const knowsChange = wasChanged && sameLink(this.readingAtStart?.found, reading?.found);
    return {
      ...wanted,
      wish: { ...wanted.wish, takeOver, knowsChange, liveOrder: this.#liveOrder },
      run: this.#run,
      mark: store.can.shows === 'value' ? markOf(wanted.link) : undefined,
      now: new Date(wallMs()).toISOString(),
    };
  }

  /** A section that does what the wish says. Each time that it is begun, it has a new token. */
  #section(wish: SectionWish): Steps<SectionEnd> {
    return this.#repeat(() => {
      if (this.reading === undefined)
        throw new Error('A destination is read before it is written.');
      const { guard } = this.#init.store.can;
      const token = this.#init.token();
      this.#tokens.add(token);
      const init = {
        ...wish,
        guard,
        token,
        last: this.reading,
        announcement: { ...wish.announcement, token },
        wallMs: this.#init.wallMs(),
        claims: this.#claims,
        ownTokens: this.#tokens,
        sentTokens: this.#sentTokens,
      };
      return guard === 'claims' ? new ClaimedSection(init).run() : unclaimed(init);
    });
  }

  /**
   * Runs the steps. If the store asks for a wait, or cannot be reached for a moment, begins them
   * again after a wait: everything is read and decided again.
   */
  *#repeat(begin: () => Steps<SectionEnd>): Steps<SectionEnd> {
    let isUncertain = false;
    for (let attempt = 1; ; attempt += 1) {
      const attemptEnd: SectionEnd = yield* endOf(untilCancelled(begin()));
      // A link that an earlier attempt has sent may still arrive, however this attempt ended.
      const end: SectionEnd = isUncertain ? withUncertainLink(attemptEnd) : attemptEnd;
      this.noteEnd(end);
      // A failed reading was repeated already. Only after a failed write, all is decided again.
      if (end.kind !== 'failed' || !RETRIED.has(end.at)) return end;
      isUncertain ||= end.at === 'write-link' && end.error.mayHaveActed;
      const waited: Reply = yield { kind: 'wait', error: end.error, attempt };
      if (isCancelled(waited)) return { ...end, error: waited.error };
      // Trying again does not help.
      if (waited.kind !== 'done') return end;
    }
  }

  /** Notes what is there after a section. A failure does not show it: the last reading stays. */
  protected noteEnd(end: SectionEnd): void {
    if (end.kind === 'failed') return;
    this.reading = end.reading;
    if (end.kind === 'done') this.#liveOrder = this.situation.record.jobOrder;
  }

  /** An announcement of no link: for the state, or the start of an export. */
  #announcement(by: Announcement['by']): Announcement {
    const { run, wallMs } = this.#init;
    // `#section` sets the token.
    return { token: '', by, at: new Date(wallMs()).toISOString(), run: runKey(run) };
  }
}

/** Writes the link whatever is there, and no state: then nothing says whose link it is. */
function* writeLinkAlone(link: string): Steps<SectionEnd> {
  for (let round = 1; ; round += 1) {
    const seen = yield* read();
    const reply = yield { kind: 'write-link', seen, link };
    if (reply.kind === 'written')
      return { kind: 'done', reading: reply.reading, linkWritten: true };
    if (reply.kind !== 'stale') throw new Interruption(reply, 'write-link');
    if (round === MAX_ROUNDS) return busy(seen);
  }
}
