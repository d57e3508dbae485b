import * as z from 'zod/mini';
import { parseJson } from '../../text/json.ts';
import { PERMISSIONS } from '../../values/values.ts';
import type { Account, Rank } from '../port.ts';
import { createReplies } from '../shared.ts';

/** Gitea's replies as schemas, where they differ from GitHub's. Names and shapes are those of Gitea 1.26. */

/** The account of every job's own token. */
export const JOB_ACCOUNT_ID = -2;
/** Stands for accounts that were deleted; reactions show it for the account of jobs too. */
export const GHOST_ID = -1;

/** Gitea does not say what an account is. Those of programs that belong to the server have ids below zero. */
function toAccount({ login, id }: { login: string; id: number }): Account {
  if (id > 0) return { login, id, kind: 'person' };
  return { login, id, kind: id === JOB_ACCOUNT_ID ? 'bot' : 'other' };
}

export const account = z.pipe(z.object({ login: z.string(), id: z.number() }), z.transform(toAccount));

export const { comment, reviewComment, pullRequest, reaction } = createReplies({
  account,
  lineOf: ({ position, original_position: original }) => position || original || undefined,
});

export const comments = z.nullable(z.array(comment));

export const review = z.object({ id: z.number(), comments_count: z.number() });

export const branch = z.object({ commit: z.object({ id: z.string() }) });

export const standing = z.object({ permission: z.string(), user: z.nullable(z.object({ id: z.number() })) });

/** The rank that a permission of Gitea stands for: `none`, `read`, `write`, `admin`, and `owner` above it. */
export function rankOf(permission: string): Rank {
  if (permission === 'owner') return 'admin';
  return PERMISSIONS.find((name) => name === permission) ?? 'none';
}

/** An entry of the timeline: comments, labels, pushes and more, oldest first. */
export const timelineEntry = z.object({
  id: z.number(),
  type: z.string(),
  user: z.nullable(account),
  body: z.nullish(z.string()),
  created_at: z.string(),
  label: z.nullish(z.object({ name: z.string() })),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

const push = z.object({ commit_ids: z.nullable(z.array(z.string())) });

export function lastPush(entries: readonly TimelineEntry[]): TimelineEntry | undefined {
  return entries.findLast(({ type }) => type === 'pull_push');
}

/** True if the push brought this commit to the branch. */
export function hasPushed({ body }: TimelineEntry, commit: string): boolean {
  const parsed = push.safeParse(parseJson(body ?? ''));
  return parsed.success && parsed.data.commit_ids?.includes(commit) === true;
}
