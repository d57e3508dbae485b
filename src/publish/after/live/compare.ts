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
 * Undefined if a published page shows an exported one. The rule: its title contains the exported
 * title, and its text contains the exported text in one piece. Blanks and characters without a
 * shape do not count, so that a page may be minified; what is before and after the exported text
 * does not count, so that an edge may add a banner or a footer. Addresses of e-mail do not count:
 * some edges hide them from robots.
 *
 * Text that was put into the middle is a difference: it is what a page looks like from which the
 * export took a paragraph away.
 */
export function comparePage(exported: PageText, published: PageText): Difference | undefined {
  const shows = (part: 'title' | 'text') =>
    isPartOf(lettersOf(exported[part]), lettersOf(published[part]));
  if (shows('title') && shows('text')) return undefined;
  const missing = lacking(exported, published);
  return {
    found: missing.of === 0 ? 1 : (missing.of - missing.count) / missing.of,
    missing: missing.first,
    extra: lacking(published, exported).first,
  };
}

/**
 * True if `text` contains `part` (Knuth, Morris and Pratt, 1977): in a time that grows with both,
 * also for texts of few different letters, on which `String.includes` takes as long as both
 * multiplied.
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
   * For each length of a match: how much of it can still be one when the next letter does not fit.
   */
  readonly back: Int32Array;
}

/** How much of the part is matched with one more letter, after `length` letters were. */
function matchedWith(letter: number, length: number, search: Search): number {
  let matched = length;
  while (matched > 0 && letter !== search.part.charCodeAt(matched))
    matched = search.back[matched - 1] ?? 0;
  return letter === search.part.charCodeAt(matched) ? matched + 1 : matched;
}

/** True for a text that shows nothing when it is found: it would be found in most pages. */
export function isEmptyText(pageText: PageText): boolean {
  return lettersOf(pageText.text) === '';
}

// Every part has a limit, so that the time does not grow faster than a text that was made to take
// long.
const EMAIL = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g;
// What Cloudflare puts instead of an address that it hides:
// https://developers.cloudflare.com/waf/tools/scrape-shield/.
const HIDDEN_EMAIL = /\[email\s?protected\]/g;

// In parts, as a page may have millions of characters that are left out.
function* comparable(text: string): Generator<string> {
  for (const part of partsOf(text.normalize('NFC').replace(HIDDEN_EMAIL, ' '))) {
    yield stripInvisible(part).text.replace(EMAIL, ' ');
  }
}

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
 * The words of `text` that `other` has not, or not as often, and the first runs of them. A large
 * page may have millions of different words, so there they are counted by sums. Two words with one
 * sum only make the numbers for people less exact.
 */
function lacking(text: PageText, other: PageText) {
  const isLarge = text.text.length + other.text.length > LARGE_CHARS;
  const counterOf = (word: string) => (isLarge ? sumOf(word) & (COUNTERS - 1) : word);
  const left = new Map<string | number, number>();
  for (const word of wordsOf(other))
    left.set(counterOf(word), (left.get(counterOf(word)) ?? 0) + 1);
  const runs: string[][] = [];
  let [of, count, isRun] = [0, 0, false];
  for (const word of wordsOf(text)) {
    of += 1;
    const counter = counterOf(word);
    const times = left.get(counter) ?? 0;
    const isThere = times > 0;
    if (isThere) left.set(counter, times - 1);
    else {
      count += 1;
      if (!isRun && runs.length <= MOST_PARTS) runs.push([]);
      const run = runs.at(-1) ?? [];
      if (run.length < LONGEST_PART) run.push(word);
    }
    isRun = !isThere;
  }
  const first = runs
    .slice(0, MOST_PARTS)
    .map((words) => cut(words.join(' '), { chars: LONGEST_PART }));
  return { of, count, first };
}
