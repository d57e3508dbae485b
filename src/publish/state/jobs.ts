import { CourierError } from '../../errors.ts';
import { countOf, formatInstant } from '../../text/amounts.ts';
import { type RunIdentity, runKey } from './change.ts';
import type { Destination, DestinationInit } from './destination.ts';
import { type DeliveredBy, earlierExports, exportsOf } from './history.ts';
import { type ExportRecord, type State, type StateRecord, timeOf } from './state.ts';

/** What a re-run does about the export of an earlier attempt. */
export type Resume =
  | { readonly kind: 'start'; readonly warning?: string | undefined }
  | { readonly kind: 'attach'; readonly jobId: string; readonly requestedAtMs: number | undefined };

type ResumeInit = Pick<DestinationInit, 'run' | 'domain'> & { readonly state: Pick<State, 'record' | 'verdict'> };

/** Only a later attempt of the same run and job attaches automatically: another run wants a new export. */
export function decideResume({ state: { record, verdict }, run, domain }: ResumeInit): Resume {
  const last = record?.run;
  if (run.runAttempt <= 1 || last === undefined || record?.domain !== domain) return { kind: 'start' };
  if (last.id !== run.runId || last.job !== run.job) return { kind: 'start' };
  if (verdict.kind === 'changed') {
    const earlier = last.jobId === undefined ? '' : ` (export job ${last.jobId})`;
    return {
      kind: 'start',
      warning: `${verdict.why} The stored state of an earlier attempt of this run${earlier} is therefore not used: a new export is started.`,
    };
  }
  // It ended before it started an export.
  if (last.state === 'publishing') return { kind: 'start' };
  if (last.jobId !== undefined) {
    return { kind: 'attach', jobId: last.jobId, requestedAtMs: timeOf(last.requestedAt) };
  }
  return {
    kind: 'start',
    warning:
      'A new export is started, because an earlier attempt of this run stored no job id: it ended around the start of its export, or could not write the state. That export may still be running. To attach to it, give its id as export-job-id: it is in the log of that attempt, or on the dashboard of the platform.',
  };
}

/** Why a refresh or a rollback leaves this destination alone. A new destination among others is written. */
export function unfit(destination: Destination, count: number, by: DeliveredBy): CourierError | undefined {
  const { record, verdict, snapshot } = destination.opened;
  if (verdict.kind === 'changed') return staleState(destination, verdict.why, by);
  if (record?.jobId !== undefined) return undefined;
  // Which of two runs wrote it is unknown here: another destination may show it.
  const isNew = verdict.kind === 'missing' && snapshot.link === undefined;
  return count > 1 && (isNew || record?.pending !== undefined) ? undefined : noJob(destination, by);
}

function staleState({ store, opened }: Destination, why: string, by: DeliveredBy): CourierError {
  const { jobId = 'the id of the job' } = opened.record ?? {};
  const risk =
    by === 'rollback' ? 'Which export is live is therefore not known' : 'A refresh could bring back an earlier export';
  return new CourierError({
    code: 'integrity',
    message: `${why} ${risk}, so the ${store.names.link} was left as it is. The stored state names export job ${jobId}.`,
    hint: {
      text:
        by === 'rollback'
          ? 'Name the export to restore; its id is in the table of an earlier summary:'
          : 'Run an export, which writes a new export. Or, where this job is the right one, name it:',
      inputs: { 'export-job-id': by === 'rollback' ? '' : jobId },
    },
  });
}

export function noJob(destination: Destination | undefined, by: DeliveredBy): CourierError {
  if (destination === undefined) {
    return new CourierError({ code: 'not-found', message: 'There is no export whose link could be refreshed.' });
  }
  const { store, opened } = destination;
  const running = opened.record?.run?.jobId;
  const purpose = by === 'rollback' ? 'that could be rolled back' : 'whose link could be refreshed';
  const alsoRunning = running === undefined ? '' : ` Export job ${running} may be running.`;
  return new CourierError({
    code: 'not-found',
    message: `There is no export ${purpose}: no job is known from the ${store.names.state}; ${whyNoJob(opened)}.${alsoRunning}`,
    hint:
      by === 'rollback'
        ? 'Run an export with this destination first.'
        : {
            text: 'Run an export with this destination first, or give the id of a finished job. For a schedule that may run before the first export, set if-no-state: skip.',
            inputs: { 'export-job-id': '' },
          },
  });
}

function whyNoJob({ verdict, record }: State): string {
  if (verdict.kind === 'ignored') return `it is ignored because ${verdict.why}`;
  if (record?.pending === undefined) return 'it names no finished export';
  return 'two runs wrote at the same time, and it is unknown which of their links is stored';
}

/** A record that names a job. */
export type NamedRecord = StateRecord & { readonly jobId: string };

/** The record that names the job which was asked for last; undefined: none names a job. Throws for links of different sites. */
export function latestRecord(records: readonly StateRecord[]): NamedRecord | undefined {
  const [latest, ...others] = records
    .flatMap((record) => (record.jobId === undefined ? [] : [{ ...record, jobId: record.jobId }]))
    .sort((a, b) => (timeOf(b.requestedAt) ?? 0) - (timeOf(a.requestedAt) ?? 0));
  for (const other of others) if (latest !== undefined) assertSameSite(latest, other);
  return latest;
}

function assertSameSite(a: StateRecord, b: StateRecord): void {
  const same =
    (a.domain ?? b.domain) === (b.domain ?? a.domain) && (a.projectId ?? b.projectId) === (b.projectId ?? a.projectId);
  if (same) return;
  throw new CourierError({
    code: 'config',
    message: `The destinations hold links of different sites: ${a.domain ?? a.projectId} and ${b.domain ?? b.projectId}. Nothing was written.`,
    hint: 'Refresh each site in a separate step.',
  });
}

/** The job that is live before `jobId` is put in place; undefined: none is known, or it is this one, to be refreshed. */
export function formerJob(records: readonly StateRecord[], jobId: string, by: DeliveredBy): string | undefined {
  const live = records.find((record) => record.jobId !== undefined && record.jobId !== jobId);
  if (live !== undefined || by === 'refresh') return live?.jobId;
  // A run that is repeated: its job has been put in place before.
  const before = (record: StateRecord) => (by === 'rollback' ? record.rollback?.from : earlierExports(record)[0]?.job);
  return records.map(before).find((former) => former !== undefined);
}

/** The export that a rollback restores. */
export interface Rollback {
  readonly export: ExportRecord;
  /** The job that is live now. */
  readonly from: string;
  /** An earlier attempt or run began it. */
  readonly isContinued: boolean;
  /** Of the destination: names site and project. */
  readonly state: StateRecord;
}

interface Wanted {
  readonly state: NamedRecord;
  /** Of every destination. */
  readonly records: readonly StateRecord[];
  /** undefined: the export before the live one. */
  readonly jobId: string | undefined;
  readonly run: RunIdentity;
  /** For messages. */
  readonly destination: string;
  /** The mode that publishes any job that is named: a refresh pushes no image. */
  readonly otherMode: 'export' | 'refresh';
}

/** The export that a rollback restores. Throws where the state names no such export, or where it is live already. */
export function chooseRollback(wanted: Wanted): Rollback {
  const { state, records, jobId, run } = wanted;
  const { rollback } = state;
  // Neither a re-run, nor a run after one that did not reach every destination, may go back once more.
  const isRepeated = run.runAttempt > 1 && rollback?.run === runKey(run);
  const isUnfinished = rollback?.from !== undefined && records.some((record) => record.jobId === rollback.from);
  const isLive = jobId === undefined || jobId === state.jobId;
  if ((isRepeated || isUnfinished) && isLive) {
    return { export: known(wanted, state.jobId), from: rollback?.from ?? state.jobId, isContinued: true, state };
  }
  if (jobId === state.jobId) {
    throw new CourierError({
      code: 'config',
      message: `Export job ${jobId} is live in ${wanted.destination} already. Nothing was written.`,
      hint: `${wanted.otherMode === 'refresh' ? 'For a fresh link of it, run mode: refresh. ' : ''}To go back, name another export.`,
    });
  }
  const found = jobId === undefined ? previous(wanted) : known(wanted, jobId);
  return { export: found, from: state.jobId, isContinued: false, state };
}

function previous({ state, destination, otherMode }: Wanted): ExportRecord {
  const [found] = earlierExports(state);
  if (found !== undefined) return found;
  throw new CourierError({
    code: 'not-found',
    message: `The state knows of no export before the live one, job ${state.jobId} in ${destination}. Nothing was written.`,
    hint: {
      text: 'Exports that were rolled back do not count. Export an earlier version of the content, or put another job in place:',
      inputs: { mode: otherMode, 'export-job-id': '' },
    },
  });
}

function known({ state, destination, otherMode }: Wanted, jobId: string): ExportRecord {
  const exports = exportsOf(state);
  const found = exports.find(({ job }) => job === jobId);
  if (found !== undefined) return found;
  throw new CourierError({
    code: 'not-found',
    message: `Export job ${jobId} is not among the last ${countOf(exports.length, 'export')} that were live in ${destination}: ${exports.map(named).join(', ')}. Nothing was written.`,
    hint: {
      text: 'A rollback restores only exports of the same destination. To publish any other job:',
      inputs: { mode: otherMode, 'export-job-id': jobId },
    },
  });
}

function named({ job, at }: ExportRecord): string {
  return at === undefined ? job : `${job} of ${formatInstant(new Date(at))}`;
}
