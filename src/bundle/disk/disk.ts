import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';

/** The calls by which a bundle comes to a disk. Tests let them fail as a full or worn disk does, and count what is written. */
export interface Disk {
  open(path: string, flags: string | number, mode: number): number;
  /** Gives how many bytes were taken, perhaps not all; without a position, behind the last ones. */
  write(fd: number, content: Uint8Array, place: { readonly from: number; readonly at?: number }): number;
  makeFolder(path: string, mode: number): void;
  close(fd: number): void;
}

export const systemDisk: Disk = {
  open: openSync,
  write: (fd, content, { from, at }) => writeSync(fd, content, from, content.length - from, at),
  makeFolder: (path, mode) => {
    mkdirSync(path, mode);
  },
  close: closeSync,
};

/** Writes all of it, however often that takes. */
export function writeAll(disk: Disk, fd: number, { content, at }: { content: Uint8Array; at?: number }): void {
  for (let from = 0; from < content.length; ) {
    from += disk.write(fd, content, at === undefined ? { from } : { from, at: at + from });
  }
}
