import { oneLine, stripInvisible } from '../text/escape.ts';

/**
 * The lines of a diff; if new ones look like those that are removed, the second line says what
 * differs.
 */
export function withUnseenChanges(lines: readonly string[]): string[] {
  const removed = new Map<string, string>();
  for (const line of lines)
    if (line.startsWith('-')) removed.set(visible(line.slice(1)), line.slice(1));
  const before: string[] = [];
  const now: string[] = [];
  for (const line of lines) {
    if (!line.startsWith('+')) continue;
    const added = line.slice(1);
    const twin = removed.get(visible(added));
    if (twin === undefined || twin === added) continue;
    before.push(twin);
    now.push(added);
  }
  if (now.length === 0) return [...lines];
  const what = `before ${unseenIn(before)}, now ${unseenIn(now)}`;
  const note = `[${now.length} of these lines differ only in invisible characters: ${what}]`;
  return lines.toSpliced(1, 0, note);
}

function visible(line: string): string {
  return stripInvisible(oneLine(line.replace(/\r$/, ''))).text;
}

/** `U+000D (line end CRLF)`. */
function unseenIn(lines: readonly string[]): string {
  const codes: string[] = [];
  for (const character of new Set(lines.join(''))) {
    if (visible(character) === character) continue;
    codes.push(`U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
  }
  return codes.join(', ').replace('U+000D', 'U+000D (line end CRLF)') || 'none';
}
