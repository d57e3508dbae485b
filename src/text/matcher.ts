/** A part of a text, from `start` up to but without `end`. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

const ROOT = 0;
const UNITS = 0x10000;
const CUT = '…';

/**
 * Finds many words in one reading of a text (Aho and Corasick, 1975): the work does not depend on what the words have in common
 * with each other or with the text, which both may come from someone who would like it to take long.
 */
export class Matcher {
  readonly #next = new Map<number, number>();
  readonly #first = new Set<number>();
  readonly #depth: number[] = [0];
  /** Length of the longest word that ends in a state; 0 for none. */
  readonly #word: number[] = [0];
  /** Where to go on when no word goes on. */
  readonly #fallback: number[] = [ROOT];
  /** True where the beginning that a state stands for may be taken for a word that was cut. */
  readonly #cuttable: boolean[] = [false];
  readonly #shortestCut: number;

  /** `cuttable`: words of which a beginning of `shortestCut` units counts too where the text was cut or ends. */
  constructor(words: readonly string[], cuttable: ReadonlySet<string>, shortestCut: number) {
    this.#shortestCut = shortestCut;
    for (const word of words) {
      this.#first.add(word.charCodeAt(0));
      this.#add(word, cuttable.has(word));
    }
    this.#link();
  }

  #add(word: string, isCuttable: boolean): void {
    let state = ROOT;
    for (let at = 0; at < word.length; at += 1) {
      const key = state * UNITS + word.charCodeAt(at);
      let next = this.#next.get(key);
      if (next === undefined) {
        next = this.#depth.length;
        this.#next.set(key, next);
        this.#depth.push(at + 1);
        this.#word.push(0);
        this.#fallback.push(ROOT);
        this.#cuttable.push(false);
      }
      state = next;
      if (isCuttable) this.#cuttable[state] = true;
    }
    this.#word[state] = word.length;
  }

  // States by their depth: a fallback is less deep than its state, and known when it is needed.
  #link(): void {
    const edges = [...this.#next].sort(([, a], [, b]) => (this.#depth[a] ?? 0) - (this.#depth[b] ?? 0));
    for (const [key, state] of edges) {
      const parent = Math.floor(key / UNITS);
      const fallback = parent === ROOT ? ROOT : this.#step(this.#fallback[parent] ?? ROOT, key % UNITS);
      this.#fallback[state] = fallback;
      this.#word[state] ||= this.#word[fallback] ?? 0;
    }
  }

  #step(from: number, unit: number): number {
    for (let state = from; ; state = this.#fallback[state] ?? ROOT) {
      const next = this.#next.get(state * UNITS + unit);
      if (next !== undefined) return next;
      if (state === ROOT) return ROOT;
    }
  }

  find(text: string): Match[] {
    const matches: Match[] = [];
    let state = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      if (state === ROOT && !this.#first.has(text.charCodeAt(at))) continue;
      if (state !== ROOT && text[at] === CUT) this.#findCut(state, at, matches);
      state = this.#step(state, text.charCodeAt(at));
      const length = this.#word[state] ?? 0;
      if (length > 0) matches.push({ start: at + 1 - length, end: at + 1 });
    }
    this.#findCut(state, text.length, matches);
    return matches;
  }

  #findCut(from: number, end: number, matches: Match[]): void {
    for (let state = from; state !== ROOT; state = this.#fallback[state] ?? ROOT) {
      const depth = this.#depth[state] ?? 0;
      if (depth < this.#shortestCut) return;
      if (this.#cuttable[state] === true) {
        matches.push({ start: end - depth, end });
        return;
      }
    }
  }
}
