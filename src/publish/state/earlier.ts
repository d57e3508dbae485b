import { CourierError } from '../../errors.ts';
import { countOf, formatInstant } from '../../text/markdown.ts';
import { earlierExports, exportsOf } from './history.ts';
import { type RunIdentity, runKey } from './resume.ts';
import type { ExportRecord, State } from './state.ts';

/** The export that a rollback puts back in place. */
export interface Earlier {
  readonly export: ExportRecord;
  /** The job that is live now. */
  readonly from: string;
  /** An earlier attempt of this run has put it back already. */
  readonly isRepeated: boolean;
  /** Of the destination: names site and project. */
  readonly state: State;
}

interface Wanted {
  readonly state: State & { readonly jobId: string };
  /** undefined: the export before the live one. */
  readonly jobId: string | undefined;
  readonly run: RunIdentity;
  /** For messages. */
  readonly destination: string;
}

/** Throws where the state names no such export, or where it is live already. */
export function findEarlier(wanted: Wanted): Earlier {
  const { state, jobId, run } = wanted;
  const { rollback } = state;
  // A re-run must not go back once more.
  const isRepeated = run.runAttempt > 1 && rollback?.run === runKey(run);
  const isLive = jobId === undefined || jobId === state.jobId;
  if (isRepeated && isLive) {
    return { export: known(wanted, state.jobId), from: rollback?.from ?? state.jobId, isRepeated, state };
  }
  if (jobId === state.jobId) throw isLiveAlready(wanted, jobId);
  const found = jobId === undefined ? before(wanted) : known(wanted, jobId);
  return { export: found, from: state.jobId, isRepeated: false, state };
}

function before({ state, destination }: Wanted): ExportRecord {
  const [found] = earlierExports(state);
  if (found !== undefined) return found;
  return refuse({
    message: `The state has no export before the live one, job ${state.jobId} in ${destination}. Nothing was written.`,
    hint: 'Exports that were rolled back do not count. To put another job in place, run mode: refresh with export-job-id, or export an earlier version of the content.',
  });
}

function known({ state, destination }: Wanted, jobId: string): ExportRecord {
  const exports = exportsOf(state);
  const found = exports.find(({ job }) => job === jobId);
  if (found !== undefined) return found;
  return refuse({
    message: `Export job ${jobId} is not among the last ${countOf(exports.length, 'export')} that were live in ${destination}: ${exports.map(named).join(', ')}. Nothing was written.`,
    hint: {
      text: 'A rollback puts only exports of the same destination back. To put the link of any other job in place:',
      inputs: { mode: 'refresh', 'export-job-id': jobId },
    },
  });
}

function isLiveAlready({ destination }: Wanted, jobId: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `Export job ${jobId} is live in ${destination} already. Nothing was written.`,
    hint: 'For a fresh link of it, run mode: refresh. To go back, name another export.',
  });
}

function refuse(init: Pick<CourierError, 'message' | 'hint'>): never {
  throw new CourierError({ code: 'not-found', ...init });
}

function named({ job, at }: ExportRecord): string {
  return at === undefined ? job : `${job} of ${formatInstant(new Date(at))}`;
}
