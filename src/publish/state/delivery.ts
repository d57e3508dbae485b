import type { Clock } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import type { BundleLink } from '../../platform/link.ts';
import type { Write } from '../../run/report.ts';
import { type Delivered, timeOf } from './delivered.ts';
import type { Destination } from './destination.ts';
import { type Earlier, findEarlier } from './earlier.ts';
import { joined } from './errors.ts';
import { exportsAt, factsOf, planOf } from './facts.ts';
import { formerJob, type PutBack, putBack } from './former.ts';
import { countFor, type ExportDetails } from './history.ts';
import { actorOf, chooseResume, commitOf, decideResume, type Resume, runKey } from './resume.ts';
import type { State } from './state.ts';
import { openStops, type Stop, type StopsInit } from './stops.ts';
import { assertSameSite, goodUntil, knowsNoExport, latestFirst, noJob, unfit } from './stored-job.ts';
import type { DeliveryFacts, DeliveryRecord, LiveExport } from './summary.ts';

interface DeliveryInit extends StopsInit {
  readonly clock: Clock;
  readonly record: (facts: DeliveryRecord) => void;
}

/** A job, and what decides whether its link may replace another one. */
export type DeliveredJob = Pick<Delivered, 'jobId' | 'requestedAtMs' | 'isExplicit'> & {
  readonly link: BundleLink;
  /** What is known of the export besides the run. */
  readonly details?: Pick<ExportDetails, 'pages' | 'manifest' | 'forced'> | undefined;
};

/** The job whose link a refresh makes fresh. */
interface StoredJob {
  readonly jobId: string;
  readonly requestedAtMs: number | undefined;
  readonly state: State;
}

/** The destinations of a link with their states, read before anything starts. */
export class Delivery {
  readonly #init: DeliveryInit;
  readonly #stops: readonly Stop[];
  #requestedAtMs: number | undefined;
  /** The job that was live before `deliver`; undefined: none is known, or the link was only made fresh. */
  formerJob: string | undefined;

  /**
   * Reads all that a later write needs. Credentials that do not reach a destination fail here, within a second, and not after half
   * an hour of exporting. A refresh goes on with the destinations that can be reached, and fails at its end.
   */
  static async open(init: DeliveryInit): Promise<Delivery> {
    const stops = await openStops(init);
    const delivery = new Delivery(init, stops);
    if (delivery.#destinations.length === 0) delivery.assertComplete();
    return delivery;
  }

  private constructor(init: DeliveryInit, stops: readonly Stop[]) {
    this.#init = init;
    this.#stops = stops;
    for (const { fit } of this.#destinations.map(({ state }) => state.opened)) {
      if (fit.kind === 'changed' && init.by === 'export') {
        init.log.warning(`${fit.why} This export replaces the link.`);
      }
    }
  }

  /** What a re-run does about the export of an earlier attempt. */
  resume(): Resume {
    const { run, domain } = this.#init;
    const found = this.#destinations.map(({ state: { opened } }) =>
      decideResume({ state: opened.state, fit: opened.fit, run, domain }),
    );
    return chooseResume(found);
  }

  /** Why the state of a destination is ignored, and why that of a destination is not up to date; for a report. */
  get ignored(): string | undefined {
    const reads = this.#destinations.map(({ state }) => state.opened.read);
    return reads.find((read) => read.kind === 'ignored')?.why;
  }

  get changed(): string | undefined {
    const fits = this.#destinations.map(({ state }) => state.opened.fit);
    return fits.find((fit) => fit.kind === 'changed')?.why;
  }

  /** When a job that is asked for now was asked for, epoch milliseconds: after every request that a state names. */
  requestNow(): number {
    const last = Math.max(0, ...this.#destinations.map(({ lastRequestMs }) => lastRequestMs));
    this.#requestedAtMs ??= Math.max(Math.floor(this.#init.clock.now()), last + 1);
    return this.#requestedAtMs;
  }

  /** Stores that an export is about to be started; proves that the state can be written. */
  async markStarting(): Promise<void> {
    const requestedAtMs = this.requestNow();
    for (const destination of this.#destinations) await destination.mark.write({ state: 'starting', requestedAtMs });
  }

  /**
   * Stores the id of the started job. A state that cannot be written ends nothing: the export goes on, and an annotation
   * says how to attach to it. Once `cancelled` is aborted, `lastWrite` limits the write instead.
   */
  async markStarted(
    jobId: string,
    limits: { readonly cancelled: AbortSignal; readonly lastWrite: AbortSignal },
  ): Promise<void> {
    for (const destination of this.#destinations) await destination.mark.writeStarted(jobId, this.requestNow(), limits);
  }

  /** Takes `markStarting` back after a start that was refused: nothing is running. Best effort. */
  async unmarkStarting(): Promise<void> {
    for (const destination of this.#destinations) await destination.unmark();
  }

  /** The job that was asked for last, of the destinations whose state can be relied on. Throws where there is none. */
  storedJob(): StoredJob {
    for (const stop of this.#stops)
      stop.error ??= stop.destination && unfit(stop.destination, this.#destinations.length, this.#init.by);
    const state = this.#latestState();
    return { jobId: state.jobId, requestedAtMs: timeOf(state.requestedAt) || undefined, state };
  }

  /**
   * The export that a rollback puts back in place. Throws where there is none. A person who names it decides also where the
   * state may be an earlier one.
   */
  earlierExport(wanted: { readonly jobId: string | undefined }): Earlier {
    if (wanted.jobId === undefined) this.storedJob();
    const destination = this.#destinations[0]?.store.names.destination ?? '';
    return findEarlier({ ...wanted, state: this.#latestState(), run: this.#init.run, destination });
  }

  #latestState(): State & { readonly jobId: string } {
    const [latest, ...others] = latestFirst(this.#destinations.flatMap(({ state }) => state.opened.state ?? []));
    if (latest === undefined) throw this.#firstError() ?? noJob(this.#destinations[0], this.#init.by);
    for (const other of others) assertSameSite(latest, other);
    return latest;
  }

  /** The count that the states have once this job is in place. */
  #countFor(jobId: string): number {
    return countFor(this.#states, jobId);
  }

  /** Half a sentence, before the first export: no state names one, and none is ignored. undefined: there is one. */
  get withoutExport(): string | undefined {
    const isEmpty = this.#destinations.every(({ state }) => knowsNoExport(state.opened));
    const [first] = this.#stops;
    return isEmpty && first !== undefined ? `The ${first.store.names.state} names no finished export yet` : undefined;
  }

  /** The valid state of the first destination that has one. */
  get state(): State | undefined {
    return this.#destinations.map(({ state }) => state.opened.state).find((state) => state !== undefined);
  }

  /** What is and was live in the first destination that has a state, newest first. */
  get exports(): readonly LiveExport[] | undefined {
    return exportsAt(this.#stops);
  }

  /** The earliest expiry of the stored links, where every destination holds a link of this job that is good for longer than that. */
  goodUntil(jobId: string, refreshBeforeMs: number): Date | undefined {
    const helds = this.#destinations.map(({ state }) => state.opened);
    return goodUntil(helds, jobId, { nowMs: this.#init.clock.now(), refreshBeforeMs });
  }

  /** Writes the link into every destination. The first failure is thrown when all were tried. */
  async deliver(job: DeliveredJob): Promise<DeliveryFacts> {
    const { by, run } = this.#init;
    // A refresh or a rollback runs for another commit than the export did.
    const commit = by === 'export' ? commitOf(run) : undefined;
    const details = { ...job.details, commit, by: actorOf(run) };
    this.formerJob = formerJob(this.#states, job.jobId, by);
    const delivered = { ...job, by, details, run: runKey(run), count: this.#countFor(job.jobId) };
    for (const stop of this.#stops) {
      if (stop.error !== undefined || stop.destination === undefined) continue;
      try {
        await stop.destination.deliver(delivered);
      } catch (error) {
        this.#record();
        if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
        stop.error = error;
      }
      this.#record();
    }
    this.assertComplete();
    return factsOf(this.#stops);
  }

  /**
   * Takes `deliver` back in every destination. Gives what went wrong in some of them: `conflict` where another run has written
   * meanwhile.
   */
  async putBack(change: Pick<PutBack, 'jobId' | 'link' | 'replaces'>): Promise<CourierError | undefined> {
    const { run, record } = this.#init;
    const { facts, failure } = await putBack(this.#stops, { ...change, requestedAtMs: this.requestNow(), run });
    record({ secret: facts, exports: this.exports });
    return failure;
  }

  /** Throws what went wrong in one of the destinations. */
  assertComplete(): void {
    const failure = joined(this.#stops.flatMap(({ error }) => error ?? []));
    if (failure !== undefined) throw failure;
  }

  /** What `deliver` would write, for a dry run. */
  plan(): Write[] {
    return this.#destinations.flatMap(planOf);
  }

  #firstError(): CourierError | undefined {
    return this.#stops.find(({ error }) => error !== undefined)?.error;
  }

  get #states(): readonly State[] {
    return this.#destinations.flatMap(({ state }) => state.held.state ?? []);
  }

  get #destinations(): readonly Destination[] {
    return this.#stops.flatMap(({ destination, error }) =>
      destination === undefined || error !== undefined ? [] : [destination],
    );
  }

  #record(): void {
    this.#init.record({ secret: factsOf(this.#stops), exports: this.exports });
  }
}
