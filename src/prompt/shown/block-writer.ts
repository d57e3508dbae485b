import { stripInvisible } from '../../text/escape.ts';
import type { Block, Piece } from './blocks.ts';
import { FOOTNOTE, FOOTNOTE_REF, unescapeText } from './html-writer.ts';
import type { Losses, RemovedKind } from './removed.ts';

/** The beginning and the end of each of these end the text before them. */
const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend
   main nav ol p section summary ul`.split(/\s+/),
);
const HEADING = /^h([1-6])$/;
/** Of these the beginning does. What their ends do differs: see `close`. */
const STARTS_BLOCK = new RegExp(`^(?:h[1-6]|td|th|li|pre|${FOOTNOTE})$`);
const STRUCK = /^(?:s|del|strike)$/;
// Text after so many spaces in a code block is beyond the edge of every screen.
const LONG_BLANKS = /[^\S\n]{200,}[^\n]+/g;
const EMPTY_LINES = /\n{4,}/g;
// GitHub reads formulas in the text of the page, whatever made it.
const FORMULA = /\$\$[^$]*\$\$|\$(?!\s)[^$]*[^\s$]\$/g;

type Mode = 'text' | 'code' | 'pre';

/** Writes the elements and texts of a page that are shown as blocks. */
export class BlockWriter {
  readonly #losses: Losses;
  readonly #blocks: Block[] = [];
  /** The number of the next item of each open list; undefined for a list with bullets. */
  readonly #numbers: (number | undefined)[] = [];
  /** The text of the block or cell that is being written. */
  #pieces: Piece[] = [];
  /** What the next block begins with: the mark of a heading, an item or a footnote. */
  #lead = '';
  /** The code that is being written, within a line or (`pre`) as a block. */
  #code = '';
  #mode: Mode = 'text';
  /** The rows of the open table, and of a table within it. */
  #rows: Piece[][][] | undefined;
  /** How many quotations are open. */
  #quotes = 0;

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  /** An element begins. */
  open(name: string, attributes: Readonly<Record<string, string>>): void {
    // A block of code shows no layout but its lines.
    if (this.#mode === 'pre') return;
    if (name === FOOTNOTE_REF) this.#mark(`[^${attributes['name']}]`);
    if (name === 'br') this.#text('\n');
    if (STRUCK.test(name)) this.#mark('~~');
    this.#openBlock(name, attributes);
    if (name === 'pre') this.#mode = 'pre';
    else if (name === 'code' && this.#mode === 'text') this.#mode = 'code';
  }

  /** Begins what an element makes a block of: a new text, table, item, heading or footnote. */
  #openBlock(name: string, attributes: Readonly<Record<string, string>>): void {
    const isTable = name === 'table' && this.#rows === undefined;
    if (isTable || BLOCKS.has(name) || STARTS_BLOCK.test(name)) this.flush();
    if (isTable) this.#rows = [];
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined) this.#lead = `${'#'.repeat(Number(level))} `;
    switch (name) {
      case 'blockquote':
        this.#beginQuote();
        break;
      case 'tr':
        // Outside of a table, its cells are read as text.
        this.#rows?.push([]);
        break;
      case 'ol':
        this.#numbers.push(startOf(attributes['start']));
        break;
      case 'ul':
        this.#numbers.push(undefined);
        break;
      case 'li':
        this.#lead = this.#nextItem();
        break;
      case FOOTNOTE:
        this.#lead = `[^${attributes['name']}]: `;
        break;
    }
  }

  #beginQuote(): void {
    // A table's cell has no room for a block, so the mark of a quotation is part of its text.
    if (this.#rows !== undefined) this.#mark('> ');
    this.#quotes += 1;
  }

  /** The mark of the next item of the innermost list; a bullet for an item outside of a list. */
  #nextItem(): string {
    const number = this.#numbers.at(-1);
    if (number === undefined) return '- ';
    this.#numbers[this.#numbers.length - 1] = number + 1;
    return `${number}. `;
  }

  /** An element ends. To flush is to end the block, cell or code that is being written. */
  close(name: string): void {
    if (name === 'pre' && this.#mode === 'pre') this.#flushCodeBlock();
    else if (name === 'code' && this.#mode === 'code') this.#flushCode();
    // The end of an element in a block of code, which `open` has ignored.
    if (this.#mode === 'pre') return;
    if (STRUCK.test(name)) this.#mark('~~');
    if (name === 'td' || name === 'th') this.#flushCell();
    if (name === 'table') this.#flushTable();
    if (name === 'ol' || name === 'ul') this.#numbers.pop();
    if (HEADING.test(name) || name === 'li' || BLOCKS.has(name)) this.flush();
    if (name === 'blockquote') this.#quotes -= 1;
  }

  text(data: string): void {
    if (this.#mode === 'text') this.#text(unescapeText(this.#without(FORMULA, 'math', data)));
    else this.#code += unescapeText(data);
  }

  /** Removes what the pattern finds, since no reader sees it, and counts it. */
  #without(pattern: RegExp, kind: RemovedKind, data: string): string {
    return data.replace(pattern, (removed) => {
      this.#losses.add(kind, removed.trim().length);
      return '';
    });
  }

  /** Removes invisible characters: entities can spell these. */
  #visible(data: string): string {
    const stripped = stripInvisible(data);
    this.#losses.add('invisible characters', stripped.removed);
    return stripped.text;
  }

  /** Adds to the last piece if that is text too: trimming looks at whole texts. */
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

  /** Ends the code that is being written, and gives it. */
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

  /** Ends a block of code: what is far to the right or below many empty lines is not seen. */
  #flushCodeBlock(): void {
    const code = this.#without(LONG_BLANKS, 'text after long runs of spaces', this.#takeCode())
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(EMPTY_LINES, '\n\n\n')
      .replace(/^\n+/, '')
      .trimEnd();
    if (code === '') return;
    // A table has no room for a block: there it is code within a line.
    if (this.#rows !== undefined)
      this.#pieces.push({ kind: 'code', text: code.replace(/\s+/g, ' ').trim() });
    else this.#blocks.push({ kind: 'code', text: code, quotes: this.#quotes });
  }

  /** Ends the text that is being written, and gives it. */
  #takePieces(): Piece[] {
    const pieces = trimPieces(this.#pieces);
    this.#pieces = [];
    return pieces;
  }

  /** Ends the block that is being written. */
  flush(): void {
    // Within a table's rows a block is a space; before them, as in a caption, it stays a block.
    if (this.#rows !== undefined && this.#rows.length > 0) {
      this.#text(' ');
      return;
    }
    const pieces = this.#takePieces();
    if (pieces.length === 0) return;
    const lead = this.#lead;
    this.#lead = '';
    // In Markdown, a heading ends with its line.
    const blockPieces = lead.startsWith('#') ? onOneLine(pieces) : pieces;
    this.#blocks.push({ kind: 'text', lead, pieces: blockPieces, quotes: this.#quotes });
  }

  #flushCell(): void {
    const cells = this.#rows?.at(-1);
    // HTML can have a cell outside of a row: its text is a block then.
    if (cells === undefined) this.flush();
    else cells.push(onOneLine(this.#takePieces()));
  }

  /** Ends the table. It may have ended already, with another table within it. */
  #flushTable(): void {
    // Text in a table that is in no cell is shown below it.
    const textOutsideCells = this.#takePieces();
    const rows = (this.#rows ?? []).filter((cells) => cells.some((cell) => cell.length > 0));
    this.#rows = undefined;
    const quotes = this.#quotes;
    if (rows.length > 0) this.#blocks.push({ kind: 'table', rows, quotes });
    if (textOutsideCells.length > 0)
      this.#blocks.push({ kind: 'text', lead: '', pieces: textOutsideCells, quotes });
  }

  /** Ends what no tag has ended, and gives all blocks. */
  end(): Block[] {
    if (this.#mode === 'code') this.#flushCode();
    if (this.#mode === 'pre') this.#flushCodeBlock();
    if (this.#rows !== undefined) this.#flushTable();
    this.flush();
    return this.#blocks;
  }
}

/**
 * The number of a list's first item; 1, as in a browser, if none is written, or one that is too
 * long for a list.
 */
function startOf(written = ''): number {
  if (/^\d{1,8}$/.test(written)) return Number(written);
  return 1;
}

/**
 * The pieces without spaces at the ends and around line ends, and with single spaces between words.
 */
function trimPieces(pieces: readonly Piece[]): Piece[] {
  const trimmed: Piece[] = [];
  // True where spaces are not shown: at the beginning of a line and behind a space.
  let isAtStart = true;
  for (const { kind, text } of pieces) {
    const shown: string = kind === 'text' ? squeeze(text, isAtStart) : text;
    if (shown === '') continue;
    isAtStart = kind === 'text' && /[ \n]$/.test(shown);
    trimmed.push({ kind, text: shown });
  }
  // Pieces at the end that are only spaces are dropped, and the last other one is trimmed.
  for (let last = trimmed.pop(); last !== undefined; last = trimmed.pop()) {
    const text = last.kind === 'text' ? last.text.trimEnd() : last.text;
    if (text === '') continue;
    trimmed.push({ kind: last.kind, text });
    break;
  }
  return withoutLoneStrikes(trimmed);
}

/** As a browser shows white space: one space, or one line end. */
function squeeze(text: string, isAtStart: boolean): string {
  const line = text.replace(/[\p{Zs}\t]+/gu, ' ').replace(/ ?\n[ \n]*/g, '\n');
  if (isAtStart) return line.replace(/^[ \n]+/, '');
  return line;
}

/**
 * Removes the marks of struck text if one has no second, or if nothing is between them: `~~` would
 * be read as something else.
 */
function withoutLoneStrikes(pieces: Piece[]): Piece[] {
  const others = pieces.filter((piece) => piece.kind !== 'mark' || piece.text !== '~~');
  const isPaired = (pieces.length - others.length) % 2 === 0;
  if (isPaired && others.some((piece) => piece.kind !== 'mark')) return pieces;
  return others;
}

function onOneLine(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece) => ({ kind: piece.kind, text: piece.text.replaceAll('\n', ' ') }));
}
