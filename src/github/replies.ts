import * as z from 'zod/mini';
import { readTime } from '../ground/text/instants.ts';
import { parseUrl } from '../ground/text/names.ts';
import { PERMISSIONS } from '../values/values.ts';
import type {
  Account,
  ChangedFile,
  Comment,
  CommentNow,
  DiffSpot,
  PullRequest,
  Rank,
} from './pull-request.ts';

/**
 * The fields that this program reads of GitHub's replies and events, and no others: an error about
 * a reply names the field that is missing.
 */

const text = z.nullish(z.string());
const body = z.pipe(
  text,
  z.transform((written) => written ?? ''),
);
/** Of a comment and of a pull request, in replies and in events. */
export const commentFields = { id: z.number(), html_url: z.string(), body };
export const pullFields = { number: z.number(), title: z.string(), body };
/** A time that can be read, in milliseconds. */
export const instant = z.pipe(
  z.string(),
  z.transform((text, check) => {
    const atMs = readTime(text);
    // With an issue the reply is refused, so that the number is never read.
    if (atMs === undefined) check.issues.push({ code: 'custom', input: text });
    return atMs ?? Number.NaN;
  }),
);
/** A text as a page shows it: an empty one has no HTML. */
export function htmlOf(raw: { body: string; body_html?: string | null | undefined }) {
  return raw.body_html ?? (raw.body === '' ? '' : undefined);
}
const html = { body_html: text };
/** Of a comment below a pull request; for all others, GitHub does not say whether they are hidden. */
const minimized = z.nullish(z.unknown());
export const label = z.object({ name: z.string() });

/**
 * The type decides, since a person can have the login of a bot without its ending `[bot]`. An
 * account with this ending never counts as a person.
 */
function kindOf(type: string, login: string): Account['kind'] {
  if (type === 'Bot') return 'bot';
  if (type === 'User' && !login.endsWith('[bot]')) return 'person';
  return 'other';
}

export const account = z.pipe(
  z.object({ login: z.string(), id: z.number(), type: z.string() }),
  z.transform((raw): Account => {
    return { login: raw.login, id: raw.id, kind: kindOf(raw.type, raw.login) };
  }),
);

const commentReply = z.object({
  ...commentFields,
  ...html,
  minimized,
  user: z.nullable(account),
  created_at: instant,
  updated_at: instant,
});

/** A comment in our names; `reviewComment` adds where one on the diff was written. */
function toComment(raw: z.infer<typeof commentReply>): Comment {
  return {
    id: raw.id,
    // Only its address names the pull request of a comment; that of one on an issue names none.
    pullNumber: Number(/\/pull\/([1-9]\d{0,9})#/.exec(raw.html_url)?.[1] ?? 0),
    // `null` if the account was deleted.
    author: raw.user ?? undefined,
    body: raw.body,
    html: htmlOf(raw),
    isHidden: Boolean(raw.minimized),
    url: raw.html_url,
    createdAtMs: raw.created_at,
    updatedAtMs: raw.updated_at,
    diff: undefined,
  };
}

export const comment = z.pipe(commentReply, z.transform(toComment));

const number = z.nullish(z.number());
/** Where a comment on the diff was written, in events and in replies. */
export const spotFields = {
  path: z.string(),
  diff_hunk: z.string(),
  line: number,
  start_line: number,
  original_line: number,
  original_start_line: number,
  side: text,
  in_reply_to_id: number,
  subject_type: text,
};
const spotted = z.object({ id: z.number(), ...spotFields });

export function toSpot(raw: z.infer<typeof spotted>): DiffSpot {
  const outdated = raw.subject_type !== 'file' && !raw.line && Boolean(raw.original_line);
  const [start, line] = outdated
    ? [raw.original_start_line, raw.original_line]
    : [raw.start_line, raw.line];
  return {
    path: raw.path,
    line: line ?? undefined,
    startLine: start ?? undefined,
    side: raw.side === 'LEFT' ? 'before' : undefined,
    outdated: outdated || undefined,
    thread: raw.in_reply_to_id ?? raw.id,
    hunk: raw.diff_hunk,
  };
}

export const reviewComment = z.pipe(
  z.extend(commentReply, spotFields),
  z.transform((raw): Comment => ({ ...toComment(raw), diff: toSpot(raw) })),
);

export const pullRequest = z.pipe(
  z.object({
    ...pullFields,
    ...html,
    html_url: z.string(),
    user: z.nullable(account),
    state: z.enum(['open', 'closed']),
    merged: z.boolean(),
    locked: z.boolean(),
    merge_commit_sha: text,
    labels: z.array(label),
    base: z.object({ ref: z.string() }),
    head: z.object({
      ref: z.string(),
      sha: z.string(),
      repo: z.nullable(z.object({ full_name: z.string() })),
    }),
    changed_files: z.number(),
  }),
  z.transform((raw): PullRequest => {
    const { html_url: url, user, labels, merge_commit_sha: mergeCommit, head, ...same } = raw;
    return {
      ...same,
      html: htmlOf(raw),
      url,
      author: user ?? undefined,
      labels: labels.map((one) => one.name),
      // While a pull request is open, this is the commit of a merge that GitHub tried.
      mergeCommit: raw.merged ? (mergeCommit ?? undefined) : undefined,
      head: { ref: head.ref, sha: head.sha, repository: head.repo?.full_name },
      changedFiles: raw.changed_files,
    };
  }),
);

export const file = z.pipe(
  z.object({
    filename: z.string(),
    previous_filename: text,
    status: z.string(),
    additions: z.number(),
    deletions: z.number(),
    patch: text,
    contents_url: text,
  }),
  z.transform((raw): ChangedFile => {
    return {
      path: raw.filename,
      previousPath: raw.previous_filename ?? undefined,
      status: raw.status,
      additions: raw.additions,
      deletions: raw.deletions,
      patch: raw.patch ?? undefined,
      // Only this address names the commit.
      commit: parseUrl(raw.contents_url ?? '')?.searchParams.get('ref') ?? undefined,
    };
  }),
);

export const reaction = z.object({ content: z.string(), user: z.nullable(account) });
export const commit = z.object({ sha: z.string() });
export const user = z.object({ id: z.number() });
export const repository = z.object({ private: z.boolean(), default_branch: z.string() });
export const ownComment = z.pipe(
  z.object({ id: z.number(), html_url: z.string() }),
  z.transform((raw) => ({ id: raw.id, url: raw.html_url })),
);
export const written = z.pipe(
  z.object({ body, ...html, minimized }),
  z.transform(
    (raw): CommentNow => ({
      body: raw.body,
      html: htmlOf(raw),
      isHidden: Boolean(raw.minimized),
    }),
  ),
);

/** What the contents API says of a path: a list for a folder. */
export const contents = z.union([
  z.array(z.unknown()),
  z.object({
    type: z.string(),
    size: z.number(),
    encoding: text,
    content: text,
  }),
]);

/** A pull request that a commit is part of. */
export const commitPull = z.object({
  number: z.number(),
  merged_at: text,
  merge_commit_sha: text,
  base: z.object({ ref: z.string(), repo: z.nullish(z.object({ full_name: z.string() })) }),
});

const flags = z.partial(z.object({ triage: z.boolean(), maintain: z.boolean() }));
export const standing = z.object({
  permission: z.string(),
  role_name: text,
  user: z.nullable(z.object({ id: z.number(), permissions: z.nullish(flags) })),
});

/**
 * The rank that a reply names. A custom role has its own name in `role_name`. What it builds on is
 * in `user.permissions`, and in `permission` only roughly: `read` for `triage`, `write` for
 * `maintain`.
 */
export function rankOf(reply: z.infer<typeof standing>): Rank {
  const role = PERMISSIONS.find((name) => name === reply.role_name);
  if (role !== undefined) return role;
  const { triage, maintain } = reply.user?.permissions ?? {};
  const base = PERMISSIONS.find((name) => name === reply.permission) ?? 'none';
  if (base === 'read' && triage === true) return 'triage';
  if (base === 'write' && maintain === true) return 'maintain';
  return base;
}

export const issueEvent = z.object({
  event: z.string(),
  actor: z.nullish(account),
  label: z.optional(label),
});

/** An entry of `GET /repos/{owner}/{repo}/activity`, newest first. */
export const activity = z.object({
  activity_type: z.string(),
  after: z.string(),
  timestamp: z.string(),
});
