import { CourierError } from '../../errors.ts';
import type { LinkStore } from '../../stores/port.ts';
import { countOf, formatInstant } from '../../text/amounts.ts';
import { type RunIdentity, runKey, undoKey } from './change.ts';
import type { Destination } from './destination.ts';
import {
  type DeliveredBy,
  type ExportDetails,
  earlierExports,
  exportBefore,
  exportsOf,
  type Former,
  hasSameContent,
  liveExport,
} from './history.ts';
import { isNewer } from './protocol/situation.ts';
import { differ, type ExportRecord, type ExportRun, type StateRecord } from './state.ts';

/** What a re-run does about the export of an earlier attempt. */
export type Resume =
  | { readonly kind: 'start'; readonly warning?: string | undefined }
  | {
      readonly kind: 'attach';
      readonly jobId: string;
      readonly order: number | undefined;
      /** The project that the job exports; undefined: it was started by domain. */
      readonly projectId?: string | undefined;
    };

/** A destination as it was found. */
type Opened = Pick<Destination, 'opened' | 'openedFound' | 'whyChanged'> & {
  readonly store: Pick<LinkStore, 'names'>;
};

/**
 * What this attempt does about the export of an earlier attempt, as one destination knows it. Only
 * a later attempt of the same run and job attaches automatically: another run wants a new export.
 */
export function decideResume(
  { opened, whyChanged }: Pick<Opened, 'opened' | 'whyChanged'>,
  run: RunIdentity,
  domain: string | undefined,
): Resume {
  const { record } = opened;
  if (run.runAttempt <= 1 || differ(record.domain, domain)) return { kind: 'start' };
  const own = ownRun(record, run);
  // An earlier attempt announced a start, and ended before the state said what became of it.
  const mayHaveStarted = record.unanswered?.some(
    (one) => one.run === runKey(run) && one.by === 'export' && one.job === undefined,
  );
  if (own === undefined && !mayHaveStarted) return { kind: 'start' };
  const jobId = own?.jobId;
  if (opened.kind === 'changed') {
    const earlier = jobId === undefined ? '' : ` (export job ${jobId})`;
    return {
      kind: 'start',
      warning: `${whyChanged} The stored state of an earlier attempt of this run${earlier} is therefore not used: a new export is started.`,
    };
  }
  if (own !== undefined && jobId !== undefined) {
    // If this run rolled its own export back, placing that export again is a new decision.
    const wasUndone = record.rollback?.run === undoKey(run);
    const order = wasUndone ? undefined : own.order;
    return { kind: 'attach', jobId, order, projectId: own.content?.projectId };
  }
  // The earlier attempt ended before it started an export.
  if (own?.state === 'publishing' && !mayHaveStarted) return { kind: 'start' };
  return {
    kind: 'start',
    warning:
      'A new export is started, because an earlier attempt of this run stored no job id: it ended around the start of its export, or could not write the state. That export may still be running. To attach to it, give its id as export-job-id: it is in the log of that attempt, or on the dashboard of the platform.',
  };
}

/** What the state says of the export of this run; undefined: nothing. */
export function ownRun(record: StateRecord, run: RunIdentity): ExportRun | undefined {
  return record.runs?.find((one) => one.id === run.runId && one.job === run.job);
}

/**
 * Why a refresh or a rollback does not write this destination; undefined: it does. A new
 * destination among others is written, too.
 */
export function unfit(
  destination: Opened,
  hasOthers: boolean,
  by: DeliveredBy,
): CourierError | undefined {
  const { kind } = destination.opened;
  if (kind === 'known') return undefined;
  if (kind === 'changed') return changedState(destination, by);
  if (kind === 'bad-signature') return rotatedState(destination, by);
  const isNew = kind === 'nothing' && destination.openedFound?.link === undefined;
  return hasOthers && isNew ? undefined : noJob(destination, by);
}

/** The error for a link that the state does not explain. */
function changedState(destination: Opened, by: DeliveredBy): CourierError {
  const { jobId = 'the id of the job' } = destination.opened.record;
  let risk = 'A refresh could bring back an earlier export';
  let text = 'Run an export, which writes a new export. Or, if this job is the right one, name it:';
  let named = jobId;
  if (by === 'rollback') {
    risk = 'Which export is live is therefore not known';
    text = 'Name the export to restore; its id is in the table of an earlier summary:';
    named = '';
  }
  return new CourierError({
    code: 'integrity',
    message: `${destination.whyChanged} ${risk}, so the ${destination.store.names.link} was left as it is. The stored state names export job ${jobId}.`,
    hint: { text, inputs: { 'export-job-id': named } },
  });
}

/**
 * The error for a state with an invalid signature. A replaced key looks the same as a forged state:
 * a person decides.
 */
function rotatedState(destination: Opened, by: DeliveredBy): CourierError {
  const { link, state } = destination.store.names;
  const named = destination.openedFound?.named;
  const names =
    named === undefined ? '' : ` It names export job ${named}, which cannot be verified.`;
  return new CourierError({
    code: 'integrity',
    message: `The signature of the ${state} is invalid, so the ${link} was left as it is. The admin API key was probably replaced after the state was written, or someone without the key wrote it.${names}`,
    hint: {
      text: `Run an export, which writes a new state. Or check in the log or the summary of an earlier run which export ${by === 'rollback' ? 'should be restored' : 'is live'}, and name it:`,
      inputs: { 'export-job-id': '' },
    },
  });
}

/** The error of a run for which the state names no export. */
export function noJob(destination: Opened, by: DeliveredBy): CourierError {
  const isRollback = by === 'rollback';
  let message = `There is no export ${isRollback ? 'that can be rolled back' : 'to refresh'}: no job is known from the ${destination.store.names.state}; `;
  const ignored = destination.openedFound?.why;
  message +=
    ignored === undefined ? 'it names no finished export.' : `it is ignored because ${ignored}.`;
  const started = destination.opened.record.runs?.find((one) => one.state === 'started');
  if (started !== undefined)
    message += ` Export job ${started.jobId} was started, and its link was not written yet.`;
  const first = 'Run an export with this destination first';
  const text = `${first}, or give the id of a finished job. For a schedule that may run before the first export, set if-no-state: skip.`;
  const hint = isRollback ? `${first}.` : { text, inputs: { 'export-job-id': '' } };
  return new CourierError({ code: 'not-found', message, hint });
}

/** A record that names a job. */
export type NamedRecord = StateRecord & { readonly jobId: string };

/**
 * The record with the newest decision; undefined: no record names a job. Throws if the records are
 * of different sites.
 */
export function latestRecord(records: readonly StateRecord[]): NamedRecord | undefined {
  const named = records.filter((one): one is NamedRecord => one.jobId !== undefined);
  let [latest] = named;
  for (const one of named) {
    if (
      latest !== undefined &&
      isNewer(one.jobOrder ?? 0, one.jobId, latest.jobOrder, latest.jobId)
    )
      latest = one;
  }
  for (const other of named) if (latest !== undefined) assertSameSite(latest, other);
  return latest;
}

/** Throws if two records are of different sites. Two projects may have the same domain. */
function assertSameSite(a: StateRecord, b: StateRecord): void {
  const isOtherDomain = differ(a.domain, b.domain);
  if (!isOtherDomain && !differ(a.projectId, b.projectId)) return;
  const [site, otherSite] = isOtherDomain ? [a.domain, b.domain] : [a.projectId, b.projectId];
  throw new CourierError({
    code: 'config',
    message: `The destinations contain links of different sites: ${site} and ${otherSite}. Nothing was written.`,
    hint: 'Refresh each site in a separate step.',
  });
}

/**
 * The export with other content that was live before `jobId`, to which a run can go back;
 * undefined: none is known, or the live job itself is refreshed.
 */
export function formerExport(
  records: readonly StateRecord[],
  jobId: string,
  by: DeliveredBy,
  details: ExportDetails,
): Former | undefined {
  const record = records.find((one) => one.jobId !== undefined && one.jobId !== jobId);
  const live = record && liveExport(record);
  if (record !== undefined && live !== undefined) {
    const isSame = hasSameContent(live, details);
    // Going back to the same content would change nothing.
    if (isSame) return exportBefore(record, details);
    return { export: live, isKnownToDiffer: isSame === false };
  }
  if (by === 'refresh') return undefined;
  // No record names another job: an earlier attempt may have put this one in place already.
  for (const one of records) {
    const from = one.rollback?.from;
    if (by === 'rollback' && from !== undefined)
      return { export: { job: from }, isKnownToDiffer: false };
    const before = by === 'export' ? exportBefore(one) : undefined;
    if (before !== undefined) return before;
  }
  return undefined;
}

/** The export that a rollback restores. */
export interface Rollback extends Former {
  /**
   * The job that is live now; undefined: it is not known which that is, and a person has named the
   * export.
   */
  readonly from: string | undefined;
  /** An earlier attempt or run began this rollback. */
  readonly isContinued: boolean;
  /** The state of the destination, which names site and project. */
  readonly state: StateRecord;
}

interface WantedRollback {
  readonly state: NamedRecord;
  /** The state of every destination. */
  readonly records: readonly StateRecord[];
  /** The job that the input names; undefined: the export before the live one. */
  readonly jobId: string | undefined;
  readonly run: RunIdentity;
  /** As the input `to` names it. */
  readonly destination: string;
  /** The mode that publishes any job that is named: a refresh pushes no image. */
  readonly otherMode: 'export' | 'refresh';
}

/**
 * The export that a rollback restores. Throws if the state names no such export, or if it is live
 * already.
 */
export function chooseRollback(wanted: WantedRollback): Rollback {
  const { state, jobId, destination } = wanted;
  const isLive = jobId === undefined || jobId === state.jobId;
  if (isLive && wasRolledBack(wanted)) {
    const restored = known(state, destination, state.jobId);
    const from = state.rollback?.from ?? state.jobId;
    return { export: restored, from, isContinued: true, isKnownToDiffer: true, state };
  }
  const common = { from: state.jobId, isContinued: false, state };
  if (jobId === undefined) return { ...previous(wanted), ...common };
  if (!isLive)
    return { export: known(state, destination, jobId), isKnownToDiffer: true, ...common };
  const fresh = wanted.otherMode === 'refresh' ? 'For a fresh link of it, run mode: refresh. ' : '';
  throw new CourierError({
    code: 'config',
    message: `Export job ${jobId} is already live in ${destination}. Nothing was written.`,
    hint: `${fresh}To go back, name another export.`,
  });
}

/**
 * True if the live export is already what this rollback restores: this run was repeated, or an
 * earlier rollback was interrupted. Then it must not go back once more.
 */
function wasRolledBack({ state, records, run }: WantedRollback): boolean {
  const { rollback } = state;
  if (rollback === undefined) return false;
  if (rollback.open) return true;
  if (run.runAttempt > 1 && rollback.run === runKey(run)) return true;
  // A destination still has the job that was live before.
  const { from } = rollback;
  return from !== undefined && records.some((record) => record.jobId === from);
}

/** The export before the live one. Throws if there is none with other content. */
function previous({ state, destination, otherMode }: WantedRollback): Former {
  const before = exportBefore(state);
  if (before !== undefined) return before;
  const other = earlierExports(state).length > 0 ? 'with other content ' : '';
  throw new CourierError({
    code: 'not-found',
    message: `The state knows of no export ${other}before the live one, job ${state.jobId} in ${destination}. Nothing was written.`,
    hint: {
      text: 'Exports that were rolled back do not count. Export an earlier version of the content, or put another job in place:',
      inputs: { mode: otherMode, 'export-job-id': '' },
    },
  });
}

/** The entry of an export in the history. Throws if the history does not contain it. */
function known(state: StateRecord, destination: string, jobId: string): ExportRecord {
  const exports = exportsOf(state);
  const entry = exports.find(({ job }) => job === jobId);
  if (entry !== undefined) return entry;
  throw new CourierError({
    code: 'not-found',
    message: `Export job ${jobId} is not among the last ${countOf(exports.length, 'export')} that were live in ${destination}: ${exports.map(named).join(', ')}. Nothing was written.`,
    hint: 'A rollback restores only exports of the same destination. Name one of them.',
  });
}

function named({ job, at }: ExportRecord): string {
  return at === undefined ? job : `${job} of ${formatInstant(new Date(at))}`;
}
