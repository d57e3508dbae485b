import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CiRun } from '../../ci/port.ts';
import type { ExportRecord } from '../../delivery/state.ts';
import { readConfinedFile, shownPath, userFolders } from '../../ground/confined-files.ts';
import { type CourierError, configError } from '../../ground/errors.ts';
import { makeResultFolder } from '../../ground/temporary.ts';
import { countOf, formatInstant } from '../../ground/text/amounts.ts';
import { shownName } from '../../ground/text/credentials.ts';
import { plainLine } from '../../ground/text/escape.ts';
import type { Deps } from '../../run/context.ts';
import { MAX_MANIFEST_BYTES } from '../../site/compare/compared-site.ts';
import type { Comparison } from '../../site/compare/comparison.ts';
import { attemptOnDisk } from '../../site/disk/disk.ts';
import type { EarlierExport } from '../../site/receive.ts';
import { type ChangesFacts, countChanges, countsText } from './changes-summary.ts';

type KeptManifest = Exclude<EarlierExport, { kind: 'job' }>;

/** Throws `config` if a manifest does not say which links were broken, which `verify: new` needs. */
export function assertKnowsBroken(manifest: KeptManifest): void {
  if (manifest.kind === 'pages' && manifest.list.broken !== undefined) return;
  throw configError(
    'compare-with: the file does not say which links were broken, and verify is new. Nothing was started.',
    'Give docs-courier.manifest.json of a site that was verified: a run with "add: manifest" writes it, if verify is not off.',
  );
}

/**
 * The manifest at this path, which `compare-with` names: of the files of an export, or of the pages
 * of a site. Throws `config` if it is neither, or is of another site than `domain`.
 */
export async function loadManifest(
  path: string,
  domain: string | undefined,
  run: CiRun,
): Promise<KeptManifest> {
  // Steps before this one may keep files below RUNNER_TEMP, such as a downloaded artifact.
  const temp = { name: 'RUNNER_TEMP', path: run.temp };
  const folders = [...userFolders(path, run), temp] as const;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) {
    throw refusal(
      'it is a folder, and the manifest of an exported site is a file beside its folder',
    );
  }
  const input = 'compare-with';
  const text = await readConfinedFile({ path, input, folders, maxBytes: MAX_MANIFEST_BYTES });
  const name = shownPath(path, run.workspace);
  if (text === undefined) throw refusal(`there is no file ${plainLine(shownName(name), 300)}`);
  const { readEitherManifest } = await import('../../site/compare/page-manifest.ts');
  const read = readEitherManifest(text);
  if (!read.ok) throw refusal(`${name} ${read.problem}`);
  if ('list' in read) return { kind: 'pages', list: read.list, decides: true };
  const earlier = { kind: 'files', site: read.site } as const;
  const earlierDomain = read.domain;
  // An export that names only a project has no domain: then the sites cannot be told apart.
  if (earlierDomain === undefined || domain === undefined) return earlier;
  if (earlierDomain === domain) return earlier;
  const earlierSite = plainLine(earlierDomain, 260);
  throw refusal(`${name} is of the site ${earlierSite}, and this export is of ${domain}`);
}

function refusal(problem: string): CourierError {
  return configError(
    `compare-with: ${problem}. Nothing was started.`,
    'Give previous, live, the manifest that an earlier export of this site wrote next to its archive (bundle-path, with .manifest.json after its name), or docs-courier.manifest.json of an earlier site.',
  );
}

/**
 * Writes what changed to two files below RUNNER_TEMP, as JSON and as a page, and the numbers to the
 * log. `live`: the record of the live export, if the state has one. Throws `io`.
 */
export async function recordChanges(
  comparison: Comparison,
  site: { readonly name: string | undefined; readonly url: string | undefined },
  live: ExportRecord | undefined,
  deps: Deps<ChangesFacts>,
): Promise<void> {
  const { log } = deps;
  const { jobId } = comparison.from;
  const { renderChangesPage } = await import('./page/page.ts');
  const now = new Date(deps.clock.now());
  // Time and commit are known only of the live export; a manifest may be of another one.
  const before = live?.job === jobId ? live : undefined;
  const page = renderChangesPage({
    changes: comparison,
    site: site.name,
    siteUrl: site.url,
    // A machine without a CI system may name no commit.
    to: { when: `received ${formatInstant(now)}`, commit: deps.github.run.sha || undefined },
    from: {
      when: before?.at && `in place since ${formatInstant(new Date(before.at))}`,
      commit: before?.commit,
    },
    comparedAt: now,
  });
  const json = `${JSON.stringify(comparison, undefined, 2)}\n`;
  const { temp } = deps.run;
  const paths = attemptOnDisk('write the changes to', temp, () => {
    const folder = makeResultFolder(temp, 'docs-courier-changes-', deps.signal);
    const changesPath = join(folder, 'changes.json');
    const changesPage = join(folder, 'changes.html');
    writeFileSync(changesPath, log.redact(json));
    writeFileSync(changesPage, log.redact(page));
    return { changesPath, changesPage };
  });
  const changes = countChanges(comparison);
  deps.record({ comparison, ...paths, changes });
  let counts = countsText(changes);
  if (changes.lost > 0)
    counts += `, ${countOf(changes.lost, 'address', 'addresses')} lost without a redirect`;
  if (changes.newlyBroken !== undefined && changes.newlyBroken > 0)
    counts += `, ${countOf(changes.newlyBroken, 'link')} newly broken`;
  let earlier = 'the list of pages of the site';
  if (jobId !== undefined) earlier = `export job ${jobId}`;
  log.info(
    `Compared with ${earlier}: ${counts}. All of it is in ${paths.changesPath}, and as a page for a browser in ${paths.changesPage}.`,
  );
}
