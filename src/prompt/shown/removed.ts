/**
 * Parts of a text that GitHub does not show, so that they are not sent either. In the order in
 * which they are reported.
 */
const REMOVED_KINDS = [
  'comments',
  'hidden elements',
  'folded parts',
  'scripts and styles',
  'tags',
  'attributes',
  'link addresses',
  'link definitions',
  'images',
  'math',
  'diagrams',
  'unused footnotes',
  'excess table cells',
  'too deeply nested text',
  'text after long runs of spaces',
  'invisible characters',
  'text over the length limit',
] as const;

export type RemovedKind = (typeof REMOVED_KINDS)[number];

export interface Removed {
  readonly kind: RemovedKind;
  readonly characters: number;
}

/** Counts what is left out, by kind. */
export class Losses {
  readonly #counts = new Map<RemovedKind, number>();

  /** A count of nothing is not one of the losses. */
  add(kind: RemovedKind, characters: number): void {
    if (characters > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + characters);
  }

  /** In the order in which they are reported. */
  list(): Removed[] {
    const removed: Removed[] = [];
    for (const kind of REMOVED_KINDS) {
      const characters = this.#counts.get(kind);
      if (characters !== undefined) removed.push({ kind, characters });
    }
    return removed;
  }
}

/** `12 characters of comments, 3 of tags`: only the first names the unit. */
export function describeRemoved(removed: readonly Removed[]): string {
  return removed
    .map((one) => `${one.characters.toLocaleString('en-US')} of ${one.kind}`)
    .join(', ')
    .replace(' of ', ' characters of ');
}
