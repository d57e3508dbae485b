import { expect, test } from 'vitest';
import { makeComparedSite } from '../../src/site/compare/compared-site.ts';
import { addressOfPage, isHtml, isPage } from '../../src/site/page-names.ts';
import { kindOfFile } from '../../src/site/verify/site-check.ts';

const siteOf = (...paths: string[]) =>
  makeComparedSite(
    'exp_1',
    paths.map((path) => ({ path, bytes: 1, sha256: undefined })),
    '/unpacked',
  );

test.each([
  '._start.html',
  'guide/._install.htm',
  '__MACOSX/guide/._a.xhtml',
  'site/__MACOSX/page.html',
  '._.html',
])('The file %s, which a Mac adds to archives, is not a page and is not read', (path) => {
  expect([isHtml(path), isPage(path), kindOfFile(path)]).toEqual([false, false, undefined]);
});

test.each([
  '_start.html',
  '.well-known/policy.html',
  'guide/a._b.html',
  'MACOSX/a.html',
  'guide/404.html',
  'guide/404/index.html',
  'errors/not-found.html',
  '404/guide.html',
  '404-errors.html',
  'api/404.html',
  'de/guide/404.html',
  'A.XHTML',
])('The file %s is a page', (path) => {
  expect([isHtml(path), isPage(path), kindOfFile(path)]).toEqual([true, true, 'page']);
});

test.each([
  '404.html',
  '404/index.html',
  '404.htm',
  '_not-found.html',
  '_not-found/index.html',
  'not-found.html',
  'not_found.html',
  'de/404.html',
  'zh-Hans/404/index.html',
])(
  'The page for what is not found, %s, is shown by browsers, and is not a page of documentation',
  (path) => {
    expect([isHtml(path), isPage(path)]).toEqual([true, false]);
  },
);

test('Files of a Mac neither count as pages nor hide the folder that has the site', () => {
  const zip = siteOf(
    '__MACOSX/docs/._index.html',
    'docs/index.html',
    '__MACOSX/._docs',
    'docs/guide/a.html',
    '._docs',
  );
  expect(zip).toMatchObject({ folder: 'docs', root: '/unpacked/docs', pageCount: 2 });
  expect(zip.paths).toEqual(['index.html', 'guide/a.html']);
  expect([...zip.pages.keys()]).toEqual(['/', '/guide/a']);
  expect(zip.files.map(({ path }) => path)).toEqual(['index.html', 'guide/a.html']);
});

test('Another folder or file beside the one with index.html means that the archive itself is the site', () => {
  expect(siteOf('docs/index.html', 'assets/main.css').folder).toBe('');
  expect(siteOf('docs/index.html', 'robots.txt')).toMatchObject({ folder: '', pageCount: 1 });
});

test('A page has one address, whatever its ending and whether it is the index of its folder', () => {
  expect(['a/index.html', 'a.htm', 'a/index.xhtml', 'a.html'].map(addressOfPage)).toEqual([
    '/a',
    '/a',
    '/a',
    '/a',
  ]);
  expect(addressOfPage('index.html')).toBe('/');
});
