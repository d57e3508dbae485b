import * as z from 'zod/mini';

/** What happened, as far as the agent mode needs it: read from the event payload, which is taken as it was at that moment. */
export type Trigger =
  | CommentTrigger
  /** The instruction is the `prompt` input. `sender`: who made the event happen, where the payload says so. */
  | { readonly kind: 'prompt'; readonly pullNumber: number | undefined; readonly sender: Account | undefined }
  | { readonly kind: 'none'; readonly reason: string };

export interface CommentTrigger {
  readonly kind: 'comment';
  /** `conversation`: below the pull request. `diff`: on a line of it. `review`: the text of a review, which takes no reaction. */
  readonly place: 'conversation' | 'diff' | 'review';
  readonly id: number;
  readonly body: string;
  readonly url: string;
  readonly author: Account;
  readonly sender: Account;
  /** `OWNER`, `MEMBER`, `COLLABORATOR`, …: decides only whether a denial is visible, never who may command. */
  readonly association: string;
  readonly createdAtMs: number;
  /** The line that a comment on the diff stands on; `line` is undefined for a comment on a whole file. */
  readonly spot: { readonly path: string; readonly line: number | undefined; readonly hunk: string } | undefined;
  readonly pull: PullSnapshot;
}

/** The pull request as the payload shows it: later edits of title and description are not in it. */
export interface PullSnapshot {
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

export interface Account {
  readonly login: string;
  readonly id: number;
  readonly type: string;
}

const account = z.object({ login: z.string(), id: z.number(), type: z.string() });
const instant = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));
const snapshot = z.object({ number: z.number(), title: z.string(), body: z.nullish(z.string()) });

const comment = z.object({
  id: z.number(),
  body: z.nullish(z.string()),
  html_url: z.string(),
  user: z.nullish(account),
  author_association: z.string(),
  created_at: z.optional(instant),
  submitted_at: z.nullish(instant),
  path: z.optional(z.string()),
  line: z.nullish(z.number()),
  diff_hunk: z.optional(z.string()),
});
type Comment = z.infer<typeof comment>;

const common = { action: z.string(), sender: account };
const issueComment = z.object({
  ...common,
  comment,
  issue: z.extend(snapshot, { pull_request: z.optional(z.unknown()) }),
});
const reviewComment = z.object({ ...common, comment, pull_request: snapshot });
const review = z.object({ ...common, review: comment, pull_request: snapshot });
const anyEvent = z.object({
  sender: z.optional(account),
  pull_request: z.optional(z.object({ number: z.number() })),
  issue: z.optional(z.object({ number: z.number(), pull_request: z.optional(z.unknown()) })),
});

/** Events that only people and programs with write access to the repository can cause. */
export const EXEMPT_EVENTS: ReadonlySet<string> = new Set([
  'push',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
]);

export interface EventInit {
  readonly eventName: string;
  readonly payload: unknown;
  /** The `prompt` input is given: the text of a comment is not a command then. */
  readonly hasPrompt: boolean;
}

export function readTrigger({ eventName, payload, hasPrompt }: EventInit): Trigger {
  if (hasPrompt) return readPromptEvent(payload);
  switch (eventName) {
    case 'issue_comment':
      return readIssueComment(payload);
    case 'pull_request_review_comment': {
      const event = reviewComment.safeParse(payload);
      if (!event.success) return unreadable(eventName);
      return readComment({ ...event.data, place: 'diff', wanted: 'created', pull: event.data.pull_request });
    }
    case 'pull_request_review': {
      const event = review.safeParse(payload);
      if (!event.success) return unreadable(eventName);
      const { data } = event;
      return readComment({
        ...data,
        comment: data.review,
        place: 'review',
        wanted: 'submitted',
        pull: data.pull_request,
      });
    }
    default:
      return {
        kind: 'none',
        reason: `The event ${eventName} carries no comment; give prompt and pull-request to instruct the agent from it.`,
      };
  }
}

function readIssueComment(payload: unknown): Trigger {
  const event = issueComment.safeParse(payload);
  if (!event.success) return unreadable('issue_comment');
  const { issue } = event.data;
  if (issue.pull_request === undefined || issue.pull_request === null) {
    return { kind: 'none', reason: `The comment is on issue ${issue.number}, which is not a pull request.` };
  }
  return readComment({ ...event.data, place: 'conversation', wanted: 'created', pull: issue });
}

interface CommentEvent {
  readonly action: string;
  readonly sender: Account;
  readonly comment: Comment;
  readonly place: CommentTrigger['place'];
  readonly wanted: string;
  readonly pull: z.infer<typeof snapshot>;
}

function readComment({ action, sender, comment, place, wanted, pull }: CommentEvent): Trigger {
  // An edit is no command: what was read by others before would not be what is done now.
  if (action !== wanted) return { kind: 'none', reason: `The comment was ${action}; only a new comment is a command.` };
  const at = comment.created_at ?? comment.submitted_at;
  if (!comment.user || at === undefined || at === null) return unreadable(`comment ${comment.id}`);
  return {
    kind: 'comment',
    place,
    id: comment.id,
    body: comment.body ?? '',
    url: comment.html_url,
    author: comment.user,
    sender,
    association: comment.author_association,
    createdAtMs: Date.parse(at),
    spot: spotOf(comment),
    pull: { number: pull.number, title: pull.title, body: pull.body ?? '' },
  };
}

function spotOf({ path, line, diff_hunk: hunk }: Comment): CommentTrigger['spot'] {
  return path === undefined || hunk === undefined ? undefined : { path, line: line ?? undefined, hunk };
}

function readPromptEvent(payload: unknown): Trigger {
  const event = anyEvent.safeParse(payload);
  if (!event.success) return { kind: 'prompt', pullNumber: undefined, sender: undefined };
  const { sender, pull_request: pull, issue } = event.data;
  const number = pull?.number ?? (issue?.pull_request ? issue.number : undefined);
  return { kind: 'prompt', pullNumber: number, sender };
}

function unreadable(what: string): Trigger {
  return { kind: 'none', reason: `The payload of ${what} does not have the shape that GitHub documents.` };
}

const ownText = z.object({ comment: z.object({ body: z.nullish(z.string()) }) });

/** The text of the comment in the payload of any event, for recognising our own. */
export function commentText(payload: unknown): string {
  const event = ownText.safeParse(payload);
  return event.success ? (event.data.comment.body ?? '') : '';
}
