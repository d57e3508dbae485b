import { stripVTControlCharacters } from 'node:util';
import { paint } from './terminal.ts';

/**
 * A step summary for the terminal: headings, tables and emphasis; code blocks and charts stay
 * unchanged.
 */
export function renderMarkdown(markdown: string): string {
  const shown: string[] = [];
  let table: string[][] = [];
  let inCode = false;
  const flush = () => {
    shown.push(...renderTable(table));
    table = [];
  };
  for (const line of markdown.split('\n')) {
    const fence = /^\s*(```|~~~)/.test(line);
    if (!inCode && !fence && line.trimStart().startsWith('|')) {
      if (!/^[\s|:-]+$/.test(line)) table.push(splitCells(line));
      continue;
    }
    flush();
    if (fence) inCode = !inCode;
    else if (inCode) shown.push(paint('dim', `  ${line}`));
    else shown.push(renderLine(line));
  }
  flush();
  return shown
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function renderLine(line: string): string {
  const title = /^(#{1,6}) +(.*)$/.exec(line)?.[2];
  return title === undefined ? renderInline(line) : paint('bold', renderInline(title));
}

function renderInline(text: string): string {
  return text
    .replace(/<!--.*?-->|<\/?[a-z][^>]*>/gi, '')
    .replace(/\*\*(.+?)\*\*/g, (_, strong: string) => paint('bold', strong))
    .replace(/(`+)(.+?)\1/g, (_, __, code: string) => paint('cyan', code.trim()))
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, '$1 ($2)')
    .replace(/&(lt|gt|amp|quot|#\d+);/g, (whole, name: string) => decodeEntity(name) ?? whole)
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

function decodeEntity(name: string): string | undefined {
  if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)));
  return { lt: '<', gt: '>', amp: '&', quot: '"' }[name];
}

/** Cells between pipes that are not escaped. */
function splitCells(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => renderInline(cell.trim()));
}

function renderTable(rows: readonly (readonly string[])[]): string[] {
  const width = (text: string) => stripVTControlCharacters(text).length;
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => width(row[column] ?? ''))),
  );
  return rows.map((row) =>
    widths
      .map((wide, column) => (row[column] ?? '') + ' '.repeat(wide - width(row[column] ?? '')))
      .join('  ')
      .trimEnd(),
  );
}
