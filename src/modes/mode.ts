import type { RunFacts } from '../report/report.ts';

/**
 * What every mode gives back: its facts, the outputs derived from them, and a summary. `main` calls these two also with
 * the facts told so far when the mode threw.
 */
export interface Presentation<Facts extends RunFacts> {
  /** Values of the mode's own outputs (all but status, error-code, report and report-path); undefined ones are left empty. */
  outputs(facts: Partial<Facts>): Readonly<Record<string, string | undefined>>;
  /** GitHub-flavoured Markdown for the step summary. Everything from outside in it is escaped. */
  summary(report: import('../report/report.ts').Report<Facts>): string;
}
