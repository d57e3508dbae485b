import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { ForgeHost, InstructionSource, Trigger } from '../port.ts';
import { createAddresses, EventReader, instant, notOnPull, numbered, withoutComment } from '../shared.ts';
import type { GiteaForgeInit } from './forge.ts';
import { account } from './replies.ts';

interface GiteaHostInit extends Omit<GiteaForgeInit, 'tokens' | 'signal'> {
  readonly eventName: string;
  /** The payload. */
  readonly event: () => Promise<unknown>;
}

/** Gitea or Forgejo as the run's event and environment show it; a client is made when one is asked for. */
export function createGiteaHost(init: GiteaHostInit): ForgeHost {
  const { name, repository, serverUrl, eventName, event } = init;
  return {
    name,
    repository,
    commentsAddress: (pullNumber) => `${serverUrl}/api/v1/repos/${repository}/issues/${pullNumber}/comments`,
    trigger: async ({ source }) => readTrigger(eventName, await event(), source),
    readRepositoryUrl: (url) => readRepositoryUrl(url, serverUrl),
    readPullUrl: (url) => readPullUrl(url, serverUrl),
    async connect(tokens, signal) {
      const { GiteaForge } = await import('./forge.ts');
      return new GiteaForge({ ...init, tokens, signal });
    },
  };
}

const place = z.object({ is_pull: z.boolean(), issue: numbered });
const issueComment = z.object({
  sender: account,
  comment: z.object({ id: z.number(), body: z.string(), html_url: z.string(), user: account, created_at: instant }),
  issue: z.extend(numbered, { title: z.string(), body: z.nullish(z.string()) }),
});

const reader = new EventReader({
  forge: 'Gitea',
  account,
  writerEvents: new Set(['push', 'schedule', 'workflow_dispatch']),
  hint: 'Docs Courier was run against Gitea 1.26. Report the version of your server.',
});
/** The second one where a workflow names it; the payload is the same. */
const COMMENT_EVENTS: ReadonlySet<string> = new Set(['issue_comment', 'pull_request_comment']);

/** Reads the payload of an event as it was when the event happened; later edits are not in it. */
export function readTrigger(name: string, payload: unknown, source: InstructionSource): Trigger {
  const event = { name, payload };
  // With the `prompt` input the text of a comment is not a command.
  if (source === 'prompt') return reader.readPrompt(event);
  if (name.startsWith('pull_request_review')) throw reviewError(name);
  if (!COMMENT_EVENTS.has(name)) return source === 'template' ? reader.readPrompt(event) : withoutComment(name);
  const ignored = reader.ignored(event, 'created');
  if (ignored !== undefined) return ignored;
  const { is_pull: isPull, issue } = reader.parse(place, event);
  if (!isPull) return notOnPull(issue.number);
  const { sender, comment, issue: pull } = reader.parse(issueComment, event);
  return {
    kind: 'comment',
    place: 'conversation',
    id: comment.id,
    body: comment.body,
    url: comment.html_url,
    author: comment.user,
    sender,
    isMember: undefined,
    createdAtMs: Date.parse(comment.created_at),
    spot: undefined,
    pull: { number: pull.number, title: pull.title, body: pull.body ?? '' },
  };
}

/** A command needs an id, so that it is sent once, and a time, to compare with pushes: reviews have neither there. */
function reviewError(eventName: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `The event ${eventName} of Gitea says neither which comment it is about nor when it was written, so a command in it cannot be carried out. Nothing was sent.`,
    hint: 'Start the workflow on issue_comment alone: a comment below the pull request can hold the command.',
  });
}

export const { readRepositoryUrl, readPullUrl } = createAddresses({
  owner: '[A-Za-z0-9_][A-Za-z0-9._-]{0,99}',
  pulls: 'pulls',
});
