import { sumOf } from '../../text/pieces.ts';

/** Of more pages, on either side, none is compared with those at other addresses: that takes the product of both numbers. */
export const MOST_SKETCHED = 500;
/** From here on two pages at different addresses are one that was moved and edited. */
const LEAST_SIMILARITY = 0.5;

const WORDS = /[\p{L}\p{N}]+/gu;
const RUN_WORDS = 3;
const SKETCH_SUMS = 256;
// A page with fewer runs of words is like many others.
const LEAST_SUMS = 20;

/** A sample of the runs of three words in a text, by which its share in another text is estimated (Broder, 1997). */
export function sketchOf(blocks: readonly string[]): Uint32Array {
  const words = blocks.join(' ').match(WORDS) ?? [];
  const sums = new Set<number>();
  for (let at = 0; at + RUN_WORDS <= words.length; at += 1) {
    sums.add(mixed(sumOf(words.slice(at, at + RUN_WORDS).join(' '))));
  }
  return Uint32Array.from(sums).sort().slice(0, SKETCH_SUMS);
}

// The sums of similar texts are near each other: without this, the smallest would all be of one kind.
function mixed(sum: number): number {
  const half = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return Math.imul(half ^ (half >>> 13), 0xc2b2ae35) >>> 0;
}

/** The share of all runs of words that two texts have in common, with two decimals. */
function similarityOf(a: Uint32Array, b: Uint32Array): number {
  const [both, all] = [new Set(b), new Set([...a, ...b])];
  const sample = Uint32Array.from(all).sort().slice(0, SKETCH_SUMS);
  const last = sample.at(-1) ?? 0;
  const shared = a.filter((sum) => sum <= last && both.has(sum));
  return Math.round((shared.length / Math.max(1, sample.length)) * 100) / 100;
}

/** Pages of two lists whose texts are similar, those with most in common first. */
export function similarPairs<T extends { readonly sketch?: Uint32Array | undefined }>(
  gone: readonly T[],
  fresh: readonly T[],
) {
  const sketched = (pages: readonly T[]) =>
    pages.flatMap((page) => (page.sketch && page.sketch.length >= LEAST_SUMS ? [{ page, sketch: page.sketch }] : []));
  const targets = sketched(fresh);
  return sketched(gone)
    .flatMap((from) =>
      targets.map((to) => ({ from: from.page, to: to.page, similarity: similarityOf(from.sketch, to.sketch) })),
    )
    .filter(({ similarity }) => similarity >= LEAST_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity);
}
