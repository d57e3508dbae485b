import { randomUUID } from 'node:crypto';
import type { CourierError } from '../ground/errors.ts';
import type { Context } from '../run/context.ts';
import { type LinkStore, linkDigest, type Snapshot, type StoreUse } from '../stores/port.ts';
import { checkNothingIsLost, type LinkedJob, linkError, stateError } from './change.ts';
import { describeChange } from './found.ts';
import { inDestination, type RunSteps } from './protocol/all.ts';
import { Part } from './protocol/part.ts';
import type { Found } from './protocol/situation.ts';
import { Interruption, isCancelled, type Reply, type SectionEnd } from './protocol/steps.ts';
import { Requests } from './requests.ts';
import {
  type Announcement,
  linkMark,
  type RunIdentity,
  type StateBinding,
  type StateRecord,
} from './state.ts';
import type { DestinationFacts } from './summary.ts';

// The state is the signed text next to a link, and says which export the link is of. What a run
// reads and writes are requests that generators give (`steps`): here they are sent, one at a time,
// and the generators are given the replies.

export interface DestinationInit
  extends Omit<StateBinding, 'address'>,
    Pick<Context, 'log' | 'clock' | 'signal'> {
  /** True: without the right to the state the run fails. False: it continues with a warning. */
  readonly needsState: boolean;
  /** A person has said that whatever a destination contains may be replaced. */
  readonly takeOver?: boolean | undefined;
  readonly use?: StoreUse;
  /** True if the preflight of the store took place already. */
  readonly isChecked?: boolean;
  readonly run: RunIdentity;
}

/**
 * Sends the requests of the steps, each to the store of its destination, until the steps end. Gives
 * their result. `start` asks the platform to start the export. `lastWrite` is aborted some seconds
 * after the run was cancelled: it is the signal of the requests that must still take place then.
 */
export async function carryOut<T>(
  steps: RunSteps<Destination, T>,
  lastWrite: AbortSignal,
  start: () => Promise<Reply> = () => Promise.reject(new Error('Only an export is started.')),
): Promise<T> {
  // Even if the run is cancelled, the id of a started export is stored, and an unused claim ended:
  // the requests after the start, and after the cancellation, have `lastWrite`. undefined: the
  // signal of the run.
  let signal: AbortSignal | undefined;
  try {
    let next = steps.next();
    while (!next.done) {
      const { destination, request } = next.value;
      // Only the start, which is the one request to the platform, has no `destination`.
      const reply: Reply = await (destination?.requests.reply(request, signal) ?? start());
      if (destination === undefined || isCancelled(reply)) signal = lastWrite;
      next = steps.next(reply);
    }
    return next.value;
  } catch (error) {
    throw error instanceof Interruption ? error.error : error;
  }
}

/**
 * One destination of the link with its state, in a store. `Part` decides what to do there, and
 * `Requests` sends its requests; this class opens the store, and says in errors and in the log what
 * became of it.
 */
export class Destination extends Part {
  readonly store: LinkStore;
  readonly requests: Requests;
  /** Why nothing more is done here. */
  error: CourierError | undefined;
  /** The link of this run is in the store. */
  linkWritten = false;
  /** The state in the store names the link of this run. */
  stateWritten = false;
  /** The write of the link was tried and failed. */
  linkFailed = false;
  /**
   * The store's names of the version with this link and of the one with the previous link, if it
   * keeps versions.
   */
  versions: Pick<DestinationFacts, 'version' | 'formerVersion'> = {};
  #hasWarnedOfLate = false;
  readonly #init: DestinationInit;

  constructor(store: LinkStore, init: DestinationInit, nowMs: () => number) {
    const { run, takeOver = false, clock } = init;
    // Some stores know their signed address only once they are open.
    const binding = () => ({ ...init, address: store.signedAddress });
    super({
      run,
      takeOver,
      store,
      wallMs: () => clock.now(),
      token: randomUUID,
      markOf: (link) => linkMark(binding(), linkDigest(link)),
    });
    this.store = store;
    this.#init = init;
    this.requests = new Requests({
      ...init,
      store,
      binding,
      nowMs,
      onLink: (before, after) => this.#noteWritten(before, after),
      continueWithoutState: (error) => this.#continueWithoutState(error),
    });
  }

  /**
   * Checks that the destination can be used, and reads link and state. Throws if it cannot be
   * reached.
   */
  async open(): Promise<void> {
    const { takeOver = false, use, log, isChecked } = this.#init;
    // A caller that shows the results of the preflight has made it itself.
    if (isChecked !== true) await this.store.preflight(use);
    const reading = await carryOut(inDestination(this, this.look()), this.#init.signal);
    const warning = checkNothingIsLost(this.store, reading, takeOver, use);
    if (warning !== undefined) log.warning(warning);
    const { found } = reading;
    // Of every other reason, `checkNothingIsLost` has told a run that writes.
    if (found.state === 'bad-signature' || (use === 'read' && found.why !== undefined)) {
      log.warning(
        `The ${this.store.names.state} is ignored because ${found.why}. To continue with a known job, give export-job-id.`,
      );
    }
  }

  get record(): StateRecord {
    return this.situation.record;
  }

  get facts(): DestinationFacts {
    const { error } = this;
    return {
      destination: this.store.names.destination,
      written: this.linkWritten,
      ...this.versions,
      error: error && { code: error.code, message: error.message },
    };
  }

  /** What link and state were when the run began; undefined: they were not read. */
  get foundAtStart(): Found | undefined {
    return this.readingAtStart?.found;
  }

  /** One or two sentences: how the link differs from what the state knows. */
  get whyChanged(): string {
    // Nothing is known of a destination that could not be reached.
    if (this.reading === undefined) return '';
    return describeChange(this.record, this.reading.handle, this.store.names);
  }

  /**
   * The error of a section that did not do what was asked for; undefined: it did. `job`: whose link
   * should have been written; undefined: only the state.
   */
  failureOf(end: SectionEnd, job?: LinkedJob): CourierError | undefined {
    if (end.kind === 'done') return undefined;
    if (job === undefined) return stateError(end, this.store.names);
    return linkError(end, this.store, job, this.whyChanged);
  }

  /** Notes what the end of a section says of the link. */
  protected override noteEnd(end: SectionEnd): void {
    super.noteEnd(end);
    // It wrote no link, or a fresh link of another job has replaced it.
    if (end.kind === 'stopped') {
      if (end.overwrote === 'repaired') this.linkWritten = false;
      return;
    }
    this.linkWritten ||= end.linkWritten;
    if (end.kind === 'done') {
      // Another link of the job that is live replaces no export.
      const live = end.reading.found.record?.jobId;
      this.#warnOfLateLink(end.mayArrive?.find(({ job }) => job !== live));
    }
    // If another request failed, the link was not tried, or is in place.
    else if (end.at === 'write-link' && !end.linkWritten) this.linkFailed = true;
  }

  /**
   * Warns once if a link that another run has sent may still arrive and replace what is live.
   * `late` is the first such link: the cure is the same for all.
   */
  #warnOfLateLink(late: Announcement | undefined): void {
    if (late === undefined || this.#hasWarnedOfLate) return;
    this.#hasWarnedOfLate = true;
    const { destination } = this.store.names;
    this.#init.log.warning(
      `A link of export job ${late.job} that run ${late.run} was writing to ${destination} may still arrive there, within five minutes, and replace what is live. The next refresh writes the right link again. Let only one run at a time write a destination: use a concurrency group.`,
    );
  }

  /** Notes and logs that the link was written, with its versions if the store keeps versions. */
  #noteWritten(before: Snapshot, after: Snapshot): void {
    this.linkWritten = true;
    const version = after.link?.version;
    // An image may be there already, and its tag is moved to what it names.
    let formerVersion = before.link?.version;
    if (formerVersion === version) formerVersion = undefined;
    if (version !== undefined) this.versions = { version, formerVersion };
    const { can, names } = this.store;
    // A store that keeps images has the reference of an image instead of a link.
    let text = can.keepsImage ? 'The image is live under the' : 'Wrote the link to';
    text += ` ${names.link}${version === undefined ? '' : `, version ${version}`}.`;
    if (formerVersion !== undefined)
      text += ` The previous ${can.keepsImage ? 'image' : 'link'} is version ${formerVersion}.`;
    if (can.shows === 'nothing')
      text += ' The store shows nothing of it: its reply is the only confirmation.';
    this.#init.log.info(text);
  }

  /**
   * Lets the run continue without the state, and warns once, if the right to the state is missing,
   * the run does not need it, and there is no state that would become wrong. False: it cannot
   * continue. A 403 for another reason is not a missing right.
   */
  #continueWithoutState(error: CourierError): boolean {
    const lacksRight = error.code === 'forbidden' && error.lacksPermission;
    const hasState = this.foundAtStart !== undefined && this.foundAtStart.state !== 'missing';
    if (!lacksRight || hasState || this.#init.needsState) return false;
    // Set to false below: a later request of this run fails in the same way.
    const isFirstTime = this.keepsState;
    if (isFirstTime) {
      const { link, state, stateRight } = this.store.names;
      this.#init.log.warning(
        `The credentials lack the ${stateRight}: the ${link} is written without the ${state}, so that a re-run cannot resume and a refresh cannot work.`,
      );
    }
    this.keepsState = false;
    return true;
  }
}
