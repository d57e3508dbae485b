import { CourierError } from '../../errors.ts';
import type { LinkStore } from '../../stores/port.ts';
import { countOf, formatInstant } from '../../text/amounts.ts';
import { type RunIdentity, runKey, undoKey } from './change.ts';
import type { Destination } from './destination.ts';
import {
  type DeliveredBy,
  earlierExports,
  exportBefore,
  exportsOf,
  type Former,
  hasSameContent,
  liveExport,
  type Placing,
} from './history.ts';
import { isNewer, type Situation } from './protocol/situation.ts';
import type { ExportRecord, ExportRun, StateRecord } from './state.ts';

/** What a re-run does about the export of an earlier attempt. */
export type Resume =
  | { readonly kind: 'start'; readonly warning?: string | undefined }
  | {
      readonly kind: 'attach';
      readonly jobId: string;
      readonly order: number | undefined;
      /** undefined: it was started by domain. */
      readonly projectId?: string | undefined;
    };

interface ResumeInit {
  /** What was there when the run began. */
  readonly opened: Situation;
  /** One or two sentences, if the link is not the one that the state knows of. */
  readonly whyChanged: string;
  readonly run: RunIdentity;
  readonly domain: string | undefined;
}

/** A destination as it was found. */
type Opened = Pick<Destination, 'opened' | 'openedFound' | 'whyChanged'> & {
  readonly store: Pick<LinkStore, 'names'>;
};

/**
 * Only a later attempt of the same run and job attaches automatically: another run wants a new
 * export.
 */
export function decideResume({
  opened: { kind, record },
  whyChanged,
  run,
  domain,
}: ResumeInit): Resume {
  if (run.runAttempt <= 1 || isOtherSite(record, domain)) return { kind: 'start' };
  const own = ownRun(record, run);
  const mayHaveStarted = (record.unanswered ?? []).some(
    (one) => one.run === runKey(run) && one.by === 'export' && one.job === undefined,
  );
  if (own === undefined && !mayHaveStarted) return { kind: 'start' };
  if (kind === 'changed') {
    const earlier = own?.jobId === undefined ? '' : ` (export job ${own.jobId})`;
    return {
      kind: 'start',
      warning: `${whyChanged} The stored state of an earlier attempt of this run${earlier} is therefore not used: a new export is started.`,
    };
  }
  if (own?.jobId !== undefined) {
    // What this run has taken back itself may be tried again: that is a new decision.
    const wasUndone = record.rollback?.run === undoKey(run);
    const order = wasUndone ? undefined : own.order;
    return { kind: 'attach', jobId: own.jobId, order, projectId: own.content?.projectId };
  }
  // It ended before it started an export.
  if (own?.state === 'publishing' && !mayHaveStarted) return { kind: 'start' };
  return {
    kind: 'start',
    warning:
      'A new export is started, because an earlier attempt of this run stored no job id: it ended around the start of its export, or could not write the state. That export may still be running. To attach to it, give its id as export-job-id: it is in the log of that attempt, or on the dashboard of the platform.',
  };
}

/** By project, no domain has to be known. */
function isOtherSite(record: StateRecord, domain: string | undefined): boolean {
  return (record.domain ?? domain) !== (domain ?? record.domain);
}

/** What the state says of this run. */
export function ownRun(
  { runs = [] }: StateRecord,
  { runId, job }: RunIdentity,
): ExportRun | undefined {
  return runs.find((one) => one.id === runId && one.job === job);
}

/**
 * Why a refresh or a rollback leaves this destination alone. A new destination among others is
 * written.
 */
export function unfit(
  destination: Opened,
  count: number,
  by: DeliveredBy,
): CourierError | undefined {
  const { kind, record } = destination.opened;
  switch (kind) {
    case 'changed':
      return changedState(destination, by);
    case 'bad-signature':
      return rotatedState(destination, by);
    case 'confirmed':
    case 'announced':
      return undefined;
    case 'nothing':
    case 'foreign':
    case 'unreadable': {
      const isNew =
        kind === 'nothing' &&
        destination.openedFound?.link === undefined &&
        record.jobId === undefined;
      return count > 1 && isNew ? undefined : noJob(destination, by);
    }
  }
}

function changedState(destination: Opened, by: DeliveredBy): CourierError {
  const { store, opened, whyChanged } = destination;
  const { jobId = 'the id of the job' } = opened.record;
  const risk =
    by === 'rollback'
      ? 'Which export is live is therefore not known'
      : 'A refresh could bring back an earlier export';
  return new CourierError({
    code: 'integrity',
    message: `${whyChanged} ${risk}, so the ${store.names.link} was left as it is. The stored state names export job ${jobId}.`,
    hint: {
      text:
        by === 'rollback'
          ? 'Name the export to restore; its id is in the table of an earlier summary:'
          : 'Run an export, which writes a new export. Or, if this job is the right one, name it:',
      inputs: { 'export-job-id': by === 'rollback' ? '' : jobId },
    },
  });
}

/** A rotated key looks the same as a forged state: a person decides. */
function rotatedState({ store, openedFound }: Opened, by: DeliveredBy): CourierError {
  const { named } = openedFound ?? {};
  const names =
    named === undefined ? '' : ` It names export job ${named}, which cannot be verified.`;
  return new CourierError({
    code: 'integrity',
    message: `The signature of the ${store.names.state} is invalid, so the ${store.names.link} was left as it is. The admin API key was probably replaced after the state was written, or someone without the key wrote it.${names}`,
    hint: {
      text: `Run an export, which writes a new state. Or check in the log or the summary of an earlier run which export ${by === 'rollback' ? 'should be restored' : 'is live'}, and name it:`,
      inputs: { 'export-job-id': '' },
    },
  });
}

export function noJob(destination: Opened | undefined, by: DeliveredBy): CourierError {
  if (destination === undefined) {
    return new CourierError({ code: 'not-found', message: 'There is no export to refresh.' });
  }
  const { store, opened, openedFound } = destination;
  const why =
    openedFound?.why === undefined
      ? 'it names no finished export'
      : `it is ignored because ${openedFound.why}`;
  const started = opened.record.runs?.find(({ state }) => state === 'started')?.jobId;
  const alsoStarted =
    started === undefined
      ? ''
      : ` Export job ${started} was started, and its link was not written yet.`;
  const purpose = by === 'rollback' ? 'that can be rolled back' : 'to refresh';
  return new CourierError({
    code: 'not-found',
    message: `There is no export ${purpose}: no job is known from the ${store.names.state}; ${why}.${alsoStarted}`,
    hint:
      by === 'rollback'
        ? 'Run an export with this destination first.'
        : {
            text: 'Run an export with this destination first, or give the id of a finished job. For a schedule that may run before the first export, set if-no-state: skip.',
            inputs: { 'export-job-id': '' },
          },
  });
}

/** A record that names a job. */
export type NamedRecord = StateRecord & { readonly jobId: string };

/**
 * The record with the newest decision; undefined: none names a job. Throws for links of different
 * sites.
 */
export function latestRecord(records: readonly StateRecord[]): NamedRecord | undefined {
  const [latest, ...others] = records
    .flatMap((record) => (record.jobId === undefined ? [] : [{ ...record, jobId: record.jobId }]))
    .sort((a, b) => (isNewer(b.jobOrder ?? 0, b.jobId, a.jobOrder, a.jobId) ? 1 : -1));
  for (const other of others) if (latest !== undefined) assertSameSite(latest, other);
  return latest;
}

function assertSameSite(a: StateRecord, b: StateRecord): void {
  const same =
    (a.domain ?? b.domain) === (b.domain ?? a.domain) &&
    (a.projectId ?? b.projectId) === (b.projectId ?? a.projectId);
  if (same) return;
  throw new CourierError({
    code: 'config',
    message: `The destinations contain links of different sites: ${a.domain ?? a.projectId} and ${b.domain ?? b.projectId}. Nothing was written.`,
    hint: 'Refresh each site in a separate step.',
  });
}

/**
 * The job with other content that is live before `jobId` is put in place; undefined: none is known,
 * or it is to be refreshed.
 */
export function formerExport(
  records: readonly StateRecord[],
  { jobId, by, details }: Omit<Placing, 'run'>,
): Former | undefined {
  const record = records.find((one) => one.jobId !== undefined && one.jobId !== jobId);
  const live = record && liveExport(record);
  if (record !== undefined && live !== undefined) {
    const isSame = hasSameContent(live, details);
    // Going back to the same content would change nothing.
    return isSame === true
      ? exportBefore(record, details)
      : { export: live, isOther: isSame === false };
  }
  if (by === 'refresh') return undefined;
  // A run that is repeated: its job has been put in place before.
  const before = (one: StateRecord) => {
    const from = one.rollback?.from;
    if (by !== 'rollback') return exportBefore(one, liveExport(one) ?? {});
    return from === undefined ? undefined : { export: { job: from }, isOther: false };
  };
  return records.map(before).find((former) => former !== undefined);
}

/** The export that a rollback restores. */
export interface Rollback extends Former {
  /**
   * The job that is live now; undefined: it is not known which that is, and a person has named the
   * export.
   */
  readonly from: string | undefined;
  /** An earlier attempt or run began it. */
  readonly isContinued: boolean;
  /** Of the destination: names site and project. */
  readonly state: StateRecord;
}

interface WantedRollback {
  readonly state: NamedRecord;
  /** Of every destination. */
  readonly records: readonly StateRecord[];
  /** undefined: the export before the live one. */
  readonly jobId: string | undefined;
  readonly run: RunIdentity;
  /** As `to` has it. */
  readonly destination: string;
  /** The mode that publishes any job that is named: a refresh pushes no image. */
  readonly otherMode: 'export' | 'refresh';
}

/**
 * The export that a rollback restores. Throws if the state names no such export, or if it is live
 * already.
 */
export function chooseRollback(wanted: WantedRollback): Rollback {
  const { state, jobId } = wanted;
  const isLive = jobId === undefined || jobId === state.jobId;
  if (isLive && isOpen(wanted)) {
    return {
      export: known(wanted, state.jobId),
      from: state.rollback?.from ?? state.jobId,
      isContinued: true,
      isOther: true,
      state,
    };
  }
  if (jobId === state.jobId) {
    throw new CourierError({
      code: 'config',
      message: `Export job ${jobId} is already live in ${wanted.destination}. Nothing was written.`,
      hint: `${wanted.otherMode === 'refresh' ? 'For a fresh link of it, run mode: refresh. ' : ''}To go back, name another export.`,
    });
  }
  const found =
    jobId === undefined ? previous(wanted) : { export: known(wanted, jobId), isOther: true };
  return { ...found, from: state.jobId, isContinued: false, state };
}

/** Neither a re-run, nor a run after a rollback that was interrupted, may go back once more. */
function isOpen({ state, records, run }: WantedRollback): boolean {
  const { rollback } = state;
  if (rollback === undefined) return false;
  const isRepeated = run.runAttempt > 1 && rollback.run === runKey(run);
  const isUnfinished =
    rollback.from !== undefined && records.some((record) => record.jobId === rollback.from);
  return rollback.open === true || isRepeated || isUnfinished;
}

function previous({ state, destination, otherMode }: WantedRollback): Former {
  const found = exportBefore(state, liveExport(state) ?? {});
  if (found !== undefined) return found;
  const isSame = earlierExports(state).length > 0;
  throw new CourierError({
    code: 'not-found',
    message: `The state knows of no export ${isSame ? 'with other content ' : ''}before the live one, job ${state.jobId} in ${destination}. Nothing was written.`,
    hint: {
      text: 'Exports that were rolled back do not count. Export an earlier version of the content, or put another job in place:',
      inputs: { mode: otherMode, 'export-job-id': '' },
    },
  });
}

function known({ state, destination }: WantedRollback, jobId: string): ExportRecord {
  const exports = exportsOf(state);
  const found = exports.find(({ job }) => job === jobId);
  if (found !== undefined) return found;
  throw new CourierError({
    code: 'not-found',
    message: `Export job ${jobId} is not among the last ${countOf(exports.length, 'export')} that were live in ${destination}: ${exports.map(named).join(', ')}. Nothing was written.`,
    hint: 'A rollback restores only exports of the same destination. Name one of them.',
  });
}

function named({ job, at }: ExportRecord): string {
  return at === undefined ? job : `${job} of ${formatInstant(new Date(at))}`;
}
