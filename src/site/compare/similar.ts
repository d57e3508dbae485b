import { sumOf } from '../../ground/text/pieces.ts';
import { inTurns } from '../verify/verify-site.ts';
import type { PageEntry } from './comparison.ts';

/**
 * With more pages than this on either side, moved pages are not looked for by their text: that
 * takes the product of both numbers.
 */
export const MOST_SKETCHED = 500;
/**
 * From this similarity on, two pages at different addresses are one page that was moved and edited.
 */
const LEAST_SIMILARITY = 0.5;

const WORDS = /[\p{L}\p{N}]+/gu;
const RUN_WORDS = 3;
const SKETCH_SUMS = 256;
// A page with fewer runs of words is like many others.
const LEAST_SUMS = 20;

/**
 * A sample of the runs of three words in a text, by which its share in another text is estimated
 * (Broder, 1997): of the checksums of all runs, the smallest ones, sorted.
 */
export function sketchOf(blocks: readonly string[]): Uint32Array {
  const words = blocks.join(' ').match(WORDS) ?? [];
  const sums = new Set<number>();
  for (let at = 0; at + RUN_WORDS <= words.length; at += 1) {
    sums.add(mixed(sumOf(words.slice(at, at + RUN_WORDS).join(' '))));
  }
  return Uint32Array.from(sums).sort().slice(0, SKETCH_SUMS);
}

// Sums of similar texts are near each other: without mixing, the smallest sums would all come from
// one kind of text.
function mixed(sum: number): number {
  const half = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return Math.imul(half ^ (half >>> 13), 0xc2b2ae35) >>> 0;
}

/**
 * The share of all runs of words that two texts have in common, with two decimals: of the smallest
 * sums of both together, how many are in both. Both lists are sorted, so one walk through them
 * finds these. Neither list is empty.
 */
function similarityOf(a: Uint32Array, b: Uint32Array): number {
  let aIndex = 0;
  let bIndex = 0;
  let counted = 0;
  let shared = 0;
  while (counted < SKETCH_SUMS && (aIndex < a.length || bIndex < b.length)) {
    // After the end of one list, only the sums of the other are counted.
    const aSum = a[aIndex] ?? Infinity;
    const bSum = b[bIndex] ?? Infinity;
    if (aSum === bSum) shared += 1;
    // The smaller one is counted; of two equal ones, both at once.
    if (aSum <= bSum) aIndex += 1;
    if (bSum <= aSum) bIndex += 1;
    counted += 1;
  }
  return Math.round((shared / counted) * 100) / 100;
}

interface SimilarPages {
  readonly from: PageEntry;
  readonly to: PageEntry;
  readonly similarity: number;
}

/**
 * Pages of two lists whose texts are similar, those with most in common first. Throws `cancelled`.
 */
export async function similarPairs(
  gonePages: readonly PageEntry[],
  newPages: readonly PageEntry[],
  signal: AbortSignal,
): Promise<readonly SimilarPages[]> {
  const pairs: SimilarPages[] = [];
  const targets = newPages.flatMap(withSketch);
  await inTurns(gonePages.flatMap(withSketch), signal, ([from, sketch]) => {
    for (const [to, other] of targets) {
      const similarity = similarityOf(sketch, other);
      if (similarity >= LEAST_SIMILARITY) pairs.push({ from, to, similarity });
    }
  });
  return pairs.sort((a, b) => b.similarity - a.similarity);
}

/** A page and its sketch; nothing if it has not enough text to be compared. */
function withSketch(page: PageEntry): (readonly [PageEntry, Uint32Array])[] {
  const { sketch } = page;
  if (sketch === undefined || sketch.length < LEAST_SUMS) return [];
  return [[page, sketch]];
}
