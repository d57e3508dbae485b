import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { renderSite } from '../../emulator/src/site/render.ts';
import type { AddedFile } from '../../src/site/added/file.ts';
import { SiteSearch } from '../../src/site/added/search/search-files.ts';
import { readPages } from '../../src/site/verify/verify-site.ts';

const DOCS = resolve(import.meta.dirname, '../../docs');

/** Writes files below a folder. */
export function writeSite(
  root: string,
  files: Iterable<readonly [path: string, content: string | Uint8Array]>,
): string[] {
  return Array.from(files, ([path, content]) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    return path;
  });
}

/** The project's own documentation as a site in a folder; gives the paths of its files. */
export async function writeDocsSite(root: string): Promise<string[]> {
  const names = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  );
  const files = new Map(
    names.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(DOCS, name))]),
  );
  return writeSite(root, await renderSite({ name: 'docs-courier', files }));
}

/** The files of a search, made of the pages as a run reads them. */
export async function searchFiles(root: string, files: readonly string[]): Promise<AddedFile[]> {
  const search = new SiteSearch();
  await readPages({ root, files, basePath: undefined, signal: new AbortController().signal }, [
    search,
  ]);
  return search.files();
}

/** Adds a search to the site in a folder, as the input `add` does. */
export async function addSearch(root: string): Promise<string[]> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const added = await searchFiles(root, files);
  return writeSite(
    root,
    added.map(({ path, content }) => [path, content]),
  );
}
