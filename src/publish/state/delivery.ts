import { CourierError } from '../../errors.ts';
import type { BundleLink } from '../../platform/link.ts';
import type { Write } from '../../run/report.ts';
import type { LinkStore } from '../../stores/port.ts';
import { actorOf, commitOf, type Delivered, forImages, joined, runKey } from './change.ts';
import { Destination, type DestinationInit } from './destination.ts';
import { countFor, type DeliveredBy, type ExportDetails, exportsOf } from './history.ts';
import {
  chooseRollback,
  decideResume,
  formerJob,
  latestRecord,
  type NamedRecord,
  noJob,
  type Resume,
  type Rollback,
  unfit,
} from './jobs.ts';
import { isDue, type RunContent, type State, type StateRecord, timeOf } from './state.ts';
import type { DeliveryFacts, DeliveryRecord, LiveExport } from './summary.ts';

interface DeliveryInit extends DestinationInit {
  readonly stores: readonly LinkStore[];
  readonly by: DeliveredBy;
  readonly record: (facts: DeliveryRecord) => void;
}

/** A job, and what decides whether its link may replace another one. */
export type DeliveredJob = Pick<Delivered, 'jobId' | 'requestedAtMs' | 'isExplicit'> & {
  /** undefined: see `needsLink`. */
  readonly link: BundleLink | undefined;
  /** `REGISTRY/REPOSITORY@sha256:…`, for the destination that keeps images. */
  readonly image?: string | undefined;
  /** What is known of the export besides the run. */
  readonly details?: Omit<ExportDetails, 'commit' | 'by' | 'image'> | undefined;
};

/** A link that replaces the one that was delivered, of the job that was live before. */
interface PutBack extends Pick<DeliveredJob, 'jobId' | 'link'> {
  /** The job whose link the destinations hold now: that of any other is left alone. */
  readonly replaces: string;
}

/** The destinations of a link with their states, read before anything starts. */
export class Delivery {
  readonly #init: DeliveryInit;
  readonly #all: readonly Destination[];
  #requestedAtMs: number | undefined;
  /** The job that was live before `deliver`; undefined: none is known, or the link was only made fresh. */
  formerJob: string | undefined;

  /**
   * Reads all that a later write needs. Credentials that do not reach a destination fail here, within a second, and not after half
   * an hour of exporting. A refresh continues with the destinations that can be reached, and fails at its end.
   */
  static async open(init: DeliveryInit): Promise<Delivery> {
    const all = init.stores.map((store) => new Destination(store, init));
    for (const destination of all) {
      const continues = init.by !== 'export' && all.length > 1;
      destination.error = await failureOf(() => destination.open());
      if (destination.error !== undefined && !continues) throw destination.error;
    }
    refuseDoubles(all.filter(({ isOpen }) => isOpen));
    const delivery = new Delivery(init, all);
    if (delivery.#destinations.length === 0) delivery.assertComplete();
    return delivery;
  }

  private constructor(init: DeliveryInit, all: readonly Destination[]) {
    this.#init = init;
    this.#all = all;
    if (init.by !== 'export') return;
    for (const { opened } of this.#destinations) {
      if (opened.verdict.kind === 'changed') init.log.warning(`${opened.verdict.why} This export replaces the link.`);
    }
  }

  /** What a re-run does about the export of an earlier attempt. */
  resume(): Resume {
    const { run, domain } = this.#init;
    const found = this.#destinations.map(({ opened }) => decideResume({ state: opened, run, domain }));
    // One that knows the job comes first, then a warning.
    const isWarning = (resume: Resume) => resume.kind === 'start' && resume.warning !== undefined;
    return found.find(({ kind }) => kind === 'attach') ?? found.find(isWarning) ?? { kind: 'start' };
  }

  /** What an earlier attempt of this run has published; undefined: nothing that is known. */
  get earlierContent(): RunContent | undefined {
    const { runId, runAttempt, job } = this.#init.run;
    const runs = this.#destinations.flatMap(({ opened: { record, verdict } }) =>
      runAttempt > 1 && verdict.kind !== 'changed' && record?.run !== undefined ? [record.run] : [],
    );
    return runs.find((run) => run.id === runId && run.job === job && run.content !== undefined)?.content;
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
    this.setContent(content);
    for (const destination of this.#destinations) await destination.mark({ state: 'publishing' });
  }

  /** Why the state of a destination is ignored; for a report. */
  get ignored(): string | undefined {
    return this.#destinations.map(({ opened: { verdict } }) => verdict).find((one) => one.kind === 'ignored')?.why;
  }

  /** Why the state of a destination is not up to date; for a report. */
  get changed(): string | undefined {
    return this.#destinations.map(({ opened: { verdict } }) => verdict).find((one) => one.kind === 'changed')?.why;
  }

  /** When a job that is asked for now was asked for, epoch milliseconds: after every request that a state names. */
  requestNow(): number {
    const known = this.#records.flatMap(({ requestedAt, run }) => [timeOf(requestedAt), timeOf(run?.requestedAt)]);
    const last = Math.max(0, ...known.filter((ms) => ms !== undefined));
    this.#requestedAtMs ??= Math.max(Math.floor(this.#init.clock.now()), last + 1);
    return this.#requestedAtMs;
  }

  /** Stores that an export is about to be started; proves that the state can be written. */
  async markStarting(): Promise<void> {
    const requestedAtMs = this.requestNow();
    try {
      for (const destination of this.#destinations) await destination.mark({ state: 'starting', requestedAtMs });
    } catch (error) {
      await this.unmarkStarting();
      throw error;
    }
  }

  /**
   * Stores the id of the started job. A state that cannot be written ends nothing: the export continues, and an annotation
   * says how to attach to it. Where the run is cancelled, `lastWrite` limits the write instead.
   */
  async markStarted(jobId: string, lastWrite: AbortSignal): Promise<void> {
    for (const destination of this.#destinations) await destination.markStarted(jobId, this.requestNow(), lastWrite);
  }

  /** Stores that the export of this run failed or was held back. Best effort. */
  async markFailed(): Promise<void> {
    for (const destination of this.#destinations) await destination.markFailed();
  }

  /** Takes `markStarting` back after a start that was refused: nothing is running. Best effort. */
  async unmarkStarting(): Promise<void> {
    for (const destination of this.#destinations) await destination.unmark();
  }

  /** The job that was asked for last, of the destinations whose state can be relied on. Throws where there is none. */
  storedJob(): { readonly jobId: string; readonly requestedAtMs: number | undefined; readonly state: StateRecord } {
    for (const one of this.#destinations) one.error = unfit(one, this.#destinations.length, this.#init.by);
    const state = this.#latestRecord();
    return { jobId: state.jobId, requestedAtMs: timeOf(state.requestedAt), state };
  }

  /**
   * The export that a rollback restores: the one before the live one, or the named one. Throws where there is none. A person who
   * names it decides also where the state may be an earlier one.
   */
  rollbackTo(jobId: string | undefined): Rollback {
    if (jobId === undefined) this.storedJob();
    const destination = this.#destinations[0]?.store.names.destination ?? '';
    const records = this.#openedRecords;
    const otherMode = this.needsLink ? 'refresh' : 'export';
    return chooseRollback({ jobId, state: this.#latestRecord(), records, run: this.#init.run, destination, otherMode });
  }

  #latestRecord(): NamedRecord {
    const latest = latestRecord(this.#openedRecords);
    if (latest !== undefined) return latest;
    throw this.#all.find(({ error }) => error !== undefined)?.error ?? noJob(this.#destinations[0], this.#init.by);
  }

  /** Half a sentence, before the first export: no state names one, and none is ignored. undefined: there is one. */
  get withoutExport(): string | undefined {
    const isEmpty = this.#destinations.every(
      ({ opened: { verdict, record } }) =>
        verdict.kind !== 'ignored' &&
        verdict.kind !== 'changed' &&
        record?.jobId === undefined &&
        // Two runs that wrote at the same time leave a link, but no job.
        record?.pending === undefined,
    );
    const [first] = this.#all;
    return isEmpty && first !== undefined ? `The ${first.store.names.state} names no finished export yet` : undefined;
  }

  /** The valid state of the first destination that has one. */
  get state(): StateRecord | undefined {
    return this.#openedRecords[0];
  }

  /** What is and was live in the first destination that has a state with exports, newest first. */
  get exports(): readonly LiveExport[] | undefined {
    const histories = this.#all.flatMap(({ state: { record } }) => (record === undefined ? [] : [liveExports(record)]));
    return histories.find(({ length }) => length > 0);
  }

  /** Those that can be written. */
  get stores(): readonly LinkStore[] {
    return this.#destinations.map(({ store }) => store);
  }

  /** False where all destinations keep images: they hold no link. */
  get needsLink(): boolean {
    return this.#all.some(({ store }) => store.can.keepsImage !== true);
  }

  /** The image of an export job, as a history names it. */
  imageOf(jobId: string): string | undefined {
    const all = this.#all.flatMap(({ state: { record } }) => (record === undefined ? [] : exportsOf(record)));
    return all.find(({ job, image }) => job === jobId && image !== undefined)?.image;
  }

  /** The earliest expiry of the stored links, where every destination holds a link of this job that is good for longer than that. */
  goodUntil(jobId: string, refreshBeforeMs: number): Date | undefined {
    const due = { nowMs: this.#init.clock.now(), refreshBeforeMs };
    const opened = this.#destinations.map((destination) => destination.opened);
    const isGood = ({ snapshot, record }: State) =>
      snapshot.link !== undefined && record?.jobId === jobId && !isDue(record, due);
    if (!opened.every(isGood)) return undefined;
    return new Date(Math.min(...opened.map(({ record }) => timeOf(record?.expiresAt) ?? 0)));
  }

  /** Writes the link into every destination. The first failure is thrown when all were tried. */
  async deliver(job: DeliveredJob): Promise<DeliveryFacts> {
    const { by, run } = this.#init;
    const records = this.#records;
    // A refresh or a rollback runs for another commit than the export did.
    const commit = by === 'export' ? commitOf(run) : undefined;
    const details = { ...job.details, commit, by: actorOf(run) };
    this.formerJob = formerJob(records, job.jobId, by);
    const delivered = { ...job, by, details, run: runKey(run), count: countFor(records, job.jobId) };
    for (const destination of this.#destinations) {
      try {
        destination.error = await failureOf(() => destination.deliver(ownContent(destination, delivered)));
      } finally {
        this.#init.record({ delivery: this.#facts, exports: this.exports });
      }
    }
    this.assertComplete();
    return this.#facts;
  }

  /**
   * Takes `deliver` back, as a rollback, in every destination that holds the link of `replaces`. All are tried. Gives the addresses
   * of those that now hold the link, and what went wrong in others, as `conflict` where another run has written meanwhile.
   */
  async putBack(
    change: PutBack,
  ): Promise<{ readonly restored: readonly string[]; readonly failure?: CourierError | undefined }> {
    const { run, record } = this.#init;
    const { jobId } = change;
    const delivered = {
      ...change,
      image: this.imageOf(jobId),
      requestedAtMs: this.requestNow(),
      isExplicit: true,
      by: 'rollback',
      // A rollback that is repeated must not take this for its own.
      run: `${runKey(run)}/undo`,
      details: { by: actorOf(run) },
      count: countFor(this.#records, jobId),
    } as const;
    const errors: CourierError[] = [];
    const restored: string[] = [];
    for (const destination of this.#all.filter(({ isOpen }) => isOpen)) {
      const error = await failureOf(() => destination.deliver(ownContent(destination, delivered)));
      if (error === undefined) restored.push(destination.store.names.destination);
      else errors.push(error);
    }
    const facts = this.#facts;
    const destinations = facts.destinations?.map((destination) => ({ ...destination, written: false }));
    const reason = `the link of the previous export job ${jobId} was written back`;
    record({ delivery: { ...facts, updated: false, reason, destinations }, exports: this.exports });
    const failure = joined(errors.sort((a, b) => Number(b.code === 'conflict') - Number(a.code === 'conflict')));
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
      const action = store.can.keepsImage ? 'push the site as an image, and move the tag' : 'write the link';
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
    return this.#destinations.flatMap(({ opened }) => opened.record ?? []);
  }

  get #records(): readonly StateRecord[] {
    return this.#destinations.flatMap(({ state }) => state.record ?? []);
  }

  /** Those in which nothing went wrong. */
  get #destinations(): readonly Destination[] {
    return this.#all.filter(({ error }) => error === undefined);
  }
}

/** Two addresses may mean one destination, such as the name and the ARN of a secret: that shows once both are open. */
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

type Linked = Omit<Delivered, 'link'> & Pick<DeliveredJob, 'link' | 'image'>;

function ownContent({ store }: Destination, { link, image, ...delivered }: Linked): Delivered {
  if (store.can.keepsImage) return forImages(delivered, image);
  if (link === undefined) throw new Error(`${store.names.destination} needs a link.`);
  return { ...delivered, link };
}

/** What went wrong in one destination. A cancelled run ends at once. */
async function failureOf(body: () => Promise<void>): Promise<CourierError | undefined> {
  try {
    await body();
    return undefined;
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    return error;
  }
}

function liveExports(record: StateRecord): readonly LiveExport[] {
  return exportsOf(record).map((one) => (one.job === record.jobId ? { ...one, live: true } : one));
}

function reasonOf({ failed, isKept, store }: Destination): string | undefined {
  if (failed) return 'the write failed';
  return isKept ? undefined : `without its state: the ${store.names.stateRight} is missing`;
}
