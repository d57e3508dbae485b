import { Buffer } from 'node:buffer';
import { constants, fsync, ftruncateSync, readSync } from 'node:fs';
import { fileFault } from '../archive/fault.ts';
import { type Disk, writeAll } from '../disk/disk.ts';

const PIECE_BYTES = 256 * 1024;

/** The reading was overtaken: the file is being written anew, and must be read from its start. */
export class Restarted extends Error {}

/** A file that is read while it is still written: what unpacks it needs not wait for the download's end. */
export interface GrowingFile {
  readonly path: string;
  readonly sizeBytes: number;
  append(chunk: Buffer): void;
  /** Empties the file; readings under way end with `Restarted`. */
  restart(): void;
  finish(): void;
  fail(error: unknown): void;
  /** From the start to the end, waiting for what is not there yet. Each piece is good until the next one is asked for. */
  read(): AsyncGenerator<Buffer>;
  /** A piece of what is there already. */
  readAt(position: number, length: number): Buffer;
  whenFinished(): Promise<void>;
  /** Brings the content to the disk itself: a name must not survive a power cut without it. */
  flush(): Promise<void>;
  close(): void;
}

/** The file must not exist yet. Throws `io`. */
export function createGrowingFile(path: string, disk: Disk): GrowingFile {
  const fd = openNew(path, disk);
  let sizeBytes = 0;
  let generation = 0;
  let finished = false;
  let isOpen = true;
  let failure: { readonly error: unknown } | undefined;
  let waiting: (() => void)[] = [];

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  }

  function checkReading(started: number): void {
    if (failure !== undefined) throw failure.error;
    if (generation !== started) throw new Restarted();
  }

  function change(): Promise<void> {
    return new Promise((resolve) => waiting.push(resolve));
  }

  async function* read(): AsyncGenerator<Buffer> {
    const started = generation;
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let position = 0; ; ) {
      checkReading(started);
      if (position < sizeBytes) {
        const length = readSync(fd, piece, 0, Math.min(PIECE_BYTES, sizeBytes - position), position);
        position += length;
        yield piece.subarray(0, length);
      } else if (finished) return;
      else await change();
    }
  }

  return {
    path,
    get sizeBytes() {
      return sizeBytes;
    },
    append(chunk) {
      try {
        writeAll(disk, fd, { content: chunk, at: sizeBytes });
      } catch (cause) {
        throw fileFault('write the bundle to', path, cause);
      }
      sizeBytes += chunk.length;
      wake();
    },
    restart() {
      ftruncateSync(fd, 0);
      sizeBytes = 0;
      generation += 1;
      wake();
    },
    finish() {
      finished = true;
      wake();
    },
    fail(error) {
      failure ??= { error };
      wake();
    },
    read,
    readAt(position, length) {
      const piece = Buffer.alloc(length);
      const got = readSync(fd, piece, 0, length, position);
      return piece.subarray(0, got);
    },
    async whenFinished() {
      const started = generation;
      while (!finished) {
        checkReading(started);
        await change();
      }
      checkReading(started);
    },
    // Not every file system can do it; that is no failure.
    flush: () => new Promise((resolve) => fsync(fd, () => resolve())),
    close() {
      if (!isOpen) return;
      isOpen = false;
      disk.close(fd);
    },
  };
}

function openNew(path: string, disk: Disk): number {
  try {
    return disk.open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (cause) {
    throw fileFault('create', path, cause);
  }
}
