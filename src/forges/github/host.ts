import * as z from 'zod/mini';
import type { GitHub } from '../../github/connection.ts';
import type { Log } from '../../log.ts';
import type { Account, CommentTrigger, ForgeHost, InstructionSource, Trigger } from '../port.ts';
import { createAddresses, EventReader, instant, notOnPull, numbered, withoutComment } from '../shared.ts';
import { account } from './replies.ts';

/** GitHub as the run's event and environment show it; a client is made when one is asked for. */
export function createGitHubHost(github: GitHub, log: Log): ForgeHost {
  const { repository, apiUrl, serverUrl, eventName } = github.run;
  return {
    name: 'GitHub',
    repository,
    commentsAddress: (pullNumber) => `${apiUrl}/repos/${repository}/issues/${pullNumber}/comments`,
    trigger: async ({ source }) => readTrigger(eventName, await github.event(), source),
    readRepositoryUrl: (url) => readRepositoryUrl(url, serverUrl),
    readPullUrl: (url) => readPullUrl(url, serverUrl),
    async connect({ main }, signal) {
      const [octokit, { GitHubForge }] = await Promise.all([github.connect(main, signal), import('./forge.ts')]);
      return new GitHubForge(octokit, main, repository, log);
    },
  };
}

const snapshot = z.extend(numbered, { title: z.string(), body: z.nullish(z.string()) });
const comment = z.object({
  id: z.number(),
  body: z.nullish(z.string()),
  html_url: z.string(),
  user: account,
  author_association: z.string(),
  path: z.optional(z.string()),
  line: z.nullish(z.number()),
  diff_hunk: z.optional(z.string()),
});
const written = z.extend(comment, { created_at: instant });
const onIssue = z.object({ issue: z.extend(numbered, { pull_request: z.nullish(z.unknown()) }) });
const issueComment = z.object({ sender: account, comment: written, issue: snapshot });
const reviewComment = z.object({ sender: account, comment: written, pull_request: snapshot });
const review = z.object({
  sender: account,
  review: z.extend(comment, { submitted_at: instant }),
  pull_request: snapshot,
});

const reader = new EventReader({
  forge: 'GitHub',
  account,
  writerEvents: new Set(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch']),
  hint: 'Docs Courier understands events of GitHub. Other forges send other payloads, even where their events have the same names.',
});

/** Reads the payload of an event as it was when the event happened; later edits are not in it. */
export function readTrigger(name: string, payload: unknown, source: InstructionSource): Trigger {
  const event = { name, payload };
  // With the `prompt` input the text of a comment is not a command.
  if (source === 'prompt') return reader.readPrompt(event);
  switch (name) {
    case 'issue_comment': {
      const ignored = reader.ignored(event, 'created');
      if (ignored !== undefined) return ignored;
      const { issue } = reader.parse(onIssue, event);
      if (issue.pull_request === undefined || issue.pull_request === null) return notOnPull(issue.number);
      const read = reader.parse(issueComment, event);
      return toTrigger(read, read.comment, { place: 'conversation', pull: read.issue, at: read.comment.created_at });
    }
    case 'pull_request_review_comment': {
      const ignored = reader.ignored(event, 'created');
      if (ignored !== undefined) return ignored;
      const read = reader.parse(reviewComment, event);
      return toTrigger(read, read.comment, { place: 'diff', pull: read.pull_request, at: read.comment.created_at });
    }
    case 'pull_request_review': {
      const ignored = reader.ignored(event, 'submitted');
      if (ignored !== undefined) return ignored;
      const read = reader.parse(review, event);
      return toTrigger(read, read.review, { place: 'review', pull: read.pull_request, at: read.review.submitted_at });
    }
    default:
      return source === 'template' ? reader.readPrompt(event) : withoutComment(name);
  }
}

const MEMBERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

interface Written {
  readonly place: CommentTrigger['place'];
  readonly pull: z.infer<typeof snapshot>;
  readonly at: string;
}

function toTrigger(
  { sender }: { readonly sender: Account },
  raw: z.infer<typeof comment>,
  { place, pull, at }: Written,
): CommentTrigger {
  const { path, line, diff_hunk: hunk } = raw;
  return {
    kind: 'comment',
    place,
    id: raw.id,
    body: raw.body ?? '',
    url: raw.html_url,
    author: raw.user,
    sender,
    isMember: MEMBERS.has(raw.author_association),
    createdAtMs: Date.parse(at),
    spot: path === undefined || hunk === undefined ? undefined : { path, line: line ?? undefined, hunk },
    pull: { number: pull.number, title: pull.title, body: pull.body ?? '' },
  };
}

export const { readRepositoryUrl, readPullUrl } = createAddresses({
  owner: '[A-Za-z0-9][A-Za-z0-9_-]{0,99}',
  pulls: 'pull',
});
