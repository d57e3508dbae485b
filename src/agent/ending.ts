import type { Comment, PullRequest } from '../github/pull-request.ts';
import { Claim } from './claim.ts';
import { answerFailure, failurePhase } from './failure-answer.ts';
import { type Session, Stop } from './session.ts';
import type { StatusPhase } from './status-view.ts';
import { seesDenial, seesFailure } from './trust.ts';

/** No run has sent the command. */
export interface Unsent {
  readonly session: Session;
  readonly claim: Claim;
  readonly pull: PullRequest;
  readonly comments: readonly Comment[];
  /** Login of the person who gave the command. */
  readonly asker: string | undefined;
}

/**
 * Answers if it is not known that the person may command. A person who may not, or whose permission
 * cannot be read, gets an answer only as a member of the repository.
 */
export async function answerUnchecked(session: Session, error: unknown): Promise<void> {
  // By its source, the comment only mentions the command.
  if (session.command.kind === 'near') return;
  if (error instanceof Stop) return deny(session, error.message);
  if (await seesFailure(session)) await answerError(session, error);
}

/**
 * Shows a member who may not command the reason, unless an earlier run has answered the command.
 */
async function deny(session: Session, reason: string): Promise<void> {
  // Strangers are not answered: they could make the action write as often as they like.
  if (!seesDenial(session)) return;
  const claim = await Claim.open(session, await session.repo.comments(session.pullNumber));
  if ((await claim.reasonNotToSend()) !== undefined) return;
  await claim.status.react('-1');
  await claim.status.show({ kind: 'refused', reason });
}

/** The person who may command sees on the page why the command was refused or failed. */
export async function answerUnsent(unsent: Unsent, error: unknown): Promise<void> {
  const session = unsent.session;
  if (!(error instanceof Stop)) return answerError(session, error);
  // Without a comment there is nothing to answer; the log has the reason.
  if (session.trigger.kind !== 'comment') return;
  try {
    await unsent.claim.status.showRefusal(error);
  } catch (fault) {
    // Cancelled while the refusal was written: the page shows that, and the run ends with it.
    await answerError(session, fault);
    throw fault;
  }
}

/** The person who may command sees on the page that the run failed, whatever it was. */
export async function answerError(session: Session, error: unknown): Promise<void> {
  if (!(error instanceof Stop)) await showFailure(session, failurePhase(error));
}

export async function showFailure(session: Session, phase: StatusPhase): Promise<void> {
  const commentUrl = await answerFailure(session, phase);
  if (commentUrl !== undefined) session.deps.record({ commentUrl });
}
