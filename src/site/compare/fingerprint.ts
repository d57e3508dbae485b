import { createHash } from 'node:crypto';
import { cancelled } from '../../ground/clock.ts';
import type { BundleFile } from '../archive/sink.ts';
import { hashFile } from '../disk/hash-file.ts';
import { isPage } from '../page-names.ts';
import type { PageContent } from '../verify/page-content.ts';
import type { PageReader } from '../verify/site-check.ts';
import { inTurns } from '../verify/verify-site.ts';
import type { ComparedSite } from './compared-site.ts';
import { SiteContent } from './site-content.ts';

/**
 * The content of an unpacked site as one SHA-256 in hex. If it is equal for two exports, their
 * comparison finds no change (`isUnchanged`), and the other way round, unless a file keeps what only
 * one of the builds made up. So a build hash, a build date or another menu does not change it.
 *
 * The site must be unpacked. Only the files of the export are read, and not what was added to its
 * folder. Throws `cancelled`, and the error of the file system for a file that cannot be read.
 */
export function fingerprintSite(site: ComparedSite, signal: AbortSignal): Promise<string> {
  const reading = fingerprints.get(site) ?? readFingerprint(site, signal);
  fingerprints.set(site, reading);
  return reading;
}

/** Gives a site with another base path the fingerprint of its export, if that is known. */
export function keepFingerprint(exported: ComparedSite, moved: ComparedSite): void {
  const known = fingerprints.get(exported);
  if (known !== undefined) fingerprints.set(moved, known);
}

/**
 * A run asks for the same one several times: for the image, for the stamp (a file that is added to
 * the site and says which export it is), and for what is known of the content.
 */
const fingerprints = new WeakMap<ComparedSite, Promise<string>>();

/** What a page adds to the fingerprint of its site. */
type PageMark = Pick<PageContent, 'redirect' | 'fingerprint'>;

/** What reads the pages of a site in the pass over them, and the marks that it has read, by path. */
interface Pass {
  readonly marks: ReadonlyMap<string, PageMark>;
  readonly reader: PageReader;
}

const passes = new WeakMap<ComparedSite, Pass>();

/**
 * Takes part in the pass over the pages of a site, so that `fingerprintSite` does not read them
 * again. Gives the same reader to all who ask for it.
 */
export function fingerprintReader(site: ComparedSite): PageReader {
  const known = passes.get(site);
  if (known !== undefined) return known.reader;
  const marks = new Map<string, PageMark>();
  const reader: PageReader = {
    reads: isPage,
    // Not the whole content, which would stay in memory.
    page: (path, { redirect, fingerprint }) => marks.set(path, { redirect, fingerprint }),
  };
  passes.set(site, { marks, reader });
  return reader;
}

/** Hashes one sorted entry for each page and each other file. */
async function readFingerprint(site: ComparedSite, signal: AbortSignal): Promise<string> {
  const root = site.root;
  if (root === undefined) throw new TypeError('only an unpacked site has a fingerprint');
  const hashes = await hashFiles(root, site.files, signal);
  // Only some runs read the pages in the pass over the site; without it, all are read below.
  const marksOfPass = passes.get(site)?.marks;
  const content = new SiteContent(site);
  const entries: string[] = [];
  // The same rules as `SiteComparison`: where a page leads, else its content, else its file. A page
  // has no content if a script fills it, or if it is too large to be read.
  await inTurns(site.pages, signal, ([address, { path }]) => {
    const { redirect, fingerprint } = marksOfPass?.get(path) ?? content.page(address) ?? {};
    if (redirect !== undefined) entries.push(`redirect ${address} to ${redirect}`);
    else
      entries.push(
        `page ${address} ${fingerprint ?? content.emptyPage(address) ?? hashes.get(path)}`,
      );
  });
  await inTurns(site.files, signal, ({ path }) => {
    if (isPage(path)) return;
    // `hashFiles` gives one for each file. Without its path: a file with another name and the same
    // content is not a change.
    entries.push(`file ${content.asset(path, hashes.get(path) ?? '')}`);
  });
  const hash = createHash('sha256');
  // As JSON, so that no address can look like two entries.
  for (const entry of entries.sort()) hash.update(`${JSON.stringify(entry)}\n`);
  return hash.digest('hex');
}

/** The hash of each file by path. Files whose hash is not known are read. */
async function hashFiles(
  root: string,
  files: readonly BundleFile[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const { path, sha256 } of files) {
    if (signal.aborted) throw cancelled(signal.reason);
    hashes.set(path, sha256 ?? (await hashFile(`${root}/${path}`, createHash('sha256'), signal)));
  }
  return hashes;
}
