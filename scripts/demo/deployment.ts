import { createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';

/** A small self-hosted deployment: downloads the bundle by its link at startup and unpacks it. */

export interface Site {
  /** Folder of the entry page. */
  readonly root: string;
  /** HTML files, relative to `root`: the entry page first, the 404 page last. */
  readonly pages: readonly string[];
}

export interface Bundle extends Site {
  readonly archiveBytes: number;
}

export async function fetchBundle(link: string, folder: string): Promise<Bundle> {
  const archive = join(folder, 'bundle.tar.gz');
  const unpacked = join(folder, 'site');
  const response = await fetch(link);
  if (!response.ok || !response.body) throw new Error(`the link answered ${response.status}`);
  await pipeline(response.body, createWriteStream(archive));
  await mkdir(unpacked);
  await extract({ file: archive, cwd: unpacked, strict: true });
  return { archiveBytes: (await stat(archive)).size, ...(await readSite(unpacked)) };
}

/** Finds the pages of an unpacked bundle. */
export async function readSite(folder: string): Promise<Site> {
  const root = await findRoot(folder);
  const files = await readdir(root, { recursive: true });
  const pages = files
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.split(sep).join('/'));
  const edges = ['index.html', '404.html'];
  const between = pages.filter((page) => !edges.includes(page)).sort();
  const last = pages.filter((page) => page === '404.html');
  return { root, pages: ['index.html', ...between, ...last] };
}

/** The archive may contain one folder around the site. */
async function findRoot(folder: string): Promise<string> {
  const names = await readdir(folder);
  if (names.includes('index.html')) return folder;
  const [only, ...more] = names;
  if (only === undefined || more.length > 0) throw new Error('the bundle has no index.html');
  return findRoot(join(folder, only));
}
