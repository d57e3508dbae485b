import SearchableMap from 'minisearch/SearchableMap';
import { englishStem } from './english.ts';
import { type Base, decodePostings, lengthOf, type Posting, readTerms } from './format.ts';
import { WordReader } from './words.ts';

/** A longer query is not narrower, and takes longer. */
const MAX_QUERY_CHARS = 400;
const MAX_TERMS = 16;
/** Of a page in the results. */
const MAX_SECTIONS = 3;

// BM25 (Robertson and Zaragoza, 2009): how soon another occurrence counts for little, and how much
// the length of a section counts.
const SATURATION = 1.5;
const LENGTH_SHARE = 0.6;

/** A query that has nothing this near is corrected. */
const CORRECTED_BELOW = 0.5;

/** How near another form of the same word is, such as its plural. */
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

interface Match {
  readonly term: string;
  /** Up to 1: how near the term is to what was asked for. */
  readonly nearness: number;
}

/** An index that is searched while its files arrive. */
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
    const length = sum(Array.from({ length: section }, (_, at) => lengthOf(base.lengths, at)));
    this.#meanLength = section === 0 ? 1 : Math.max(1, length / section);
  }

  /** The numbers of the files of terms that a query needs. */
  termFiles(query: string): number[] {
    const firsts = this.#base.terms;
    const files = this.#termsOf(query).flatMap((term) => {
      // What a typing error is corrected to begins with the same two characters, if the index has
      // several files.
      const start = [...term].filter((_, at) => at < 2).join('');
      const from = firsts.findLastIndex((first) => first <= start);
      const to = firsts.findLastIndex((first) => first <= `${start}\uffff`);
      return Array.from({ length: to - Math.max(0, from) + 1 }, (_, at) => Math.max(0, from) + at);
    });
    return [...new Set(files)].sort((a, b) => a - b);
  }

  /** The number of the file of texts that has this section. */
  textFile(section: number): number {
    return this.#base.texts.findLastIndex((first) => first <= section);
  }

  /** The number of the first section in a file of texts. */
  firstSection(file: number): number {
    return this.#base.texts[file] ?? 0;
  }

  /** Takes a file of terms. Throws `IndexProblem`. */
  addTerms(value: unknown): void {
    for (const [term, postings] of readTerms(value, this.#base)) this.#terms.set(term, postings);
  }

  /** Ranks the pages by the terms that were added. Throws `IndexProblem` if these are damaged. */
  rank(query: string): Ranking {
    const found = this.#termsOf(query).map((term, at, all) =>
      this.#matches(term, at === all.length - 1),
    );
    const asked = found.filter((matches) => matches.length > 0);
    const scores = asked.map((matches) => this.#score(matches));
    const terms = new Set(asked.flat().map(({ term }) => term));
    return { pages: this.#pages(scores), terms };
  }

  #termsOf(query: string): string[] {
    const text = query.length <= MAX_QUERY_CHARS ? query : query.slice(0, MAX_QUERY_CHARS);
    return [...new Set(this.#reader.terms(text))].slice(0, MAX_TERMS);
  }

  /**
   * The terms of the index that fit a term of the query: itself, terms that begin with it, other
   * forms, and corrections.
   */
  #matches(asked: string, isLast: boolean): Match[] {
    const nearness = new Map<string, number>();
    let nearest = 0;
    const add = (term: string, near: number) => {
      nearness.set(term, Math.max(near, nearness.get(term) ?? 0));
      nearest = Math.max(nearest, near);
    };
    if (this.#terms.has(asked)) add(asked, 1);
    // Two letters begin too many words, unless they are those that a reader has typed so far.
    if (asked.length > (isLast ? 1 : 2)) {
      for (const term of this.#terms.atPrefix(asked).keys())
        add(term, 0.4 + (0.4 * asked.length) / term.length);
    }
    for (const [term, near] of this.#otherForms(asked)) add(term, near);
    if (nearest < CORRECTED_BELOW) {
      for (const [term, [, distance]] of this.#terms.fuzzyGet(asked, tolerance(asked))) {
        if (distance > 0) add(term, 0.5 - (0.5 * distance) / asked.length);
      }
    }
    return [...nearness].map(([term, near]) => ({ term, nearness: near }));
  }

  /**
   * Terms with the same beginning and another ending: `restarting` and `restart`, `redacted` and
   * `redaction`.
   */
  *#otherForms(asked: string): Generator<readonly [string, number]> {
    if (asked.length < 4) return;
    const stem = this.#stemOf(asked);
    for (const term of this.#terms.atPrefix(asked.slice(0, 3)).keys()) {
      if (term !== asked && this.#stemOf(term) === stem) yield [term, SAME_WORD];
      const shared = sharedStart(asked, term);
      const isForm =
        shared >= asked.length * 0.55 && asked.length - shared <= 5 && term.length - shared <= 3;
      // Another number is another thing.
      const isWord = !/\p{N}/u.test(asked.slice(shared) + term.slice(shared));
      if (isForm && isWord && term !== asked)
        yield [term, (0.7 * shared) / Math.max(asked.length, term.length)];
    }
  }

  /** Endings are removed in English only: in other languages they mean something else. */
  #stemOf(term: string): string {
    return this.#isEnglish ? englishStem(term) : term;
  }

  /**
   * For each section with one of the terms, how well it fits: of several terms, the best one
   * counts.
   */
  #score(matches: readonly Match[]): Map<number, number> {
    const scores = new Map<number, number>();
    const count = this.#base.lengths.length;
    for (const { term, nearness } of matches) {
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
   * What a term counts that is in so many sections: one that is almost everywhere, such as `the`,
   * next to nothing.
   */
  #rarity(sections: number): number {
    return Math.log(1 + (this.#base.lengths.length - sections + 0.5) / (sections + 0.5));
  }

  #saturated({ section, weight }: Posting): number {
    const length = lengthOf(this.#base.lengths, section) / this.#meanLength;
    return (
      (weight * (SATURATION + 1)) /
      (weight + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length))
    );
  }

  /**
   * A page counts by its best section, and by what of the query is anywhere on it. A page without
   * some of the words counts less, by how rare these are.
   */
  #pages(scores: readonly Map<number, number>[]): RankedPage[] {
    const rarities = scores.map((ofTerm) => this.#rarity(ofTerm.size));
    const whole = sum(rarities);
    const sections = new Map<number, number>();
    const pages = new Map<number, { best: number[]; found: number[] }>();
    for (const [at, ofTerm] of scores.entries()) {
      for (const [section, score] of ofTerm) {
        sections.set(section, (sections.get(section) ?? 0) + score);
        const page = this.#pageOf[section] ?? 0;
        const known = pages.get(page) ?? {
          best: [],
          found: Array.from({ length: scores.length }, () => 0),
        };
        known.found[at] = Math.max(known.found[at] ?? 0, score);
        pages.set(page, known);
      }
    }
    for (const section of sections.keys())
      pages.get(this.#pageOf[section] ?? 0)?.best.push(section);
    const scoreOf = (section: number) => sections.get(section) ?? 0;
    const ranked = [...pages.values()].map(({ best, found }) => {
      const ordered = best.sort((a, b) => scoreOf(b) - scoreOf(a) || a - b).slice(0, MAX_SECTIONS);
      const share = sum(rarities.filter((_, at) => (found[at] ?? 0) > 0)) / whole;
      return {
        sections: ordered,
        score: (scoreOf(ordered[0] ?? 0) + sum(found)) * Math.sqrt(share),
      };
    });
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

function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
