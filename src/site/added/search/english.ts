/** Nothing is removed from a shorter word: too little would remain. */
const MIN_WORD = 4;
const MIN_STEM = 3;

/**
 * What English words of one meaning have in common: `restart` for `restarts`, `restarted` and
 * `restarting`. Only the endings of plurals and verbs are removed, with the letters that they
 * change. An ending that makes a different word, such as `-tion`, stays.
 */
export function englishStem(word: string): string {
  if (word.length < MIN_WORD) return word;
  // `ss`, `us` and `is` are not plurals: the group keeps them, and is empty for any other `s`.
  const singular = word.replace(/ies$/, 'y').replace(/(ss|us|is)$|s$/, '$1');
  return withoutSilentEnd(withoutVerbEnding(singular));
}

function withoutVerbEnding(word: string): string {
  const stem = word.replace(/(?:ing|ed)$/, '');
  // Without a vowel it is not a stem: `string` has no ending.
  if (stem === word || stem.length < MIN_STEM || !/[aeiouy]/.test(stem)) return word;
  // `stopped` has a letter twice that `stop` has once. Words end with two of the letters that are
  // left out here: `fill`, `pass`, `agree`.
  return stem.replace(/([^aeiouls])\1$/, '$1');
}

/** `cache` and `cach(ing)`, `retry` and `retri(es)` become the same. */
function withoutSilentEnd(word: string): string {
  if (word.length < MIN_WORD) return word;
  return word.replace(/e$/, '').replace(/y$/, 'i');
}
