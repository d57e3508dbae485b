/** Some words of a text; `changed` where the other version does not have it. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

interface Marked {
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
}

// A table of this many cells takes some milliseconds; longer texts are marked from their first to their last difference.
const MAX_CELLS = 250_000;

/** Two versions of a text, each in pieces, with the words marked that the other one does not have. */
export function markWords(before: string, after: string): Marked {
  const from = wordsOf(before);
  const to = wordsOf(after);
  const head = commonStart(from, to);
  const tail = commonStart(from.slice(head).reverse(), to.slice(head).reverse());
  const left = from.slice(head, from.length - tail);
  const right = to.slice(head, to.length - tail);
  const kept = left.length * right.length > MAX_CELLS ? NOTHING : commonWords(left, right);
  return {
    before: pieces(from, (index) => index < head || index >= from.length - tail || kept.left.has(index - head)),
    after: pieces(to, (index) => index < head || index >= to.length - tail || kept.right.has(index - head)),
  };
}

function wordsOf(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}

function commonStart(from: readonly string[], to: readonly string[]): number {
  const most = Math.min(from.length, to.length);
  let count = 0;
  while (count < most && from[count] === to[count]) count += 1;
  return count;
}

interface Kept {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
}

const NOTHING: Kept = { left: new Set(), right: new Set() };

/** The destinations of a longest common subsequence. */
function commonWords(left: readonly string[], right: readonly string[]): Kept {
  const width = right.length + 1;
  const longest = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      longest[at] =
        left[row] === right[column]
          ? (longest[at + width + 1] ?? 0) + 1
          : Math.max(longest[at + width] ?? 0, longest[at + 1] ?? 0);
    }
  }
  const kept = { left: new Set<number>(), right: new Set<number>() };
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    const at = row * width + column;
    if (left[row] === right[column]) {
      kept.left.add(row++);
      kept.right.add(column++);
    } else if ((longest[at + width] ?? 0) >= (longest[at + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return kept;
}

function pieces(words: readonly string[], isKept: (index: number) => boolean): Piece[] {
  const found: { text: string; changed: boolean }[] = [];
  for (const [index, word] of words.entries()) {
    const changed = !isKept(index);
    const last = found.at(-1);
    if (last?.changed === changed) last.text += ` ${word}`;
    else found.push({ text: word, changed });
  }
  return found;
}
