import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { CourierError, hasCode } from '../../errors.ts';
import { retryWaitMs } from '../../http/service.ts';
import type { Log } from '../../log.ts';
import { type LinkStore, linkDigest, type Snapshot, type StoreChange, type StoreUse } from '../../stores/port.ts';
import { formatDuration } from '../../text/amounts.ts';
import {
  conflictError,
  type Delivered,
  foreignContent,
  type RunIdentity,
  runKey,
  stoppedError,
  withMeaning,
} from './change.ts';
import { foundIn, whyChanged } from './found.ts';
import { cutState } from './history.ts';
import { announcementOf, noting, type Placement, placing, type RunKey, recording, starting } from './protocol/place.ts';
import { open, section } from './protocol/section.ts';
import { type Found, resolve, type Situation, type Stop, type Wish } from './protocol/situation.ts';
import {
  CLAIM_OVER_MS,
  type End,
  FRESH_MS,
  Interruption,
  type NumberedClaim,
  numberOf,
  type Reading,
  type Reply,
  type Request,
  type SectionInit,
  type Steps,
  sameLink,
} from './protocol/steps.ts';
import {
  type Announcement,
  linkMark,
  type RunContent,
  readClaim,
  type StateBinding,
  type StateRecord,
  writeClaim,
  writeState,
} from './state.ts';
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
export interface Wanted {
  readonly delivered: Delivered;
  readonly wish: Omit<Wish, 'run' | 'takeOver' | 'knowsChange'>;
  /** Run and job, or what stands for them in a rollback of this run. */
  readonly key: string;
}

/** A section that waits for the platform's reply. */
interface Paused {
  readonly steps: Steps<End>;
  readonly order: () => number;
}

// A stranger can make texts of any number and size next to a state: the newest ones count.
const MAX_CLAIMS_READ = 10;
const CLAIM_POLL_MS = 3000;
const WRITES: ReadonlySet<Request['kind']> = new Set(['claim', 'write-link', 'write-state']);

/**
 * One destination of the link with its state. It carries out the requests of a section (`protocol`), which decides what is written: this
 * class decides nothing about whose link is there.
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
  /** The store's names of the version with this link and of the one with the previous link, where it keeps versions. */
  versions: Pick<DestinationFacts, 'version' | 'formerVersion'> = {};
  /** What this run has published; written with all that it says about its export. */
  content: RunContent | undefined;
  isOpen = false;
  /** False from the moment when a missing right showed: the state is neither read nor written any more. */
  isKept = true;
  readonly #init: DestinationInit;
  readonly #run: RunKey;
  /** Of the sections of this run, which have ended. */
  readonly #tokens = new Set<string>();
  #opened: Reading | undefined;
  #reading: Reading | undefined;
  #situation: Situation | undefined;
  #openedSituation: Situation | undefined;
  /** With a higher number than the state had when the run began. */
  #claims: readonly NumberedClaim[] = [];
  #paused: Paused | undefined;
  /** For the link that is to be written in this section. */
  #link: string | undefined;
  #lastWrite: AbortSignal | undefined;
  #hasWarned = false;

  constructor(store: LinkStore, init: DestinationInit) {
    this.store = store;
    this.#init = init;
    this.#run = { id: init.run.runId, job: init.run.job };
  }

  /** Proves that the destination can be used, and reads link and state. Throws if it cannot be reached. */
  async open(): Promise<void> {
    if (this.#init.isChecked !== true) await this.store.preflight(this.#init.use);
    const { run, takeOver = false, use, log } = this.#init;
    const { reading, claims } = await this.#uninterrupted(open(this.store.can, run.runAttempt > 1));
    this.#claims = claims;
    this.#opened = reading;
    const announced = claims.map(({ claim }) => claim);
    this.#openedSituation = resolve(reading.found, announced);
    this.#note(reading, this.#openedSituation);
    const { names } = this.store;
    const { found } = reading;
    const warning = foreignContent({ names, found, snapshot: snapshotOf(reading), takeOver, use });
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

  get openedSnapshot(): Snapshot | undefined {
    return this.#opened && snapshotOf(this.#opened);
  }

  get openedFound(): Found | undefined {
    return this.#opened?.found;
  }

  /** One or two sentences: how the link differs from what the state knows. */
  get whyChanged(): string {
    const reading = this.#reading;
    return reading === undefined ? '' : whyChanged(this.record, snapshotOf(reading), this.store.names);
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
    if (end.kind !== 'done' && this.isKept) throw this.#errorOf(end, undefined);
  }

  /**
   * Begins the section in which an export is started: up to the request to the platform. Throws if the state cannot be written.
   * `order`: of the export, given what is there.
   */
  async enterStart(order: (record: StateRecord) => number): Promise<void> {
    if (!this.isKept) return;
    let given = 0;
    const counted = (record: StateRecord) => {
      given = order(record);
      return given;
    };
    const plan = starting({ run: this.#run, order: counted, content: this.content, takeOver: this.#init.takeOver });
    const end = await this.#section({ plan, announcement: this.#announcement('export') }, (steps) => {
      this.#paused = { steps, order: () => given };
    });
    if (end !== undefined && end.kind !== 'done' && this.isKept) throw this.#errorOf(end, undefined);
  }

  /** The order that the export was given here; 0: none yet. */
  get startOrder(): number {
    return this.#paused?.order() ?? 0;
  }

  /**
   * Ends that section with the reply of the platform. A state that cannot be written ends nothing: the export continues, and an
   * annotation says how to attach to it. After a cancellation, `lastWrite` limits the write.
   */
  async leaveStart(reply: StartReply, order: number, lastWrite: AbortSignal): Promise<void> {
    const paused = this.#paused;
    if (paused === undefined) return;
    this.#paused = undefined;
    this.#lastWrite = lastWrite;
    const nowMs = this.#init.clock.monotonicMs();
    const isStored = await this.#quietly(async () => {
      let end = await this.#drive(paused.steps, paused.steps.next({ ...reply, nowMs }));
      if (reply.kind === 'started' && end.kind !== 'done') {
        const plan = recording(this.#run, reply.jobId, order, this.content);
        end = await this.#section({ plan, announcement: this.#announcement() });
      }
      this.#take(end);
      if (end.kind !== 'done') throw this.#errorOf(end, undefined);
    });
    this.#lastWrite = undefined;
    if (isStored || reply.kind !== 'started') return;
    const { jobId } = reply;
    this.#init.log.warning(
      `Export job ${jobId} was started, but its id could not be written to the ${this.store.names.state}: a re-run of this job would start a new export. To attach to this one instead, give export-job-id: ${jobId}`,
    );
  }

  /** Writes the link, and job and expiry next to it. `order`: the wish needs a higher order than it has. Throws why it was not written. */
  async place({ delivered, wish, key }: Wanted): Promise<'placed' | 'order'> {
    const { jobId, link } = delivered;
    this.#link = link.url;
    if (!this.isKept) {
      await this.#writeAlone(jobId);
      return 'placed';
    }
    const { run, takeOver, clock } = this.#init;
    const opened = this.opened.kind === 'changed' ? this.#opened?.found : undefined;
    const placement = (found: Found): Placement => ({
      wish: {
        ...wish,
        run: key,
        takeOver,
        knowsChange: opened !== undefined && sameLink(opened, found),
      },
      by: delivered.by,
      run: this.#run,
      key,
      details: delivered.details,
      content: this.content,
      mark: this.#markOf(link.url),
      expiresAt: link.expiresAt?.toISOString(),
      now: new Date(clock.now()).toISOString(),
    });
    const nothing = this.#reading?.found;
    if (nothing === undefined) throw new Error('open comes before place.');
    const announcement = announcementOf(placement(nothing), '', run.runAttempt);
    const plan: SectionInit['plan'] = (situation, { found }) => placing(placement(found))(situation);
    const end = await this.#section({ plan, announcement });
    if (end.kind === 'stopped' && end.why === 'order') return 'order';
    if (end.kind !== 'done') {
      if (this.isKept) throw this.#errorOf(end, { jobId, from: wish.from });
      await this.#writeAlone(jobId);
      return 'placed';
    }
    this.linkWritten = true;
    this.stateWritten = true;
    return 'placed';
  }

  /** Without a right to the state, the link is written all the same: nothing then says whose it is. */
  async #writeAlone(jobId: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const link = this.#linkText();
        this.#noteWritten(this.#reading, await this.store.write({ link }, await this.store.read()));
        return;
      } catch (error) {
        if (!(error instanceof CourierError)) throw error;
        if (await this.#waitsAfter(error, attempt)) continue;
        this.failed = true;
        throw withMeaning(error, this.#failedWrite(error, jobId));
      }
    }
  }

  /**
   * Runs a section, and again after a wait if the store asks for one or cannot be reached for a moment: each time everything is read
   * and decided again. With `onStart`, it ends at the request to the platform, and gives undefined.
   */
  async #section(init: Pick<SectionInit, 'plan' | 'announcement'>): Promise<End>;
  async #section(
    init: Pick<SectionInit, 'plan' | 'announcement'>,
    onStart: (steps: Steps<End>) => void,
  ): Promise<End | undefined>;
  async #section(
    { plan, announcement }: Pick<SectionInit, 'plan' | 'announcement'>,
    onStart?: (steps: Steps<End>) => void,
  ): Promise<End | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const token = randomUUID();
      const steps = section({
        abilities: this.store.can,
        token,
        last: this.#reading,
        announcement: { ...announcement, token },
        wallMs: this.#init.clock.now(),
        plan,
        claims: this.#claims,
        isOver: (claim) => this.#isOver(claim),
      });
      this.#tokens.add(token);
      const end = await this.#drive(steps, steps.next(), onStart);
      if (end === undefined) return undefined;
      this.#take(end);
      if (end.kind !== 'failed' || !WRITES.has(end.at)) return end;
      if (this.#givesUp(end.error)) return end;
      if (!(await this.#waitsAfter(end.error, attempt))) return end;
    }
  }

  /** True for a claim of an earlier attempt of this run, or of a section of it, which have ended. */
  #isOver({ token, run, attempt = 1 }: Announcement): boolean {
    return this.#tokens.has(token) || (run === runKey(this.#init.run) && attempt < this.#init.run.runAttempt);
  }

  /** Waits before something is tried again; false: that does not help. */
  async #waitsAfter(error: CourierError, attempt: number): Promise<boolean> {
    const { clock, log, signal } = this.#init;
    const waitMs = retryWaitMs(error, attempt, Math.random);
    if (waitMs === undefined) return false;
    log.info(`${error.message} Trying again in ${formatDuration(Math.max(waitMs, 1))}.`);
    await clock.sleep(waitMs, this.#lastWrite ?? signal);
    return true;
  }

  async #drive(steps: Steps<End>, first: IteratorResult<Request, End>): Promise<End>;
  async #drive(
    steps: Steps<End>,
    first: IteratorResult<Request, End>,
    onStart: ((steps: Steps<End>) => void) | undefined,
  ): Promise<End | undefined>;
  async #drive(
    steps: Steps<End>,
    first: IteratorResult<Request, End>,
    onStart?: (steps: Steps<End>) => void,
  ): Promise<End | undefined> {
    let next = first;
    while (!next.done) {
      if (next.value.kind === 'start') {
        onStart?.(steps);
        return undefined;
      }
      next = steps.next(await this.#reply(next.value));
    }
    return next.value;
  }

  async #uninterrupted<T>(steps: Steps<T>): Promise<T> {
    try {
      let next = steps.next();
      while (!next.done) next = steps.next(await this.#reply(next.value));
      return next.value;
    } catch (error) {
      throw error instanceof Interruption ? error.error : error;
    }
  }

  /** Carries a request out. What the store answers, and what broke on the way, is a reply; a cancelled run ends at once. */
  async #reply(request: Request): Promise<Reply> {
    const { clock } = this.#init;
    try {
      const reply = await this.#send(request);
      return { ...reply, nowMs: clock.monotonicMs() };
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      const nowMs = clock.monotonicMs();
      const isStale = error.code === 'conflict' && !error.mayHaveStarted && this.store.can.guard !== 'claims';
      if (isStale) return { kind: 'stale', nowMs };
      return { kind: error.mayHaveStarted ? 'unknown' : 'refused', error, nowMs };
    }
  }

  async #send(request: Request): Promise<WithoutTime<Reply>> {
    switch (request.kind) {
      case 'read':
        return { kind: 'reading', reading: await this.#read() };
      case 'claim':
        return this.#claim(request.number, request.announcement);
      case 'read-claim':
        return { kind: 'claim', claim: await this.#readClaim(request.number) };
      case 'list-claims':
        return { kind: 'claims', claims: await this.#listClaims(request.above) };
      case 'await-claim':
        return { kind: 'claim', claim: await this.#awaitClaim(request) };
      case 'remove-claims':
        return this.#removeClaims(request.numbers);
      case 'write-link':
        return this.#write({ link: this.#linkText(), state: this.#stateText(request.record) }, request.seen);
      case 'write-state':
        return this.#write({ state: this.#stateText(request.record) }, request.seen);
      case 'start':
        throw new Error('The platform is asked by the caller.');
    }
  }

  async #read(): Promise<Reading> {
    const { clock } = this.#init;
    const sentMs = clock.monotonicMs();
    const snapshot = await this.store.read();
    if (snapshot.stateError !== undefined && this.isKept) this.#giveUp(snapshot.stateError);
    return { found: this.#found(snapshot), sentMs, arrivedMs: clock.monotonicMs(), handle: snapshot };
  }

  #found(snapshot: Snapshot): Found {
    return foundIn({ binding: this.#binding, snapshot, shows: this.store.can.shows });
  }

  /** Refuses to write over a reading that is too old: what was decided on it counts no more. */
  async #write(change: StoreChange, seen: Reading): Promise<WithoutTime<Reply>> {
    const { clock } = this.#init;
    if (clock.monotonicMs() - seen.sentMs > FRESH_MS) return { kind: 'stale' };
    const snapshot = await this.store.write(change, snapshotOf(seen), this.#lastWrite);
    const reading = { ...seen, found: this.#found(snapshot), arrivedMs: clock.monotonicMs(), handle: snapshot };
    if (change.link !== undefined) this.#noteWritten(seen, snapshot);
    return { kind: 'written', reading };
  }

  async #claim(number: number, announcement: Announcement): Promise<WithoutTime<Reply>> {
    const text = writeClaim(this.#binding, number, announcement);
    const isMade = await this.store.claims?.create(number, text, this.#lastWrite);
    return { kind: isMade === true ? 'done' : 'exists' };
  }

  /** A claim that was not signed with this key is one of a run that nothing is known of. */
  async #readClaim(number: number): Promise<Announcement | undefined> {
    const text = await this.store.claims?.read(number, this.#lastWrite);
    if (text === undefined) return undefined;
    const claim = readClaim(this.#binding, number, text);
    if (claim !== undefined) return claim;
    const token = createHash('sha256').update(text).digest('hex');
    return { token, by: 'state', at: new Date(this.#init.clock.now()).toISOString(), run: '' };
  }

  async #listClaims(above: number): Promise<readonly NumberedClaim[]> {
    const numbers = (await this.store.claims?.list(above)) ?? [];
    const claims: NumberedClaim[] = [];
    for (const number of numbers.slice(-MAX_CLAIMS_READ)) {
      const claim = await this.#readClaim(number);
      if (claim !== undefined) claims.push({ number, claim });
    }
    return claims;
  }

  /**
   * Waits until the run of the claim has written the state, or until the claim has stayed the same for so long that its run writes no
   * more. Gives the claim that is there then; undefined: another run has completed.
   */
  async #awaitClaim({
    number,
    token,
    isOver,
  }: Extract<Request, { kind: 'await-claim' }>): Promise<Announcement | undefined> {
    const { clock, log, signal } = this.#init;
    let claim = await this.#readClaim(number);
    if (isOver || claim?.token !== token) return claim;
    if (!this.#hasWarned) {
      this.#hasWarned = true;
      log.warning(
        `Another run (${claim.run || 'unknown'}) is writing ${this.store.names.destination}, or ended while it was: waiting for at most ${formatDuration(CLAIM_OVER_MS)}. Let only one run at a time write a destination: use a concurrency group.`,
      );
    }
    const endMs = clock.monotonicMs() + CLAIM_OVER_MS;
    while (clock.monotonicMs() < endMs) {
      await clock.sleep(CLAIM_POLL_MS, this.#lastWrite ?? signal);
      const { found } = await this.#read();
      if (numberOf(found) >= number) return undefined;
      claim = await this.#readClaim(number);
      if (claim?.token !== token) return claim;
    }
    return claim;
  }

  /** Best effort: a claim that stays says nothing that is wrong. */
  async #removeClaims(numbers: readonly number[]): Promise<WithoutTime<Reply>> {
    for (const number of numbers) {
      try {
        await this.store.claims?.remove(number);
      } catch (error) {
        if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
        this.#init.log.info(`A claim next to the ${this.store.names.state} was not removed: ${error.message}`);
      }
    }
    return { kind: 'done' };
  }

  /** What a section led to. */
  #take(end: End): void {
    if (end.kind !== 'failed') {
      this.#note(end.reading, resolve(end.reading.found, []));
      return;
    }
    if (end.at === 'write-link' && !end.linkWritten) this.failed = true;
    this.linkWritten ||= end.linkWritten;
  }

  #note(reading: Reading, situation: Situation): void {
    this.#reading = reading;
    this.#situation = situation;
  }

  #noteWritten(before: Reading | undefined, after: Snapshot): void {
    this.linkWritten = true;
    const formerVersion = before === undefined ? undefined : snapshotOf(before).link?.version;
    const version = after.link?.version;
    if (version !== undefined) this.versions = { version, ...(formerVersion !== undefined && { formerVersion }) };
    const unseen =
      this.store.can.shows === 'nothing' ? ' The store shows nothing of it: its reply is the only confirmation.' : '';
    const which = version === undefined ? '' : `, version ${version}`;
    const [what, one] = this.store.can.keepsImage
      ? ['The image is live under the', 'image']
      : ['Wrote the link to', 'link'];
    const former = formerVersion === undefined ? '' : ` The previous ${one} is version ${formerVersion}.`;
    this.#init.log.info(`${what} ${this.store.names.link}${which}.${former}${unseen}`);
  }

  /** The end of a section as an error. `job`: whose link was to be written; undefined: only the state was. */
  #errorOf(
    end: Exclude<End, { kind: 'done' }>,
    job: { readonly jobId: string; readonly from?: string | undefined } | undefined,
  ) {
    const { names } = this.store;
    if (end.kind === 'stopped') return this.#stopped(end.why, end.situation, job);
    if (end.kind === 'busy') {
      const what = job === undefined ? 'the state was' : `the link of export job ${job.jobId} was`;
      return conflictError(
        `Other runs keep writing ${names.destination}: ${what} not written after several attempts.`,
        job?.jobId,
      );
    }
    const { error, at, linkWritten } = end;
    if (job === undefined) return error;
    if (linkWritten) {
      return withMeaning(
        error,
        `The ${names.link} has the new link, but the ${names.state} does not say so yet: the next run notices it and writes the link once more.`,
      );
    }
    if (at === 'write-link') return withMeaning(error, this.#failedWrite(error, job.jobId));
    return withMeaning(error, `Nothing was written. ${notLost(job.jobId)}.`);
  }

  #stopped(
    why: Stop,
    { record }: Situation,
    job: { readonly jobId: string; readonly from?: string | undefined } | undefined,
  ) {
    const { names } = this.store;
    if (job === undefined)
      return conflictError(
        `The ${names.state} was replaced by something else during this run. Nothing was written.`,
        undefined,
      );
    return stoppedError({ names, why, record, ...job, changed: this.whyChanged });
  }

  #failedWrite(error: CourierError, jobId: string): string {
    const { link } = this.store.names;
    const isImage = this.store.can.keepsImage === true;
    if (!error.mayHaveStarted) {
      return `The ${link} still has what it had before. ${notLost(jobId)}, which starts no second export.`;
    }
    if (isImage) {
      return `The ${link} names the previous image or the new one. Run again, or attach to the export with export-job-id: ${jobId}. A refresh moves no tag.`;
    }
    return `The ${link} has the previous link or the new one; the next refresh writes it once more. ${notLost(jobId)}, which starts no second export.`;
  }

  #announcement(by: Announcement['by'] = 'state'): Announcement {
    const { run, clock } = this.#init;
    const at = new Date(clock.now()).toISOString();
    return { token: '', by, at, run: runKey(run), attempt: run.runAttempt };
  }

  #markOf(link: string): string | undefined {
    return this.store.can.shows === 'value' ? linkMark(this.#binding, linkDigest(link)) : undefined;
  }

  #linkText(): string {
    if (this.#link === undefined) throw new Error('A section without a link writes one.');
    return this.#link;
  }

  /** With so much of the history as the store has room for. */
  #stateText(record: StateRecord): string;
  #stateText(record: StateRecord | undefined): string | undefined;
  #stateText(record: StateRecord | undefined): string | undefined {
    if (record === undefined) return undefined;
    const { maxStateBytes = Number.POSITIVE_INFINITY } = this.store.can;
    const textOf = (cut: StateRecord) => writeState(this.#binding, cut);
    return textOf(cutState(record, (cut) => Buffer.byteLength(textOf(cut)) <= maxStateBytes));
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
    const isMissing = hasCode(error, 'forbidden') && error.lacksPermission;
    if (!isMissing || this.#init.needsState || this.#opened?.found.state !== 'missing') return false;
    this.#giveUp(error);
    return true;
  }

  #giveUp(error: CourierError): void {
    // A 403 for another reason is not a missing right: it must not make a run continue without its state.
    const isMissing = hasCode(error, 'forbidden') && error.lacksPermission;
    if (!isMissing || this.#init.needsState || (this.#opened !== undefined && this.#opened.found.state !== 'missing'))
      throw error;
    this.isKept = false;
    const { link, state, stateRight } = this.store.names;
    this.#init.log.warning(
      `The credentials lack the ${stateRight}: the ${link} is written without the ${state}, so that a re-run cannot resume and a refresh cannot work.`,
    );
  }
}

type WithoutTime<T> = T extends unknown ? Omit<T, 'nowMs'> : never;

/** The handle of a reading is what the store gave. */
function snapshotOf({ handle }: Reading): Snapshot {
  return handle;
}

function notLost(jobId: string): string {
  return `The export is not lost: attach to it with export-job-id: ${jobId}`;
}
