import { appendFileSync } from 'node:fs';
import { type CourierError, configError } from '../../ground/errors.ts';
import type { Toolkit } from '../../ground/log.ts';
import { cut } from '../../ground/text/escape.ts';
import type { OutputName } from '../../values/catalog.ts';
import { createPlainResults } from '../plain.ts';
import { type Env, namesOf, type Results } from '../port.ts';

/**
 * How a step talks to its runner: by `@actions/core` in the action, and in the command line by
 * `command-line.ts`.
 */
export interface WorkflowStep {
  readonly toolkit: Toolkit;
  /** The value is in the file of GITHUB_OUTPUT when the call returns. */
  setOutput(name: OutputName, value: string): void;
  /** Appends to the file of GITHUB_STEP_SUMMARY. */
  writeSummary(markdown: string): Promise<void>;
  /** The payload of the event as the toolkit gives it; called only if the event file is JSON. */
  readEvent?(): Promise<unknown>;
}

const MAX_SUMMARY_BYTES = 900 * 1024;
const CUT_NOTE = '\n\n_The summary is cut here; the whole report is at `report-path`._\n';

/**
 * Writes results to the files that the runner names. Throws `config` at once if outputs cannot be
 * written, so that no job is started: without GITHUB_OUTPUT, `@actions/core` would write the link
 * into the log.
 */
export function createResults(env: Env, step: WorkflowStep): Results {
  const summary = env.GITHUB_STEP_SUMMARY;
  if (!env.GITHUB_OUTPUT) {
    throw configError(
      'GITHUB_OUTPUT is not set: this runner gives no file for it.',
      'Docs Courier runs as a step of a GitHub Actions workflow, on runner version 2.327.1 or newer (Node 24).',
    );
  }
  createFile(env.GITHUB_OUTPUT, 'GITHUB_OUTPUT');
  return {
    writeOutputs(values) {
      const names = namesOf(values);
      try {
        for (const name of names) step.setOutput(name, values[name] ?? '');
      } catch (cause) {
        throw unwritable('GITHUB_OUTPUT', cause);
      }
    },
    async writeSummary(markdown) {
      // Old GitHub Enterprise Servers have no summaries; the log and the report have the same
      // facts.
      if (!summary) return;
      createFile(summary, 'GITHUB_STEP_SUMMARY');
      const shown = cut(markdown, { bytes: MAX_SUMMARY_BYTES }, CUT_NOTE);
      await step.writeSummary(shown).catch((cause) => {
        throw unwritable('GITHUB_STEP_SUMMARY', cause);
      });
    },
    writeReport(json) {
      // `readRun` refuses a run without RUNNER_TEMP. The report about that has no folder either.
      if (!env.RUNNER_TEMP) return undefined;
      return createPlainResults(env.RUNNER_TEMP).writeReport(json);
    },
  };
}

/** Makes sure that a file of the runner exists and can be written. */
function createFile(path: string, variable: string): void {
  try {
    appendFileSync(path, '');
  } catch (cause) {
    throw unwritable(variable, cause);
  }
}

function unwritable(variable: string, cause: unknown): CourierError {
  return configError(
    `The file that ${variable} names cannot be written.`,
    'Check the disk and the permissions of the runner.',
    { cause },
  );
}
