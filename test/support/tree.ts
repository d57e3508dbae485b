import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Every file below a folder with its mode and content, sorted: equal trees have equal lists. */
export function listTree(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const mode = (statSync(path).mode & 0o7777).toString(8);
      const sum = entry.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : 'folder';
      return `${relative(root, path)} ${mode} ${sum}`;
    })
    .sort();
}
