import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CourierError } from '../../errors.ts';
import { OUTPUTS, type OutputName } from '../../inputs/catalog.ts';
import { cut } from '../../text/escape.ts';
import type { Env, Results } from '../port.ts';

/** The runner refuses a summary over 1 MiB as a whole; this leaves room for what other parts of the step write. */
const MAX_SUMMARY_BYTES = 900 * 1024;
const CUT_NOTE = '\n\n_The summary is cut here; the whole report is at `report-path`._\n';
export function isOutputName(name: string): name is OutputName {
  return Object.hasOwn(OUTPUTS, name);
}

// The runner's file format. A random delimiter that does not occur in the value keeps the value from adding a key of its own.
function formatOutput(name: string, value: string): string {
  const delimiter = `ghadelimiter_${randomBytes(16).toString('hex')}`;
  if (value.includes(delimiter)) throw new Error('A random delimiter occurred in a value.');
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

/** A file that the runner names in its environment; a runner that names none is too old, and there is no fallback. */
function fileOf(env: Env, variable: string): string {
  const path = env[variable];
  if (path !== undefined && path !== '') return path;
  throw new CourierError({
    code: 'config',
    message: `${variable} is not set: this runner hands over no file for it.`,
    hint: 'Docs Courier runs as a step of a GitHub Actions workflow, on runner version 2.327.1 or newer (Node 24).',
  });
}

function append({ path, text, variable }: { path: string; text: string; variable: string }): void {
  try {
    appendFileSync(path, text);
  } catch (cause) {
    throw new CourierError({
      code: 'config',
      message: `The file that ${variable} names cannot be written.`,
      hint: 'Check the disk and the permissions of the runner.',
      cause,
    });
  }
}

/** Throws `config` where outputs cannot be written, now and not when a job has been started already. */
export function createResults(env: Env): Results {
  const outputFile = fileOf(env, 'GITHUB_OUTPUT');
  append({ path: outputFile, text: '', variable: 'GITHUB_OUTPUT' });
  return {
    writeOutputs(values) {
      const given = Object.entries(values).filter(([name]) => isOutputName(name));
      const text = given.map(([name, value]) => formatOutput(name, value ?? '')).join('');
      append({ path: outputFile, text, variable: 'GITHUB_OUTPUT' });
    },
    writeSummary(markdown) {
      // Old GitHub Enterprise Servers have no summaries; everything in it is in the log and the report too.
      const path = env.GITHUB_STEP_SUMMARY;
      if (path === undefined || path === '') return;
      append({
        path,
        text: `${cut(markdown, { bytes: MAX_SUMMARY_BYTES }, CUT_NOTE)}\n`,
        variable: 'GITHUB_STEP_SUMMARY',
      });
    },
    writeReport(json) {
      const temp = env.RUNNER_TEMP;
      if (temp === undefined || temp === '') return undefined;
      try {
        mkdirSync(temp, { recursive: true });
        const path = join(mkdtempSync(join(temp, 'docs-courier-')), 'report.json');
        writeFileSync(path, json, { mode: 0o600 });
        return path;
      } catch {
        return undefined;
      }
    },
  };
}
