import { Buffer } from 'node:buffer';
import { constants, fsync, ftruncateSync, readSync } from 'node:fs';
import { attemptOnDisk, type Disk, writeAll } from './disk.ts';

const PIECE_BYTES = 256 * 1024;

/** The file is being written again, and must be read from its start. */
export class Restarted extends Error {}

/**
 * A file that is read while it is still written: unpacking does not wait for the end of the
 * download. If the download starts over, so does the file, and then its readers must, too.
 */
export class GrowingFile {
  readonly #fd: number;
  readonly #path: string;
  readonly #disk: Disk;
  #sizeBytes = 0;
  /** Counts the restarts, so that a reader notices one. */
  #generation = 0;
  #isFinished = false;
  #failure: { readonly error: unknown } | undefined;
  /** Readers that wait for the next change. */
  #waiting: (() => void)[] = [];

  /** The file must not exist yet. Throws `io`. */
  constructor(path: string, disk: Disk) {
    this.#path = path;
    this.#disk = disk;
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
    this.#fd = attemptOnDisk('create', path, () => disk.open(path, flags, 0o600));
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(chunk: Buffer): void {
    attemptOnDisk('write the bundle to', this.#path, () => {
      writeAll(this.#disk, this.#fd, chunk, this.#sizeBytes);
    });
    this.#sizeBytes += chunk.length;
    this.#wakeReaders();
  }

  /** Empties the file; its readers end with `Restarted`. */
  restart(): void {
    ftruncateSync(this.#fd, 0);
    this.#sizeBytes = 0;
    this.#generation += 1;
    this.#wakeReaders();
  }

  finish(): void {
    this.#isFinished = true;
    this.#wakeReaders();
  }

  /** No more will be written: readers end with this error, the first one that is given. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wakeReaders();
  }

  /**
   * The content from its start to its end, waiting for what is not written yet. A piece is valid
   * until the next one is asked for. Throws `Restarted`, or the error given to `fail`.
   */
  async *read(): AsyncGenerator<Buffer> {
    const generation = this.#generation;
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let position = 0; ; ) {
      this.#checkReading(generation);
      if (position < this.#sizeBytes) {
        const most = Math.min(PIECE_BYTES, this.#sizeBytes - position);
        const length = readSync(this.#fd, piece, 0, most, position);
        position += length;
        yield piece.subarray(0, length);
      } else if (this.#isFinished) return;
      else await this.#nextChange();
    }
  }

  /** A piece of what is written already. */
  readAt(position: number, length: number): Buffer {
    const piece = Buffer.alloc(length);
    return piece.subarray(0, readSync(this.#fd, piece, 0, length, position));
  }

  /** Waits until everything is written. Throws as `read` does. */
  async whenFinished(): Promise<void> {
    const generation = this.#generation;
    for (;;) {
      this.#checkReading(generation);
      if (this.#isFinished) return;
      await this.#nextChange();
    }
  }

  /** Brings the content to the disk itself, so that a file with a name survives a power cut. */
  flush(): Promise<void> {
    // Not every file system can do it; that is not a failure.
    return new Promise((resolve) => fsync(this.#fd, () => resolve()));
  }

  close(): void {
    this.#disk.close(this.#fd);
  }

  #wakeReaders(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const resume of woken) resume();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Throws if the file failed, or was restarted after `generation`. */
  #checkReading(generation: number): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (generation !== this.#generation) throw new Restarted();
  }
}
