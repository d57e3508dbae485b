import { Claim } from './claim.ts';
import type { MessageDelivery } from './deliver.ts';
import { answerFailure, failurePhase } from './failure-answer.ts';
import { type Session, Stop } from './session.ts';
import type { StatusComment } from './status-comment.ts';
import type { StatusPhase } from './status-view.ts';
import { seesDenial, seesFailure } from './trust.ts';

/**
 * How far a command has come. What the page shows of a run that ends early depends on this, and on
 * nothing else.
 */
export type Progress =
  /** Not a command, or answered already: nothing is shown. */
  | { readonly kind: 'unanswered' }
  /** Who gave the command is not checked. */
  | { readonly kind: 'unchecked'; readonly session: Session }
  /** A person who may command has given it. */
  | { readonly kind: 'accepted'; readonly session: Session }
  /** An earlier run has sent it, or may have. */
  | { readonly kind: 'sent-before'; readonly session: Session; readonly reason: string }
  /** No run has sent it. */
  | { readonly kind: 'unsent'; readonly session: Session; readonly status: StatusComment }
  /** This run sends it. */
  | { readonly kind: 'delivering'; readonly delivery: MessageDelivery };

/** Shows on the page why the run ended before its work was done, to the people who may see that. */
export async function answerEnd(progress: Progress, error: unknown): Promise<void> {
  switch (progress.kind) {
    case 'unanswered':
      return;
    case 'unchecked':
      return answerUnchecked(progress.session, error);
    case 'accepted':
      return answerError(progress.session, error);
    case 'sent-before':
      return showFailure(progress.session, { kind: 'withheld', reason: progress.reason });
    case 'unsent':
      return answerUnsent(progress.session, progress.status, error);
    case 'delivering':
      return progress.delivery.showFailure(error);
  }
}

/**
 * A person who may not command, or of whom that cannot be found out, gets an answer only as a
 * member of the repository.
 */
async function answerUnchecked(session: Session, error: unknown): Promise<void> {
  if (error instanceof Stop) return deny(session, error);
  if (await seesFailure(session)) await answerError(session, error);
}

async function deny(session: Session, { message }: Stop): Promise<void> {
  if (!seesDenial(session)) return;
  const claim = await Claim.open(session, await session.repo.comments(session.pullNumber));
  if ((await claim.earlier()) !== undefined) return;
  await claim.status.react('-1');
  await claim.status.show({ kind: 'refused', reason: message });
}

/** The person who may command sees on the page what is refused. */
async function answerUnsent(
  session: Session,
  status: StatusComment,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Stop)) return answerError(session, error);
  if (session.trigger.kind !== 'comment') return;
  try {
    await status.showRefusal(error);
  } catch (fault) {
    // Cancelled on the way.
    await answerError(session, fault);
    throw fault;
  }
}

/** The person who may command sees on the page that the run failed, whatever it was. */
async function answerError(session: Session, error: unknown): Promise<void> {
  if (!(error instanceof Stop)) await showFailure(session, failurePhase(error, false));
}

async function showFailure(session: Session, phase: StatusPhase): Promise<void> {
  const commentUrl = await answerFailure(session, phase);
  if (commentUrl !== undefined) session.deps.record({ commentUrl });
}
