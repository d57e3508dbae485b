import { posix } from 'node:path';
import * as z from 'zod/mini';
import { plainLine } from '../../ground/text/escape.ts';
import { isPathId } from '../../ground/text/names.ts';
import { ARCHIVE_LIMITS, judgePath } from '../archive/admission.ts';
import type { BundleFile } from '../archive/sink.ts';
import { addressOfPage, isOfMac, isPage } from '../page-names.ts';
import { readOwnFile, type Unreadable, unreadable } from './own-file.ts';

/** The site of an export, as its files. */
export interface ComparedSite {
  readonly jobId: string;
  /** The folder of the archive that contains the site; empty if the site is at the top. */
  readonly folder: string;
  /** Where that folder was unpacked; undefined if only a manifest is known. */
  readonly root: string | undefined;
  /** Paths below `folder`, joined by `/`. */
  readonly paths: readonly string[];
  /** HTML files, without the page for what is not found. */
  readonly pageCount: number;
  /** The files with their paths below `folder`. */
  readonly files: readonly BundleFile[];
  /** The file that is served at each address of a page. */
  readonly pages: ReadonlyMap<string, BundleFile>;
  readonly bytes: number;
}

/**
 * The site in an archive with these files. Some archives contain it in one folder, as `tar` does
 * when it is given one. `unpacked`: where the archive was unpacked to.
 */
export function makeComparedSite(
  jobId: string,
  archive: readonly BundleFile[],
  unpacked?: string,
): ComparedSite {
  const folder = folderOf(archive.map((file) => file.path));
  const start = folder && `${folder}/`;
  const inFolder = archive.filter((file) => file.path.startsWith(start));
  const paths = inFolder.map((file) => file.path.slice(start.length));
  let files: ComparedSite['files'] | undefined;
  let pages: ComparedSite['pages'] | undefined;
  return {
    jobId,
    folder,
    root: unpacked && posix.join(unpacked, folder),
    paths,
    pageCount: paths.filter(isPage).length,
    // Computed only on demand: most runs compare nothing.
    get files() {
      if (folder === '') return archive;
      files ??= inFolder.map((file) => ({ ...file, path: file.path.slice(start.length) }));
      return files;
    },
    get pages() {
      pages ??= pagesOf(this.files);
      return pages;
    },
    bytes: archive.reduce((sum, file) => sum + file.bytes, 0),
  };
}

// Hosts serve only one of `guide.html` and `guide/index.html` at `/guide`: here the shorter name.
// The other keeps its whole name as its address, so that it is not lost.
function pagesOf(files: readonly BundleFile[]): ReadonlyMap<string, BundleFile> {
  const pages = new Map<string, BundleFile>();
  for (const file of files) {
    if (!isPage(file.path)) continue;
    const address = addressOfPage(file.path);
    const earlierFile = pages.get(address);
    const servesEarlier = earlierFile !== undefined && isShorter(earlierFile.path, file.path);
    if (servesEarlier) {
      pages.set(`/${file.path}`, file);
      continue;
    }
    pages.set(address, file);
    if (earlierFile !== undefined) pages.set(`/${earlierFile.path}`, earlierFile);
  }
  return pages;
}

/** The address of a page's file. Of two files for one address, one has its whole name as its address. */
export function addressOfFile(site: ComparedSite, path: string): string {
  const address = addressOfPage(path);
  return site.pages.get(address)?.path === path ? address : `/${path}`;
}

/**
 * Whether `a` is the shorter name. Of two with the same length, the first in the alphabet counts as
 * shorter: the result must not depend on the order of the files.
 */
function isShorter(a: string, b: string): boolean {
  if (a.length === b.length) return a < b;
  return a.length < b.length;
}

/** 200,000 files with long names take less. */
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

const file = z.object({
  path: z.string(),
  bytes: z.int().check(z.minimum(0)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
const manifest = z.object({
  site: z.nullish(z.string()),
  exportJobId: z.string().check(z.refine(isPathId)),
  files: z.array(file).check(z.maxLength(ARCHIVE_LIMITS.entries)),
});

type ReadManifest =
  | { readonly ok: true; readonly site: ComparedSite; readonly domain: string | undefined }
  | Unreadable;

/** The files of an earlier export, from the manifest that was kept with its archive. */
export function readManifest(text: string): ReadManifest {
  const read = readOwnFile(text, manifest, { kind: 'manifest', field: 'files' });
  if (!read.ok) return read;
  const { site, exportJobId, files } = read.value;
  // `false`: nothing is unpacked, so that no file of the manifest can act on a workspace.
  const rules = { limits: ARCHIVE_LIMITS, inWorkspace: false };
  const paths = new Set<string>();
  for (const { path } of files) {
    const isImpossible = judgePath(path, rules) !== undefined;
    if (isImpossible)
      return unreadable(`has a name that no bundle can have: ${plainLine(path, 100)}`);
    paths.add(path);
  }
  if (paths.size < files.length) return unreadable('names a file twice');
  return { ok: true, site: makeComparedSite(exportJobId, files), domain: site ?? undefined };
}

/** The one folder that contains the whole site; empty if the site is at the top. */
function folderOf(archive: readonly string[]): string {
  const paths = archive.filter((path) => !isOfMac(path));
  const [top = ''] = paths[0]?.split('/') ?? [];
  const isInOneFolder = paths.every((path) => path.startsWith(`${top}/`));
  // A folder without an entry page is one of the site itself, which has files nowhere else.
  const hasEntryPage = paths.includes(`${top}/index.html`);
  if (isInOneFolder && hasEntryPage) return top;
  return '';
}
