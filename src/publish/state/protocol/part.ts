import type { StoreAbilities } from '../../../stores/port.ts';
import type { Announcement, RunContent } from '../state.ts';
import {
  announcementOf,
  type ExportStart,
  noting,
  type OwnRun,
  type Placement,
  placing,
  starting,
  type Wanted,
} from './place.ts';
import { alone, ended, open, section } from './section.ts';
import { resolve, type Situation } from './situation.ts';
import {
  CLAIMING,
  claimsIn,
  type NumberedClaim,
  type Reading,
  type Reply,
  type SectionEnd,
  type SectionWish,
  type Steps,
  sameLink,
  uncertain,
} from './steps.ts';

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
    if (reading === undefined) return { kind: 'nothing', record: { version: 2, baseUrl: '' } };
    const known = reading === this.readingAtStart ? this.#claims : [];
    return resolve(reading.found, claimsIn(known));
  }

  /** The highest order that this destination knows. */
  get highestOrder(): number {
    return Math.max(this.situation.record.order ?? 0, this.situationAtStart.record.order ?? 0);
  }

  /** Reads link and state. Throws an `Interruption`. */
  *look(): Steps<Reading> {
    const { reading, claims } = yield* open(this.#init.store, this.#init.run.attempt > 1);
    this.#claims = claims;
    this.readingAtStart = reading;
    this.reading = reading;
    return reading;
  }

  /** Writes into the state what this run is about to publish, or has asked for. */
  storeContent(content: RunContent): Steps<SectionEnd> {
    this.content = content;
    const announcement = this.#announcement('state');
    const plan = (there: Situation) => noting(there, this.#init.takeOver, this.#run);
    return this.#tries({ announcement, plan });
  }

  /** Starts the export, in a section, and names it in the state. */
  start(start: ExportStart): Steps<SectionEnd> {
    return this.#tries({
      announcement: this.#announcement('export'),
      order: (record) => start.orderAbove(record),
      plan: (there) => starting(there, this.#init.takeOver, this.#run, start),
    });
  }

  /** Writes the link, and next to it the state, unless the right to the state is missing. */
  *place(wanted: Wanted): Steps<SectionEnd> {
    if (this.keepsState) {
      const end = yield* this.#tries({
        announcement: announcementOf(this.#placement(wanted, this.reading)),
        plan: (there, now) => placing(there, this.#placement(wanted, now)),
      });
      if (this.keepsState) return end;
    }
    return yield* this.#tries(wanted.link);
  }

  get #run(): OwnRun {
    const { id, job } = this.#init.run;
    return this.content === undefined ? { id, job } : { id, job, content: this.content };
  }

  /** What the plan needs to know, given what was read. */
  #placement(wanted: Wanted, now: Reading | undefined): Placement {
    const { store, takeOver, wallMs, markOf } = this.#init;
    // The run knows a foreign change of the link only if it was there when the run began.
    const changed =
      this.situationAtStart.kind === 'changed' ? this.readingAtStart?.found : undefined;
    const knowsChange = changed !== undefined && now !== undefined && sameLink(changed, now.found);
    return {
      ...wanted,
      wish: { ...wanted.wish, takeOver, knowsChange },
      run: this.#run,
      mark: store.can.shows === 'value' ? markOf(wanted.link) : undefined,
      now: new Date(wallMs()).toISOString(),
    };
  }

  /**
   * Runs a section, or writes the link alone (`wish` is the link). If the store asks for a wait, or
   * cannot be reached for a moment, tries again after a wait: everything is read and decided again.
   */
  *#tries(wish: SectionWish | string): Steps<SectionEnd> {
    let isUncertain = false;
    for (let attempt = 1; ; attempt += 1) {
      const steps = typeof wish === 'string' ? alone(wish) : this.#section(wish);
      const last: SectionEnd = yield* ended(steps);
      const end: SectionEnd = isUncertain ? uncertain(last) : last;
      this.noteEnd(end);
      if (end.kind !== 'failed' || !CLAIMING.has(end.at)) return end;
      isUncertain ||= end.at === 'write-link' && end.error.mayHaveStarted;
      const waited: Reply = yield { kind: 'wait', error: end.error, attempt };
      if (waited.kind !== 'done') return end;
    }
  }

  #section(wish: SectionWish): Steps<SectionEnd> {
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

  /** Notes what is there after a section. */
  protected noteEnd(end: SectionEnd): void {
    if (end.kind !== 'failed') this.reading = end.reading;
  }

  /** An announcement of no link: for the state, or the start of an export. */
  #announcement(by: Announcement['by']): Announcement {
    const { key, wallMs } = this.#init;
    return { token: '', by, at: new Date(wallMs()).toISOString(), run: key };
  }
}
