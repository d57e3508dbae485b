import { CourierError } from '../errors.ts';
import type { Place } from './place.ts';
import type { State } from './state.ts';

/** Why a refresh leaves this place alone. A new place among others is written. */
export function unfit(place: Place, count: number): CourierError | undefined {
  const { fit, state, read, snapshot } = place.state.opened;
  if (fit.kind === 'changed') return staleState(place, fit.why);
  if (state?.jobId !== undefined) return undefined;
  return count > 1 && read.kind === 'missing' && snapshot.link === undefined ? undefined : noJob(place);
}

function staleState({ store, state }: Place, why: string): CourierError {
  const { jobId = 'the id of the job' } = state.opened.state ?? {};
  return new CourierError({
    code: 'integrity',
    message: `${why} A refresh could bring back an earlier export, so the ${store.names.link} was left as it is. The stored state names export job ${jobId}.`,
    hint: {
      text: 'Run mode: export, which writes a new export. Or, where this job is the right one, name it:',
      inputs: { 'export-job-id': jobId },
    },
  });
}

export function noJob({ store, state }: Place): CourierError {
  const { read } = state.opened;
  const running = state.opened.state?.run?.jobId;
  const why = read.kind === 'ignored' ? `it is ignored because ${read.why}` : 'it names no finished export';
  const alsoRunning = running === undefined ? '' : ` Export job ${running} may be running.`;
  return new CourierError({
    code: 'not-found',
    message: `There is no export whose link could be refreshed: no job is known from the ${store.names.state}; ${why}.${alsoRunning}`,
    hint: {
      text: 'Run mode: export with this place first, or give the id of a finished job. For a schedule that may run before the first export, set if-no-state: skip.',
      inputs: { 'export-job-id': 'the id of the job' },
    },
  });
}

export function unknownJob(): CourierError {
  return new CourierError({ code: 'not-found', message: 'There is no export whose link could be refreshed.' });
}

export function assertSameSite(a: State, b: State): void {
  const same =
    (a.domain ?? b.domain) === (b.domain ?? a.domain) && (a.projectId ?? b.projectId) === (b.projectId ?? a.projectId);
  if (same) return;
  throw new CourierError({
    code: 'config',
    message: `The places hold links of different sites: ${a.domain ?? a.projectId} and ${b.domain ?? b.projectId}. Nothing was written.`,
    hint: 'Refresh each site in a step of its own.',
  });
}
