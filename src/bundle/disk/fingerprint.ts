import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isMissing } from '../../errors.ts';
import { fileError } from './disk.ts';

/**
 * The same text means that nothing has changed there: no entry came or went, and no file was
 * written.
 */
export function fingerprint(path: string): string {
  const hash = createHash('sha256');
  for (const { name, stat } of entriesOf(path)) {
    const facts = [name, stat.isDirectory() ? 'folder' : 'other', stat.mode, stat.ino];
    // Moving the entry itself changes its own time of change; the times of folders say nothing that
    // their entries do not.
    if (!stat.isDirectory()) facts.push(stat.size, stat.mtimeNs, name === '' ? '' : stat.ctimeNs);
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
 * Everything at a path and below it, in a fixed order; none if nothing is. No link is followed.
 * Throws `io`.
 */
export function entriesOf(path: string): Entry[] {
  const entries: Entry[] = [];
  const read = (name: string) => {
    const own = join(path, name);
    const stat = lstatSync(own, { bigint: true });
    entries.push({ name, stat });
    if (!stat.isDirectory()) return;
    for (const below of readdirSync(own).sort()) read(posix.join(name, below));
  };
  try {
    read('');
  } catch (error) {
    if (entries.length === 0 && isMissing(error)) return [];
    throw fileError('read', path, error);
  }
  return entries;
}
