import * as z from 'zod/mini';
import { PERMISSIONS } from '../../inputs/inputs.ts';
import { parseJson } from '../../text/json.ts';
import type { Account, ChangedFile, Comment, PullRequest, Rank } from '../port.ts';

/** Gitea's replies as schemas: only what is read. Names and shapes are those of Gitea 1.26. */

export const account = z.object({ login: z.string(), id: z.number() });

/** The account of every job's own token. */
export const JOB_ACCOUNT_ID = -2;
/** Stands for accounts that were deleted; reactions show it for the account of jobs too. */
export const GHOST_ID = -1;

/** Gitea does not say what an account is. Those of programs that belong to the server have ids below zero. */
export function toAccount({ login, id }: z.infer<typeof account>): Account {
  return { login, id, kind: id > 0 ? 'person' : id === JOB_ACCOUNT_ID ? 'bot' : 'other' };
}

const authored = { user: z.nullable(account) };

export const pullRequest = z.object({
  ...authored,
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.nullish(z.string()),
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  merge_commit_sha: z.nullish(z.string()),
  is_locked: z.boolean(),
  labels: z.nullable(z.array(z.object({ name: z.string() }))),
  base: z.object({ ref: z.string() }),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.nullable(z.object({ full_name: z.string() })) }),
  changed_files: z.number(),
});

export function toPullRequest(raw: z.infer<typeof pullRequest>): PullRequest {
  return {
    number: raw.number,
    url: raw.html_url,
    title: raw.title,
    body: raw.body ?? '',
    author: raw.user === null ? undefined : toAccount(raw.user),
    state: raw.state,
    merged: raw.merged,
    locked: raw.is_locked,
    labels: (raw.labels ?? []).map(({ name }) => name),
    mergeCommit: raw.merged ? (raw.merge_commit_sha ?? undefined) : undefined,
    base: raw.base,
    head: { ref: raw.head.ref, sha: raw.head.sha, repository: raw.head.repo?.full_name },
    changedFiles: raw.changed_files,
  };
}

export const file = z.object({
  filename: z.string(),
  previous_filename: z.optional(z.string()),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  contents_url: z.optional(z.string()),
  raw_url: z.optional(z.string()),
});

export function toFile(raw: z.infer<typeof file>, patch: string | undefined): ChangedFile {
  const { filename, previous_filename: before, status, additions, deletions } = raw;
  const commit = commitOf(raw.contents_url ?? '');
  return { path: filename, previousPath: before || undefined, status, additions, deletions, patch, commit };
}

function commitOf(contentsUrl: string): string | undefined {
  return URL.canParse(contentsUrl) ? (new URL(contentsUrl).searchParams.get('ref') ?? undefined) : undefined;
}

export const comment = z.object({
  ...authored,
  id: z.number(),
  html_url: z.string(),
  pull_request_url: z.string(),
  body: z.nullish(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export const comments = z.nullable(z.array(comment));

export function toComment(raw: Omit<z.infer<typeof comment>, 'pull_request_url'>): Comment {
  return {
    id: raw.id,
    author: raw.user === null ? undefined : toAccount(raw.user),
    body: raw.body ?? '',
    url: raw.html_url,
    createdAtMs: Date.parse(raw.created_at),
    updatedAtMs: Date.parse(raw.updated_at),
    diff: undefined,
  };
}

/** The number of the pull request that a comment is below; undefined for a comment on an issue. */
export function pullNumberOf({ pull_request_url: url }: z.infer<typeof comment>): number | undefined {
  const number = /\/pulls\/([1-9]\d{0,9})$/.exec(url)?.[1];
  return number === undefined ? undefined : Number(number);
}

export const review = z.object({ id: z.number(), comments_count: z.number() });

export const reviewComment = z.object({
  ...authored,
  id: z.number(),
  html_url: z.string(),
  body: z.nullish(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  path: z.string(),
  /** Lines of the new and of the old file; 0 where the comment is on the other one. */
  position: z.nullish(z.number()),
  original_position: z.nullish(z.number()),
  diff_hunk: z.string(),
});
export const reviewComments = z.nullable(z.array(reviewComment));

export function toReviewComment(raw: z.infer<typeof reviewComment>): Comment {
  const line = raw.position || raw.original_position || undefined;
  return { ...toComment(raw), diff: { path: raw.path, line, hunk: raw.diff_hunk } };
}

export const ownComment = z.object({ id: z.number(), html_url: z.string() });
export const repository = z.object({
  private: z.boolean(),
  internal: z.optional(z.boolean()),
});
export const defaultBranch = z.object({ default_branch: z.string() });
export const branch = z.object({ commit: z.object({ id: z.string() }) });
export const numbered = z.object({ number: z.number() });

export const standing = z.object({ permission: z.string(), user: z.nullable(z.object({ id: z.number() })) });

/** The rank that a permission of Gitea stands for: `none`, `read`, `write`, `admin`, and `owner` above it. */
export function rankOf(permission: string): Rank {
  if (permission === 'owner') return 'admin';
  return PERMISSIONS.find((name) => name === permission) ?? 'none';
}

export const reactions = z.nullable(z.array(z.object({ content: z.string(), user: z.nullable(account) })));

/** An entry of the timeline: comments, labels, pushes and more, oldest first. */
const timelineEntry = z.object({
  id: z.number(),
  type: z.string(),
  user: z.nullable(account),
  body: z.nullish(z.string()),
  created_at: z.string(),
  label: z.nullish(z.object({ name: z.string() })),
});
export const timeline = z.nullable(z.array(timelineEntry));
export type TimelineEntry = z.infer<typeof timelineEntry>;

const push = z.object({ commit_ids: z.nullable(z.array(z.string())) });

export function lastPush(entries: readonly TimelineEntry[]): TimelineEntry | undefined {
  return entries.findLast(({ type }) => type === 'pull_push');
}

/** True where the push brought this commit to the branch. */
export function hasPushed({ body }: TimelineEntry, commit: string): boolean {
  const parsed = push.safeParse(parseJson(body ?? ''));
  return parsed.success && parsed.data.commit_ids?.includes(commit) === true;
}

/** The last entry that set a label; its text is "1" where the label was added, and empty where it was removed. */
export function lastLabelling(entries: readonly TimelineEntry[], label: string): TimelineEntry | undefined {
  return entries.findLast((entry) => entry.type === 'label' && entry.label?.name === label && entry.body === '1');
}
