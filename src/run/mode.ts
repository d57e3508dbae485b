import type { Check, OutputValues } from '../ci/port.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Deps } from './context.ts';
import type { Report, RunFacts } from './report.ts';

/** How the facts of a mode become its outputs and its summary; also those of a run that failed on the way. */
export interface Presentation<Facts> {
  /** Values of the mode's own outputs (all but status, error-code, report and report-path). */
  outputs(facts: Partial<Facts>): OutputValues;
  /** GitHub-flavoured Markdown for the step summary. Everything from outside in it is escaped. */
  summary(report: Report<Facts>, nowMs: number): string;
  /** Facts that are too large for the report, because they have a file of their own. */
  readonly unreported?: readonly (keyof Facts)[];
  /** What the mode checked, each by itself. */
  checks?(facts: Partial<Facts>): readonly Check[];
}

export interface Mode<I extends Inputs, Facts> extends Presentation<Facts> {
  /** Does the work, records what it finds out in `deps.record`, and gives how it ended. */
  run(inputs: I, deps: Deps<Facts>): Promise<RunFacts>;
}
