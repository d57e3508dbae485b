import { CourierError, hasCode } from '../../errors.ts';
import type { LinkStore, Snapshot } from '../../stores/port.ts';
import { announcedState, confirmedState, type Delivered, timeOf } from './delivered.ts';
import { conflictError, explained, isRefusal, withMeaning } from './errors.ts';
import { sameLink, unconfirmedState } from './freshness.ts';
import { withoutExport } from './history.ts';
import { isOlder, olderError, refuseOlder } from './order.ts';
import type { RunIdentity } from './resume.ts';
import { RunMark } from './run-mark.ts';
import type { State } from './state.ts';
import { type Held, StoredState, type StoredStateInit } from './stored-state.ts';

export interface DestinationInit extends StoredStateInit {
  readonly run: RunIdentity;
}

interface LinkVersions {
  readonly version?: string | undefined;
  readonly formerVersion?: string | undefined;
}

const MAX_ROUNDS = 3;

/** One destination of the link, and the order in which link and state are written there. */
export class Destination {
  readonly store: LinkStore;
  readonly state: StoredState;
  readonly mark: RunMark;
  /** The link of this run is in the store. */
  linkWritten = false;
  /** The state says so. */
  stateWritten = false;
  /** The write of the link was tried and failed. */
  failed = false;
  /** The store's names of the version with this link and of the one with the former link, where it keeps versions. */
  versions: LinkVersions = {};
  readonly #init: DestinationInit;

  /** Reads link and state. Throws where the destination cannot be reached. */
  static async open(store: LinkStore, init: DestinationInit): Promise<Destination> {
    return new Destination(store, init, await StoredState.open(store, init));
  }

  private constructor(store: LinkStore, init: DestinationInit, state: StoredState) {
    this.store = store;
    this.state = state;
    this.mark = new RunMark(store, state, init);
    this.#init = init;
  }

  /** The latest time at which the state says that a job was asked for, epoch milliseconds; 0 where it says none. */
  get lastRequestMs(): number {
    const { requestedAt, run } = this.state.held.state ?? {};
    return Math.max(timeOf(requestedAt), timeOf(run?.requestedAt));
  }

  /** Puts back what was there before `mark`, unless another run has written since. Best effort. */
  async unmark(): Promise<void> {
    await this.#putBackQuietly(this.state.opened);
  }

  /** Writes the link, and job and expiry next to it. */
  async deliver(delivered: Delivered): Promise<void> {
    const { jobId } = delivered;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      await this.#catchUpFor(delivered);
      refuseOlder(this.store.names, this.state, delivered);
      const isAtomic = this.store.can.atomic && this.state.isKept;
      if (await (isAtomic ? this.#writeBoth(delivered) : this.#writeInTurn(delivered))) return;
    }
    throw conflictError(
      `Other runs keep writing ${this.store.names.destination}: the link of export job ${jobId} was given up after ${MAX_ROUNDS} rounds.`,
      jobId,
    );
  }

  /** False: another run came in between, and everything is to be decided again. */
  async #writeBoth(delivered: Delivered): Promise<boolean> {
    const { link, jobId } = delivered;
    const state = this.state.textOf(this.#confirmed(delivered, undefined));
    const before = this.state.held.snapshot;
    let after: Snapshot;
    try {
      after = await this.store.write({ link: link.url, state }, before);
    } catch (error) {
      if (hasCode(error, 'conflict')) return false;
      this.failed = true;
      throw withMeaning(error, this.#failedWrite(error, jobId));
    }
    this.state.took(state, after);
    this.#noteWritten(before, after);
    this.stateWritten = true;
    return true;
  }

  /** State, link, state. A run may end after each: see `announcedState`. */
  async #writeInTurn(delivered: Delivered): Promise<boolean> {
    const { names } = this.store;
    const before = this.state.held;
    const meaning = `The state was not written: the ${names.link} still holds the earlier link.`;
    if (!(await explained(meaning, () => this.state.write(announcedState(this.state, delivered, this.#now)))))
      return false;
    if (this.state.isKept) {
      await this.#loadFor(delivered);
      if (!this.state.isOwn) return false;
      const isSame = sameLink(before.snapshot, this.state.held.snapshot);
      if (!isSame && !delivered.isExplicit) throw await this.#raced(delivered);
    }
    const written = await this.#writeLink(delivered, before);
    if (written === undefined) return false;
    this.#noteWritten(before.snapshot, written);
    return !this.state.isKept || this.#confirm(delivered, written);
  }

  /** undefined: the store has versions, and another run came in between. */
  async #writeLink({ jobId, link }: Delivered, before: Held): Promise<Snapshot | undefined> {
    try {
      return await this.store.write({ link: link.url }, this.state.held.snapshot);
    } catch (error) {
      if (hasCode(error, 'conflict')) return undefined;
      this.failed = true;
      if (isRefusal(error)) await this.#putBackQuietly(before);
      throw withMeaning(error, this.#failedWrite(error, jobId));
    }
  }

  #failedWrite(error: unknown, jobId: string): string {
    const { link } = this.store.names;
    const holds = isRefusal(error)
      ? `The ${link} still holds what it held before.`
      : `The ${link} holds the former link or the new one; the next refresh writes it once more.`;
    return `${holds} The export is not lost: attach to it with export-job-id: ${jobId}, which starts no second export.`;
  }

  #noteWritten(before: Snapshot, after: Snapshot): void {
    this.linkWritten = true;
    const [formerVersion, version] = [before.link?.version, after.link?.version];
    if (version !== undefined) this.versions = { version, ...(formerVersion !== undefined && { formerVersion }) };
    const unseen =
      this.store.can.verify === 'none' ? ' The store shows nothing of it: its reply is the only confirmation.' : '';
    const which = version === undefined ? '' : `, version ${version}`;
    const former = formerVersion === undefined ? '' : ` The former link is version ${formerVersion}.`;
    this.#init.log.info(`Wrote the link to ${this.store.names.link}${which}.${former}${unseen}`);
  }

  /** After the link was written: the state says so, unless another run has written the state meanwhile. */
  async #confirm(delivered: Delivered, { link }: Snapshot): Promise<boolean> {
    const { names } = this.store;
    const meaning = `The state was not written: the ${names.link} holds the new link, but the ${names.state} does not say when it expires: the next refresh comes too early, which does no harm.`;
    await explained(meaning, () => this.state.load());
    if (this.state.isOwn) {
      const state = this.#confirmed(delivered, link?.writtenAtMs);
      const isWritten = await explained(meaning, () => this.state.write(state));
      this.stateWritten = isWritten && this.state.isKept;
      return isWritten;
    }
    if (!isOlder(this.state.held, delivered)) return false;
    await this.#leaveUnconfirmed();
    const what = `Its link may have been replaced in the ${names.link} by that of the earlier job`;
    throw olderError(names, this.state.held, { jobId: delivered.jobId, what });
  }

  /** A newer job's state stays, but says that its link may not be there: the next refresh writes it at once. */
  async #leaveUnconfirmed(): Promise<void> {
    const { state, snapshot } = this.state.held;
    if (state !== undefined) await this.state.write(unconfirmedState(state, snapshot, this.#now));
  }

  /** The link was written between our reading and our announcement, and that replaced the other run's state. */
  async #raced({ jobId }: Delivered): Promise<CourierError> {
    const { pending: _, ...rest } = this.state.base;
    // Nobody knows which job is the newer one: no refresh may go on with either by itself.
    const history = withoutExport(rest, jobId);
    await this.state.write({ ...rest, history, version: 2, jobId: undefined, expiresAt: undefined });
    return conflictError(
      `Another run wrote the ${this.store.names.link} at the same time. The link of export job ${jobId} was not written.`,
      jobId,
    );
  }

  #confirmed(delivered: Delivered, writtenAtMs: number | undefined): State {
    const at = writtenAtMs === undefined ? this.#now : new Date(writtenAtMs).toISOString();
    return confirmedState(this.state, delivered, { at, run: this.#ownRun });
  }

  get #ownRun() {
    const { runId, job } = this.#init.run;
    return { id: runId, job };
  }

  get #now(): string {
    return new Date(this.#init.clock.now()).toISOString();
  }

  async #catchUpFor(delivered: Delivered): Promise<void> {
    await this.#loadFor(delivered);
    this.state.accept();
  }

  async #loadFor({ jobId }: Delivered): Promise<void> {
    if (!this.state.isKept) return;
    const meaning = `Nothing was written. The export is not lost: attach to it with export-job-id: ${jobId}.`;
    await explained(meaning, () => this.state.load());
  }

  /** Best effort: a state that names this job already makes the next refresh hand it on, which does no harm. */
  async #putBackQuietly(before: Held): Promise<void> {
    try {
      await this.state.putBack(before);
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      this.#init.log.debug(`The state was not put back: ${error.message}`);
    }
  }
}
