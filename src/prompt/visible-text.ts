import { Parser } from 'htmlparser2';
import { stripInvisible } from '../text/characters.ts';
import type { Block, Piece } from './blocks.ts';
import { type GfmHtml, unescapeText } from './gfm.ts';
import type { Losses, RemovedKind } from './removed.ts';

/** What GitHub shows as text or takes as layout. Every other tag is taken out and its text stays, as GitHub does it. */
const SHOWN: ReadonlySet<string> = new Set(
  `a abbr b bdo blockquote br caption center cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i
   img ins kbd li mark ol p picture pre q rp rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot
   th thead time tr tt ul var wbr`.split(/\s+/),
);
// Taken out with their content: GitHub's sanitizer does so, or no page shows it as text.
const WITH_CONTENT: ReadonlySet<string> = new Set(
  'head iframe math noembed noframes noscript plaintext rp script style svg template textarea title xmp'.split(' '),
);
const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend
   main nav ol p section summary ul`.split(/\s+/),
);
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const HEADING = /^h([1-6])$/;
// Each makes the text smaller: nobody reads the fourth.
const SMALLER: ReadonlySet<string> = new Set(['sub', 'sup', 'small']);
const MOST_SMALLER = 3;
// No page nests like this, and the parser's work for one more element grows with the depth.
const DEEPEST = 200;

// GitHub takes these out and shows the text. Other readers of the same text do not.
const HIDING_ATTRIBUTES = ['hidden', 'aria-hidden', 'popover', 'inert'] as const;
const HIDING_CLASS = /hid|sr-only|screen-?reader|invisible|collapse|none|transparent/i;
const HARMLESS_STYLE =
  /^(\s*(text-align|font-weight|font-style|text-decoration|vertical-align|list-style(-type)?|border[a-z-]*|padding[a-z-]*)\s*:[^;]*(;|$))*\s*$/i;
const LAYOUT: ReadonlySet<string> = new Set(
  'align border class colspan height id name open rowspan start style type valign width'.split(' '),
);

// In a code block this is beyond every screen.
const LONG_BLANKS = /[^\S\n]{200,}[^\n]+/g;
const EMPTY_LINES = /\n{4,}/g;
// GitHub reads formulas in the text of the page, whatever made it.
const FORMULA = /\$\$[^$]*\$\$|\$(?!\s)[^$]*[^\s$]\$/g;

/** A hiding tag without its end: everything behind it is hidden. Line and column are those of the source, from 1. */
export interface Unclosed {
  readonly tag: string;
  readonly line: number;
  readonly column: number;
}

interface Element {
  readonly name: string;
  /** What its content is counted as; undefined where it is shown. */
  readonly hides: RemovedKind | undefined;
  readonly reveals: boolean;
  readonly at: number;
}

type Mode = 'text' | 'code' | 'pre';

class VisibleText {
  readonly #source: GfmHtml;
  readonly #losses: Losses;
  readonly #blocks: Block[] = [];
  readonly #stack: Element[] = [];
  readonly #numbers: (number | undefined)[] = [];
  #pieces: Piece[] = [];
  #lead = '';
  #code = '';
  #mode: Mode = 'text';
  #hidden = 0;
  #smaller = 0;
  #rows: Piece[][][] | undefined;
  #ended: RemovedKind | undefined;
  #unclosed: Unclosed | undefined;

  constructor(source: GfmHtml, losses: Losses) {
    this.#source = source;
    this.#losses = losses;
  }

  get ended(): RemovedKind | undefined {
    return this.#ended;
  }

  get unclosed(): Unclosed | undefined {
    return this.#unclosed;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, at: number, length: number): void {
    if (this.#ended !== undefined) return;
    const isOwn = this.#source.isOwn(at);
    if (isOwn) this.#countTag(name, attributes, length);
    const reveals = this.#isFirstSummary(name);
    if (SMALLER.has(name)) this.#smaller += 1;
    const hides = this.#hides(name, attributes);
    this.#stack.push({ name, hides, reveals, at });
    if (reveals) this.#hidden -= 1;
    if (this.#stack.length > DEEPEST) this.#ended = 'too deeply nested text';
    if (this.#hidden === 0 && hides === undefined && this.#ended === undefined && this.#mode !== 'pre') {
      this.#openShown(name, attributes, isOwn);
    }
    if (hides !== undefined) this.#hidden += 1;
  }

  #countTag(name: string, attributes: Readonly<Record<string, string>>, length: number): void {
    if (!SHOWN.has(name) && !WITH_CONTENT.has(name)) this.#losses.add('tags', length);
    else if (name === 'img') this.#losses.add('images', Object.values(attributes).join('').length);
    else {
      for (const [attribute, value] of Object.entries(attributes)) {
        const kind = attribute === 'href' ? 'link addresses' : 'attributes';
        if (!LAYOUT.has(attribute)) this.#losses.add(kind, value.length);
      }
    }
  }

  #hides(name: string, attributes: Readonly<Record<string, string>>): RemovedKind | undefined {
    if (WITH_CONTENT.has(name)) return 'scripts and styles';
    if (name === 'details' && !('open' in attributes)) return 'folded parts';
    if (this.#smaller > MOST_SMALLER) return 'too deeply nested text';
    const isHidden =
      HIDING_ATTRIBUTES.some((attribute) => attribute in attributes) ||
      HIDING_CLASS.test(attributes['class'] ?? '') ||
      !HARMLESS_STYLE.test(attributes['style'] ?? '');
    return isHidden ? 'hidden elements' : undefined;
  }

  /** The summary of a folded part is what a reader sees of it. */
  #isFirstSummary(name: string): boolean {
    const parent = this.#stack.at(-1);
    return name === 'summary' && this.#hidden === 1 && parent?.hides === 'folded parts';
  }

  #openShown(name: string, attributes: Readonly<Record<string, string>>, isOwn: boolean): void {
    if (!isOwn && name === 'gfm-footnote-ref') this.#mark(`[^${attributes['name']}]`);
    if (!isOwn && name === 'gfm-footnote') {
      this.#flush();
      this.#lead = `[^${attributes['name']}]: `;
    }
    if (name === 'br') this.#text('\n');
    if (name === 's' || name === 'del' || name === 'strike') this.#mark('~~');
    if (name === 'table' && this.#rows === undefined) {
      this.#flush();
      this.#rows = [];
    }
    if (name === 'tr') this.#rows?.push([]);
    if (name === 'td' || name === 'th') this.#flush();
    const heading = HEADING.exec(name);
    if (heading !== null || name === 'li' || BLOCKS.has(name)) this.#flush();
    if (heading !== null) this.#lead = `${'#'.repeat(Number(heading[1]))} `;
    if (name === 'ol' || name === 'ul') this.#numbers.push(name === 'ol' ? startOf(attributes) : undefined);
    if (name === 'li') this.#lead = this.#nextItem();
    if (name === 'pre') this.#flush();
    if (name === 'pre') this.#mode = 'pre';
    else if (name === 'code' && this.#mode === 'text') this.#mode = 'code';
  }

  #nextItem(): string {
    const number = this.#numbers.at(-1);
    if (number === undefined) return '- ';
    this.#numbers[this.#numbers.length - 1] = number + 1;
    return `${number}. `;
  }

  close(isImplied: boolean): void {
    const top = this.#stack.pop();
    if (top === undefined || this.#ended !== undefined) return;
    const { name, hides, reveals } = top;
    if (SMALLER.has(name)) this.#smaller -= 1;
    if (hides !== undefined) {
      // A browser opens some elements anew in the next paragraph: one that hides and has no end tag hides the rest.
      if (isImplied && !VOID.has(name)) this.#end(name, top.at, hides);
      this.#hidden -= 1;
    } else if (this.#hidden === 0) this.#closeShown(name);
    if (reveals) {
      this.#flush();
      this.#hidden += 1;
    }
  }

  /** The rest of the page is within a tag that has no end. */
  cutOff(at: number, rest: string): void {
    if (this.#ended !== undefined || rest === '') return;
    this.#losses.add('hidden elements', rest.length);
    this.#end(/^<[/!?]?([A-Za-z0-9-]*)/.exec(rest)?.[1] || '<', at, 'hidden elements');
  }

  #end(tag: string, at: number, kind: RemovedKind): void {
    this.#ended = kind;
    this.#unclosed = { tag, ...this.#source.placeOf(at) };
  }

  #closeShown(name: string): void {
    if (name === 'pre' && this.#mode === 'pre') this.#flushCodeBlock();
    else if (name === 'code' && this.#mode === 'code') this.#flushCode();
    if (this.#mode === 'pre') return;
    if (name === 's' || name === 'del' || name === 'strike') this.#mark('~~');
    if (name === 'td' || name === 'th') this.#flushCell();
    if (name === 'table') this.#flushTable();
    if (name === 'ol' || name === 'ul') this.#numbers.pop();
    if (HEADING.test(name) || name === 'li' || BLOCKS.has(name)) this.#flush();
  }

  comment(length: number, at: number, isClosed: boolean): void {
    if (this.#ended !== undefined) return;
    this.#losses.add('comments', length);
    if (!isClosed) this.#end('<!--', at, 'comments');
  }

  text(data: string, at: number): void {
    if (this.#ended !== undefined) return;
    if (this.#hidden > 0) this.#losses.add(this.#hidingKind(), data.trim().length);
    else if (this.#mode === 'text') this.#text(this.#source.isOwn(at) ? this.#withoutMath(data) : data);
    else this.#code += data;
  }

  #hidingKind(): RemovedKind {
    return this.#stack.findLast(({ hides }) => hides !== undefined)?.hides ?? 'hidden elements';
  }

  #withoutMath(data: string): string {
    return data.replace(FORMULA, (formula) => {
      this.#losses.add('math', formula.length);
      return '';
    });
  }

  #text(data: string): void {
    // Entities can spell what cannot be seen.
    const { text, removed } = stripInvisible(data);
    this.#losses.add('invisible characters', removed);
    const last = this.#pieces.at(-1);
    if (last?.kind === 'text') this.#pieces[this.#pieces.length - 1] = { kind: 'text', text: last.text + text };
    else this.#pieces.push({ kind: 'text', text });
  }

  #mark(text: string): void {
    this.#pieces.push({ kind: 'mark', text });
  }

  #flushCode(): void {
    this.#mode = 'text';
    const { text, removed } = stripInvisible(this.#code);
    this.#losses.add('invisible characters', removed);
    this.#code = '';
    const code = text.replace(/\s+/g, ' ');
    if (code.trim() !== '') this.#pieces.push({ kind: 'code', text: code });
  }

  #flushCodeBlock(): void {
    this.#mode = 'text';
    const { text, removed } = stripInvisible(this.#code);
    this.#losses.add('invisible characters', removed);
    this.#code = '';
    const code = text
      .replace(LONG_BLANKS, (far) => {
        this.#losses.add('text behind long blanks', far.trim().length);
        return '';
      })
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(EMPTY_LINES, '\n\n\n')
      .replace(/^\n+|\s+$/g, '');
    if (code === '') return;
    // A table has no room for a block.
    if (this.#rows !== undefined) this.#pieces.push({ kind: 'code', text: code.replace(/\s+/g, ' ').trim() });
    else this.#blocks.push({ kind: 'code', text: code });
  }

  #takePieces(): Piece[] {
    const pieces = trimPieces(this.#pieces);
    this.#pieces = [];
    return pieces;
  }

  #flush(): void {
    // Within a table's cell a block is a blank.
    if (this.#rows !== undefined && this.#rows.length > 0) {
      this.#text(' ');
      return;
    }
    const pieces = this.#takePieces();
    if (pieces.length === 0) return;
    const isHeading = this.#lead.startsWith('#');
    this.#blocks.push({ kind: 'text', lead: this.#lead, pieces: isHeading ? onOneLine(pieces) : pieces });
    this.#lead = '';
  }

  #flushCell(): void {
    const cells = this.#rows?.at(-1);
    if (cells === undefined) this.#flush();
    else cells.push(onOneLine(this.#takePieces()));
  }

  #flushTable(): void {
    const rest = this.#takePieces();
    const rows = (this.#rows ?? []).filter((cells) => cells.some((cell) => cell.length > 0));
    this.#rows = undefined;
    if (rows.length > 0) this.#blocks.push({ kind: 'table', rows });
    if (rest.length > 0) this.#blocks.push({ kind: 'text', lead: '', pieces: rest });
  }

  end(): Block[] {
    if (this.#mode === 'code') this.#flushCode();
    if (this.#mode === 'pre') this.#flushCodeBlock();
    if (this.#rows !== undefined) this.#flushTable();
    this.#flush();
    return this.#blocks;
  }
}

function startOf({ start = '1' }: Readonly<Record<string, string>>): number {
  return /^\d{1,8}$/.test(start) ? Number(start) : 1;
}

/** Without blanks at the ends and around line ends, and with one between words. */
function trimPieces(pieces: readonly Piece[]): Piece[] {
  const squeezed: Piece[] = [];
  // As if a line had just begun: blanks there are not shown.
  let atStart = true;
  for (const { kind, text } of pieces) {
    let shown = text;
    if (kind === 'text') {
      shown = text.replace(/[\p{Zs}\t]+/gu, ' ').replace(/ ?\n[ \n]*/g, '\n');
      if (atStart) shown = shown.replace(/^[ \n]+/, '');
    }
    if (shown === '') continue;
    squeezed.push({ kind, text: shown });
    atStart = kind === 'text' && /[ \n]$/.test(shown);
  }
  for (let last = squeezed.at(-1); last?.kind === 'text'; last = squeezed.at(-1)) {
    const text = last.text.trimEnd();
    squeezed.pop();
    if (text !== '') {
      squeezed.push({ kind: 'text', text });
      break;
    }
  }
  return withPairs(squeezed);
}

// `~~` with nothing between them, or without the second, would be read as something else.
function withPairs(pieces: readonly Piece[]): Piece[] {
  const strikes = pieces.filter(({ kind, text }) => kind === 'mark' && text === '~~').length;
  if (strikes === 0) return [...pieces];
  const hasWords = pieces.some(({ kind }) => kind !== 'mark');
  return strikes % 2 === 0 && hasWords
    ? [...pieces]
    : pieces.filter(({ text, kind }) => kind !== 'mark' || text !== '~~');
}

function onOneLine(pieces: readonly Piece[]): Piece[] {
  return pieces.map(({ kind, text }) => ({ kind, text: text.replaceAll('\n', ' ') }));
}

export interface Visible {
  readonly blocks: Block[];
  readonly unclosed: Unclosed | undefined;
}

/** The text of a page that a reader sees. `losses` takes what is hidden, or may be. */
export function toVisibleText(source: GfmHtml, losses: Losses): Visible {
  const { html } = source;
  const visible = new VisibleText(source, losses);
  // Offset behind the last thing that was read: a tag that never ends is read as nothing.
  let read = 0;
  let isOver = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        read = parser.endIndex + 1;
        visible.open(name, attributes, parser.startIndex, read - parser.startIndex);
        stopWhenEnded();
      },
      onclosetag: (_name, isImplied) => {
        if (!isOver) read = Math.max(read, parser.endIndex + 1);
        visible.close(isImplied);
        stopWhenEnded();
      },
      ontext: (data) => {
        read = parser.endIndex + 1;
        visible.text(unescapeText(data), parser.startIndex);
      },
      oncomment: (data) => {
        read = parser.endIndex + 1;
        visible.comment(data.length, parser.startIndex, html.startsWith('>', read - 1));
      },
      onprocessinginstruction: (_name, data) => {
        read = parser.endIndex + 1;
        losses.add('comments', data.length);
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  function stopWhenEnded(): void {
    if (visible.ended === undefined || isOver) return;
    isOver = true;
    losses.add(visible.ended, html.length - read);
    parser.pause();
  }
  parser.write(html);
  isOver ||= read >= html.length;
  parser.end();
  if (!isOver) {
    const at = Math.max(0, html.lastIndexOf('<', read));
    visible.cutOff(at, html.slice(at));
  }
  return { blocks: visible.end(), unclosed: visible.unclosed };
}
