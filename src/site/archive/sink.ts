import type { Buffer } from 'node:buffer';
import { createHash, type Hash, hash } from 'node:crypto';
import type { Admission } from './admission.ts';

/** One file of the bundle, as it was checked. `sha256` in hex, if it was asked for. */
export interface BundleFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string | undefined;
}

/**
 * Takes what the archive readers find, in order. Every method is done when it returns: there is no
 * write that could still be under way when an archive is refused. Paths come from the admission and
 * from nowhere else.
 */
export interface EntrySink {
  directory(path: string): void;
  /** A file comes in pieces: begin, then append. The last piece, perhaps empty, ends it. */
  begin(path: string): void;
  append(piece: Buffer): void;
  appendLast(piece: Buffer): void;
  readonly files: readonly BundleFile[];
}

/**
 * An archive that may still be downloading. A zip is read once it is complete, a tar as it comes.
 */
export interface ArchiveSource {
  /** What has come so far. */
  readonly sizeBytes: number;
  /** From the start to the end; each piece is good until the next one is asked for. */
  read(): AsyncIterable<Buffer>;
  readAt(position: number, length: number): Buffer;
  whenFinished(): Promise<void>;
}

export interface ArchiveReading {
  readonly source: ArchiveSource;
  readonly admission: Admission;
  readonly sink: EntrySink;
  readonly signal: AbortSignal;
}

/** Reads entries to their end without writing them: for a bundle that is kept packed. */
export class HashSink implements EntrySink {
  readonly files: BundleFile[] = [];
  readonly #hashesFiles: boolean;
  #path = '';
  #bytes = 0;
  #hash: Hash | undefined;

  /** `hashesFiles`: whether the SHA-256 of each file is wanted. */
  constructor({ hashesFiles }: { readonly hashesFiles: boolean }) {
    this.#hashesFiles = hashesFiles;
  }

  directory(_path: string): void {}

  begin(path: string): void {
    this.#path = path;
    this.#bytes = 0;
    this.#hash = undefined;
  }

  append(piece: Buffer): void {
    this.#bytes += piece.length;
    if (!this.#hashesFiles) return;
    this.#hash ??= createHash('sha256');
    this.#hash.update(piece);
  }

  appendLast(piece: Buffer): void {
    const bytes = this.#bytes + piece.length;
    this.files.push({ path: this.#path, bytes, sha256: this.#digestWith(piece) });
  }

  #digestWith(lastPiece: Buffer): string | undefined {
    if (!this.#hashesFiles) return undefined;
    // Most files come whole: one call for these takes a third of the time.
    if (this.#hash === undefined) return hash('sha256', lastPiece, 'hex');
    return this.#hash.update(lastPiece).digest('hex');
  }
}
