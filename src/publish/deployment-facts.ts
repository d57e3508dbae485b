import type { DeploymentState } from '../forges/github/deployments.ts';
import { codeSpan } from '../text/escape.ts';

/** A deployment on GitHub that this run has made. */
export interface DeploymentFacts {
  readonly environment: string;
  readonly id: number;
  readonly commit: string;
  readonly state: DeploymentState;
}

/** A line of the summary. */
export function deploymentText(deployment: DeploymentFacts | undefined): string | undefined {
  if (deployment === undefined) return undefined;
  const { environment, id, commit, state } = deployment;
  return `${codeSpan(environment)}, ${id} of commit ${codeSpan(commit.slice(0, 7))}: ${state.replace('_', ' ')}`;
}
