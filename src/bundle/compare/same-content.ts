import { cutAround } from '../../text/escape.ts';
import type { Redact } from '../../text/redact.ts';
import type { Excerpt } from './comparison.ts';

const MOST_DIFFERENCES = 200;
const CHUNK = 4096;
/** What may begin or end a tag, or the value of an attribute. */
const MARKS = /[<>"']/g;
// What these say counts: where the content is, what is hidden, where the page leads, the text instead of an image.
const COUNTS = /\b(?:role|hidden|aria-hidden|alt|http-equiv)\b/i;
const WITHOUT_CONTENT = /^(?:script|style|time)$/i;

/**
 * Whether two versions of a page differ only in what is not content: attributes, scripts, styles, times, and the footer. Many
 * builds put a hash or a date into every page; this finds such a page in a small part of the time that reading both takes.
 *
 * It says no where it is not sure: then both are read, and their fingerprints decide.
 */
export function hasSameContent(before: string, after: string): boolean {
  return hasText(before) && differInNothing(before, after);
}

/** A page without any is compared by its whole file. Plain searches: they are many times faster than an expression. */
function hasText(page: string): boolean {
  const tag = ['<h1', '<h2', '<p>', '<p '].find((one) => page.includes(one));
  if (tag === undefined) return false;
  return !page.includes('<noscript') || !isOpen(page, page.indexOf(tag), '<noscript', '</noscript');
}

/** Whether this place is between the two: what comes next is the end. */
function isOpen(text: string, at: number, begin: string, end: string): boolean {
  const next = text.indexOf(end, at);
  const other = next < 0 ? -1 : text.indexOf(begin, at);
  return next >= 0 && (other < 0 || other > next);
}

function differInNothing(before: string, after: string): boolean {
  let [at, other] = [0, 0];
  for (let rounds = 0; rounds < MOST_DIFFERENCES; rounds += 1) {
    const equal = commonLength(before, at, after, other);
    at += equal;
    other += equal;
    if (at >= before.length && other >= after.length) return true;
    // Without a mark in what differs, both continue at the same position: in the same tag, value or text.
    const [end, otherEnd] = [nextMark(before, at), nextMark(after, other)];
    if (before[end] === undefined || before[end] !== after[otherEnd]) return false;
    const isComment = [before.slice(at - 1, end), after.slice(other - 1, otherEnd)].some((text) => text.endsWith('-'));
    if (isComment || !isWithoutContent(before, at, end) || !isWithoutContent(after, other, otherEnd)) return false;
    at = end;
    other = otherEnd;
  }
  return false;
}

/** How many characters from two places on are the same. */
function commonLength(a: string, from: number, b: string, other: number): number {
  const most = Math.min(a.length - from, b.length - other);
  let length = 0;
  for (let size = CHUNK; size >= 1; ) {
    const [here, there] = [from + length, other + length];
    const fits = length + size <= most && a.slice(here, here + size) === b.slice(there, there + size);
    if (fits) length += size;
    else size = Math.floor(size / 2);
  }
  return length;
}

function nextMark(text: string, at: number): number {
  MARKS.lastIndex = at;
  return MARKS.exec(text)?.index ?? text.length;
}

/** Whether a difference at this place is in a tag that says nothing of content, or in a text that is none. */
function isWithoutContent(text: string, at: number, end: number): boolean {
  const start = text.lastIndexOf('<', at - 1);
  const name = start < 0 ? undefined : /^<([a-z][a-z0-9-]*)(?=[\s/>])/i.exec(text.slice(start, start + 40))?.[1];
  if (name === undefined || !isAfterTag(text, start)) return false;
  const tagEnd = text.indexOf('>', start);
  if (tagEnd >= at) {
    // Up to the end of the tag, for what comes behind the difference counts as well.
    return at > start + name.length && !COUNTS.test(text.slice(start, Math.max(tagEnd, end)));
  }
  return isBalanced(text.slice(start, tagEnd)) && (WITHOUT_CONTENT.test(name) || isInFooter(text, at));
}

/** Before a tag there is another one, which has ended; else this one is in the value of an attribute. */
function isAfterTag(text: string, start: number): boolean {
  const former = text.lastIndexOf('<', start - 1);
  if (start === 0 || former < 0) return true;
  const end = text.indexOf('>', former);
  return end < start && isBalanced(text.slice(former, end));
}

function isBalanced(tag: string): boolean {
  return (tag.split('"').length - 1) % 2 === 0 && (tag.split("'").length - 1) % 2 === 0;
}

/** In a footer of the page itself, and not in one that a script or a comment names. */
function isInFooter(text: string, at: number): boolean {
  const start = text.lastIndexOf('<footer', at);
  if (start < 0) return false;
  const between = text.slice(start, at);
  if (/<\/footer|<!--|-->|<\/?(?:script|style|main|article|body|template|textarea|title)\b/i.test(between))
    return false;
  return !(
    isOpen(text, at, '<!--', '-->') ||
    isOpen(text, at, '<script', '</script') ||
    isOpen(text, at, '<style', '</style')
  );
}

const MOST_EXCERPTS = 3;
const LONGEST_EXCERPT = 240;
const MOST_HEADINGS = 20;
const LONGEST_HEADING = 120;

/** The first places where two versions differ: a block that is nowhere in the other one came, went, or was rewritten. */
export function findExcerpts(before: readonly string[], after: readonly string[], redact: Redact): Excerpt[] {
  const gone = new Set(withoutPair([...before.entries()], [...after.entries()], textOf).map(([index]) => index));
  const fresh = new Set(withoutPair([...after.entries()], [...before.entries()], textOf).map(([index]) => index));
  const excerpts: Excerpt[] = [];
  for (let i = 0, j = 0; (i < before.length || j < after.length) && excerpts.length < MOST_EXCERPTS; ) {
    const old = gone.has(i) ? before[i] : undefined;
    const now = fresh.has(j) ? after[j] : undefined;
    if (old !== undefined || now !== undefined) excerpts.push(excerptOf(redact(old ?? ''), redact(now ?? '')));
    if (old !== undefined || now === undefined) i += 1;
    if (now !== undefined || old === undefined) j += 1;
  }
  return excerpts;
}

function textOf([, text]: readonly [index: number, text: string]): string {
  return text;
}

/** Headings that came and went, in the order of the page. */
export function compareHeadings(before: readonly string[], after: readonly string[], redact: Redact) {
  const only = (list: readonly string[], other: readonly string[]) =>
    withoutPair(list, other, (heading) => heading)
      .slice(0, MOST_HEADINGS)
      .map((heading) => cutAround(redact(heading), 0, LONGEST_HEADING));
  return { added: only(after, before), removed: only(before, after) };
}

/** Both texts around the first place where they differ. */
function excerptOf(before: string, after: string): Excerpt {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return { before: cutAround(before, at, LONGEST_EXCERPT), after: cutAround(after, at, LONGEST_EXCERPT) };
}

/** The entries of a list for which the other list has no entry left with the same key. */
export function withoutPair<T>(list: readonly T[], other: readonly T[], keyOf: (entry: T) => string): T[] {
  const left = new Map<string, number>();
  for (const entry of other) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + 1);
  return list.filter((entry) => {
    const count = left.get(keyOf(entry)) ?? 0;
    if (count > 0) left.set(keyOf(entry), count - 1);
    return count === 0;
  });
}

const WORD = /[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu;

interface WordChanges {
  /** Of the later version. */
  readonly words: number;
  readonly wordsAdded: number;
  readonly wordsRemoved: number;
}

/** How many words came and went between two versions of a page's visible text. A word that only moved is neither. */
export function compareWords(before: readonly string[], after: readonly string[]): WordChanges {
  const left = new Map<string, number>();
  for (const block of before) {
    for (const [word] of block.matchAll(WORD)) left.set(word, (left.get(word) ?? 0) + 1);
  }
  let words = 0;
  let wordsAdded = 0;
  for (const block of after) {
    for (const [word] of block.matchAll(WORD)) {
      const count = left.get(word) ?? 0;
      if (count > 0) left.set(word, count - 1);
      else wordsAdded += 1;
      words += 1;
    }
  }
  let wordsRemoved = 0;
  for (const count of left.values()) wordsRemoved += count;
  return { words, wordsAdded, wordsRemoved };
}

/**
 * A file's name without its build hash: equal for the builds of one file, such as `assets/app.*.js`.
 *
 * Bundlers put a hash into a name so that new content has a new address. The rule: between separators (`.`, `-`, `_`), and
 * not the ending, 8 to 64 letters and digits with at least one of each. Words (`javascript`) and dates (`20261121`) are none.
 */
export function stableName(path: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  const parts = name.split(/(?<=[.\-_])/);
  if (parts.length === 1) return path;
  const stable = parts.map((part, index) => (index === parts.length - 1 ? part : withoutHash(part)));
  return path.slice(0, slash) + stable.join('');
}

function withoutHash(part: string): string {
  const [, text = '', separator = ''] = /^(.*?)([.\-_]?)$/.exec(part) ?? [];
  return isHash(text) ? `*${separator}` : part;
}

function isHash(text: string): boolean {
  if (text.length < 8 || text.length > 64 || !/^[A-Za-z0-9]+$/.test(text)) return false;
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}
