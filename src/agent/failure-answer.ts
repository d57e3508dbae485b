import { answerMark } from '../comment/signed-line.ts';
import { CourierError, hasCode, hintText } from '../errors.ts';
import type { Comment, CommentTrigger, OwnAuthor } from '../forges/port.ts';
import { isOwn } from '../forges/shared.ts';
import { type Conversation, reachAnyway, tryTo } from './session.ts';
import { renderStatusComment, type StatusPhase } from './status-view.ts';

/** Answers to commands that a run could not carry out, and that no record is about: nothing was claimed. */

/** How a comment shows that the run failed. `sent`: after the message was accepted. */
export function failurePhase(error: unknown, sent: boolean): StatusPhase {
  if (hasCode(error, 'cancelled')) return { kind: 'cancelled', sent };
  const known = error instanceof CourierError ? error : undefined;
  const reason = known?.message ?? 'The run failed with an internal error; see its log.';
  return { kind: 'error', reason, hint: known?.hint && hintText(known.hint), sent };
}

/** What makes a command the same one in every delivery and every attempt. */
export function commentCommand({ place, id }: CommentTrigger): string {
  return `${place}:${id}`;
}

/** Our answers to a command that have no record, oldest first. */
export function answersTo(command: string, listed: readonly Comment[], author: OwnAuthor): Comment[] {
  return listed.filter((comment) => isOwn(comment, author) && comment.body.startsWith(answerMark(command)));
}

/**
 * Tells the author of a command, who may command, that it was not carried out: 😕 and one comment, which a later attempt replaces.
 * It has no record, so it needs no admin key. That is also right where there is a key: what was signed with one that was replaced
 * since would keep the command from being sent. Gives the address of the comment. Never throws a CourierError.
 */
export async function answerFailure(conversation: Conversation, phase: StatusPhase): Promise<string | undefined> {
  const { trigger, inputs, deps } = conversation;
  if (trigger.kind !== 'comment' || inputs.dryRun) return undefined;
  try {
    const forge = await reachAnyway(conversation);
    await tryTo(deps, 'Reacting to the comment', () => forge.react(trigger, 'confused'));
    if (!inputs.statusComment) return undefined;
    return await tryTo(deps, 'Answering the command', async () => {
      const { number } = trigger.pull;
      const command = commentCommand(trigger);
      const [known] = answersTo(command, await forge.comments(number), await forge.whoWeAre());
      const text = deps.log.redact(renderStatusComment({ phase, runUrl: deps.run.url }));
      const body = `${answerMark(command)}\n${text}`;
      if (known === undefined) return (await forge.createComment(number, body)).url;
      await forge.updateComment(known.id, body);
      return known.url;
    });
  } catch (error) {
    // Cancelled on the way: why the command was not carried out is the better explanation.
    if (!(error instanceof CourierError)) throw error;
    return undefined;
  }
}
