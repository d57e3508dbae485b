import type { DeliveredBy, ExportDetails } from '../history.ts';
import type { Announcement, RunContent, StateRecord } from '../state.ts';
import {
  announcementOf,
  noting,
  type Placement,
  placing,
  type RunKey,
  recording,
  starting,
} from './place.ts';
import { alone, open, section } from './section.ts';
import { resolve, type Situation, type Wish } from './situation.ts';
import {
  type Abilities,
  CLAIMING,
  type NumberedClaim,
  type Reading,
  type Reply,
  type SectionEnd,
  type SectionInit,
  type Steps,
  sameLink,
  uncertain,
} from './steps.ts';

interface PartInit {
  readonly run: RunKey & { readonly attempt: number };
  /** Run and job, the same in every attempt. */
  readonly key: string;
  readonly empty: StateRecord;
  /** The same for every run that writes here. */
  readonly name: () => string;
  readonly takeOver?: boolean | undefined;
  /** What the store can do; some know it only after a reading. */
  readonly can: () => Abilities;
  /** Now, epoch milliseconds. */
  readonly wallMs: () => number;
  /** Another one with each call. */
  readonly token: () => string;
  /** What the store shows of this link, if it shows its content. */
  readonly markOf: (link: string) => string;
}

/** What a run wants to have in place here. */
export interface Wanted {
  readonly wish: Omit<Wish, 'run' | 'takeOver' | 'knowsChange'>;
  readonly link: string;
  /** ISO 8601, UTC; undefined: not known, or it does not expire. */
  readonly expiresAt: string | undefined;
  readonly by: DeliveredBy;
  readonly details: ExportDetails;
  /** Run and job, or what stands for them in a rollback of this run. */
  readonly key: string;
}

type SectionWish = Pick<SectionInit, 'plan' | 'announcement' | 'order' | 'link'>;

/** One destination of a run: what the run has read and written there, and what it can ask of it. */
export class Part {
  /**
   * False from the moment when a missing right showed: the state is neither read nor written any
   * more.
   */
  isKept = true;
  /** What this run has published; written with all that it says about its export. */
  content: RunContent | undefined;
  /** That the export was given here; 0: none. */
  startOrder = 0;
  protected openedReading: Reading | undefined;
  protected reading: Reading | undefined;
  readonly #init: PartInit;
  /** Of the sections of this run, which have ended. */
  readonly #tokens = new Set<string>();
  #openedSituation: Situation | undefined;
  #situation: Situation | undefined;
  /** With a higher number than the state had when the run began. */
  #claims: readonly NumberedClaim[] = [];

  constructor(init: PartInit) {
    this.#init = init;
  }

  get name(): string {
    return this.#init.name();
  }

  /** What was there when this run came. */
  get opened(): Situation {
    return this.#openedSituation ?? this.situation;
  }

  /** What is there, as it was last read or written. */
  get situation(): Situation {
    return this.#situation ?? { kind: 'nothing', record: this.#init.empty };
  }

  /** The highest order that this destination knows. */
  get highestOrder(): number {
    return Math.max(0, ...[this.situation, this.opened].map(({ record }) => record.order ?? 0));
  }

  /** Reads link and state. Throws an `Interruption`. */
  *look(): Steps<Reading> {
    const { can, run } = this.#init;
    const { reading, claims } = yield* open(can, run.attempt > 1);
    this.#claims = claims;
    this.openedReading = reading;
    const announced = claims.map(({ claim }) => claim);
    this.#openedSituation = resolve(reading.found, announced);
    this.#note(reading, this.#openedSituation);
    return reading;
  }

  /** Says in the state what this run is about to publish, or has asked for. */
  *say(content: RunContent): Steps<SectionEnd> {
    this.content = content;
    const { run, takeOver } = this.#init;
    const plan = noting(run, content, takeOver);
    return yield* this.#tries(() =>
      this.#section({ plan, announcement: this.#announcement('state') }),
    );
  }

  /**
   * Begins the section in which an export is started: gives it at its request to the platform.
   * `order`: of the export, given what is there.
   */
  *enter(order: (record: StateRecord) => number): Steps<Steps<SectionEnd> | SectionEnd> {
    const counted = (record: StateRecord) => {
      this.startOrder = order(record);
      return this.startOrder;
    };
    const { run, takeOver } = this.#init;
    const plan = starting({
      run,
      order: counted,
      last: () => this.startOrder,
      content: this.content,
      takeOver,
    });
    for (let attempt = 1; ; attempt += 1) {
      const steps = this.#section({
        plan,
        announcement: this.#announcement('export'),
        order: counted,
      });
      let next = steps.next();
      while (!next.done && next.value.kind !== 'start') next = steps.next(yield next.value);
      if (!next.done) return steps;
      if (!(yield* this.#tryAgain(next.value, attempt))) return next.value;
    }
  }

  /** Ends that section with the reply of the platform. */
  *leave(steps: Steps<SectionEnd>, reply: Reply, order: number): Steps<SectionEnd> {
    this.startOrder = Math.max(order, this.startOrder);
    let next = steps.next(reply);
    while (!next.done) next = steps.next(yield next.value);
    this.take(next.value);
    if (reply.kind !== 'started' || next.value.kind === 'done') return next.value;
    const { jobId } = reply;
    const plan = recording(this.#init.run, { jobId, order, content: this.content });
    return yield* this.#tries(() =>
      this.#section({ plan, announcement: this.#announcement('state') }),
    );
  }

  /** Writes the link, and job and expiry next to it. */
  *place(wanted: Wanted): Steps<SectionEnd> {
    const { link } = wanted;
    if (this.isKept) {
      const announcement = announcementOf(
        this.#placement(wanted, this.reading),
        '',
        this.#init.run.attempt,
      );
      const plan: SectionInit['plan'] = (situation, now) =>
        placing(this.#placement(wanted, now))(situation);
      const end = yield* this.#tries(() => this.#section({ plan, announcement, link }));
      if (this.isKept) return end;
    }
    return yield* this.#tries(() => alone(link));
  }

  #placement({ wish, link, ...wanted }: Wanted, now: Reading | undefined): Placement {
    const { run, takeOver, can, wallMs, markOf } = this.#init;
    // A change that was there when the run began is known; a later one is another one.
    const known = this.opened.kind === 'changed' ? this.openedReading?.found : undefined;
    const knowsChange = known !== undefined && now !== undefined && sameLink(known, now.found);
    return {
      ...wanted,
      wish: { ...wish, run: wanted.key, takeOver, knowsChange },
      run,
      content: this.content,
      mark: can().shows === 'value' ? markOf(link) : undefined,
      now: new Date(wallMs()).toISOString(),
    };
  }

  /**
   * Runs a section, and another one after a wait if the store asks for it or cannot be reached for
   * a moment: each time everything is read and decided again.
   */
  *#tries(section: () => Steps<SectionEnd>): Steps<SectionEnd> {
    let isUncertain = false;
    for (let attempt = 1; ; attempt += 1) {
      const last = yield* section();
      const end: SectionEnd = isUncertain && last.kind === 'failed' ? uncertain(last) : last;
      isUncertain ||= end.kind === 'failed' && end.at === 'write-link' && end.error.mayHaveStarted;
      if (!(yield* this.#tryAgain(end, attempt))) return end;
    }
  }

  #section({ announcement, ...wish }: SectionWish): Steps<SectionEnd> {
    const token = this.#init.token();
    this.#tokens.add(token);
    return section({
      ...wish,
      abilities: this.#init.can(),
      token,
      last: this.reading,
      announcement: { ...announcement, token },
      wallMs: this.#init.wallMs(),
      claims: this.#claims,
      isOver: ({ token: one }) => this.#tokens.has(one),
    });
  }

  *#tryAgain(end: SectionEnd, attempt: number): Steps<boolean> {
    this.take(end);
    if (end.kind !== 'failed' || !CLAIMING.has(end.at)) return false;
    return (yield { kind: 'wait', error: end.error, attempt }).kind === 'done';
  }

  /** What a section led to. */
  protected take(end: SectionEnd): void {
    if (end.kind !== 'failed') this.#note(end.reading, resolve(end.reading.found, []));
  }

  #note(reading: Reading, situation: Situation): void {
    this.reading = reading;
    this.#situation = situation;
  }

  #announcement(by: Announcement['by']): Announcement {
    const { key, run, wallMs } = this.#init;
    return { token: '', by, at: new Date(wallMs()).toISOString(), run: key, attempt: run.attempt };
  }
}
