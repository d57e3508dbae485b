import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import { readChange } from '../change.ts';
import type { CommentTrigger, InstructionSource, Trigger } from '../port.ts';
import { account, toAccount } from './replies.ts';

const instant = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));
const snapshot = z.object({ number: z.number(), title: z.string(), body: z.nullish(z.string()) });

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
const submitted = z.extend(comment, { submitted_at: instant });

const common = { sender: account };
const issue = z.extend(snapshot, { pull_request: z.nullish(z.unknown()) });
const issueComment = z.object({ ...common, comment: written, issue });
const reviewComment = z.object({ ...common, comment: written, pull_request: snapshot });
const review = z.object({ ...common, review: submitted, pull_request: snapshot });
const action = z.object({ action: z.string() });
const onIssue = z.object({ issue: z.object({ number: z.number(), pull_request: z.nullish(z.unknown()) }) });
const anyEvent = z.object({
  sender: z.nullish(account),
  pull_request: z.nullish(z.object({ number: z.number() })),
  issue: z.nullish(z.object({ number: z.number(), pull_request: z.nullish(z.unknown()) })),
  comment: z.nullish(z.object({ body: z.nullish(z.string()) })),
});

/** Events that only people and programs with write access to the repository can cause. */
const WRITER_EVENTS: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch']);

/** Reads the payload of an event as it was when the event happened; later edits are not in it. */
export function readTrigger(eventName: string, payload: unknown, source: InstructionSource): Trigger {
  // With the `prompt` input the text of a comment is not a command.
  if (source === 'prompt') return readPromptEvent(eventName, payload);
  switch (eventName) {
    case 'issue_comment':
      return readIssueComment(payload);
    case 'pull_request_review_comment':
      return ignoreAction(eventName, payload, 'created') ?? readReviewComment(parse(reviewComment, payload, eventName));
    case 'pull_request_review':
      return ignoreAction(eventName, payload, 'submitted') ?? readReview(parse(review, payload, eventName));
    default:
      if (source === 'template') return readPromptEvent(eventName, payload);
      return {
        kind: 'none',
        reason: `The event ${eventName} carries no comment. To instruct the agent from it, give the input prompt or prompt-file, and pull-request where the event is about none.`,
      };
  }
}

function readIssueComment(payload: unknown): Trigger {
  const ignored = ignoreAction('issue_comment', payload, 'created');
  if (ignored !== undefined) return ignored;
  const { issue: place } = parse(onIssue, payload, 'issue_comment');
  if (place.pull_request === undefined || place.pull_request === null)
    return { kind: 'none', reason: `The comment is on issue ${place.number}, which is not a pull request.` };
  const event = parse(issueComment, payload, 'issue_comment');
  return toTrigger(event, event.comment, 'conversation', event.issue, event.comment.created_at);
}

function readReviewComment(event: z.infer<typeof reviewComment>): CommentTrigger {
  return toTrigger(event, event.comment, 'diff', event.pull_request, event.comment.created_at);
}

function readReview(event: z.infer<typeof review>): CommentTrigger {
  return toTrigger(event, event.review, 'review', event.pull_request, event.review.submitted_at);
}

/** An edit is no command: what others have read would not be what is done now. */
function ignoreAction(eventName: string, payload: unknown, wanted: string): Trigger | undefined {
  const { action: name } = parse(action, payload, eventName);
  if (name === wanted) return undefined;
  return { kind: 'none', reason: `The comment was ${name}. Only a new comment is a command.` };
}

const MEMBERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

function toTrigger(
  { sender }: { sender: z.infer<typeof account> },
  raw: z.infer<typeof comment>,
  place: CommentTrigger['place'],
  pull: z.infer<typeof snapshot>,
  at: string,
): CommentTrigger {
  const { path, line, diff_hunk: hunk } = raw;
  return {
    kind: 'comment',
    place,
    id: raw.id,
    body: raw.body ?? '',
    url: raw.html_url,
    author: toAccount(raw.user),
    sender: toAccount(sender),
    isMember: MEMBERS.has(raw.author_association),
    createdAtMs: Date.parse(at),
    spot: path === undefined || hunk === undefined ? undefined : { path, line: line ?? undefined, hunk },
    pull: { number: pull.number, title: pull.title, body: pull.body ?? '' },
  };
}

function readPromptEvent(eventName: string, payload: unknown): Trigger {
  const { sender, pull_request: pull, issue: place, comment: text } = parse(anyEvent, payload, eventName);
  return {
    kind: 'prompt',
    pullNumber: pull?.number ?? (place?.pull_request ? place.number : undefined),
    sender: sender ? toAccount(sender) : undefined,
    isFromWriter: WRITER_EVENTS.has(eventName),
    text: text?.body ?? undefined,
    change: readChange(eventName, payload),
  };
}

function parse<T>(schema: z.ZodMiniType<T>, payload: unknown, eventName: string): T {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the whole payload'))];
  throw new CourierError({
    code: 'protocol',
    message: `The payload of the event ${eventName} is not as GitHub documents it: ${fields.slice(0, 5).join(', ')} is missing or has another type.`,
    hint: 'Docs Courier understands events of GitHub. Other forges send other payloads, even where their events have the same names.',
  });
}
