import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { CourierError, courierError, errnoOf, isMissing } from '../../ground/errors.ts';
import { formatBytes } from '../../ground/text/amounts.ts';

/**
 * The calls by which a bundle comes to a disk. Tests let them fail as a full or worn disk does, and
 * count what is written.
 */
export interface Disk {
  open(path: string, flags: string | number, mode: number): number;
  /** Gives how many bytes were taken, perhaps not all; without a position, after the last ones. */
  write(fd: number, content: Uint8Array, from: number, at?: number): number;
  makeFolder(path: string, mode: number): void;
  close(fd: number): void;
}

export const systemDisk: Disk = {
  open: openSync,
  write: (fd, content, from, at) => writeSync(fd, content, from, content.length - from, at),
  makeFolder: mkdirSync,
  close: closeSync,
};

/**
 * Writes the whole content, in as many calls as it takes. `at`: the position in the file;
 * undefined: after what was written last.
 */
export function writeAll(disk: Disk, fd: number, content: Uint8Array, at?: number): void {
  // `from` grows by what the disk took.
  for (let from = 0; from < content.length; ) {
    from += disk.write(fd, content, from, at === undefined ? undefined : at + from);
  }
}

const MORE_ROOM = 'free some space, or use a machine with a larger disk.';
const ELSEWHERE = 'choose a path in the working folder or in the folder for temporary files.';
/** In words for a runner and for a person's machine. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: `The disk is full: ${MORE_ROOM}`,
  EDQUOT: `The disk quota is used up: ${MORE_ROOM}`,
  EROFS: `That file system is read-only: ${ELSEWHERE}`,
  EACCES: `This user may not write there: ${ELSEWHERE}`,
  EPERM: `This user may not write there: ${ELSEWHERE}`,
  EMFILE: 'Too many files are open on this machine: run again.',
};

/**
 * `io`: a file operation failed. `what` is what was tried, such as `write to`; a CourierError is
 * returned as it is.
 */
export function fileError(what: string, path: string, cause: unknown): CourierError {
  if (cause instanceof CourierError) return cause;
  // An error that is not of the file system has no code.
  const code = errnoOf(cause) ?? '';
  return courierError(
    'io',
    `Could not ${what} ${path}${code && ` (${code})`}.`,
    HINTS[code] ?? 'Check that the path is on a writable disk of this machine.',
    { cause },
  );
}

/** Does `action`, and turns an error of the file system into `io`, as `fileError` does. */
export function attemptOnDisk<T>(what: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw fileError(what, path, cause);
  }
}

/** The bytes of a file from a position on; fewer at its end. */
export function readPart(path: string, position: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, position));
  } finally {
    closeSync(file);
  }
}

/** The entry at a path, which may be a link; undefined if nothing is there. Throws `io`. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError('read the entry of', path, error);
  }
}

/** The disk of a folder, and how many bytes that needs for each byte of what comes. */
interface Room {
  readonly folder: string;
  readonly factor: number;
}

/** Bytes that may still be written on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder);
  return disk.bavail * disk.bsize;
}

/**
 * Measures the disks that a bundle goes to. On one disk, each part is compared with all that is
 * free. Gives a check that takes the size of the bundle and throws `io` when a disk has no room for
 * that, since the size is known only later.
 */
export async function measureSpace(
  rooms: readonly Room[],
  free: (folder: string) => Promise<number>,
): Promise<(bundleBytes: number) => void> {
  const disks: (Room & { readonly bytesFree: number })[] = [];
  for (const room of rooms) disks.push({ ...room, bytesFree: await free(room.folder) });
  return (bundleBytes) => {
    for (const { folder, factor, bytesFree } of disks) {
      const bytesNeeded = bundleBytes * factor;
      if (bytesFree >= bytesNeeded) continue;
      throw courierError(
        'io',
        `The disk of ${folder} has ${formatBytes(bytesFree)} left; a bundle of ${formatBytes(bundleBytes)} needs ${formatBytes(bytesNeeded)}.`,
        'Free some space, or use a machine with a larger disk.',
      );
    }
  };
}
