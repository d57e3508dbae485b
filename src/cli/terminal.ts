import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Terminal } from '../ci/port.ts';

/** The part of Node's `tty.WriteStream` that is used. `columns` changes with the window. */
interface TerminalStream {
  readonly columns: number;
  hasColors(): boolean;
  write(text: string): boolean;
}

/** For a terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80;
const GAP = '  ';
/** A column is not made narrower than this to make room for others. */
const NARROWEST = 6;

/** A terminal, whatever the width of its characters. Loaded only where there is one. */
export function openTerminal(stream: TerminalStream): Terminal {
  const columns = () => stream.columns || USUAL_COLUMNS;
  // With a character in the last column, some terminals begin a new line.
  const lineWidth = () => columns() - 1;
  return {
    get columns() {
      return columns();
    },
    hasColours: stream.hasColors(),
    writeRaw: (text) => void stream.write(text),
    shorten: (line) => shorten(line, lineWidth()),
    table: (rows) => layOut(rows, lineWidth()),
  };
}

/** The beginning of a line that is not wider than `width`. */
function shorten(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  let text = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    used += stringWidth(segment);
    if (used > width) break;
    text += segment;
  }
  return text;
}

/**
 * An id that people copy, such as that of a job: letters and digits, with hyphens between them. The
 * lookahead asks for a digit, which a word does not have.
 */
const ID = /(?<![\w-])(?=[A-Za-z-]{0,60}\d)[A-Za-z0-9-]{8,64}(?![\w-])/g;

/**
 * Words of at most this width are not cut either, such as host names and addresses of pages: the
 * narrowest terminal has room for them.
 */
const WHOLE_WORD = 32;

/** The width of the widest id or word in a text that must not be cut. */
function widestWhole(text: string): number {
  const ids = (text.match(ID) ?? []).map((id) => id.length);
  const words = text.split(/\s+/).map((word) => stringWidth(word));
  return Math.max(0, ...ids, ...words.filter((width) => width <= WHOLE_WORD));
}

/**
 * The lines of a table. A cell that is too wide takes several lines. If that would cut an id or a
 * word, each cell is a line with the name of its column instead.
 */
function layOut(rows: readonly (readonly string[])[], width: number): string[] {
  const widths = columnWidths(rows, width);
  const isCut = rows.some((row) =>
    row.some((cell, column) => widestWhole(cell) > (widths[column] ?? 0)),
  );
  if (isCut) return layOutRecords(rows, width);
  return rows.flatMap((row) => {
    const cells = widths.map((columnWidth, column) =>
      (row[column] ?? '').split('\n').flatMap((line) => wrap(line, columnWidth, CUT_WORDS)),
    );
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, index) =>
      cells
        .map((lines, column) => pad(lines[index] ?? '', widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    );
  });
}

/** Each row as lines with the names of the columns, and an empty line between two rows. */
function layOutRecords(table: readonly (readonly string[])[], width: number): string[] {
  const [head = [], ...rows] = table;
  const records = rows.map((row) => recordLines(head, row, width));
  return records.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function recordLines(head: readonly string[], row: readonly string[], width: number): string[] {
  const lines: string[] = [];
  // A column without a name has a sign such as ✅, which is written before the next cell.
  let sign = '';
  for (const [column, cell] of row.entries()) {
    if (cell === '') continue;
    if (!head[column]) {
      sign = `${cell} `;
      continue;
    }
    const text = `${sign}${head[column]}: ${cell.replaceAll('\n', '\n  ')}`;
    lines.push(...text.split('\n').flatMap((line) => wrap(line, width, WHOLE_WORDS)));
    sign = '';
  }
  return lines;
}

/** In a table, a word that is too wide would move the columns after it. */
const CUT_WORDS = { hard: true };
/** Elsewhere a word that is too wide stays whole: the terminal wraps it, and people can copy it. */
const WHOLE_WORDS = { hard: false };

/** The parts of a line that is too wide, all with the indentation of the line. */
function wrap(line: string, width: number, words: { readonly hard: boolean }): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const room = Math.max(1, width - indent.length);
  return wrapAnsi(line.trim(), room, words)
    .split('\n')
    .map((part) => `${indent}${part}`);
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/**
 * The widths of the columns, each as wide as the widest line of its cells. While all together are
 * too wide, the widest column gets narrower by one.
 */
function columnWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const count = Math.max(0, ...rows.map((cells) => cells.length));
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(
      ...rows.flatMap((cells) => (cells[index] ?? '').split('\n').map((line) => stringWidth(line))),
    ),
  );
  // At least one character for each column.
  const room = Math.max(count, width - GAP.length * (count - 1));
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over -= 1) {
    const widest = Math.max(...widths);
    // Too many columns: the lines stay wider than the terminal, which wraps them.
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}
