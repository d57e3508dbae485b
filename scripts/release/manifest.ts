import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const root = join(import.meta.dirname, '../..');

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
});

/** What a published package takes over from package.json. */
export function ownManifest(): z.infer<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
}

/** The commit that this checkout is; undefined: files differ from it, or git is not there. */
export function cleanCommit(): string | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD').trim() : undefined;
  } catch {
    return undefined;
  }
}
