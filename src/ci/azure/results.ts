import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPlainResults } from '../plain-results.ts';
import type { Host, Results } from '../port.ts';
import { vso } from './commands.ts';

/** The link is a secret, and the report repeats the rest. */
const NEVER_WRITTEN = ['bundle-url', 'report'];
/** Variables are in the environment of each later step, which Windows limits to 32,767 characters. */
const MAX_VALUE_BYTES = 8 * 1024;

/**
 * Outputs as output variables, `DOCS_COURIER_OUT_JOB_ID`: later steps read them as `$(STEP.DOCS_COURIER_OUT_JOB_ID)` where
 * `STEP` is the `name` of the step; other jobs and stages by `dependencies`. The summary is a tab of the run.
 */
export function createAzureResults({ temp, write }: Host): Results {
  return {
    ...createPlainResults(temp),
    writeOutputs(values) {
      for (const [name, value = ''] of Object.entries(values)) {
        if (NEVER_WRITTEN.includes(name)) continue;
        if (Buffer.byteLength(value) > MAX_VALUE_BYTES) {
          write(`The output ${name} is too large for a variable of Azure Pipelines; --output-file has it.`);
          continue;
        }
        const variable = `DOCS_COURIER_OUT_${name.toUpperCase().replaceAll('-', '_')}`;
        write(vso('task.setvariable', { variable, isOutput: 'true' }, value));
      }
    },
    writeSummary(markdown) {
      mkdirSync(temp, { recursive: true });
      // The name of the file is the heading; the agent reads it when it has seen the command.
      const path = join(mkdtempSync(join(temp, 'docs-courier-')), 'Docs Courier.md');
      writeFileSync(path, `${markdown}\n`);
      write(vso('task.uploadsummary', {}, path));
    },
  };
}
