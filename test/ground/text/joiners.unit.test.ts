import { expect, test } from 'vitest';
import { stripInvisible } from '../../../src/ground/text/escape.ts';

test.each([
  ['Urdu', 'حرکت\u200cپذیری'],
  ['Hindi', 'क्\u200dष'],
  ['Kannada', 'ರ್\u200dಯ'],
  ['Malayalam, at the end of a word', 'ന്\u200d, രണ്ട്'],
  ['an emoji of a person with a colour', '\u{1f469}\u{1f3fd}\u200d\u{1f680}'],
  ['a flag with a selector', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
  ['a key', '7\ufe0f\u20e3'],
])('A joiner that the writing needs stays: %s', (_name, text) => {
  expect(stripInvisible(`a ${text} b`)).toEqual({ text: `a ${text} b`, removed: 0 });
});

test.each([
  ['between Latin letters', 'd\u200co', 'do'],
  ['between a letter of each kind', 'م\u200ca', 'مa'],
  ['two in a row', 'م\u200c\u200cن', 'من'],
  ['beside a space', 'م \u200cن', 'م ن'],
  ['a selector behind a letter', 'a\ufe0f', 'a'],
  ['a second selector behind an emoji', '\u2764\ufe0f\ufe0e', '\u2764\ufe0f'],
])('A joiner that no writing needs is taken out: %s', (_name, text, shown) => {
  expect(stripInvisible(text).text).toBe(shown);
});
