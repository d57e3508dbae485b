import { Buffer } from 'node:buffer';
import { MarkupReader } from './markup.ts';
import { FOR_SCREEN_READERS, WAITING } from './page-content.ts';

/** Where a comment or an element begins or ends in which `<main` is a text, or not shown. */
const OUTSIDE_OF_PAGES =
  /<!(-)-|(-)->|<\/?(script|style|title|textarea|template|noscript|iframe|noembed|noframes|plaintext|xmp)/gi;
/** What has all of the content, if it is there; where one by its role begins is not looked for. */
const REGION = /<main|<article|role=/i;
// Far more than is before the first text of a page.
const CONTENT_BEGINS_WITHIN = 8 * 1024;
const LONGEST_WAITING = 200;
const WHOLE_CONTROLS = /<(nav|svg|button)[\s>][\s\S]*?<\/\1>|<!--(?:\/?\$)?-->/gi;
// An entity, one of these bytes of UTF-8, or the wide space and the filler of Korean may begin what
// nothing shows. Without `i`, by which a byte would stand for another one too.
const FIRST_TEXT =
  /<(?:[hH][1-6]|[pP])(?:\s[^<>]*)?>\s*(?!\xe3\x80\x80|\xe3\x85\xa4)[^\s<&\xc2\xcd\xd8\xe1\xe2\xef\xf0\xf3]/;
const MAY_BE_HIDDEN =
  /<!--|hidden|style|role|<\/main|<(?:head|script|template|noscript|nav|aside|footer|svg|time|iframe|object|button|select|textarea|dialog|datalist|progress|meter|audio|video|canvas|noembed|noframes|plaintext|xmp)\b/i;

/** A quotation mark can begin a value only behind an equals sign. */
const VALUE_WITH_TAG = /=\s*(?:"[^"<]*|'[^'<]*)</;

/**
 * True if the page certainly has content: a heading or paragraph in its `<main>`, or in the
 * body of a page without a region of content, with nothing before it there that may hide it. A
 * page without any is compared by its whole file.
 */
export function hasContent(page: Buffer): boolean {
  const text = latin1(page, 0, page.length);
  const at = startOfContent(text);
  if (at < 0 || endsOutside(text.slice(0, at)) || !isTagAt(text, at)) return false;
  const content = text.slice(at, at + CONTENT_BEGINS_WITHIN);
  // Most pages have no control before their first text.
  return beginsWithContent(content) || beginsWithContent(content.replace(WHOLE_CONTROLS, ''));
}

/** Where the element with all content begins; -1 if that is not certain. */
function startOfContent(text: string): number {
  if (!REGION.test(text)) return text.search(/<body/i);
  // Of several, any would do: all of them are content.
  return text.search(/<main/i);
}

/** True if the text, which begins with a region of content, certainly has some that is shown. */
function beginsWithContent(text: string): boolean {
  const first = FIRST_TEXT.exec(text);
  if (first === null || isWaiting(text.slice(first.index, first.index + LONGEST_WAITING)))
    return false;
  const upToText = text.slice(0, first.index + first[0].length);
  // `<main` may also begin the longer name of another element. In a body, a header is not content.
  const isRegion = /^<(?:main|body(?![\s\S]*<header))[\s>]/i.test(upToText);
  if (!isRegion || MAY_BE_HIDDEN.test(upToText) || FOR_SCREEN_READERS.test(upToText)) return false;
  return isTagAt(upToText, first.index);
}

/** Whether the text in a start tag and behind it may be all that is there until scripts run. */
function isWaiting(start: string): boolean {
  const [, shown = ''] = /^<[^<>]*>\s*([^<]*)/.exec(start) ?? [];
  return WAITING.test(Buffer.from(shown, 'latin1').toString());
}

/** Whether a tag begins there, and not the value of an attribute that looks like one. */
function isTagAt(text: string, at: number): boolean {
  // Few pages have such a value, and all markup before is read only in these.
  if (!VALUE_WITH_TAG.test(text.slice(0, at + 1))) return true;
  return new MarkupReader(text).placeOf(at + 1)?.start === at;
}

/** True if what is not shown, or is not markup, begins more often in the text than it ends. */
function endsOutside(text: string): boolean {
  const open = new Map<string, number>();
  const marks = OUTSIDE_OF_PAGES;
  marks.lastIndex = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const [mark, begins, ends, tag = begins ?? ends ?? ''] = found;
    const isEnd = mark === '-->' || mark.startsWith('</');
    const name = tag.toLowerCase();
    // An end of nothing changes nothing.
    open.set(name, Math.max(0, (open.get(name) ?? 0) + (isEnd ? -1 : 1)));
  }
  return [...open.values()].some((count) => count > 0);
}

/** The bytes of a page as a text in which each is one character. */
export function latin1(page: Buffer, from: number, to: number): string {
  return page.toString('latin1', from, to);
}
