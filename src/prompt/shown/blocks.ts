import { betweenTicks, fenced } from '../../text/escape.ts';

export interface Piece {
  /** `mark`: Markdown of ours, such as the mark of a footnote or of struck text. */
  readonly kind: 'text' | 'code' | 'mark';
  readonly text: string;
}

/** What a reader sees of a page, as blocks; `toMarkdown` writes them down. */
export type Block = Content & {
  /** How many quotations the block is in. */
  readonly quotes: number;
};

type Content =
  /** `lead`: Markdown before the text: `## `, `- `, `3. `, `[^1]: ` or nothing. */
  | { readonly kind: 'text'; readonly lead: string; readonly pieces: readonly Piece[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly Cells[] };

/**
 * The blocks as Markdown. A block for which `isGuarded` gives true has a backslash before every
 * character that could be markup.
 */
export function toMarkdown(blocks: readonly Block[], isGuarded: (block: Block) => boolean): string {
  const parts: string[] = [];
  for (const [index, block] of blocks.entries()) {
    if (index > 0) parts.push(continuesList(blocks[index - 1], block) ? '\n' : '\n\n');
    parts.push(quoted(blockText(block, isGuarded(block)), block.quotes));
  }
  return parts.join('');
}

/** The text with the marks of so many quotations before each line. */
export function quoted(text: string, quotes: number): string {
  if (quotes === 0) return text;
  return text.replace(/^/gm, '> '.repeat(quotes));
}

const NUMBER = /^(\d+)\. $/;

/**
 * True if the block is the next item of the list before it: such an item follows in the next line.
 * Anything else needs an empty line, or it could be taken for a part of the item before.
 */
export function continuesList(before: Block | undefined, block: Block): boolean {
  if (before?.kind !== 'text' || block.kind !== 'text') return false;
  if (before.quotes !== block.quotes) return false;
  if (block.lead === '- ') return before.lead === '- ';
  const previousNumber = NUMBER.exec(before.lead)?.[1];
  const number = NUMBER.exec(block.lead)?.[1];
  // Markdown ignores the number of a further item: only the next one is read as it is written.
  return previousNumber !== undefined && Number(number) === Number(previousNumber) + 1;
}

/** `isGuarded`: with a backslash before every character that could be markup. */
function blockText(block: Block, isGuarded: boolean): string {
  switch (block.kind) {
    case 'code':
      return fenced(block.text);
    case 'table':
      return tableText(block.rows, isGuarded);
    case 'text': {
      const text = inlineText(block.pieces, isGuarded);
      return block.lead + (isGuarded ? escapeLineStarts(text) : text);
    }
  }
}

type Cells = readonly (readonly Piece[])[];

/** A table of Markdown, whose first row is its heading. */
function tableText(rows: readonly Cells[], isGuarded: boolean): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
  // A row may have fewer cells than others: Markdown wants the same number in each.
  const line = (cells: Cells) => {
    const texts = Array.from({ length: width }, (_, column) =>
      inlineText(cells[column] ?? [], isGuarded)
        .replaceAll('\n', ' ')
        .replaceAll('|', '\\|'),
    );
    return `| ${texts.join(' | ')} |`;
  };
  const [head = [], ...body] = rows;
  return [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
}

function inlineText(pieces: readonly Piece[], isGuarded: boolean): string {
  let written = '';
  for (const { kind, text } of pieces) {
    // In code a backslash would be shown, and marks of ours are meant as markup.
    if (kind === 'code') written += betweenTicks(text);
    else if (kind === 'text' && isGuarded) written += text.replace(/[\\`*_[\]<>&~$|!#:]/g, '\\$&');
    else written += text;
  }
  return written;
}

/** Puts a backslash before what would begin a block at the start of a line, and only there. */
function escapeLineStarts(text: string): string {
  return text.replace(/^([-+=])/gm, '\\$1').replace(/^(\d{1,9})([.)])/gm, '$1\\$2');
}
