import { cut, stripInvisible } from '../../ground/text/escape.ts';
import { Pieces, partsOf, sumOf } from '../../ground/text/pieces.ts';
import type { PageText } from '../../site/pages.ts';

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
  const shows = (field: 'title' | 'text') =>
    isPartOf(lettersOf(exported[field]), lettersOf(published[field]));
  if (shows('title') && shows('text')) return undefined;
  const missing = wordsLacking({ of: exported, in: published });
  const extra = wordsLacking({ of: published, in: exported });
  // An export without words lacks none.
  const found = missing.total === 0 ? 1 : (missing.total - missing.count) / missing.total;
  return { found, missing: missing.first, extra: extra.first };
}

/**
 * True if `text` contains `part` (Knuth, Morris and Pratt, 1977). The time grows with the sum of
 * both lengths. That of `String.includes` can grow with their product, in texts of few different
 * letters.
 */
function isPartOf(part: string, text: string): boolean {
  if (part === '' || part === text) return true;
  const search = { part, shorter: new Int32Array(part.length) };
  // The part is searched in itself first, from its second letter on: that fills `shorter`.
  for (let at = 1, matched = 0; at < part.length; at += 1) {
    matched = matchedWith(part.charCodeAt(at), matched, search);
    search.shorter[at] = matched;
  }
  for (let at = 0, matched = 0; at < text.length; at += 1) {
    matched = matchedWith(text.charCodeAt(at), matched, search);
    if (matched === part.length) return true;
  }
  return false;
}

interface Search {
  readonly part: string;
  /**
   * If the letter after a match does not fit: how many of the matched letters, from the end, are a
   * beginning of the part again. By the index of the last matched letter.
   */
  readonly shorter: Int32Array;
}

/** How many letters of the part match with this letter, if `matchedBefore` matched before it. */
function matchedWith(letter: number, matchedBefore: number, { part, shorter }: Search): number {
  let matched = matchedBefore;
  while (matched > 0 && letter !== part.charCodeAt(matched)) matched = shorter[matched - 1] ?? 0;
  return letter === part.charCodeAt(matched) ? matched + 1 : matched;
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

/** The text that is compared, in parts: a page may have millions of characters to leave out. */
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
 * How many words of a page (`count` of `total`) the other page lacks or has less often, and the
 * `first` runs of such words. A large page may have millions of different words: there, words are
 * counted by a checksum. Two words with the same checksum only make the numbers less exact.
 */
function wordsLacking({ of: page, in: other }: { readonly of: PageText; readonly in: PageText }) {
  const isLarge = page.text.length + other.text.length > LARGE_CHARS;
  const keyOf = (word: string) => (isLarge ? sumOf(word) & (COUNTERS - 1) : word);
  // How often the other page has each word, less the times that it was found in this one.
  const unused = new Map<string | number, number>();
  for (const word of wordsOf(other)) unused.set(keyOf(word), (unused.get(keyOf(word)) ?? 0) + 1);
  const runs: string[][] = [];
  // The words that are lacking one after the other; undefined: the last word was found.
  let currentRun: string[] | undefined;
  let [total, count] = [0, 0];
  for (const word of wordsOf(page)) {
    total += 1;
    const times = unused.get(keyOf(word)) ?? 0;
    if (times > 0) {
      unused.set(keyOf(word), times - 1);
      currentRun = undefined;
      continue;
    }
    count += 1;
    if (currentRun === undefined) {
      currentRun = [];
      // Later runs are not shown: their words are only counted.
      if (runs.length < MOST_PARTS) runs.push(currentRun);
    }
    // More words than the part may have characters are never shown.
    if (currentRun.length < LONGEST_PART) currentRun.push(word);
  }
  const first = runs.map((words) => cut(words.join(' '), { chars: LONGEST_PART }));
  return { total, count, first };
}
