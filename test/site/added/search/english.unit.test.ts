import { expect, test } from 'vitest';
import { englishStem } from '../../../../src/site/added/search/english.ts';

test.each([
  ['restart', ['restarts', 'restarted', 'restarting']],
  ['stop', ['stops', 'stopped', 'stopping']],
  ['fill', ['fills', 'filled', 'filling']],
  ['cache', ['caches', 'cached', 'caching']],
  ['retry', ['retries', 'retried', 'retrying']],
  ['link', ['links', 'linked', 'linking']],
])('The forms of %s are one word', (word, forms) => {
  expect(forms.map(englishStem)).toEqual(forms.map(() => englishStem(word)));
});

test.each([
  ['string', 'str'],
  ['status', 'statu'],
  ['process', 'proces'],
  ['analysis', 'analysi'],
  ['red', 'r'],
  ['publish', 'publication'],
])('%s and %s stay two words', (one, other) => {
  expect(englishStem(one)).not.toBe(englishStem(other));
});
