import { oneLine, stripInvisible } from '../ground/text/escape.ts';

/**
 * The lines of a diff. If added lines differ from removed ones only in characters that cannot be
 * seen, a note after the first line says in which ones: without it, the agent would see no change.
 */
export function withUnseenChanges(lines: readonly string[]): string[] {
  const removedByText = new Map<string, string>();
  for (const line of lines)
    if (line.startsWith('-')) removedByText.set(visible(line.slice(1)), line.slice(1));
  const beforeLines: string[] = [];
  const nowLines: string[] = [];
  for (const line of lines) {
    if (!line.startsWith('+')) continue;
    const added = line.slice(1);
    const removed = removedByText.get(visible(added));
    // No removed line looks the same, or one is the same to the last character: it was only moved.
    if (removed === undefined || removed === added) continue;
    beforeLines.push(removed);
    nowLines.push(added);
  }
  if (nowLines.length === 0) return [...lines];
  const characters = `before ${unseenIn(beforeLines)}, now ${unseenIn(nowLines)}`;
  const note = `[${nowLines.length} of these lines differ only in invisible characters: ${characters}]`;
  // Behind the head of the first hunk.
  return lines.toSpliced(1, 0, note);
}

/** A line as it can be seen: without the line end and other invisible characters. */
function visible(line: string): string {
  return stripInvisible(oneLine(line.replace(/\r$/, ''))).text;
}

/** The characters of the lines that cannot be seen, such as `U+000D (line end CRLF)`. */
function unseenIn(lines: readonly string[]): string {
  const codes: string[] = [];
  for (const character of new Set(lines.join(''))) {
    if (visible(character) === character) continue;
    // Every character has one; only the type says otherwise.
    const code = character.codePointAt(0)?.toString(16) ?? '';
    codes.push(`U+${code.toUpperCase().padStart(4, '0')}`);
  }
  return codes.join(', ').replace('U+000D', 'U+000D (line end CRLF)') || 'none';
}
