import type { BundleFile } from '../archive/sink.ts';
import { findSite, isPage } from '../site.ts';
import { addressOfPage } from './page-index.ts';

/** One of the two exports, as its files. */
export interface ComparedSite {
  readonly jobId: string;
  /** The folder with the site; undefined where only a manifest is there. */
  readonly root: string | undefined;
  /** Paths below it to their files. */
  readonly files: ReadonlyMap<string, BundleFile>;
  /** Addresses to the files that are served there. */
  readonly pages: ReadonlyMap<string, BundleFile>;
  readonly bytes: number;
}

/** `folder`: where the archive was unpacked to. */
export function makeComparedSite(jobId: string, archive: readonly BundleFile[], folder?: string): ComparedSite {
  const site = findSite(archive);
  const prefix = site.folder === '' ? 0 : site.folder.length + 1;
  const files = new Map(
    archive.map(({ path, ...rest }) => [path.slice(prefix), { path: path.slice(prefix), ...rest }]),
  );
  return {
    jobId,
    root: folder === undefined || site.folder === '' ? folder : `${folder}/${site.folder}`,
    files,
    pages: pagesOf(files),
    bytes: archive.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

// Of `guide.html` and `guide/index.html`, hosts serve one at `/guide`; the other keeps its whole name, so that it is not lost.
function pagesOf(files: ReadonlyMap<string, BundleFile>): ReadonlyMap<string, BundleFile> {
  const pages = new Map<string, BundleFile>();
  for (const file of [...files.values()].filter(({ path }) => isPage(path)).sort(byLength)) {
    const address = addressOfPage(file.path);
    pages.set(pages.has(address) ? `/${file.path}` : address, file);
  }
  return pages;
}

function byLength(a: BundleFile, b: BundleFile): number {
  return a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}
