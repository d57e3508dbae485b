/**
 * The platform's resources as schemas. Replies are parsed, never cast: unknown fields are left out, a field that does not
 * fit is named. What the platform's documentation does not show is taken as `unknown` and never relied on.
 */
import * as z from 'zod/mini';

/** Longest id that we put into a path, and the characters that need no escaping there (RFC 3986, unreserved). */
const ID_PATTERN = /^[A-Za-z0-9._~-]{1,128}$/;

/** True for an id that can stand as one path segment: unreserved characters, and not `.` or `..`, which a URL resolves. */
export function isPathId(value: string): boolean {
  return ID_PATTERN.test(value) && !/^\.+$/.test(value);
}

const pathId = z.string().check(z.refine(isPathId, 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ - and not dots alone'));

// RFC 3339 with an offset: a local time without one could be off by half a day.
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:?\d{2})$/;
// Years 2001 to 2286 as epoch seconds (10 digits) or epoch milliseconds (13 digits).
const EPOCH_SECONDS = /^\d{10}$/;
const EPOCH_MILLISECONDS = /^\d{13}$/;
// Past it, years have six digits and a sign, which no reader of `expires-at` expects.
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads a timestamp of unknown format: ISO 8601 with an offset, or epoch seconds or milliseconds as a number or as digits.
 * Anything else is `undefined`: the caller decides what a missing time means.
 */
export function readInstant(value: unknown): Date | undefined {
  const text = typeof value === 'number' ? String(Math.trunc(value)) : typeof value === 'string' ? value.trim() : '';
  if (EPOCH_SECONDS.test(text)) return new Date(Number(text) * 1000);
  if (EPOCH_MILLISECONDS.test(text)) return new Date(Number(text));
  if (!ISO_INSTANT.test(text)) return undefined;
  const time = Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return time <= LAST_INSTANT ? new Date(time) : undefined;
}

const instant = z.pipe(
  z.string().check(z.refine((text) => readInstant(text) !== undefined, 'must be an ISO 8601 timestamp with an offset')),
  z.transform((text: string) => new Date(readInstant(text) ?? 0)),
);

export const exportJobStarted = z.object({ jobId: pathId });
export type ExportJobStarted = z.infer<typeof exportJobStarted>;

/** `status` is free text: only `completed` and `failed` are documented, anything else means "not yet". */
export const exportJob = z.object({
  jobId: z.optional(z.unknown()),
  status: z.string(),
  progress: z.optional(z.unknown()),
  pageCount: z.optional(z.unknown()),
  // Not in the contract: shown (sanitised) when it happens to be a text, never relied on.
  error: z.optional(z.unknown()),
});
export type ExportJob = z.infer<typeof exportJob>;

export const exportBundle = z.object({
  bundleUrl: z.string(),
  expiresAt: z.pipe(z.optional(z.unknown()), z.transform(readInstant)),
  // Not in the contract: a hint for progress and disk space where it is given and sensible.
  sizeBytes: z.optional(z.unknown()),
});
export type ExportBundle = z.infer<typeof exportBundle>;

export const AGENT_JOB_STATUSES = ['active', 'completed', 'archived', 'failed'] as const;

export const agentJob = z.object({
  id: pathId,
  // The documented values are AGENT_JOB_STATUSES; another one is "not yet known", so that a new state breaks nothing.
  status: z.string(),
  source: z.object({ repository: z.string(), ref: z.nullable(z.string()) }),
  model: z.string(),
  prLink: z.nullable(z.string()),
  createdAt: instant,
  archivedAt: z.nullable(instant),
});
export type AgentJob = z.infer<typeof agentJob>;

const searchResult = z.object({
  content: z.string(),
  path: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});
export const searchResults = z.array(searchResult);
export type SearchResult = z.infer<typeof searchResult>;

export const PAGE_SIZE = { min: 1, max: 50 } as const;
export const SCORE_THRESHOLD = { min: 0, max: 1 } as const;

/** Body of a search request. Absent fields are not sent: the platform's own defaults apply. */
export interface SearchRequest {
  readonly query: string;
  readonly pageSize?: number | undefined;
  readonly scoreThreshold?: number | undefined;
  readonly filter?: SearchFilter | undefined;
}

export interface SearchFilter {
  readonly version?: string | undefined;
  readonly language?: string | undefined;
  readonly tag?: string | undefined;
}

export const errorBody = z.object({ error: z.string() });
