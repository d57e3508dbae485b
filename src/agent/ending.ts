import type { Comment, PullRequest } from '../github/pull-request.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import { Claim } from './claim.ts';
import type { MessageDelivery } from './deliver.ts';
import { answerFailure, failurePhase } from './failure-answer.ts';
import { type AgentDeps, type Session, Stop } from './session.ts';
import type { StatusComment } from './status-comment.ts';
import type { StatusPhase } from './status-view.ts';
import type { AgentFacts } from './summary.ts';
import { seesDenial, seesFailure } from './trust.ts';

/**
 * How far a command has come, with what the next step needs. What the page shows of a run that ends
 * early depends on this, and on nothing else.
 */
export type Progress =
  /** Not known to be a command: nothing is shown. */
  | { readonly kind: 'started'; readonly inputs: AgentInputs; readonly deps: AgentDeps }
  /** Whether the author may command is not checked yet. */
  | { readonly kind: 'unchecked'; readonly session: Session }
  /** A person who may command has given it. */
  | { readonly kind: 'accepted'; readonly session: Session; readonly asker: string | undefined }
  | { readonly kind: 'help'; readonly session: Session; readonly status: StatusComment }
  /** An earlier run has sent it, or may have. */
  | { readonly kind: 'sent-before'; readonly session: Session; readonly stop: Stop }
  | Unsent
  /** This run sends it. */
  | { readonly kind: 'delivering'; readonly delivery: MessageDelivery }
  | { readonly kind: 'done'; readonly facts: AgentFacts };

/** No run has sent the command. */
export interface Unsent {
  readonly kind: 'unsent';
  readonly session: Session;
  readonly claim: Claim;
  readonly pull: PullRequest;
  readonly comments: readonly Comment[];
  /** Login of the person who gave the command. */
  readonly asker: string | undefined;
}

/**
 * Shows on the page why the run ended before its work was done, to the people who may see that. Not
 * async: a progress that is forgotten here does not compile.
 */
export function answerEnd(progress: Progress, error: unknown): Promise<void> {
  switch (progress.kind) {
    // No command is known yet, the usage is an answer itself, or nothing is left to be done.
    case 'started':
    case 'help':
    case 'done':
      return Promise.resolve();
    case 'unchecked':
      return answerUnchecked(progress.session, error);
    case 'accepted':
      return answerError(progress.session, error);
    // Writes only if no comment of the earlier run shows what became of the command.
    case 'sent-before':
      return showFailure(progress.session, { kind: 'withheld', reason: progress.stop.message });
    case 'unsent':
      return answerUnsent(progress, error);
    case 'delivering':
      return progress.delivery.showFailure(error);
  }
}

/**
 * Answers if it is not known that the person may command. A person who may not, or whose permission
 * cannot be read, gets an answer only as a member of the repository.
 */
async function answerUnchecked(session: Session, error: unknown) {
  // By its source, the comment only mentions the command.
  if (session.command.kind === 'near') return;
  if (error instanceof Stop) return deny(session, error.message);
  if (await seesFailure(session)) await answerError(session, error);
}

/**
 * Shows a member who may not command the reason, unless an earlier run has answered the command.
 */
async function deny(session: Session, reason: string) {
  // Strangers are not answered: they could make the action write as often as they like.
  if (!seesDenial(session)) return;
  const claim = await Claim.open(session, await session.repo.comments(session.pullNumber));
  if ((await claim.reasonNotToSend()) !== undefined) return;
  await claim.status.react('-1');
  await claim.status.show({ kind: 'refused', reason });
}

/** The person who may command sees on the page why the command was refused or failed. */
async function answerUnsent(unsent: Unsent, error: unknown) {
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
async function answerError(session: Session, error: unknown) {
  if (!(error instanceof Stop)) await showFailure(session, failurePhase(error, { sent: false }));
}

async function showFailure(session: Session, phase: StatusPhase) {
  const commentUrl = await answerFailure(session, phase);
  if (commentUrl !== undefined) session.deps.record({ commentUrl });
}
