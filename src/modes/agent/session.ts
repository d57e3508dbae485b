import { CourierError } from '../../errors.ts';
import type { Trigger } from '../../forge/github/event.ts';
import type { OwnAuthor } from '../../forge/github/own-author.ts';
import type { Permissions, Repository } from '../../forge/github/permission.ts';
import type { Octokit } from '../../github/client.ts';
import type { AgentInputs } from '../../inputs/inputs.ts';
import type { Deps } from '../deps.ts';
import type { Command } from './command.ts';
import type { AgentFacts } from './summary.ts';

export type AgentDeps = Deps<AgentFacts>;

/** An instruction on its way: who gave it, where, and what to reach GitHub with. */
export interface Session {
  readonly inputs: AgentInputs;
  readonly deps: AgentDeps;
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly permissions: Permissions;
  /** Who writes the status comments. */
  readonly author: OwnAuthor;
  readonly trigger: Exclude<Trigger, { kind: 'none' }>;
  readonly pullNumber: number;
  readonly command: Command;
}

/** Why a step ends the run without a message; `visible` to the person who asked. */
export interface Stop {
  readonly kind: 'stop';
  readonly status: 'refused' | 'skipped';
  readonly reason: string;
}

export function refuse(reason: string): Stop {
  return { kind: 'stop', status: 'refused', reason };
}

export function skip(reason: string): Stop {
  return { kind: 'stop', status: 'skipped', reason };
}

/** Address of the run's log. */
export function runUrl({ deps }: Pick<Session, 'deps'>): string {
  const { serverUrl, repository, runId, runAttempt } = deps.github.run;
  return `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${runAttempt}`;
}

export function isCode(error: unknown, ...codes: readonly CourierError['code'][]): error is CourierError {
  return error instanceof CourierError && codes.includes(error.code);
}

/** Does what is good to have: a failure is a warning. Cancellation still ends the run. */
export async function tryTo<T>(deps: AgentDeps, what: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
    deps.log.warning(`${what} did not work: ${error.message}`);
    return undefined;
  }
}
