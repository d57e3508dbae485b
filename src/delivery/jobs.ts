import { CourierError } from '../ground/errors.ts';
import { countOf, formatInstant } from '../ground/text/amounts.ts';
import type { LinkStore } from '../stores/port.ts';
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
import {
  areKnownToDiffer,
  type ExportRecord,
  type ExportRun,
  type RunIdentity,
  runKey,
  type StateRecord,
  undoKey,
} from './state.ts';

// Which job a re-run, a refresh or a rollback is about, as the states of its destinations say. A
// state is the signed text next to a link. The order of a decision is a number: the newer decision
// has the higher one. A run announces in the state what it is about to start or to write.

/** In a hint: the reader gives an id. */
const ID_PLACEHOLDER = '';

/** What a re-run does about the export of an earlier attempt. */
export type Resume =
  | { readonly kind: 'start'; readonly warning?: string }
  | {
      readonly kind: 'attach';
      readonly jobId: string;
      readonly order: number | undefined;
      /** The project that the job exports; undefined: it was started by domain. */
      readonly projectId?: string | undefined;
    };

/**
 * A destination as it was found when the run began. `whyChanged`: how the link differs from the one
 * that the state knows.
 */
type Opened = Pick<Destination, 'situationAtStart' | 'foundAtStart' | 'whyChanged'> & {
  readonly store: Pick<LinkStore, 'names'>;
};

/**
 * What this attempt does about the export of an earlier attempt, as one destination knows it. Only
 * a later attempt of the same run and job attaches automatically: another run wants a new export.
 */
export function decideResume(
  { situationAtStart, whyChanged }: Pick<Opened, 'situationAtStart' | 'whyChanged'>,
  run: RunIdentity,
  domain: string | undefined,
): Resume {
  const { record } = situationAtStart;
  const isFirstAttempt = run.runAttempt <= 1;
  const isOtherSite = areKnownToDiffer(record.domain, domain);
  if (isFirstAttempt || isOtherSite) return { kind: 'start' };
  const entry = ownRun(record, run);
  // An earlier attempt announced a start, and ended before the state said what became of it.
  const mayHaveStarted = record.unanswered?.some(
    (one) => one.run === runKey(run) && one.by === 'export' && one.job === undefined,
  );
  if (entry === undefined && !mayHaveStarted) return { kind: 'start' };
  const jobId = entry?.jobId;
  // An earlier state may have been put back: then its job is not the last one of this run.
  if (situationAtStart.kind === 'changed') {
    const jobText = jobId === undefined ? '' : ` (export job ${jobId})`;
    return {
      kind: 'start',
      warning: `${whyChanged} The stored state of an earlier attempt of this run${jobText} is therefore not used: a new export is started.`,
    };
  }
  if (entry !== undefined && jobId !== undefined) {
    // If this run rolled its own export back, placing that export again is a new decision: it gets
    // a new order.
    const wasUndone = record.rollback?.run === undoKey(run);
    const order = wasUndone ? undefined : entry.order;
    return { kind: 'attach', jobId, order, projectId: entry.content?.projectId };
  }
  // The earlier attempt let the platform publish, and ended before it asked for an export.
  const isBeforeStart = entry?.state === 'publishing' && !mayHaveStarted;
  if (isBeforeStart) return { kind: 'start' };
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

/** Why a refresh or a rollback does not write this destination; undefined: it does. */
export function whyNotWritten(
  destination: Opened,
  hasOthers: boolean,
  by: DeliveredBy,
): CourierError | undefined {
  const { kind } = destination.situationAtStart;
  if (kind === 'known') return undefined;
  if (kind === 'changed') return changedLinkError(destination, by);
  if (kind === 'bad-signature') return badSignatureError(destination, by);
  // No state of ours names a job. A destination that was added to the others gets their link; one
  // that has a link is not new.
  const isNew = kind === 'nothing' && destination.foundAtStart?.link === undefined;
  return hasOthers && isNew ? undefined : noJobError(destination, by);
}

/**
 * The error for a link that the state does not explain. A refresh is told the job that the state
 * names; a rollback is about another job, which only a person can name.
 */
function changedLinkError(destination: Opened, by: DeliveredBy): CourierError {
  // A link counts as changed only if the state names a job.
  const { jobId = '' } = destination.situationAtStart.record;
  let risk = 'A refresh could bring back an earlier export';
  let text = 'Run an export, which writes a new export. Or, if this job is the right one, name it:';
  let idToGive = jobId;
  if (by === 'rollback') {
    risk = 'Which export is live is therefore not known';
    text = 'Name the export to restore; its id is in the table of an earlier summary:';
    idToGive = ID_PLACEHOLDER;
  }
  return new CourierError({
    code: 'integrity',
    message: `${destination.whyChanged} ${risk}, so the ${destination.store.names.link} was left as it is. The stored state names export job ${jobId}.`,
    hint: { text, inputs: { 'export-job-id': idToGive } },
  });
}

/**
 * The error for a state with an invalid signature. A replaced key looks the same as a forged state:
 * a person decides.
 */
function badSignatureError(destination: Opened, by: DeliveredBy): CourierError {
  const { link, state } = destination.store.names;
  const named = destination.foundAtStart?.named;
  const whatItNames =
    named === undefined ? '' : ` It names export job ${named}, which cannot be verified.`;
  return new CourierError({
    code: 'integrity',
    message: `The signature of the ${state} is invalid, so the ${link} was left as it is. The admin API key was probably replaced after the state was written, or someone without the key wrote it.${whatItNames}`,
    hint: {
      text: `Run an export, which writes a new state. Or check in the log or the summary of an earlier run which export ${by === 'rollback' ? 'should be restored' : 'is live'}, and name it:`,
      inputs: { 'export-job-id': ID_PLACEHOLDER },
    },
  });
}

/**
 * The error of a run for which the state names no export. A refresh can be told the job instead; a
 * rollback needs the history of the state.
 */
export function noJobError(destination: Opened, by: DeliveredBy): CourierError {
  const isRollback = by === 'rollback';
  const whyIgnored = destination.foundAtStart?.why;
  let why = 'it names no finished export';
  if (whyIgnored !== undefined) why = `it is ignored because ${whyIgnored}`;
  let message = `There is no export ${isRollback ? 'that can be rolled back' : 'to refresh'}: no job is known from the ${destination.store.names.state}; ${why}.`;
  const { runs } = destination.situationAtStart.record;
  const startedRun = runs?.find((one) => one.state === 'started');
  if (startedRun !== undefined)
    message += ` Export job ${startedRun.jobId} was started, and its link was not written yet.`;
  const exportFirst = 'Run an export with this destination first';
  const text = `${exportFirst}, or give the id of a finished job. For a schedule that may run before the first export, set if-no-state: skip.`;
  const toRefresh = { text, inputs: { 'export-job-id': ID_PLACEHOLDER } };
  const hint = isRollback ? `${exportFirst}.` : toRefresh;
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
  if (latest === undefined) return undefined;
  for (const one of named) {
    if (isNewer(one.jobOrder ?? 0, one.jobId, latest.jobOrder, latest.jobId)) latest = one;
  }
  for (const one of named) assertSameSite(latest, one);
  return latest;
}

/** Throws if two records are of different sites. Two projects may have the same domain. */
function assertSameSite(a: StateRecord, b: StateRecord): void {
  const isOtherDomain = areKnownToDiffer(a.domain, b.domain);
  if (!isOtherDomain && !areKnownToDiffer(a.projectId, b.projectId)) return;
  const [site, otherSite] = isOtherDomain ? [a.domain, b.domain] : [a.projectId, b.projectId];
  throw new CourierError({
    code: 'config',
    message: `The destinations contain links of different sites: ${site} and ${otherSite}. Nothing was written.`,
    hint: 'Refresh each site in a separate step.',
  });
}

/**
 * The export with other content that was live before `jobId`, for a run that later has to take
 * `jobId` back; undefined: none is known, or the live job itself is refreshed. `details`: what is
 * known of the export `jobId`.
 */
export function formerExport(
  records: readonly StateRecord[],
  jobId: string,
  by: DeliveredBy,
  details: ExportDetails,
): Former | undefined {
  // A destination in which another job is still live.
  const other = records.find((record) => record.jobId !== undefined && record.jobId !== jobId);
  const live = other && liveExport(other);
  if (other !== undefined && live !== undefined) {
    // undefined: not known.
    const isSame = hasSameContent(live, details);
    // Going back to the same content would change nothing.
    if (isSame) return exportBefore(other, details);
    return { export: live, isKnownToDiffer: isSame === false };
  }
  if (by === 'refresh') return undefined;
  // No record names another job: an earlier attempt may have put this one in place already.
  for (const record of records) {
    const exportBeforeThis = by === 'export' ? exportBefore(record) : rolledBackExport(record);
    if (exportBeforeThis !== undefined) return exportBeforeThis;
  }
  return undefined;
}

/**
 * The export that was live before the rollback that the state names. The history does not lead to
 * it: there it is newer than the restored one, and marked as withdrawn.
 */
function rolledBackExport({ rollback }: StateRecord): Former | undefined {
  if (rollback?.from === undefined) return undefined;
  return { export: { job: rollback.from }, isKnownToDiffer: false };
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
  const namesOther = jobId !== undefined && jobId !== state.jobId;
  // An earlier attempt or run may have put the export in place that this rollback restores: then it
  // is only finished. A person who names another job than the live one begins a new rollback.
  if (!namesOther && wasRolledBack(wanted)) {
    const restored = entryOf(state, destination, state.jobId);
    // `from` is absent if the rollback began over a state that named no job.
    const from = state.rollback?.from ?? state.jobId;
    return { export: restored, from, isContinued: true, isKnownToDiffer: true, state };
  }
  const newRollback = { from: state.jobId, isContinued: false, state };
  if (jobId === undefined) return { ...exportBeforeLive(wanted), ...newRollback };
  // A person has chosen the export, so that its content is not compared with that of the live one.
  if (namesOther)
    return { export: entryOf(state, destination, jobId), isKnownToDiffer: true, ...newRollback };
  // The named job is live. `export`: the destination keeps an image, which needs no fresh link.
  const advice =
    wanted.otherMode === 'refresh' ? 'For a fresh link of it, run mode: refresh. ' : '';
  throw new CourierError({
    code: 'config',
    message: `Export job ${jobId} is already live in ${destination}. Nothing was written.`,
    hint: `${advice}To go back, name another export.`,
  });
}

/**
 * True if the live export is already what this rollback restores: this run was repeated, or an
 * earlier rollback was interrupted. Then it must not go back once more.
 */
function wasRolledBack({ state, records, run }: WantedRollback): boolean {
  const { rollback } = state;
  if (rollback === undefined) return false;
  // Its run ended before the state said that the link was in place.
  if (rollback.open) return true;
  const isRepeated = run.runAttempt > 1 && rollback.run === runKey(run);
  if (isRepeated) return true;
  // A destination that still has the job from before was not reached: the rollback continues there.
  const { from } = rollback;
  return from !== undefined && records.some((record) => record.jobId === from);
}

/** The export before the live one. Throws if there is none with other content. */
function exportBeforeLive({ state, destination, otherMode }: WantedRollback): Former {
  const former = exportBefore(state);
  if (former !== undefined) return former;
  // There are earlier exports, and all have the content of the live one.
  const hasEarlier = earlierExports(state).length > 0;
  const withOtherContent = hasEarlier ? 'with other content ' : '';
  throw new CourierError({
    code: 'not-found',
    message: `The state knows of no export ${withOtherContent}before the live one, job ${state.jobId} in ${destination}. Nothing was written.`,
    hint: {
      text: 'Exports that were rolled back do not count. Export an earlier version of the content, or put another job in place, with the other inputs of this run:',
      inputs: { mode: otherMode, 'export-job-id': ID_PLACEHOLDER },
    },
  });
}

/** The entry of an export in the history. Throws if the history does not contain it. */
function entryOf(state: StateRecord, destination: string, jobId: string): ExportRecord {
  const exports = exportsOf(state);
  const entry = exports.find(({ job }) => job === jobId);
  if (entry !== undefined) return entry;
  throw new CourierError({
    code: 'not-found',
    message: `Export job ${jobId} is not among the last ${countOf(exports.length, 'export')} that were live in ${destination}: ${exports.map(jobWithDate).join(', ')}. Nothing was written.`,
    hint: 'A rollback restores only exports of the same destination. Name one of them.',
  });
}

function jobWithDate({ job, at }: ExportRecord): string {
  return at === undefined ? job : `${job} of ${formatInstant(new Date(at))}`;
}
