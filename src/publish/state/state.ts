import * as z from 'zod/mini';
import { readInstant } from '../../platform/contract.ts';
import { sign, verify } from '../../signature.ts';
import type { SignedDestination } from '../../stores/port.ts';
import { parseJson } from '../../text/json.ts';
import { isPathId } from '../../text/names.ts';

const instant = z.string().check(z.refine((text) => readInstant(text) !== undefined));
const jobId = z.string().check(z.refine(isPathId));

/** How far the run that wrote the state had come with an export of its own. */
const runState = {
  id: z.string(),
  job: z.string(),
  state: z.enum(['starting', 'started', 'done']),
  jobId: z.optional(jobId),
};

const content = {
  domain: z.optional(z.string()),
  baseUrl: z.string(),
  /** The job whose link the store holds, or is about to hold. */
  jobId: z.optional(jobId),
  /** ISO 8601, UTC; absent where the platform did not say. */
  expiresAt: z.optional(instant),
};

const version1 = z.object({ version: z.literal(1), ...content, run: z.optional(z.object(runState)) });

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
  commit: z.optional(z.string()),
  by: z.optional(z.string()),
  forced: z.optional(z.literal(true)),
  /** When it was rolled back: a later rollback does not lead to it. */
  withdrawn: z.optional(instant),
});

const rollback = z.looseObject({
  at: instant,
  /** The job that was live before. */
  from: z.optional(jobId),
  by: z.optional(z.string()),
  /** Run and job of the rollback: a re-run does not go back once more. */
  run: z.optional(z.string()),
});

// Loose: what a later version adds is signed like the rest, and kept.
const version2 = z.looseObject({
  version: z.literal(2),
  ...content,
  /** Where the export belongs to a project rather than to a domain. */
  projectId: z.optional(z.string()),
  /** When this job was asked for: a job that was asked for earlier never replaces it by itself. ISO 8601, UTC. */
  requestedAt: z.optional(instant),
  /** The last write of the link that was confirmed. */
  written: z.optional(linkWrite),
  /** A write of the link that was announced and not confirmed: the store holds what was there before, or `jobId`'s link. */
  pending: z.optional(linkWrite),
  run: z.optional(z.looseObject({ ...runState, requestedAt: z.optional(instant) })),
  /** Newest first. */
  history: z.optional(z.readonly(z.array(exportRecord))),
  /** Counts how often another job was put in place: a state with a lower count is an earlier one. */
  count: z.optional(z.int()),
  /** The live job is an earlier export, which was put back in place of `from`. */
  rollback: z.optional(rollback),
});

/** What is stored next to the link. It holds no secret and may be read by anyone. */
export type State = z.infer<typeof version2>;
export type ExportRecord = z.infer<typeof exportRecord>;
/** As Docs Courier 1.0 wrote it. It has no time of a write, and is read for good. */
export type State1 = z.infer<typeof version1>;

const signedState = z.discriminatedUnion('version', [
  z.extend(version1, { signature: z.string() }),
  z.extend(version2, { signature: z.string() }),
]);

/** What the state is bound to: at any other destination, or for another platform, it counts for nothing. */
export interface StateDestination {
  readonly adminApiKey: string;
  readonly baseUrl: string;
  readonly signed: SignedDestination;
}

export type ReadState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'valid'; readonly state: State; readonly version: 1 | 2 }
  /** Something is there, but it is not ours, or not for this destination; `why` completes "it is ignored because …". */
  | { readonly kind: 'ignored'; readonly why: string };

/** As text, with its signature. Version 1 is written by tests alone; what is new goes into version 2. */
export function writeState(destination: StateDestination, state: State | State1): string {
  return JSON.stringify({ ...state, signature: sign(signing(destination, state.version, state)) });
}

/** `state` is the whole JSON value but its signature, so that no field of it is outside of the signature. */
function signing({ adminApiKey, signed }: StateDestination, version: 1 | 2, state: unknown) {
  const payload = version === 1 ? { state, ...signed.version1 } : { state, destination: signed.address };
  return { secret: adminApiKey, purpose: `docs-courier/state/v${version}`, payload };
}

/**
 * Accepts a state only with a signature that someone with this admin key wrote it for this destination: who can write variables but
 * has no key must not be able to point a deployment at another site's export.
 */
export function readState(destination: StateDestination, text: string | undefined): ReadState {
  if (text === undefined || text.trim() === '') return { kind: 'missing' };
  const ignore = (why: string): ReadState => ({ kind: 'ignored', why });
  const json = parseJson(text);
  const found = z.looseObject({ version: z.unknown(), signature: z.unknown() }).safeParse(json);
  if (!found.success) return ignore('it is not a state of Docs Courier');
  const { signature, ...all } = found.data;
  if (all.version !== 1 && all.version !== 2) {
    return ignore('its version is unknown; a newer Docs Courier may have written it');
  }
  const parsed = signedState.safeParse(json);
  if (!parsed.success) return ignore('fields of it are missing or invalid');
  const { version } = parsed.data;
  const isKnown = version === 2 || destination.signed.version1 !== undefined;
  if (!isKnown || !verify({ ...signing(destination, version, all), signature: parsed.data.signature })) {
    return ignore(
      'its signature is invalid: it was written with another admin key, for another destination, or by someone without a key',
    );
  }
  if (parsed.data.baseUrl !== destination.baseUrl)
    return ignore(`it belongs to the platform at ${parsed.data.baseUrl}`);
  const { signature: _, ...state } = parsed.data;
  return { kind: 'valid', state: { ...state, version: 2 }, version };
}

/** The signed digest of a link, for `written.link` and `pending.link`. */
export function linkMark({ adminApiKey, signed }: StateDestination, digest: string): string {
  return sign({
    secret: adminApiKey,
    purpose: 'docs-courier/link/v2',
    payload: { digest, destination: signed.address },
  });
}

/** True when a fresh link is wanted: it expires within `refreshBeforeMs` from now, has expired, or nobody knows. */
export function isDue(
  { expiresAt }: Pick<State, 'expiresAt'>,
  { nowMs, refreshBeforeMs }: { nowMs: number; refreshBeforeMs: number },
): boolean {
  const expiry = readInstant(expiresAt);
  return expiry === undefined || expiry.getTime() - nowMs <= refreshBeforeMs;
}
