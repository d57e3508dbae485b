import { CourierError } from '../../errors.ts';
import type { RunContext } from '../../github/connection.ts';
import type { BundleLink } from '../../platform/link.ts';
import { type StoreNames, type StoreUse, UNSEEN } from '../../stores/port.ts';
import { plainLine } from '../../text/escape.ts';
import { guess } from '../../text/names.ts';
import { exportsOf, type Placing, placed } from './history.ts';
import { type LinkWrite, type RunContent, type State, type StateRecord, sameLink, timeOf } from './state.ts';

/** Which run this is, for the state. Commit and actor are empty where the system does not say. */
export type RunIdentity = Pick<RunContext, 'runId' | 'runAttempt' | 'job'> & Partial<Pick<RunContext, 'sha' | 'actor'>>;

const MAX_NAME = 60;

/** Who caused the run, for the history. */
export function actorOf({ actor = '' }: RunIdentity): string | undefined {
  return plainLine(actor, MAX_NAME) || undefined;
}

/** The commit that the run is for, where its name is one. */
export function commitOf({ sha = '' }: RunIdentity): string | undefined {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha) ? sha : undefined;
}

/** The same in every attempt of a job of a run. */
export function runKey({ runId, job }: RunIdentity): string {
  return `${runId}/${job}`;
}

/** The link that is to be written, and whether it may replace another job's. */
export interface Delivered extends Placing {
  readonly link: BundleLink;
  /**
   * When the job was asked for, epoch milliseconds; undefined: unknown, which counts as before everything else. A job that was
   * asked for earlier never replaces one that was asked for later.
   */
  readonly requestedAtMs: number | undefined;
  /** A person named the job by its id: it may replace any other. */
  readonly isExplicit: boolean;
  /** Only the link of this job may be replaced; undefined: see `isExplicit`. */
  readonly replaces?: string | undefined;
}

/** What a destination that keeps images is given: the image, which does not expire, and the name of no person. */
export function forImages(delivered: Omit<Delivered, 'link'>, image: string | undefined): Delivered {
  const { jobId, details } = delivered;
  if (image === undefined) {
    throw new CourierError({
      code: 'not-found',
      message: `No image of export job ${jobId} is known. The tag was not moved.`,
      hint: 'Run mode: rollback with this export-job-id, which makes the image again.',
    });
  }
  const link = { url: image, expiresAt: undefined, sizeBytes: undefined };
  return { ...delivered, link, details: { ...details, by: undefined, image } };
}

interface Change extends LinkWrite {
  /** What every record of the destination begins with. */
  readonly base: StateRecord;
  readonly delivered: Delivered;
}

/** The record before the link is written. If the run ends after that, the next refresh comes early, never late. */
export function announced({ base, delivered, at, mark }: Change): StateRecord {
  const { jobId, link, requestedAtMs } = delivered;
  return {
    ...base,
    ...placed(base, delivered, at),
    jobId,
    requestedAt: requestedAtMs === undefined ? undefined : new Date(requestedAtMs).toISOString(),
    expiresAt: base.jobId === jobId ? earlier(base.expiresAt, link.expiresAt) : undefined,
    pending: { at, link: mark },
  };
}

/** The record after the link was written, at `at`, by this run. */
export function confirmed(
  change: Change,
  run: { readonly id: string; readonly job: string; readonly content?: RunContent | undefined },
): StateRecord {
  const { delivered, at, mark } = change;
  const { jobId, by, link } = delivered;
  const { pending: _, ...rest } = announced(change);
  return {
    ...rest,
    version: 2,
    expiresAt: link.expiresAt?.toISOString(),
    written: { at, link: mark },
    run: by === 'export' ? { ...run, state: 'done', jobId, requestedAt: rest.requestedAt } : rest.run,
  };
}

// No export takes longer: the mark of an older one was left by a run that was killed.
const LONGEST_EXPORT_MS = 24 * 60 * 60_000;

/**
 * A record whose link another run has written, while this run wrote over what it said about it. That was a refresh of the same job:
 * the next refresh renews the link. Where an export was under way, it may have been that one: then the record names no job, since a
 * refresh could bring back the job before it, or an export that was never checked.
 */
export function overtaken(base: StateRecord, nowMs: number): StateRecord {
  const isKnown = newerExport(base, timeOf(base.requestedAt), nowMs) === undefined;
  return isKnown ? base : ownerless(base);
}

/** A record whose link may be that of any job: it names none, and keeps what was live before. */
export function ownerless(base: StateRecord): StateRecord {
  return { ...base, jobId: undefined, history: exportsOf(base) };
}

/** The export under way that was requested after `requestedAtMs`; undefined: the state shows none. */
export function newerExport({ run }: StateRecord, requestedAtMs = 0, nowMs = 0) {
  const { jobId, requestedAt, state } = run ?? {};
  const askedMs = timeOf(requestedAt) ?? 0;
  const isUnderWay = state === 'started' && askedMs > requestedAtMs && nowMs - askedMs < LONGEST_EXPORT_MS;
  return isUnderWay ? jobId : undefined;
}

/** The earlier of both; undefined where one of them is not known. */
function earlier(stored: string | undefined, next: Date | undefined): string | undefined {
  if (stored === undefined || next === undefined) return undefined;
  return Date.parse(stored) <= next.getTime() ? stored : next.toISOString();
}

/** The same failure with what it means for the link. A cancelled run has its own words. */
export function withMeaning(error: unknown, meaning: string): unknown {
  if (!(error instanceof CourierError) || error.code === 'cancelled') return error;
  return error.with({ message: `${error.message} ${meaning}` });
}

/** Runs it; a failure says what it means. */
export async function explained<T>(meaning: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw withMeaning(error, meaning);
  }
}

/** Only a refusal leads back. After a cut, a 5xx, or a write that was accepted and does not show, the outcome is unknown. */
export function isRefusal(error: unknown): boolean {
  return error instanceof CourierError && !error.mayHaveStarted && error.code !== 'cancelled';
}

/** The first error, with the messages of all; undefined: there is none. */
export function joined(errors: readonly CourierError[]): CourierError | undefined {
  const [first, ...others] = new Set(errors);
  if (first === undefined || others.length === 0) return first;
  return first.with({ message: [first, ...others].map(({ message }) => message).join('\n') });
}

interface Found {
  readonly names: StoreNames;
  readonly state: State;
  readonly takeOver: boolean;
  readonly use: StoreUse | undefined;
}

/**
 * What a destination holds before this run, where that is not a link of ours. Throws `config` for what would be lost, unless a person
 * takes it over; returns a warning for what may be.
 */
export function foreignContent(found: Found): string | undefined {
  const { names, state, takeOver, use } = found;
  const { snapshot, verdict } = state;
  if (verdict.kind !== 'missing' && verdict.kind !== 'ignored') return undefined;
  const { content, otherKeys = [] } = snapshot;
  const { owner, content: text } = verdict.kind === 'ignored' ? verdict : {};
  const held = owner === undefined ? content : `the link of ${owner}`;
  if (held !== undefined && held !== UNSEEN) return refuseForeign(found, 'link', held);
  if (use === 'read') return undefined;
  if (text !== undefined) return refuseForeign(found, 'state', text);
  if (held === undefined) return otherKeys.length === 0 ? undefined : newKey(names, otherKeys);
  if (takeOver || verdict.kind === 'ignored') return undefined;
  return `The ${names.link} has no state of Docs Courier yet: ${UNSEEN} is replaced by the link.`;
}

/** What is there is not ours. Returns a warning if a person takes it over. */
function refuseForeign({ names, takeOver, use }: Found, place: 'link' | 'state', what: string): string {
  const found = `The ${names[place]} contains ${what}`;
  if (takeOver) return `${found}. The ${place} replaces it, since take-over is true.`;
  if (use === 'read') {
    const message = `${found}, and not a link of Docs Courier.`;
    throw new CourierError({ code: 'config', message, hint: `Correct ${names.destination} in to.` });
  }
  throw new CourierError({
    code: 'config',
    message: `${found}, which the ${place} would replace. Nothing was written.`,
    hint: { text: `Correct ${names.destination} in to. To replace what is there:`, inputs: { 'take-over': 'true' } },
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
export function conflictError(message: string, jobId: string | undefined): CourierError {
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

interface Replacing {
  readonly names: StoreNames;
  /** When the run began; when it last wrote the link, or began; and now. */
  readonly opened: State;
  readonly linked: State;
  readonly state: State;
}

/** Throws where what a destination holds now must not be replaced by this job. A job that a person named replaces anything. */
export function refuseOlder({ names, opened, linked, state }: Replacing, delivered: Delivered): void {
  const { jobId, by, isExplicit, replaces } = delivered;
  const { verdict, record } = state;
  if (replaces !== undefined && record?.jobId !== replaces && record?.jobId !== jobId) {
    const what = `Only the link of export job ${replaces} was to be replaced; nothing was written`;
    throw olderError(names, state, { jobId, what });
  }
  if (isExplicit) return;
  const isOther = record?.jobId !== undefined && record.jobId !== jobId;
  // A refresh brings the newest export to a destination that missed it. A job that came during the run, or of unknown age, stays.
  const isKnown = record?.jobId === opened.record?.jobId && record?.requestedAt !== undefined;
  if (isOlder(state, delivered) || (by === 'refresh' && isOther && !isKnown)) {
    throw olderError(names, state, { jobId, what: 'The link of the earlier job was not written' });
  }
  // Also in stores that show nothing of the link: a state whose count has become lower in this run is an earlier one.
  const { count: openedCount = 0 } = opened.record ?? {};
  const { count = 0 } = record ?? opened.record ?? {};
  if (count < openedCount) {
    throw conflictError(
      `The ${names.state} was at count ${openedCount} when this run read it, and is at ${count} now: an earlier state was put back. The link of export job ${jobId} was not written.`,
      jobId,
    );
  }
  if (verdict.kind !== 'changed' || sameLink(linked, state)) return;
  const what = `That was while this run was at work: the link of export job ${jobId} was not written.`;
  throw conflictError(`${verdict.why} ${what}`, jobId);
}

/** True when the state names another job that was asked for after this one. */
export function isOlder({ record }: State, { jobId, requestedAtMs = 0 }: Delivered): boolean {
  return record?.jobId !== undefined && record.jobId !== jobId && (timeOf(record.requestedAt) ?? 0) > requestedAtMs;
}

/** `what` is a sentence without its end: what became of the link of the job. */
export function olderError(
  names: StoreNames,
  { record }: State,
  { jobId, what }: { readonly jobId: string; readonly what: string },
): CourierError {
  const at = record?.requestedAt === undefined ? '' : `, requested at ${record.requestedAt}`;
  const holder =
    record?.rollback === undefined
      ? `belongs to a newer export: job ${record?.jobId}${at}`
      : `was rolled back to job ${record.jobId} at ${record.rollback.at}, after this export was requested`;
  return conflictError(`${names.destination} ${holder}. ${what} (${jobId}).`, jobId);
}
