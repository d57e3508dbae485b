import type { Clock } from '../../clock.ts';
import { CourierError, hasCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type LinkStore, linkDigest, type Snapshot, type StoreUse } from '../../stores/port.ts';
import {
  announced,
  confirmed,
  conflictError,
  type Delivered,
  explained,
  foreignContent,
  isOlder,
  isRefusal,
  newerExport,
  olderError,
  overtaken,
  type RunIdentity,
  refuseOlder,
  unowned,
  withMeaning,
} from './change.ts';
import { cutHistory } from './history.ts';
import {
  caughtUp,
  judgeState,
  linkMark,
  type RunContent,
  type State,
  type StateBinding,
  type StateRecord,
  sameLink,
  timeOf,
  unconfirmed,
  writeState,
} from './state.ts';

export interface DestinationInit {
  readonly baseUrl: string;
  readonly adminApiKey: string;
  /** undefined: that of the state is kept. */
  readonly domain?: string | undefined;
  readonly projectId?: string | undefined;
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
}

/** How far a run has come with its own export. */
interface RunProgress {
  readonly state: 'publishing' | 'starting' | 'started' | 'failed';
  readonly jobId?: string | undefined;
  /** undefined: no export is asked for yet. */
  readonly requestedAtMs?: number | undefined;
}

/** Once `cancelled` is aborted, `lastWrite` limits a write instead. */
export interface MarkLimits {
  readonly cancelled: AbortSignal;
  readonly lastWrite: AbortSignal;
}

interface LinkVersions {
  readonly version?: string | undefined;
  readonly formerVersion?: string | undefined;
}

const MAX_ROUNDS = 3;
// A run marks its start right after it has read the state: that reading is new enough.
const JUST_READ_MS = 10_000;
// To announce, write and confirm a link, another run sends seven requests: they do not fit into a write that takes no longer.
const QUICK_WRITE_MS = 1000;

/** One destination of the link with its state, and the order in which both are written there. */
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
  versions: LinkVersions = {};
  /** What this run has published; written with all that it says about its export. */
  content: RunContent | undefined;
  readonly #init: DestinationInit;
  #opened: State | undefined;
  /** With the link as this run found it or last wrote it. */
  #linked: State;
  #state: State;
  /** The text as this run last read or wrote it. */
  #ownText: string | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #isKept = true;
  /** What was there before `mark`. */
  #unmarked: State | undefined;
  #warned = false;

  constructor(store: LinkStore, init: DestinationInit) {
    this.store = store;
    this.#init = init;
    const snapshot = { link: undefined, state: undefined, version: undefined };
    this.#state = { snapshot, record: undefined, verdict: { kind: 'missing' } };
    this.#linked = this.#state;
  }

  /** Proves that the destination can be used, and reads link and state. Throws where it cannot be reached. */
  async open(): Promise<void> {
    if (this.#init.isChecked !== true) await this.store.preflight(this.#init.use);
    await this.#read();
    const { takeOver = false, use, log } = this.#init;
    const warning = foreignContent({ names: this.store.names, state: this.#state, takeOver, use });
    if (warning !== undefined) log.warning(warning);
    this.#opened = this.#state;
    this.#linked = this.#state;
    this.#accept();
    const { verdict } = this.#state;
    if (verdict.kind !== 'ignored') return;
    log.warning(
      `The ${this.store.names.state} is ignored because ${verdict.why}. To continue with a known job, give export-job-id.`,
    );
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** What was there when this run came. */
  get opened(): State {
    return this.#opened ?? this.#state;
  }

  /** As it was last read or written. */
  get state(): State {
    return this.#state;
  }

  /** False from the moment when a missing right showed: the state is neither read nor written any more. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** The latest time at which the state says that a job was asked for, epoch milliseconds; 0 where it says none. */
  get lastRequestMs(): number {
    const { requestedAt, run } = this.#state.record ?? {};
    return Math.max(timeOf(requestedAt) ?? 0, timeOf(run?.requestedAt) ?? 0);
  }

  /** Stores how far this run has come with its export. `signal` is for a last write after the run was cancelled. */
  async mark({ requestedAtMs, ...progress }: RunProgress, signal?: AbortSignal): Promise<void> {
    const requestedAt = requestedAtMs === undefined ? undefined : new Date(requestedAtMs).toISOString();
    const run = { ...this.#ownRun, ...progress, requestedAt };
    for (let round = 1; this.#isKept && round <= MAX_ROUNDS; round += 1) {
      // After a cancellation there is no time to read again.
      const isRead = round === 1 && progress.state !== 'started' && this.#isJustRead;
      if (signal === undefined && !isRead) await this.#catchUp('state');
      const before = this.#state;
      // Job and expiry of the link that is there now stay: a refresh in between must still work.
      if (!(await this.#writeState({ ...this.#base, run }, signal))) continue;
      this.#unmarked ??= before;
      if (signal === undefined) await this.#keepOvertaking(before);
      return;
    }
    if (this.#isKept) throw conflictError(`Other runs keep writing the ${this.store.names.state}.`, progress.jobId);
  }

  /**
   * After a mark in a store that refuses no write: a link with a later date than `before` knows is another run's, whose state the
   * mark has replaced. So does what is written then, until no other link appears.
   */
  async #keepOvertaking(before: State): Promise<void> {
    // A run that has announced itself needs one request for its confirmation.
    if (before.record?.pending === undefined && this.#wasQuick(this.#readAtMs)) return;
    for (let round = 1; round <= MAX_ROUNDS && (await this.#seesOtherLink()); round += 1) {
      const { record, verdict } = this.#state;
      const isUnknown = verdict.kind === 'changed';
      // The announcement that the mark kept may explain the date: from now on, only a record of it does.
      if (!isUnknown && caughtUp(this.#state) === record) return;
      const { run, ...rest } = this.#base;
      const kept = { ...rest, run: before.record?.run };
      const former = isUnknown ? this.#overtaken(kept) : kept;
      this.#unmarked = this.#judge({ ...this.#state.snapshot, state: this.#textOf(former) });
      await this.#writeState({ ...former, run });
    }
  }

  /** True where so little time has passed that no other run can have written link and state since. */
  #wasQuick(sinceMs: number): boolean {
    return this.#init.clock.monotonicMs() - sinceMs <= QUICK_WRITE_MS;
  }

  /** Reads the link again where the store refuses no write: true where another run has written it. */
  async #seesOtherLink(): Promise<boolean> {
    if (this.store.can.verify !== 'date' || !this.#isKept) return false;
    const before = this.#state;
    this.#state = this.#judge(await this.store.read(before.snapshot, 'link'));
    return !sameLink(before, this.#state);
  }

  /** As `Delivery.markStarted`. */
  async markStarted(jobId: string, requestedAtMs: number, limits: MarkLimits): Promise<void> {
    try {
      await this.#markNow({ state: 'started', jobId, requestedAtMs }, limits);
      if (this.#isKept) return;
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      this.#init.log.info(`The id was not stored: ${error.message}`);
    }
    this.#init.log.warning(
      `Export job ${jobId} was started, but its id could not be written to the ${this.store.names.state}: a re-run of this job would start a new export. To attach to this one instead, give export-job-id: ${jobId}`,
    );
  }

  async #markNow(progress: RunProgress, { cancelled, lastWrite }: MarkLimits): Promise<void> {
    try {
      await this.mark(progress, cancelled.aborted ? lastWrite : undefined);
    } catch (error) {
      // The run was cancelled during the write: once more, with what is left of the time.
      if (!hasCode(error, 'cancelled')) throw error;
      await this.mark(progress, lastWrite);
    }
  }

  /** As `Delivery.markFailed`. */
  async markFailed(): Promise<void> {
    const { id, job, jobId, requestedAt } = this.#state.record?.run ?? {};
    const { runId, job: ownJob } = this.#init.run;
    if (jobId === undefined || id !== runId || job !== ownJob) return;
    await this.markQuietly({ state: 'failed', jobId, requestedAtMs: timeOf(requestedAt) ?? 0 });
  }

  /** Puts back what was there before `mark`, unless another run has written since. Best effort. */
  async unmark(): Promise<void> {
    if (this.#unmarked !== undefined) await this.#putBackQuietly(this.#unmarked);
  }

  /** As `mark`. Best effort. */
  async markQuietly(progress: RunProgress): Promise<void> {
    await this.#quietly(() => this.mark(progress));
  }

  /** Writes the link, and job and expiry next to it. */
  async deliver(delivered: Delivered): Promise<void> {
    const { jobId } = delivered;
    const { names } = this.store;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      await this.#explainedFor(delivered, () => this.#catchUp('all'));
      refuseOlder({ names, opened: this.opened, linked: this.#linked, state: this.#state }, delivered);
      const isAtomic = this.store.can.atomic && this.#isKept;
      if (await (isAtomic ? this.#writeBoth(delivered) : this.#writeInTurn(delivered))) return;
    }
    throw conflictError(
      `Other runs keep writing ${names.destination}: the link of export job ${jobId} was given up after ${MAX_ROUNDS} rounds.`,
      jobId,
    );
  }

  /** False: another run came in between, and everything is to be decided again. */
  async #writeBoth(delivered: Delivered): Promise<boolean> {
    const { link, jobId } = delivered;
    const before = this.#state;
    const state = this.#textOf(confirmed(this.#change(delivered, this.#now), this.#ownRun));
    try {
      this.#took(state, await this.store.write({ link: link.url, state }, before.snapshot));
    } catch (error) {
      if (hasCode(error, 'conflict')) return false;
      this.failed = true;
      throw withMeaning(error, this.#failedWrite(error, jobId));
    }
    this.#noteWritten(before);
    this.stateWritten = true;
    return true;
  }

  /** State, link, state. A run may end after each: see `announced`. */
  async #writeInTurn(delivered: Delivered): Promise<boolean> {
    const before = this.#state;
    const meaning = `The state was not written: the ${this.store.names.link} still holds the earlier link.`;
    const announcement = announced(this.#change(delivered, this.#now));
    if (!(await explained(meaning, () => this.#writeState(announcement)))) return false;
    if (this.#isKept) {
      await this.#explainedFor(delivered, () => this.#load('all'));
      if (!this.#isOwn) return false;
      await this.#refuseRaced(before, delivered);
    }
    const writtenFromMs = this.#init.clock.monotonicMs();
    if (!(await this.#writeLink(delivered, before))) return false;
    this.#noteWritten(before);
    return !this.#isKept || this.#confirm(delivered, writtenFromMs);
  }

  /** False: the store has versions, and another run came in between. */
  async #writeLink({ jobId, link }: Delivered, before: State): Promise<boolean> {
    try {
      this.#state = this.#judge(await this.store.write({ link: link.url }, this.#state.snapshot));
      return true;
    } catch (error) {
      if (hasCode(error, 'conflict')) return false;
      this.failed = true;
      if (isRefusal(error)) await this.#putBackQuietly(before);
      throw withMeaning(error, this.#failedWrite(error, jobId));
    }
  }

  #failedWrite(error: unknown, jobId: string): string {
    const { link } = this.store.names;
    const holds = isRefusal(error)
      ? `The ${link} still holds what it held before.`
      : `The ${link} holds the previous link or the new one; the next refresh writes it once more.`;
    return `${holds} The export is not lost: attach to it with export-job-id: ${jobId}, which starts no second export.`;
  }

  #noteWritten(before: State): void {
    this.linkWritten = true;
    this.#linked = this.#state;
    const [formerVersion, version] = [before.snapshot.link?.version, this.#state.snapshot.link?.version];
    if (version !== undefined) this.versions = { version, ...(formerVersion !== undefined && { formerVersion }) };
    const unseen =
      this.store.can.verify === 'none' ? ' The store shows nothing of it: its reply is the only confirmation.' : '';
    const which = version === undefined ? '' : `, version ${version}`;
    const [what, one] = this.store.can.keepsImage
      ? ['The image is live under the', 'image']
      : ['Wrote the link to', 'link'];
    const former = formerVersion === undefined ? '' : ` The previous ${one} is version ${formerVersion}.`;
    this.#init.log.info(`${what} ${this.store.names.link}${which}.${former}${unseen}`);
  }

  /** After the link was written: the state says so, unless another run has written the state meanwhile. */
  async #confirm(delivered: Delivered, writtenFromMs: number): Promise<boolean> {
    const { names } = this.store;
    const meaning = `The state was not written: the ${names.link} holds the new link, but the ${names.state} does not say when it expires: the next refresh comes too early, which does no harm.`;
    const { writtenAtMs } = this.#state.snapshot.link ?? {};
    await explained(meaning, () => this.#load('state'));
    if (this.#isOwn) {
      const at = writtenAtMs === undefined ? this.#now : new Date(writtenAtMs).toISOString();
      const record = confirmed(this.#change(delivered, at), this.#ownRun);
      const isWritten = await explained(meaning, () => this.#writeState(record));
      if (isWritten && !this.#wasQuick(writtenFromMs)) await this.#refuseOvertaken(delivered);
      this.stateWritten = isWritten && this.#isKept;
      return isWritten;
    }
    await this.#load('all');
    if (!isOlder(this.#state, delivered)) return false;
    await this.#noteLateLink();
    const what = `Its link may have been replaced in the ${names.link} by that of the earlier job`;
    throw olderError(names, this.#state, { jobId: delivered.jobId, what });
  }

  /** Throws where another run has written the link since, and the confirmation replaced its state: nothing says whose link it is. */
  async #refuseOvertaken({ jobId }: Delivered): Promise<void> {
    if (!(await this.#seesOtherLink())) return;
    await this.#disown();
    throw conflictError(
      `Another run wrote the ${this.store.names.link} at the same time: it is unknown whether it holds the link of export job ${jobId}.`,
      jobId,
    );
  }

  /** The state names no job any more: the next export, or another destination, does. */
  async #disown(): Promise<void> {
    await this.#writeState(unowned(this.#base, this.#state.snapshot, this.#seenWrite));
  }

  /**
   * A newer job's state stays, but says that its link may not be there: the next refresh writes it. Its run may still be at work. A
   * link that came while this run replaced its state is its link where it had announced one.
   */
  async #noteLateLink(): Promise<void> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const replaced = this.#state;
      await this.#writeUnconfirmed(replaced.record);
      await this.#load('all');
      const { snapshot, verdict } = this.#state;
      if (verdict.kind === 'fits' || (this.#isOwn && verdict.kind !== 'changed')) return;
      if (!this.#isOwn) continue;
      const isAnnounced = this.#judge({ ...replaced.snapshot, link: snapshot.link }).verdict.kind === 'fits';
      return isAnnounced ? this.#writeUnconfirmed(this.#base) : this.#disown();
    }
  }

  async #writeUnconfirmed(record: StateRecord | undefined): Promise<void> {
    if (record === undefined) return;
    await this.#writeState(unconfirmed(record, this.#state.snapshot, this.#seenWrite));
  }

  /**
   * Throws where the link was written between our reading and our announcement, which replaced the other run's state, and that run
   * may have been a newer export. Of two refreshes of one job, and after an older export, this run's link is as good or better.
   */
  async #refuseRaced(before: State, { jobId, isExplicit, requestedAtMs }: Delivered): Promise<void> {
    if (isExplicit || sameLink(before, this.#state)) return;
    // The state that we replaced may have known of it.
    const { link } = this.#state.snapshot;
    const replaced = this.#judge({ ...before.snapshot, link });
    const base = caughtUp(replaced);
    const newer = base && newerExport(base, requestedAtMs, this.#init.clock.now());
    if (replaced.verdict.kind === 'fits' || base === undefined || newer === undefined) return;
    await this.#writeState(this.#overtaken(base));
    throw conflictError(
      `Another run, probably the export job ${newer}, wrote the ${this.store.names.link} at the same time. The link of export job ${jobId} was not written.`,
      newer,
    );
  }

  #overtaken(base: StateRecord): StateRecord {
    return overtaken(base, this.#state.snapshot, this.#seenWrite);
  }

  /** A write of the link that the store shows, seen now. */
  get #seenWrite() {
    const { digest } = this.#state.snapshot.link ?? {};
    const isReadBack = this.store.can.verify === 'value' && digest !== undefined;
    return { at: this.#now, mark: isReadBack ? linkMark(this.#binding, digest) : undefined };
  }

  /** What every record of this destination begins with; what is there and not ours to decide is kept. */
  get #base(): StateRecord {
    const record = caughtUp(this.#state);
    const { baseUrl, domain = record?.domain, projectId = record?.projectId } = this.#init;
    return { ...record, version: 2, domain, projectId, baseUrl };
  }

  #change(delivered: Delivered, at: string) {
    const isReadBack = this.store.can.verify === 'value';
    const mark = isReadBack ? linkMark(this.#binding, linkDigest(delivered.link.url)) : undefined;
    return { base: this.#base, delivered, at, mark };
  }

  get #binding(): StateBinding {
    return { ...this.#init, address: this.store.signedAddress };
  }

  get #ownRun() {
    const { runId, job } = this.#init.run;
    return { id: runId, job, content: this.content };
  }

  get #now(): string {
    return new Date(this.#init.clock.now()).toISOString();
  }

  /** True while what was last read is what this run read or wrote before. */
  get #isOwn(): boolean {
    return this.#state.snapshot.state === this.#ownText;
  }

  get #isJustRead(): boolean {
    return this.#init.clock.monotonicMs() - this.#readAtMs <= JUST_READ_MS;
  }

  /** Continues from what another run has written. */
  #accept(): void {
    this.#ownText = this.#state.snapshot.state;
  }

  async #catchUp(what: 'state' | 'all'): Promise<void> {
    await this.#load(what);
    this.#accept();
  }

  async #explainedFor({ jobId }: Delivered, body: () => Promise<void>): Promise<void> {
    await explained(`Nothing was written. The export is not lost: attach to it with export-job-id: ${jobId}.`, body);
  }

  /** Reads the destination again. `isOwn` then says whether another run has written the state; that is a warning, once. */
  async #load(what: 'state' | 'all'): Promise<void> {
    if (!this.#isKept) return;
    await this.#read(what === 'state' ? this.#state.snapshot : undefined);
    if (!this.#isOwn) this.#warnOfOthers();
  }

  async #read(seen?: Snapshot): Promise<void> {
    this.#readAtMs = this.#init.clock.monotonicMs();
    const snapshot = await this.store.read(seen);
    if (snapshot.stateError !== undefined) this.#giveUp(snapshot.stateError);
    this.#state = this.#judge(snapshot);
  }

  #judge(snapshot: Snapshot): State {
    const { names, can } = this.store;
    return judgeState({ binding: this.#binding, snapshot, names, readsLink: can.verify === 'value' });
  }

  /** The store has taken this text: what it then shows is this run's own. */
  #took(text: string, snapshot: Snapshot): void {
    this.#ownText = text;
    this.#state = this.#judge(snapshot);
  }

  /** False: another run has written in between, and the store refused. Does nothing where the state is not kept. */
  async #writeState(record: StateRecord, signal?: AbortSignal): Promise<boolean> {
    return !this.#isKept || this.#writeText(this.#textOf(record), signal);
  }

  async #writeText(text: string, signal?: AbortSignal): Promise<boolean> {
    try {
      this.#took(text, await this.store.write({ state: text }, this.#state.snapshot, signal));
      return true;
    } catch (error) {
      if (hasCode(error, 'conflict')) return false;
      if (!isRefusal(error)) await this.#disownLost(text);
      this.#giveUp(error);
      return true;
    }
  }

  /** A write whose outcome is unknown may have replaced the state of a run that has written the link since. Best effort. */
  async #disownLost(text: string): Promise<void> {
    const before = this.#state;
    if (this.store.can.verify !== 'date') return;
    await this.#quietly(async () => {
      await this.#read();
      if (this.#state.snapshot.state === text && !sameLink(before, this.#state)) await this.#disown();
    });
  }

  /** With so much of the history as the store has room for. */
  #textOf(record: StateRecord): string {
    const { maxStateBytes = Number.POSITIVE_INFINITY } = this.store.can;
    const textOf = (cut: StateRecord) => writeState(this.#binding, cut);
    return textOf(cutHistory(record, (cut) => Buffer.byteLength(textOf(cut)) <= maxStateBytes));
  }

  /** Best effort: a state that names this job already makes the next refresh hand it on, which does no harm. */
  async #putBackQuietly(before: State): Promise<void> {
    await this.#quietly(async () => {
      await this.#load('state');
      if (!this.#isKept || !this.#isOwn) return;
      await this.#writeText(this.#formerText(before));
      if (!this.#wasQuick(this.#readAtMs) && (await this.#seesOtherLink())) await this.#disown();
    });
  }

  async #quietly(body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      this.#init.log.debug(`The state was not written: ${error.message}`);
    }
  }

  #formerText(before: State): string {
    const { domain, baseUrl, projectId } = this.#init;
    const { state: text } = before.snapshot;
    // A state is never deleted.
    if (text === undefined) return this.#textOf({ version: 2, domain, projectId, baseUrl });
    const record = caughtUp(before);
    return record === undefined || record === before.record ? text : this.#textOf(record);
  }

  #warnOfOthers(): void {
    if (this.#warned) return;
    this.#warned = true;
    const { record } = this.#state;
    const job = record === undefined ? 'not known' : (record.run?.jobId ?? record.jobId ?? 'not known yet');
    this.#init.log.warning(
      `Another run has written the ${this.store.names.state} since this one read it (its job: ${job}). Let only one run at a time write a destination: use a concurrency group.`,
    );
  }

  #giveUp(error: unknown): void {
    // A 403 for another reason is not a missing right: it must not make a run continue without its state.
    const isMissing = hasCode(error, 'forbidden') && error.lacksPermission;
    if (!isMissing || this.#init.needsState) throw error;
    if (!this.#isKept) return;
    this.#isKept = false;
    const { link, state, stateRight } = this.store.names;
    this.#init.log.warning(
      `The credentials lack the ${stateRight}: the ${link} is written without the ${state}, so that a re-run cannot resume and a refresh cannot work.`,
    );
  }
}
