import { readFile, watch } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import { errnoOf } from '../errors.ts';

export interface WatchInit {
  /** Absolute. */
  readonly path: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** An editor writes a file in several steps. */
const SETTLE_MS = 100;

/** Yields whenever the text of a file has changed, until the signal aborts. The folder is watched: editors replace the file. */
export async function* changesOf({ path, clock, signal }: WatchInit): AsyncGenerator<void> {
  let known = await textOf(path);
  try {
    for await (const _ of watch(dirname(path), { signal })) {
      await clock.sleep(SETTLE_MS, signal);
      const text = await textOf(path);
      if (text === known || text === undefined) continue;
      known = text;
      yield;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** undefined while there is none, as between the two steps in which an editor replaces a file. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
