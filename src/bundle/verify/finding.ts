export const LEVELS = ['error', 'warning', 'note'] as const;
export type Level = (typeof LEVELS)[number];

type FindingKind =
  | 'no-entry-page'
  | 'broken-link'
  | 'missing-asset'
  | 'missing-fragment'
  | 'wrong-case'
  | 'bad-address'
  | 'external-load'
  | 'external-form'
  | 'local-address'
  | 'page-too-large'
  | 'unreadable'
  | 'page-count';

/** One thing that is wrong with an unpacked site. */
export interface Finding {
  readonly level: Level;
  readonly kind: FindingKind;
  /** Path of the file in the site; empty where it is about the whole. */
  readonly page: string;
  /** The address as the page gives it, cut; empty where there is none. */
  readonly target: string;
  /** One sentence without a full stop. */
  readonly reason: string;
}

export interface Verification {
  /** HTML files. */
  readonly pages: number;
  readonly files: number;
  /** References that were checked, repeated ones included. */
  readonly references: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** The first ten, errors first. */
  readonly first: readonly Finding[];
}
