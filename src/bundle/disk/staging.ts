import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CourierError, isMissing } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { fileFault } from '../archive/fault.ts';

/**
 * A private folder beside a destination, on the same file system, so that what is whole comes to its place by one rename.
 * Its name tells the destination and the process, so that a later run finds what a killed one left.
 */
export interface Staging {
  /** Where the new content is made. */
  readonly fresh: string;
  /** Puts a small file beside the destination: whole or not at all, and never through a link that stands there. */
  publishText(path: string, text: string): void;
  /** Moves `fresh` to the destination. With `replace`, what stood there is moved away first and removed after. */
  publish(options: { replace: boolean; between?: () => void }): void;
  /** Removes the folder and whatever is in it. Never throws. */
  discard(): void;
}

const FRESH = 'fresh';
const FORMER = 'former';

export function openStaging(destination: string): Staging {
  const { parent, prefix } = placeOf(destination);
  try {
    mkdirSync(parent, { recursive: true });
    const home = lstatSync(realpathSync(parent));
    // 0700 by itself.
    const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
    return createStaging({ destination, parent, folder, home: { device: home.dev, inode: home.ino } });
  } catch (cause) {
    throw fileFault('make a folder beside', destination, cause);
  }
}

interface StagingPlace {
  readonly destination: string;
  readonly parent: string;
  readonly folder: string;
  readonly home: { readonly device: number; readonly inode: number };
}

function createStaging({ destination, parent, folder, home }: StagingPlace): Staging {
  const fresh = join(folder, FRESH);
  const former = join(folder, FORMER);

  // Between the first look and now the parent may have been swapped for a link that leads elsewhere.
  function checkParent(): void {
    const now = lstatSync(realpathSync(parent));
    const stays = now.dev === home.device && now.ino === home.inode && lstatSync(folder).isDirectory();
    if (!stays) throw moved(destination);
  }

  function publish({ replace, between }: { replace: boolean; between?: () => void }): void {
    checkParent();
    const stands = exists(destination);
    if (stands && !replace && !isEmptyFolder(destination)) throw taken(destination);
    const made = lstatSync(fresh);
    // One rename replaces a file in one step; a folder with content has to be moved away first.
    const isFolder = stands && lstatSync(destination).isDirectory();
    if (isFolder) renameSync(destination, former);
    between?.();
    try {
      renameSync(fresh, destination);
    } catch (cause) {
      if (isFolder) renameSync(former, destination);
      throw cause;
    }
    const now = lstatSync(destination);
    if (now.ino !== made.ino || now.dev !== made.dev || now.isSymbolicLink()) throw moved(destination);
  }

  return {
    fresh,
    publishText(path, text) {
      try {
        checkParent();
        const made = join(folder, 'text');
        writeFileSync(made, text, { flag: 'wx', mode: 0o644 });
        renameSync(made, path);
      } catch (cause) {
        throw fileFault('write', path, cause);
      }
    },
    publish(options) {
      try {
        publish(options);
      } catch (cause) {
        throw fileFault('move the bundle to', destination, cause);
      }
    },
    discard: () => removeQuietly(folder),
  };
}

/** A folder for the unpacked site, with the mode it will have at its place. */
export function makeFreshFolder({ fresh }: Staging): string {
  try {
    mkdirSync(fresh);
    chmodSync(fresh, 0o755);
    return fresh;
  } catch (cause) {
    throw fileFault('create the folder', fresh, cause);
  }
}

function placeOf(destination: string): { parent: string; prefix: string } {
  return { parent: dirname(destination), prefix: `.${basename(destination).slice(0, 100)}.courier-` };
}

/** Folders that killed runs left beside this destination. Those of processes that still run are not among them. */
export function findLeftovers(destination: string): { folder: string; former: string | undefined }[] {
  const { parent, prefix } = placeOf(destination);
  return listFolder(parent).flatMap((name) => {
    const pid = name.startsWith(prefix)
      ? /^(\d{1,10})-[A-Za-z0-9]{6}$/.exec(name.slice(prefix.length))?.[1]
      : undefined;
    if (pid === undefined || isRunning(Number(pid))) return [];
    const folder = join(parent, name);
    const former = join(folder, FORMER);
    return lstatSync(folder).isDirectory() ? [{ folder, former: exists(former) ? former : undefined }] : [];
  });
}

/** Puts right what a killed run left: the former content goes back where nothing stands, the rest is removed. */
export function recoverDestination(destination: string, log: Log): void {
  for (const { folder, former } of findLeftovers(destination)) {
    try {
      if (former !== undefined && !exists(destination)) {
        renameSync(former, destination);
        log.info(`An earlier run was stopped while it replaced ${destination}; the former content is back.`);
      }
    } catch (cause) {
      throw fileFault('bring back the former content of', destination, cause);
    }
    removeQuietly(folder);
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw fileFault('list', path, error);
  }
}

export function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The next run tries again; the reason for which this one ends is more important.
  }
}

export function taken(destination: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `${destination} is there already and is not empty.`,
    hint: 'Add "clean: true" to replace it, or choose a path where nothing stands.',
  });
}

function moved(destination: string): CourierError {
  return new CourierError({
    code: 'io',
    message: `The folder that holds ${destination} was replaced while the bundle was unpacked.`,
    hint: 'Another process works there at the same time: choose a folder that only this step writes to.',
  });
}
