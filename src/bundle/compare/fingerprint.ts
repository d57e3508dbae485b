import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { cancelled } from '../../clock.ts';
import type { BundleFile } from '../archive/sink.ts';
import { hashFile } from '../disk/hash-file.ts';
import { isPage } from '../page-names.ts';
import type { PageContent } from '../verify/page-content.ts';
import { readContent } from '../verify/page-scan.ts';
import type { PageReader } from '../verify/site-check.ts';
import { inTurns, WholeFile } from '../verify/verify-site.ts';
import { contentOfAsset } from './asset-content.ts';
import type { ComparedSite } from './compared-site.ts';
import { contentOfEmptyPage } from './same-content.ts';

/**
 * The content of an unpacked site as one SHA-256 in hex: equal for two exports if, and only if,
 * their comparison finds no change (`isUnchanged`). So a build hash, a build date or another menu
 * does not change it.
 *
 * The site must be unpacked. Only the files of the export are read, and not what was added to its
 * folder. Throws `cancelled`, and the error of the file system for a file that cannot be read.
 */
export function fingerprintSite(site: ComparedSite, signal: AbortSignal): Promise<string> {
  const known = fingerprints.get(site) ?? readFingerprint(site, signal);
  fingerprints.set(site, known);
  return known;
}

/**
 * A run asks for the same one several times: for the image, for the stamp, and for what is known of
 * the content.
 */
const fingerprints = new WeakMap<ComparedSite, Promise<string>>();

/** What counts of a page. */
type PageMark = Pick<PageContent, 'redirect' | 'fingerprint'>;

/** Of the pages that were read with others, by path. */
const marks = new WeakMap<ComparedSite, ReadonlyMap<string, PageMark>>();

/**
 * Takes part in the pass over the pages of a site, so that `fingerprintSite` does not read them
 * again.
 */
export function fingerprintReader(site: ComparedSite): PageReader {
  const read = new Map<string, PageMark>();
  marks.set(site, read);
  return {
    watchesLinks: false,
    reads: isPage,
    wants: isPage,
    page: (path, { redirect, fingerprint }) => read.set(path, { redirect, fingerprint }),
    link: () => undefined,
  };
}

async function readFingerprint(site: ComparedSite, signal: AbortSignal): Promise<string> {
  const { root } = site;
  if (root === undefined) throw new TypeError('only an unpacked site has a fingerprint');
  const hashes = await hashFiles(root, site.files, signal);
  const file = new WholeFile();
  const read = ({ path }: BundleFile) => {
    const bytes = file.read(`${root}/${path}`);
    return Buffer.isBuffer(bytes) ? bytes : undefined;
  };
  const entries: string[] = [];
  const known = marks.get(site);
  await inTurns(site.pages, signal, ([address, page]) => {
    const mark = known?.get(page.path) ?? readMark(read(page));
    entries.push(
      entryOfPage(address, mark ?? {}, () =>
        contentOfFile(read(page), hashes.get(page.path) ?? ''),
      ),
    );
  });
  await inTurns(site.files, signal, (asset) => {
    if (isPage(asset.path)) return;
    const [bytes, sha256] = [read(asset), hashes.get(asset.path) ?? ''];
    entries.push(`file ${bytes === undefined ? sha256 : contentOfAsset(bytes, sha256)}`);
  });
  const hash = createHash('sha256');
  // As JSON, so that no address can look like two entries.
  for (const entry of entries.sort()) hash.update(`${JSON.stringify(entry)}\n`);
  return hash.digest('hex');
}

/** Of a page that was not read yet; undefined: it cannot be read. */
function readMark(html: Buffer | undefined): PageMark | undefined {
  return html && readContent(html);
}

/** The same rules as `SiteComparison`: where the page leads, else its content, else its file. */
function entryOfPage(
  address: string,
  mark: Partial<PageMark>,
  contentOfFile: () => string,
): string {
  if (mark.redirect !== undefined) return `redirect ${address} to ${mark.redirect}`;
  return `page ${address} ${mark.fingerprint ?? contentOfFile()}`;
}

function contentOfFile(page: Buffer | undefined, sha256: string): string {
  return page === undefined ? sha256 : contentOfEmptyPage(page);
}

/** By path; of the files whose hash is not known yet, by reading them. */
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
