import { describe, expect, test } from 'vitest';
import { type Given, problemOf, readStep } from './reading.ts';

const LIVE = { 'compare-with': 'live', 'live-url': 'https://docs.example.com' };
const SECRET = { to: 'github:secret/DOCS_URL', 'secret-token': 'ghp_0123456789' };

test('Without rules, only an export without pages is held back', () => {
  expect(readStep({})).toMatchObject({
    compareWith: { kind: 'none' },
    minPages: 1,
    maxPageDrop: undefined,
    requiredPages: undefined,
    forbidLostAddresses: 'off',
    maxSizeBytes: undefined,
    force: false,
  });
});

test.each([
  [{ ...SECRET, 'compare-with': 'previous' }, { compareWith: { kind: 'previous' } }],
  [
    { 'compare-with': 'out/m.json' },
    { compareWith: { kind: 'file', path: '/workspace/out/m.json' } },
  ],
  [
    { 'compare-with': 'live', 'served-at': 'https://docs.example.com' },
    { compareWith: { kind: 'live' } },
  ],
  [
    { 'compare-with': 'live', 'live-url': 'https://docs.example.com' },
    { compareWith: { kind: 'live' } },
  ],
  [
    { 'compare-with': 'm.json', verify: 'new', 'extract-to': 'site' },
    { bundle: expect.objectContaining({ verify: 'new' }) },
  ],
  [{ ...SECRET, 'max-page-drop': '10%' }, { maxPageDrop: { unit: '%', most: 10 } }],
  [{ ...SECRET, 'max-page-drop': '0.5 %' }, { maxPageDrop: { unit: '%', most: 0.5 } }],
  [{ ...SECRET, 'max-page-drop': '12' }, { maxPageDrop: { unit: 'pages', most: 12 } }],
  [{ 'required-pages': '/\n /guide/** \n/a b' }, undefined],
  [
    { 'required-pages': '/\n /guide/** \n/ü' },
    { requiredPages: { pages: ['/', '/guide/**', '/ü'] } },
  ],
  [
    { 'required-pages': '.github/pages.txt' },
    { requiredPages: { file: '/workspace/.github/pages.txt' } },
  ],
  [{ 'max-size': '2GiB' }, { maxSizeBytes: 2 * 1024 ** 3 }],
  [{ 'compare-with': 'm.json', 'forbid-lost-addresses': 'fail' }, { forbidLostAddresses: 'fail' }],
])('The rules %o are read', (given: Given, inputs) => {
  if (inputs === undefined) expect(problemOf(given)).toContain('required-pages');
  else expect(readStep(given)).toMatchObject(inputs);
});

describe('rules that cannot work', () => {
  test.each<[Given, string]>([
    [{ 'compare-with': 'previous' }, 'compare-with: previous needs a destination of the link'],
    [{ 'compare-with': 'file:///workspace/m.json' }, 'file: begins an address'],
    // A query may be what lets the file be read.
    [
      { 'compare-with': 'https://example.com/m?sig=0123456789' },
      'compare-with: the value is not allowed; it must be a path',
    ],
    [{ 'compare-with': 'live' }, 'compare-with: live needs the address of the published site'],
    [
      { ...LIVE, 'forbid-lost-addresses': 'warn' },
      'forbid-lost-addresses may not depend on what the published site says of itself',
    ],
    [{ ...LIVE, ...SECRET, 'max-page-drop': '10%' }, 'max-page-drop may not depend on'],
    [{ verify: 'new', 'extract-to': 'site' }, 'verify: new needs an earlier list of pages'],
    [
      { ...SECRET, verify: 'new', 'extract-to': 'site', 'compare-with': 'previous' },
      'verify: new needs an earlier list of pages',
    ],
    [{ 'max-page-drop': '10%' }, 'max-page-drop needs an earlier export'],
    [
      { ...SECRET, 'max-page-drop': '101%' },
      'it must be a share such as 10%, 0% to 100%, or a number of pages',
    ],
    [{ ...SECRET, 'max-page-drop': '-1' }, 'a share such as 10%'],
    [{ ...SECRET, 'forbid-lost-addresses': 'warn' }, 'write compare-with: previous'],
    [{ 'forbid-lost-addresses': 'warn' }, 'such as compare-with: site.manifest.json'],
    [{ 'forbid-lost-addresses': 'error' }, 'off, warn, fail'],
    [{ 'required-pages': '/a\nguide/b' }, 'each the address of a page'],
    [{ 'required-pages': 'https://docs.example.com/a' }, 'https: begins an address'],
    [{ 'max-size': '200 MB' }, 'a size such as 200MiB, 1KiB to 4GiB'],
    [{ force: 'yes' }, 'true or false'],
    [
      { mode: 'refresh', ...SECRET, domain: '', 'compare-with': 'previous' },
      'compare-with belongs to mode export',
    ],
  ])('The rules %o cannot work and are an error', (given, text) => {
    expect(problemOf(given)).toContain(text);
  });
});
