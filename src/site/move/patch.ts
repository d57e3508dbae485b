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

/** The patches of a part of a text, for the whole text. */
export function shiftPatches(patches: readonly Patch[], by: number): Patch[] {
  return patches.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
}

/** How many characters a text gets longer. */
export function growthOf(patches: readonly Patch[]): number {
  return patches.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
}
