import { CourierError } from '../ground/errors.ts';
import { delayedAbort } from '../http/http.ts';
import type { BundleLink } from '../platform/link.ts';
import type { Write } from '../run/report.ts';
import { actorOf, commitOf, joined } from './change.ts';
import { carryOut, Destination } from './destination.ts';
import type { DeliveredBy, ExportDetails, Former } from './history.ts';
import { formerExport } from './jobs.ts';
import { inDestination, placeInAll, StartInAll } from './protocol/all.ts';
import type { Wanted } from './protocol/place.ts';
import type { Wish } from './protocol/situation.ts';
import type { Answer } from './protocol/steps.ts';
import { type LinkOf, timeOfRun } from './requests.ts';
import { type RunContent, runKey, undoKey } from './state.ts';
import { type DeliveryInit, StoredState } from './stored-state.ts';
import type { DeliveryFacts } from './summary.ts';

// The state is the signed text next to a link, and says which export the link is of. Each decision
// has an order, a number higher than all before, the same in all destinations of a run. A run reads
// and writes a destination in a section, in which no other run writes.

// A cancelled run ends 4.5 s later at the latest: the rest of that time is for the report.
const LAST_WRITE_MS = 4300;

/** Why a job is put in place, and how new that decision is. */
export interface Intent {
  /** `named`: a person has named the job, which may replace any other. */
  readonly kind: Wish['kind'];
  /** The order of the decision; undefined: it is made now, and newer than all known ones. */
  readonly order?: number | undefined;
  /** The job that a rollback replaces. */
  readonly from?: string | undefined;
}

/** A job whose link is put in place. */
export interface DeliveredJob {
  readonly jobId: string;
  readonly intent: Intent;
  /** undefined: no destination contains a link, see `needsLink`. */
  readonly link: BundleLink | undefined;
  /** `REGISTRY/REPOSITORY@sha256:…`, for the destination that keeps images. */
  readonly image?: string | undefined;
  /** What is known of the export besides the run. */
  readonly details?: ExportDetails;
  /** For a job whose link this run has replaced, although it stays live. */
  readonly linkOf?: LinkOf;
}

/** A job with what its run adds to it. */
interface PlacedJob extends DeliveredJob {
  readonly by: DeliveredBy;
  readonly details: ExportDetails;
  /** Run and job, or what stands for them in a rollback that this run makes of its own export. */
  readonly key: string;
}

/** The destinations of a link with their states, read before anything starts. */
export class Delivery extends StoredState {
  /** The destinations that could be reached when the run began. */
  readonly #reached = this.usable;
  readonly #lastWrite = delayedAbort(this.init.signal, LAST_WRITE_MS);
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
        if (!continuesWithOthers || !(error instanceof CourierError) || error.code === 'cancelled')
          throw error;
        destination.error = error;
      }
    }
    const delivery = new Delivery(init, all);
    const reached = delivery.#reached;
    for (const { situationAtStart, whyChanged } of reached) {
      // A refresh or a rollback stops at a changed link; an export replaces it.
      if (init.by === 'export' && situationAtStart.kind === 'changed')
        init.log.warning(`${whyChanged} This export replaces the link.`);
    }
    refuseSameDestination(reached);
    // No destination could be reached: this throws why.
    if (reached.length === 0) delivery.assertComplete();
    return delivery;
  }

  /** Sets what this run has published: the next writes of the state contain it. */
  setContent(content: RunContent): void {
    for (const destination of this.usable) destination.content = content;
  }

  /** Stores what this run is about to publish, or has asked for, so that a re-run knows it. */
  async markPublishing(content: RunContent): Promise<void> {
    this.setContent(content);
    for (const destination of this.usable) {
      if (!destination.keepsState) continue;
      const steps = inDestination(destination, destination.storeContent());
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
    const sendStart = () => this.first.requests.replyTo(askPlatform);
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
    const { log } = this.init;
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
    const { by, run } = this.init;
    // A refresh or a rollback runs for another commit than the export did.
    const commit = by === 'export' ? commitOf(run) : undefined;
    const details = { ...job.details, commit, by: actorOf(run) };
    // Before the writes: after them, every state names this job. Two exports with one image have the
    // same content; only a destination that keeps images has it in its state, see `contentFor`.
    this.former = formerExport(this.records, job.jobId, by, { ...details, image: job.image });
    // An export keeps the order that it got at its start.
    const intent = { ...job.intent, order: job.intent.order ?? this.#startedOrder };
    const toPlace = { ...job, by, details, intent, key: runKey(run) };
    for (const { requests } of this.usable) requests.linkOf = job.linkOf;
    await this.#placeLinks(this.usable, toPlace, (destination, error) => {
      destination.error = error;
      if (error === undefined) destination.stateWritten ||= destination.keepsState;
      // After each destination, so that the report of a run that is killed is right.
      this.init.record({ delivery: this.#facts, exports: this.exports });
    });
    this.assertComplete();
    return this.#facts;
  }

  /**
   * Places the link in these destinations. Calls `onEnd` with the error of each section; undefined:
   * the link is in place. Throws at once if the run was cancelled.
   */
  async #placeLinks(
    all: readonly Destination[],
    toPlace: PlacedJob,
    onEnd: (destination: Destination, error: CourierError | undefined) => void,
  ): Promise<void> {
    const { jobId, by, key } = toPlace;
    const { kind, from, order: decidedOrder } = toPlace.intent;
    const hasOthers = all.length > 1;
    const steps = placeInAll(
      all,
      decidedOrder,
      (destination, order, isFirst) => {
        const wish = { kind, job: jobId, order, isFirst, from, run: key, hasOthers };
        return { wish, by, ...contentFor(destination, toPlace) };
      },
      (destination, end) => {
        const error = destination.failureOf(end, { jobId, from });
        onEnd(destination, error);
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
    readonly failure: CourierError | undefined;
  }> {
    const { run, record } = this.init;
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
    let { reason } = this.#facts;
    // undefined: the link was written. If there is a second round, with a higher order, it counts.
    const failures = new Map<Destination, CourierError | undefined>();
    await this.#placeLinks(this.#reached, toPlace, (one, error) => failures.set(one, error));
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
    if (restored.length > 0) reason = `the previous export job ${jobId} was restored`;
    const updated = destinations.every((one) => one.written);
    const delivery = { ...this.#facts, updated, reason, destinations };
    record({ delivery, exports: this.exports, changed: updated });
    const errors = [...failures.values()].filter((one) => one !== undefined);
    const conflicts = errors.filter((one) => one.code === 'conflict');
    // `joined` takes an error that is there twice only once.
    return { restored, failure: joined([...conflicts, ...errors]) };
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
  for (const destination of destinations) {
    const { name, store } = destination;
    const same = destinations.find((one) => one.name === name);
    if (same === undefined || same === destination) continue;
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

/** What the run wants to have in place in this destination: the link, or the image. */
function contentFor(
  destination: Destination,
  { jobId, link, image, details }: PlacedJob,
): Pick<Wanted, 'link' | 'expiresAt' | 'details'> {
  if (destination.store.can.keepsImage) {
    if (image === undefined) {
      throw new CourierError({
        code: 'not-found',
        message: `No image of export job ${jobId} is known. The tag was not moved.`,
        hint: 'Run mode: rollback with this export-job-id, which makes the image again.',
      });
    }
    // Anyone who can pull the image may read its state, so that this names no person.
    const publicDetails = { ...details, by: undefined, image };
    // An image does not expire.
    return { link: image, expiresAt: undefined, details: publicDetails };
  }
  if (link === undefined) throw new Error(`${destination.store.names.destination} needs a link.`);
  return { link: link.url, expiresAt: link.expiresAt?.toISOString(), details };
}
