import { oneLine, stripInvisible } from '../text/escape.ts';

/**
 * The lines of a diff; if new ones look like those that are removed, the second line says what
 * differs.
 */
export function withUnseenChanges(lines: readonly string[]): string[] {
  const linesWith = (sign: string) =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  const removed = new Map(linesWith('-').map((line) => [visible(line), line]));
  const now = linesWith('+').filter((line) => (removed.get(visible(line)) ?? line) !== line);
  if (now.length === 0) return [...lines];
  const before = now.map((line) => removed.get(visible(line)) ?? '');
  const what = `before ${unseenIn(before)}, now ${unseenIn(now)}`;
  return lines.toSpliced(
    1,
    0,
    `[${now.length} of these lines differ only in invisible characters: ${what}]`,
  );
}

function visible(line: string): string {
  return stripInvisible(oneLine(line.replace(/\r$/, ''))).text;
}

/** `U+000D (line end CRLF)`. */
function unseenIn(lines: readonly string[]): string {
  const unseen = [...new Set(lines.join(''))].filter(
    (character) => visible(character) !== character,
  );
  const codes = unseen.map(
    (character) => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return codes.join(', ').replace('U+000D', 'U+000D (line end CRLF)') || 'none';
}
