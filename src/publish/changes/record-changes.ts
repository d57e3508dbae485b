import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from '../../bundle/compare/comparison.ts';
import { CourierError } from '../../errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import { countOf } from '../../text/markdown.ts';
import type { ExportDeps } from '../export-deps.ts';
import { countChanges } from './changes-summary.ts';

/** Writes what changed to two files below RUNNER_TEMP, as JSON and as a page, and says it in the log. Throws `io`. */
export async function recordChanges(comparison: Comparison, inputs: ExportInputs, deps: ExportDeps): Promise<void> {
  const { run, log, clock, record } = deps;
  const { from, added, removed, moved, changed, lost } = comparison;
  const { renderChangesPage } = await import('./page/page.ts');
  const page = renderChangesPage({
    changes: comparison,
    site: inputs.domain ?? inputs.projectId,
    siteUrl: inputs.live?.url,
    comparedAt: new Date(clock.now()),
  });
  const json = `${JSON.stringify(comparison, undefined, 2)}\n`;
  const files = {
    changesPath: ['changes.json', log.redact(json)],
    changesPage: ['changes.html', log.redact(page)],
  } as const;
  const paths = writeFiles(files, run.temp);
  record({ comparison, ...paths, changes: countChanges(comparison) });
  const counts = `${countOf(added.length, 'page')} added, ${changed.length} changed, ${moved.length} moved, ${removed.length} removed`;
  const lostCount = lost.filter(({ redirect }) => redirect === undefined).length;
  const alsoLost = lostCount === 0 ? '' : `, ${countOf(lostCount, 'address', 'addresses')} lost without a redirect`;
  log.info(
    `Compared with export job ${from.jobId}: ${counts}${alsoLost}. All of it is in ${paths.changesPath}, and as a page for a browser in ${paths.changesPage}.`,
  );
}

type File = readonly [name: string, text: string];

function writeFiles(
  { changesPath: json, changesPage: page }: { changesPath: File; changesPage: File },
  folder: string,
) {
  try {
    const own = mkdtempSync(join(folder, 'docs-courier-changes-'));
    const write = ([name, text]: File) => {
      const path = join(own, name);
      writeFileSync(path, text);
      return path;
    };
    return { changesPath: write(json), changesPage: write(page) };
  } catch (cause) {
    throw new CourierError({
      code: 'io',
      message: `The changes could not be written below ${folder}.`,
      hint: 'Free some space on the disk of the runner.',
      cause,
    });
  }
}
