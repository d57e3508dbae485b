import type { PullRequest } from '../forges/port.ts';
import { refuse, type Session, type Stop } from './session.ts';
import { isOwnHead } from './trust.ts';

/** Whether the head of the pull request is what the person who commands has seen. */
export async function checkPinnedHead(session: Session, pull: PullRequest): Promise<Stop | undefined> {
  const { trigger, command, forge, inputs } = session;
  if (trigger.kind !== 'comment') return undefined;
  const pinned = command.kind === 'instruction' ? command.sha : undefined;
  if (pinned !== undefined) {
    return pinned === pull.head.sha.toLowerCase()
      ? undefined
      : refuse(
          `The head of the pull request is ${pull.head.sha}, and --sha names ${pinned}. Look at what came in, and write the command in a new comment.`,
        );
  }
  const pushedAtMs = await forge.headPushedAtMs(pull);
  // Times have whole seconds: a push in the same second may have come after the command.
  if (pushedAtMs !== undefined) return pushedAtMs < trigger.createdAtMs ? undefined : pushedSince();
  if (!inputs.allowOutsideText || isOwnHead(session, pull.head)) return undefined;
  return refuse(
    `The head comes from a fork, text of outsiders is sent (allow-outside-text), and ${session.deps.forge.name} does not say when the head was last pushed to. So the diff could be another one than the one that you have read. Look at it, and name its commit: ${inputs.command} --sha ${pull.head.sha} followed by the instruction.`,
  );
}

/** A Stop when the pull request was pushed to since it was read. */
export async function checkSameHead({ forge }: Session, pull: PullRequest): Promise<Stop | undefined> {
  const now = await forge.pullRequest(pull.number);
  return now.head.sha === pull.head.sha ? undefined : pushedSince();
}

export function pushedSince(): Stop {
  return refuse(
    'The pull request was pushed to after the command. Look at what came in, and write the command in a new comment.',
  );
}
