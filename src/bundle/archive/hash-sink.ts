import type { Buffer } from 'node:buffer';
import { createHash, type Hash, hash } from 'node:crypto';
import type { BundleFile, EntrySink } from './sink.ts';

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
