import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from './port.ts';

/** Results of a system that has no place for outputs and summaries: the options of the command line name files for them. */
export function createPlainResults(temp: string): Results {
  return {
    writeOutputs() {},
    writeSummary() {},
    writeReport(json) {
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
