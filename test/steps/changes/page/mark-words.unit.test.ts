import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markWords, type Piece } from '../../../../src/steps/changes/page/rows.ts';

const shown = (pieces: readonly Piece[]) =>
  pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(' ');
const both = (before: string, after: string) => {
  const marked = markWords(before, after);
  return [shown(marked.before), shown(marked.after)];
};

describe('marking words', () => {
  it.each([
    ['the same text', 'the same text', 'the same text', 'the same text'],
    ['one two three', 'one four three', 'one [two] three', 'one [four] three'],
    ['a b c d', 'a c d e', 'a [b] c d', 'a c d [e]'],
    ['', 'all of it', '', '[all of it]'],
    ['all of it', '', '[all of it]', ''],
    ['one  two\nthree', 'one two three', 'one two three', 'one two three'],
    ['x a a', 'a a', '[x] a a', 'a a'],
  ])('The changed words from %j to %j are marked', (before, after, left, right) => {
    expect(both(before, after)).toEqual([left, right]);
  });

  it('Marking loses no word, and what stays unmarked is the same on both sides', () => {
    const words = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
      .map((list) => list.join(' '));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const marked = markWords(before, after);
        const join = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join(' ');
        const kept = (pieces: readonly Piece[]) => join(pieces.filter(({ changed }) => !changed));
        expect(join(marked.before)).toBe(before);
        expect(join(marked.after)).toBe(after);
        expect(kept(marked.before)).toBe(kept(marked.after));
      }),
    );
  });

  it('Long texts are marked from the first to the last difference', () => {
    const middle = (word: string) =>
      Array.from({ length: 600 }, (_, index) => `${word}${index}`).join(' ');
    const [before] = both(`start ${middle('a')} end`, `start ${middle('b')} end`);
    expect(before).toBe(`start [${middle('a')}] end`);
  });
});
