/**
 * A table of cells that are Markdown already (escaped if they came from outside). Pipes in them are
 * escaped here.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // Backslashes before a pipe go with it: two of them would escape each other, and a third one
  // before the pipe would be needed.
  const escapePipes = (cell: string) => cell.replace(/(?<!\\)\\*\|/g, '\\|');
  const line = (cells: readonly string[]) => `| ${cells.map(escapePipes).join(' | ')} |`;
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
