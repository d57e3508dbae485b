import createMarkdownIt, { type MarkdownIt, type StateBlock, type StateInline } from 'markdown-it';
import footnotes from 'markdown-it-footnote';

/**
 * GitHub's Markdown as plain HTML: `shapes.ts` makes of it what GitHub shows. Elements with this
 * mark in their name are of this file; the HTML in a text cannot contain it.
 */
export const MARK = '\u0001';

/** The parser of markdown-it, with GitHub's footnotes and formulas. */
export function createGfm(): MarkdownIt {
  const parser = createMarkdownIt('default', { html: true, breaks: true, linkify: true });
  parser.use(footnotes);
  // GitHub has no footnotes whose text is in their place, as in `^[text]`.
  parser.inline.ruler.disable('footnote_inline');
  parser.inline.ruler.before('escape', 'math', inlineMath);
  // A formula may follow these without an empty line.
  parser.block.ruler.before('fence', 'math', blockMath, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  const { rules } = parser.renderer;
  const { escapeHtml } = parser.utils;
  rules['math_inline'] = (tokens, at) =>
    `<formula${MARK}>${escapeHtml(tokens[at]?.content ?? '')}</formula${MARK}>`;
  rules['math_block'] = (tokens, at) =>
    `<p><formula${MARK}>${escapeHtml(tokens[at]?.content ?? '')}</formula${MARK}></p>`;
  rules['footnote_ref'] = (tokens, at) =>
    `<reference${MARK} name="${Number(tokens[at]?.meta?.['id'] ?? 0) + 1}"></reference${MARK}>`;
  rules['footnote_block_open'] = () => `<notes${MARK}><ol>`;
  rules['footnote_block_close'] = () => `</ol></notes${MARK}>`;
  rules['footnote_open'] = () => '<li>';
  rules['footnote_close'] = () => '</li>';
  rules['footnote_anchor'] = () => `<back${MARK}></back${MARK}>`;
  rules.fence = (tokens, at) => {
    const { info = '', content = '' } = tokens[at] ?? {};
    const language = escapeHtml(info.trim().split(/\s+/)[0] ?? '');
    return `<pre lang="${language}"><code>${escapeHtml(content)}</code></pre>`;
  };
  return parser;
}

/**
 * Rules of markdown-it for GitHub's formulas: `$a$`, `$$a$$`, `` $`a`$ `` and a block between lines
 * of `$$`.
 */

// A dollar opens a formula before anything but white space; it closes one after anything but white
// space and a backslash, unless a letter or digit follows.
const CLOSES_MATH = /(?<![\s\\$])\$(?![\p{L}\p{N}$])/gu;

const QUOTED_END = /`\$/g;
const BACKTICK = /`/g;
const DOLLAR = /(?<!\\)\$/g;
// Characters that only formulas contain.
const COMMAND = /[\\{}^]/g;

/** Where each pattern occurs in the text that was searched last. */
let lastSearched = { text: '', offsets: new Map<RegExp, readonly number[]>() };

/**
 * Where a pattern first occurs from an offset on; undefined if it does not. All its offsets are
 * kept, so that not every dollar searches the text to its end.
 */
function firstIn(text: string, pattern: RegExp, from: number): number | undefined {
  if (lastSearched.text !== text) lastSearched = { text, offsets: new Map() };
  const offsets =
    lastSearched.offsets.get(pattern) ?? Array.from(text.matchAll(pattern), (match) => match.index);
  lastSearched.offsets.set(pattern, offsets);
  // Half of the rest in each step: the first offset that is not before `from`.
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return offsets[low];
}

/** True if a formula begins here. `posMax`: where the text ends that this rule may read. */
function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charAt(pos) !== '$') return false;
  const end = src.startsWith('$$', pos) ? endOfDisplay(src, pos) : endOfFormula(src, pos);
  if (end === undefined || end > state.posMax) return false;
  if (!silent) state.push('math_inline', '', 0).content = src.slice(pos, end);
  state.pos = end;
  return true;
}

/** Where a formula between `$$` ends; undefined if none begins here. */
function endOfDisplay(text: string, at: number): number | undefined {
  const end = text.indexOf('$$', at + 2);
  // It never ends, or it is empty.
  if (end <= at + 2) return undefined;
  return end + 2;
}

/** Where a formula between single dollars ends; undefined if none begins here. */
function endOfFormula(text: string, at: number): number | undefined {
  // A dollar behind a letter, as in `US$`, opens none.
  if (at > 0 && /[\p{L}\p{N}$]/u.test(text.charAt(at - 1))) return undefined;
  // GitHub's other form, `` $`a`$ ``, ends only at a backtick with a dollar.
  if (text.startsWith('`', at + 1)) {
    const quotedEnd = firstIn(text, QUOTED_END, at + 2);
    if (quotedEnd === undefined) return undefined;
    return quotedEnd + '`$'.length;
  }
  // White space, or the end of the text.
  if (/^\s?$/.test(text.charAt(at + 1))) return undefined;
  // Without any, the end of the text stands for it: it is behind every dollar.
  const next = (pattern: RegExp, from: number) => firstIn(text, pattern, from) ?? text.length;
  // At least one character is between the two dollars.
  const end = next(CLOSES_MATH, at + 2);
  // Code stays code, whatever dollars are in it.
  if (end === text.length || next(BACKTICK, at) < end) return undefined;
  // `$5 and $10` up to some later dollar is not a formula, unless a command of TeX is in it.
  if (next(DOLLAR, at + 1) < end && next(COMMAND, at) >= end) return undefined;
  return end + 1;
}

/** True if a block between lines of `$$` begins in this line. */
function blockMath(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  // The parser knows where each line begins (`bMarks`), how much of it is indentation and marks of
  // quotations (`tShift`), and where it ends.
  const lineOf = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  // Text after the dollars is left to the formula within a line.
  if (lineOf(startLine).trim() !== '$$') return false;
  for (let line = startLine + 1; line < endLine; line += 1) {
    // A line whose indentation (`sCount`) is smaller is not in the quotation or item any more.
    if ((state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line)) return false;
    if (!lineOf(line).trimEnd().endsWith('$$')) continue;
    if (!silent) {
      const token = state.push('math_block', '', 0);
      token.content = state.getLines(startLine, line + 1, state.blkIndent, false);
      token.map = [startLine, line + 1];
    }
    state.line = line + 1;
    return true;
  }
  return false;
}
