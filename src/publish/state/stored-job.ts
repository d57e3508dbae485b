import { CourierError } from '../../errors.ts';
import { type DeliveredBy, timeOf } from './delivered.ts';
import type { Destination } from './destination.ts';
import { isDue, type State } from './state.ts';
import type { Held } from './stored-state.ts';

/** Why a refresh or a rollback leaves this destination alone. A new destination among others is written. */
export function unfit(destination: Destination, count: number, by: DeliveredBy): CourierError | undefined {
  const { fit, state, read, snapshot } = destination.state.opened;
  if (fit.kind === 'changed') return staleState(destination, fit.why, by);
  if (state?.jobId !== undefined) return undefined;
  return count > 1 && read.kind === 'missing' && snapshot.link === undefined ? undefined : noJob(destination, by);
}

function staleState({ store, state }: Destination, why: string, by: DeliveredBy): CourierError {
  const { jobId = 'the id of the job' } = state.opened.state ?? {};
  const risk =
    by === 'rollback' ? 'Which export is live is therefore not known' : 'A refresh could bring back an earlier export';
  return new CourierError({
    code: 'integrity',
    message: `${why} ${risk}, so the ${store.names.link} was left as it is. The stored state names export job ${jobId}.`,
    hint: {
      text:
        by === 'rollback'
          ? 'Name the export to put back in place; its id is in the table of an earlier summary:'
          : 'Run an export, which writes a new export. Or, where this job is the right one, name it:',
      inputs: { 'export-job-id': by === 'rollback' ? 'the id of the job' : jobId },
    },
  });
}

/** The states that name a job, that of the job which was asked for last first. */
export function latestFirst(states: readonly State[]): (State & { readonly jobId: string })[] {
  return states
    .flatMap((state) => (state.jobId === undefined ? [] : [{ ...state, jobId: state.jobId }]))
    .sort((a, b) => timeOf(b.requestedAt) - timeOf(a.requestedAt));
}

export function noJob(destination: Destination | undefined, by: DeliveredBy): CourierError {
  if (destination === undefined) {
    return new CourierError({ code: 'not-found', message: 'There is no export whose link could be refreshed.' });
  }
  const { store, state } = destination;
  const { read } = state.opened;
  const running = state.opened.state?.run?.jobId;
  const why = read.kind === 'ignored' ? `it is ignored because ${read.why}` : 'it names no finished export';
  const purpose = by === 'rollback' ? 'that could be rolled back' : 'whose link could be refreshed';
  const alsoRunning = running === undefined ? '' : ` Export job ${running} may be running.`;
  return new CourierError({
    code: 'not-found',
    message: `There is no export ${purpose}: no job is known from the ${store.names.state}; ${why}.${alsoRunning}`,
    hint:
      by === 'rollback'
        ? 'Run an export with this destination first.'
        : {
            text: 'Run an export with this destination first, or give the id of a finished job. For a schedule that may run before the first export, set if-no-state: skip.',
            inputs: { 'export-job-id': 'the id of the job' },
          },
  });
}

export function assertSameSite(a: State, b: State): void {
  const same =
    (a.domain ?? b.domain) === (b.domain ?? a.domain) && (a.projectId ?? b.projectId) === (b.projectId ?? a.projectId);
  if (same) return;
  throw new CourierError({
    code: 'config',
    message: `The destinations hold links of different sites: ${a.domain ?? a.projectId} and ${b.domain ?? b.projectId}. Nothing was written.`,
    hint: 'Refresh each site in a step of its own.',
  });
}

/** Nothing was exported into the destination yet, as far as its state can be relied on. */
export function knowsNoExport({ read, fit, state }: Held): boolean {
  return read.kind !== 'ignored' && fit.kind !== 'changed' && state?.jobId === undefined;
}

/** The earliest expiry of the links in these destinations, where each is of this job and not due; else undefined. */
export function goodUntil(
  destinations: readonly Held[],
  jobId: string,
  due: { readonly nowMs: number; readonly refreshBeforeMs: number },
): Date | undefined {
  const expiries: number[] = [];
  for (const { state, snapshot } of destinations) {
    const isThere = snapshot.link !== undefined && state?.jobId === jobId;
    if (!isThere || isDue(state, due)) return undefined;
    expiries.push(timeOf(state.expiresAt));
  }
  return new Date(Math.min(...expiries));
}
