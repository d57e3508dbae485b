import { betweenTicks, fenced } from '../../text/escape.ts';

export interface Piece {
  /** `mark`: Markdown of ours, such as the mark of a footnote or of struck text. */
  readonly kind: 'text' | 'code' | 'mark';
  readonly text: string;
}

/** What a reader sees of a page, as blocks; `toMarkdown` writes them down. */
export type Block = Content & {
  /** In how many quotations it is. */
  readonly quotes: number;
};

type Content =
  /** `lead`: Markdown before the text: `## `, `- `, `3. `, `[^1]: ` or nothing. */
  | { readonly kind: 'text'; readonly lead: string; readonly pieces: readonly Piece[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Piece[])[])[] };

/**
 * The blocks as Markdown; those that `guarded` names with a backslash before every character that
 * could be markup.
 */
export function toMarkdown(blocks: readonly Block[], isGuarded: (block: Block) => boolean): string {
  const parts: string[] = [];
  for (const [index, block] of blocks.entries()) {
    if (index > 0) parts.push(continuesList(blocks[index - 1], block) ? '\n' : '\n\n');
    parts.push(quoted(blockText(block, isGuarded(block)), block.quotes));
  }
  return parts.join('');
}

/** Each line with the marks of a quotation. */
export function quoted(text: string, quotes: number): string {
  return quotes === 0 ? text : text.replace(/^/gm, '> '.repeat(quotes));
}

const NUMBER = /^(\d+)\. $/;

/**
 * Items of one list follow line by line; whatever else begins a line there could be taken for a
 * part of the item before.
 */
export function continuesList(before: Block | undefined, block: Block): boolean {
  if (before?.kind !== 'text' || block.kind !== 'text' || before.quotes !== block.quotes)
    return false;
  if (block.lead === '- ') return before.lead === '- ';
  const [previous, number] = [NUMBER.exec(before.lead)?.[1], NUMBER.exec(block.lead)?.[1]];
  return previous !== undefined && number !== undefined && Number(number) === Number(previous) + 1;
}

function blockText(block: Block, guarded: boolean): string {
  switch (block.kind) {
    case 'code':
      return fenced(block.text);
    case 'table':
      return tableText(block, guarded);
    case 'text': {
      const lines = inlineText(block.pieces, guarded).split('\n');
      return block.lead + (guarded ? lines.map(escapeLineStart).join('\n') : lines.join('\n'));
    }
  }
}

function tableText(
  { rows }: Extract<Content, { readonly kind: 'table' }>,
  guarded: boolean,
): string {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const written = rows.map((row) =>
    line(
      Array.from({ length: columns }, (_, column) =>
        inlineText(row[column] ?? [], guarded)
          .replaceAll('\n', ' ')
          .replaceAll('|', '\\|'),
      ),
    ),
  );
  const [head = line(Array.from({ length: columns }, () => '')), ...body] = written;
  return [head, `|${' --- |'.repeat(columns)}`, ...body].join('\n');
}

function inlineText(pieces: readonly Piece[], guarded: boolean): string {
  return pieces
    .map(({ kind, text }) => {
      if (kind === 'code') return betweenTicks(text);
      return kind === 'text' && guarded ? escapeInline(text) : text;
    })
    .join('');
}

function escapeInline(text: string): string {
  return text.replace(/[\\`*_[\]<>&~$|!#:]/g, '\\$&');
}

// What begins a block at the start of a line.
function escapeLineStart(line: string): string {
  return line.replace(/^([-+=])/, '\\$1').replace(/^(\d{1,9})([.)])/, '$1\\$2');
}
