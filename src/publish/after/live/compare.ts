import type { PageText } from '../../../bundle/pages.ts';
import { cut, stripInvisible } from '../../../text/escape.ts';
import { Pieces, partsOf, sumOf } from '../../../text/pieces.ts';

/**
 * How the text of a published page differs from the exported one. The parts are for people; escape
 * them.
 */
export interface Difference {
  /** Share of the exported words that the page has, 0 to 1. */
  readonly found: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

const MOST_PARTS = 3;
const LONGEST_PART = 80;

/**
 * How a published page differs from the exported one; undefined: it shows the exported page. The
 * rule: its title contains the exported title, and its text contains the exported text in one
 * piece. Blanks and invisible characters are ignored, so that a page may be minified. Text before
 * and after the exported text is ignored, so that an edge may add a banner or a footer. E-mail
 * addresses are ignored: some edges hide them from robots.
 *
 * Text in the middle is a difference: an earlier version of a page looks like that if the export
 * has removed a paragraph.
 */
export function comparePage(exported: PageText, published: PageText): Difference | undefined {
  const shows = (part: 'title' | 'text') =>
    isPartOf(lettersOf(exported[part]), lettersOf(published[part]));
  if (shows('title') && shows('text')) return undefined;
  const missing = lacking(exported, published);
  return {
    found: missing.total === 0 ? 1 : (missing.total - missing.count) / missing.total,
    missing: missing.first,
    extra: lacking(published, exported).first,
  };
}

/**
 * True if `text` contains `part` (Knuth, Morris and Pratt, 1977). The time grows with the sum of
 * both lengths. That of `String.includes` can grow with their product, in texts of few different
 * letters.
 */
function isPartOf(part: string, text: string): boolean {
  if (part === '' || part === text) return true;
  const search = { part, back: new Int32Array(part.length) };
  for (let at = 1, length = 0; at < part.length; at += 1) {
    length = matchedWith(part.charCodeAt(at), length, search);
    search.back[at] = length;
  }
  for (let at = 0, length = 0; at < text.length; at += 1) {
    length = matchedWith(text.charCodeAt(at), length, search);
    if (length === part.length) return true;
  }
  return false;
}

interface Search {
  readonly part: string;
  /**
   * For each length of a match: the length of the shorter match to continue with if the next letter
   * does not fit.
   */
  readonly back: Int32Array;
}

/** How many letters of the part match after this letter, if `length` letters matched before it. */
function matchedWith(letter: number, length: number, search: Search): number {
  let matched = length;
  while (matched > 0 && letter !== search.part.charCodeAt(matched))
    matched = search.back[matched - 1] ?? 0;
  return letter === search.part.charCodeAt(matched) ? matched + 1 : matched;
}

/** True for a page without text to compare: any page would contain it. */
export function isEmptyText(pageText: PageText): boolean {
  return lettersOf(pageText.text) === '';
}

// Each part has a limit, so that no text can make the search slow.
const EMAIL = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g;
// What Cloudflare puts instead of an address that it hides:
// https://developers.cloudflare.com/waf/tools/scrape-shield/.
const HIDDEN_EMAIL = /\[email\s?protected\]/g;

// The text that is compared, in parts: a page may have millions of characters that are left out.
function* comparable(text: string): Generator<string> {
  for (const part of partsOf(text.normalize('NFC').replace(HIDDEN_EMAIL, ' '))) {
    yield stripInvisible(part).text.replace(EMAIL, ' ');
  }
}

/** The text without blanks. */
function lettersOf(text: string): string {
  const letters = new Pieces();
  for (const part of comparable(text)) letters.add(part.split(/\s+/).join(''));
  return letters.text;
}

function* wordsOf(pageText: PageText): Generator<string> {
  for (const part of comparable(`${pageText.title} ${pageText.text}`)) {
    for (const word of part.split(/\s+/)) if (word !== '') yield word;
  }
}

const LARGE_CHARS = 2 ** 20;
const COUNTERS = 2 ** 18;

/**
 * How many words of `text` the `other` page lacks or has less often, and the first runs of such
 * words. A large page may have millions of different words: there, words are counted by a checksum.
 * Two words with the same checksum only make the numbers less exact.
 */
function lacking(text: PageText, other: PageText) {
  const isLarge = text.text.length + other.text.length > LARGE_CHARS;
  const counterOf = (word: string) => (isLarge ? sumOf(word) & (COUNTERS - 1) : word);
  const left = new Map<string | number, number>();
  for (const word of wordsOf(other))
    left.set(counterOf(word), (left.get(counterOf(word)) ?? 0) + 1);
  const runs: string[][] = [];
  let [total, count, isRun] = [0, 0, false];
  for (const word of wordsOf(text)) {
    total += 1;
    const counter = counterOf(word);
    const times = left.get(counter) ?? 0;
    const isInOther = times > 0;
    if (isInOther) left.set(counter, times - 1);
    else {
      count += 1;
      if (!isRun && runs.length <= MOST_PARTS) runs.push([]);
      const run = runs.at(-1) ?? [];
      if (run.length < LONGEST_PART) run.push(word);
    }
    isRun = !isInOther;
  }
  const first = runs
    .slice(0, MOST_PARTS)
    .map((words) => cut(words.join(' '), { chars: LONGEST_PART }));
  return { total, count, first };
}
