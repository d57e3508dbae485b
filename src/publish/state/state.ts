import * as z from 'zod/mini';
import { readInstant } from '../../platform/contract.ts';
import { sign, verify } from '../../signature.ts';
import { readLink, type Snapshot, type StoreNames } from '../../stores/port.ts';
import { readTime } from '../../text/instants.ts';
import { parseJson } from '../../text/json.ts';
import { isPathId } from '../../text/names.ts';

const instant = z.string().check(z.refine((text) => readInstant(text) !== undefined));
const jobId = z.string().check(z.refine(isPathId));

/** What a run has published before its export, or found published. */
const runContent = z.looseObject({
  /** The update that it requested of the platform. */
  update: z.optional(z.string().check(z.refine(isPathId))),
  /** The commit that was reported as published when its export began. */
  commit: z.optional(z.string()),
  /** Who reported that commit, by what, and when: `acme-docs`, `deployment 12 to production`, ISO 8601 in UTC. */
  reported: z.optional(z.looseObject({ by: z.string(), source: z.string(), at: z.optional(instant) })),
});
export type RunContent = z.infer<typeof runContent>;

/** What a run is about to put in place, or may have put in place: said before it is done. */
const announcement = z.looseObject({
  /** Random, of one section of one run. */
  token: z.string(),
  by: z.enum(['export', 'refresh', 'rollback', 'named', 'state']),
  /** undefined: no link is about to be written, or an export is about to be started. */
  job: z.optional(jobId),
  order: z.optional(z.int()),
  /** By the clock of the run. */
  at: instant,
  /** Signed digest of the link. */
  link: z.optional(z.string()),
  /** Run and job. */
  run: z.string(),
  attempt: z.optional(z.int()),
  /** Of a rollback: the job that was live before. */
  from: z.optional(jobId),
});
export type Announcement = z.infer<typeof announcement>;

/** How far a run has come with its export. */
const exportRun = z.looseObject({
  id: z.string(),
  job: z.string(),
  state: z.enum(['publishing', 'starting', 'started', 'failed', 'done']),
  jobId: z.optional(jobId),
  order: z.optional(z.int()),
  content: z.optional(runContent),
  requestedAt: z.optional(instant),
});
export type ExportRun = z.infer<typeof exportRun>;

/** Which write of the link the state knows of. */
const linkWrite = z.looseObject({
  /** ISO 8601, UTC: of `written` by the store's clock, of `pending` by that of the run. */
  at: z.optional(instant),
  /** Signed digest of the link, for stores that can read it back. */
  link: z.optional(z.string()),
});

/** One export that is or was live in the destination. */
const exportRecord = z.looseObject({
  job: jobId,
  /** When its link was first put in place. ISO 8601, UTC; absent for one that was there before the history was kept. */
  at: z.optional(instant),
  pages: z.optional(z.number()),
  /** SHA-256 of its manifest, in hex. */
  manifest: z.optional(z.string()),
  /** The commit that the run was for. */
  commit: z.optional(z.string()),
  /** The commit that was reported as published when the export began, and that nothing contradicted. */
  contentCommit: z.optional(z.string()),
  /** Who reported `contentCommit`, and by what: `acme-docs, deployment 12 to production`. */
  contentFrom: z.optional(z.string()),
  by: z.optional(z.string()),
  /** `REGISTRY/REPOSITORY@sha256:…`. */
  image: z.optional(z.string()),
  /** SHA-256 of its content, in hex: equal for two exports without a change (`fingerprintSite`). */
  fingerprint: z.optional(z.string()),
  forced: z.optional(z.literal(true)),
  /** When it was rolled back: a later rollback without `export-job-id` does not lead to it. */
  withdrawn: z.optional(instant),
});

// Loose: what a later version adds is signed like the rest, and kept.
const record = z.looseObject({
  version: z.literal(2),
  domain: z.optional(z.string()),
  baseUrl: z.string(),
  /** Raised by each write of the state. */
  number: z.optional(z.int()),
  /** The claims that still exist, in stores with claims. `link`: a link was written under it. */
  claims: z.optional(
    z.readonly(z.array(z.looseObject({ number: z.int(), at: instant, link: z.optional(z.boolean()) }))),
  ),
  /** The section that wrote it. */
  writer: z.optional(z.string()),
  /** The highest order that was given to a job: each export that is requested, each rollback and each named job raises it. */
  order: z.optional(z.int()),
  /** That of `jobId`. */
  jobOrder: z.optional(z.int()),
  /** Announcements that were not answered: their links may still appear. */
  unanswered: z.optional(z.readonly(z.array(announcement))),
  /** The last exports that were requested, newest first. */
  runs: z.optional(z.readonly(z.array(exportRun))),
  /** The job whose link the store holds, or is about to hold. */
  jobId: z.optional(jobId),
  /** ISO 8601, UTC; absent where the platform did not say. */
  expiresAt: z.optional(instant),
  /** Where the export belongs to a project rather than to a domain. */
  projectId: z.optional(z.string()),
  /** When this job was asked for: a job that was asked for earlier replaces it only when a person names that job. ISO 8601, UTC. */
  requestedAt: z.optional(instant),
  /** The last write of the link that was confirmed. */
  written: z.optional(linkWrite),
  /** A write of the link that was announced and not confirmed: the store holds what was there before, or `jobId`'s link. */
  pending: z.optional(linkWrite),
  /** How far the run that wrote the state had come with its export. */
  run: z.optional(
    z.looseObject({
      id: z.string(),
      job: z.string(),
      state: z.enum(['publishing', 'starting', 'started', 'failed', 'done']),
      jobId: z.optional(jobId),
      content: z.optional(runContent),
      requestedAt: z.optional(instant),
    }),
  ),
  /** Newest first. */
  history: z.optional(z.readonly(z.array(exportRecord))),
  /** Counts how often another job was put in place: a state with a lower count is an earlier one. */
  count: z.optional(z.int()),
  /** The live job is an earlier export, which replaced `from`. */
  rollback: z.optional(
    z.looseObject({
      at: instant,
      /** The job that was live before. */
      from: z.optional(jobId),
      by: z.optional(z.string()),
      /** Run and job of the rollback: a re-run does not go back once more. */
      run: z.optional(z.string()),
      /** No rollback has completed it: the next one restores the same export. */
      open: z.optional(z.literal(true)),
    }),
  ),
});

/** What is stored next to the link. It holds no secret and may be read by anyone. */
export type StateRecord = z.infer<typeof record>;
export type ExportRecord = z.infer<typeof exportRecord>;

const signedRecord = z.extend(record, { signature: z.string() });

/** What the state is bound to: at any other destination, or for another platform, it counts for nothing. */
export interface StateBinding {
  readonly adminApiKey: string;
  readonly baseUrl: string;
  /** The signed address of the destination. */
  readonly address: string;
  /** undefined: that of the state is kept. */
  readonly domain?: string | undefined;
  readonly projectId?: string | undefined;
}

/** What a destination held when it was last read or written. */
export interface State {
  readonly snapshot: Snapshot;
  /** The state next to the link, where it is valid. */
  readonly record: StateRecord | undefined;
  readonly verdict: Verdict;
  /** The signed digest of the link, where the store can read it back. */
  readonly mark?: string | undefined;
}

/**
 * What the state next to a link is worth. A valid state may still be an old one that someone put back: writing it
 * needs no key. What the store shows of the link, its date or its digest, is compared with the write that the state
 * knows of.
 */
type Verdict =
  | { readonly kind: 'missing' }
  /**
   * Something is there, but it is not ours, or not for this destination; `why` completes "it is ignored because …". `owner`: the
   * site or project of a state that is valid for it. `content`: what kind of text is there, if it is not a state at all.
   */
  | {
      readonly kind: 'ignored';
      readonly why: string;
      readonly owner?: string | undefined;
      readonly content?: string | undefined;
    }
  | { readonly kind: 'fits' }
  /** The state is valid, and the store shows nothing of the link to compare it with. */
  | { readonly kind: 'unknown' }
  /** The link is newer than the state. `why` is one or two sentences, with both times. */
  | { readonly kind: 'changed'; readonly why: string };

type ReadRecord =
  | Extract<Verdict, { readonly kind: 'missing' | 'ignored' }>
  | { readonly kind: 'valid'; readonly record: StateRecord };

/** As text, with its signature. */
export function writeState(binding: StateBinding, state: StateRecord): string {
  return JSON.stringify({ ...state, signature: sign(signing(binding, state)) });
}

/** `state` is the whole JSON value but its signature, so that the signature covers every field. */
function signing({ adminApiKey, address }: StateBinding, state: unknown) {
  return { secret: adminApiKey, purpose: 'docs-courier/state/v2', payload: { state, destination: address } };
}

// A place that someone has prepared.
const NOTHING = /^\s*(?:none|null|\{\s*\}|\[\s*\])\s*$/;

/**
 * Accepts a state only with a signature that someone with this admin key wrote it for this destination: a person who can write
 * variables but has no key must not be able to point a deployment at another site's export.
 */
export function readState(binding: StateBinding, text: string | undefined): ReadRecord {
  if (text === undefined || text.trim() === '') return { kind: 'missing' };
  const ignore = (why: string) => ({ kind: 'ignored', why }) as const;
  const belongsTo = (owner: string): ReadRecord => ({ kind: 'ignored', why: `it belongs to ${owner}`, owner });
  const json = parseJson(text);
  const found = z.looseObject({ version: z.number(), signature: z.string() }).safeParse(json);
  if (!found.success) {
    const content = NOTHING.test(text) ? undefined : (readLink(text).content ?? 'a link');
    return { ...ignore('it is not a state of Docs Courier'), content };
  }
  const { signature: _, ...all } = found.data;
  if (all.version !== 2) return ignore('its version is unknown; a newer Docs Courier may have written it');
  const parsed = signedRecord.safeParse(json);
  if (!parsed.success) return ignore('fields of it are missing or invalid');
  const { signature, ...state } = parsed.data;
  if (!verify({ ...signing(binding, all), signature })) {
    return ignore(
      'its signature is invalid: it was written with another admin key, for another destination, or by someone without a key',
    );
  }
  if (state.baseUrl !== binding.baseUrl) return ignore(`it belongs to the platform at ${state.baseUrl}`);
  // A refresh that was given its job by id knows no site.
  const { domain = state.domain, projectId = state.projectId } = binding;
  if ((state.domain ?? domain) !== domain) return belongsTo(`the site ${state.domain}`);
  if ((state.projectId ?? projectId) !== projectId) return belongsTo(`the project ${state.projectId}`);
  return { kind: 'valid', record: state };
}

/** The signed digest of a link, for `written.link` and `pending.link`. */
export function linkMark({ adminApiKey, address }: StateBinding, digest: string): string {
  return sign({ secret: adminApiKey, purpose: 'docs-courier/link/v2', payload: { digest, destination: address } });
}

/** Epoch milliseconds; undefined where there is no time. */
export function timeOf(instantText: string | undefined): number | undefined {
  return readTime(instantText);
}

/** True when a fresh link is wanted: it expires within `refreshBeforeMs` from now, has expired, or its expiry is unknown. */
export function isDue(
  { expiresAt }: Pick<StateRecord, 'expiresAt'>,
  { nowMs, refreshBeforeMs }: { nowMs: number; refreshBeforeMs: number },
): boolean {
  const expiry = readInstant(expiresAt);
  return expiry === undefined || expiry.getTime() - nowMs <= refreshBeforeMs;
}

// The dates of a store have whole seconds, and link and state may be dated by two of its machines.
const CLOCK_TOLERANCE_MS = 2000;
// From the announcement to the reply of the last of five attempts, with every wait that a rate limit may ask for.
const LONGEST_WRITE_MS = 15 * 60_000;

interface Judged {
  readonly binding: StateBinding;
  readonly snapshot: Snapshot;
  readonly names: StoreNames;
  /** The store can read the link back, so that its digest can be compared. */
  readonly readsLink: boolean;
}

export function judgeState(judged: Judged): State {
  const { binding, snapshot, readsLink } = judged;
  const read = readState(binding, snapshot.state);
  if (read.kind !== 'valid') return { snapshot, record: undefined, verdict: read };
  const digest = readsLink ? snapshot.link?.digest : undefined;
  const mark = digest === undefined ? undefined : linkMark(binding, digest);
  return { snapshot, record: read.record, verdict: compare(read.record, mark, judged), mark };
}

function compare(state: StateRecord, mark: string | undefined, { snapshot, names }: Judged): Verdict {
  const { written, pending } = state;
  const changed = (): Verdict => ({ kind: 'changed', why: whyChanged(state, snapshot, names) });
  if (snapshot.link === undefined) return { kind: 'unknown' };
  if (mark !== undefined && (written?.link ?? pending?.link) !== undefined) {
    return mark === written?.link || mark === pending?.link ? { kind: 'fits' } : changed();
  }
  const { writtenAtMs } = snapshot.link;
  const confirmedMs = timeOf(written?.at);
  const announcedMs = timeOf(pending?.at);
  if (writtenAtMs === undefined || (confirmedMs ?? announcedMs) === undefined) return { kind: 'unknown' };
  if (confirmedMs !== undefined && writtenAtMs <= confirmedMs) return { kind: 'fits' };
  return announcedMs !== undefined && isAnnounced(writtenAtMs, announcedMs, snapshot) ? { kind: 'fits' } : changed();
}

/**
 * A run that ended between the announcement and its confirmation is the normal case here. The announcement is then older than
 * the link; one that is younger was put back: a run that writes such a state later records the link's date (`caughtUp`).
 */
function isAnnounced(writtenAtMs: number, announcedMs: number, { stateWrittenAtMs }: Snapshot): boolean {
  const isOlder = stateWrittenAtMs === undefined || stateWrittenAtMs <= writtenAtMs + CLOCK_TOLERANCE_MS;
  return isOlder && writtenAtMs <= announcedMs + LONGEST_WRITE_MS;
}

/** The record as it may be written again: an announced write that shows in the store is recorded. */
export function caughtUp({ record: state, verdict, snapshot: { link }, mark }: State): StateRecord | undefined {
  if (state?.pending === undefined || verdict.kind !== 'fits') return state;
  const { written, pending } = state;
  const { writtenAtMs } = link ?? {};
  const isAnnounced = mark !== undefined && mark === pending.link && mark !== written?.link;
  const isLater = writtenAtMs !== undefined && writtenAtMs > (timeOf(written?.at) ?? 0);
  if (!isLater && !isAnnounced) return state;
  const at = writtenAtMs === undefined ? pending.at : new Date(writtenAtMs).toISOString();
  return { ...state, written: { ...written, at, ...(isAnnounced && { link: mark }) } };
}

/** A record whose link may have been replaced by another one, of which the store shows the date or, as `mark`, the signed digest. */
export function unconfirmed(state: StateRecord, { link }: Snapshot, { at, mark }: LinkWrite): StateRecord {
  const { writtenAtMs } = link ?? {};
  const written = writtenAtMs === undefined ? state.written : { at: new Date(writtenAtMs).toISOString() };
  return { ...state, expiresAt: undefined, written, pending: { ...state.pending, at, ...(mark && { link: mark }) } };
}

/** A write at `at`, ISO 8601. `mark`: the signed digest of the link, where the store can read it back. */
export interface LinkWrite {
  readonly at: string;
  readonly mark: string | undefined;
}

export function sameLink(a: State, b: State): boolean {
  const [one, other] = [a.snapshot.link, b.snapshot.link];
  return one?.writtenAtMs === other?.writtenAtMs && one?.digest === other?.digest;
}

function whyChanged({ written, pending }: StateRecord, snapshot: Snapshot, names: StoreNames): string {
  const { writtenAtMs } = snapshot.link ?? {};
  const knownAt = timeOf(written?.at) ?? timeOf(pending?.at);
  const actual = writtenAtMs === undefined ? 'was changed' : `was last written at ${timeText(writtenAtMs)}`;
  const known = `the last write that the stored state knows of was at ${timeText(knownAt)}`;
  return `The ${names.link} ${actual}, but ${known}. ${cause(writtenAtMs, snapshot.stateWrittenAtMs, names)}`;
}

function cause(writtenAtMs: number | undefined, stateWrittenAtMs: number | undefined, names: StoreNames): string {
  if (writtenAtMs === undefined || stateWrittenAtMs === undefined) {
    return 'Either an earlier state was put back, or the link was edited manually or written by a run that may not write the state.';
  }
  if (stateWrittenAtMs > writtenAtMs) {
    return `The ${names.state} was written after that, at ${timeText(stateWrittenAtMs)}, and does not know of it: an earlier state was put back.`;
  }
  return `The ${names.state} was not written since ${timeText(stateWrittenAtMs)}: the link was edited manually, or written by a run that may not write the state.`;
}

function timeText(ms: number | undefined): string {
  return ms === undefined ? 'an unknown time' : new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
