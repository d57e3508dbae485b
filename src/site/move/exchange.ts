import type { Patch } from './patch.ts';

/**
 * What a text is: `value` (of an attribute or a style), `code` (a script, data), `markup` (XML, where an address
 * may be all of an element), `words` (rules with addresses between spaces), or `prose`, where an
 * address that cannot be told from a word is no finding.
 */
export type TextKind = 'value' | 'code' | 'markup' | 'words' | 'prose';

/** What finds the addresses of a site that get another base path. */
export interface Exchange {
  /** Without this text, there is none. */
  readonly name: string;
  /** What to write instead of the addresses in a text, which is in Latin-1: one byte a character. */
  find(text: string, kind: TextKind): Patch[];
}
