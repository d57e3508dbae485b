import { CourierError } from '../../errors.ts';
import { delayedAbort } from '../../http/http.ts';
import type { BundleLink } from '../../platform/link.ts';
import type { Write } from '../../run/report.ts';
import type { LinkStore } from '../../stores/port.ts';
import {
  actorOf,
  busyError,
  commitOf,
  type Delivered,
  forImages,
  joined,
  runKey,
  undoKey,
} from './change.ts';
import { carryOut, Destination, type DestinationInit } from './destination.ts';
import { type DeliveredBy, type ExportDetails, exportsOf, type Former } from './history.ts';
import {
  chooseRollback,
  decideResume,
  formerExport,
  latestRecord,
  type NamedRecord,
  noJob,
  ownRun,
  type Resume,
  type Rollback,
  unfit,
} from './jobs.ts';
import { inPart, placeInAll, startInAll } from './protocol/all.ts';
import type { Wanted } from './protocol/part.ts';
import type { Wish } from './protocol/situation.ts';
import type { Reply, SectionEnd } from './protocol/steps.ts';
import { timeOfRun } from './requests.ts';
import { type ExportRecord, isDue, type RunContent, type StateRecord, timeOf } from './state.ts';
import type { DeliveryFacts, DeliveryRecord, LiveExport } from './summary.ts';

// A cancelled run ends 4.5 s later at the latest; the report is written in what is left.
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
  /** Of the decision; undefined: it is taken now, and is newer than all that are known. */
  readonly order?: number | undefined;
  /** Of a rollback: the job that it replaces. */
  readonly from?: string | undefined;
}

/** A job whose link is put in place. */
export interface DeliveredJob {
  readonly jobId: string;
  readonly intent: Intent;
  /** undefined: see `needsLink`. */
  readonly link: BundleLink | undefined;
  /** `REGISTRY/REPOSITORY@sha256:…`, for the destination that keeps images. */
  readonly image?: string | undefined;
  /** What is known of the export besides the run. */
  readonly details?: Omit<ExportDetails, 'commit' | 'by' | 'image'> | undefined;
}

/** A link that replaces the one that was delivered, of the job that was live before. */
interface PutBack extends Pick<DeliveredJob, 'jobId' | 'link'> {
  /** The job whose link the destinations contain now: that of any other is left alone. */
  readonly replaces: string;
}

/** What all destinations of a run are given. */
interface GivenToAll {
  readonly jobId: string;
  readonly link: BundleLink | undefined;
  readonly image: string | undefined;
  readonly by: DeliveredBy;
  readonly details: ExportDetails;
  readonly intent: Intent;
  /** Run and job; of a rollback of this run: what stands for them. */
  readonly key: string;
}

/** The destinations of a link with their states, read before anything starts. */
export class Delivery {
  readonly #init: DeliveryInit;
  readonly #all: readonly Destination[];
  readonly #nowMs: () => number;
  readonly #lastWrite: AbortSignal;
  /** Of the export that this run has started. */
  #startedOrder: number | undefined;
  /**
   * The job that was live before `deliver`; undefined: none is known, or the link was only made
   * fresh.
   */
  former: Former | undefined;

  /**
   * Reads all that a later write needs. Credentials that do not reach a destination fail here,
   * within a second, and not after half an hour of exporting. A refresh continues with the
   * destinations that can be reached, and fails at its end.
   */
  static async open(init: DeliveryInit): Promise<Delivery> {
    const nowMs = timeOfRun(init.clock);
    const all = init.stores.map((store) => new Destination(store, init, nowMs));
    for (const destination of all) {
      const continues = init.by !== 'export' && all.length > 1;
      destination.error = await expectedFailure(() => destination.open());
      if (destination.error !== undefined && !continues) throw destination.error;
    }
    refuseDoubles(all.filter(({ isOpen }) => isOpen));
    const delivery = new Delivery(init, all, nowMs);
    if (delivery.#destinations.length === 0) delivery.assertComplete();
    return delivery;
  }

  private constructor(init: DeliveryInit, all: readonly Destination[], nowMs: () => number) {
    this.#init = init;
    this.#all = all;
    this.#nowMs = nowMs;
    this.#lastWrite = delayedAbort(init.signal, LAST_WRITE_MS);
    if (init.by !== 'export') return;
    for (const { opened, whyChanged } of this.#destinations) {
      if (opened.kind === 'changed')
        init.log.warning(`${whyChanged} This export replaces the link.`);
    }
  }

  /** What a re-run does about the export of an earlier attempt. */
  resume(): Resume {
    const { run, domain } = this.#init;
    const found = this.#destinations.map(({ opened, whyChanged }) =>
      decideResume({ opened, whyChanged, run, domain }),
    );
    // One that knows the job comes first, then a warning.
    const isWarning = (resume: Resume) => resume.kind === 'start' && resume.warning !== undefined;
    return (
      found.find(({ kind }) => kind === 'attach') ?? found.find(isWarning) ?? { kind: 'start' }
    );
  }

  /** What an earlier attempt of this run has published; undefined: nothing that is known. */
  get earlierContent(): RunContent | undefined {
    const { run } = this.#init;
    if (run.runAttempt <= 1) return undefined;
    const known = this.#destinations.filter(({ opened }) => opened.kind !== 'changed');
    return known
      .map(({ opened }) => ownRun(opened.record, run)?.content)
      .find((content) => content !== undefined);
  }

  /**
   * An export that was started, and whose link is not known to be in place: a platform that is busy
   * may be busy with it.
   */
  get runningJobId(): string | undefined {
    const [newest] = this.#records.flatMap(({ runs = [] }) => runs);
    return newest?.state === 'started' ? newest.jobId : undefined;
  }

  /** A re-run finds out what this one has stored: some destination keeps its state. */
  get keepsState(): boolean {
    return this.#destinations.some(({ isKept }) => isKept);
  }

  /** What this run has published: the next writes of the state say so. */
  setContent(content: RunContent): void {
    for (const destination of this.#destinations) destination.content = content;
  }

  /** Stores what this run is about to publish, or has asked for. */
  async markPublishing(content: RunContent): Promise<void> {
    for (const destination of this.#destinations) {
      destination.content = content;
      if (!destination.isKept) continue;
      const error = destination.failureOf(
        await carryOut(inPart(destination, destination.say(content)), this.#lastWrite),
      );
      if (error !== undefined && destination.isKept) throw error;
    }
  }

  /** Why the state of a destination is not used; for a report. */
  get ignored(): string | undefined {
    return this.#destinations
      .map(({ openedFound }) => openedFound?.why)
      .find((why) => why !== undefined);
  }

  /** Why the state of a destination is not up to date; for a report. */
  get changed(): string | undefined {
    return this.#destinations.find(({ opened }) => opened.kind === 'changed')?.whyChanged;
  }

  /**
   * Starts an export, in the section of every destination: no other run can start or place one
   * meanwhile, as far as the stores allow that, and each state names the job right after. Throws
   * before anything starts if a state cannot be written, and what `start` throws.
   */
  async start<T extends { readonly jobId: string }>(start: () => Promise<T>): Promise<T> {
    let started: T | undefined;
    let failure: unknown;
    const ask = async (): Promise<Reply> => {
      const sentMs = this.#nowMs();
      try {
        started = await start();
        return { kind: 'started', jobId: started.jobId, sentMs, nowMs: this.#nowMs() };
      } catch (error) {
        failure = error;
        if (!(error instanceof CourierError)) throw error;
        return {
          kind: error.mayHaveStarted ? 'unknown' : 'refused',
          error,
          sentMs,
          nowMs: this.#nowMs(),
        };
      }
    };
    const { refused, order, ends } = await carryOut(
      startInAll(this.#destinations),
      this.#lastWrite,
      ask,
    );
    this.#startedOrder = order === 0 ? undefined : order;
    const refusal = refused && ends.get(refused);
    if (refusal !== undefined) throw refused?.failureOf(refusal);
    if (started === undefined) throw failure;
    for (const [part, end] of ends) this.#warnOfLostId(part.failureOf(end), part, started.jobId);
    return started;
  }

  /**
   * A state that cannot be written ends nothing: the export continues, and an annotation says how
   * to attach to it.
   */
  #warnOfLostId(error: CourierError | undefined, { store }: Destination, jobId: string): void {
    if (error === undefined) return;
    const { log } = this.#init;
    log.info(`The ${store.names.state} was not written: ${error.message}`);
    log.warning(
      `Export job ${jobId} was started, but its id could not be written to the ${store.names.state}: a re-run of this job would start a new export. To attach to this one instead, give export-job-id: ${jobId}`,
    );
  }

  /**
   * The newest decision, of the destinations whose state can be relied on. Throws if there is none.
   */
  storedJob(): NamedRecord {
    for (const one of this.#destinations)
      one.error = unfit(one, this.#destinations.length, this.#init.by);
    return this.#latestRecord();
  }

  /**
   * The export that a rollback restores: the one before the live one, or the named one. Throws if
   * there is none. A person who names it decides even if the state may be an earlier one, or cannot
   * be verified.
   */
  rollbackTo(jobId: string | undefined): Rollback {
    if (jobId === undefined) this.storedJob();
    const [first] = this.#destinations;
    if (jobId !== undefined && first?.opened.kind === 'bad-signature') {
      return {
        export: { job: jobId },
        from: undefined,
        isContinued: false,
        isOther: true,
        state: first.record,
      };
    }
    const destination = first?.store.names.destination ?? '';
    const records = this.#openedRecords;
    const otherMode = this.needsLink ? 'refresh' : 'export';
    return chooseRollback({
      jobId,
      state: this.#latestRecord(),
      records,
      run: this.#init.run,
      destination,
      otherMode,
    });
  }

  #latestRecord(): NamedRecord {
    const latest = latestRecord(this.#openedRecords);
    if (latest !== undefined) return latest;
    throw (
      this.#all.find(({ error }) => error !== undefined)?.error ??
      noJob(this.#destinations[0], this.#init.by)
    );
  }

  /**
   * Half a sentence, before the first export: no state names one, and none is ignored. undefined:
   * there is one.
   */
  get withoutExport(): string | undefined {
    const isEmpty = this.#destinations.every(({ opened }) => opened.kind === 'nothing');
    const [first] = this.#all;
    return isEmpty && first !== undefined
      ? `The ${first.store.names.state} names no finished export yet`
      : undefined;
  }

  /** The valid state of the first destination that has one. */
  get state(): StateRecord | undefined {
    return this.#openedRecords[0];
  }

  /** What is and was live in the first destination that has a state with exports, newest first. */
  get exports(): readonly LiveExport[] | undefined {
    return this.#all.map(({ record }) => liveExports(record)).find(({ length }) => length > 0);
  }

  /** Those that can be written. */
  get stores(): readonly LinkStore[] {
    return this.#destinations.map(({ store }) => store);
  }

  /** False if all destinations keep images: they contain no link. */
  get needsLink(): boolean {
    return this.#all.some(({ store }) => store.can.keepsImage !== true);
  }

  /** In which form an export job was started, as a history says; undefined: none does. */
  formOf(jobId: string): Pick<ExportRecord, 'projectId'> | undefined {
    const all = this.#all.flatMap(({ record }) => record.history ?? []);
    return all.find(({ job }) => job === jobId);
  }

  /** The image of an export job, as a history names it. */
  imageOf(jobId: string): string | undefined {
    const all = this.#all.flatMap(({ record }) => exportsOf(record));
    return all.find(({ job, image }) => job === jobId && image !== undefined)?.image;
  }

  /**
   * The earliest expiry of the stored links, if every destination has a link of this job that is
   * good for longer than that.
   */
  goodUntil(jobId: string, refreshBeforeMs: number): Date | undefined {
    const due = { nowMs: this.#init.clock.now(), refreshBeforeMs };
    const isGood = ({ opened, openedFound }: Destination) =>
      opened.kind === 'confirmed' &&
      openedFound?.link !== undefined &&
      opened.record.jobId === jobId &&
      !isDue(opened.record, due);
    if (!this.#destinations.every(isGood)) return undefined;
    return new Date(
      Math.min(...this.#destinations.map(({ opened }) => timeOf(opened.record.expiresAt) ?? 0)),
    );
  }

  /** Writes the link into every destination. The first failure is thrown when all were tried. */
  async deliver(job: DeliveredJob): Promise<DeliveryFacts> {
    const { jobId, link, image } = job;
    const { by, run } = this.#init;
    // A refresh or a rollback runs for another commit than the export did.
    const commit = by === 'export' ? commitOf(run) : undefined;
    const details = { ...job.details, commit, by: actorOf(run) };
    this.former = formerExport(this.#records, { jobId, by, details: { ...details, image } });
    const order =
      job.intent.order ?? (job.intent.kind === 'export' ? this.#startedOrder : undefined);
    const intent = { ...job.intent, order };
    await this.#placeAll({ jobId, link, image, by, details, intent, key: runKey(run) });
    this.assertComplete();
    return this.#facts;
  }

  async #placeAll(placed: GivenToAll): Promise<void> {
    const all = this.#destinations;
    const { order } = placed.intent;
    const wanted = (part: Destination, wish: Pick<Wish, 'order' | 'isFirst'>) =>
      wantedIn(part, placed, { ...wish, hasOthers: all.length > 1 });
    const onEnd = (part: Destination, end: SectionEnd) => this.#noteEnd(part, end, placed);
    const given = await carryOut(placeInAll(all, { order, wanted, onEnd }), this.#lastWrite);
    if (given !== undefined) return;
    for (const one of all) {
      if (!one.linkWritten) one.error ??= busyError(one.store.names, placed.jobId);
    }
  }

  /** A cancelled run ends at once. */
  #noteEnd(part: Destination, end: SectionEnd, { jobId, intent }: GivenToAll): void {
    const needsOrder = end.kind === 'stopped' && end.why === 'order';
    part.error = needsOrder ? undefined : part.failureOf(end, { jobId, from: intent.from });
    if (end.kind === 'done') part.stateWritten ||= part.isKept;
    this.#init.record({ delivery: this.#facts, exports: this.exports });
    if (part.error?.code === 'cancelled') throw part.error;
  }

  /**
   * Takes `deliver` back, as a rollback, in every destination that has the link of `replaces`. All
   * are tried. Gives the addresses of those that now have the link, and what went wrong in others,
   * as `conflict` if another run has written meanwhile.
   */
  async putBack(change: PutBack): Promise<{
    readonly restored: readonly string[];
    readonly failure?: CourierError | undefined;
  }> {
    const { run, record } = this.#init;
    const { jobId, link, replaces } = change;
    const opened = this.#all.filter(({ isOpen }) => isOpen);
    const placed = {
      jobId,
      link,
      image: this.imageOf(jobId),
      by: 'rollback',
      details: { by: actorOf(run) },
      intent: { kind: 'rollback', from: replaces },
      key: undoKey(run),
    } as const;
    const former = new Map(this.#all.map((one) => [one, one.error]));
    for (const one of opened) one.error = undefined;
    await this.#placeAll(placed);
    const restored = opened
      .filter(({ error }) => error === undefined)
      .map(({ store }) => store.names.destination);
    const errors = opened.flatMap(({ error }) => error ?? []);
    for (const [one, error] of former) one.error = error;
    const facts = this.#facts;
    const destinations = facts.destinations?.map((destination) => ({
      ...destination,
      written: false,
    }));
    const reason = `the link of the previous export job ${jobId} was written back`;
    record({ delivery: { ...facts, updated: false, reason, destinations }, exports: this.exports });
    const failure = joined(
      errors.sort((a, b) => Number(b.code === 'conflict') - Number(a.code === 'conflict')),
    );
    return { restored, failure };
  }

  /** Throws what went wrong in one of the destinations. */
  assertComplete(): void {
    const failure = joined(this.#all.flatMap(({ error }) => error ?? []));
    if (failure !== undefined) throw failure;
  }

  /** What `deliver` would write, for a dry run. */
  plan(): Write[] {
    return this.#destinations.flatMap(({ store, isKept }) => {
      const action = store.can.keepsImage
        ? 'push the site as an image, and move the tag'
        : 'write the link';
      const link = { action, target: store.names.link };
      return isKept ? [link, { action: 'write the state', target: store.names.state }] : [link];
    });
  }

  /** What became of the link so far. */
  get #facts(): DeliveryFacts {
    const [first] = this.#all;
    const { name = '', target = '' } = first?.store.names ?? {};
    const destinations = this.#all.map(({ store, linkWritten, versions, error }) => ({
      destination: store.names.destination,
      written: linkWritten,
      ...versions,
      ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    }));
    return {
      updated: destinations.every(({ written }) => written),
      name,
      target,
      stateWritten: first?.stateWritten ?? false,
      reason: first && reasonOf(first),
      destinations,
    };
  }

  get #openedRecords(): readonly StateRecord[] {
    return this.#destinations.flatMap(({ opened: { kind, record }, openedFound }) =>
      openedFound?.record === undefined && kind !== 'announced' ? [] : [record],
    );
  }

  get #records(): readonly StateRecord[] {
    return this.#destinations.map(({ record }) => record);
  }

  /** Those in which nothing went wrong. */
  get #destinations(): readonly Destination[] {
    return this.#all.filter(({ error }) => error === undefined);
  }
}

/**
 * Two addresses may mean one destination, such as the name and the ARN of a secret: that shows once
 * both are open.
 */
function refuseDoubles(destinations: readonly Destination[]): void {
  const seen = new Map<string, string>();
  for (const { store } of destinations) {
    const former = seen.get(store.signedAddress);
    if (former !== undefined) {
      throw new CourierError({
        code: 'config',
        message: `${store.names.destination} and ${former} are the same destination. Nothing was written.`,
        hint: 'Name it once.',
      });
    }
    seen.set(store.signedAddress, store.names.destination);
  }
}

function ownContent(
  { store }: Destination,
  { jobId, link, image, by, details }: GivenToAll,
): Delivered {
  if (store.can.keepsImage) return forImages({ jobId, by, details }, image);
  if (link === undefined) throw new Error(`${store.names.destination} needs a link.`);
  return { jobId, by, details, link };
}

function wantedIn(
  part: Destination,
  placed: GivenToAll,
  wish: Omit<Wanted['wish'], 'kind' | 'job' | 'from'>,
): Wanted {
  const { jobId, intent, key } = placed;
  const { link, by, details } = ownContent(part, placed);
  const { kind, from } = intent;
  const expiresAt = link.expiresAt?.toISOString();
  return { wish: { ...wish, kind, job: jobId, from }, link: link.url, expiresAt, by, details, key };
}

/** What went wrong in one destination. A cancelled run ends at once. */
function expectedError(error: unknown): CourierError {
  if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
  return error;
}

async function expectedFailure(body: () => Promise<void>): Promise<CourierError | undefined> {
  try {
    await body();
    return undefined;
  } catch (error) {
    return expectedError(error);
  }
}

function liveExports(record: StateRecord): readonly LiveExport[] {
  return exportsOf(record).map((one) => (one.job === record.jobId ? { ...one, live: true } : one));
}

function reasonOf({ failed, isKept, store }: Destination): string | undefined {
  if (failed) return 'the write failed';
  return isKept ? undefined : `without its state: the ${store.names.stateRight} is missing`;
}
