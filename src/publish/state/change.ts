import { CourierError } from '../../errors.ts';
import type { RunContext } from '../../github/connection.ts';
import type { BundleLink } from '../../platform/link.ts';
import {
  type LinkStore,
  type Snapshot,
  type StoreNames,
  type StoreUse,
  UNSEEN,
} from '../../stores/port.ts';
import { plainLine } from '../../text/escape.ts';
import { guess } from '../../text/names.ts';
import type { DeliveredBy, ExportDetails } from './history.ts';
import type { Found, StopReason } from './protocol/situation.ts';
import type { SectionEnd } from './protocol/steps.ts';
import type { StateRecord } from './state.ts';

/** Which run this is, for the state. Commit and actor are empty if the system does not say. */
export type RunIdentity = Pick<RunContext, 'runId' | 'runAttempt' | 'job'> &
  Partial<Pick<RunContext, 'sha' | 'actor'>>;

const MAX_NAME = 60;

/** Who caused the run, for the history. */
export function actorOf({ actor = '' }: RunIdentity): string | undefined {
  return plainLine(actor, MAX_NAME) || undefined;
}

/** The commit that the run is for, if its name is one. */
export function commitOf({ sha = '' }: RunIdentity): string | undefined {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha) ? sha : undefined;
}

/** The same in every attempt of a job of a run. */
export function runKey({ runId, job }: RunIdentity): string {
  return `${runId}/${job}`;
}

/**
 * Of a rollback that a run makes of its own export: a repeated one must not take it for its own.
 */
export function undoKey(run: RunIdentity): string {
  return `${runKey(run)}/undo`;
}

/** The link to write. */
export interface Delivered {
  readonly jobId: string;
  readonly link: BundleLink;
  readonly by: DeliveredBy;
  readonly details: ExportDetails;
}

/**
 * What a destination that keeps images is given: the image, which does not expire, and the name of
 * no person.
 */
export function forImages(
  { jobId, by, details }: Omit<Delivered, 'link'>,
  image: string | undefined,
): Delivered {
  if (image === undefined) {
    throw new CourierError({
      code: 'not-found',
      message: `No image of export job ${jobId} is known. The tag was not moved.`,
      hint: 'Run mode: rollback with this export-job-id, which makes the image again.',
    });
  }
  const link = { url: image, expiresAt: undefined, sizeBytes: undefined };
  return { jobId, by, link, details: { ...details, by: undefined, image } };
}

/** The same failure with what it means for the link. A cancelled run has its own words. */
function withMeaning(error: CourierError, meaning: string): CourierError {
  return error.code === 'cancelled'
    ? error
    : error.with({ message: `${error.message} ${meaning}` });
}

/** The first error, with the messages of all; undefined: there is none. */
export function joined(errors: readonly CourierError[]): CourierError | undefined {
  const [first, ...others] = new Set(errors);
  if (first === undefined || others.length === 0) return first;
  return first.with({ message: [first, ...others].map(({ message }) => message).join('\n') });
}

interface OpenedDestination {
  readonly names: StoreNames;
  /** The destination keeps an image, which has its own input. */
  readonly isImage: boolean;
  readonly found: Found;
  readonly snapshot: Snapshot;
  readonly takeOver: boolean;
  readonly use: StoreUse | undefined;
}

/**
 * What a destination contains before this run, if that is not a link of ours. Throws `config` for
 * what would be lost, unless a person takes it over; returns a warning for what may be.
 */
export function foreignContent(opening: OpenedDestination): string | undefined {
  const { names, found, snapshot, takeOver, use } = opening;
  const { foreign, state } = found;
  if (foreign !== undefined) return refuseForeign(opening, foreign.place, foreign.what);
  if (state === 'valid') return undefined;
  if (use === 'read') return undefined;
  if (state === 'unreadable') return refuseUnreadable(opening);
  const { otherKeys = [], content } = snapshot;
  if (content === undefined) return otherKeys.length === 0 ? undefined : newKey(names, otherKeys);
  if (takeOver || state === 'bad-signature') return undefined;
  return `The ${names.link} has no state of Docs Courier yet: ${UNSEEN} is replaced by the link.`;
}

/** What is there is not ours. Returns a warning if a person takes it over. */
function refuseForeign(
  { names, isImage, takeOver, use }: OpenedDestination,
  place: 'link' | 'state',
  what: string,
): string | undefined {
  const found = `The ${names[place]} contains ${what}`;
  const correct = isImage
    ? `Correct the input image, which is now ${names.target}:${names.name}.`
    : `Correct ${names.destination} in to, or base-url and domain if they are wrong.`;
  if (takeOver) return `${found}. The ${place} replaces it, since take-over is true.`;
  if (use === 'read') {
    if (place === 'state') return undefined;
    const message = `${found}, and not a link of Docs Courier.`;
    throw new CourierError({ code: 'config', message, hint: correct });
  }
  throw new CourierError({
    code: 'config',
    message: `${found}, which the ${place} would replace. Nothing was written.`,
    hint: { text: `${correct} To replace what is there:`, inputs: { 'take-over': 'true' } },
  });
}

function refuseUnreadable({ names, found, takeOver }: OpenedDestination): string {
  const what = `The ${names.state} cannot be read: ${found.why}.`;
  if (takeOver) return `${what} It is replaced, since take-over is true.`;
  throw new CourierError({
    code: 'config',
    message: `${what} Nothing was written.`,
    hint: {
      text: 'Use the newest version of Docs Courier, or restore the previous text. To replace it, and lose the history in it:',
      inputs: { 'take-over': 'true' },
    },
  });
}

const MAX_KEYS = 20;

function newKey({ name, link, target }: StoreNames, keys: readonly string[]): string {
  const meant = guess(name, keys);
  const list = [...keys]
    .sort()
    .slice(0, MAX_KEYS)
    .map((key) => plainLine(key, MAX_NAME));
  const question = meant === undefined ? '' : ` Did you mean ${plainLine(meant, MAX_NAME)}?`;
  return `The ${link} is new. ${target} has other keys: ${list.join(', ')}${keys.length > MAX_KEYS ? ' and more' : ''}.${question}`;
}

/** Two runs write one destination. */
function conflictError(message: string, jobId: string | undefined): CourierError {
  const anyway = jobId === undefined ? '' : ' To write the link of this job anyway, give its id:';
  return new CourierError({
    code: 'conflict',
    message,
    hint: {
      text: `Let only one run at a time write a destination, with a concurrency group.${anyway}`,
      inputs: jobId === undefined ? undefined : { 'export-job-id': jobId },
    },
  });
}

/** Whose link should have been written. */
interface Job {
  readonly jobId: string;
  /** Of a rollback: the job that it replaces. */
  readonly from: string | undefined;
}

interface EndedSection {
  readonly end: Exclude<SectionEnd, { readonly kind: 'done' }>;
  readonly store: LinkStore;
  /** undefined: only the state should have been written. */
  readonly job: Job | undefined;
  /** One or two sentences: how the link differs from what the state knows. */
  readonly changed: string;
}

/** The end of a section as an error: why the link was not written, and what that means. */
export function endError({ end, store, job, changed }: EndedSection): CourierError {
  const { names } = store;
  if (job === undefined) return stateError(end, names);
  const { jobId } = job;
  if (end.kind !== 'failed') {
    const error =
      end.kind === 'busy'
        ? busyError(names, jobId)
        : stoppedError({ names, why: end.why, record: end.situation.record, job, changed });
    return end.isUncertain ? withMeaning(error, UNCERTAIN) : error;
  }
  const { error, at, linkWritten } = end;
  if (linkWritten) {
    const late = `The ${names.link} has the new link, but the ${names.state} does not say so yet.`;
    const next = store.can.keepsImage
      ? 'Run again.'
      : 'The next refresh notices it and writes the link once more.';
    return withMeaning(error, `${late} ${next}`);
  }
  if (at === 'write-link') return withMeaning(error, failedWrite(store, error, jobId));
  return withMeaning(error, `Nothing was written. ${notLost(jobId)}.`);
}

const UNCERTAIN = 'But a request for it was sent before, and may still arrive.';

function stateError(end: EndedSection['end'], { destination, state }: StoreNames): CourierError {
  switch (end.kind) {
    case 'failed':
      return end.error;
    case 'busy':
      return conflictError(
        `Other runs keep writing ${destination}: the state was not written after several attempts.`,
        undefined,
      );
    case 'stopped':
      return conflictError(
        `The ${state} was replaced by something else during this run. Nothing was written.`,
        undefined,
      );
  }
}

export function busyError({ destination }: StoreNames, jobId: string): CourierError {
  const what = `the link of export job ${jobId} was not written after several attempts`;
  return conflictError(`Other runs keep writing ${destination}: ${what}.`, jobId);
}

/** What a failed write of the link means. */
function failedWrite(
  { names: { link }, can }: LinkStore,
  error: CourierError,
  jobId: string,
): string {
  if (!error.mayHaveStarted) {
    return `The ${link} still has its previous value. ${notLost(jobId)}, which does not start a second export.`;
  }
  if (can.keepsImage) {
    return `The ${link} names the previous image or the new one. Run again, or attach to the export with export-job-id: ${jobId}. A refresh moves no tag.`;
  }
  return `The ${link} has the previous link or the new one; the next refresh writes it once more. ${notLost(jobId)}, which does not start a second export.`;
}

function notLost(jobId: string): string {
  return `The export is not lost: attach to it with export-job-id: ${jobId}`;
}

interface Stopped {
  readonly names: StoreNames;
  readonly why: StopReason;
  /** What is there, as far as it is ours. */
  readonly record: StateRecord;
  readonly job: Job;
  readonly changed: string;
}

/** Why the link was not written, from what was read right before. */
function stoppedError({ names, why, record, job, changed }: Stopped): CourierError {
  const { jobId, from } = job;
  const { destination, state, link } = names;
  const not = `The link of export job ${jobId} was not written.`;
  switch (why) {
    case 'older':
      return olderError(
        names,
        record,
        jobId,
        `The link of the earlier job was not written (${jobId}).`,
      );
    case 'replaced': {
      const what = `Only the link of export job ${from} should have been replaced; nothing was written (${jobId}).`;
      return olderError(names, record, jobId, what);
    }
    case 'changed': {
      const what = `It changed during this run, so the link of export job ${jobId} was not written.`;
      return conflictError(`${changed} ${what}`, jobId);
    }
    case 'put-back':
      return conflictError(
        `The ${state} became older during this run: an earlier state was put back. ${not}`,
        jobId,
      );
    case 'order':
      return conflictError(`Other runs keep writing ${destination}. ${not}`, jobId);
    case 'nothing':
      return conflictError(`The ${state} was deleted during this run. ${not}`, jobId);
    case 'rotated':
    case 'unreadable':
      return conflictError(
        `The ${state} was replaced by another text during this run. ${not}`,
        jobId,
      );
    case 'foreign':
      return conflictError(
        `The ${link} was replaced by something else during this run. ${not}`,
        jobId,
      );
  }
}

function olderError(
  names: StoreNames,
  record: StateRecord,
  jobId: string,
  what: string,
): CourierError {
  const holder =
    record.rollback === undefined
      ? `belongs to a newer export: job ${record.jobId}`
      : `was rolled back to job ${record.jobId} at ${record.rollback.at}, after this export was requested`;
  return conflictError(`${names.destination} ${holder}. ${what}`, jobId);
}
