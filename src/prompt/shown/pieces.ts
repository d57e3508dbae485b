import type { Piece } from './blocks.ts';

/** Without blanks at the ends and around line ends, and with one between words. */
export function trimPieces(pieces: readonly Piece[]): Piece[] {
  const squeezed: Piece[] = [];
  // As if a line had just begun: blanks there are not shown.
  let atStart = true;
  for (const { kind, text } of pieces) {
    let shown = text;
    if (kind === 'text') {
      shown = text.replace(/[\p{Zs}\t]+/gu, ' ').replace(/ ?\n[ \n]*/g, '\n');
      if (atStart) shown = shown.replace(/^[ \n]+/, '');
    }
    if (shown === '') continue;
    squeezed.push({ kind, text: shown });
    atStart = kind === 'text' && /[ \n]$/.test(shown);
  }
  for (let last = squeezed.at(-1); last?.kind === 'text'; last = squeezed.at(-1)) {
    const text = last.text.trimEnd();
    squeezed.pop();
    if (text !== '') {
      squeezed.push({ kind: 'text', text });
      break;
    }
  }
  return withPairs(squeezed);
}

// `~~` with nothing between them, or without the second, would be read as something else.
function withPairs(pieces: readonly Piece[]): Piece[] {
  const strikes = pieces.filter(({ kind, text }) => kind === 'mark' && text === '~~').length;
  if (strikes === 0) return [...pieces];
  const hasWords = pieces.some(({ kind }) => kind !== 'mark');
  return strikes % 2 === 0 && hasWords
    ? [...pieces]
    : pieces.filter(({ text, kind }) => kind !== 'mark' || text !== '~~');
}

export function onOneLine(pieces: readonly Piece[]): Piece[] {
  return pieces.map(({ kind, text }) => ({ kind, text: text.replaceAll('\n', ' ') }));
}
