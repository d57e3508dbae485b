import { CourierError } from '../ground/errors.ts';
import { readTime } from '../ground/text/instants.ts';
import { delayedAbort } from '../http/http.ts';
import type { BundleLink } from '../platform/link.ts';
import type { Write } from '../run/report.ts';
import type { LinkStore } from '../stores/port.ts';
import { actorOf, commitOf, joined, runKey, undoKey } from './change.ts';
import { carryOut, Destination, type DestinationInit } from './destination.ts';
import { type DeliveredBy, type ExportDetails, exportsOf, type Former } from './history.ts';
import {
  chooseRollback,
  decideResume,
  formerExport,
  latestRecord,
  type NamedRecord,
  noJobError,
  ownRun,
  type Resume,
  type Rollback,
  whyNotWritten,
} from './jobs.ts';
import { inDestination, placeInAll, StartInAll } from './protocol/all.ts';
import type { Wanted } from './protocol/place.ts';
import type { Wish } from './protocol/situation.ts';
import type { Answer, SectionEnd } from './protocol/steps.ts';
import { type LinkOf, replyTo, timeOfRun } from './requests.ts';
import { type ExportRecord, isDue, type RunContent, type StateRecord } from './state.ts';
import type { DeliveryFacts, DeliveryRecord, LiveExport } from './summary.ts';

// The state is the signed text next to a link, and says which export the link is of. Each decision
// has an order, a number higher than all before, the same in all destinations of a run. A run reads
// and writes a destination in a section, in which no other run writes.

// A cancelled run ends 4.5 s later at the latest: the rest of that time is for the report.
const LAST_WRITE_MS = 4300;

interface DeliveryInit extends DestinationInit {
  readonly stores: readonly LinkStore[];
  readonly by: DeliveredBy;
  readonly record: (facts: DeliveryRecord) => void;
}

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
  readonly details?: ExportDetails | undefined;
  /** For a job whose link this run has replaced, although it stays live. */
  readonly linkOf?: LinkOf | undefined;
}

/** A job with what its run adds to it. */
interface PlacedJob extends DeliveredJob {
  readonly by: DeliveredBy;
  readonly details: ExportDetails;
  /** Run and job, or what stands for them in a rollback that this run makes of its own export. */
  readonly key: string;
}

/** The destinations of a link with their states, read before anything starts. */
export class Delivery {
  readonly #init: DeliveryInit;
  readonly #all: readonly Destination[];
  readonly #first: Destination;
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
    const [first] = all;
    if (first === undefined) throw new Error('A delivery needs a destination.');
    this.#init = init;
    this.#all = all;
    this.#first = first;
    // `open` has given an error to the others.
    this.#reached = this.#usable;
    this.#nowMs = nowMs;
    this.#lastWrite = delayedAbort(init.signal, LAST_WRITE_MS);
    // A refresh or a rollback stops at a changed link; an export replaces it.
    if (init.by !== 'export') return;
    for (const { situationAtStart, whyChanged } of this.#usable) {
      if (situationAtStart.kind === 'changed')
        init.log.warning(`${whyChanged} This export replaces the link.`);
    }
  }

  /**
   * What this run does about the export of its earlier attempt, from the state of all destinations.
   */
  resume(): Resume {
    let chosen: Resume = { kind: 'start' };
    for (const destination of this.#usable) {
      const resume = decideResume(destination, this.#init.run, this.#init.domain);
      // A destination that knows the job decides, else the first one with a warning.
      if (resume.kind === 'attach') return resume;
      if (chosen.warning === undefined) chosen = resume;
    }
    return chosen;
  }

  /** What an earlier attempt of this run has published; undefined: not known, or nothing. */
  get earlierContent(): RunContent | undefined {
    const { run } = this.#init;
    const isFirstAttempt = run.runAttempt <= 1;
    if (isFirstAttempt) return undefined;
    for (const { situationAtStart } of this.#usable) {
      const content = ownRun(situationAtStart.record, run)?.content;
      // The state next to a changed link may be an earlier one that was put back.
      if (situationAtStart.kind !== 'changed' && content !== undefined) return content;
    }
    return undefined;
  }

  /**
   * The newest export of the first destination that names one, if it was started and its link is
   * not known to be in place: a busy platform may still run it.
   */
  get runningJobId(): string | undefined {
    const [newest] = this.#records.flatMap((one) => one.runs ?? []);
    return newest?.state === 'started' ? newest.jobId : undefined;
  }

  /** True if a destination keeps its state, so that a re-run knows what this run has stored. */
  get keepsState(): boolean {
    return this.#usable.some(({ keepsState }) => keepsState);
  }

  /** Sets what this run has published: the next writes of the state contain it. */
  setContent(content: RunContent): void {
    for (const destination of this.#usable) destination.content = content;
  }

  /** Stores what this run is about to publish, or has asked for, so that a re-run knows it. */
  async markPublishing(content: RunContent): Promise<void> {
    for (const destination of this.#usable) {
      destination.content = content;
      if (!destination.keepsState) continue;
      const steps = inDestination(destination, destination.storeContent(content));
      const error = destination.failureOf(await carryOut(steps, this.#lastWrite));
      // If this write has shown that the right to the state is missing, the run continues without.
      if (error !== undefined && destination.keepsState) throw error;
    }
  }

  /** Why the state of a destination is not used; for a report. */
  get ignored(): string | undefined {
    return this.#usable.find((one) => one.foundAtStart?.why !== undefined)?.foundAtStart?.why;
  }

  /** Why the state of a destination is not up to date; for a report. */
  get changed(): string | undefined {
    return this.#usable.find((one) => one.situationAtStart.kind === 'changed')?.whyChanged;
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
    const sections = new StartInAll(this.#usable);
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
   * The record with the newest decision, from the destinations whose state can be relied on; the
   * others get an `error`. Throws if there is none.
   */
  storedJob(): NamedRecord {
    this.#setUnreliableAside();
    return this.#requireLatestRecord();
  }

  /** Gives an `error` to the destinations whose state does not say whose link is there. */
  #setUnreliableAside(): void {
    const usable = this.#usable;
    const hasOthers = usable.length > 1;
    for (const destination of usable)
      destination.error = whyNotWritten(destination, hasOthers, this.#init.by);
  }

  /**
   * The export that a rollback restores: the one before the live one, or the named one. Throws if
   * there is none. An export that a person names is restored even if the state may be an earlier
   * one, or cannot be verified.
   */
  rollbackTo(jobId: string | undefined): Rollback {
    if (jobId === undefined) this.#setUnreliableAside();
    // If all were set aside, `#requireLatestRecord` throws the error of one.
    const [first = this.#first] = this.#usable;
    // The state is not used, so it cannot say what is live or whether the job was ever live there:
    // the person who names the job answers for that.
    if (jobId !== undefined && first.situationAtStart.kind === 'bad-signature') {
      return {
        export: { job: jobId },
        isKnownToDiffer: true,
        from: undefined,
        isContinued: false,
        state: first.record,
      };
    }
    return chooseRollback({
      jobId,
      state: this.#requireLatestRecord(),
      records: this.#recordsAtStart,
      run: this.#init.run,
      destination: first.store.names.destination,
      otherMode: this.needsLink ? 'refresh' : 'export',
    });
  }

  /**
   * The record with the newest decision. If no record names a job, throws the error of a
   * destination, or that no job is known.
   */
  #requireLatestRecord(): NamedRecord {
    const latest = latestRecord(this.#recordsAtStart);
    if (latest !== undefined) return latest;
    const failure = this.#all.find((one) => one.error !== undefined)?.error;
    throw failure ?? noJobError(this.#first, this.#init.by);
  }

  /**
   * Half a sentence for a report if no state has ever named a job; undefined: a state names one, or
   * is not used.
   */
  get withoutExport(): string | undefined {
    const isEmpty = this.#usable.every((one) => one.situationAtStart.kind === 'nothing');
    if (!isEmpty) return undefined;
    return `The ${this.#first.store.names.state} names no finished export yet`;
  }

  /** The valid state of the first destination that has one. */
  get state(): StateRecord | undefined {
    return this.#recordsAtStart[0];
  }

  /** What is and was live in the first destination that has a state with exports, newest first. */
  get exports(): readonly LiveExport[] | undefined {
    const records = this.#all.map((destination) => destination.record);
    const record = records.find((one) => exportsOf(one).length > 0);
    if (record === undefined) return undefined;
    return exportsOf(record).map((entry) =>
      entry.job === record.jobId ? { ...entry, live: true } : entry,
    );
  }

  /** The stores of the destinations that can be written. */
  get stores(): readonly LinkStore[] {
    return this.#usable.map((one) => one.store);
  }

  /** False if all destinations keep images: they contain no link. */
  get needsLink(): boolean {
    return this.#all.some((one) => one.store.can.keepsImage !== true);
  }

  /**
   * The project for which an export job was started, as a history says; undefined: none knows it.
   */
  formOf(jobId: string): Pick<ExportRecord, 'projectId'> | undefined {
    return this.#recordsOf(jobId)[0];
  }

  /** The image of an export job, as a history names it; undefined: none does. */
  imageOf(jobId: string): string | undefined {
    return this.#recordsOf(jobId).find((one) => one.image !== undefined)?.image;
  }

  /** The entries of an export job in the histories of all destinations. */
  #recordsOf(jobId: string): readonly ExportRecord[] {
    const entries = this.#all.flatMap(({ record }) => record.history ?? []);
    return entries.filter((entry) => entry.job === jobId);
  }

  /**
   * The earliest expiry of the stored links, if every destination has a link of this job that works
   * for longer than `refreshBeforeMs`; undefined: a destination has no such link.
   */
  goodUntil(jobId: string, refreshBeforeMs: number): Date | undefined {
    const nowMs = this.#init.clock.now();
    const expiriesMs: number[] = [];
    for (const { situationAtStart, foundAtStart } of this.#usable) {
      const { record } = situationAtStart;
      // The state may name a job whose link was deleted since: a refresh writes it again.
      const hasLink = situationAtStart.kind === 'known' && foundAtStart?.link !== undefined;
      if (!hasLink || record.jobId !== jobId) return undefined;
      const expiryMs = readTime(record.expiresAt);
      // A link whose expiry is not known is always due.
      if (expiryMs === undefined || isDue(record.expiresAt, nowMs, refreshBeforeMs))
        return undefined;
      expiriesMs.push(expiryMs);
    }
    return new Date(Math.min(...expiriesMs));
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
    this.former = formerExport(this.#records, job.jobId, by, detailsWithImage);
    // An export keeps the order that it got at its start.
    const intent = { ...job.intent, order: job.intent.order ?? this.#startedOrder };
    const toPlace = { ...job, by, details, intent, key: runKey(run) };
    for (const { requests } of this.#usable) requests.linkOf = job.linkOf;
    await this.#placeLinks(this.#usable, toPlace, (destination, end, error) => {
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
    const destinations = this.#all.map((one) => {
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
    const failure = joined(this.#all.flatMap(({ error }) => error ?? []));
    if (failure !== undefined) throw failure;
  }

  /** What `deliver` would write, for a dry run. Throws what would fail the run at its end. */
  plan(): Write[] {
    this.assertComplete();
    const writes: Write[] = [];
    for (const { store, keepsState } of this.#usable) {
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
    const first = this.#first;
    return {
      updated: this.#all.every((one) => one.linkWritten),
      name: first.store.names.name,
      target: first.store.names.target,
      stateWritten: first.stateWritten,
      reason: reasonOf(first),
      destinations: this.#all.map((one) => one.facts),
    };
  }

  /** The states that were there when the run began: valid ones, and those of announced links. */
  get #recordsAtStart(): readonly StateRecord[] {
    const withRecord = this.#usable.filter(({ foundAtStart, situationAtStart }) => {
      const hasState = foundAtStart?.record !== undefined;
      // Without a state, the claim of a run that ended may say whose link is there.
      return hasState || situationAtStart.record.jobId !== undefined;
    });
    return withRecord.map((one) => one.situationAtStart.record);
  }

  /** The states as they were last read or written. */
  get #records(): readonly StateRecord[] {
    return this.#usable.map((one) => one.record);
  }

  /** The destinations in which nothing went wrong so far. */
  get #usable(): readonly Destination[] {
    return this.#all.filter((one) => one.error === undefined);
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

/**
 * What the run wants to have in place in this destination: the link, or the image. `isFirst`: no
 * destination of this run has this order yet.
 */
function wantedIn(
  destination: Destination,
  toPlace: PlacedJob,
  order: number,
  isFirst: boolean,
  hasOthers: boolean,
): Wanted {
  const { jobId, by, details, image, key } = toPlace;
  const { kind, from } = toPlace.intent;
  const wish = { kind, job: jobId, order, isFirst, from, run: key, hasOthers };
  if (destination.store.can.keepsImage) {
    if (image === undefined) throw unknownImage(jobId);
    // Anyone who can pull the image may read its state, so that this names no person.
    const publicDetails = { ...details, by: undefined, image };
    // An image does not expire.
    return { wish, by, link: image, expiresAt: undefined, details: publicDetails };
  }
  const { link } = toPlace;
  if (link === undefined) throw new Error(`${destination.store.names.destination} needs a link.`);
  return { wish, by, link: link.url, expiresAt: link.expiresAt?.toISOString(), details };
}

/** The error of a job without an image, for the destination that keeps images. */
function unknownImage(jobId: string): CourierError {
  return new CourierError({
    code: 'not-found',
    message: `No image of export job ${jobId} is known. The tag was not moved.`,
    hint: 'Run mode: rollback with this export-job-id, which makes the image again.',
  });
}

/** Why something was not written; undefined: everything was. */
function reasonOf({ linkFailed, keepsState, store }: Destination): string | undefined {
  if (linkFailed) return 'the write failed';
  if (keepsState) return undefined;
  return `without its state: the ${store.names.stateRight} is missing`;
}
