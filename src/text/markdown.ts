/**
 * A table of cells that are Markdown already (escaped if they came from outside). Pipes in them are
 * escaped here.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A pipe with its backslashes becomes an escaped pipe: an even number of backslashes, which
  // escape each other, would leave it as the end of the cell.
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\\*\|/g, '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

/**
 * A list with a line for each fact that has a value. Values are Markdown. Not a table, which would
 * need a row of headings.
 */
export function factList(
  rows: readonly (readonly [label: string, value: string | undefined])[],
): string {
  return rows
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([label, value]) => `- **${label}**: ${value}`)
    .join('\n');
}
