import type { ArchiveFormat } from './archive/archive.ts';
import type { Verification } from './verify/finding.ts';

/** What is known about a bundle that was received. Everything in it may be printed. */
export interface BundleFacts {
  /** Where the archive is kept; undefined: it is not. */
  readonly path?: string | undefined;
  /** Of the archive, in hex. */
  readonly sha256: string;
  /** Of the archive. */
  readonly bytes: number;
  readonly manifestPath?: string | undefined;
  /** Of the manifest, in hex. */
  readonly manifestSha256?: string | undefined;
  readonly checksumPath?: string | undefined;
  /** The folder that holds the entry page; undefined when nothing was unpacked. */
  readonly sitePath?: string | undefined;
  /** Path of the JSON file with every finding. */
  readonly verifyReport?: string | undefined;
  readonly format: ArchiveFormat;
  readonly files: number;
  /** HTML files, without the page for what is not found: counted, not the platform's word. */
  readonly pages: number;
  readonly unpackedBytes: number;
  /** How often the download was resumed after an interruption. */
  readonly resumed: number;
  readonly verification?: Verification | undefined;
}
