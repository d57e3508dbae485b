import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cancelled } from '../ground/clock.ts';
import { CourierError, configError, errnoOf } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { makeTemporary, removeTemporary } from '../ground/temporary.ts';
import { countOf } from '../ground/text/amounts.ts';
import { shownName } from '../ground/text/credentials.ts';
import { plainLine } from '../ground/text/escape.ts';
import { Admission, ARCHIVE_LIMITS } from '../site/archive/admission.ts';
import { type BundleFile, type EntrySink, HashSink } from '../site/archive/sink.ts';
import {
  type ComparedSite,
  MAX_MANIFEST_BYTES,
  makeComparedSite,
} from '../site/compare/compared-site.ts';
import type { Comparison, PageChanges } from '../site/compare/comparison.ts';
import { comparePageLists } from '../site/compare/page-list-comparison.ts';
import { readEitherManifest } from '../site/compare/page-manifest.ts';
import { SiteComparison } from '../site/compare/site-comparison.ts';
import { type PageList, SitePages } from '../site/compare/site-pages.ts';
import { readPart, systemDisk } from '../site/disk/disk.ts';
import { TreeWriter } from '../site/disk/tree-writer.ts';
import { readGiven } from '../site/given/read-given.ts';
import { readPages } from '../site/verify/verify-site.ts';

interface Work {
  readonly cwd: string;
  /** Archives are unpacked below this folder, and removed afterwards. */
  readonly temp: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * What changed from one site to another, a line for each page. `given`: both, each as a folder, an
 * archive or a manifest. Needs no network. Throws `config` if one of them is none of these.
 */
export async function changedPages(given: readonly string[], work: Work): Promise<string> {
  const [before, after, ...more] = given;
  if (before === undefined || after === undefined || more.length > 0)
    throw configError('changes compares two sites. Nothing was compared.', HINT);
  const folder = makeTemporary(work.temp, 'docs-courier-compared-');
  try {
    const from = await openSite(before, join(folder, 'before'), work);
    const to = await openSite(after, join(folder, 'after'), work);
    const comparison = await compare(from, to, work);
    const { added, changed, moved, removed, unchanged, basis } = comparison;
    work.log.info(
      `${countOf(changed.length, 'page')} changed, ${added.length} added, ${removed.length} removed, ${moved.length} moved, ${unchanged} unchanged.${NOTES[basis]}`,
    );
    return linesOf(comparison)
      .map((line) => `${line}\n`)
      .join('');
  } finally {
    removeTemporary(folder);
  }
}

const HINT = 'Give two folders, archives or manifests, the earlier one first.';

const NOTES: Readonly<Record<Comparison['basis'], string>> = {
  content: '',
  pages: ' By a list of pages: other files are not compared.',
  hashes: ' By the hashes of a manifest: each file that differs counts.',
};

/** A site, or what one has listed of its pages. */
type Opened = ComparedSite | PageList;

async function compare(from: Opened, to: Opened, work: Work) {
  if ('files' in from && 'files' in to) return compareSites(from, to, work);
  return comparePageLists(await listOf(from, work), await listOf(to, work), work.signal);
}

/** The pages of a site, to compare them with those of a list. */
async function listOf(site: Opened, { signal }: Work): Promise<PageList> {
  if (!('files' in site)) return site;
  const { root, paths: files } = site;
  if (root === undefined) throw configError('A list of pages has no hashes of files.', HINT);
  const pages = new SitePages(site);
  await readPages({ root, files, basePath: undefined, signal }, [pages]);
  return pages.list({ isVerified: false });
}

async function compareSites(from: ComparedSite, to: ComparedSite, { log, signal }: Work) {
  // Pages are compared with pages, and hashes with hashes.
  const before = { ...from, root: to.root && from.root };
  const redact = (text: string) => log.redact(text);
  const comparison = new SiteComparison({ from: before, to, redact });
  if (to.root !== undefined)
    await readPages({ root: to.root, files: to.paths, basePath: undefined, signal }, [comparison]);
  return comparison.finish(signal);
}

/** Addresses and titles come from pages. */
function linesOf({ changed, added, removed, moved }: PageChanges): string[] {
  const line = (what: string, path: string, title: string) =>
    `${what.padEnd(7)}  ${plainLine(path, 300)}  ${plainLine(title, 200)}`;
  return [
    ...changed.map((page) => line('changed', page.path, page.title)),
    ...added.map((page) => line('added', page.path, page.title)),
    ...removed.map((page) => line('removed', page.path, page.title)),
    ...moved.map((page) => line('moved', `${page.from} -> ${page.to}`, page.title)),
  ];
}

async function openSite(given: string, unpackTo: string, work: Work): Promise<Opened> {
  const path = resolve(work.cwd, given);
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) {
      const sink = new HashSink({ hashesFiles: true });
      return makeComparedSite(given, await filesOf(path, sink, work.signal), path);
    }
    // A pipe is read once, and may never end.
    if (!stats.isFile()) throw configError(`${shownName(given)} is not a file.`, HINT);
    // An archive does not begin in this way.
    if (readPart(path, 0, 1).toString() === '{') return siteOfManifest(path);
    return makeComparedSite(given, await unpack(path, unpackTo, work.signal), unpackTo);
  } catch (error) {
    // A step that is stopped may fail with any error.
    if (work.signal.aborted) throw cancelled(error);
    const why = whyUnusable(error);
    if (why === undefined) throw error;
    throw configError(`${shownName(given)} ${why}. Nothing was compared.`, HINT);
  }
}

/** The end of a sentence about the file; undefined for an error that is not about its content. */
function whyUnusable(error: unknown): string | undefined {
  if (!(error instanceof CourierError)) {
    const errno = errnoOf(error);
    if (errno === undefined) return undefined;
    if (errno === 'ENOENT') return 'does not exist';
    return `cannot be read (${errno})`;
  }
  if (error.code === 'protocol') return 'is neither a folder, an archive nor a manifest';
  if (error.code === 'cancelled' || error.code === 'io' || error.code === 'config')
    return undefined;
  return `cannot be unpacked: ${error.message.replace(/\.$/, '')}`;
}

/** What a folder has besides a site, such as `.git`, and links that leave it, are passed over. */
async function filesOf(
  path: string,
  sink: EntrySink,
  signal: AbortSignal,
): Promise<readonly BundleFile[]> {
  const admission = new Admission({ limits: ARCHIVE_LIMITS, inWorkspace: false });
  await readGiven(path, { admission, sink, signal, onRefused: () => undefined });
  return sink.files;
}

function siteOfManifest(path: string): Opened {
  if (statSync(path).size > MAX_MANIFEST_BYTES)
    throw configError(`${shownName(path)} is too large for a manifest.`, HINT);
  const text = readFileSync(path, 'utf8');
  const read = readEitherManifest(text);
  if (!read.ok)
    throw configError(`${shownName(path)} ${read.problem}. Nothing was compared.`, HINT);
  if ('list' in read) return read.list;
  return read.site;
}

async function unpack(path: string, root: string, signal: AbortSignal) {
  mkdirSync(root);
  const writer = new TreeWriter(root, systemDisk, { hashesFiles: true });
  try {
    return await filesOf(path, writer, signal);
  } finally {
    writer.close();
  }
}
