import type { Buffer } from 'node:buffer';

/** Where a comment or an element begins or ends in which `<main` is a text, or not shown. */
const OUTSIDE_OF_PAGES = /<!(-)-|(-)->|<\/?(script|style|title|textarea|template|noscript)/g;
// Far more than is before the first text of a page.
const CONTENT_BEGINS_WITHIN = 8 * 1024;
const WHOLE_CONTROLS = /<(nav|svg|button)[\s>][\s\S]*?<\/\1>|<!--(?:\/?\$)?-->/gi;
const FIRST_TEXT = /<(?:h[1-6]|p)(?:\s[^<>]*)?>\s*[^\s<]/i;
const MAY_BE_HIDDEN =
  /<!--|hidden|style|role|<\/main|<(?:head|script|template|noscript|nav|aside|footer|svg|time|iframe|object|button|select|textarea|dialog)\b/i;
/** In a body, a header is not content. */
const IN_HEADER = /^<body[\s\S]*<header\b/i;

/**
 * True if the page certainly has content: a heading or paragraph in its `<main>`, or in the
 * body of a page without a region of content, with nothing before it there that may hide it. A
 * page without any is compared by its whole file.
 */
export function hasContent(page: Buffer): boolean {
  const at = startOfContent(page);
  if (at < 0) return false;
  if (endsOutside(latin1(page, 0, at).toLowerCase())) return false;
  const text = latin1(page, at, at + CONTENT_BEGINS_WITHIN);
  // Most pages have no control before their first text.
  return beginsWithContent(text) || beginsWithContent(text.replace(WHOLE_CONTROLS, ''));
}

/** True if the text, which begins with a region of content, certainly has some that is shown. */
function beginsWithContent(text: string): boolean {
  const first = FIRST_TEXT.exec(text);
  if (first === null) return false;
  const upToText = text.slice(0, first.index + first[0].length);
  // `<main` may also begin the longer name of another element.
  const isRegion = /^<(?:main|body)[\s>]/.test(upToText) && !IN_HEADER.test(upToText);
  const isPlain = isRegion && !MAY_BE_HIDDEN.test(upToText);
  // With an open quotation, a tag could be the value of an attribute.
  return isPlain && isBalanced(upToText);
}

/** True if the number of quotation marks of each kind is even. */
export function isBalanced(text: string): boolean {
  // An even number of them splits a text into an odd number of pieces.
  return ['"', "'"].every((mark) => text.split(mark).length % 2 === 1);
}

/** Where the element with all content begins; -1 if that is not certain. */
function startOfContent(page: Buffer): number {
  // Of several, any would do: all of them are content.
  const main = page.indexOf('<main');
  if (main >= 0 || page.includes('role=') || page.includes('<article')) return main;
  return page.indexOf('<body');
}

/**
 * True if what is not shown, or is not markup, begins more often in the text than it ends. The text
 * is in lower case.
 */
function endsOutside(text: string): boolean {
  const open = new Map<string, number>();
  for (const [mark, begins, ends, tag = begins ?? ends ?? ''] of text.matchAll(OUTSIDE_OF_PAGES)) {
    const isEnd = mark === '-->' || mark.startsWith('</');
    // An end of nothing changes nothing.
    open.set(tag, Math.max(0, (open.get(tag) ?? 0) + (isEnd ? -1 : 1)));
  }
  return [...open.values()].some((count) => count > 0);
}

/**
 * True if this position is in a comment or an element that begins with `begin`: its end comes
 * before another beginning.
 */
export function isOpen(page: Buffer, at: number, begin: string): boolean {
  const ending = page.indexOf(begin === '<!--' ? '-->' : begin.replace('<', '</'), at);
  // Without an end it hides all that follows: no reader sees the difference.
  if (ending < 0) return false;
  const beginning = page.indexOf(begin, at);
  return beginning < 0 || beginning > ending;
}

/** The bytes of a page as a text in which each is one character. */
export function latin1(page: Buffer, from: number, to: number): string {
  return page.toString('latin1', from, to);
}
