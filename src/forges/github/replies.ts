import * as z from 'zod/mini';
import { PERMISSIONS } from '../../inputs/inputs.ts';
import type { Account, ChangedFile, Comment, PullRequest, Rank } from '../port.ts';

/** GitHub's replies as schemas: only what is read, so that a new field breaks nothing and a missing one has a name. */

export const account = z.object({ login: z.string(), id: z.number(), type: z.string() });

/** A person can have the login of a bot without its ending, so the type decides; the ending only takes personhood away. */
export function toAccount({ login, id, type }: z.infer<typeof account>): Account {
  const kind = type === 'Bot' ? 'bot' : type === 'User' && !login.endsWith('[bot]') ? 'person' : 'other';
  return { login, id, kind };
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
  locked: z.boolean(),
  labels: z.array(z.object({ name: z.string() })),
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
    locked: raw.locked,
    labels: raw.labels.map(({ name }) => name),
    // Of an open pull request, it is a commit that was merged to try it.
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
  patch: z.optional(z.string()),
  contents_url: z.string(),
});

export function toFile(raw: z.infer<typeof file>): ChangedFile {
  return {
    path: raw.filename,
    previousPath: raw.previous_filename,
    status: raw.status,
    additions: raw.additions,
    deletions: raw.deletions,
    patch: raw.patch,
    commit: URL.canParse(raw.contents_url)
      ? (new URL(raw.contents_url).searchParams.get('ref') ?? undefined)
      : undefined,
  };
}

export const comment = z.object({
  ...authored,
  id: z.number(),
  html_url: z.string(),
  body: z.nullish(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});

export const reviewComment = z.extend(comment, {
  path: z.string(),
  line: z.nullish(z.number()),
  diff_hunk: z.string(),
});

export function toComment(raw: z.infer<typeof comment>): Comment {
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

export function toReviewComment(raw: z.infer<typeof reviewComment>): Comment {
  return { ...toComment(raw), diff: { path: raw.path, line: raw.line ?? undefined, hunk: raw.diff_hunk } };
}

export const ownComment = z.object({ id: z.number(), html_url: z.string() });
export const repository = z.object({ private: z.boolean() });
export const defaultBranch = z.object({ default_branch: z.string() });
export const commit = z.object({ sha: z.string() });
export const numbered = z.object({ number: z.number() });
export const user = z.object({ id: z.number() });

export const standing = z.object({
  permission: z.string(),
  role_name: z.optional(z.string()),
  user: z.nullable(z.object({ id: z.number() })),
});

const SCALE: readonly string[] = PERMISSIONS;

/**
 * The rank that a reply of the collaborator API stands for. `role_name` knows triage and maintain; a custom role has a name of
 * its own there, and `permission` then names the standard role that it builds on.
 */
export function rankOf(reply: { permission: string; role_name?: string | undefined }): Rank {
  const { permission, role_name: role } = reply;
  const known = role !== undefined && SCALE.includes(role) ? role : permission;
  return PERMISSIONS.find((name) => name === known) ?? 'none';
}

export const issueEvent = z.object({
  event: z.string(),
  actor: z.nullish(account),
  label: z.optional(z.object({ name: z.string() })),
});

/** Of `GET /repos/{owner}/{repo}/activity`, newest first. */
export const activities = z.array(z.object({ activity_type: z.string(), after: z.string(), timestamp: z.string() }));

export const reaction = z.object({ content: z.string(), user: z.nullable(account) });
