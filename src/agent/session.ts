import type { StepOutcome } from '../ci/port.ts';
import { CourierError } from '../errors.ts';
import type { CommentTrigger, Forge, ForgeHost, ForgeTokens, Trigger } from '../forges/port.ts';
import type { RunContext } from '../github/connection.ts';
import type { AgentInputs } from '../inputs/inputs.ts';
import type { AnswerInputs } from '../inputs/read-agent.ts';
import type { Log } from '../log.ts';
import type { Deps } from '../run/context.ts';
import type { Command } from './command.ts';
import type { AgentFacts } from './summary.ts';

/** The run, as agent mode needs to know it. */
export interface AgentRun extends Pick<RunContext, 'runId' | 'runAttempt' | 'job' | 'workflow'> {
  /** The page of the run's log; undefined on a person's machine. */
  readonly url: string | undefined;
  /** No signal reaches the program when the run is cancelled: it cannot report that. */
  readonly endsUnseen: boolean;
  /** Whether another run has ended; undefined: the server does not say. */
  readonly isOver: (runId: string, token: string) => Promise<boolean | undefined>;
  /** What this step did in an earlier attempt of the same run. */
  readonly outcomeOf: (attempt: number, token: string) => Promise<StepOutcome>;
}

/** What agent mode works with: the forge instead of GitHub. */
export interface AgentDeps extends Omit<Deps<AgentFacts>, 'github' | 'run'> {
  readonly forge: ForgeHost;
  readonly run: AgentRun;
}

/** What was said where and by whom, and what an answer needs: also in a run whose other inputs are wrong. */
export interface Conversation {
  readonly inputs: AnswerInputs;
  readonly deps: AnswerDeps;
  readonly forge: Forge;
  readonly trigger: Exclude<Trigger, { kind: 'none' }>;
  readonly pullNumber: number;
}

interface AnswerDeps {
  readonly forge: ForgeHost;
  readonly run: AgentRun;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** An instruction on its way. */
export interface Session extends Conversation {
  readonly inputs: AgentInputs;
  readonly deps: AgentDeps;
  readonly command: Exclude<Command, { kind: 'none' }>;
  /** What a template is about, such as a merge: it is instructed once, in whichever run. undefined: this run. */
  readonly subject?: string | undefined;
}

/** Ends the run without a message. The person who may command sees on the page why something is `refused`. */
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

export function tokensOf({ githubToken, rankToken }: AnswerInputs): ForgeTokens {
  return { main: githubToken, ranks: rankToken };
}

// After a cancellation the run's own client sends nothing any more; a last update may take four seconds.
const LAST_UPDATE_MS = 4000;

/** The forge, with a client that also works after the run was cancelled. */
export async function reachAnyway({ deps, inputs, forge }: Conversation, isCancelled = false): Promise<Forge> {
  if (!isCancelled && !deps.signal.aborted) return forge;
  return deps.forge.connect(tokensOf(inputs), AbortSignal.timeout(LAST_UPDATE_MS));
}

/** What makes a command in a comment the same one in every delivery and every attempt. */
export function commentCommand({ place, id }: CommentTrigger): string {
  return `${place}:${id}`;
}

/** Does what is good to have: a failure is a warning. Cancellation still ends the run. */
export async function tryTo<T>(
  { log }: Pick<AgentDeps, 'log'>,
  what: string,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    log.warning(`${what} failed: ${error.message}`);
    return undefined;
  }
}
