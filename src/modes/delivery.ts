import type { Clock } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { GitHub } from '../github/github.ts';
import { openSecret, type SecretStore } from '../github/secret.ts';
import { checkSecretEvent } from '../github/secret-event.ts';
import { workflowTokenError } from '../github/setting-error.ts';
import { targetName } from '../github/setting-scope.ts';
import type { SecretInputs } from '../inputs.ts';
import type { Log } from '../log.ts';
import type { BundleLink } from '../platform/link.ts';
import type { DeliveryFacts } from '../report/delivery-summary.ts';
import type { Write } from '../report/report.ts';
import { decideResume, type ReadState, type Resume, type State, variableName } from '../state.ts';
import { openStateBook, type StateBook } from './delivery/state-book.ts';

/** The deployment's secret and the state beside it, checked before anything starts. */
export interface Delivery {
  readonly state: ReadState;
  /** False where the token lacks the permission: the secret is written, the state is not. */
  readonly keepsState: boolean;
  /** What a re-run does about the export of an earlier attempt. */
  resume(): Resume;
  /** Notes that an export is about to be started; proves that the state can be written. */
  markStarting(): Promise<void>;
  markStarted(jobId: string): Promise<void>;
  /** Takes the note back after a start that was refused: nothing is running. Best effort. */
  unmarkStarting(): Promise<void>;
  /** Writes the link into the secret, and job and expiry beside it. */
  deliver(delivered: { jobId: string; link: BundleLink }): Promise<DeliveryFacts>;
  /** What `deliver` would write, for a dry run. */
  plan(): Write[];
}

export interface DeliveryInit {
  readonly secret: SecretInputs;
  readonly baseUrl: string;
  readonly adminApiKey: string;
  /** undefined: that of the state is kept. */
  readonly domain?: string | undefined;
  /** `refresh` cannot do without the state: a missing permission is `forbidden` there, and a warning elsewhere. */
  readonly needsState?: boolean;
  /** A refresh is no export: it leaves the record of the last one, so that a re-run of that still attaches. */
  readonly mode?: 'export' | 'refresh' | undefined;
}

export interface DeliveryDeps {
  readonly github: GitHub;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (facts: { secret: DeliveryFacts }) => void;
}

/**
 * Reads all that a later write needs: the event, the token, the public key, the secret as it is, the state. A token that
 * cannot reach them fails here, within a second, and not after half an hour of exporting.
 */
export async function openDelivery(init: DeliveryInit, deps: DeliveryDeps): Promise<Delivery> {
  const { secret } = init;
  await checkSecretEvent(deps.github);
  refuseWorkflowToken(secret);
  const octokit = await deps.github.connect(secret.token);
  const place = { octokit, target: secret.target, name: secret.name };
  const store = await openSecret({ ...place, clock: deps.clock, signal: deps.signal });
  const book = await openStateBook({ ...init, place: { ...place, access: store.access } }, deps);
  return new SecretDelivery({ init, deps, store, book });
}

function refuseWorkflowToken({ token, workflowToken, target }: SecretInputs): void {
  if (token === workflowToken) throw workflowTokenError(target);
}

interface Parts {
  readonly init: DeliveryInit;
  readonly deps: DeliveryDeps;
  readonly store: SecretStore;
  readonly book: StateBook;
}

class SecretDelivery implements Delivery {
  readonly #init: DeliveryInit;
  readonly #deps: DeliveryDeps;
  readonly #store: SecretStore;
  readonly #book: StateBook;

  constructor({ init, deps, store, book }: Parts) {
    this.#init = init;
    this.#deps = deps;
    this.#store = store;
    this.#book = book;
  }

  get state(): ReadState {
    return this.#book.found;
  }

  get keepsState(): boolean {
    return this.#book.isKept;
  }

  get #believed(): State | undefined {
    return this.state.kind === 'believed' ? this.state.state : undefined;
  }

  resume(): Resume {
    return decideResume({ state: this.#believed, run: this.#deps.github.run, domain: this.#init.domain });
  }

  // Job and expiry of the link that the secret still holds stay: a refresh in between must go on working.
  async #mark(run: { state: 'starting' | 'started'; jobId?: string }): Promise<void> {
    const { jobId, expiresAt } = this.#believed ?? {};
    await this.#book.write({ ...this.#frame(), jobId, expiresAt, run: { ...this.#runIds(), ...run } });
  }

  markStarting(): Promise<void> {
    return this.#mark({ state: 'starting' });
  }

  async markStarted(jobId: string): Promise<void> {
    try {
      await this.#mark({ state: 'started', jobId });
    } catch (error) {
      // The run ends here, and nothing but the log tells a person how to go on with what was started.
      this.#deps.log.info(
        `Export job ${jobId} goes on. To attach another run to it, add to the step: export-job-id: ${jobId}`,
      );
      throw error;
    }
  }

  async unmarkStarting(): Promise<void> {
    try {
      await this.#book.restore(this.#frame());
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      this.#deps.log.debug(`The note of the start was not taken back: ${error.message}`);
    }
  }

  #frame() {
    return { version: 1, domain: this.#init.domain ?? this.#believed?.domain, baseUrl: this.#init.baseUrl } as const;
  }

  #runIds() {
    const { runId, job } = this.#deps.github.run;
    return { id: runId, job };
  }

  async deliver({ jobId, link }: { jobId: string; link: BundleLink }): Promise<DeliveryFacts> {
    const expiresAt = link.expiresAt?.toISOString();
    const stored = await this.#readAgain(jobId);
    const own = { ...this.#runIds(), state: 'done', jobId } as const;
    const run = this.#init.mode === 'refresh' ? stored?.run : own;
    const state: State = { ...this.#frame(), jobId, expiresAt, run };
    // A crash between the two writes may make a refresh come too early, never too late.
    const stateFirst = expiresEarlier(link, stored);
    if (stateFirst) await this.#writeState(state, 'the secret still holds the earlier link');
    await this.#writeSecret({ jobId, link, stateFirst });
    this.#tell({ updated: true, stateWritten: stateFirst && this.#book.isKept });
    if (!stateFirst)
      await this.#writeState(
        state,
        `the secret holds the new link, but ${this.#variable} tells of the earlier one: the next refresh comes too early, which does no harm`,
      );
    return this.#tell({ updated: true, stateWritten: this.#book.isKept });
  }

  async #readAgain(jobId: string): Promise<State | undefined> {
    try {
      return await this.#book.readAgain();
    } catch (error) {
      throw withMeaning(
        error,
        `Nothing was written. The export is not lost: attach to it with export-job-id: ${jobId}.`,
      );
    }
  }

  get #variable(): string {
    return variableName(this.#init.secret.name);
  }

  async #writeState(state: State, meaning: string): Promise<void> {
    try {
      await this.#book.write(state);
    } catch (error) {
      throw withMeaning(error, `The state was not written: ${meaning}.`);
    }
  }

  async #writeSecret({
    jobId,
    link,
    stateFirst,
  }: {
    jobId: string;
    link: BundleLink;
    stateFirst: boolean;
  }): Promise<void> {
    const { name, target } = this.#init.secret;
    try {
      await this.#store.write(link.url);
      this.#deps.log.info(`Wrote the link to secret ${name} of ${targetName(target)}.`);
    } catch (error) {
      this.#tell({ updated: false, stateWritten: stateFirst && this.#book.isKept, reason: 'the write failed' });
      const state =
        stateFirst && this.#book.isKept
          ? ` ${this.#variable} tells of the new link already, so the next refresh comes in time.`
          : '';
      throw withMeaning(
        error,
        `The secret still holds what it held before.${state} The export is not lost: attach to it with export-job-id: ${jobId}, which starts no second export.`,
      );
    }
  }

  #tell(facts: Pick<DeliveryFacts, 'updated' | 'stateWritten' | 'reason'>): DeliveryFacts {
    const { name, target } = this.#init.secret;
    const reason =
      facts.reason ?? (this.#book.isKept ? undefined : `without ${this.#variable}: the token may not write variables`);
    const secret = { ...facts, name, target: targetName(target), reason };
    this.#deps.tell({ secret });
    return secret;
  }

  plan(): Write[] {
    const { name, target } = this.#init.secret;
    const where = targetName(target);
    const state = { action: 'write the state', target: `variable ${this.#variable} of ${where}` };
    return [{ action: 'write the link', target: `secret ${name} of ${where}` }, ...(this.#book.isKept ? [state] : [])];
  }
}

function expiresEarlier(link: BundleLink, stored: State | undefined): boolean {
  if (stored?.expiresAt === undefined) return false;
  return link.expiresAt === undefined || link.expiresAt.getTime() < Date.parse(stored.expiresAt);
}

function withMeaning(error: unknown, meaning: string): unknown {
  if (!(error instanceof CourierError) || error.code === 'cancelled') return error;
  const { code, hint, httpStatus, retryAfterMs } = error;
  return new CourierError({
    code,
    message: `${error.message} ${meaning}`,
    hint,
    cause: error,
    httpStatus,
    retryAfterMs,
  });
}
