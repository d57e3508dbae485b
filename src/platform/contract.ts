/**
 * The platform's resources as schemas. Replies are parsed, never cast: unknown fields are left out,
 * a field that does not fit is named. Only the fields that a decision needs are required. Fields
 * that the platform's documentation does not mark as required may be absent, null, or of another
 * form.
 */

import * as z from 'zod/mini';
import { readTime } from '../ground/text/instants.ts';
import { isPathId } from '../ground/text/names.ts';

const pathId = z
  .string()
  .check(z.refine(isPathId, 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ - and not dots alone'));

// Years 2001 to 2286 as epoch seconds (10 digits) or epoch milliseconds (13 digits).
const EPOCH_SECONDS = /^\d{10}(?:\.\d{1,9})?$/;
const EPOCH_MILLISECONDS = /^\d{13}(?:\.\d{1,9})?$/;
// After this instant, years have six digits and a sign, which no reader of `expires-at` expects.
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads a timestamp of unknown format: ISO 8601 with an offset, an HTTP date, or epoch seconds or
 * milliseconds as a number or as its text. Anything else, also a day that does not exist, is
 * `undefined`: the caller decides what a missing time means.
 */
export function readInstant(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  // Numbers of these forms cannot be after the last instant.
  if (EPOCH_SECONDS.test(text)) return new Date(Number(text) * 1000);
  if (EPOCH_MILLISECONDS.test(text)) return new Date(Number(text));
  const timeMs = readTime(text);
  if (timeMs === undefined || timeMs > LAST_INSTANT) return undefined;
  return new Date(timeMs);
}

/**
 * A field that decides nothing. If it is absent, null, or of a form that is not documented, it is
 * `undefined`: a field that is only shown to people must never make a reply useless.
 */
function maybe<T extends z.ZodMiniType>(schema: T) {
  return z.catch(z.optional(schema), undefined);
}

const text = maybe(z.string());
const anything = z.optional(z.unknown());
const items = maybe(z.array(z.unknown()));
const instant = z.pipe(anything, z.transform(readInstant));

export const exportJobStarted = z.object({ jobId: pathId });
export type ExportJobStarted = z.infer<typeof exportJobStarted>;

/**
 * A start that is refused since another export runs. Only the field `error` is documented; the id
 * of the other job is used if the reply has it.
 */
export const exportJobBusy = z.pipe(
  z.object({ error: text, jobId: maybe(pathId) }),
  z.transform((busy) => ({ busy })),
);
export type ExportJobBusy = z.infer<typeof exportJobBusy>;

/**
 * `status` is free text: only `completed` and `failed` end the job, anything else means "not yet".
 */
const exportJob = z.object({
  jobId: anything,
  status: z.string(),
  /** Its type and unit are not documented for every job: `readFractions` finds out the unit. */
  progress: anything,
  pageCount: anything,
  createdAt: instant,
  updatedAt: instant,
  /** The reason of a failed job; sanitised before it is shown. */
  error: anything,
});
export type ExportJob = z.infer<typeof exportJob>;

export const exportBundle = z.object({
  jobId: anything,
  bundleUrl: z.string(),
  expiresAt: instant,
  /** A hint for progress and disk space if it is given and sensible. */
  sizeBytes: anything,
});
export type ExportBundle = z.infer<typeof exportBundle>;

/**
 * A reply about a job. By project, the reply of a completed job has the link, which is a secret.
 */
export const exportJobReply = z.extend(exportJob, {
  bundleUrl: text,
  expiresAt: instant,
  sizeBytes: anything,
});

/**
 * The reply to a request for an update or a preview. `previewUrl` is checked before it is shown.
 */
export const updateStarted = z.object({ statusId: pathId, previewUrl: text });

/**
 * An update of the deployment branch. `success` and `failure` end it; no field is marked as
 * required.
 */
export const updateStatus = z.object({
  _id: text,
  status: text,
  endedAt: instant,
  /** For people; sanitised before it is shown. */
  summary: text,
  logs: items,
  commit: maybe(
    z.object({
      sha: text,
      filesChanged: maybe(
        z.object({
          added: items,
          modified: items,
          removed: items,
        }),
      ),
    }),
  ),
});
export type UpdateStatus = z.infer<typeof updateStatus>;

/** What `basePath` may be. */
export const BASE_PATHS = ['', '/docs', '/documentation'] as const;
export type BasePath = (typeof BASE_PATHS)[number];

export const AGENT_JOB_STATUSES = ['active', 'completed', 'archived', 'failed'] as const;

const agentJobDetails = {
  model: text,
  /** Documented as null and also as absent while the job has no pull request. */
  prLink: text,
  createdAt: instant,
  archivedAt: instant,
};

export const agentJob = z.object({
  id: pathId,
  // The documented values are AGENT_JOB_STATUSES. Any other text is accepted too, so that a new
  // status of the platform breaks nothing.
  status: z.string(),
  source: z.object({ repository: z.string(), ref: text }),
  ...agentJobDetails,
});
export type AgentJob = z.infer<typeof agentJob>;

/**
 * The reply to the creation of a job. Without a repository it is not linked, but its id is reported:
 * such a job costs money.
 */
export const createdAgentJob = z.extend(agentJob, {
  source: z.catch(agentJob.shape.source, { repository: 'an unknown repository' }),
});

/**
 * The reply to a message. No field is required: the message was accepted even if the reply leaves
 * fields out.
 */
export const agentMessageReply = z.object({
  id: text,
  status: text,
  source: maybe(z.object({ repository: text, ref: text })),
  ...agentJobDetails,
});
export type AgentMessageReply = z.infer<typeof agentMessageReply>;

const searchResult = z.object({
  content: text,
  path: text,
  metadata: maybe(z.record(z.string(), z.unknown())),
});
export const searchResults = z.array(searchResult);
type FoundResult = z.infer<typeof searchResult>;
export type SearchResult = FoundResult & { readonly path: string };

/** The results that name their page: a result without a path leads to no page. */
export function withPath(results: readonly FoundResult[]): SearchResult[] {
  return results.filter((result): result is SearchResult => result.path !== undefined);
}

export const PAGE_SIZE = { min: 1, max: 50 };
export const SCORE_THRESHOLD = { min: 0, max: 1 };

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
  readonly groups?: readonly string[] | undefined;
}
