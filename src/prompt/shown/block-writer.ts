import { stripInvisible } from '../../text/escape.ts';
import type { Block, Piece } from './blocks.ts';
import { FOOTNOTE, FOOTNOTE_REF, unescapeText } from './html-writer.ts';
import type { Losses } from './removed.ts';

const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend
   main nav ol p section summary ul`.split(/\s+/),
);
const HEADING = /^h([1-6])$/;
const STRUCK = /^(?:s|del|strike)$/;
// In a code block this is beyond every screen.
const LONG_BLANKS = /[^\S\n]{200,}[^\n]+/g;
const EMPTY_LINES = /\n{4,}/g;
// GitHub reads formulas in the text of the page, whatever made it.
const FORMULA = /\$\$[^$]*\$\$|\$(?!\s)[^$]*[^\s$]\$/g;

type Mode = 'text' | 'code' | 'pre';

/** Writes the elements and texts of a page that are shown as blocks. */
export class BlockWriter {
  readonly #losses: Losses;
  readonly #blocks: Block[] = [];
  readonly #numbers: (number | undefined)[] = [];
  #pieces: Piece[] = [];
  #lead = '';
  #code = '';
  #mode: Mode = 'text';
  #rows: Piece[][][] | undefined;
  #quotes = 0;

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#mode === 'pre') return;
    this.#openInline(name, attributes);
    this.#openBlock(name, attributes);
    if (name === 'pre') this.#mode = 'pre';
    else if (name === 'code' && this.#mode === 'text') this.#mode = 'code';
  }

  #openInline(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === FOOTNOTE_REF) this.#mark(`[^${attributes['name']}]`);
    if (name === 'br') this.#text('\n');
    if (STRUCK.test(name)) this.#mark('~~');
  }

  #openBlock(name: string, attributes: Readonly<Record<string, string>>): void {
    const heading = HEADING.exec(name);
    const isTable = name === 'table' && this.#rows === undefined;
    const isBlock =
      heading !== null || isTable || BLOCKS.has(name) || /^(?:td|th|li|pre)$/.test(name);
    if (isBlock || name === FOOTNOTE) this.flush();
    if (isTable) this.#rows = [];
    if (name === 'blockquote') this.#beginQuote();
    if (name === 'tr') this.#rows?.push([]);
    if (name === 'ol' || name === 'ul')
      this.#numbers.push(name === 'ol' ? startOf(attributes) : undefined);
    if (heading !== null) this.#lead = `${'#'.repeat(Number(heading[1]))} `;
    if (name === FOOTNOTE) this.#lead = `[^${attributes['name']}]: `;
    if (name === 'li') this.#lead = this.#nextItem();
  }

  #beginQuote(): void {
    // A table's cell has no room for a block.
    if (this.#rows !== undefined) this.#mark('> ');
    this.#quotes += 1;
  }

  #nextItem(): string {
    const number = this.#numbers.at(-1);
    if (number === undefined) return '- ';
    this.#numbers[this.#numbers.length - 1] = number + 1;
    return `${number}. `;
  }

  close(name: string): void {
    if (name === 'pre' && this.#mode === 'pre') this.#flushCodeBlock();
    else if (name === 'code' && this.#mode === 'code') this.#flushCode();
    if (this.#mode === 'pre') return;
    if (STRUCK.test(name)) this.#mark('~~');
    if (name === 'td' || name === 'th') this.#flushCell();
    if (name === 'table') this.#flushTable();
    if (name === 'ol' || name === 'ul') this.#numbers.pop();
    if (HEADING.test(name) || name === 'li' || BLOCKS.has(name)) this.flush();
    if (name === 'blockquote') this.#quotes -= 1;
  }

  text(data: string): void {
    if (this.#mode === 'text') this.#text(unescapeText(this.#withoutMath(data)));
    else this.#code += unescapeText(data);
  }

  #withoutMath(data: string): string {
    return data.replace(FORMULA, (formula) => {
      this.#losses.add('math', formula.length);
      return '';
    });
  }

  /** Entities can spell what cannot be seen. */
  #visible(data: string): string {
    const { text, removed } = stripInvisible(data);
    this.#losses.add('invisible characters', removed);
    return text;
  }

  #text(data: string): void {
    const text = this.#visible(data);
    const last = this.#pieces.at(-1);
    if (last?.kind === 'text')
      this.#pieces[this.#pieces.length - 1] = { kind: 'text', text: last.text + text };
    else this.#pieces.push({ kind: 'text', text });
  }

  #mark(text: string): void {
    this.#pieces.push({ kind: 'mark', text });
  }

  #takeCode(): string {
    const code = this.#visible(this.#code);
    this.#mode = 'text';
    this.#code = '';
    return code;
  }

  #flushCode(): void {
    const code = this.#takeCode().replace(/\s+/g, ' ');
    if (code.trim() !== '') this.#pieces.push({ kind: 'code', text: code });
  }

  #flushCodeBlock(): void {
    const code = this.#takeCode()
      .replace(LONG_BLANKS, (far) => {
        this.#losses.add('text after long runs of spaces', far.trim().length);
        return '';
      })
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(EMPTY_LINES, '\n\n\n')
      .replace(/^\n+/, '')
      .trimEnd();
    if (code === '') return;
    // A table has no room for a block.
    if (this.#rows !== undefined)
      this.#pieces.push({ kind: 'code', text: code.replace(/\s+/g, ' ').trim() });
    else this.#blocks.push({ kind: 'code', text: code, quotes: this.#quotes });
  }

  #takePieces(): Piece[] {
    const pieces = trimPieces(this.#pieces);
    this.#pieces = [];
    return pieces;
  }

  flush(): void {
    // Within a table's cell a block is a space.
    if (this.#rows !== undefined && this.#rows.length > 0) {
      this.#text(' ');
      return;
    }
    const pieces = this.#takePieces();
    if (pieces.length === 0) return;
    const isHeading = this.#lead.startsWith('#');
    const shown = isHeading ? onOneLine(pieces) : pieces;
    this.#blocks.push({ kind: 'text', lead: this.#lead, pieces: shown, quotes: this.#quotes });
    this.#lead = '';
  }

  #flushCell(): void {
    const cells = this.#rows?.at(-1);
    if (cells === undefined) this.flush();
    else cells.push(onOneLine(this.#takePieces()));
  }

  #flushTable(): void {
    const rest = this.#takePieces();
    const rows = (this.#rows ?? []).filter((cells) => cells.some((cell) => cell.length > 0));
    this.#rows = undefined;
    const quotes = this.#quotes;
    if (rows.length > 0) this.#blocks.push({ kind: 'table', rows, quotes });
    if (rest.length > 0) this.#blocks.push({ kind: 'text', lead: '', pieces: rest, quotes });
  }

  end(): Block[] {
    if (this.#mode === 'code') this.#flushCode();
    if (this.#mode === 'pre') this.#flushCodeBlock();
    if (this.#rows !== undefined) this.#flushTable();
    this.flush();
    return this.#blocks;
  }
}

function startOf({ start = '1' }: Readonly<Record<string, string>>): number {
  return /^\d{1,8}$/.test(start) ? Number(start) : 1;
}

/** Without spaces at the ends and around line ends, and with one between words. */
function trimPieces(pieces: readonly Piece[]): Piece[] {
  // As if a line had just begun: spaces there are not shown.
  let atStart = true;
  const squeezed = pieces
    .map(({ kind, text }) => {
      const line =
        kind === 'text' ? text.replace(/[\p{Zs}\t]+/gu, ' ').replace(/ ?\n[ \n]*/g, '\n') : text;
      const shown = kind === 'text' && atStart ? line.replace(/^[ \n]+/, '') : line;
      if (shown !== '') atStart = kind === 'text' && /[ \n]$/.test(shown);
      return { kind, text: shown };
    })
    .filter(({ text }) => text !== '');
  const end = squeezed.findLastIndex(({ kind, text }) => kind !== 'text' || text.trim() !== '');
  return withPairs(
    squeezed
      .slice(0, end + 1)
      .map((piece, at) =>
        at === end && piece.kind === 'text' ? { ...piece, text: piece.text.trimEnd() } : piece,
      ),
  );
}

// `~~` with nothing between them, or without the second, would be read as something else.
function withPairs(pieces: readonly Piece[]): Piece[] {
  const isStrike = ({ kind, text }: Piece) => kind === 'mark' && text === '~~';
  const hasWords = pieces.some(({ kind }) => kind !== 'mark');
  const isPaired = pieces.filter(isStrike).length % 2 === 0;
  return pieces.filter((piece) => (isPaired && hasWords) || !isStrike(piece));
}

function onOneLine(pieces: readonly Piece[]): Piece[] {
  return pieces.map(({ kind, text }) => ({ kind, text: text.replaceAll('\n', ' ') }));
}
