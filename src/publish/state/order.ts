import type { CourierError } from '../../errors.ts';
import type { StoreNames } from '../../stores/port.ts';
import { type Delivered, timeOf } from './delivered.ts';
import { conflictError } from './errors.ts';
import { sameLink } from './freshness.ts';
import type { Held, StoredState } from './stored-state.ts';

/** Throws where what a destination holds now must not be replaced by this job. A job that a person named replaces anything. */
export function refuseOlder(names: StoreNames, { held, opened }: StoredState, delivered: Delivered): void {
  const { jobId, by, isExplicit, replaces } = delivered;
  const { fit, snapshot, state } = held;
  if (replaces !== undefined && state?.jobId !== replaces && state?.jobId !== jobId) {
    const what = `Only the link of export job ${replaces} was to be replaced; nothing was written`;
    throw olderError(names, held, { jobId, what });
  }
  if (isExplicit) return;
  const isOther = state?.jobId !== undefined && state.jobId !== jobId;
  if (isOlder(held, delivered) || (by === 'refresh' && isOther)) {
    throw olderError(names, held, { jobId, what: 'The link of the earlier job was not written' });
  }
  refusePutBack(names, held, opened, jobId);
  if (fit.kind === 'changed' && !sameLink(opened.snapshot, snapshot)) {
    throw conflictError(
      `${fit.why} That was while this run was at work: the link of export job ${jobId} was not written.`,
      jobId,
    );
  }
}

/** True when the state names another job that was asked for after this one. */
export function isOlder({ state }: Held, { jobId, requestedAtMs = 0 }: Delivered): boolean {
  return state?.jobId !== undefined && state.jobId !== jobId && timeOf(state.requestedAt) > requestedAtMs;
}

/** `what` is a sentence without its end: what became of the link of the job. */
export function olderError(
  names: StoreNames,
  { state }: Held,
  { jobId, what }: { readonly jobId: string; readonly what: string },
): CourierError {
  const at = state?.requestedAt === undefined ? '' : `, requested at ${state.requestedAt}`;
  const holder =
    state?.rollback === undefined
      ? `belongs to a newer export: job ${state?.jobId}${at}`
      : `was rolled back to job ${state.jobId} at ${state.rollback.at}, after this export was requested`;
  return conflictError(`${names.destination} ${holder}. ${what} (${jobId}).`, jobId);
}

/** Also in stores that show nothing of the link: a state whose count has become lower in this run is an earlier one. */
function refusePutBack({ state: name }: StoreNames, { state }: Held, opened: Held, jobId: string): void {
  const { count: openedCount = 0 } = opened.state ?? {};
  const { count = 0 } = state ?? opened.state ?? {};
  if (count >= openedCount) return;
  throw conflictError(
    `The ${name} was at count ${openedCount} when this run read it, and is at ${count} now: an earlier state was put back. The link of export job ${jobId} was not written.`,
    jobId,
  );
}
