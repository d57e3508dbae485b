/**
 * A model of the GitHub Actions runner from the view of a JavaScript action: the environment and
 * files it provides, the commands it reads from the log, what it masks and drops, and how it
 * cancels.
 */
import { type JobOptions, type JobResult, openJob, selectJobOutputs } from './runner/job.ts';
import type { RunningStep, StepOptions, StepResult } from './runner/options.ts';
import { launchStep } from './runner/step.ts';

export type { AnnotationCommand, LogCommand } from './runner/commands.ts';
export { pushEvent, RUN_DEFAULTS } from './runner/environment.ts';
export type { JobOptions, JobResult } from './runner/job.ts';
export type { RunningStep, StepOptions, StepResult } from './runner/options.ts';

/**
 * Starts one step and returns what a test needs to watch and end it. Its folders are removed when
 * `done` settles.
 */
export async function startStep(options: StepOptions): Promise<RunningStep> {
  const job = await openJob(options.workspace);
  const step = await launchStep(options, job).catch(async (error: unknown) => {
    await job.close();
    throw error;
  });
  const done = step.done.finally(job.close);
  return Object.create(step, { done: { value: done, enumerable: true } });
}

/** Runs one step to its end. */
export async function runStep(options: StepOptions): Promise<StepResult> {
  const step = await startStep(options);
  return step.done;
}

/**
 * Runs the steps of a job one after the other: they share workspace, RUNNER_TEMP, masks and
 * exported variables.
 */
export async function runJob(options: JobOptions): Promise<JobResult> {
  const job = await openJob(options.workspace);
  const steps: StepResult[] = [];
  try {
    for (const each of options.steps) {
      const step = await launchStep(typeof each === 'function' ? each(steps) : each, job);
      const result = await step.done;
      steps.push(result);
      if (result.exitCode !== 0) break;
    }
  } finally {
    await job.close();
  }
  const last = steps.at(-1);
  const named = Object.entries(options.outputs ?? {}).map(([name, from]) => [
    name,
    steps[from.step]?.outputs[from.output],
  ]);
  return {
    steps,
    conclusion:
      last?.exitCode === 0
        ? 'success'
        : last?.cancelledAfterMs === undefined
          ? 'failure'
          : 'cancelled',
    ...selectJobOutputs(Object.fromEntries(named), job.masker),
  };
}
