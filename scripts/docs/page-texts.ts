import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** README.md and every page of docs: path below the root (with `/`) to its text. */
export function readPageTexts(root: string): ReadonlyMap<string, string> {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  return new Map(
    ['README.md', ...pages].map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}
