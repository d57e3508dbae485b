import type { Buffer } from 'node:buffer';

/** In these, `<main` is a text or a comment, or not shown. */
const OUTSIDE_OF_PAGES = [
  '<!--',
  '<script',
  '<style',
  '<title',
  '<textarea',
  '<template',
  '<noscript',
];
// Far more than is before the first text of a page.
const CONTENT_BEGINS_WITHIN = 8 * 1024;
const WHOLE_CONTROLS = /<(nav|svg|button)[\s>][\s\S]*?<\/\1>|<!--(?:\/?\$)?-->/gi;
const FIRST_TEXT = /<(?:h[1-6]|p)(?:\s[^<>]*)?>\s*[^\s<]/i;
const MAY_BE_HIDDEN =
  /<!--|hidden|style|role|<\/main|<(?:head|script|template|noscript|nav|aside|footer|svg|time|iframe|object|button|select|textarea|dialog)\b/i;

/**
 * True if the page certainly has content: a heading or paragraph in its `<main>`, with nothing
 * before it there that may hide it. A page without any is compared by its whole file.
 */
export function hasContent(page: Buffer): boolean {
  // Of several, any would do: all of them are content.
  const at = page.lastIndexOf('<main');
  if (at < 0 || OUTSIDE_OF_PAGES.some((begin) => isOpen(page, at, begin))) return false;
  const text = latin1(page, at, at + CONTENT_BEGINS_WITHIN).replace(WHOLE_CONTROLS, '');
  const first = FIRST_TEXT.exec(text);
  if (first === null) return false;
  const upToText = text.slice(0, first.index + first[0].length);
  // `<main` may also begin the longer name of another element.
  const isPlain = /^<main[\s>]/.test(upToText) && !MAY_BE_HIDDEN.test(upToText);
  // With an odd number of quotation marks, a tag could be the value of an attribute. An even number
  // of them splits a text into an odd number of pieces.
  return isPlain && ['"', "'"].every((mark) => upToText.split(mark).length % 2 === 1);
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
