import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configError, errnoOf } from './errors.ts';

/** Whether a folder stays, asked when it would be removed. */
type Stays = () => boolean;

/** The folders that were made and not removed. */
const folders = new Map<string, Stays>();

/** The folder for temporary files of this machine, for a system that names none. */
export function machineTemporary(): string {
  return tmpdir();
}

/**
 * Makes a folder that no other user can read. Whenever the program ends, normally, by a fault or
 * by a signal, the folder is removed, unless `stays` gives true. `parent` is made if it is missing.
 * Throws what the file system throws.
 */
export function makeTemporary(parent: string, prefix: string, stays: Stays = () => false): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, prefix));
  folders.set(folder, stays);
  return folder;
}

/** Throws `config` if no folder can be made in `parent`: before anything is started. */
export function checkTemporary(parent: string): void {
  try {
    removeTemporary(makeTemporary(parent, 'docs-courier-'));
  } catch (cause) {
    throw configError(
      `The folder for temporary files, ${parent}, cannot be written to (${errnoOf(cause) ?? 'unknown error'}). Nothing was started.`,
      'This run unpacks the site there. Let this user write to the folder, or name another one: in the variable TMPDIR, or on a runner of GitHub Actions in RUNNER_TEMP, which is _temp in the work folder of the runner.',
      { cause },
    );
  }
}

/**
 * Makes a folder for files whose paths the user is given. It stays after the run, unless the run
 * was cancelled by then.
 */
export function makeResultFolder(parent: string, prefix: string, signal?: AbortSignal): string {
  return makeTemporary(parent, prefix, () => signal?.aborted !== true);
}

/** Removes a folder of `makeTemporary` and all that is in it, unless it must stay. Never throws. */
export function removeTemporary(folder: string): void {
  const stays = folders.get(folder);
  // It is undefined for a folder that was removed before.
  if (stays === undefined || stays()) return;
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    folders.delete(folder);
  } catch {
    // Tried again when the program ends. An error here would hide the one that ended the work.
  }
}

// Listeners of `exit` also run after `process.exit`, and are the last code that does.
process.once('exit', () => {
  for (const folder of folders.keys()) removeTemporary(folder);
});
