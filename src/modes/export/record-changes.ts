import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from '../../bundle/compare/comparison.ts';
import { CourierError } from '../../errors.ts';
import { countOf } from '../../text/markdown.ts';
import { countChanges } from './changes-summary.ts';
import type { ExportDeps } from './deps.ts';

/** Writes what changed to a file below RUNNER_TEMP, and says it in the log. Throws `io`. */
export function recordChanges(comparison: Comparison, { run, log, record }: ExportDeps): void {
  const { from, added, removed, moved, changed, lost } = comparison;
  const path = writeChanges(log.redact(JSON.stringify(comparison, undefined, 2)), run.temp);
  record({ comparison, changesPath: path, changes: countChanges(comparison) });
  const counts = `${countOf(added.length, 'page')} added, ${changed.length} changed, ${moved.length} moved, ${removed.length} removed`;
  const lostCount = lost.filter(({ redirect }) => redirect === undefined).length;
  const alsoLost = lostCount === 0 ? '' : `, ${countOf(lostCount, 'address', 'addresses')} lost without a redirect`;
  log.info(`Compared with export job ${from.jobId}: ${counts}${alsoLost}. All of it is in ${path}.`);
}

function writeChanges(json: string, folder: string): string {
  try {
    const path = join(mkdtempSync(join(folder, 'docs-courier-changes-')), 'changes.json');
    writeFileSync(path, `${json}\n`);
    return path;
  } catch (cause) {
    throw new CourierError({
      code: 'io',
      message: `The changes could not be written below ${folder}.`,
      hint: 'Free some space on the disk of the runner.',
      cause,
    });
  }
}
