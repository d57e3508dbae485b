/** What is known about a bundle that was received. Everything in it may be printed. */
export interface BundleFacts {
  /** Where the archive was kept; undefined: it was not. */
  readonly path: string | undefined;
  /** Of the archive, in hex. */
  readonly sha256: string;
  /** Of the archive. */
  readonly bytes: number;
  readonly manifestPath: string | undefined;
  readonly checksumPath: string | undefined;
  /** The folder that holds the entry page; undefined when nothing was unpacked. */
  readonly sitePath: string | undefined;
  /** Path of the JSON file with every finding. */
  readonly verifyReport: string | undefined;
  readonly format: 'tar.gz' | 'tar' | 'zip';
  readonly files: number;
  readonly unpackedBytes: number;
  /** How often the download was taken up again after a cut. */
  readonly resumed: number;
  readonly verification: Verification | undefined;
}

export const LEVELS = ['error', 'warning', 'note'] as const;
export type Level = (typeof LEVELS)[number];

export const FINDING_KINDS = [
  'no-entry-page',
  'broken-link',
  'missing-asset',
  'missing-fragment',
  'wrong-case',
  'bad-address',
  'external-load',
  'external-form',
  'local-address',
  'page-too-large',
  'unreadable',
  'page-count',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** One thing that is wrong with an unpacked site. */
export interface Finding {
  readonly level: Level;
  readonly kind: FindingKind;
  /** Path of the file in the bundle; empty where it is about the whole. */
  readonly page: string;
  /** The address as it stands in the page, cut; empty where there is none. */
  readonly target: string;
  /** One sentence without a full stop. */
  readonly reason: string;
}

export interface Verification {
  /** HTML files. */
  readonly pages: number;
  readonly files: number;
  /** References that were looked at, repeated ones included. */
  readonly references: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** The first ten, errors first. */
  readonly first: readonly Finding[];
}
