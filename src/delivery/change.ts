import { CourierError } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import { guess } from '../ground/text/names.ts';
import { type LinkStore, type StoreNames, type StoreUse, UNSEEN } from '../stores/port.ts';
import type { FailedEnd, Reading, StoppedEnd } from './protocol/steps.ts';
import type { RunIdentity, StateRecord } from './state.ts';

// The state is the signed text next to a link, which says which export the link is of. A section is
// the part of a run in which no other run writes to the destination. This file says in errors and
// warnings what the end of a section means for the link.

const MAX_NAME = 60;

/** Who caused the run, for the history. */
export function actorOf({ actor = '' }: RunIdentity): string | undefined {
  return plainLine(actor, MAX_NAME) || undefined;
}

/** The commit that the run is for; undefined: the system gives no full hash. */
export function commitOf({ sha = '' }: RunIdentity): string | undefined {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha) ? sha : undefined;
}

/** The first error, with the messages of all, each once; undefined: there is none. */
export function joined(errors: readonly CourierError[]): CourierError | undefined {
  const [first, ...others] = new Set(errors);
  if (first === undefined || others.length === 0) return first;
  return first.with({ message: [first, ...others].map(({ message }) => message).join('\n') });
}

/**
 * Checks what a destination contains before this run. Throws `config` if something that is not ours
 * would be lost, unless a person takes it over. Gives a warning if something may be lost, or if the
 * name of the destination may be misspelt; undefined: nothing to say.
 */
export function checkNothingIsLost(
  store: LinkStore,
  reading: Reading,
  takeOver: boolean,
  use: StoreUse | undefined,
): string | undefined {
  const { names } = store;
  const { foreign, state, why } = reading.found;
  if (foreign !== undefined) {
    const finding = `The ${names[foreign.place]} contains ${foreign.what}`;
    if (takeOver) return `${finding}. The ${foreign.place} replaces it, since take-over is true.`;
    // A run that only reads overwrites no state; but there is nothing to read next to another link.
    if (use === 'read' && foreign.place === 'state') return undefined;
    throw foreignError(store, foreign.place, finding, use);
  }
  if (state === 'valid' || use === 'read') return undefined;
  if (state === 'unreadable') {
    const what = `The ${names.state} cannot be read: ${why}.`;
    if (takeOver) return `${what} It is replaced, since take-over is true.`;
    throw unreadableError(what);
  }
  // The state is missing or has a bad signature, so nothing says whose link is there. Without
  // `foreignContent`, there is none, or what is there is the link of a bundle.
  const { otherKeys = [], foreignContent } = reading.handle;
  if (foreignContent === undefined) return warningOfNewKey(names, otherKeys);
  // It is `UNSEEN`, since any other content is `foreign`: it may be a link or not. With `takeOver`
  // a person has decided, and of a bad signature the caller warns itself.
  if (takeOver || state === 'bad-signature') return undefined;
  return `The ${names.link} has no state of Docs Courier yet: ${UNSEEN} is replaced by the link.`;
}

/**
 * The error for content that is not ours. `finding`: where it is, and what. A run that only reads
 * would replace nothing, so it is not told how to.
 */
function foreignError(
  { names, can }: LinkStore,
  place: 'link' | 'state',
  finding: string,
  use: StoreUse | undefined,
): CourierError {
  // The input `image` names an image, and `to` any other destination.
  const correct = can.keepsImage
    ? `Correct the input image, which is now ${names.target}:${names.name}.`
    : `Correct ${names.destination} in to, or base-url and domain if they are wrong.`;
  if (use === 'read') {
    const message = `${finding}, and not a link of Docs Courier.`;
    return new CourierError({ code: 'config', message, hint: correct });
  }
  return new CourierError({
    code: 'config',
    message: `${finding}, which the ${place} would replace. Nothing was written.`,
    hint: { text: `${correct} To replace what is there:`, inputs: { 'take-over': 'true' } },
  });
}

/** The error for a state that cannot be read. */
function unreadableError(what: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `${what} Nothing was written.`,
    hint: {
      text: 'Use the newest version of Docs Courier, or restore the previous text. To replace it, and lose the history in it:',
      inputs: { 'take-over': 'true' },
    },
  });
}

const MAX_KEYS = 20;

/**
 * The warning about a link that will be a new key of an object with other keys: its name may be
 * misspelt. undefined: there are no other keys.
 */
function warningOfNewKey(names: StoreNames, otherKeys: readonly string[]): string | undefined {
  if (otherKeys.length === 0) return undefined;
  const shown = [...otherKeys].sort().slice(0, MAX_KEYS);
  const more = otherKeys.length > MAX_KEYS ? ' and more' : '';
  const list = shown.map((key) => plainLine(key, MAX_NAME)).join(', ');
  const meant = guess(names.name, otherKeys);
  const question = meant === undefined ? '' : ` Did you mean ${plainLine(meant, MAX_NAME)}?`;
  return `The ${names.link} is new. ${names.target} has other keys: ${list}${more}.${question}`;
}

/**
 * The error of a run that another run has disturbed. `jobId`: the job whose link a person may have
 * written anyway; undefined: there is no link to write, or the next run has to look at the
 * destination first.
 */
function conflictError(message: string, jobId?: string): CourierError {
  const advice = 'Let only one run at a time write a destination, with a concurrency group.';
  if (jobId === undefined) return new CourierError({ code: 'conflict', message, hint: advice });
  const hint = {
    text: `${advice} To deliver this export anyway, give its id:`,
    inputs: { 'export-job-id': jobId },
  };
  return new CourierError({ code: 'conflict', message, hint });
}

/** The job whose link should have been written. */
export interface LinkedJob {
  readonly jobId: string;
  /** The job that a rollback replaces. */
  readonly from: string | undefined;
}

/**
 * The end of a section as an error: why the link was not written, and what that means.
 * `whyChanged`: one or two sentences that say how the link differs from what the state knows.
 */
export function linkError(
  end: FailedEnd | StoppedEnd,
  store: LinkStore,
  job: LinkedJob,
  whyChanged: string,
): CourierError {
  if (end.kind === 'stopped') {
    const why = whyStopped(end, store.names, job, whyChanged);
    return conflictError(`${why}${whatWasSent(end)}`, job.jobId);
  }
  const { error } = end;
  // That of a cancelled run stays as it is.
  if (error.code === 'cancelled') return error;
  return error.with({ message: `${error.message} ${meaningOf(end, store, job.jobId)}` });
}

/** What became of a link that a section has sent before it stopped; empty: it has sent none. */
function whatWasSent({ overwrote, isUncertain, record }: StoppedEnd): string {
  const both = ' But another run wrote at the same time, and its link was replaced';
  if (overwrote === 'repaired')
    return `${both} for a moment: a fresh link of job ${record.jobId} is live.`;
  if (overwrote !== undefined)
    return `${both}: refresh, which writes a link of job ${record.jobId} again.`;
  return isUncertain ? ' But a request for it was sent before, and may still arrive.' : '';
}

/** What a failure of a section means for the link of this job. */
function meaningOf(
  { error, at, linkWritten }: FailedEnd,
  { can, names }: LinkStore,
  jobId: string,
): string {
  const { link, state } = names;
  if (linkWritten) {
    const linkWithoutState = `The ${link} was written, but the ${state} does not say so yet.`;
    // A refresh renews links: it moves no tag of an image.
    if (can.keepsImage) return `${linkWithoutState} Run again.`;
    return `${linkWithoutState} The next refresh notices it and writes the link once more.`;
  }
  const notLost = `The export is not lost: attach to it with export-job-id: ${jobId}`;
  // What failed is before the write of the link, such as a reading or the claim.
  if (at !== 'write-link') return `Nothing was written. ${notLost}.`;
  if (!error.mayHaveActed)
    return `The ${link} still has its previous value. ${notLost}, which does not start a second export.`;
  // The reply was lost, so that it is not known which link is there.
  if (can.keepsImage)
    return `The ${link} names the previous image or the new one. Run again, or attach to the export with export-job-id: ${jobId}. A refresh moves no tag.`;
  return `The ${link} has the previous link or the new one; the next refresh writes it once more. ${notLost}, which does not start a second export.`;
}

/** The error of a section that should have written only the state. */
export function stateError(
  end: FailedEnd | StoppedEnd,
  { destination, state }: StoreNames,
): CourierError {
  if (end.kind === 'failed') return end.error;
  if (end.why === 'busy') {
    return conflictError(
      `Other runs keep writing ${destination}: the state was not written after several attempts.`,
    );
  }
  // It asks for no decision, so it stops otherwise only at a text that is not ours or cannot be
  // read, or at an earlier state that was put back.
  return conflictError(
    `The ${state} was replaced by something else during this run. Nothing was written.`,
  );
}

/**
 * Why a section decided not to write the link. Nothing was wrong with the destination when the run
 * began. `whyChanged`: see `linkError`.
 */
function whyStopped(
  { why, record }: StoppedEnd,
  { destination, state, link }: StoreNames,
  { jobId, from }: LinkedJob,
  whyChanged: string,
): string {
  const notDelivered = `export of job ${jobId} was not delivered.`;
  switch (why) {
    case 'older':
      return `${newerDecision(destination, record)}. The export of the earlier job was not delivered (${jobId}).`;
    case 'replaced':
      return `${newerDecision(destination, record)}. Only export job ${from} should have been replaced; nothing was written (${jobId}).`;
    case 'changed':
      return `${whyChanged} It changed during this run, so the ${notDelivered}`;
    case 'put-back':
      return `The ${state} became older during this run: an earlier state was put back. The ${notDelivered}`;
    // In each attempt, another run had a decision with the same order (a number) or a higher one.
    case 'order':
    case 'busy':
      return `Other runs kept writing ${destination} during several attempts. The ${notDelivered}`;
    // A refresh or a rollback found its job in the state, which now names none.
    case 'nothing':
      return `The ${state} was deleted during this run. The ${notDelivered}`;
    // The text there has an invalid signature, or is not a state that this version can read.
    case 'rotated':
    case 'unreadable':
      return `The ${state} was replaced by another text during this run. The ${notDelivered}`;
    case 'foreign':
      return `The ${link} was replaced by something else during this run. The ${notDelivered}`;
  }
}

/** Which newer decision keeps a link from being written. */
function newerDecision(destination: string, { jobId, rollback }: StateRecord): string {
  if (rollback === undefined) return `${destination} belongs to a newer export: job ${jobId}`;
  return `${destination} was rolled back to job ${jobId} at ${rollback.at}, after this export was requested`;
}
