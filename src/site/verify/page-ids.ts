import { sumOf } from '../../ground/text/pieces.ts';

const MOST_IDS = 5_000_000;

/**
 * The ids of all pages, as 32-bit sums: so those of 200,000 pages take little memory. They are
 * sorted, so that a page full of links to its ids takes no long search.
 */
export class PageIds {
  readonly #sums = new Map<string, readonly number[]>();
  #count = 0;

  add(page: string, ids: readonly string[]): void {
    this.#count += ids.length;
    // The ids of this page stay unknown, so that no link to it is said to lead to nothing.
    if (this.#count > MOST_IDS) return;
    const sums = ids.map((id) => sumOf(id));
    this.#sums.set(
      page,
      sums.sort((a, b) => a - b),
    );
  }

  /** Whether a page has an id; undefined if the ids of the page are not known. */
  has(page: string, sum: number): boolean | undefined {
    const sums = this.#sums.get(page);
    if (sums === undefined) return undefined;
    // A binary search. `?? 0` is for the compiler: every index is below the length.
    let low = 0;
    let high = sums.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) < sum) low = middle + 1;
      else high = middle;
    }
    return sums[low] === sum;
  }
}
