import type { PageText } from '../../../bundle/pages.ts';
import { cut, stripInvisible } from '../../../text/escape.ts';

/** How the text of a published page differs from the exported one. The parts are for people; escape them. */
export interface Difference {
  /** Share of the exported words that the page has, 0 to 1. */
  readonly found: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

const MOST_PARTS = 3;
const LONGEST_PART = 80;

/**
 * Undefined where a published page shows an exported one. The rule: its title holds the exported title, and its text holds
 * the exported text in one piece. Blanks and characters without a shape do not count, so that a page may be minified; what
 * is before and after the exported text does not count, so that an edge may add a banner or a footer. Addresses of e-mail
 * do not count: some edges hide them from robots.
 *
 * Text that was put into the middle is a difference: it is what a page looks like from which the export took a paragraph away.
 */
export function comparePage(exported: PageText, published: PageText): Difference | undefined {
  const isSame = [[exported.title, published.title] as const, [exported.text, published.text] as const].every(
    ([wanted, found]) => isWithin(lettersOf(wanted), lettersOf(found)),
  );
  return isSame ? undefined : differenceOf(wordsOf(exported), wordsOf(published));
}

/**
 * True where `text` holds `part` (Knuth, Morris and Pratt, 1977): in a time that grows with both, also for texts of few
 * different letters, on which `String.includes` takes as long as both multiplied.
 */
function isWithin(part: string, text: string): boolean {
  if (part === '' || part === text) return true;
  const back = new Int32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at += 1) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = back[length - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(length)) length += 1;
    back[at] = length;
  }
  for (let at = 0, length = 0; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== part.charCodeAt(length)) length = back[length - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(length)) length += 1;
    if (length === part.length) return true;
  }
  return false;
}

/** True for a text that shows nothing when it is found: it would be found in most pages. */
export function isEmptyText({ text }: PageText): boolean {
  return lettersOf(text) === '';
}

// What Cloudflare puts instead of an address that it hides: https://developers.cloudflare.com/waf/tools/scrape-shield/.
// Every part has a limit, so that the time does not grow faster than a text that was made to take long.
const EMAIL = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}|\[email\s?protected\]/g;

function comparable(text: string): string {
  return stripInvisible(text.normalize('NFC')).text.replace(EMAIL, ' ');
}

function lettersOf(text: string): string {
  return comparable(text).replace(/\s+/g, '');
}

function wordsOf({ title, text }: PageText): string[] {
  return comparable(`${title} ${text}`)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function differenceOf(exported: readonly string[], published: readonly string[]): Difference {
  const missing = lacking(exported, published);
  const count = missing.reduce((sum, words) => sum + words.length, 0);
  return {
    found: exported.length === 0 ? 1 : (exported.length - count) / exported.length,
    missing: excerpts(missing),
    extra: excerpts(lacking(published, exported)),
  };
}

/** Runs of words of `text` that `other` has not, or not as often. */
function lacking(text: readonly string[], other: readonly string[]): string[][] {
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  const runs: string[][] = [];
  let run: string[] | undefined;
  for (const word of text) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      left.set(word, count - 1);
      run = undefined;
      continue;
    }
    if (run === undefined) {
      run = [];
      runs.push(run);
    }
    run.push(word);
  }
  return runs;
}

function excerpts(runs: readonly (readonly string[])[]): string[] {
  return runs.slice(0, MOST_PARTS).map((words) => cut(words.slice(0, LONGEST_PART).join(' '), { chars: LONGEST_PART }));
}
