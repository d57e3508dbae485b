import { expect, test } from 'vitest';
import { splitWords } from '../../../src/ground/text/names.ts';

test.each([
  ['gh secret  set NAME', ['gh', 'secret', 'set', 'NAME']],
  [`sh -c 'cat > "a b"'`, ['sh', '-c', 'cat > "a b"']],
  [
    String.raw`"C:\Program Files\x.exe" C:\out\link.txt`,
    [String.raw`C:\Program Files\x.exe`, String.raw`C:\out\link.txt`],
  ],
  [`a"b c"d ''`, ['ab cd', '']],
  ['$(id) `id` ; | && *', ['$(id)', '`id`', ';', '|', '&&', '*']],
  ['', []],
])('The text %s is split into words', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test('A quote that is not closed is an error', () => {
  expect(splitWords(`sh -c 'cat`)).toBeUndefined();
});
