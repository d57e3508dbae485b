import * as z from 'zod/mini';
import type { GitHub } from '../../github/connection.ts';
import type { Log } from '../../log.ts';
import type {
  Account,
  CommentTrigger,
  Forge,
  ForgeHost,
  ForgeTokens,
  InstructionSource,
  PullAddress,
  Trigger,
} from '../port.ts';
import { EventReader, instant, notOnPull, numbered, withoutComment } from '../shared.ts';
import { account } from './replies.ts';

/** GitHub as the run's event and environment show it; a client is made when one is asked for. */
export class GitHubHost implements ForgeHost {
  readonly kind = 'github';
  readonly name = 'GitHub';
  readonly repository: string;
  readonly #github: GitHub;
  readonly #log: Log;

  constructor(github: GitHub, log: Log) {
    this.repository = github.run.repository;
    this.#github = github;
    this.#log = log;
  }

  commentsAddress(pullNumber: number): string {
    return `${this.#github.run.apiUrl}/repos/${this.repository}/issues/${pullNumber}/comments`;
  }

  async trigger({ source }: { readonly source: InstructionSource }): Promise<Trigger> {
    return readTrigger(this.#github.run.eventName, await this.#github.event(), source);
  }

  readRepositoryUrl(url: string): string | undefined {
    return readRepositoryUrl(url, this.#github.run.serverUrl);
  }

  readPullUrl(url: string): PullAddress | undefined {
    return readPullUrl(url, this.#github.run.serverUrl);
  }

  async connect({ main }: ForgeTokens, signal?: AbortSignal): Promise<Forge> {
    const [octokit, { GitHubForge }] = await Promise.all([this.#github.connect(main, signal), import('./forge.ts')]);
    return new GitHubForge(octokit, main, this.repository, this.#log);
  }
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

const NAME = '[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}';

/** `owner/name` of a repository's address on this server, in lower case; undefined for any other address. */
export function readRepositoryUrl(url: string, serverUrl: string): string | undefined {
  const match = new RegExp(`^(https?://[^/?#@\\s]+)/(${NAME}?)(?:\\.git)?/?$`).exec(url);
  if (match?.[1]?.toLowerCase() !== serverUrl.toLowerCase()) return undefined;
  return match[2]?.replace(/\.git$/, '').toLowerCase();
}

/** The pull request that an address on this server names; undefined for anything else. */
export function readPullUrl(url: string, serverUrl: string): PullAddress | undefined {
  const match = new RegExp(`^(https?://[^/?#@\\s]+)/(${NAME})/pull/([1-9]\\d{0,9})/?$`).exec(url);
  if (match?.[1]?.toLowerCase() !== serverUrl.toLowerCase() || match[2] === undefined) return undefined;
  return { repository: match[2].toLowerCase(), number: Number(match[3]) };
}
