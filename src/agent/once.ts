import { createHash } from 'node:crypto';
import { CourierError, hasCode, hintText } from '../errors.ts';
import { phaseOf } from './record-state.ts';
import type { Recorded, RecordedComments } from './recorded-comments.ts';
import { refuse, type Session, type Stop, skip, tryTo } from './session.ts';
import { EMPTY_VIEW, renderStatusComment } from './status-view.ts';

/** Why a command is not sent: it was, or it may have been. */

/** What makes a command the same one in every delivery and every attempt. */
export function commandId({ trigger, deps, inputs, subject }: Session): string {
  if (trigger.kind === 'comment') return `${trigger.place}:${trigger.id}`;
  const { agentJobId = '', prompt, promptFile = '' } = inputs;
  const what = hashOf(`${agentJobId}\n${prompt ?? promptFile}`);
  // Push, closing and queue report the same merge, each in a run of its own.
  if (subject !== undefined) return `${subject}:${what}`;
  const { runId, job } = deps.run;
  return `run:${runId}:${job}:${what}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * The Stop for a command that has a claim. A claim whose run was killed says "sending" for ever; a later attempt of that run
 * knows that nobody goes on with it, and makes its comment final.
 */
export async function closeClaim(session: Session, comments: RecordedComments, claim: Recorded): Promise<Stop> {
  const { deps, inputs } = session;
  const { record, comment } = claim;
  const { runId, runAttempt, url } = deps.run;
  deps.record({ commentUrl: comment.url, ...(record.job !== undefined && { agentJobId: record.job }) });
  const isDead = record.state !== 'done' && record.run === runId && record.attempt < runAttempt;
  if (isDead && inputs.statusComment && !inputs.dryRun) {
    const job = record.job === undefined ? undefined : { id: record.job };
    const body = deps.log.redact(renderStatusComment({ ...EMPTY_VIEW, runUrl: url, job, phase: phaseOf(record) }));
    await tryTo(deps, 'Updating the status comment', () =>
      comments.update(comment, { ...record, state: 'done' }, body),
    );
  }
  return alreadyDone(claim);
}

/**
 * A later attempt without a valid record sends only where it is shown that no earlier one can have sent: the status comment
 * could have been deleted, so its absence shows nothing. `answeredUpTo`: the last attempt whose signed answer says so.
 * `needsReaction`: what was shown holds only if the token can react.
 */
export async function checkEarlierAttempts(
  { deps, trigger, forge, inputs }: Session,
  answeredUpTo: number,
): Promise<Stop | { readonly needsReaction: boolean }> {
  const { runAttempt } = deps.run;
  let needsReaction = false;
  if (answeredUpTo >= runAttempt - 1) return { needsReaction };
  const hasReacted = trigger.kind === 'comment' ? await forge.hasReacted(trigger, 'eyes') : undefined;
  if (hasReacted === true) return alreadyReacted();
  for (let attempt = answeredUpTo + 1; attempt < runAttempt; attempt += 1) {
    const outcome = await deps.run.outcomeOf(attempt, inputs.githubToken);
    // An attempt that failed without our reaction failed in its checks: the reaction comes before the message.
    const isShown = outcome === 'not-reached' || (outcome === 'failed' && hasReacted === false);
    if (!isShown) return mayHaveSent(attempt, outcome === 'unknown');
    if (outcome === 'failed') needsReaction = true;
  }
  return { needsReaction };
}

/**
 * Sets 👀 before the message. undefined: the token may not react, and `mayFail` says that another record is enough. Any other
 * failure ends the run before the message.
 */
export async function reactFirst(
  { trigger, forge, deps }: Session,
  mayFail: boolean,
): Promise<'new' | 'known' | 'none' | undefined> {
  if (trigger.kind !== 'comment') return 'none';
  try {
    return await forge.react(trigger, 'eyes');
  } catch (error) {
    if (!hasCode(error, 'forbidden')) throw error;
    if (!mayFail) {
      throw error.with({
        message: `Nothing was sent: nowhere can be recorded that the command was sent. ${error.message}`,
      });
    }
    deps.log.warning(
      `The command gets no reaction. ${error.message} ${error.hint === undefined ? '' : hintText(error.hint)}`,
    );
    return undefined;
  }
}

const COMMENT_AGAIN = 'Write the command again in a new comment; an instruction from the input prompt needs a new run.';

export function alreadyDone({ record, comment }: Recorded): Stop {
  const may = record.state === 'sending' ? 'may have been sent' : 'was sent';
  return skip(
    `The instruction ${may} by run ${record.run}, attempt ${record.attempt}; it is not sent again. See ${comment.url}`,
  );
}

export function jobIsMade({ comment }: Recorded): Stop {
  return refuse(
    `Another command on this pull request makes a new agent job; only one is made. Write the command again when that job is known: ${comment.url}`,
  );
}

export function invalidRecord(): Stop {
  return skip(
    `A status comment records this command with an invalid signature, so the instruction may have been sent. The admin key was changed since then, or the comment was edited. It is not sent again. ${COMMENT_AGAIN}`,
  );
}

export function alreadyReacted(): Stop {
  return skip(
    `The command already has our reaction 👀 and no valid record, so the instruction may have been sent; it is not sent again. ${COMMENT_AGAIN}`,
  );
}

function mayHaveSent(attempt: number, isUnknown: boolean): Stop {
  const why = isUnknown
    ? ' What that attempt did could not be read: in a private repository it needs the permission actions: read.'
    : '';
  return skip(
    `The instruction may have been sent by attempt ${attempt} of this run, whose record is missing; it is not sent again.${why} ${COMMENT_AGAIN}`,
  );
}

export function noStatusComment({ trigger }: Session): CourierError {
  const why =
    trigger.kind === 'comment'
      ? 'this kind of comment cannot have reactions'
      : 'a merge or a label has no other record';
  return new CourierError({
    code: 'config',
    message: `status-comment is false, and ${why}.`,
    hint: { text: 'Use the default:', inputs: { 'status-comment': 'true' } },
  });
}
