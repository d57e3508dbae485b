const WORD = /[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu;

interface WordChanges {
  /** Of the later version. */
  readonly words: number;
  readonly wordsAdded: number;
  readonly wordsRemoved: number;
}

/** How many words came and went between two versions of a page's visible text. A word that only moved is neither. */
export function compareWords(before: readonly string[], after: readonly string[]): WordChanges {
  const left = new Map<string, number>();
  for (const block of before) {
    for (const [word] of block.matchAll(WORD)) left.set(word, (left.get(word) ?? 0) + 1);
  }
  let words = 0;
  let wordsAdded = 0;
  for (const block of after) {
    for (const [word] of block.matchAll(WORD)) {
      const count = left.get(word) ?? 0;
      if (count > 0) left.set(word, count - 1);
      else wordsAdded += 1;
      words += 1;
    }
  }
  let wordsRemoved = 0;
  for (const count of left.values()) wordsRemoved += count;
  return { words, wordsAdded, wordsRemoved };
}
