import { expect, test } from 'vitest';
import { formatLink, judgeLink } from '../src/platform/link-signature.ts';

const link = new URL(
  formatLink('secret', { path: '/storage/j/a.tar.gz', expires: 1000, nonce: 'ab' }),
  'http://localhost',
);

test('A link is valid until its expiry, but not at it', () => {
  expect(judgeLink('secret', link, 999)).toBe('valid');
  expect(judgeLink('secret', link, 1000)).toBe('expired');
});

test('Another secret, path, expiry or nonce does not match the signature', () => {
  expect(judgeLink('other', link, 0)).toBe('wrong-signature');
  for (const [from, to] of [
    ['/j/', '/k/'],
    ['=1000', '=1001'],
    ['=1000', '=x'],
    ['=ab', '=ac'],
  ] as const) {
    expect(judgeLink('secret', new URL(link.href.replace(from, to)), 0)).toBe('wrong-signature');
  }
  expect(judgeLink('secret', new URL(link.origin + link.pathname), 0)).toBe('unsigned');
});
