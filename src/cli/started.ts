import { readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { shellWord } from '../ci/hints.ts';

/** What npx writes into the folder of a package that it has installed. */
const cacheFile = z.object({ _npx: z.object({ packages: z.tuple([z.string()]) }) });

/**
 * How a shell starts the command line again, such as `npx --yes ./docs-courier.tgz`. `file`: what
 * Node.js was given; `path`: the variable PATH.
 */
export function startedAs(file: string, path: string): string {
  const [cache] = /^.*[\\/]_npx[\\/][^\\/]+(?=[\\/]node_modules[\\/])/.exec(file) ?? [];
  const packed = cache && packageOf(cache);
  if (packed) return `npx --yes ${shellWord(packed)}`;
  const name = basename(file);
  if (name !== 'docs-courier') return `node ${shellWord(file)}`;
  if (path.split(delimiter).includes(dirname(file))) return name;
  return shellWord(file);
}

/** The package as it was given to npx; undefined: the folder is not as npx writes it. */
function packageOf(cache: string): string | undefined {
  try {
    const file = cacheFile.parse(JSON.parse(readFileSync(join(cache, 'package.json'), 'utf8')));
    return file._npx.packages[0];
  } catch {
    return undefined;
  }
}
