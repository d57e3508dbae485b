import MarkdownIt, { type Env, type StateBlock, type StateInline, type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { type GfmHtml, HtmlWriter } from './html-writer.ts';
import type { Losses } from './removed.ts';

/**
 * GitHub's Markdown to HTML, with everything left out that GitHub draws instead of showing as text. markdown-it rather than
 * micromark (mdast-util-gfm): both follow the specification, but micromark took 4 to 6 s for 64 KiB of `**a`, `_a_ ` or `[a](`,
 * where markdown-it took 50 ms.
 */

const withLinks = createParser();
// Brackets that cannot become a link need no search for their ends, which is most of the work for a text of brackets.
const withoutLinks = createParser().disable(['link', 'image']);
const MAY_LINK = /\]\(|\]:/;

function createParser() {
  const parser = new MarkdownIt('default', { html: true, maxNesting: 100 });
  parser.use(footnotes);
  // GitHub has no footnotes in place, and compares labels without case. The plugin's own list of the footnotes in use takes time
  // that grows with the square of their number.
  parser.inline.ruler.disable('footnote_inline');
  parser.inline.ruler.at('footnote_ref', footnoteReference);
  parser.core.ruler.disable('footnote_tail');
  // A line end stays text: two tokens for each line would be most of the work for a text of short lines, and the white space
  // around it is trimmed later. Two blanks or a backslash before it break the line, which is the same here.
  parser.inline.ruler.at('newline', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x0a) return false;
    if (!silent) state.pending += '\n';
    state.pos += 1;
    return true;
  });
  parser.inline.ruler.before('escape', 'math', inlineMath);
  parser.block.ruler.before('fence', 'math', blockMath, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  return parser;
}

/** `losses` takes what is left out on the way. */
export function toHtml(source: string, losses: Losses): GfmHtml {
  const env: Environment = { used: { numbers: new Map() } };
  environments.set(env, env);
  const tokens = (MAY_LINK.test(source) ? withLinks : withoutLinks).parse(source, env);
  for (const [label, { href, title = '' }] of Object.entries(env.references ?? {})) {
    losses.add('link definitions', label.length + href.length + title.length);
  }
  const writer = new HtmlWriter(source, losses);
  const { text, notes } = splitFootnotes(tokens);
  writer.writeBlocks(text);
  for (const [label, number] of env.used.numbers) writer.writeFootnote(number, notes.get(label) ?? []);
  for (const [label, unused] of notes) {
    if (!env.used.numbers.has(label)) losses.add('unused footnotes', lengthOf(unused));
  }
  return writer.end();
}

const FOOTNOTE_REFERENCE = /\[\^([^\s\]]{1,200})\]/y;

/** The numbers of the footnotes that are referred to, by label, and the labels that are defined. */
interface Footnotes {
  readonly numbers: Map<string, number>;
  defined?: ReadonlySet<string>;
}

interface Environment extends Env {
  readonly footnotes?: { readonly refs?: Readonly<Record<string, number>> };
  readonly used: Footnotes;
}

// The parser's own type of what the rules share is `any`: this is where it gets a shape.
const environments = new WeakMap<object, Environment>();

function footnoteReference(state: StateInline, silent: boolean): boolean {
  FOOTNOTE_REFERENCE.lastIndex = state.pos;
  const label = FOOTNOTE_REFERENCE.exec(state.src)?.[1]?.toLowerCase();
  const env = environments.get(state.env);
  if (label === undefined || env === undefined) return false;
  const { used } = env;
  used.defined ??= new Set(Object.keys(env.footnotes?.refs ?? {}).map((key) => key.slice(1).toLowerCase()));
  if (!used.defined.has(label)) return false;
  if (!silent) {
    const number = used.numbers.get(label) ?? used.numbers.size + 1;
    used.numbers.set(label, number);
    state.push('footnote_ref', '', 0).content = String(number);
  }
  state.pos = FOOTNOTE_REFERENCE.lastIndex;
  return true;
}

interface SplitTokens {
  readonly text: Token[];
  /** Footnotes by label; of two with one label the first counts. */
  readonly notes: ReadonlyMap<string, Token[]>;
}

function splitFootnotes(tokens: readonly Token[]): SplitTokens {
  const text: Token[] = [];
  const notes = new Map<string, Token[]>();
  const into: Token[][] = [text];
  for (const token of tokens) {
    if (token.type === 'footnote_reference_open') {
      const label = labelOf(token);
      const note: Token[] = [];
      if (!notes.has(label)) notes.set(label, note);
      into.push(note);
    } else if (token.type === 'footnote_reference_close') into.pop();
    else into.at(-1)?.push(token);
  }
  return { text, notes };
}

function labelOf({ meta }: Token): string {
  const data: unknown = meta;
  const label = typeof data === 'object' && data !== null && 'label' in data ? data.label : undefined;
  return String(label).toLowerCase();
}

function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { type, content }) => sum + (type === 'inline' || content !== '' ? content.length : 0), 0);
}

/** Rules of markdown-it for GitHub's formulas: `$a$`, `$$a$$`, `` $`a`$ `` and a block between lines of `$$`. */

// A dollar opens a formula before anything but white space; it closes one behind anything but white space and a backslash,
// unless a letter or digit follows.
const CLOSES_MATH = /(?<![\s\\$])\$(?![\p{L}\p{N}$])/gu;

/** Where formulas can end in the text that is being parsed, so that no opening dollar searches to its end. */
interface MathEnds {
  readonly text: string;
  /** Offsets of closing dollars and of backticks, ascending. */
  readonly dollars: readonly number[];
  readonly backticks: readonly number[];
  /** Of any dollar, and of what only formulas hold. */
  readonly anyDollars: readonly number[];
  readonly commands: readonly number[];
  /** Offset of the last end of a formula in backticks. */
  readonly lastQuoted: number;
}

let ends: MathEnds = { text: '', dollars: [], backticks: [], anyDollars: [], commands: [], lastQuoted: -1 };

function endsIn(text: string): MathEnds {
  if (ends.text !== text) {
    ends = {
      text,
      dollars: offsetsOf(text, CLOSES_MATH),
      backticks: offsetsOf(text, /`/g),
      anyDollars: offsetsOf(text, /(?<!\\)\$/g),
      commands: offsetsOf(text, /[\\{}^]/g),
      lastQuoted: text.lastIndexOf('`$'),
    };
  }
  return ends;
}

function offsetsOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index);
}

/** The first of ascending offsets that is not before `from`. */
function firstFrom(offsets: readonly number[], from: number): number | undefined {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return offsets[low];
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x24) return false;
  const end = src.startsWith('$$', pos) ? endOfDisplay(src, pos) : endOfFormula(src, pos);
  if (end === undefined || end > state.posMax) return false;
  if (!silent) state.push('math_inline', '', 0).content = src.slice(pos, end);
  state.pos = end;
  return true;
}

function endOfDisplay(text: string, at: number): number | undefined {
  const end = text.indexOf('$$', at + 2);
  return end <= at + 2 ? undefined : end + 2;
}

function endOfFormula(text: string, at: number): number | undefined {
  if (at > 0 && /[\p{L}\p{N}$]/u.test(text.charAt(at - 1))) return undefined;
  const { dollars, backticks, anyDollars, commands, lastQuoted } = endsIn(text);
  if (text.startsWith('`', at + 1)) return lastQuoted < at + 2 ? undefined : text.indexOf('`$', at + 2) + 2;
  if (/^\s?$/.test(text.charAt(at + 1))) return undefined;
  const end = firstFrom(dollars, at + 2);
  // Code is code, whatever dollars it holds.
  if (end === undefined || (firstFrom(backticks, at) ?? end) < end) return undefined;
  // `$5 and $10` up to some later dollar is not a formula, unless a command of TeX is in it.
  const isNested = (firstFrom(anyDollars, at + 1) ?? end) < end;
  return isNested && (firstFrom(commands, at) ?? end) >= end ? undefined : end + 1;
}

function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineOf = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const first = lineOf(startLine);
  // Text behind the dollars is left to the formula within a line.
  if (first.trim() !== '$$') return false;
  for (let line = startLine + 1; line < endLine; line += 1) {
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
