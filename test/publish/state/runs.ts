import { expect } from 'vitest';
import { runStep, type StepOptions, type StepResult } from '../../support/runner.ts';
import { stepWithSecret } from '../../support/world/built-action.ts';
import { STATE, TARGET } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';

/**
 * A separate run of the built action, with the repository's secret as the destination. `run`: a
 * number for its id.
 */
export function stepOfRun(
  world: World,
  run: number,
  inputs: Readonly<Record<string, string>> = {},
): StepOptions {
  return stepWithSecret(world, inputs, { runId: String(100 + run) });
}

export async function completed(
  world: World,
  run: number,
  inputs: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  const result = await runStep(stepOfRun(world, run, inputs));
  expect(result.exitCode, result.log).toBe(0);
  return result;
}

/** The export job whose link the secret with this name has. */
export function liveJob({ github, platform }: World, name: string): string | undefined {
  const link = github.secret(TARGET, name)?.value;
  return platform.exportJobs.find(({ jobId }) => link?.includes(jobId))?.jobId;
}

export function stateOf({ github }: World): { readonly jobId?: string } {
  return JSON.parse(github.variable(TARGET, STATE)?.value ?? '{}');
}

/** Requests to GitHub that have arrived, with this method and a path like this. */
export function arrived({ github }: World, { method, path }: Arriving): number {
  return github.requests.filter((one) => one.method === method && path.test(one.path)).length;
}

export interface Arriving {
  readonly method: string;
  readonly path: RegExp;
}

/** Looks every 2 ms; the test's own limit ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}
