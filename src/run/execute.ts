import { toCourierError } from '../errors.ts';
import type { Inputs, Mode as ModeName } from '../inputs/inputs.ts';
import type { Context } from './context.ts';
import { type End, finish } from './finish.ts';
import type { Mode } from './mode.ts';

interface Execution {
  readonly context: Context;
  readonly end: End;
}

/** A mode as `main` sees it: which facts it has is its own affair. */
export interface RunnableMode<I extends Inputs> {
  /** Runs the mode and writes its results. Gives the exit code. */
  execute(inputs: I, execution: Execution): Promise<number>;
}

/** Loads a mode when it is asked for. */
export type LoadMode = <M extends ModeName>(mode: M) => Promise<RunnableMode<Extract<Inputs, { readonly mode: M }>>>;

export function defineMode<I extends Inputs, Facts>(mode: Mode<I, Facts>): RunnableMode<I> {
  return { execute: (inputs, execution) => execute(mode, inputs, execution) };
}

/** Writes also what the mode recorded before it failed. */
async function execute<I extends Inputs, Facts>(
  mode: Mode<I, Facts>,
  inputs: I,
  { context, end }: Execution,
): Promise<number> {
  let known: Partial<Facts> = {};
  let announced: string | undefined;
  const record = (facts: Partial<Facts>) => {
    known = { ...known, ...facts };
    const jobId = mode.outputs(known)['job-id'];
    if (jobId === announced) return;
    announced = jobId;
    announce(jobId, end);
  };
  try {
    const ending = await mode.run(inputs, { ...context, record });
    return finish(end, { facts: { ...known, ...ending }, presentation: mode });
  } catch (error) {
    return finish(end, { facts: known, presentation: mode, error: toCourierError(error) });
  }
}

// The end of the run writes all outputs again, and fails where that is not possible. Until then a full disk must not keep
// the run from writing the id to where else it goes.
function announce(jobId: string | undefined, { results, log }: End): void {
  try {
    results.writeOutputs({ 'job-id': jobId });
  } catch (error) {
    log.warning(`The output job-id could not be written yet. ${toCourierError(error).message}`);
  }
}
