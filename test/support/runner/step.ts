import type { RunningStep, StepOptions } from './options.ts';

export async function launchStep(_options: StepOptions): Promise<RunningStep> {
  throw new Error('the runner model is not there yet');
}
