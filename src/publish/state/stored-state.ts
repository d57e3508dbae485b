import type { Clock } from '../../clock.ts';
import { hasCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { LinkStore, Snapshot } from '../../stores/port.ts';
import { type Fit, judgeFit, settled } from './freshness.ts';
import { cutHistory } from './history.ts';
import { linkMark, type ReadState, readState, type State, type StateDestination, writeState } from './state.ts';

export interface StoredStateInit {
  readonly baseUrl: string;
  readonly adminApiKey: string;
  /** undefined: that of the state is kept. */
  readonly domain?: string | undefined;
  readonly projectId?: string | undefined;
  /** A missing right to the state is then an error, and otherwise a warning. */
  readonly needsState: boolean;
  readonly log: Log;
  readonly clock: Clock;
}

/** What the destination held when it was last read or written. */
export interface Held {
  readonly snapshot: Snapshot;
  readonly read: ReadState;
  /** The state, where it is valid. */
  readonly state: State | undefined;
  readonly fit: Fit;
}

/** The state next to a link, as this run found it and writes it. */
export class StoredState {
  /** What was there when this run came. */
  readonly opened: Held;
  readonly #store: LinkStore;
  readonly #init: StoredStateInit;
  readonly #destination: StateDestination;
  #held: Held;
  /** The text as this run last read or wrote it. */
  #knownText: string | undefined;
  #isKept = true;
  #warned = false;

  /** Throws where the destination cannot be reached. */
  static async open(store: LinkStore, init: StoredStateInit): Promise<StoredState> {
    return new StoredState(store, init, await store.open());
  }

  private constructor(store: LinkStore, init: StoredStateInit, snapshot: Snapshot) {
    this.#store = store;
    this.#init = init;
    this.#destination = { adminApiKey: init.adminApiKey, baseUrl: init.baseUrl, signed: store.signed };
    if (snapshot.stateError !== undefined) this.#giveUp(snapshot.stateError);
    this.#held = this.#judge(snapshot);
    this.opened = this.#held;
    this.#knownText = snapshot.state;
    const { read } = this.opened;
    if (read.kind !== 'ignored') return;
    init.log.warning(
      `The ${store.names.state} is ignored because ${read.why}. To go on with a known job, give export-job-id.`,
    );
  }

  get held(): Held {
    return this.#held;
  }

  /** False from the moment when a missing right showed: nothing is read or written any more. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** True while what was last read is what this run read or wrote before. */
  get isOwn(): boolean {
    return this.#held.snapshot.state === this.#knownText;
  }

  /** What every state of this destination begins with; what is there and not ours to decide is kept. */
  get base(): State {
    const { state: found, fit, snapshot } = this.#held;
    const state = found && settled(found, fit, snapshot);
    const { baseUrl, domain = state?.domain, projectId = state?.projectId } = this.#init;
    return { ...state, version: 2, domain, projectId, baseUrl };
  }

  /** Reads the destination again. `isOwn` then says whether another run has written the state; that is a warning, once. */
  async load(): Promise<void> {
    const own = this.#knownText;
    const snapshot = await this.#store.open();
    if (snapshot.stateError !== undefined) this.#giveUp(snapshot.stateError);
    this.#held = this.#judge(snapshot);
    if (snapshot.state !== own) this.#warnOfOthers();
  }

  /** The store has taken this text: what it then shows is this run's own. */
  took(text: string, snapshot: Snapshot): void {
    this.#knownText = text;
    this.#held = this.#judge(snapshot);
  }

  /** Goes on from what another run has written. */
  accept(): void {
    this.#knownText = this.#held.snapshot.state;
  }

  /** False: another run has written in between, and the store refused. Does nothing where the state is not kept. */
  async write(state: State, signal?: AbortSignal): Promise<boolean> {
    return !this.#isKept || this.#writeText(this.textOf(state), signal);
  }

  /** With so much of the history as the store has room for. */
  textOf(state: State): string {
    const { maxStateBytes = Number.POSITIVE_INFINITY } = this.#store.can;
    const textOf = (cut: State) => writeState(this.#destination, cut);
    return textOf(cutHistory(state, (cut) => Buffer.byteLength(textOf(cut)) <= maxStateBytes));
  }

  /** Puts back what `former` read, unless another run has written since. */
  async putBack(former: Held): Promise<void> {
    if (!this.#isKept) return;
    await this.load();
    if (!this.isOwn) return;
    await this.#writeText(this.#textOfFormer(former));
  }

  #textOfFormer({ state, fit, snapshot }: Held): string {
    const { domain, baseUrl, projectId } = this.#init;
    // A state is never deleted.
    if (snapshot.state === undefined) return this.textOf({ version: 2, domain, projectId, baseUrl });
    const now = state && settled(state, fit, snapshot);
    return now === undefined || now === state ? snapshot.state : this.textOf(now);
  }

  /** For `written.link` and `pending.link`; only where the store can read the link back is there anything to compare with. */
  markOf(digest: string | undefined): string | undefined {
    return digest === undefined || this.#store.can.verify !== 'value' ? undefined : linkMark(this.#destination, digest);
  }

  async #writeText(text: string, signal?: AbortSignal): Promise<boolean> {
    try {
      this.took(text, await this.#store.write({ state: text }, this.#held.snapshot, signal));
      return true;
    } catch (error) {
      if (hasCode(error, 'conflict')) return false;
      this.#giveUp(error);
      return true;
    }
  }

  #judge(snapshot: Snapshot): Held {
    const read = this.#read(snapshot.state);
    if (read.kind !== 'valid') return { snapshot, read, state: undefined, fit: { kind: 'unknown' } };
    const { state, version } = read;
    const mark = this.markOf(snapshot.link?.digest);
    return { snapshot, read, state, fit: judgeFit({ state, version, snapshot, mark, names: this.#store.names }) };
  }

  #read(text: string | undefined): ReadState {
    const read = readState(this.#destination, text);
    if (read.kind !== 'valid') return read;
    const { domain, projectId } = this.#init;
    // A refresh that was given its job by id knows no site.
    const own = read.state.domain;
    if (domain !== undefined && own !== undefined && own !== domain) return ignored(`it belongs to the site ${own}`);
    const project = read.state.projectId;
    const fits = projectId === undefined || project === undefined || project === projectId;
    return fits ? read : ignored(`it belongs to the project ${project}`);
  }

  #warnOfOthers(): void {
    if (this.#warned) return;
    this.#warned = true;
    const { state } = this.#held;
    const job = state === undefined ? 'not known' : (state.run?.jobId ?? state.jobId ?? 'not known yet');
    this.#init.log.warning(
      `Another run has written the ${this.#store.names.state} since this one read it (its job: ${job}). Let only one run at a time write a destination: use a concurrency group.`,
    );
  }

  #giveUp(error: unknown): void {
    // Another reason for a 403 is no missing right: it must not make a run go on without its state.
    const isMissing = hasCode(error, 'forbidden') && error.lacksPermission;
    if (!isMissing || this.#init.needsState) throw error;
    if (!this.#isKept) return;
    this.#isKept = false;
    const { link, state, stateRight } = this.#store.names;
    this.#init.log.warning(
      `The credentials lack the ${stateRight}: the ${link} is written without the ${state}, so that a re-run cannot resume and a refresh cannot work.`,
    );
  }
}

function ignored(why: string): ReadState {
  return { kind: 'ignored', why };
}
