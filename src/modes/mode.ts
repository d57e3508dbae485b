import type { OutputValues } from '../ci/github-actions/results.ts';
import type { Report, RunFacts } from '../report/report.ts';

/**
 * How the facts of a mode become its outputs and its summary. `main` calls these also with the facts told so far when the
 * mode threw.
 */
export interface Presentation<Facts extends RunFacts> {
  /** Values of the mode's own outputs (all but status, error-code, report and report-path). */
  outputs(facts: Partial<Facts>): OutputValues;
  /** GitHub-flavoured Markdown for the step summary. Everything from outside in it is escaped. */
  summary(report: Report<Facts>, nowMs: number): string;
}
