import type { Buffer } from 'node:buffer';

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
