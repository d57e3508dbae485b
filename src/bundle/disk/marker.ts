import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sign, verify } from '../../signature.ts';

const NAME = 'marker.json';
const PURPOSE = 'docs-courier/staging/v1';
const MOST_BYTES = 4096;
const MODE = 0o700;

/**
 * Proves that a staging folder was made by a run of ours, so that a later run may act on what it holds. A folder of the same
 * name may just as well come with a checkout. The signature needs the admin key, and names the folder by its inode: a copy of a
 * folder with its marker is not the folder.
 */
export function writeMarker(folder: string, destination: string, secret: string): void {
  const signature = sign({ secret, purpose: PURPOSE, payload: payloadOf(folder, destination) });
  writeFileSync(join(folder, NAME), `${JSON.stringify({ version: 1, signature })}\n`, { flag: 'wx', mode: 0o600 });
}

/** Whether the folder is one that a run with the same key made for this destination. */
export function hasMarker(folder: string, destination: string, secret: string): boolean {
  try {
    if (!isPrivate(folder)) return false;
    const path = join(folder, NAME);
    const found = lstatSync(path);
    if (!found.isFile() || found.size > MOST_BYTES) return false;
    const marker: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof marker !== 'object' || marker === null || !('signature' in marker)) return false;
    const { signature } = marker;
    return (
      typeof signature === 'string' &&
      verify({ secret, purpose: PURPOSE, payload: payloadOf(folder, destination), signature })
    );
  } catch {
    return false;
  }
}

function payloadOf(folder: string, destination: string): unknown {
  return { version: 1, destination, folder: basename(folder), inode: String(lstatSync(folder).ino) };
}

// Windows has neither such modes nor user ids.
function isPrivate(folder: string): boolean {
  const { mode, uid } = lstatSync(folder);
  return process.getuid === undefined || ((mode & 0o777) === MODE && uid === process.getuid());
}
