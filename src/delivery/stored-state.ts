import type { LinkStore } from '../stores/port.ts';
import type { Destination, DestinationInit } from './destination.ts';
import { type DeliveredBy, exportsOf } from './history.ts';
import {
  chooseRollback,
  decideResume,
  latestRecord,
  type NamedRecord,
  noJobError,
  ownRun,
  type Resume,
  type Rollback,
  whyNotWritten,
} from './jobs.ts';
import { type ExportRecord, isDue, type RunContent, type StateRecord } from './state.ts';
import type { DeliveryRecord, LiveExport } from './summary.ts';

export interface DeliveryInit extends DestinationInit {
  readonly stores: readonly LinkStore[];
  readonly by: DeliveredBy;
  readonly record: (facts: DeliveryRecord) => void;
}

/** What the destinations of a run contain, and which export job that makes a run choose. */
export abstract class StoredState {
  protected readonly all: readonly Destination[];
  protected readonly first: Destination;
  protected readonly init: DeliveryInit;

  protected constructor(init: DeliveryInit, all: readonly Destination[]) {
    const [first] = all;
    if (first === undefined) throw new Error('A delivery needs a destination.');
    this.init = init;
    this.all = all;
    this.first = first;
  }

  /**
   * What this run does about the export of its earlier attempt, from the state of all destinations.
   */
  resume(): Resume {
    const { run, domain } = this.init;
    const resumes = this.usable.map((one) => decideResume(one, run, domain));
    // A destination that knows the job decides, else the first one with a warning.
    const attaching = resumes.find((one) => one.kind === 'attach');
    const warning = resumes.find((one) => one.kind === 'start' && one.warning !== undefined);
    return attaching ?? warning ?? { kind: 'start' };
  }

  /** What an earlier attempt of this run has published; undefined: not known, or nothing. */
  get earlierContent(): RunContent | undefined {
    const { run } = this.init;
    const isFirstAttempt = run.runAttempt <= 1;
    if (isFirstAttempt) return undefined;
    for (const { situationAtStart } of this.usable) {
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
    const [newest] = this.records.flatMap((one) => one.runs ?? []);
    return newest?.state === 'started' ? newest.jobId : undefined;
  }

  /** True if a destination keeps its state, so that a re-run knows what this run has stored. */
  get keepsState(): boolean {
    return this.usable.some(({ keepsState }) => keepsState);
  }

  /** Why the state of a destination is not used; for a report. */
  get ignored(): string | undefined {
    return this.usable.map((one) => one.foundAtStart?.why).find(Boolean);
  }

  /** Why the state of a destination is not up to date; for a report. */
  get changed(): string | undefined {
    return this.usable.find((one) => one.situationAtStart.kind === 'changed')?.whyChanged;
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
    const usable = this.usable;
    const hasOthers = usable.length > 1;
    for (const destination of usable)
      destination.error = whyNotWritten(destination, hasOthers, this.init.by);
  }

  /**
   * The export that a rollback restores: the one before the live one, or the named one. Throws if
   * there is none. An export that a person names is restored even if the state may be an earlier
   * one, or cannot be verified.
   */
  rollbackTo(jobId: string | undefined): Rollback {
    if (jobId === undefined) this.#setUnreliableAside();
    // If all were set aside, `#requireLatestRecord` throws the error of one.
    const [first = this.first] = this.usable;
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
      run: this.init.run,
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
    const failure = this.all.find((one) => one.error !== undefined)?.error;
    throw failure ?? noJobError(this.first, this.init.by);
  }

  /**
   * Half a sentence for a report if no state has ever named a job; undefined: a state names one, or
   * is not used.
   */
  get withoutExport(): string | undefined {
    if (this.usable.some((one) => one.situationAtStart.kind !== 'nothing')) return undefined;
    return `The ${this.first.store.names.state} names no finished export yet`;
  }

  /** The valid state of the first destination that has one. */
  get state(): StateRecord | undefined {
    return this.#recordsAtStart[0];
  }

  /** What is and was live in the first destination that has a state with exports, newest first. */
  get exports(): readonly LiveExport[] | undefined {
    const records = this.all.map((destination) => destination.record);
    const record = records.find((one) => exportsOf(one).length > 0);
    if (record === undefined) return undefined;
    return exportsOf(record).map((entry) =>
      entry.job === record.jobId ? { ...entry, live: true } : entry,
    );
  }

  /** The stores of the destinations that can be written. */
  get stores(): readonly LinkStore[] {
    return this.usable.map((one) => one.store);
  }

  /** False if all destinations keep images: they contain no link. */
  get needsLink(): boolean {
    return this.all.some((one) => one.store.can.keepsImage !== true);
  }

  /** What a history says of an export job, such as for which project; undefined: none knows it. */
  formOf(jobId: string): ExportRecord | undefined {
    return this.#recordsOf(jobId)[0];
  }

  /** The image of an export job, as a history names it; undefined: none does. */
  imageOf(jobId: string): string | undefined {
    return this.#recordsOf(jobId).find((one) => one.image !== undefined)?.image;
  }

  /** The entries of an export job in the histories of all destinations. */
  #recordsOf(jobId: string): readonly ExportRecord[] {
    const entries = this.all.flatMap(({ record }) => record.history ?? []);
    return entries.filter((entry) => entry.job === jobId);
  }

  /**
   * The earliest expiry of the stored links, if every destination has a link of this job that works
   * for longer than `refreshBeforeMs`; undefined: a destination has no such link.
   */
  goodUntil(jobId: string, refreshBeforeMs: number): Date | undefined {
    const nowMs = this.init.clock.now();
    const expiriesMs: number[] = [];
    for (const { situationAtStart, foundAtStart } of this.usable) {
      const { record } = situationAtStart;
      // The state may name a job whose link was deleted since: a refresh writes it again.
      const hasLink = situationAtStart.kind === 'known' && foundAtStart?.link !== undefined;
      if (!hasLink || record.jobId !== jobId) return undefined;
      // A link whose expiry is not known is always due.
      const { expiresAt = '' } = record;
      if (isDue(expiresAt, nowMs, refreshBeforeMs)) return undefined;
      expiriesMs.push(Date.parse(expiresAt));
    }
    return new Date(Math.min(...expiriesMs));
  }

  /** The states that were there when the run began: valid ones, and those of announced links. */
  get #recordsAtStart(): readonly StateRecord[] {
    return this.usable.flatMap(({ foundAtStart, situationAtStart: { record } }) => {
      // Without a state, the claim of a run that ended may say whose link is there.
      if (foundAtStart?.record === undefined && record.jobId === undefined) return [];
      return [record];
    });
  }

  /** The states as they were last read or written. */
  protected get records(): readonly StateRecord[] {
    return this.usable.map((one) => one.record);
  }

  /** The destinations in which nothing went wrong so far. */
  protected get usable(): readonly Destination[] {
    return this.all.filter((one) => one.error === undefined);
  }
}
