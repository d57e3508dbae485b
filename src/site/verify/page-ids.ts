import { sumOf } from '../../ground/text/pieces.ts';

const MOST_IDS = 5_000_000;

/**
 * The ids of all pages, as 32-bit sums in one array: of each page the number of its ids and then
 * their sums, sorted. So the ids of 200,000 pages take little memory, and a page full of links to
 * its ids takes no long search.
 */
export class PageIds {
  readonly #starts = new Map<string, number>();
  #sums = new Int32Array(1024);
  #length = 0;

  add(page: string, ids: readonly string[]): void {
    const start = this.#length + 1;
    const end = start + ids.length;
    // The ids of this page stay unknown, so that no link to it is said to lead to nothing.
    if (end > MOST_IDS) return;
    if (end > this.#sums.length) {
      // With room for more, so that it seldom has to grow.
      const larger = new Int32Array(end * 2);
      larger.set(this.#sums);
      this.#sums = larger;
    }
    this.#sums[this.#length] = ids.length;
    for (const [index, id] of ids.entries()) this.#sums[start + index] = sumOf(id);
    this.#sums.subarray(start, end).sort();
    this.#starts.set(page, this.#length);
    this.#length = end;
  }

  /** Whether a page has an id; undefined if the ids of the page are not known. */
  has(page: string, sum: number): boolean | undefined {
    const at = this.#starts.get(page);
    if (at === undefined) return undefined;
    // `?? 0` is for the compiler: every index is below `#length`.
    const last = at + (this.#sums[at] ?? 0);
    // A binary search in the sums of the page.
    let low = at + 1;
    let high = last;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sums[middle] ?? 0) < sum) low = middle + 1;
      else high = middle;
    }
    // In a page without ids, `low` is behind `last` from the start.
    return low <= last && this.#sums[low] === sum;
  }
}
