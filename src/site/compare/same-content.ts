import { Buffer, isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { cutAround } from '../../ground/text/escape.ts';
import type { Redact } from '../../ground/text/redact.ts';
import { latin1 } from '../verify/certain-content.ts';
import { MarkupReader } from '../verify/markup.ts';
import { FOR_SCREEN_READERS } from '../verify/page-content.ts';
import type { BuildIds } from './build-ids.ts';
import type { Excerpt } from './comparison.ts';

// Pages with more differences are read.
const MOST_DIFFERENCES = 200;
const FIRST_STEP = 1024;
const LEAST_STEP = 256;
/** Marks: what may begin or end a tag, or the value of an attribute: `<`, `>`, `"` and `'`. */
const OPEN = 0x3c;
const CLOSE = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
// Attributes that can change the content: where it is, what is hidden, where the page leads, its
// charset, the text instead of an image; and the ids of places that scripts fill, and of what they
// put there.
const MEANINGFUL =
  /<template|hidden|\b(?:role|charset|aria-controls|alt|http-equiv|style)\b|S:[\da-f]/i;

interface IdsOfBoth {
  readonly before: BuildIds;
  readonly after: BuildIds;
}

/**
 * True if two versions of a page certainly differ only in what is not content: attributes, scripts,
 * styles, times, and the footer. Many builds put a hash or a date into every page; this function
 * finds these pages in a small part of the time that reading both versions takes. It compares
 * bytes, since all that it looks for is ASCII: a text for each earlier page would be garbage. False
 * if that is not certain: then both versions are read, and their fingerprints decide. The
 * fingerprint of a page without content is that of its file, so such a page may differ only in
 * build ids. `hasContent`: whether the page certainly has content.
 */
export function hasSameContent(
  before: Buffer,
  after: Buffer,
  ids: IdsOfBoth,
  hasContent: () => boolean,
): boolean {
  let at = 0;
  let otherAt = 0;
  let differsByIds = true;
  let markup: MarkupReader | undefined;
  for (let differences = 0; differences < MOST_DIFFERENCES; differences += 1) {
    const equalBytes = commonLength(before, at, after, otherAt);
    at += equalBytes;
    otherAt += equalBytes;
    const isAtEnd = at >= before.length && otherAt >= after.length;
    if (isAtEnd) return differsByIds || hasContent();
    // The difference must not contain a mark: then both versions continue in the same tag, value or
    // text.
    const end = nextMark(before, at);
    const otherEnd = nextMark(after, otherAt);
    const mark = before[end];
    // `undefined` is the end of the page.
    if (mark === undefined || mark !== after[otherEnd]) return false;
    // Both versions have the same marks up to here, so one of them shows where the difference is.
    markup ??= new MarkupReader(latin1(before, 0, before.length));
    const place = markup.placeOf(at);
    if (place === undefined) return false;
    const { tag, start } = place;
    if (tag !== '' && mayMatter(tag, latin1(before, start, end), beginningOfTag(after, otherEnd)))
      return false;
    // Any other difference in markup, such as of an attribute, counts for a page without content.
    differsByIds &&=
      stableText(before, at, end, ids.before) === stableText(after, otherAt, otherEnd, ids.after);
    at = end;
    otherAt = otherEnd;
  }
  return false;
}

/**
 * What counts of a page without content, such as one that a script fills: its file, without what
 * every build changes, and without the text and the menus around the empty content.
 */
export function contentOfEmptyPage(page: Buffer, ids: BuildIds): string {
  const inner = latin1(page, 0, page.length).replace(AROUND, '').replace(LISTS, '');
  return hash('sha256', ids.stable(inner.replace(CODE_AND_TAGS, '$1')));
}

/** To their end tag, or the end of the page. */
const AROUND = /<(footer|time|nav|header|aside|a)(?=[\s>])[\s\S]*?(?:<\/\1|$)/gi;
const LISTS = /<\/?(?:ul|ol|li|menu)(?:\s[^<>]*)?>/gi;
/** What is kept, in the first group; or else a text. */
const CODE_AND_TAGS = /(<(script|style|title)(?=[\s>])[\s\S]*?(?:<\/\2[^<>]*>|$)|<[^<>]*>)|[^<]+/gi;

const HTML = /^\s*(?:<!doctype html|<html[\s>])/i;
const LONGEST_BEGINNING = '<!doctype html'.length;
/** Of a name, its ending or its query: `BuildIds` looks for nothing that has another byte in it. */
const NAME_BYTES: ReadonlySet<number | undefined> = new Set(
  Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_%=&.~?-'),
);

/**
 * True if two versions of a file that is not a page certainly say the same by the rules of
 * `contentOfAsset`, since they differ in build ids alone. Both are read once, without a text of
 * either.
 */
export function differsByIdsOnly(before: Buffer, after: Buffer, ids: IdsOfBoth): boolean {
  // What a reader sees of HTML has ids that count, and a name may be in bytes by chance.
  if (!isText(before) || isOtherHtml(before)) return false;
  let at = 0;
  let otherAt = 0;
  for (;;) {
    const equalBytes = commonLength(before, at, after, otherAt);
    at += equalBytes;
    otherAt += equalBytes;
    if (at === before.length && otherAt === after.length) return true;
    const [end, otherEnd] = [endOfName(before, at), endOfName(after, otherAt)];
    if (end === at && otherEnd === otherAt) return false;
    let length = 0;
    while (NAME_BYTES.has(before[at - length - 1])) length += 1;
    const name = latin1(before, at - length, end);
    const otherName = latin1(after, otherAt - length, otherEnd);
    if (ids.before.stable(name) !== ids.after.stable(otherName)) return false;
    at = end;
    otherAt = otherEnd;
  }
}

export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** HTML that is not documentation, such as the page that hosts show for an unknown address. */
export function isOtherHtml(bytes: Buffer): boolean {
  // There may be many blanks before it.
  return HTML.test(bytes.toString('utf8', 0, bytes.indexOf(OPEN) + LONGEST_BEGINNING));
}

function endOfName(bytes: Buffer, from: number): number {
  let at = from;
  while (NAME_BYTES.has(bytes[at])) at += 1;
  return at;
}

/** The text between the marks around a difference, without build ids: these have no marks. */
function stableText(page: Buffer, at: number, end: number, ids: BuildIds): string {
  let start = at;
  while (start > 0 && !isMark(page[start - 1])) start -= 1;
  return ids.stable(latin1(page, start, end));
}

/** How many bytes from two positions on are the same. */
function commonLength(a: Buffer, aStart: number, b: Buffer, bStart: number): number {
  const most = Math.min(a.length - aStart, b.length - bStart);
  let length = 0;
  let step = Math.min(FIRST_STEP, most);
  // As many whole steps, each twice as long, then smaller ones, then byte by byte.
  while (step > LEAST_STEP) {
    const [aAt, bAt] = [aStart + length, bStart + length];
    if (a.compare(b, bAt, bAt + step, aAt, aAt + step) === 0) {
      length += step;
      step *= 2;
    } else step >>= 2;
    step = Math.min(step, most - length);
  }
  while (length < most && a[aStart + length] === b[bStart + length]) length += 1;
  return length;
}

/** The position of the next mark; the end of the page if there is none. */
function nextMark(page: Buffer, from: number): number {
  let at = from;
  while (at < page.length && !isMark(page[at])) at += 1;
  return at;
}

function isMark(byte: number | undefined): boolean {
  return byte === OPEN || byte === CLOSE || byte === QUOTE || byte === APOSTROPHE;
}

/**
 * Whether a difference is in more of a tag than the value of an attribute without a meaning. Both
 * texts are the beginning of the tag, up to the mark behind the difference.
 */
function mayMatter(tag: string, text: string, otherText: string): boolean {
  // A `<` in the value of an attribute is not the beginning of the tag.
  if (text.lastIndexOf('<') > 0) return true;
  const both = tag + otherText;
  if (MEANINGFUL.test(both) || FOR_SCREEN_READERS.test(both)) return true;
  return withoutValues(text) !== withoutValues(otherText);
}

function beginningOfTag(page: Buffer, end: number): string {
  return latin1(page, page.lastIndexOf(OPEN, end - 1), end);
}

/** A tag, or its beginning, without the values of its attributes. */
function withoutValues(tag: string): string {
  return tag.replace(/"[^"]*"?|'[^']*'?/g, '"').replace(/=[^\s"'<>]+/g, '=x');
}

const MOST_EXCERPTS = 3;
const LONGEST_EXCERPT = 240;
const MOST_HEADINGS = 20;
const LONGEST_HEADING = 120;

/** The first places where two versions differ: where a block came, went, or was rewritten. */
export function findExcerpts(
  before: readonly string[],
  after: readonly string[],
  redact: Redact,
): Excerpt[] {
  const goneBlocks = blocksOnlyIn(before, after);
  const newBlocks = blocksOnlyIn(after, before);
  const excerpts: Excerpt[] = [];
  let at = 0;
  let afterAt = 0;
  while (excerpts.length < MOST_EXCERPTS && (at < before.length || afterAt < after.length)) {
    const goneBlock = goneBlocks.get(at);
    const newBlock = newBlocks.get(afterAt);
    // If only one of them came or went, it has no counterpart: the other text is empty, and its
    // position waits. Two at the same place are one block that was rewritten.
    const isInBoth = goneBlock === undefined && newBlock === undefined;
    if (!isInBoth) excerpts.push(excerptOf(redact(goneBlock ?? ''), redact(newBlock ?? '')));
    if (isInBoth || goneBlock !== undefined) at += 1;
    if (isInBoth || newBlock !== undefined) afterAt += 1;
  }
  return excerpts;
}

/** The blocks that the other version does not have, by their position. */
function blocksOnlyIn(
  blocks: readonly string[],
  other: readonly string[],
): ReadonlyMap<number, string> {
  return new Map(withoutPair([...blocks.entries()], [...other.entries()], ([, block]) => block));
}

/** Headings that came and went, in the order of the page. */
export function compareHeadings(
  before: readonly string[],
  after: readonly string[],
  redact: Redact,
) {
  const onlyIn = (list: readonly string[], other: readonly string[]) =>
    withoutPair(list, other)
      .slice(0, MOST_HEADINGS)
      .map((heading) => cutAround(redact(heading), 0, LONGEST_HEADING));
  return { added: onlyIn(after, before), removed: onlyIn(before, after) };
}

/** Both texts around the first place where they differ. */
function excerptOf(before: string, after: string): Excerpt {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return {
    before: cutAround(before, at, LONGEST_EXCERPT),
    after: cutAround(after, at, LONGEST_EXCERPT),
  };
}

/** The entries of a list for which the other list has no entry left with the same key. */
export function withoutPair<T>(
  list: readonly T[],
  other: readonly T[],
  keyOf: (entry: T) => unknown = (entry) => entry,
): T[] {
  const counts = new Map<unknown, number>();
  const add = (key: unknown, change: number) => {
    const count = (counts.get(key) ?? 0) + change;
    counts.set(key, count);
    return count;
  };
  for (const entry of other) add(keyOf(entry), 1);
  // Each entry uses up its counterpart.
  return list.filter((entry) => add(keyOf(entry), -1) < 0);
}

const WORD = /[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu;

/**
 * How many words came and went between two versions of a page's visible text. A word that only
 * moved is neither.
 */
export function compareWords(before: readonly string[], after: readonly string[]) {
  // Blocks that both versions have add the same words to both, so only the others are compared.
  const was = withoutPair(before, after).flatMap(wordsOf);
  const now = withoutPair(after, before).flatMap(wordsOf);
  return {
    words: after.reduce((sum, block) => sum + wordsOf(block).length, 0),
    wordsAdded: withoutPair(now, was).length,
    wordsRemoved: withoutPair(was, now).length,
  };
}

function wordsOf(block: string): readonly string[] {
  return block.match(WORD) ?? [];
}
