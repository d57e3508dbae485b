/**
 * A model of the GitHub Actions runner, as far as a JavaScript action can tell the difference: the environment and files it
 * gives, the commands it takes from the log, what it masks and drops, and how it cancels.
 */
import type { RunningStep, StepOptions, StepResult } from './runner/options.ts';
import { launchStep } from './runner/step.ts';

export type { AnnotationCommand, LogCommand } from './runner/commands.ts';
export type { JobOutputs, RunningStep, StepOptions, StepResult } from './runner/options.ts';

/** Starts one step and hands back what a test needs to watch and end it. */
export function startStep(options: StepOptions): Promise<RunningStep> {
  return launchStep(options);
}

/** Runs one step to its end. */
export async function runStep(options: StepOptions): Promise<StepResult> {
  const step = await launchStep(options);
  return step.done;
}
