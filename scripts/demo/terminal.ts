import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const INDENT = '     ';

/** Colour only in a terminal, and unless NO_COLOR is set. */
export function paint(style: Style, text: string): string {
  const plain = !process.stdout.isTTY || process.env.NO_COLOR !== undefined;
  return plain ? text : styleText(style, text);
}

export function say(text = ''): void {
  console.log(text);
}

/** A numbered step with its heading. */
export function heading(number: string, title: string): void {
  say();
  say(`${paint(['bold', 'cyan'], number.padEnd(4))} ${paint('bold', title)}`);
}

export function explain(...lines: string[]): void {
  for (const line of lines) say(INDENT + line);
}

/** A quotation: a log, a file, a table. */
export function quote(text: string): void {
  for (const line of text.split('\n')) say(`${INDENT}${paint('dim', '│')} ${line}`);
}

/** A line of the runner's log as the web page shows it; undefined if it does not show the line. */
export function showLogLine(line: string): string | undefined {
  const command = /^##\[(group|endgroup|error|warning|notice|debug)\](.*)$/.exec(line);
  if (!command) return line;
  const [, name = '', text = ''] = command;
  switch (name) {
    case 'group':
      return paint('bold', `▾ ${text}`);
    case 'endgroup':
      return undefined;
    case 'error':
      return paint('red', `Error: ${text}`);
    case 'warning':
      return paint('yellow', `Warning: ${text}`);
    case 'notice':
      return paint('blue', `Notice: ${text}`);
    default:
      return paint('dim', text);
  }
}
