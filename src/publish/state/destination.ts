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
  ownerless,
  type RunIdentity,
  refuseOlder,
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
}

/** How far a run has come with its own export. */
interface RunProgress {
  readonly state: 'publishing' | 'starting' | 'started' | 'failed';
  readonly jobId?: string | undefined;
  /** undefined: no export is asked for yet. */
  readonly requestedAtMs?: number | undefined;
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
  versions: Pick<DestinationFacts, 'version' | 'formerVersion'> = {};
  /** What this run has published; written with all that it says about its export. */
  content: RunContent | undefined;
  isOpen = false;
  /** What was there when this run came. */
  opened: State;
  /** As it was last read or written. */
  state: State;
  /** False from the moment when a missing right showed: the state is neither read nor written any more. */
  isKept = true;
  readonly #init: DestinationInit;
  /** With the link as this run found it or last wrote it. */
  #linked: State;
  /** The text as this run last read or wrote it. */
  #ownText: string | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** What was there before `mark`. */
  #unmarked: State | undefined;
  #warned = false;

  constructor(store: LinkStore, init: DestinationInit) {
    this.store = store;
    this.#init = init;
    const snapshot = { link: undefined, state: undefined, version: undefined };
    this.state = { snapshot, record: undefined, verdict: { kind: 'missing' } };
    this.opened = this.state;
    this.#linked = this.state;
  }

  /** Proves that the destination can be used, and reads link and state. Throws where it cannot be reached. */
  async open(): Promise<void> {
    if (this.#init.isChecked !== true) await this.store.preflight(this.#init.use);
    await this.#read();
    this.#ownText = this.state.snapshot.state;
    const { takeOver = false, use, log } = this.#init;
    const warning = foreignContent({ names: this.store.names, state: this.state, takeOver, use });
    if (warning !== undefined) log.warning(warning);
    this.isOpen = true;
    this.opened = this.state;
    this.#linked = this.state;
    const { verdict } = this.state;
    if (verdict.kind !== 'ignored') return;
    log.warning(
      `The ${this.store.names.state} is ignored because ${verdict.why}. To continue with a known job, give export-job-id.`,
    );
  }

  /** Stores how far this run has come with its export. `signal` is for a last write after the run was cancelled. */
  async mark({ requestedAtMs, ...progress }: RunProgress, signal?: AbortSignal): Promise<void> {
    const requestedAt = requestedAtMs === undefined ? undefined : new Date(requestedAtMs).toISOString();
    const run = { ...this.#ownRun, ...progress, requestedAt };
    for (let round = 1; this.isKept && round <= MAX_ROUNDS; round += 1) {
      // After a cancellation there is no time to read again.
      const isRead = round === 1 && progress.state !== 'started' && this.#wasQuick(this.#readAtMs, JUST_READ_MS);
      if (signal === undefined && !isRead) await this.#catchUp('state');
      const before = this.state;
      // Job and expiry of the link that is there now stay: a refresh in between must still work.
      if (!(await this.#writeState({ ...this.#base, run }, signal))) continue;
      this.#unmarked ??= before;
      if (signal === undefined) await this.#keepOvertaking(before);
      return;
    }
    if (this.isKept) throw conflictError(`Other runs keep writing the ${this.store.names.state}.`, progress.jobId);
  }

  /**
   * After a mark in a store that refuses no write: a link with a later date than `before` knows is another run's, whose state the
   * mark has replaced. So does what is written then, until no other link appears.
   */
  async #keepOvertaking(before: State): Promise<void> {
    // A run that has announced itself needs one request for its confirmation.
    if (before.record?.pending === undefined && this.#wasQuick(this.#readAtMs)) return;
    let replaced = before;
    for (let round = 1; round <= MAX_ROUNDS && (await this.#seesOtherLink()); round += 1) {
      const { run } = this.#base;
      const former = this.#unsure(replaced);
      replaced = this.#judge({ ...this.state.snapshot, state: this.#textOf(former) });
      this.#unmarked = replaced;
      await this.#writeState({ ...former, run });
    }
  }

  /** True where so little time has passed that no other run can have written link and state since. */
  #wasQuick(sinceMs: number, limitMs = QUICK_WRITE_MS): boolean {
    return this.#init.clock.monotonicMs() - sinceMs <= limitMs;
  }

  /** Reads the link again where the store refuses no write: true where another run has written it. */
  async #seesOtherLink(): Promise<boolean> {
    if (this.store.can.verify !== 'date' || !this.isKept) return false;
    const before = this.state;
    this.state = this.#judge(await this.store.read(before.snapshot, 'link'));
    return !sameLink(before, this.state);
  }

  /** As `Delivery.markStarted`. */
  async markStarted(jobId: string, requestedAtMs: number, lastWrite: AbortSignal): Promise<void> {
    const mark = (signal?: AbortSignal) => this.mark({ state: 'started', jobId, requestedAtMs }, signal);
    const isStored = await this.#quietly(async () => {
      try {
        await mark();
      } catch (error) {
        // The run is cancelled: once more, with what is left of the time.
        if (!hasCode(error, 'cancelled')) throw error;
        await mark(lastWrite);
      }
    });
    if (isStored && this.isKept) return;
    this.#init.log.warning(
      `Export job ${jobId} was started, but its id could not be written to the ${this.store.names.state}: a re-run of this job would start a new export. To attach to this one instead, give export-job-id: ${jobId}`,
    );
  }

  /** As `Delivery.markFailed`. */
  async markFailed(): Promise<void> {
    const { id, job, jobId, requestedAt } = this.state.record?.run ?? {};
    const { runId, job: ownJob } = this.#init.run;
    if (jobId === undefined || id !== runId || job !== ownJob) return;
    await this.#quietly(() => this.mark({ state: 'failed', jobId, requestedAtMs: timeOf(requestedAt) ?? 0 }));
  }

  /** Puts back what was there before `mark`, unless another run has written since; an update that was requested stays. Best effort. */
  async unmark(): Promise<void> {
    if (this.content?.update !== undefined) await this.#quietly(() => this.mark({ state: 'publishing' }));
    else if (this.#unmarked !== undefined) await this.#putBackQuietly(this.#unmarked);
  }

  /** Writes the link, and job and expiry next to it. */
  async deliver(delivered: Delivered): Promise<void> {
    const { jobId } = delivered;
    const { names } = this.store;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      await explained(unwritten(jobId), () => this.#catchUp('all'));
      refuseOlder({ names, opened: this.opened, linked: this.#linked, state: this.state }, delivered);
      const isAtomic = this.store.can.atomic && this.isKept;
      if (await (isAtomic ? this.#writeBoth(delivered) : this.#writeInTurn(delivered))) return;
    }
    throw conflictError(
      `Other runs keep writing ${names.destination}: the link of export job ${jobId} was given up after ${MAX_ROUNDS} rounds.`,
      jobId,
    );
  }

  async #writeBoth(delivered: Delivered): Promise<boolean> {
    const state = this.#textOf(confirmed(this.#change(delivered, this.#now), this.#ownRun));
    this.stateWritten = await this.#writeLink(delivered, this.state, state);
    return this.stateWritten;
  }

  /** State, link, state. A run may end after each: see `announced`. */
  async #writeInTurn(delivered: Delivered): Promise<boolean> {
    const before = this.state;
    const meaning = `The state was not written: the ${this.store.names.link} still holds the earlier link.`;
    const announcement = announced(this.#change(delivered, this.#now));
    if (!(await explained(meaning, () => this.#writeState(announcement)))) return false;
    if (this.isKept) {
      await explained(unwritten(delivered.jobId), () => this.#load('all'));
      if (!this.#isOwn) return false;
      await this.#refuseRaced(before, delivered);
    }
    const writtenFromMs = this.#init.clock.monotonicMs();
    if (!(await this.#writeLink(delivered, before))) return false;
    return !this.isKept || this.#confirm(delivered, writtenFromMs);
  }

  /** False: the store has versions, and another run came in between: everything is to be decided again. */
  async #writeLink({ jobId, link }: Delivered, before: State, state?: string): Promise<boolean> {
    try {
      const snapshot = await this.store.write({ link: link.url, state }, this.state.snapshot);
      this.#ownText = state ?? this.#ownText;
      this.state = this.#judge(snapshot);
    } catch (error) {
      if (hasCode(error, 'conflict')) return false;
      this.failed = true;
      if (state === undefined && isRefusal(error)) await this.#putBackQuietly(before);
      throw withMeaning(error, this.#failedWrite(error, jobId));
    }
    this.#noteWritten(before);
    return true;
  }

  #failedWrite(error: unknown, jobId: string): string {
    const { link } = this.store.names;
    const holds = isRefusal(error)
      ? `The ${link} still holds what it held before.`
      : `The ${link} holds the previous link or the new one; the next refresh writes it once more.`;
    return `${holds} ${notLost(jobId)}, which starts no second export.`;
  }

  #noteWritten(before: State): void {
    this.linkWritten = true;
    this.#linked = this.state;
    const [formerVersion, version] = [before.snapshot.link?.version, this.state.snapshot.link?.version];
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
    const { jobId } = delivered;
    const meaning = `The state was not written: the ${names.link} holds the new link, but the ${names.state} does not say when it expires: the next refresh comes too early, which does no harm.`;
    const { writtenAtMs = this.#init.clock.now() } = this.state.snapshot.link ?? {};
    await explained(meaning, () => this.#load('state'));
    if (!this.#isOwn) {
      await this.#load('all');
      if (!isOlder(this.state, delivered)) return false;
      await this.#noteLateLink();
      const what = `Its link may have been replaced in the ${names.link} by that of the earlier job`;
      throw olderError(names, this.state, { jobId, what });
    }
    const record = confirmed(this.#change(delivered, new Date(writtenAtMs).toISOString()), this.#ownRun);
    if (!(await explained(meaning, () => this.#writeState(record)))) return false;
    if (!this.#wasQuick(writtenFromMs) && (await this.#seesOtherLink())) {
      await this.#disown();
      const what = `Another run wrote the ${names.link} at the same time: it is unknown whether it holds the link of export job`;
      throw conflictError(`${what} ${jobId}.`, jobId);
    }
    this.stateWritten = this.isKept;
    return true;
  }

  /** The last write replaced the state of a run that has written the link since: nothing says whose it is. The next export does. */
  async #disown(): Promise<void> {
    await this.#writeState(this.#unconfirmed(ownerless(this.#base)));
  }

  /**
   * A newer job's state stays, but says that its link may not be there: the next refresh writes it. Its run may still be at work. A
   * link that came while this run replaced its state is its link where it had announced one.
   */
  async #noteLateLink(): Promise<void> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const replaced = this.state;
      if (replaced.record !== undefined) await this.#writeState(this.#unconfirmed(replaced.record));
      await this.#load('all');
      const { kind } = this.state.verdict;
      if (kind === 'fits' || (this.#isOwn && kind !== 'changed')) return;
      if (!this.#isOwn) continue;
      const isAnnounced = this.#judge({ ...replaced.snapshot, link: this.state.snapshot.link }).verdict.kind === 'fits';
      return isAnnounced ? void (await this.#writeState(this.#unconfirmed(this.#base))) : this.#disown();
    }
  }

  /** The link, as it was seen now, may be another one than that of the record. */
  #unconfirmed(record: StateRecord): StateRecord {
    const { snapshot } = this.state;
    const { digest } = snapshot.link ?? {};
    const isReadBack = this.store.can.verify === 'value' && digest !== undefined;
    const mark = isReadBack ? linkMark(this.#binding, digest) : undefined;
    return unconfirmed(record, snapshot, { at: this.#now, mark });
  }

  /** What is left to say where another run has written the link, and this run has `replaced` what it said about it. */
  #unsure(replaced: State): StateRecord {
    const known = this.#judge({ ...replaced.snapshot, link: this.state.snapshot.link });
    const base = this.#baseOf(known);
    return this.#unconfirmed(known.verdict.kind === 'fits' ? base : overtaken(base, this.#init.clock.now()));
  }

  /**
   * Throws where another run has written the link, this run has `replaced` its state, and that run may have been a newer export. Of two
   * refreshes of one job, and after an older export, this run's link is as good or better.
   */
  async #refuseRaced(replaced: State, { jobId, isExplicit, requestedAtMs }: Delivered): Promise<void> {
    if (isExplicit || sameLink(replaced, this.state)) return;
    const { verdict, record } = this.#judge({ ...replaced.snapshot, link: this.state.snapshot.link });
    const newer = record && newerExport(record, requestedAtMs, this.#init.clock.now());
    if (verdict.kind === 'fits' || newer === undefined) return;
    await this.#writeState(this.#unsure(replaced));
    throw conflictError(
      `Another run, probably the export job ${newer}, wrote the ${this.store.names.link} at the same time. The link of export job ${jobId} was not written.`,
      newer,
    );
  }

  /** What every record of this destination begins with; what is there and not ours to decide is kept. */
  get #base(): StateRecord {
    return this.#baseOf(this.state);
  }

  #baseOf(state: State): StateRecord {
    const record = caughtUp(state);
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
    return this.state.snapshot.state === this.#ownText;
  }

  /** Continues from what another run has written. */
  async #catchUp(what: 'state' | 'all'): Promise<void> {
    await this.#load(what);
    this.#ownText = this.state.snapshot.state;
  }

  /** Reads the destination again. `isOwn` then says whether another run has written the state; that is a warning, once. */
  async #load(what: 'state' | 'all'): Promise<void> {
    if (!this.isKept) return;
    await this.#read(what === 'state' ? this.state.snapshot : undefined);
    if (this.#isOwn || this.#warned) return;
    this.#warned = true;
    const { record } = this.state;
    const job = record === undefined ? 'not known' : (record.run?.jobId ?? record.jobId ?? 'not known yet');
    this.#init.log.warning(
      `Another run has written the ${this.store.names.state} since this one read it (its job: ${job}). Let only one run at a time write a destination: use a concurrency group.`,
    );
  }

  async #read(seen?: Snapshot): Promise<void> {
    this.#readAtMs = this.#init.clock.monotonicMs();
    const snapshot = await this.store.read(seen);
    if (snapshot.stateError !== undefined) this.#giveUp(snapshot.stateError);
    this.state = this.#judge(snapshot);
  }

  #judge(snapshot: Snapshot): State {
    const { names, can } = this.store;
    return judgeState({ binding: this.#binding, snapshot, names, readsLink: can.verify === 'value' });
  }

  /** False: another run has written in between, and the store refused. Does nothing where the state is not kept. */
  async #writeState(record: StateRecord, signal?: AbortSignal): Promise<boolean> {
    return !this.isKept || this.#writeText(this.#textOf(record), signal);
  }

  async #writeText(text: string, signal?: AbortSignal): Promise<boolean> {
    try {
      const snapshot = await this.store.write({ state: text }, this.state.snapshot, signal);
      this.#ownText = text;
      this.state = this.#judge(snapshot);
      return true;
    } catch (error) {
      if (hasCode(error, 'conflict')) return false;
      if (!isRefusal(error) && !hasCode(error, 'cancelled')) await this.#correctLost(text);
      this.#giveUp(error);
      return true;
    }
  }

  /** A write whose outcome is unknown may have replaced the state of a run that has written the link since. Best effort. */
  async #correctLost(text: string): Promise<void> {
    const before = this.state;
    if (this.store.can.verify !== 'date') return;
    await this.#quietly(async () => {
      await this.#read();
      if (this.state.snapshot.state === text && !sameLink(before, this.state)) await this.#disown();
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
      if (!this.isKept || !this.#isOwn) return;
      // A state is never deleted.
      const { state: text } = before.snapshot;
      const isSame = text !== undefined && caughtUp(before) === before.record;
      await this.#writeText(isSame ? text : this.#textOf(this.#baseOf(before)));
      if (!this.#wasQuick(this.#readAtMs) && (await this.#seesOtherLink())) await this.#disown();
    });
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

  #giveUp(error: unknown): void {
    // A 403 for another reason is not a missing right: it must not make a run continue without its state.
    const isMissing = hasCode(error, 'forbidden') && error.lacksPermission;
    if (!isMissing || this.#init.needsState) throw error;
    if (!this.isKept) return;
    this.isKept = false;
    const { link, state, stateRight } = this.store.names;
    this.#init.log.warning(
      `The credentials lack the ${stateRight}: the ${link} is written without the ${state}, so that a re-run cannot resume and a refresh cannot work.`,
    );
  }
}

function unwritten(jobId: string): string {
  return `Nothing was written. ${notLost(jobId)}.`;
}

function notLost(jobId: string): string {
  return `The export is not lost: attach to it with export-job-id: ${jobId}`;
}
