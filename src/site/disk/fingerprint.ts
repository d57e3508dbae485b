import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isMissing } from '../../ground/errors.ts';
import { fileError } from './disk.ts';

/**
 * A text for everything at a path. It stays the same as long as no entry comes or goes and no file
 * is written.
 */
export function fingerprint(path: string): string {
  const hash = createHash('sha256');
  for (const { name, stat } of entriesOf(path)) {
    const facts = [name, stat.isDirectory() ? 'folder' : 'other', stat.mode, stat.ino];
    // The change time of the path itself is left out, because moving it changes that time. The
    // times of folders are left out, because their entries show every change.
    if (!stat.isDirectory()) {
      facts.push(stat.size, stat.mtimeNs);
      if (name !== '') facts.push(stat.ctimeNs);
    }
    hash.update(`${JSON.stringify(facts.map(String))}\n`);
  }
  return hash.digest('hex');
}

export interface Entry {
  /** Below the path that is read, with forward slashes; empty for that path itself. */
  readonly name: string;
  readonly stat: BigIntStats;
}

/**
 * Everything at a path and below it, in a fixed order; empty if nothing is there. No link is
 * followed. Throws `io`.
 */
export function entriesOf(path: string): Entry[] {
  const entries: Entry[] = [];
  const collect = (name: string) => {
    const entryPath = join(path, name);
    const stat = lstatSync(entryPath, { bigint: true });
    entries.push({ name, stat });
    if (!stat.isDirectory()) return;
    for (const below of readdirSync(entryPath).sort()) collect(posix.join(name, below));
  };
  try {
    collect('');
  } catch (error) {
    // Nothing is at the path. An entry that goes away later is a failure.
    if (entries.length === 0 && isMissing(error)) return [];
    throw fileError('read', path, error);
  }
  return entries;
}
