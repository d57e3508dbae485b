import { CourierError } from '../ground/errors.ts';
import { delayedAbort } from '../http/http.ts';
import type { Write } from '../run/report.ts';
import type { LinkStore } from '../stores/port.ts';
import { actorOf, commitOf, joined, runKey, undoKey } from './change.ts';
import { type DeliveredJob, type PlacedJob, wantedIn } from './delivered-job.ts';
import { carryOut, Destination } from './destination.ts';
import type { Former } from './history.ts';
import { formerExport } from './jobs.ts';
import { inDestination, placeInAll, StartInAll } from './protocol/all.ts';
import type { Answer, SectionEnd } from './protocol/steps.ts';
import { replyTo, timeOfRun } from './requests.ts';
import type { RunContent } from './state.ts';
import { type StoredInit, StoredState } from './stored-state.ts';
import type { DeliveryFacts, DeliveryRecord } from './summary.ts';

// The state is the signed text next to a link, and says which export the link is of. Each decision
// has an order, a number higher than all before, the same in all destinations of a run. A run reads
// and writes a destination in a section, in which no other run writes.

// A cancelled run ends 4.5 s later at the latest: the rest of that time is for the report.
const LAST_WRITE_MS = 4300;

interface DeliveryInit extends StoredInit {
  readonly stores: readonly LinkStore[];
  readonly record: (facts: DeliveryRecord) => void;
}

/** The destinations of a link with their states, read before anything starts. */
export class Delivery extends StoredState {
  readonly #init: DeliveryInit;
  /** The destinations that could be reached when the run began. */
  readonly #reached: readonly Destination[];
  readonly #nowMs: () => number;
  readonly #lastWrite: AbortSignal;
  /** The order of the export that this run has started; undefined: it has started none. */
  #startedOrder: number | undefined;
  /**
   * The job that was live before `deliver`; undefined: none is known, or this run only refreshed
   * the link.
   */
  former: Former | undefined;

  /**
   * Reads what a later write needs. Credentials that do not reach a destination fail here, before
   * the export. A refresh or a rollback continues with the destinations that can be reached, and
   * fails at its end.
   */
  static async open(init: DeliveryInit): Promise<Delivery> {
    const nowMs = timeOfRun(init.clock);
    const all = init.stores.map((store) => new Destination(store, init, nowMs));
    // An export ends before it starts anything; a refresh or a rollback writes what it can.
    const continuesWithOthers = init.by !== 'export' && all.length > 1;
    for (const destination of all) {
      try {
        await destination.open();
      } catch (error) {
        if (!continuesWithOthers || !(error instanceof CourierError)) throw error;
        if (error.code === 'cancelled') throw error;
        destination.error = error;
      }
    }
    const delivery = new Delivery(init, all, nowMs);
    refuseSameDestination(delivery.#reached);
    // No destination could be reached: this throws why.
    if (delivery.#reached.length === 0) delivery.assertComplete();
    return delivery;
  }

  private constructor(init: DeliveryInit, all: readonly Destination[], nowMs: () => number) {
    super(init, all);
    this.#init = init;
    // `open` has given an error to the others.
    this.#reached = this.usable;
    this.#nowMs = nowMs;
    this.#lastWrite = delayedAbort(init.signal, LAST_WRITE_MS);
    // A refresh or a rollback stops at a changed link; an export replaces it.
    if (init.by !== 'export') return;
    for (const { situationAtStart, whyChanged } of this.usable) {
      if (situationAtStart.kind === 'changed')
        init.log.warning(`${whyChanged} This export replaces the link.`);
    }
  }

  /** Sets what this run has published: the next writes of the state contain it. */
  setContent(content: RunContent): void {
    for (const destination of this.usable) destination.content = content;
  }

  /** Stores what this run is about to publish, or has asked for, so that a re-run knows it. */
  async markPublishing(content: RunContent): Promise<void> {
    for (const destination of this.usable) {
      destination.content = content;
      if (!destination.keepsState) continue;
      const steps = inDestination(destination, destination.storeContent(content));
      const error = destination.failureOf(await carryOut(steps, this.#lastWrite));
      // If this write has shown that the right to the state is missing, the run continues without.
      if (error !== undefined && destination.keepsState) throw error;
    }
  }

  /**
   * Starts an export, in the section of every destination: no other run can start or place one
   * meanwhile, as far as the stores allow that, and each state names the job right after. Throws
   * before anything starts if a state cannot be written, and what `start` throws.
   */
  async start<T extends { readonly jobId: string }>(start: () => Promise<T>): Promise<T> {
    // Kept here, since the steps know only its `jobId`.
    let started: T | undefined;
    const askPlatform = async (): Promise<Answer> => {
      started = await start();
      return { kind: 'started', jobId: started.jobId };
    };
    const sections = new StartInAll(this.usable);
    const sendStart = () => replyTo(askPlatform, this.#nowMs);
    const reply = await carryOut(sections.run(), this.#lastWrite, sendStart);
    // 0: no destination keeps a state, so none has given the export an order.
    if (sections.order > 0) this.#startedOrder = sections.order;
    const refusal = sections.refused?.destination.failureOf(sections.refused.end);
    if (refusal !== undefined) throw refusal;
    if ('error' in reply) throw reply.error;
    if (started === undefined) throw new Error('The platform was not asked.');
    // The export is started: the run does not end because a state does not name it.
    for (const [destination, end] of sections.ends) {
      const failure = destination.failureOf(end);
      if (failure !== undefined) this.#warnOfLostId(failure, destination, started.jobId);
    }
    return started;
  }

  /**
   * If the state does not name the started job, the export continues, and an annotation says how to
   * attach to it.
   */
  #warnOfLostId(error: CourierError, { store }: Destination, jobId: string): void {
    const { log } = this.#init;
    log.info(`The ${store.names.state} was not written: ${error.message}`);
    log.warning(
      `Export job ${jobId} was started, but its id could not be written to the ${store.names.state}: a re-run of this job would start a new export. To attach to this one instead, give export-job-id: ${jobId}`,
    );
  }

  /**
   * Notes the job that was live in `former`, and writes the link into every destination. Failures
   * are thrown together once all were tried.
   */
  async deliver(job: DeliveredJob): Promise<DeliveryFacts> {
    const { by, run } = this.#init;
    // A refresh or a rollback runs for another commit than the export did.
    const commit = by === 'export' ? commitOf(run) : undefined;
    const details = { ...job.details, commit, by: actorOf(run) };
    // Two exports with one image have the same content. Only the state of a destination that keeps
    // images names the image: `wantedIn` adds it there.
    const detailsWithImage = { ...details, image: job.image };
    // Before the writes: after them, every state names this job.
    this.former = formerExport(this.records, job.jobId, by, detailsWithImage);
    // An export keeps the order that it got at its start.
    const intent = { ...job.intent, order: job.intent.order ?? this.#startedOrder };
    const toPlace = { ...job, by, details, intent, key: runKey(run) };
    for (const { requests } of this.usable) requests.linkOf = job.linkOf;
    await this.#placeLinks(this.usable, toPlace, (destination, end, error) => {
      destination.error = error;
      if (end.kind === 'done') destination.stateWritten ||= destination.keepsState;
      // After each destination, so that the report of a run that is killed is right.
      this.#init.record({ delivery: this.#facts, exports: this.exports });
    });
    this.assertComplete();
    return this.#facts;
  }

  /**
   * Places the link in these destinations. Calls `onEnd` with the end of each section, and its
   * error. Throws at once if the run was cancelled.
   */
  async #placeLinks(
    all: readonly Destination[],
    toPlace: PlacedJob,
    onEnd: (destination: Destination, end: SectionEnd, error: CourierError | undefined) => void,
  ): Promise<void> {
    const { jobId, intent } = toPlace;
    const hasOthers = all.length > 1;
    const steps = placeInAll(
      all,
      intent.order,
      (destination, order, isFirst) => wantedIn(destination, toPlace, order, isFirst, hasOthers),
      (destination, end) => {
        const error = destination.failureOf(end, { jobId, from: intent.from });
        onEnd(destination, end, error);
        if (error?.code === 'cancelled') throw error;
      },
    );
    await carryOut(steps, this.#lastWrite);
  }

  /**
   * Takes `deliver` back, as a rollback, in every destination that has the link of `replaces`; the
   * link of any other job stays. Gives the addresses of the destinations that now have the previous
   * link, and the joined failures of the others: a `conflict` first, which says that another run
   * has written meanwhile.
   */
  async putBack(
    change: Pick<DeliveredJob, 'jobId' | 'link'> & { readonly replaces: string },
  ): Promise<{
    readonly restored: readonly string[];
    readonly failure?: CourierError | undefined;
  }> {
    const { run, record: report } = this.#init;
    const { jobId, link, replaces } = change;
    const toPlace: PlacedJob = {
      jobId,
      link,
      image: this.imageOf(jobId),
      by: 'rollback',
      details: { by: actorOf(run) },
      intent: { kind: 'rollback', from: replaces },
      key: undoKey(run),
    };
    const { reason: formerReason } = this.#facts;
    // undefined: the link was written. If there is a second round, with a higher order, it counts.
    const failures = new Map<Destination, CourierError | undefined>();
    await this.#placeLinks(this.#reached, toPlace, (one, _end, error) => failures.set(one, error));
    const restored = this.#reached
      .filter((one) => failures.get(one) === undefined)
      .map((one) => one.store.names.destination);
    // The report is about the link of `replaces`. After a `conflict`, another run has replaced it;
    // after any other failure it is still there.
    const destinations = this.all.map((one) => {
      const error = failures.get(one);
      const isReplaced = error === undefined || error.code === 'conflict';
      return { ...one.facts, written: one.linkWritten && !isReplaced };
    });
    let reason = formerReason;
    if (restored.length > 0) reason = `the previous export job ${jobId} was restored`;
    const updated = destinations.every((one) => one.written);
    const delivery = { ...this.#facts, updated, reason, destinations };
    report({ delivery, exports: this.exports, changed: updated });
    const errors = [...failures.values()].filter((one) => one !== undefined);
    const conflicts = errors.filter((one) => one.code === 'conflict');
    return {
      restored,
      // `joined` takes an error that is there twice only once.
      failure: joined([...conflicts, ...errors]),
    };
  }

  /** Throws what went wrong in the destinations, as one error. */
  assertComplete(): void {
    const failure = joined(this.all.flatMap(({ error }) => error ?? []));
    if (failure !== undefined) throw failure;
  }

  /** What `deliver` would write, for a dry run. Throws what would fail the run at its end. */
  plan(): Write[] {
    this.assertComplete();
    const writes: Write[] = [];
    for (const { store, keepsState } of this.usable) {
      const action = store.can.keepsImage
        ? 'push the site as an image, and move the tag'
        : 'write the link';
      writes.push({ action, target: store.names.link });
      if (keepsState) writes.push({ action: 'write the state', target: store.names.state });
    }
    return writes;
  }

  /** What became of the link so far. */
  get #facts(): DeliveryFacts {
    const first = this.first;
    return {
      updated: this.all.every((one) => one.linkWritten),
      name: first.store.names.name,
      target: first.store.names.target,
      stateWritten: first.stateWritten,
      reason: reasonOf(first),
      destinations: this.all.map((one) => one.facts),
    };
  }
}

/**
 * Throws if two addresses mean the same destination, such as the name and the ARN of a secret: that
 * is known once both are open.
 */
function refuseSameDestination(destinations: readonly Destination[]): void {
  for (const [index, { name, store }] of destinations.entries()) {
    const same = destinations.slice(0, index).find((one) => one.name === name);
    if (same === undefined) continue;
    throw new CourierError({
      code: 'config',
      message: `${store.names.destination} and ${same.store.names.destination} are the same destination. Nothing was written.`,
      hint: 'Name it once.',
    });
  }
}

/** Why something was not written; undefined: everything was. */
function reasonOf({ linkFailed, keepsState, store }: Destination): string | undefined {
  if (linkFailed) return 'the write failed';
  if (keepsState) return undefined;
  return `without its state: the ${store.names.stateRight} is missing`;
}
