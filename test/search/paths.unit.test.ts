import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalisePath } from '../../src/search/queries.ts';

test.each([
  '/guide/install',
  'guide/install',
  '/guide/install/',
  '/guide/install.html',
  '/guide/install/index.html',
  'https://docs.example.com/guide/install',
  'HTTP://docs.example.com:8080/guide/install/?tab=2#top',
  '//docs.example.com/guide/install',
  ' /guide//./install ',
  '/guide/%69nstall',
])('The path %s is the page /guide/install', (path) => {
  expect(normalisePath(path)).toBe('/guide/install');
});

test.each(['/tarifs/été', '/한국어/안내', '/Ångström/v2', '/naïve%20caf%C3%A9'])(
  'The path %s is the same page with its letters composed or decomposed',
  (path) => {
    expect(normalisePath(path.normalize('NFD'))).toBe(normalisePath(path.normalize('NFC')));
    expect(normalisePath(encodeURI(path.normalize('NFD')).replaceAll('%25', '%'))).toBe(
      normalisePath(path),
    );
  },
);

test('Paths whose letters only look alike are two pages', () => {
  expect(normalisePath('/résumé')).not.toBe(normalisePath('/resume'));
  expect(normalisePath('/ﬁle')).not.toBe(normalisePath('/file'));
});

test.each([
  ['https://docs.example.com', '/'],
  ['/', '/'],
  ['/index.html', '/'],
  ['/Guide/Install', '/Guide/Install'],
  ['/guide/install.md', '/guide/install.md'],
  ['/100%/x', '/100%/x'],
  ['/guide/indexes', '/guide/indexes'],
])('The path %s becomes %s', (path, expected) => {
  expect(normalisePath(path)).toBe(expected);
});

test('A path with host, slash or ending is the same page as one without', () => {
  const segment = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/).filter((text) => text !== 'index');
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('', '/', '.html', '/index.html'),
      (parts, end) => {
        const path = parts.join('/');
        expect(normalisePath(`https://acme.example/${path}${end}`)).toBe(normalisePath(path));
        expect(normalisePath(normalisePath(path))).toBe(normalisePath(path));
      },
    ),
  );
});
