import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import { readChange } from '../change.ts';
import type { InstructionSource, Trigger } from '../port.ts';
import { account, toAccount } from './replies.ts';

const instant = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));

const action = z.object({ action: z.string() });
const place = z.object({ is_pull: z.boolean(), issue: z.object({ number: z.number() }) });
const issueComment = z.object({
  sender: account,
  comment: z.object({
    id: z.number(),
    body: z.string(),
    html_url: z.string(),
    user: account,
    created_at: instant,
  }),
  issue: z.object({ number: z.number(), title: z.string(), body: z.nullish(z.string()) }),
});
const anyEvent = z.object({
  sender: z.nullish(account),
  pull_request: z.nullish(z.object({ number: z.number() })),
  is_pull: z.optional(z.boolean()),
  issue: z.nullish(z.object({ number: z.number() })),
  comment: z.nullish(z.object({ body: z.nullish(z.string()) })),
});

/** Events that only people and programs with write access to the repository can cause. */
const WRITER_EVENTS: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch']);
/** The second one where a workflow names it; the payload is the same. */
const COMMENT_EVENTS: ReadonlySet<string> = new Set(['issue_comment', 'pull_request_comment']);

/** Reads the payload of an event as it was when the event happened; later edits are not in it. */
export function readTrigger(eventName: string, payload: unknown, source: InstructionSource): Trigger {
  // With the `prompt` input the text of a comment is not a command.
  if (source === 'prompt') return readPromptEvent(eventName, payload);
  if (COMMENT_EVENTS.has(eventName)) return readIssueComment(eventName, payload);
  if (eventName.startsWith('pull_request_review')) throw reviewError(eventName);
  if (source === 'template') return readPromptEvent(eventName, payload);
  return {
    kind: 'none',
    reason: `The event ${eventName} carries no comment. To instruct the agent from it, give the input prompt or prompt-file, and pull-request where the event is about none.`,
  };
}

function readIssueComment(eventName: string, payload: unknown): Trigger {
  const { action: name } = parse(action, payload, eventName);
  // An edit is no command: what others have read would not be what is done now.
  if (name !== 'created') return { kind: 'none', reason: `The comment was ${name}. Only a new comment is a command.` };
  const { is_pull: isPull, issue } = parse(place, payload, eventName);
  if (!isPull) return { kind: 'none', reason: `The comment is on issue ${issue.number}, which is not a pull request.` };
  const event = parse(issueComment, payload, eventName);
  const { comment } = event;
  return {
    kind: 'comment',
    place: 'conversation',
    id: comment.id,
    body: comment.body,
    url: comment.html_url,
    author: toAccount(comment.user),
    sender: toAccount(event.sender),
    isMember: undefined,
    createdAtMs: Date.parse(comment.created_at),
    spot: undefined,
    pull: { number: event.issue.number, title: event.issue.title, body: event.issue.body ?? '' },
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

function readPromptEvent(eventName: string, payload: unknown): Trigger {
  const { sender, pull_request: pull, issue, comment, ...event } = parse(anyEvent, payload, eventName);
  return {
    kind: 'prompt',
    pullNumber: pull?.number ?? (event.is_pull === true ? issue?.number : undefined),
    sender: sender ? toAccount(sender) : undefined,
    isFromWriter: WRITER_EVENTS.has(eventName),
    text: comment?.body ?? undefined,
    change: readChange(eventName, payload),
  };
}

function parse<T>(schema: z.ZodMiniType<T>, payload: unknown, eventName: string): T {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the whole payload'))];
  throw new CourierError({
    code: 'protocol',
    message: `The payload of the event ${eventName} is not as Gitea delivers it: ${fields.slice(0, 5).join(', ')} is missing or has another type. Nothing was sent.`,
    hint: 'Docs Courier was run against Gitea 1.26. Report the version of your server.',
  });
}
