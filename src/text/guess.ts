// Longer names are no misspellings, and the work grows with the length.
const LONGEST_NAME = 64;
const LARGEST_DISTANCE = 3;

/**
 * The candidate that a misspelt name most likely means; undefined where none is near enough. Case, `-`, `_` and blanks do not
 * count, so that `secretname` and `SECRET_NAME` both mean `secret-name`.
 */
export function guess(name: string, candidates: readonly string[]): string | undefined {
  const written = bare(name);
  if (written === '' || name.length > LONGEST_NAME) return undefined;
  const [best] = candidates
    .map((candidate) => ({ candidate, far: distance(written, bare(candidate)) }))
    .sort((a, b) => a.far - b.far);
  // Of a short name hardly anything would be left.
  const limit = Math.min(LARGEST_DISTANCE, Math.max(1, Math.floor(written.length / 3)));
  return best !== undefined && best.far <= limit ? best.candidate : undefined;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

// By hand: the kept libraries (fastest-levenshtein, leven) count two swapped letters, the commonest slip, as two edits, so that
// `exprot` is as far from `export` as from `report`.
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
