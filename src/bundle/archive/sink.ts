import type { Buffer } from 'node:buffer';
import { createHash, type Hash, hash } from 'node:crypto';

/** One file of the bundle, as it was checked. `sha256` in hex, where it was asked for. */
export interface BundleFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string | undefined;
}

/**
 * Takes what the archive readers find, in order. Every method is done when it returns: there is no write that could still
 * be under way when an archive is refused. Paths come from the admission and from nowhere else.
 */
export interface EntrySink {
  directory(path: string): void;
  /** A whole file at once. */
  file(path: string, content: Buffer): void;
  /** A file in pieces: begin, append as often as needed, finish. */
  begin(path: string): void;
  append(piece: Buffer): void;
  finish(): void;
  readonly files: readonly BundleFile[];
}

/** Reads entries to their end without writing them: for a bundle that is kept packed. */
export class HashSink implements EntrySink {
  readonly files: BundleFile[] = [];
  #open: { readonly path: string; bytes: number; readonly hash: Hash } | undefined;

  directory(): void {}

  file(path: string, content: Buffer): void {
    this.files.push({ path, bytes: content.length, sha256: hash('sha256', content, 'hex') });
  }

  begin(path: string): void {
    this.#open = { path, bytes: 0, hash: createHash('sha256') };
  }

  append(piece: Buffer): void {
    if (this.#open === undefined) return;
    this.#open.bytes += piece.length;
    this.#open.hash.update(piece);
  }

  finish(): void {
    if (this.#open === undefined) return;
    const { path, bytes, hash: sum } = this.#open;
    this.#open = undefined;
    this.files.push({ path, bytes, sha256: sum.digest('hex') });
  }
}
