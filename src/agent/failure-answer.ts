import { answerMark } from '../comment/signed-line.ts';
import { type Comment, isOwn } from '../github/pull-request.ts';
import type { Repository } from '../github/repository.ts';
import type { CommentTrigger } from '../github/trigger.ts';
import { CourierError, hasCode, hintText } from '../ground/errors.ts';
import { isShownBy } from './record.ts';
import {
  type Conversation,
  commentCommand,
  repositoryEvenIfCancelled,
  runUrlOf,
  tryTo,
} from './session.ts';
import { renderStatusComment, type StatusPhase } from './status-view.ts';

/**
 * Answers to commands that a run could not carry out, and that no record is about: nothing was
 * claimed.
 */

/** How a comment shows that the run failed. `sent`: after the message was accepted. */
export function failurePhase(error: unknown, sent = false): StatusPhase {
  if (hasCode(error, 'cancelled')) return { kind: 'cancelled', sent };
  if (!(error instanceof CourierError)) {
    const reason = 'The run failed with an internal error; see its log.';
    return { kind: 'error', reason, hint: undefined, sent };
  }
  // A colon announces lines to copy into the workflow, which only the log has.
  const hint = error.hint && hintText(error.hint).replace(/:$/, '.');
  return { kind: 'error', reason: error.message, hint, sent };
}

/**
 * Shows a person who may command that the command was not carried out: 😕 and one comment, which a
 * later attempt replaces. Gives the address of the comment; undefined if there is none. Never
 * throws a CourierError.
 */
export async function answerFailure(
  conversation: Conversation,
  phase: StatusPhase,
): Promise<string | undefined> {
  const { trigger, inputs, deps } = conversation;
  // Without a comment, no person waits for an answer on the page.
  if (trigger.kind !== 'comment' || inputs.dryRun) return undefined;
  const command = commentCommand(trigger);
  try {
    const repo = await repositoryEvenIfCancelled(conversation);
    const ours = await tryTo(deps, 'Reading our comments', () =>
      ownComments(repo, trigger.pull.number),
    );
    // Another run has claimed the command: its comment is the answer.
    if (ours?.some((comment) => isShownBy(comment, command))) return undefined;
    await tryTo(deps, 'Reacting to the comment', () => repo.react(trigger, 'confused'));
    // If our comments could not be read, one more could be the second answer. Without comments, the
    // reaction is the answer.
    if (ours === undefined || !inputs.statusComment) return undefined;
    return await tryTo(deps, 'Answering the command', async () => {
      const text = deps.log.redact(renderStatusComment({ phase, runUrl: runUrlOf(deps) }));
      // No signed record: after a change of the admin key, it would keep the command from being
      // sent.
      const body = `${answerMark(command)}\n${text}`;
      const earlierAnswer = ours.find((comment) => isAnswer(comment, command));
      if (earlierAnswer === undefined) return createAnswer(repo, trigger, body);
      await repo.updateComment(earlierAnswer.id, body);
      return earlierAnswer.url;
    });
  } catch (error) {
    // Cancelled while the answer was written: why the command was not carried out is the better
    // explanation.
    if (!(error instanceof CourierError)) throw error;
    return undefined;
  }
}

/**
 * Creates the comment with the answer. If another run has claimed or answered the command since our
 * comments were read, the new comment is removed again. A run that claims the command later removes
 * it itself.
 */
async function createAnswer(
  repo: Repository,
  trigger: CommentTrigger,
  body: string,
): Promise<string | undefined> {
  const command = commentCommand(trigger);
  const { id, url } = await repo.createComment(trigger.pull.number, body);
  const ours = await ownComments(repo, trigger.pull.number);
  // Of two such answers the older one stays: both runs decide by that, so that exactly one stays.
  const isAnswered = ours.some((comment) => {
    const isOlder = comment.id < id;
    return isShownBy(comment, command) || (isOlder && isAnswer(comment, command));
  });
  if (!isAnswered) return url;
  await repo.removeComment(id);
  return undefined;
}

function isAnswer({ body }: Comment, command: string): boolean {
  return body.startsWith(answerMark(command));
}

async function ownComments(repo: Repository, pullNumber: number): Promise<Comment[]> {
  const author = await repo.whoWeAre();
  return (await repo.comments(pullNumber)).filter((comment) => isOwn(comment, author));
}
