const MOST_DIFFERENCES = 200;
const CHUNK = 4096;
/** What may begin or end a tag, or the value of an attribute. */
const MARKS = /[<>"']/g;
// What these say counts: where the content is, what is hidden, where the page leads, the text in place of an image.
const COUNTS = /\b(?:role|hidden|aria-hidden|alt|http-equiv)\b/i;
const WITHOUT_CONTENT = /^(?:script|style|time)$/i;

/**
 * Whether two versions of a page differ only in what is no content: attributes, scripts, styles, times, and the footer. Many
 * builds put a hash or a date into every page; this finds such a page in a small part of the time that reading both takes.
 *
 * It says no where it is not sure: then both are read, and their fingerprints decide.
 */
export function hasSameContent(before: string, after: string): boolean {
  return hasText(before) && differInNothing(before, after);
}

/** A page without any is compared by its whole file. Plain searches: they are many times faster than an expression. */
function hasText(page: string): boolean {
  const at = ['<h1', '<h2', '<p>', '<p '].map((tag) => page.indexOf(tag)).find((index) => index >= 0);
  return at !== undefined && (!page.includes('<noscript') || !isOpen(page, at, '<noscript', '</noscript'));
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
    // Without a mark in what differs, both go on in the same place: in the same tag, value or text.
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
  const first = text.indexOf('<footer');
  if (first < 0 || first > at) return false;
  const between = text.slice(text.lastIndexOf('<footer', at), at);
  if (/<\/footer|<!--|-->|<\/?(?:script|style|main|article|body|template|textarea|title)\b/i.test(between))
    return false;
  return !(
    isOpen(text, at, '<!--', '-->') ||
    isOpen(text, at, '<script', '</script') ||
    isOpen(text, at, '<style', '</style')
  );
}
