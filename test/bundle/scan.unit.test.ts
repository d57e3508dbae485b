import { describe, expect, test } from 'vitest';
import { scanPage } from '../../src/bundle/verify/page-scan.ts';
import {
  readMetaRefresh,
  readSrcset,
  scanCss,
  scanScript,
} from '../../src/bundle/verify/references.ts';

const LONG = 2_000_000;
const fill = (piece: string) => piece.repeat(Math.ceil(LONG / piece.length));

// A parser that starts again at every position would need hours.
describe('a file that is made to keep its parser busy', () => {
  const texts: readonly (readonly [string, () => unknown])[] = [
    ['brackets that never close in a srcset', () => readSrcset(fill('x (, '))],
    ['commas in a srcset', () => readSrcset(fill(','))],
    ['blanks in a refresh', () => readMetaRefresh(`5${' '.repeat(LONG)}`)],
    ['blanks after the word of a refresh', () => readMetaRefresh(`5;url${' '.repeat(LONG)}x`)],
    ['regular expressions that never close', () => scanScript(fill('=/[ //'))],
    ['templates that never close', () => scanScript(`//\n${fill('fetch(`')}`)],
    ['comments that never close', () => scanScript(fill('/* '))],
    ['imports of nothing', () => scanCss(fill('@import '))],
    ['blanks after an import', () => scanCss(`@import${' '.repeat(LONG)}`)],
    ['addresses that never close', () => scanCss(fill('url( '))],
    ['sets of images', () => scanCss(fill("image-set('x' "))],
    ['comments of a style', () => scanCss(`url(${fill('/*')}`)],
  ];

  test.each(texts)(
    'A file of these parts is read quickly: %s',
    (_, scan) => {
      scan();
    },
    20_000,
  );
});

test('All addresses are found, even more than a call can have arguments', () => {
  const css = 'a{background:url(x)}'.repeat(300_000);
  const text = `<style>${css}</style><p style="${'b:url(y);'.repeat(300_000)}">`;
  expect(scanPage(text).references).toHaveLength(600_000);
});

test('Relations and elements with names that every object has load nothing', () => {
  const text =
    '<link rel="constructor toString" href="/a"><constructor src="/b"></constructor><toString src="/c">';
  expect(scanPage(text).references).toEqual([]);
});

test.each([
  ['5; url=/next', '/next'],
  ['5;URL="/next"', '/next'],
  [" 0 , url = '/next' ", '/next'],
  ['0 /next', '/next'],
  ['5', undefined],
  ['', undefined],
])('A refresh of %j leads to %j', (content, target) => {
  expect(readMetaRefresh(content)).toBe(target);
});
