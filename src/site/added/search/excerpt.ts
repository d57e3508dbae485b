import type { WordReader } from './words.ts';

/** A piece of an excerpt. It is text: nothing in it is markup. */
interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

const EXCERPT_CHARS = 220;
/** At most this many characters of an excerpt come before its first marked word. */
const LEAD_CHARS = 60;
/** How much shorter an excerpt may become so that it ends behind a word. */
const MAX_SHORTENED = 60;
const ELLIPSIS = '\u2026';

/** The part of a text with most of the terms, in pieces. The pieces that are terms are marked. */
export function excerptOf(text: string, terms: ReadonlySet<string>, reader: WordReader): Piece[] {
  const plain = text.replace(/\s+/g, ' ').trim();
  const foundWords = reader.read(plain).filter((word) => terms.has(word.term));
  const from = startOf(plain, bestStart(foundWords));
  const to = endOf(plain, from + EXCERPT_CHARS);
  const pieces: Piece[] = [];
  if (from > 0) pieces.push({ text: ELLIPSIS, isMarked: false });
  let at = from;
  const addUpTo = (end: number, kind: 'plain' | 'marked') => {
    // Terms may overlap, as an identifier and its parts: what was added is not added again.
    if (end > at) pieces.push({ text: plain.slice(at, end), isMarked: kind === 'marked' });
    at = Math.max(at, end);
  };
  for (const { start, end } of foundWords) {
    if (start < from || end > to) continue;
    addUpTo(start, 'plain');
    addUpTo(end, 'marked');
  }
  addUpTo(to, 'plain');
  if (to < plain.length) pieces.push({ text: ELLIPSIS, isMarked: false });
  return pieces;
}

/**
 * Where the first marked word of the excerpt is, so that the excerpt has as many different terms as
 * possible.
 */
function bestStart(foundWords: readonly { term: string; start: number }[]): number {
  let best = { count: 0, start: 0 };
  // A window begins at each word in turn: `inside` counts the terms in it, `behind` is the index of
  // the first word after it. It is shorter than the excerpt, which begins before its first word.
  let behind = 0;
  const inside = new Map<string, number>();
  for (const { term, start } of foundWords) {
    let next = foundWords[behind];
    while (next !== undefined && next.start < start + EXCERPT_CHARS - LEAD_CHARS) {
      inside.set(next.term, (inside.get(next.term) ?? 0) + 1);
      behind += 1;
      next = foundWords[behind];
    }
    if (inside.size > best.count) best = { count: inside.size, start };
    removeOne(inside, term);
  }
  return best.start;
}

/** Removes one occurrence of a term from the window, which the next word begins again. */
function removeOne(inside: Map<string, number>, term: string): void {
  const count = (inside.get(term) ?? 0) - 1;
  if (count > 0) inside.set(term, count);
  else inside.delete(term);
}

/** Where the excerpt begins: some words before the first marked one, at the start of a word. */
function startOf(text: string, first: number): number {
  if (first <= LEAD_CHARS) return 0;
  // In text without spaces, the excerpt begins with the marked word.
  const blank = text.indexOf(' ', first - LEAD_CHARS);
  if (blank < 0 || blank >= first) return wholeCharacter(text, first);
  return blank + 1;
}

/** Where the excerpt ends: behind a word, if that does not make it much shorter than it may be. */
function endOf(text: string, most: number): number {
  if (most >= text.length) return text.length;
  const blank = text.lastIndexOf(' ', most);
  return wholeCharacter(text, blank > most - MAX_SHORTENED ? blank : most);
}

/** Moves an index that is between the two halves of a character behind that character. */
function wholeCharacter(text: string, at: number): number {
  // The second half of a character in UTF-16 is from DC00 to DFFF.
  if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) return at + 1;
  return at;
}
