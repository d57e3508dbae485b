import * as z from 'zod/mini';
import { PERMISSIONS } from '../../values/values.ts';
import type { Account, Rank } from '../port.ts';
import { createReplies } from '../shared.ts';

/** A person can have the login of a bot without its ending, so the type decides; the ending only takes personhood away. */
function toAccount({ login, id, type }: { login: string; id: number; type: string }): Account {
  if (type === 'Bot') return { login, id, kind: 'bot' };
  const isPerson = type === 'User' && !login.endsWith('[bot]');
  return { login, id, kind: isPerson ? 'person' : 'other' };
}

export const account = z.pipe(
  z.object({ login: z.string(), id: z.number(), type: z.string() }),
  z.transform(toAccount),
);

export const { comment, reviewComment, pullRequest, reaction } = createReplies({
  account,
  lineOf: ({ line }) => line ?? undefined,
});

export const commit = z.object({ sha: z.string() });
export const user = z.object({ id: z.number() });

/** A pull request that a commit is part of. */
export const commitPull = z.object({
  number: z.number(),
  html_url: z.string(),
  merged_at: z.nullish(z.string()),
  merge_commit_sha: z.nullish(z.string()),
});

export const standing = z.object({
  permission: z.string(),
  role_name: z.optional(z.string()),
  user: z.nullable(z.object({ id: z.number() })),
});

const SCALE: readonly string[] = PERMISSIONS;

/** The rank of a reply. A custom role has another name in `role_name`; `permission` is the standard role that it builds on. */
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
