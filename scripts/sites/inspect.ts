import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AddedIndex } from '../../src/search/added-index.ts';
import { SiteSearch } from '../../src/site/added/search/search-files.ts';
import { type ComparedSite, makeComparedSite } from '../../src/site/compare/compared-site.ts';
import type { Comparison } from '../../src/site/compare/comparison.ts';
import { fingerprintSite } from '../../src/site/compare/fingerprint.ts';
import { SiteComparison } from '../../src/site/compare/site-comparison.ts';
import type { Finding } from '../../src/site/verify/finding.ts';
import type { PageReader } from '../../src/site/verify/site-check.ts';
import { verifySite } from '../../src/site/verify/verify-site.ts';
import { HIDDEN_WORDS } from './source.ts';

const { signal } = new AbortController();

/** A site that a generator has built, as the product sees it. */
export interface BuiltSite {
  readonly root: string;
  readonly basePath: string;
  readonly compared: ComparedSite;
}

/** A folder for what the product writes; a site in the cache stays as it is. */
export interface Scratch extends Disposable {
  readonly folder: string;
}

export function makeScratch(parent: string): Scratch {
  const folder = mkdtempSync(join(parent, 'docs-courier-sites-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export function openSite(name: string, root: string, basePath: string): BuiltSite {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const bytes = readFileSync(file);
      const path = file.slice(root.length + 1);
      return { path, bytes: bytes.length, sha256: hash('sha256', bytes) };
    });
  return { root, basePath, compared: makeComparedSite(name, files, root) };
}

/** Everything that the verification finds wrong with a site. */
export async function verify(
  site: BuiltSite,
  scratch: Scratch,
  { isAirGapped = false, readers = [] as readonly PageReader[] } = {},
): Promise<readonly Finding[]> {
  const { reportPath } = await verifySite({
    root: site.root,
    files: site.compared.paths,
    basePath: site.basePath,
    pageCount: undefined,
    isAirGapped,
    runnerTemp: scratch.folder,
    signal,
    readers,
  });
  if (reportPath === undefined) return [];
  const report: { findings: Finding[] } = JSON.parse(readFileSync(reportPath, 'utf8'));
  return report.findings;
}

/** What changed from one build to another, and whether both have one fingerprint. */
export async function compare(
  before: BuiltSite,
  after: BuiltSite,
  scratch: Scratch,
): Promise<Comparison & { readonly isSame: boolean }> {
  const [from, to] = [before.compared, after.compared];
  const comparison = new SiteComparison({ from, to, redact: (text) => text });
  await verify(after, scratch, { readers: [comparison] });
  const fingerprints = [await fingerprintSite(from, signal), await fingerprintSite(to, signal)];
  const result = await comparison.finish(signal);
  return { ...result, isSame: fingerprints[0] === fingerprints[1] };
}

/** The hidden words that the added search does not find on their page. */
export async function findMissed(site: BuiltSite, scratch: Scratch): Promise<string[]> {
  const search = new SiteSearch();
  await verify(site, scratch, { readers: [search] });
  const folder = join(scratch.folder, 'searched');
  for (const { path, content } of search.files()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const index = await AddedIndex.open({ folder, workspace: scratch.folder });
  const missed: string[] = [];
  for (const hidden of HIDDEN_WORDS) {
    const pages = await index.search({ query: hidden.word });
    const isFound = pages.some(({ path }) => path.includes(hidden.page));
    if (!isFound) missed.push(`${hidden.in} (${hidden.word})`);
  }
  return missed;
}
