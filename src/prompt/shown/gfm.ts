import MarkdownIt, { type Env, type StateBlock, type StateInline, type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { HtmlWriter } from './html-writer.ts';
import type { Losses } from './removed.ts';

/**
 * GitHub's Markdown to HTML, with everything left out that GitHub draws instead of showing as text.
 * markdown-it rather than micromark (mdast-util-gfm): both follow the specification, but micromark
 * took 4 to 6 s for 64 KiB of `**a`, `_a_ ` or `[a](`, where markdown-it took 50 ms.
 */

const withLinks = createParser();
// Brackets that cannot become a link need no search for their ends, which is most of the work for a
// text of brackets.
const withoutLinks = createParser().disable(['link', 'image']);
const MAY_LINK = /\]\(|\]:/;

/** The parser of markdown-it, with GitHub's footnotes and formulas. */
function createParser() {
  const parser = new MarkdownIt('default', { html: true, maxNesting: 100 });
  parser.use(footnotes);
  // GitHub has no footnotes whose text is in their place, as in `^[text]`.
  parser.inline.ruler.disable('footnote_inline');
  // Unlike the plugin, GitHub compares labels without case.
  parser.inline.ruler.at('footnote_ref', footnoteReference);
  // The plugin would append the footnotes in a time that grows with the square of their number:
  // `toHtml` appends them.
  parser.core.ruler.disable('footnote_tail');
  // A line end stays text: two tokens for each line would be most of the work for a text of short
  // lines, and the white space around it is trimmed later. Two spaces or a backslash before it
  // break the line, which is the same here.
  parser.inline.ruler.at('newline', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x0a) return false;
    if (!silent) state.pending += '\n';
    state.pos += 1;
    return true;
  });
  parser.inline.ruler.before('escape', 'math', inlineMath);
  // A formula may follow these without an empty line.
  parser.block.ruler.before('fence', 'math', blockMath, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  return parser;
}

/** Turns Markdown into HTML. `losses` takes what is left out on the way. */
export function toHtml(source: string, losses: Losses): HtmlWriter {
  // The footnotes that are referred to, by label, and their numbers: in this order they follow the
  // text. The rule `footnoteReference` fills it.
  const numbers = new Map<string, number>();
  const env: Environment = { numbers };
  const tokens = (MAY_LINK.test(source) ? withLinks : withoutLinks).parse(source, env);
  for (const [label, reference] of Object.entries(env.references ?? {})) {
    const { href, title = '' } = reference;
    losses.add('link definitions', label.length + href.length + title.length);
  }
  const writer = new HtmlWriter(source, losses);
  const notes = new Map<string, Token[]>();
  // Fills `notes` with the tokens of each footnote, by its label.
  const tokensOfText = takeFootnotes(tokens, notes);
  writer.write(tokensOfText);
  for (const [label, number] of numbers) writer.writeFootnote(number, notes.get(label) ?? []);
  for (const [label, unused] of notes) {
    if (numbers.has(label)) continue;
    for (const token of unused) losses.add('unused footnotes', token.content.length);
  }
  return writer;
}

const FOOTNOTE_REFERENCE = /\[\^([^\s\]]{1,200})\]/y;

/** What the rules share, for which the parser has no type. */
interface Environment extends Env {
  readonly footnotes?: { readonly refs?: Readonly<Record<string, number>> };
  /** The numbers of the footnotes that are referred to, by label. */
  numbers?: Map<string, number>;
  /** The labels of all footnotes, in lower case. */
  labels?: ReadonlySet<string>;
}

/**
 * A rule of markdown-it: true if there is a reference to a footnote here. Such a rule writes a
 * token for it and moves behind it; if `silent`, it only moves.
 */
function footnoteReference(state: StateInline, silent: boolean): boolean {
  const env: Environment = state.env;
  FOOTNOTE_REFERENCE.lastIndex = state.pos;
  const label = FOOTNOTE_REFERENCE.exec(state.src)?.[1]?.toLowerCase();
  // The plugin lists the labels, each behind a colon, and makes no list if there is none.
  env.labels ??= new Set(
    Object.keys(env.footnotes?.refs ?? {}).map((key) => key.slice(1).toLowerCase()),
  );
  if (label === undefined || !env.labels.has(label)) return false;
  if (!silent) {
    // Set by `toHtml`; only the type of the environment says otherwise.
    env.numbers ??= new Map();
    const number = env.numbers.get(label) ?? env.numbers.size + 1;
    env.numbers.set(label, number);
    state.push('footnote_ref', '', 0).content = String(number);
  }
  state.pos = FOOTNOTE_REFERENCE.lastIndex;
  return true;
}

/**
 * Gives the tokens of the text without its footnotes, which go into `notes`. If two footnotes have
 * the same label, the first one counts.
 */
function takeFootnotes(tokens: readonly Token[], notes: Map<string, Token[]>): Token[] {
  const text: Token[] = [];
  // The innermost open list is the last one: that of a footnote or, outside of all, the text.
  const openLists = [text];
  for (const token of tokens) {
    if (token.type === 'footnote_reference_open') {
      const label = String(token.meta?.['label']).toLowerCase();
      const note: Token[] = [];
      if (!notes.has(label)) notes.set(label, note);
      openLists.push(note);
    } else if (token.type === 'footnote_reference_close') openLists.pop();
    else openLists.at(-1)?.push(token);
  }
  return text;
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
