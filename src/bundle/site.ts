import type { BundleFile } from './archive/sink.ts';

/** The site in an archive. */
export interface Site {
  /** The folder of the archive that holds it; empty where that is the archive itself. */
  readonly folder: string;
  /** Paths below `folder`, joined by `/`. */
  readonly files: readonly string[];
  /** Pages of documentation: HTML files, without the page for what is not found. */
  readonly pages: number;
}

/** Some archives hold the site in one folder of theirs, as `tar` does when it is given a folder. */
export function findSite(files: readonly BundleFile[]): Site {
  const paths = files.map(({ path }) => path);
  const folder = folderOf(paths);
  const own = folder === '' ? paths : paths.map((path) => path.slice(folder.length + 1));
  return { folder, files: own, pages: own.filter(isPage).length };
}

function folderOf(paths: readonly string[]): string {
  const top = paths[0]?.split('/')[0] ?? '';
  if (paths.includes('index.html') || !paths.every((path) => path.startsWith(`${top}/`))) return '';
  return paths.includes(`${top}/index.html`) ? top : '';
}

export function isPage(path: string): boolean {
  return /\.x?html?$/i.test(path) && path !== '404.html';
}
