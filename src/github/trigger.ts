import * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import { readTime } from '../text/instants.ts';
import { type PullChange, readChange, readSeen, type SeenPull } from './change.ts';
import type { Account, DiffSpot, PullSnapshot } from './pull-request.ts';
import { account, commentFields, instant, pullFields } from './replies.ts';

/** What happened, as far as agent mode needs it. */
export type Trigger =
  | CommentTrigger
  | PromptTrigger
  /** Nothing that could contain a command. */
  | { readonly kind: 'none'; readonly reason: string };

/**
 * A new comment. Everything in it is as it was when the comment was written: later edits are not in
 * it.
 */
export interface CommentTrigger {
  readonly kind: 'comment';
  /**
   * `conversation`: below the pull request. `diff`: on a line of it. `review`: the text of a
   * review.
   */
  readonly place: 'conversation' | 'diff' | 'review';
  readonly id: number;
  readonly body: string;
  readonly url: string;
  readonly author: Account;
  /**
   * Who caused the event: must be the author, or the comment was not written by who the event says.
   */
  readonly sender: Account;
  /** The author belongs to the repository: decides only whether a denial is visible. */
  readonly isMember: boolean;
  readonly createdAtMs: number;
  /** The line that a comment on the diff is about. */
  readonly spot: DiffSpot | undefined;
  readonly pull: PullSnapshot;
}

/** An event whose instruction is an input: `prompt`, or the template that `prompt-file` names. */
export interface PromptTrigger {
  readonly kind: 'prompt';
  readonly pullNumber: number | undefined;
  /** Who caused the event; undefined if the event does not say. */
  readonly sender: Account | undefined;
  /**
   * Only people and programs with write access can cause such an event (push, schedule, dispatch).
   */
  readonly isFromWriter: boolean;
  /** The text of the comment in the event, to recognise our own. */
  readonly text: string | undefined;
  /** What happened to the pull request, if an instruction by template depends on it. */
  readonly change: PullChange | undefined;
  /**
   * The pull request as the person saw who caused the event; undefined if the event does not show
   * it.
   */
  readonly seen: SeenPull | undefined;
}

/**
 * Where the instruction of a run comes from. `prompt`: from the input of that name, and comments
 * are not commands. `template`: comments are commands, and every other event instructs with the
 * template.
 */
export type InstructionSource = 'comment' | 'prompt' | 'template';

const MEMBERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

const commented = z.object({
  ...commentFields,
  user: account,
  author_association: z.string(),
  path: z.optional(z.string()),
  line: z.nullish(z.number()),
  diff_hunk: z.optional(z.string()),
});
const created = z.extend(commented, { created_at: instant });
const pull = z.object(pullFields);

interface CommentEvent extends Pick<CommentTrigger, 'place' | 'sender'> {
  readonly comment: z.infer<typeof commented>;
  readonly at: string;
  readonly on: z.infer<typeof pull>;
}

function toTrigger({ place, sender, comment, at, on }: CommentEvent): CommentTrigger {
  const { path, line, diff_hunk: hunk } = comment;
  return {
    kind: 'comment',
    place,
    id: comment.id,
    body: comment.body ?? '',
    url: comment.html_url,
    author: comment.user,
    sender,
    isMember: MEMBERS.has(comment.author_association),
    createdAtMs: readTime(at) ?? Number.NaN,
    spot:
      path === undefined || hunk === undefined
        ? undefined
        : { path, line: line ?? undefined, hunk },
    pull: { number: on.number, title: on.title, body: on.body ?? '' },
  };
}

/** What is read of a new comment, by the name of the event. */
const COMMENT_EVENTS: Readonly<Record<string, z.ZodMiniType<Trigger>>> = {
  issue_comment: z.pipe(
    z.object({
      sender: account,
      comment: created,
      issue: z.extend(pull, { pull_request: z.nullish(z.unknown()) }),
    }),
    z.transform(({ sender, comment, issue }): Trigger => {
      if (!issue.pull_request)
        return none(`The comment is on issue ${issue.number}, which is not a pull request.`);
      return toTrigger({
        place: 'conversation',
        sender,
        comment,
        at: comment.created_at,
        on: issue,
      });
    }),
  ),
  pull_request_review_comment: z.pipe(
    z.object({ sender: account, comment: created, pull_request: pull }),
    z.transform(({ sender, comment, pull_request: on }): Trigger => {
      return toTrigger({ place: 'diff', sender, comment, at: comment.created_at, on });
    }),
  ),
  pull_request_review: z.pipe(
    z.object({
      sender: account,
      review: z.extend(commented, { submitted_at: instant }),
      pull_request: pull,
    }),
    z.transform(({ sender, review, pull_request: on }): Trigger => {
      return toTrigger({ place: 'review', sender, comment: review, at: review.submitted_at, on });
    }),
  ),
};

// An edit is not a command: what others have read would not be what is done now.
const NEW: ReadonlySet<string> = new Set(['created', 'submitted']);
const WRITER_EVENTS: ReadonlySet<string> = new Set([
  'push',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
]);

const action = z.object({ action: z.string() });
const numbered = z.object({ number: z.number() });
const anyEvent = z.object({
  sender: z.nullish(account),
  pull_request: z.nullish(numbered),
  issue: z.nullish(z.extend(numbered, { pull_request: z.nullish(z.unknown()) })),
  comment: z.nullish(z.object({ body: z.nullish(z.string()) })),
});

/**
 * What the payload of an event says, as it was when the event happened; later edits are not in it.
 * A payload that is not understood is a `protocol` error: a run that ignored it would be green and
 * do nothing.
 */
export function readTrigger(name: string, payload: unknown, source: InstructionSource): Trigger {
  // With the `prompt` input the text of a comment is not a command.
  const schema = source === 'prompt' ? undefined : COMMENT_EVENTS[name];
  if (schema !== undefined) {
    const { action: done } = parseEvent(name, payload, action);
    if (NEW.has(done)) return parseEvent(name, payload, schema);
    return none(`The comment was ${done}. Only a new comment is a command.`);
  }
  if (source === 'comment') {
    return none(
      `The event ${name} has no comment. To instruct the agent from it, give the input prompt or prompt-file, and pull-request if the event is not about one.`,
    );
  }
  const { sender, pull_request: on, issue, comment } = parseEvent(name, payload, anyEvent);
  return {
    kind: 'prompt',
    pullNumber: on?.number ?? (issue?.pull_request ? issue.number : undefined),
    sender: sender ?? undefined,
    isFromWriter: WRITER_EVENTS.has(name),
    text: comment?.body ?? undefined,
    change: readChange(name, payload),
    seen: readSeen(payload),
  };
}

function parseEvent<T>(name: string, payload: unknown, schema: z.ZodMiniType<T>): T {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const fields = [
    ...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the whole payload')),
  ];
  throw new CourierError({
    code: 'protocol',
    message: `The payload of the event ${name} is not as GitHub delivers it: ${fields.slice(0, 5).join(', ')} is missing or has another type. Nothing was sent.`,
    hint: 'Docs Courier understands events of GitHub. Other servers send other payloads, even if their events have the same names.',
  });
}

function none(reason: string): Trigger {
  return { kind: 'none', reason };
}
