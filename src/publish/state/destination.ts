import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { CourierError, hasCode } from '../../errors.ts';
import { retryWaitMs } from '../../http/service.ts';
import type { Log } from '../../log.ts';
import { type LinkStore, linkDigest, type Snapshot, type StoreUse } from '../../stores/port.ts';
import { formatDuration } from '../../text/amounts.ts';
import {
  type Delivered,
  endError,
  failedWrite,
  foreignContent,
  type RunIdentity,
  runKey,
  withMeaning,
} from './change.ts';
import { whyChanged } from './found.ts';
import { announcementOf, noting, type Placement, placing, type RunKey, recording, starting } from './protocol/place.ts';
import { open, section } from './protocol/section.ts';
import { type Found, resolve, type Situation, type Wish } from './protocol/situation.ts';
import {
  type NumberedClaim,
  type Reading,
  type Request,
  type SectionEnd,
  type SectionInit,
  sameLink,
} from './protocol/steps.ts';
import { type Paused, Requests } from './requests.ts';
import { type Announcement, linkMark, type RunContent, type StateBinding, type StateRecord } from './state.ts';
import type { DestinationFacts } from './summary.ts';

export interface DestinationInit extends Omit<StateBinding, 'address'> {
  /** A missing right to the state is then an error, and otherwise a warning. */
  readonly needsState: boolean;
  /** A person has said that whatever a destination contains may be replaced. */
  readonly takeOver?: boolean | undefined;
  readonly use?: StoreUse | undefined;
  /** The preflight of the store took place already. */
  readonly isChecked?: boolean | undefined;
  readonly run: RunIdentity;
  readonly log: Log;
  readonly clock: Clock;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** The reply of the platform to the start of an export. */
export type StartReply =
  | { readonly kind: 'started'; readonly jobId: string }
  /** Nothing was started; or it is unknown. */
  | { readonly kind: 'refused' | 'unknown'; readonly error: CourierError };

/** What a run wants to have in place here. */
interface WantedHere {
  readonly delivered: Delivered;
  readonly wish: Omit<Wish, 'run' | 'takeOver' | 'knowsChange'>;
  /** Run and job, or what stands for them in a rollback of this run. */
  readonly key: string;
}

type SectionWish = Pick<SectionInit, 'plan' | 'announcement' | 'order'> & {
  /** undefined: only the state is written. */
  readonly link?: string | undefined;
};

const WRITES: ReadonlySet<Request['kind']> = new Set(['claim', 'write-link', 'write-state']);

/**
 * One destination of the link with its state: what a run can ask of it. Each is a section (`protocol`), in which what is there is read,
 * decided upon and written; `Requests` carries it out. This class decides nothing about whose link is there.
 */
export class Destination {
  readonly store: LinkStore;
  /** Why nothing more is done here. */
  error: CourierError | undefined;
  /** The link of this run is in the store. */
  linkWritten = false;
  /** The state says so. */
  stateWritten = false;
  /** The write of the link was tried and failed. */
  failed = false;
  /** The store's names of the version with this link and of the one with the previous link, if it keeps versions. */
  versions: Pick<DestinationFacts, 'version' | 'formerVersion'> = {};
  /** What this run has published; written with all that it says about its export. */
  content: RunContent | undefined;
  isOpen = false;
  /** False from the moment when a missing right showed: the state is neither read nor written any more. */
  isKept = true;
  readonly #init: DestinationInit;
  readonly #run: RunKey;
  readonly #requests: Requests;
  /** Of the sections of this run, which have ended. */
  readonly #tokens = new Set<string>();
  #opened: Reading | undefined;
  #reading: Reading | undefined;
  #situation: Situation | undefined;
  #openedSituation: Situation | undefined;
  /** With a higher number than the state had when the run began. */
  #claims: readonly NumberedClaim[] = [];
  #paused: Paused | undefined;
  /** Of the export, as the last plan gave it. */
  #startOrder = 0;

  constructor(store: LinkStore, init: DestinationInit) {
    const { run, clock, log, signal } = init;
    this.store = store;
    this.#init = init;
    this.#run = { id: run.runId, job: run.job };
    this.#requests = new Requests({
      store,
      binding: () => this.#binding,
      clock,
      log,
      signal,
      onUnreadable: (error) => this.#continueWithout(error),
      onLink: (before, after) => this.#noteWritten(before, after),
    });
  }

  /** Checks that the destination can be used, and reads link and state. Throws if it cannot be reached. */
  async open(): Promise<void> {
    if (this.#init.isChecked !== true) await this.store.preflight(this.#init.use);
    const { run, takeOver = false, use, log } = this.#init;
    const { reading, claims } = await this.#requests.run(open(this.store, run.runAttempt > 1));
    this.#claims = claims;
    this.#opened = reading;
    const announced = claims.map(({ claim }) => claim);
    this.#openedSituation = resolve(reading.found, announced);
    this.#note(reading, this.#openedSituation);
    const { names, can } = this.store;
    const isImage = can.keepsImage === true;
    const { found } = reading;
    const warning = foreignContent({ names, isImage, found, snapshot: reading.handle, takeOver, use });
    if (warning !== undefined) log.warning(warning);
    this.isOpen = true;
    if (found.state === 'bad-signature' || (use === 'read' && found.why !== undefined)) {
      log.warning(
        `The ${names.state} is ignored because ${found.why}. To continue with a known job, give export-job-id.`,
      );
    }
  }

  /** What was there when this run came. */
  get opened(): Situation {
    return this.#openedSituation ?? this.situation;
  }

  /** What is there, as it was last read or written. */
  get situation(): Situation {
    return this.#situation ?? { kind: 'nothing', record: { version: 2, baseUrl: this.#init.baseUrl } };
  }

  get record(): StateRecord {
    return this.situation.record;
  }

  get openedFound(): Found | undefined {
    return this.#opened?.found;
  }

  /** One or two sentences: how the link differs from what the state knows. */
  get whyChanged(): string {
    const reading = this.#reading;
    return reading === undefined ? '' : whyChanged(this.record, reading.handle, this.store.names);
  }

  /** The highest order that this destination knows. */
  get highestOrder(): number {
    return Math.max(0, ...[this.situation, this.opened].map(({ record }) => record.order ?? 0));
  }

  /** Says in the state what this run is about to publish, or has asked for. */
  async note(content: RunContent): Promise<void> {
    this.content = content;
    if (!this.isKept) return;
    const plan = noting(this.#run, content, this.#init.takeOver);
    const end = await this.#section({ plan, announcement: this.#announcement() });
    if (this.isKept) this.#assertDone(end);
  }

  /**
   * Begins the section in which an export is started: up to the request to the platform. Throws if the state cannot be written.
   * `order`: of the export, given what is there.
   */
  async enterStart(order: (record: StateRecord) => number): Promise<void> {
    if (!this.isKept) return;
    const counted = (record: StateRecord) => {
      this.#startOrder = order(record);
      return this.#startOrder;
    };
    const plan = starting({ run: this.#run, order: counted, content: this.content, takeOver: this.#init.takeOver });
    const end = await this.#section({ plan, announcement: this.#announcement('export'), order: counted });
    if (end.kind === 'paused') this.#paused = end;
    else if (this.isKept) this.#assertDone(end);
  }

  /** The order that the export was given here; 0: none. */
  get startOrder(): number {
    return this.#startOrder;
  }

  /**
   * Ends that section with the reply of the platform. A state that cannot be written ends nothing: the export continues, and an
   * annotation says how to attach to it. After a cancellation, `signal` limits the write.
   */
  async leaveStart(reply: StartReply, order: number, signal: AbortSignal): Promise<void> {
    const paused = this.#paused;
    if (paused === undefined) return;
    this.#paused = undefined;
    const nowMs = this.#init.clock.monotonicMs();
    const isStored = await this.#quietly(async () => {
      let end = await this.#requests.runSection(paused.steps, { signal }, { ...reply, sentMs: nowMs, nowMs });
      if (end.kind !== 'paused') this.#take(end);
      if (reply.kind === 'started' && end.kind !== 'done') {
        const plan = recording(this.#run, { jobId: reply.jobId, order, content: this.content });
        end = await this.#section({ plan, announcement: this.#announcement() }, signal);
      }
      this.#assertDone(end);
    });
    if (isStored || reply.kind !== 'started') return;
    const { jobId } = reply;
    this.#init.log.warning(
      `Export job ${jobId} was started, but its id could not be written to the ${this.store.names.state}: a re-run of this job would start a new export. To attach to this one instead, give export-job-id: ${jobId}`,
    );
  }

  /** Writes the link, and job and expiry next to it. `order`: the wish needs a higher one. Throws why the link was not written. */
  async place(wanted: WantedHere): Promise<'placed' | 'order'> {
    const { delivered, wish } = wanted;
    const { jobId, link } = delivered;
    if (!this.isKept) return this.#writeAlone(jobId, link.url);
    const reading = this.#reading;
    if (reading === undefined) throw new Error('open comes before place.');
    const announcement = announcementOf(this.#placement(wanted, reading.found), '', this.#init.run.runAttempt);
    const plan: SectionInit['plan'] = (situation, { found }) => placing(this.#placement(wanted, found))(situation);
    const end = await this.#section({ plan, announcement, link: link.url });
    if (!this.isKept) return this.#writeAlone(jobId, link.url);
    if (end.kind === 'stopped' && end.why === 'order') return 'order';
    this.#assertDone(end, { jobId, from: wish.from });
    this.stateWritten = true;
    return 'placed';
  }

  #placement({ delivered, wish, key }: WantedHere, found: Found): Placement {
    const { takeOver, clock } = this.#init;
    const { link, by, details } = delivered;
    // A change that was there when the run began is known; a later one is another one.
    const known = this.opened.kind === 'changed' ? this.#opened?.found : undefined;
    return {
      wish: { ...wish, run: key, takeOver, knowsChange: known !== undefined && sameLink(known, found) },
      by,
      run: this.#run,
      key,
      details,
      content: this.content,
      mark: this.store.can.shows === 'value' ? linkMark(this.#binding, linkDigest(link.url)) : undefined,
      expiresAt: link.expiresAt?.toISOString(),
      now: new Date(clock.now()).toISOString(),
    };
  }

  /** Without a right to the state, the link is still written: nothing then says whose it is. */
  async #writeAlone(jobId: string, link: string): Promise<'placed'> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const seen = await this.store.read();
        this.#noteWritten(seen, await this.store.write({ link }, seen));
        return 'placed';
      } catch (error) {
        if (!(error instanceof CourierError)) throw error;
        if (await this.#waitsAfter(error, attempt)) continue;
        this.failed = true;
        throw withMeaning(error, failedWrite(this.store, error, jobId));
      }
    }
  }

  /**
   * Runs a section, and another one after a wait if the store asks for it or cannot be reached for a moment: each time everything is
   * read and decided again. One that starts an export is paused at the request to the platform.
   */
  async #section({ plan, announcement, order, link }: SectionWish, signal?: AbortSignal): Promise<SectionEnd | Paused> {
    for (let attempt = 1; ; attempt += 1) {
      const token = randomUUID();
      const steps = section({
        abilities: this.store.can,
        token,
        last: this.#reading,
        announcement: { ...announcement, token },
        order,
        wallMs: this.#init.clock.now(),
        plan,
        claims: this.#claims,
        isOver: (claim) => this.#isOver(claim),
      });
      this.#tokens.add(token);
      const end = await this.#requests.runSection(steps, { link, signal });
      if (end.kind === 'paused') return end;
      this.#take(end);
      if (end.kind !== 'failed' || !WRITES.has(end.at)) return end;
      if (this.#givesUp(end.error) || !(await this.#waitsAfter(end.error, attempt, signal))) return end;
    }
  }

  /** True for a claim of an earlier attempt of this run, or of a section of it, which have ended. */
  #isOver({ token, run, attempt = 1 }: Announcement): boolean {
    return this.#tokens.has(token) || (run === runKey(this.#init.run) && attempt < this.#init.run.runAttempt);
  }

  /** Waits before something is tried again; false: that does not help. */
  async #waitsAfter(error: CourierError, attempt: number, own?: AbortSignal): Promise<boolean> {
    const { clock, log, signal } = this.#init;
    const waitMs = retryWaitMs(error, attempt, Math.random);
    if (waitMs === undefined) return false;
    log.info(`${error.message} Trying again in ${formatDuration(Math.max(waitMs, 1))}.`);
    await clock.sleep(waitMs, own ?? signal);
    return true;
  }

  /** What a section led to. */
  #take(end: SectionEnd): void {
    if (end.kind === 'done' || end.kind === 'failed') this.linkWritten ||= end.linkWritten;
    if (end.kind !== 'failed') this.#note(end.reading, resolve(end.reading.found, []));
    else if (end.at === 'write-link' && !end.linkWritten) this.failed = true;
  }

  #note(reading: Reading, situation: Situation): void {
    this.#reading = reading;
    this.#situation = situation;
  }

  /** `job`: whose link should have been written; undefined: only the state. */
  #assertDone(end: SectionEnd | Paused, job?: { readonly jobId: string; readonly from: string | undefined }): void {
    if (end.kind === 'done') return;
    if (end.kind === 'paused') throw new Error('A section starts one export.');
    throw endError({ end, store: this.store, job, changed: this.whyChanged });
  }

  #noteWritten(before: Snapshot, after: Snapshot): void {
    const { names, can } = this.store;
    this.linkWritten = true;
    const formerVersion = before.link?.version;
    const version = after.link?.version;
    if (version !== undefined) this.versions = { version, ...(formerVersion !== undefined && { formerVersion }) };
    const unseen = can.shows === 'nothing' ? ' The store shows nothing of it: its reply is the only confirmation.' : '';
    const which = version === undefined ? '' : `, version ${version}`;
    const [what, one] = can.keepsImage ? ['The image is live under the', 'image'] : ['Wrote the link to', 'link'];
    const former = formerVersion === undefined ? '' : ` The previous ${one} is version ${formerVersion}.`;
    this.#init.log.info(`${what} ${names.link}${which}.${former}${unseen}`);
  }

  #announcement(by: Announcement['by'] = 'state'): Announcement {
    const { run, clock } = this.#init;
    const at = new Date(clock.now()).toISOString();
    return { token: '', by, at, run: runKey(run), attempt: run.runAttempt };
  }

  get #binding(): StateBinding {
    return { ...this.#init, address: this.store.signedAddress };
  }

  /** Best effort. False: it failed. */
  async #quietly(body: () => Promise<void>): Promise<boolean> {
    try {
      await body();
      return true;
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      this.#init.log.info(`The ${this.store.names.state} was not written: ${error.message}`);
      return false;
    }
  }

  /** True if the run continues without the state: its right is missing, and there is no state that would become wrong. */
  #givesUp(error: CourierError): boolean {
    if (!this.#mayContinueWithout(error)) return false;
    this.#continueWithout(error);
    return true;
  }

  /** A 403 for another reason is not a missing right: it must not make a run continue without its state. */
  #mayContinueWithout(error: CourierError): boolean {
    const isMissing = hasCode(error, 'forbidden') && error.lacksPermission;
    const hasState = this.#opened !== undefined && this.#opened.found.state !== 'missing';
    return isMissing && !this.#init.needsState && !hasState;
  }

  #continueWithout(error: CourierError): void {
    if (!this.#mayContinueWithout(error)) throw error;
    if (!this.isKept) return;
    this.isKept = false;
    const { link, state, stateRight } = this.store.names;
    this.#init.log.warning(
      `The credentials lack the ${stateRight}: the ${link} is written without the ${state}, so that a re-run cannot resume and a refresh cannot work.`,
    );
  }
}
