import { CourierError, hasCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { LinkStore } from '../../stores/port.ts';
import type { RunProgress } from './delivered.ts';
import { conflictError } from './errors.ts';
import type { RunIdentity } from './resume.ts';
import type { StoredState } from './stored-state.ts';

/** Once `cancelled` is aborted, `lastWrite` limits a write instead. */
interface MarkLimits {
  readonly cancelled: AbortSignal;
  readonly lastWrite: AbortSignal;
}

const MAX_ROUNDS = 3;

/** How far a run has come with its own export, in the state of one destination. */
export class RunMark {
  readonly #store: LinkStore;
  readonly #state: StoredState;
  readonly #run: { readonly id: string; readonly job: string };
  readonly #log: Log;

  constructor(store: LinkStore, state: StoredState, { run, log }: { readonly run: RunIdentity; readonly log: Log }) {
    this.#store = store;
    this.#state = state;
    this.#run = { id: run.runId, job: run.job };
    this.#log = log;
  }

  /** Stores how far this run has come with its export. `signal` is for a last write after the run was cancelled. */
  async write({ requestedAtMs, ...progress }: RunProgress, signal?: AbortSignal): Promise<void> {
    if (!this.#state.isKept) return;
    const run = { ...this.#run, ...progress, requestedAt: new Date(requestedAtMs).toISOString() };
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      // After a cancellation there is no time to read again.
      if (signal === undefined) await this.#catchUp();
      // Job and expiry of the link that is there now stay: a refresh in between must go on working.
      if (await this.#state.write({ ...this.#state.base, run }, signal)) return;
    }
    throw conflictError(`Other runs keep writing the ${this.#store.names.state}.`, progress.jobId);
  }

  /** As `Delivery.markStarted`. */
  async writeStarted(jobId: string, requestedAtMs: number, limits: MarkLimits): Promise<void> {
    try {
      await this.#writeNow({ state: 'started', jobId, requestedAtMs }, limits);
      if (this.#state.isKept) return;
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      this.#log.info(`The id was not stored: ${error.message}`);
    }
    this.#log.warning(
      `Export job ${jobId} was started, but its id could not be written to the ${this.#store.names.state}: a re-run of this job would start a new export. To attach to this one instead, give export-job-id: ${jobId}`,
    );
  }

  async #writeNow(progress: RunProgress, { cancelled, lastWrite }: MarkLimits): Promise<void> {
    try {
      await this.write(progress, cancelled.aborted ? lastWrite : undefined);
    } catch (error) {
      // The run was cancelled during the write: once more, with what is left of the time.
      if (!hasCode(error, 'cancelled')) throw error;
      await this.write(progress, lastWrite);
    }
  }

  async #catchUp(): Promise<void> {
    if (!this.#state.isKept) return;
    await this.#state.load();
    this.#state.accept();
  }
}
