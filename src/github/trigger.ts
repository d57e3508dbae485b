import * as z from 'zod/mini';
import { protocolError } from '../ground/errors.ts';
import { type PullChange, readChange, readSeen, type SeenPull } from './change.ts';
import { type OutsideText, readOutsideTexts } from './outside-texts.ts';
import type { Account, DiffSpot, PullSnapshot } from './pull-request.ts';
import { account, commentFields, instant, pullFields, spotFields, toSpot } from './replies.ts';

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
   * Who caused the event: the caller checks that this is the author, the person who wrote the
   * comment.
   */
  readonly sender: Account;
  /** The author belongs to the repository. Decides only whether a refused command is answered. */
  readonly isMember: boolean;
  readonly createdAtMs: number;
  /** The lines that a comment on the diff is about. */
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
   * The pull request as the person who caused the event saw it; undefined if the event does not
   * contain it.
   */
  readonly seen: SeenPull | undefined;
  /** The texts of people in the event, which the input `prompt` may contain. */
  readonly outside: readonly OutsideText[];
}

/**
 * Where the instruction of a run comes from. `comment`: from a comment only. `prompt`: from the
 * input of that name, and comments are not commands. `template`: from a comment or, on every other
 * event, from the template.
 */
export type InstructionSource = 'comment' | 'prompt' | 'template';

const MEMBERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

const commented = z.object({
  ...commentFields,
  // `null` if the account was deleted.
  user: z.nullable(account),
  author_association: z.string(),
});
const created = z.extend(commented, { created_at: instant });
const pull = z.object(pullFields);

/** The trigger in our names. `shownPull`: the pull request as the event shows it. */
function toTrigger(
  place: CommentTrigger['place'],
  sender: Account,
  comment: z.infer<typeof commented>,
  createdAtMs: number,
  shownPull: z.infer<typeof pull>,
  spot?: DiffSpot,
): Trigger {
  if (comment.user === null) return none('The account that wrote the comment was deleted.');
  return {
    kind: 'comment',
    place,
    id: comment.id,
    body: comment.body,
    url: comment.html_url,
    author: comment.user,
    sender,
    isMember: MEMBERS.has(comment.author_association),
    createdAtMs,
    spot,
    pull: shownPull,
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
    z.transform((event): Trigger => {
      const { sender, comment, issue } = event;
      // GitHub calls a pull request an issue too, and marks it by this field.
      if (!issue.pull_request)
        return none(`The comment is on issue ${issue.number}, which is not a pull request.`);
      return toTrigger('conversation', sender, comment, comment.created_at, issue);
    }),
  ),
  pull_request_review_comment: z.pipe(
    z.object({
      sender: account,
      comment: z.extend(created, spotFields),
      pull_request: pull,
    }),
    z.transform((event): Trigger => {
      const { sender, comment, pull_request: onPull } = event;
      return toTrigger('diff', sender, comment, comment.created_at, onPull, toSpot(comment));
    }),
  ),
  pull_request_review: z.pipe(
    z.object({
      sender: account,
      review: z.extend(commented, { submitted_at: instant }),
      pull_request: pull,
    }),
    z.transform((event): Trigger => {
      const { sender, review } = event;
      return toTrigger('review', sender, review, review.submitted_at, event.pull_request);
    }),
  ),
};

// An edit is not a command: the agent would do something else than what others have read.
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
 * What the payload of an event says, without later edits. Throws `protocol` for a payload that is
 * not understood: a run that ignored it would be green and do nothing.
 */
export function readTrigger(name: string, payload: unknown, source: InstructionSource): Trigger {
  // With the input `prompt`, a comment is only the event: its text is not a command.
  const schema = source === 'prompt' ? undefined : COMMENT_EVENTS[name];
  if (schema !== undefined) {
    const whatHappened = parseEvent(name, payload, action).action;
    if (NEW.has(whatHappened)) return parseEvent(name, payload, schema);
    return none(`The comment was ${whatHappened}. Only a new comment is a command.`);
  }
  if (source === 'comment') {
    return none(
      `The event ${name} has no comment. To instruct the agent from it, give the input prompt or prompt-file, and pull-request if the event is not about one.`,
    );
  }
  // The instruction is in an input; the event only says which pull request is meant, if any.
  const event = parseEvent(name, payload, anyEvent);
  // A pull request is an issue with this field.
  const issue = event.issue?.pull_request ? event.issue : undefined;
  return {
    kind: 'prompt',
    pullNumber: event.pull_request?.number ?? issue?.number,
    sender: event.sender ?? undefined,
    isFromWriter: WRITER_EVENTS.has(name),
    text: event.comment?.body ?? undefined,
    change: readChange(name, payload),
    seen: readSeen(payload),
    outside: readOutsideTexts(payload),
  };
}

/** The payload as the schema describes it. Throws `protocol`, naming the fields that are wrong. */
function parseEvent<T>(name: string, payload: unknown, schema: z.ZodMiniType<T>): T {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const fields = new Set<string>();
  for (const issue of result.error.issues) fields.add(issue.path.join('.') || 'the whole payload');
  const firstFields = [...fields].slice(0, 5).join(', ');
  throw protocolError(
    `The payload of the event ${name} is not as GitHub delivers it: ${firstFields} is missing or has another type. Nothing was sent.`,
    'Docs Courier understands events of GitHub. Other servers send other payloads, even if their events have the same names.',
  );
}

function none(reason: string): Trigger {
  return { kind: 'none', reason };
}
