import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cancelled } from '../../ground/clock.ts';

/**
 * The digest of a file in hex. Throws `cancelled` as soon as `signal` aborts, and the error of the
 * file system.
 */
export async function hashFile(path: string, hash: Hash, signal?: AbortSignal): Promise<string> {
  for await (const piece of createReadStream(path)) {
    if (signal?.aborted) throw cancelled(signal.reason);
    hash.update(piece);
  }
  return hash.digest('hex');
}
