import { attemptUrl } from '../comment/pull-comments.ts';
import type { CommentNow } from '../github/pull-request.ts';
import type { Repository } from '../github/repository.ts';
import type { CommentTrigger, Trigger } from '../github/trigger.ts';
import { assertFailure } from '../ground/errors.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import type { AnswerInputs } from '../inputs/read-agent.ts';
import type { Context, Deps } from '../run/context.ts';
import type { Command } from './command.ts';
import type { AgentFacts } from './summary.ts';

export type AgentDeps = Deps<AgentFacts>;

type AnswerDeps = Pick<Context, 'github' | 'run' | 'log' | 'signal'>;

/**
 * An instruction, where and by whom it was given, and what an answer to it needs. It exists also in
 * a run whose other inputs are wrong.
 */
export interface Conversation {
  readonly inputs: AnswerInputs;
  readonly deps: AnswerDeps;
  readonly repo: Repository;
  readonly trigger: Exclude<Trigger, { kind: 'none' }>;
}

/** What reads and writes our comments of the repository needs, in a run without a command too. */
export interface Workplace {
  readonly inputs: AgentInputs;
  readonly deps: AgentDeps;
  readonly repo: Repository;
}

/** A command, from the event to the message: what every step needs to know of it. */
export interface Session extends Workplace {
  readonly trigger: Conversation['trigger'];
  readonly pullNumber: number;
  /** Until the page of the comment was read, this is what its source may be. */
  readonly command: Exclude<Command, { kind: 'none' }>;
  /** The comment as it is now; undefined until it was read, and if GitHub answers 404. */
  readonly comment?: CommentNow | undefined;
  /**
   * The merge or label that a template is sent about, once; known after the pull request was read.
   */
  readonly subject?: string | undefined;
}

/**
 * Ends the run without a message. `refused`: a person who may command sees on the page why.
 * `skipped`: there was nothing to do, and the page shows nothing.
 */
export class Stop extends Error {
  readonly status: 'refused' | 'skipped';
  /** The command to write instead. */
  readonly example: string | undefined;

  constructor(status: 'refused' | 'skipped', reason: string, example?: string) {
    super(reason);
    this.status = status;
    this.example = example;
  }
}

export function refuse(reason: string, example?: string): Stop {
  return new Stop('refused', reason, example);
}

export function skip(reason: string): Stop {
  return new Stop('skipped', reason);
}

/**
 * Connects to the repository. The module is loaded only here: a comment that is not a command does
 * not need it.
 */
export async function connectRepository(
  deps: AnswerDeps,
  token: string,
  signal?: AbortSignal,
): Promise<Repository> {
  const { openRepository } = await import('../github/repository.ts');
  return openRepository(deps, token, signal);
}

/** The page of the run's log; undefined on a person's machine. */
export function runUrlOf(deps: AnswerDeps): string | undefined {
  if (deps.run.kind === 'github') return attemptUrl(deps.github.run);
  return deps.run.url;
}

// After a cancellation the run's own client sends nothing any more. A last update has four seconds:
// the process is ended 4.5 s after the signal.
const LAST_UPDATE_MS = 4000;

/**
 * The repository, for a comment that says how the run ended: after a cancellation, with a separate
 * client that still sends.
 */
export async function repositoryEvenIfCancelled(conversation: Conversation): Promise<Repository> {
  if (!conversation.deps.signal.aborted) return conversation.repo;
  const token = conversation.inputs.githubToken;
  return connectRepository(conversation.deps, token, AbortSignal.timeout(LAST_UPDATE_MS));
}

/**
 * The id of a command in a comment, which is the same in every delivery of the event and every
 * attempt.
 */
export function commentCommand(trigger: CommentTrigger): string {
  return `${trigger.place}:${trigger.id}`;
}

/**
 * Does something that the run can do without: a failure becomes a warning, and gives undefined. A
 * cancellation and a bug (any error but a CourierError) still end the run.
 */
export async function tryTo<T>(
  deps: AnswerDeps,
  purpose: string,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    assertFailure(error);
    deps.log.warning(`${purpose} failed: ${error.message}`);
    return undefined;
  }
}
