import type { StoreAbilities } from '../../stores/port.ts';
import type { Announcement, RunContent } from '../state.ts';
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
import { readAtStart, section, writeLinkAlone } from './section.ts';
import { type Situation, situationOf } from './situation.ts';
import {
  claimsIn,
  endOf,
  isCancelled,
  type NumberedClaim,
  RETRIED,
  type Reading,
  type Reply,
  type SectionEnd,
  type SectionWish,
  type Steps,
  sameLink,
  untilCancelled,
  withUncertainLink,
} from './steps.ts';

// The state is the signed text next to the link of a destination. A run writes in sections, in
// which no other run writes: each has its own token. In stores with claims, a section begins with a
// claim, a signed text with a number, and ends with a state of that number.

interface PartInit {
  readonly run: { readonly id: string; readonly job: string; readonly attempt: number };
  /** Run and job, the same in every attempt. */
  readonly key: string;
  readonly takeOver: boolean;
  /** Some stores know this only after a reading. `signedAddress`: the same for every run. */
  readonly store: { readonly signedAddress: string; readonly can: StoreAbilities };
  /** Now, epoch milliseconds. */
  readonly wallMs: () => number;
  /** A new token with each call. */
  readonly token: () => string;
  /** What the store shows of this link, if it shows its content. */
  readonly markOf: (link: string) => string;
}

type Stopped = Extract<SectionEnd, { readonly kind: 'stopped' }>;

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
    const isLaterAttempt = this.#init.run.attempt > 1;
    const { reading, claims } = yield* readAtStart(this.#init.store, isLaterAttempt);
    this.#claims = claims;
    this.readingAtStart = reading;
    this.reading = reading;
    this.#liveOrder = this.situation.record.jobOrder;
    return reading;
  }

  /** Writes into the state what this run is about to publish, or which update it has requested. */
  storeContent(content: RunContent): Steps<SectionEnd> {
    this.content = content;
    const wish: SectionWish = {
      announcement: this.#announcement('state'),
      plan: (there) => planToNote(there, this.#init.takeOver, this.#run),
    };
    return this.#repeat(() => this.#newSection(wish));
  }

  /** Starts the export, in a section, and names it in the state. */
  start(exportStart: ExportStart): Steps<SectionEnd> {
    const wish: SectionWish = {
      announcement: this.#announcement('export'),
      // Known only in the section: higher than all orders that the state knows then.
      orderFrom: (record) => exportStart.orderAbove(record),
      plan: (there) => planToStart(there, this.#init.takeOver, this.#run, exportStart),
    };
    return this.#repeat(() => this.#newSection(wish));
  }

  /** Writes the link, and next to it the state, unless the right to the state is missing. */
  *place(wanted: Wanted): Steps<SectionEnd> {
    if (this.keepsState) {
      const wish: SectionWish = {
        announcement: announcementOf(this.#placement(wanted, this.reading)),
        plan: (there, reading) => planToPlace(there, this.#placement(wanted, reading)),
      };
      const end = yield* this.#repeat(() => this.#newSection(wish));
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
  *#repair(end: Stopped, { wish }: Wanted): Steps<SectionEnd> {
    const { jobId: job, jobOrder: order = 0 } = end.record;
    // A state whose job stays names it: `undefined` is for the types alone.
    if (job === undefined) return end;
    const made = yield { kind: 'make-link', job };
    if (made.kind !== 'link') return end;
    const refresh = { kind: 'refresh', job, order, isFirst: false, run: wish.run } as const;
    const repaired = yield* this.place({ ...made, wish: refresh, by: 'refresh', details: {} });
    if (repaired.kind !== 'done') return end;
    const stopped = { ...end, reading: repaired.reading, overwrote: 'repaired' } as const;
    this.noteEnd(stopped);
    return stopped;
  }

  /** This run, with what it has published if it has published something. */
  get #run(): OwnRun {
    const { id, job } = this.#init.run;
    return this.content === undefined ? { id, job } : { id, job, content: this.content };
  }

  /** What the plan needs to know, given what was read last. */
  #placement(wanted: Wanted, reading: Reading | undefined): Placement {
    const { store, takeOver, wallMs, markOf } = this.#init;
    const wasChanged = this.situationAtStart.kind === 'changed';
    const atStart = this.readingAtStart;
    // The link that the state does not explain was there when the run began, and still is.
    const knowsChange =
      wasChanged &&
      atStart !== undefined &&
      reading !== undefined &&
      sameLink(atStart.found, reading.found);
    return {
      ...wanted,
      wish: { ...wanted.wish, takeOver, knowsChange, liveOrder: this.#liveOrder },
      run: this.#run,
      mark: store.can.shows === 'value' ? markOf(wanted.link) : undefined,
      now: new Date(wallMs()).toISOString(),
    };
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
      const canTryAgain = waited.kind === 'done';
      if (!canTryAgain) return end;
    }
  }

  /** A new section, with its own token. */
  #newSection(wish: SectionWish): Steps<SectionEnd> {
    if (this.reading === undefined) throw new Error('A destination is read before it is written.');
    const token = this.#init.token();
    this.#tokens.add(token);
    return section({
      ...wish,
      guard: this.#init.store.can.guard,
      token,
      last: this.reading,
      announcement: { ...wish.announcement, token },
      wallMs: this.#init.wallMs(),
      claims: this.#claims,
      ownTokens: this.#tokens,
    });
  }

  /** Notes what is there after a section. A failure does not show it: the last reading stays. */
  protected noteEnd(end: SectionEnd): void {
    if (end.kind === 'failed') return;
    this.reading = end.reading;
    if (end.kind === 'done') this.#liveOrder = this.situation.record.jobOrder;
  }

  /** An announcement of no link: for the state, or the start of an export. */
  #announcement(by: Announcement['by']): Announcement {
    const { key, wallMs } = this.#init;
    // `#newSection` sets the token.
    return { token: '', by, at: new Date(wallMs()).toISOString(), run: key };
  }
}
