import type { Patch } from './patch.ts';

/**
 * What a text is: `value` (of an attribute or a style), `code` (a script), `data` (JSON and the like),
 * `markup` (XML, where an address may be all of an element), `words` (addresses between spaces),
 * `rules` (a file for hosts or robots), or `prose`, where an address that cannot be told from a word
 * is not a finding.
 */
export type TextKind = 'value' | 'code' | 'data' | 'markup' | 'words' | 'rules' | 'prose';

/** What finds the addresses of a site that get another base path. */
export interface Exchange {
  /** Without this text, there is none. */
  readonly name: string;
  /** What to write instead of the addresses in a text, which is in Latin-1: one byte a character. */
  find(text: string, kind: TextKind): Patch[];
}
