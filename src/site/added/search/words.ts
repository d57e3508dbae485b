/**
 * How text is divided into the terms of the index. The index and the page that searches it use the
 * same code, so that both find the same terms.
 */
import { withoutIgnorable } from '../../../ground/text/ignorable.ts';

/** Longer words are hashes and data, of which the beginning is enough. */
const MAX_TERM = 48;
/** No identifier is longer: such a word is data, whose parts no one looks for. */
const MAX_IDENTIFIER = 256;
const MAX_CACHED = 20_000;

/**
 * A word, or an identifier whose parts are joined: `snake_case`, `kebab-case`, `a.b.c`. The dashes
 * of `--flag` are not part of it.
 */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[._-]+[\p{L}\p{M}\p{N}]+)*/gu;
/** Parts of an identifier; also those of `camelCase` and `HTTPServer`. */
const PART = /\p{Lu}+(?![\p{Ll}\p{M}])[\p{N}]*|\p{Lu}?[^\p{Lu}._-]+|\p{Lu}/gu;
/** Scripts that put no space between words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;

/** A term and where it is in the text. */
interface Word {
  readonly term: string;
  /** Index of the first character, and of the one after the last. */
  readonly start: number;
  readonly end: number;
}

/**
 * Divides text into terms. An identifier gives itself and its parts. If words have no space between
 * them, `Intl.Segmenter` gives the parts of a text, and each two parts next to each other are a
 * term too: it divides `トークン` into `トーク` and `ン`.
 */
export class WordReader {
  readonly #segmenter: Intl.Segmenter | undefined;
  readonly #known = new Map<string, readonly Word[]>();

  /** `language`: as in `<html lang>`; one that is not valid counts as missing. */
  constructor(language: string) {
    this.#segmenter = makeSegmenter(language);
  }

  /** The terms of a text in their order. */
  read(text: string): Word[] {
    const words: Word[] = [];
    for (const { 0: written, index } of text.matchAll(WORD)) {
      for (const { term, start, end } of this.#termsOf(written)) {
        words.push({ term, start: index + start, end: index + end });
      }
    }
    return words;
  }

  /** The terms alone. */
  *terms(text: string): Generator<string> {
    for (const [written] of withoutIgnorable(text).matchAll(WORD))
      for (const { term } of this.#termsOf(written)) yield term;
  }

  /** The terms of one match of `WORD`. They are kept: most words come many times. */
  #termsOf(written: string): readonly Word[] {
    const knownTerms = this.#known.get(written);
    if (knownTerms !== undefined) return knownTerms;
    const terms = WITHOUT_SPACES.test(written) ? this.#segments(written) : identifierTerms(written);
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    // Longer ones hardly come twice.
    if (written.length <= MAX_TERM) this.#known.set(written, terms);
    return terms;
  }

  /** The terms of text without spaces. A browser without a segmenter finds only whole runs. */
  #segments(written: string): readonly Word[] {
    if (this.#segmenter === undefined) return identifierTerms(written);
    const words: Word[] = [];
    let last: Word | undefined;
    for (const { segment, index, isWordLike } of this.#segmenter.segment(written)) {
      if (isWordLike !== true) continue;
      const word = { term: foldTerm(segment), start: index, end: index + segment.length };
      // Two parts together may be the real word. Not with a Latin word, whose limits are certain.
      if (last?.end === index && WITHOUT_SPACES.test(last.term) && WITHOUT_SPACES.test(word.term))
        words.push({ term: limited(last.term + word.term), start: last.start, end: word.end });
      words.push(word);
      last = word;
    }
    return words;
  }
}

/**
 * The term of a word: without case, accents and width. Terms contain neither a comma nor a
 * semicolon.
 */
function foldTerm(written: string): string {
  const folded = written
    // Apart, the accents can be removed; what is left is put together again.
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    // These are letters, and not other forms of them.
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    // Signs that NFKD has made, such as the slash in `½`.
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '');
  return limited(folded);
}

/** The term, or its beginning if it is longer than a term may be. */
function limited(term: string): string {
  if (term.length <= MAX_TERM) return term;
  // A character has up to two units of length: half as many always fit.
  return [...term].slice(0, MAX_TERM / 2).join('');
}

/** The terms of a word or an identifier: itself and, if it has several, its parts. */
function identifierTerms(written: string): readonly Word[] {
  const whole = { term: foldTerm(written), start: 0, end: written.length };
  // Nothing is left of accents alone.
  if (whole.term === '') return [];
  const words: Word[] = [whole];
  if (written.length > MAX_IDENTIFIER) return words;
  const parts = [...written.matchAll(PART)];
  // A single part is the word itself.
  if (parts.length < 2) return words;
  for (const { 0: part, index } of parts) {
    const term = foldTerm(part);
    if (term !== '') words.push({ term, start: index, end: index + part.length });
  }
  return words;
}

function makeSegmenter(language: string): Intl.Segmenter | undefined {
  // Some browsers do not have `Intl.Segmenter`.
  if (!('Segmenter' in Intl)) return undefined;
  try {
    return new Intl.Segmenter(language, { granularity: 'word' });
  } catch {
    // The page names no language, or one that is not valid.
    return new Intl.Segmenter('en', { granularity: 'word' });
  }
}
