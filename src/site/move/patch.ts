/** A part of a text, and what is written instead of it. */
export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all patches, which are in their order and do not overlap. */
export function applyPatches(text: string, patches: readonly Patch[]): string {
  let patched = '';
  let at = 0;
  for (const { start, end, text: added } of patches) {
    patched += text.slice(at, start) + added;
    at = end;
  }
  return patched + text.slice(at);
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
