import MarkdownIt, {
  type MarkdownIt as Parser,
  type Env as ParserEnv,
  type StateBlock,
  type StateInline,
  type Token,
} from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import type { Losses } from './removed.ts';

/**
 * GitHub's Markdown to HTML, with everything left out that GitHub draws instead of showing as text. markdown-it rather than
 * micromark (mdast-util-gfm): both follow the specification, but micromark took 4 to 6 s for 64 KiB of `**a`, `_a_ ` or `[a](`,
 * where markdown-it took 50 ms.
 */

// What GitHub draws from the source of a block.
const DRAWN: ReadonlyMap<string, 'math' | 'diagrams'> = new Map([
  ['math', 'math'],
  ['mermaid', 'diagrams'],
  ['geojson', 'diagrams'],
  ['topojson', 'diagrams'],
  ['stl', 'diagrams'],
]);

// A dollar opens a formula before anything but white space; it closes one behind anything but white space and a backslash,
// unless a letter or digit follows.
const CLOSES_MATH = /(?<![\s\\$])\$(?![\p{L}\p{N}$])/gu;

const withLinks = createParser();
// Brackets that cannot become a link need no search for their ends, which is most of the work for a text of brackets.
const withoutLinks = createParser().disable(['link', 'image']);
const MAY_LINK = /\]\(|\]:/;

function createParser(): Parser {
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
  // `$5 and $10` up to some later dollar is no formula, unless a command of TeX is in it.
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

const FOOTNOTE_REFERENCE = /\[\^([^\s\]]{1,200})\]/y;

/** The numbers of the footnotes that are referred to, by label, and the labels that are defined. */
interface Footnotes {
  readonly numbers: Map<string, number>;
  defined?: ReadonlySet<string>;
}

interface Env extends ParserEnv {
  readonly footnotes?: { readonly refs?: Readonly<Record<string, number>> };
  readonly used: Footnotes;
}

// The parser's own type of what the rules share is `any`: this is where it gets a shape.
const environments = new WeakMap<object, Env>();

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

/** A piece of the text's own HTML in the HTML that was made: where it begins there, and where to find it in the source. */
interface OwnHtml {
  readonly at: number;
  readonly raw: string;
  /** Line of the source that its block begins on, from 0. */
  readonly line: number;
}

export interface GfmHtml {
  readonly html: string;
  /** True where the text's own HTML is at this offset, and not an element that Markdown made. */
  readonly isOwn: (offset: number) => boolean;
  /** Line and column in the source, from 1, of the text's own HTML at this offset. */
  readonly placeOf: (offset: number) => { readonly line: number; readonly column: number };
}

/** `losses` takes what is left out on the way. */
export function toHtml(source: string, losses: Losses): GfmHtml {
  const env: Env = { used: { numbers: new Map() } };
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

// Text is written with controls in the place of what HTML takes for markup: the source has none of them, and entities would cut a
// text into as many events of the HTML parser.
const MARKUP = '<&>"';
const CONTROLS = '\u0001\u0002\u0003\u0004';

function escapeHtml(text: string): string {
  return text.replace(/[<&>"]/g, (character) => CONTROLS.charAt(MARKUP.indexOf(character)));
}

/** Text of the HTML as it was before it was written there. */
export function unescapeText(text: string): string {
  return text.replace(/[\u0001-\u0004]/g, (control) => MARKUP.charAt(CONTROLS.indexOf(control)));
}

class HtmlWriter {
  readonly #source: string;
  readonly #losses: Losses;
  readonly #parts: string[] = [];
  readonly #own: OwnHtml[] = [];
  #length = 0;
  #line = 0;
  // Of the table's row that is being written.
  #row: number | undefined;
  #cells = 0;
  #lines: string[] | undefined;

  constructor(source: string, losses: Losses) {
    this.#source = source;
    this.#losses = losses;
  }

  #write(html: string): void {
    this.#parts.push(html);
    this.#length += html.length;
  }

  #writeOwn(raw: string): void {
    this.#own.push({ at: this.#length, raw, line: this.#line });
    this.#write(raw);
  }

  writeBlocks(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.map) this.#line = token.map[0];
      this.#writeBlock(token);
    }
  }

  #writeBlock(token: Token): void {
    const { type, tag, nesting, content } = token;
    switch (type) {
      case 'inline':
        this.#cells += content.replace(/[\s|\\]/g, '').length;
        for (const child of token.children ?? []) this.#writeInline(child);
        return;
      case 'fence':
      case 'code_block':
        this.#writeCode(token);
        return;
      case 'html_block':
        this.#writeOwn(content);
        return;
      case 'math_block':
        this.#losses.add('math', content.length);
        return;
      case 'tr_open':
        this.#cells = 0;
        this.#row = token.map?.[0];
        break;
      case 'tr_close':
        this.#countExcess();
        break;
    }
    if (tag === '') return;
    const start = type === 'ordered_list_open' ? ` start="${token.attrGet('start') ?? 1}"` : '';
    this.#write(nesting < 0 ? `</${tag}>` : `<${tag}${start}>`);
  }

  // A row may have more cells than the heading; GitHub drops the excess.
  #countExcess(): void {
    if (this.#row === undefined) return;
    this.#lines ??= this.#source.split('\n');
    const row = (this.#lines[this.#row] ?? '').replace(/^[\s>]+/, '');
    this.#losses.add('excess table cells', row.replace(/[\s|\\]/g, '').length - this.#cells);
  }

  writeFootnote(number: number, tokens: readonly Token[]): void {
    this.#write(`<gfm-footnote name="${number}">`);
    this.writeBlocks(tokens);
    this.#write('</gfm-footnote>');
  }

  #writeCode({ info, content }: Token): void {
    const drawn = DRAWN.get(info.trim().split(/\s+/)[0]?.toLowerCase() ?? '');
    if (drawn === undefined) this.#write(`<pre>${escapeHtml(content)}</pre>`);
    else this.#losses.add(drawn, content.length);
  }

  #writeInline(token: Token): void {
    const { type, content } = token;
    switch (type) {
      case 'text':
      case 'text_special':
        this.#write(escapeHtml(content));
        return;
      case 'code_inline':
        this.#write(`<code>${escapeHtml(content)}</code>`);
        return;
      case 'html_inline':
        this.#writeOwn(content);
        return;
      case 'math_inline':
        this.#losses.add('math', content.length);
        return;
      case 's_open':
        this.#write('<s>');
        return;
      case 's_close':
        this.#write('</s>');
        return;
      case 'hardbreak':
        this.#write('<br>');
        return;
      case 'link_open':
        if (token.markup !== 'autolink') {
          this.#losses.add('link addresses', attributesLength(token));
        }
        return;
      case 'image':
        this.#losses.add('images', content.length + attributesLength(token));
        return;
      case 'footnote_ref':
        this.#write(`<gfm-footnote-ref name="${content}"></gfm-footnote-ref>`);
        return;
    }
  }

  end(): GfmHtml {
    const own = this.#own;
    const source = this.#source;
    const find = (offset: number) => {
      const found = own[lastAtOrBefore(own, offset)];
      return found !== undefined && offset < found.at + found.raw.length ? found : undefined;
    };
    return {
      html: this.#parts.join(''),
      isOwn: (offset) => find(offset) !== undefined,
      placeOf(offset) {
        const found = find(offset);
        if (found === undefined) return { line: 1, column: 1 };
        const before = own.filter(
          ({ line, raw, at }) => line === found.line && raw === found.raw && at < found.at,
        ).length;
        let at = offsetOfLine(source, found.line) - 1;
        for (let nth = 0; nth <= before && at >= -1; nth += 1) at = source.indexOf(found.raw, at + 1);
        return at < 0 ? placeInLine(source, found, offset) : placeAt(source, at + offset - found.at);
      },
    };
  }
}

function attributesLength({ attrs }: Token): number {
  return (attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0);
}

/** Index of the last piece that begins at the offset or before it; -1 where there is none. */
function lastAtOrBefore(own: readonly OwnHtml[], offset: number): number {
  let [low, high] = [0, own.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((own[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The marks of a quote or the indentation of a list keep what has several lines from being found as it is.
function placeInLine(source: string, { at, raw, line }: OwnHtml, offset: number): { line: number; column: number } {
  const before = raw.slice(0, offset - at).split('\n');
  const found = line + before.length - 1;
  const rest = raw.slice(offset - at).split('\n')[0] ?? '';
  return { line: found + 1, column: Math.max(0, (source.split('\n')[found] ?? '').indexOf(rest)) + 1 };
}

function offsetOfLine(source: string, line: number): number {
  let at = 0;
  for (let skipped = 0; skipped < line && at >= 0; skipped += 1) at = source.indexOf('\n', at) + 1;
  return at;
}

function placeAt(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
