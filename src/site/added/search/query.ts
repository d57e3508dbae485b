import SearchableMap from 'minisearch/SearchableMap';
import { englishStem } from './english.ts';
import { type Base, decodePostings, lengthOf, type Posting, readTerms } from './format.ts';
import { WordReader } from './words.ts';

/** A longer query is not narrower, and takes longer. */
const MAX_QUERY_CHARS = 400;
const MAX_TERMS = 16;
/** How many sections of a page the results show. */
const MAX_SECTIONS = 3;

// BM25 (Robertson and Zaragoza, 2009): how soon another occurrence counts for little, and how much
// the length of a section counts.
const SATURATION = 1.5;
const LENGTH_SHARE = 0.6;

// How near a term of the index is to a word of the query, up to 1. These numbers, and those of the
// methods below, were tuned with the lists of queries in `test/fixtures/site-search`.
/** A word of the query is corrected if no term of the index is at least this near. */
const CORRECTED_BELOW = 0.5;
/** Another form of the same word, such as its plural. */
const SAME_WORD = 0.9;

/** A page of the results with its best sections, the best first. */
export interface RankedPage {
  readonly sections: readonly number[];
  readonly score: number;
}

export interface Ranking {
  /** The best first. */
  readonly pages: readonly RankedPage[];
  /** What was found in the index for the query: other forms and corrected words too. */
  readonly terms: ReadonlySet<string>;
}

/**
 * An index that is searched while its files arrive. A `?? 0` behind square brackets is for the
 * compiler: the element is there.
 */
export class SearchIndex {
  readonly #base: Base;
  readonly #reader: WordReader;
  readonly #terms = new SearchableMap<string>();
  /** The page of each section. */
  readonly #pageOf: Int32Array;
  readonly #meanLength: number;
  readonly #isEnglish: boolean;

  constructor(base: Base) {
    this.#base = base;
    this.#reader = new WordReader(base.language);
    this.#isEnglish = /^en(?:-|$)/i.test(base.language);
    this.#pageOf = new Int32Array(base.lengths.length);
    let section = 0;
    for (const [page, count] of base.pages.entries()) {
      this.#pageOf.fill(page, section, section + count);
      section += count;
    }
    let length = 0;
    for (let at = 0; at < section; at += 1) length += lengthOf(base.lengths, at);
    // At least 1, since lengths are divided by it: a site may have no text at all.
    this.#meanLength = Math.max(1, length / Math.max(1, section));
  }

  /** The numbers of the files of terms that a query needs. */
  termFiles(query: string): number[] {
    const firsts = this.#base.terms;
    const files = new Set<number>();
    for (const term of this.#termsOf(query)) {
      // Terms that begin with this one, and its other forms, have its first two characters. Only
      // corrections may not: those in files that no query has loaded are not found.
      const start = [...term].slice(0, 2).join('');
      // A file has the terms from its first one to that of the next file; -1: before all files.
      // `\uffff` sorts after every term with this start.
      const from = firsts.findLastIndex((first) => first <= start);
      const to = firsts.findLastIndex((first) => first <= `${start}\uffff`);
      for (let file = Math.max(0, from); file <= to; file += 1) files.add(file);
    }
    return [...files].sort((a, b) => a - b);
  }

  /** Takes a file of terms. Throws `IndexProblem`. */
  addTerms(value: unknown): void {
    for (const [term, postings] of readTerms(value, this.#base)) this.#terms.set(term, postings);
  }

  /** Ranks the pages by the terms that were added. Throws `IndexProblem` if these are damaged. */
  rank(query: string): Ranking {
    const asked = this.#termsOf(query);
    const terms = new Set<string>();
    const scores: Map<number, number>[] = [];
    for (const [at, term] of asked.entries()) {
      const mayBeUnfinished = at === asked.length - 1;
      const matches = this.#matches(term, mayBeUnfinished);
      for (const found of matches.keys()) terms.add(found);
      // A word that is nowhere on the site is left out of the query.
      if (matches.size > 0) scores.push(this.#score(matches));
    }
    return { pages: this.#pages(scores), terms };
  }

  #termsOf(query: string): string[] {
    return [...new Set(this.#reader.terms(query.slice(0, MAX_QUERY_CHARS)))].slice(0, MAX_TERMS);
  }

  /**
   * The terms of the index that fit a term of the query: the term itself, terms that begin with it,
   * other forms, and corrections. Each with how near it is to what was asked for, up to 1.
   */
  #matches(asked: string, mayBeUnfinished: boolean): ReadonlyMap<string, number> {
    const nearness = new Map<string, number>();
    let nearest = 0;
    const add = (term: string, near: number) => {
      nearness.set(term, Math.max(near, nearness.get(term) ?? 0));
      nearest = Math.max(nearest, near);
    };
    if (this.#terms.has(asked)) add(asked, 1);
    // Two letters begin too many words, unless a reader may still be typing them.
    if (asked.length > (mayBeUnfinished ? 1 : 2)) {
      // The less a term has behind the beginning, the nearer it is: from 0.4 to 0.8.
      for (const term of this.#terms.atPrefix(asked).keys())
        add(term, 0.4 + (0.4 * asked.length) / term.length);
    }
    for (const [term, near] of this.#otherForms(asked)) add(term, near);
    if (nearest < CORRECTED_BELOW) {
      for (const [term, [, distance]] of this.#terms.fuzzyGet(asked, tolerance(asked))) {
        // At distance 0 it is the term itself, which was added above. A correction is the nearer,
        // the fewer of the characters are wrong, and never as near as what needs no correction.
        const loss = (CORRECTED_BELOW * distance) / asked.length;
        if (distance > 0) add(term, CORRECTED_BELOW - loss);
      }
    }
    return nearness;
  }

  /**
   * Terms with the same beginning and another ending: `restarting` and `restart`, which have the
   * same stem, `redacted` and `redaction`, which have not. One may come twice: the nearer counts.
   */
  *#otherForms(asked: string): Generator<readonly [string, number]> {
    // Short words begin like many others.
    if (asked.length < 4) return;
    const stem = this.#stemOf(asked);
    for (const term of this.#terms.atPrefix(asked.slice(0, 3)).keys()) {
      if (term === asked) continue;
      if (this.#stemOf(term) === stem) yield [term, SAME_WORD];
      const shared = sharedStart(asked, term);
      const askedEnding = asked.slice(shared);
      const ending = term.slice(shared);
      // More than half is shared, and both endings are short: else it is another word.
      const isForm = shared >= asked.length * 0.55 && askedEnding.length <= 5 && ending.length <= 3;
      // Terms that differ in a digit are different things, such as `http1` and `http2`.
      const hasDigit = /\p{N}/u.test(askedEnding + ending);
      if (isForm && !hasDigit) yield [term, (0.7 * shared) / Math.max(asked.length, term.length)];
    }
  }

  /** Endings are removed in English only: in other languages they mean something else. */
  #stemOf(term: string): string {
    return this.#isEnglish ? englishStem(term) : term;
  }

  /**
   * How well each section with one of the terms fits. If it has several of them, the best one
   * counts.
   */
  #score(matches: ReadonlyMap<string, number>): Map<number, number> {
    const scores = new Map<number, number>();
    const count = this.#base.lengths.length;
    for (const [term, nearness] of matches) {
      const postings = decodePostings(this.#terms.get(term) ?? '', count);
      const rarity = this.#rarity(postings.length);
      for (const posting of postings) {
        const score = nearness * rarity * this.#saturated(posting);
        if (score > (scores.get(posting.section) ?? 0)) scores.set(posting.section, score);
      }
    }
    return scores;
  }

  /**
   * The weight of a term that is in this many sections. A term that is almost everywhere, such as
   * `the`, counts next to nothing.
   */
  #rarity(sections: number): number {
    return Math.log(1 + (this.#base.lengths.length - sections + 0.5) / (sections + 0.5));
  }

  /** How much a term counts in a section: further occurrences, and long sections, add less. */
  #saturated(posting: Posting): number {
    const weight = posting.weight;
    const relativeLength = lengthOf(this.#base.lengths, posting.section) / this.#meanLength;
    // The weight at which a term has half of what it can count; larger in a long section.
    const halfWeight = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relativeLength);
    return (weight * (SATURATION + 1)) / (weight + halfWeight);
  }

  /**
   * Ranks pages by their best section, and by the best score of each term anywhere on the page. A
   * page without some of the words counts less, by how rare these words are. `scores`: for each
   * term of the query, the scores of the sections that have it.
   */
  #pages(scores: readonly Map<number, number>[]): RankedPage[] {
    // First the score of each section for the whole query.
    const sectionScores = new Map<number, number>();
    for (const ofTerm of scores)
      for (const [section, score] of ofTerm)
        sectionScores.set(section, (sectionScores.get(section) ?? 0) + score);
    // Then the sections of each page, the best first.
    const sorted = [...sectionScores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const pages = new Map<number, typeof sorted>();
    for (const entry of sorted) {
      const page = this.#pageOf[entry[0]] ?? 0;
      const ofPage = pages.get(page) ?? [];
      ofPage.push(entry);
      pages.set(page, ofPage);
    }
    const rarities = scores.map((ofTerm) => this.#rarity(ofTerm.size));
    const wholeQuery = sum(rarities);
    const ranked = Array.from(pages.values(), (ofPage) => {
      const bestScore = ofPage[0]?.[1] ?? 0;
      const ofTerms = scores.map((ofTerm) =>
        ofPage.reduce((best, [section]) => Math.max(best, ofTerm.get(section) ?? 0), 0),
      );
      // How much of the query is on the page, a rare word counting more.
      const share = sum(rarities.filter((_, at) => (ofTerms[at] ?? 0) > 0)) / wholeQuery;
      const sections = ofPage.slice(0, MAX_SECTIONS).map(([section]) => section);
      // The root, since a page without one of the words may still be the right one.
      return { sections, score: (bestScore + sum(ofTerms)) * Math.sqrt(share) };
    });
    // Of equal scores the earlier page comes first, so that the order is always the same.
    return ranked.sort((a, b) => b.score - a.score || (a.sections[0] ?? 0) - (b.sections[0] ?? 0));
  }
}

/** How many characters of a term may be wrong. */
function tolerance(term: string): number {
  if (term.length < 4) return 0;
  return term.length < 8 ? 1 : 2;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** How many characters two terms have in common at their beginning. */
function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
