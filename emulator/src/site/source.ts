import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A folder of Markdown, or the files themselves: path to content. */
export type SiteContent = string | Readonly<Record<string, string | Uint8Array>>;

/** A site's files: path with `/` below the site's root to bytes, in order of path. */
export type SourceFiles = ReadonlyMap<string, Uint8Array>;

export function isPagePath(path: string): boolean {
  return /\.(md|mdx|markdown)$/i.test(path);
}

export async function readSource(content: SiteContent): Promise<SourceFiles> {
  const files = typeof content === 'string' ? await readFolder(content) : readRecord(content);
  if (typeof content === 'string' && !files.some(([path]) => isPagePath(path)))
    throw new Error(
      `${content} has no pages: a site is a folder of Markdown files that end in .md or .mdx.`,
    );
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readRecord(
  content: Readonly<Record<string, string | Uint8Array>>,
): [string, Uint8Array][] {
  return Object.entries(content).map(([path, body]) => [
    path,
    typeof body === 'string' ? Buffer.from(body) : body,
  ]);
}

async function readFolder(folder: string): Promise<[string, Uint8Array][]> {
  const about = await stat(folder).catch(() => undefined);
  if (!about?.isDirectory()) throw new Error(`${folder} is not a folder.`);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Symbolic links are skipped: their targets may not belong to the site.
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const named = paths.map((path) => ({ path, name: relative(folder, path).split(sep).join('/') }));
  const shown = named.filter(({ name }) => !/(^|\/)(\.(?!well-known\/)|node_modules\/)/.test(name));
  return Promise.all(
    shown.map(
      async ({ path, name }): Promise<[string, Uint8Array]> => [name, await readFile(path)],
    ),
  );
}
