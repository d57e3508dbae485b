import * as z from 'zod/mini';
import type { RunContext } from '../github/connection.ts';
import { sign, verify } from '../ground/signature.ts';
import { parseJson } from '../ground/text/json.ts';
import { isPathId } from '../ground/text/names.ts';
import { readInstant } from '../platform/contract.ts';
import { readLinkValue } from '../stores/port.ts';

// The state is a signed text next to a link, and says which export the link is of. Each decision
// has an order, higher than those before. A run writes in a section, in which no other run writes:
// its claim, a signed text with a number, keeps the others out.

const instant = z.string().check(z.refine((text) => readInstant(text) !== undefined));
const pathId = z.string().check(z.refine(isPathId));
// Fields that may be absent.
const optionalText = z.optional(z.string());
const optionalNumber = z.optional(z.int());
const optionalInstant = z.optional(instant);
const optionalId = z.optional(pathId);
const optionalTrue = z.optional(z.literal(true));

/** A commit that the platform published before an export, and where its name is from. */
const publishedCommit = z.looseObject({
  commit: z.string(),
  /** The slug of the App whose event names it; absent: an update that the run followed. */
  by: optionalText,
  /** Such as `deployment 12` or `update 73cd`. */
  source: z.string(),
  /** When the publishing ended. ISO 8601, UTC. */
  at: optionalInstant,
});
export type PublishedCommit = z.infer<typeof publishedCommit>;

/** What a run has published before its export. */
const runContent = z.looseObject({
  /** The update that it requested of the platform. */
  update: optionalId,
  /** The project of the export; absent: the export is by domain. */
  projectId: optionalText,
  published: z.optional(publishedCommit),
});
export type RunContent = z.infer<typeof runContent>;

/**
 * What a run is about to put in place, or may have put in place: written before it does so. It is
 * the text of a claim, and stays in the state until its link is known to be in place or not.
 */
const announcement = z.looseObject({
  /** Random; each section of a run has another one. */
  token: z.string(),
  by: z.enum(['export', 'refresh', 'rollback', 'named', 'state']),
  /** The job of the link; undefined: only the state is written, or an export is started. */
  job: optionalId,
  order: optionalNumber,
  /** By the clock of the run. */
  at: instant,
  /** Signed digest of the link. */
  link: optionalText,
  /** Run and job. */
  run: z.string(),
  /** The job that was live before a rollback. */
  from: optionalId,
});
export type Announcement = z.infer<typeof announcement>;

/** How far a run has come with its export. */
const exportRun = z.looseObject({
  id: z.string(),
  job: z.string(),
  state: z.enum(['publishing', 'starting', 'started', 'done']),
  jobId: optionalId,
  order: optionalNumber,
  content: z.optional(runContent),
});
export type ExportRun = z.infer<typeof exportRun>;

/** The last write of the link that the state knows of. */
const linkWrite = z.looseObject({
  /** ISO 8601, UTC: by the store's clock if it shows a date, else by that of the run. */
  at: optionalInstant,
  /** Signed digest of the link, for stores that can read it back. */
  link: optionalText,
});

/** One export that is or was live in the destination. */
const exportRecord = z.looseObject({
  job: pathId,
  /**
   * When its link was first put in place. ISO 8601, UTC; absent for one that was there before the
   * history was kept.
   */
  at: optionalInstant,
  pages: z.optional(z.number()),
  /** The project that was exported; absent: the export was by domain. */
  projectId: optionalText,
  /** SHA-256 of its manifest, in hex. */
  manifest: optionalText,
  /** The commit that the run was for. */
  commit: optionalText,
  /** The commit that was published for its run, or that the event of the publisher names. */
  contentCommit: optionalText,
  /** What names `contentCommit`: `update 73cd`, or `acme-docs, deployment 12`. */
  contentFrom: optionalText,
  by: optionalText,
  /** `REGISTRY/REPOSITORY@sha256:…`. */
  image: optionalText,
  /** SHA-256 of its content, in hex: equal for two exports without a change (`fingerprintSite`). */
  fingerprint: optionalText,
  forced: optionalTrue,
  /** When it was rolled back: a later rollback without `export-job-id` does not lead to it. */
  withdrawn: optionalInstant,
});

// Loose: what a later version adds is signed like the rest, and kept.
const record = z.looseObject({
  version: z.literal(2),
  domain: optionalText,
  baseUrl: z.string(),
  /** Raised by each write of the state. */
  number: optionalNumber,
  /** The claims that still exist, in stores with claims. `link`: a link was written under it. */
  claims: z.optional(
    z.readonly(
      z.array(z.looseObject({ number: z.int(), at: instant, link: z.optional(z.boolean()) })),
    ),
  ),
  /** The token of the section that wrote this state. */
  writer: optionalText,
  /**
   * The highest order that was given to a job: each export that is requested, each rollback and
   * each named job raises it.
   */
  order: optionalNumber,
  /** The order of `jobId`. */
  jobOrder: optionalNumber,
  /** Announcements that were not answered, oldest first: their links may still appear. */
  unanswered: z.optional(z.readonly(z.array(announcement))),
  /** The last exports that were requested, newest first. */
  runs: z.optional(z.readonly(z.array(exportRun))),
  /** The job whose link the store contains, or is about to contain. */
  jobId: optionalId,
  /** ISO 8601, UTC; absent if the platform did not say. */
  expiresAt: optionalInstant,
  /** Set if the export belongs to a project rather than to a domain. */
  projectId: optionalText,
  /** The last write of the link that was confirmed. */
  written: z.optional(linkWrite),
  /** Newest first. */
  history: z.optional(z.readonly(z.array(exportRecord))),
  /** The live job is an earlier export, which replaced `from`. */
  rollback: z.optional(
    z.looseObject({
      at: instant,
      /** The job that was live before. */
      from: optionalId,
      by: optionalText,
      /** Run and job of the rollback: a re-run does not go back once more. */
      run: optionalText,
      /** No rollback has completed it: the next one restores the same export. */
      open: optionalTrue,
    }),
  ),
});

/** What is stored next to the link. It contains no secret and may be read by anyone. */
export type StateRecord = z.infer<typeof record>;
export type ExportRecord = z.infer<typeof exportRecord>;

const signedRecord = z.extend(record, { signature: z.string() });

/** Which run this is, for the state. Commit and actor are empty if the system does not say. */
export type RunIdentity = Pick<RunContext, 'runId' | 'runAttempt' | 'job'> &
  Partial<Pick<RunContext, 'sha' | 'actor'>>;

/** The same in every attempt of a job of a run. */
export function runKey({ runId, job }: RunIdentity): string {
  return `${runId}/${job}`;
}

/**
 * Instead of `runKey`, for the rollback with which a run takes its own export back: a re-run must
 * not take it for a rollback that a person asked for.
 */
export function undoKey(run: RunIdentity): string {
  return `${runKey(run)}/undo`;
}

/**
 * What the state is bound to: at another destination, or for another platform, the state is not
 * used.
 */
export interface StateBinding {
  readonly adminApiKey: string;
  readonly baseUrl: string;
  /** The signed address of the destination. */
  readonly address: string;
  /** undefined: the domain in the state is kept. */
  readonly domain?: string | undefined;
  readonly projectId?: string | undefined;
}

/**
 * What the text next to a link is. A valid state may still be an old one that someone put back:
 * copying it needs no key.
 */
export interface ReadRecord {
  readonly kind: 'missing' | 'valid' | 'bad-signature' | 'unreadable' | 'foreign';
  /** The state, if it is valid. */
  readonly record?: StateRecord;
  /** Why the state is not used; completes "it is ignored because …". */
  readonly why?: string;
  /** The job that a state with an invalid signature names: it cannot be verified. */
  readonly job?: string | undefined;
  /** Of a foreign text: what kind of text it is, or whose link it belongs to. */
  readonly what?: string;
  /** It is a valid state of another site: the link is not ours, either. */
  readonly isLink?: boolean;
}

/** The state as text, with its signature. */
export function writeState(binding: StateBinding, state: StateRecord): string {
  return JSON.stringify({ ...state, signature: sign(signing(binding, STATE, { state })) });
}

// What a signature is for: none of them is valid for another purpose.
const STATE = 'docs-courier/state/v2';
const CLAIM = 'docs-courier/claim/v1';
const LINK = 'docs-courier/link/v2';

/** What is signed. A state is the JSON value without its signature, so every field is covered. */
function signing({ adminApiKey, address }: StateBinding, purpose: string, what: object) {
  return { secret: adminApiKey, purpose, payload: { ...what, destination: address } };
}

// Texts that stand for no state: a person may have created its variable before the first run, and
// the store of AWS has to write something before its first claim.
const EMPTY_TEXTS: ReadonlySet<string> = new Set(['', 'none', 'null', '{}', '[]']);

/**
 * Reads the text next to a link. A state is valid only if a holder of this admin key signed it for
 * this destination: a person who can write variables, but has no key, must not be able to point a
 * deployment at another site's export.
 */
export function readState(binding: StateBinding, text: string | undefined): ReadRecord {
  if (text === undefined || EMPTY_TEXTS.has(text.trim())) return { kind: 'missing' };
  const json = parseJson(text);
  const signed = z.looseObject({ version: z.number(), signature: z.string() }).safeParse(json);
  if (!signed.success) {
    // `foreignContent` is absent if the text is a link, which a person has put in the wrong place.
    const what = readLinkValue(text).foreignContent ?? 'a link';
    return { kind: 'foreign', why: 'it is not a state of Docs Courier', what };
  }
  const { signature: _, ...signedFields } = signed.data;
  // Before the signature: a later version may be signed in another way.
  if (signedFields.version !== 2) {
    return {
      kind: 'unreadable',
      why: 'its version is unknown; a newer Docs Courier may have written it',
    };
  }
  const parsed = signedRecord.safeParse(json);
  if (!parsed.success) return { kind: 'unreadable', why: 'fields of it are missing or invalid' };
  const { signature, ...state } = parsed.data;
  // The signature covers the fields as they were written, whatever parsing makes of them.
  if (verify({ ...signing(binding, STATE, { state: signedFields }), signature }))
    return checkOwner(binding, state);
  const why =
    'its signature is invalid: it was written with another admin key, for another destination, or by someone without a key';
  return { kind: 'bad-signature', why, job: state.jobId };
}

/**
 * What a state with a valid signature is: ours, or that of another site or platform. A state of no
 * export becomes ours, with the site of this run.
 */
function checkOwner(binding: StateBinding, state: StateRecord): ReadRecord {
  const { baseUrl } = binding;
  if (isUnused(state, baseUrl)) {
    // A run whose job is given by its id may know no site: then that of the state stays.
    const knowsSite = binding.domain !== undefined || binding.projectId !== undefined;
    const { domain, projectId } = knowsSite ? binding : state;
    // Any other run is a start without a reply at another address of the platform: it is forgotten.
    const runs = state.runs?.filter((run) => run.state === 'publishing');
    return { kind: 'valid', record: { ...state, runs, baseUrl, domain, projectId } };
  }
  if (state.baseUrl !== baseUrl) return belongsTo(`the platform at ${state.baseUrl}`);
  if (areKnownToDiffer(state.domain, binding.domain)) return belongsTo(`the site ${state.domain}`);
  if (areKnownToDiffer(state.projectId, binding.projectId))
    return belongsTo(`the project ${state.projectId}`);
  return { kind: 'valid', record: state };
}

/**
 * True if both sites, or projects, are known and differ. A run whose job is given by its id may
 * know none.
 */
export function areKnownToDiffer(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** A state of another site or platform. */
function belongsTo(owner: string): ReadRecord {
  const what = `the link of ${owner}`;
  return { kind: 'foreign', why: `it belongs to ${owner}`, what, isLink: true };
}

/**
 * True if no job was ever live and none may run: a start that the platform refused, such as for a
 * misspelt site, leaves only such a state. At another address of the platform, a start without a
 * reply does not count: another server may have answered there.
 */
function isUnused(state: StateRecord, baseUrl: string): boolean {
  // An unanswered announcement is of a link that may still appear, or of an export that may run.
  if (state.jobId !== undefined || state.history?.length || state.unanswered?.length) return false;
  const isElsewhere = state.baseUrl !== baseUrl;
  const startedNothing = (run: ExportRun) =>
    run.state === 'publishing' || (isElsewhere && run.jobId === undefined);
  return (state.runs ?? []).every(startedNothing);
}

/**
 * An announcement as the text of a claim. Its number is signed with it: a claim that someone copies
 * to another number is not valid there.
 */
export function writeClaim(binding: StateBinding, number: number, claim: Announcement): string {
  const signature = sign(signing(binding, CLAIM, { number, claim }));
  return JSON.stringify({ ...claim, signature });
}

const signedClaim = z.extend(announcement, { signature: z.string() });

/** The claim in a text; undefined: it was not signed with this admin key for this destination. */
export function readClaim(
  binding: StateBinding,
  number: number,
  text: string,
): Announcement | undefined {
  const parsed = signedClaim.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { signature, ...claim } = parsed.data;
  return verify({ ...signing(binding, CLAIM, { number, claim }), signature }) ? claim : undefined;
}

/** The signed digest of a link, for `written.link` and announcements. */
export function linkMark(binding: StateBinding, digest: string): string {
  return sign(signing(binding, LINK, { digest }));
}

/**
 * True when a fresh link is wanted: it expires within `refreshBeforeMs` from now, has expired, or
 * its expiry is unknown.
 */
export function isDue(
  expiresAt: string | undefined,
  nowMs: number,
  refreshBeforeMs: number,
): boolean {
  const expiry = readInstant(expiresAt);
  return expiry === undefined || expiry.getTime() - nowMs <= refreshBeforeMs;
}
