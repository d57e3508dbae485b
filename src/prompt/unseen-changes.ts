import { oneLine, stripInvisible } from '../text/escape.ts';

/** The lines of a diff; lines that look like those that they replace are followed by a line that says what differs. */
export function withUnseenChanges(lines: readonly string[]): string[] {
  const written: string[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const end = () => {
    written.push(...noteOf(removed, added));
    removed = [];
    added = [];
  };
  for (const line of lines) {
    const isRemoved = line.startsWith('-');
    const isAdded = line.startsWith('+');
    if (isRemoved ? added.length > 0 : !isAdded && !line.startsWith('\\')) end();
    if (isRemoved) removed.push(line.slice(1));
    if (isAdded) added.push(line.slice(1));
    written.push(line);
  }
  end();
  return written;
}

function noteOf(removed: readonly string[], added: readonly string[]): string[] {
  const before = new Map(removed.map((line) => [visible(line), line]));
  const alike = added.filter((line) => (before.get(visible(line)) ?? line) !== line);
  if (alike.length === 0) return [];
  const former = alike.map((line) => before.get(visible(line)) ?? '');
  return [
    `[${alike.length} of these lines differ only in invisible characters: before ${unseenIn(former)}, now ${unseenIn(alike)}]`,
  ];
}

function visible(line: string): string {
  return stripInvisible(oneLine(line.replace(/\r$/, ''))).text;
}

/** `U+000D (line end CRLF)`. */
function unseenIn(lines: readonly string[]): string {
  const unseen = new Set(lines.flatMap((line) => [...line].filter((one) => visible(one) !== one)));
  return [...unseen].map(nameOf).join(', ') || 'none';
}

function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return character === '\r' ? `${code} (line end CRLF)` : code;
}
