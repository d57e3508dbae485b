import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const ARCHIVE_LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * The archive of HEAD as a code host creates it for a runner: tar, without the files that
 * .gitattributes excludes.
 */
function archive(): Buffer {
  return execFileSync('git', ['archive', '--format=tar', '--worktree-attributes', 'HEAD'], {
    cwd: CHECKOUT,
    maxBuffer: ARCHIVE_LIMIT_BYTES,
  });
}

/** What each run downloads, in bytes. */
export function packedBytes(): number {
  return gzipSync(archive(), { level: 6 }).length;
}

export interface Packed extends Disposable {
  readonly folder: string;
}

/** That archive, unpacked into a new folder. */
export function unpackArchive(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'docs-courier-packed-'));
  const { status, stderr } = spawnSync('tar', ['-x', '-C', folder], { input: archive() });
  if (status !== 0) throw new Error(`tar failed: ${String(stderr)}`);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
