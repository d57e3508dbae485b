import { Pieces } from '../../ground/text/pieces.ts';

/** A part of a text: up to the character before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of a text, and what is written instead of it. */
export interface Patch extends Range {
  readonly text: string;
}

/** The text with all patches, which are in their order and do not overlap. */
export function applyPatches(text: string, patches: readonly Patch[]): string {
  const patched = new Pieces();
  let at = 0;
  for (const { start, end, text: added } of patches) {
    patched.add(text.slice(at, start));
    patched.add(added);
    at = end;
  }
  patched.add(text.slice(at));
  return patched.text;
}

/**
 * Adds the patches of a part of a text, which begins at `by`, to those of the whole text. One by one:
 * a call cannot take as many as a large page may have.
 */
export function addPatches(to: Patch[], patches: readonly Patch[], by: number): void {
  for (const { start, end, text } of patches) to.push({ start: start + by, end: end + by, text });
}

/** How many characters a text gets longer. */
export function growthOf(patches: readonly Patch[]): number {
  return patches.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
}

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
