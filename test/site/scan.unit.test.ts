import { describe, expect, test } from 'vitest';
import { scanPage } from '../../src/site/verify/page-scan.ts';
import { readMetaRefresh, readSrcset, scanCss } from '../../src/site/verify/references.ts';
import { scanScript } from '../../src/site/verify/script/scan-script.ts';

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
    ['brackets that never close in a script', () => scanScript(`"https://x"${fill('(')}`)],
    ['functions in functions', () => scanScript(`"https://x";${fill('a=>')}1`)],
    ['a sum of many texts', () => scanScript(`fetch("https://x"${fill('+"x"')})`)],
    ['texts that double', () => scanScript(`var a="https://x";${fill('a+=a;')}fetch(a)`)],
    ['many names', () => scanScript(`"https://x";var ${fill('a,')}b`)],
    ['variables of each other', () => scanScript(`b="https://x";${fill('a=b;b=a+c;')}fetch(a)`)],
    [
      'elements of a list by number',
      () => scanScript(`var l=[${fill('"https://x",')}],i=0;${fill('i++;fetch(l[i]);')}`),
    ],
    [
      'loops over all fields',
      () => scanScript(`var o={${fill('src:"https://x",')}};${fill('for(var k in o)e[k]=o[k];')}`),
    ],
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

const reads = (code: string) => scanScript(code).map(({ use, raw }) => `${use} ${raw}`);

test.each([
  ['is data', '{"a": "https://x.example/"}', []],
  ['is a call with data', 'show({"a": "https://x.example/"})', []],
  [
    'begins as a program of a shell',
    '#!/bin/node\nimport "https://x.example/"',
    ['load https://x.example/'],
  ],
  [
    'is in a comment of HTML',
    '<!--\nfetch("https://x.example/")\n-->',
    ['load https://x.example/'],
  ],
  [
    'is only valid in sloppy code',
    'with (a) fetch("https://x.example/", 010)',
    ['load https://x.example/'],
  ],
  ['is only valid in a module', 'await fetch("https://x.example/")', ['load https://x.example/']],
  ['is a handler', 'return fetch("https://x.example/")', ['load https://x.example/']],
  [
    'is a template of a generator',
    '{{ a }} "https://x.example/" {%',
    ['invalid {{ a }} "https://x.example/" {%'],
  ],
  [
    'has code in a text with an unknown part',
    'Function(`fetch("https://x.example/${a}")`); Function(`"https://x.example/"; ${b} c`)',
    ['load https://x.example/', 'unread "https://x.example/"; c'],
  ],
  [
    'has code in a long text',
    `const code = \`fetch("https://x.example/"); ${'a(); '.repeat(2000)}\`; Function(code)`,
    ['load https://x.example/'],
  ],
  [
    'has code in a long text of several',
    `Function('"https://x.example/"; ' + '${'a(); '.repeat(2000)}')`,
    [expect.stringMatching(/^unread "https:/)],
  ],
  [
    'is nested too deep',
    `"https://";${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
    [expect.stringMatching(/^unread "https:/)],
  ],
])('A script that %s is read, or said not to be', (_, code, expected) => {
  expect(reads(code)).toEqual(expected);
});

test.each([
  ['a callback of a list', 'urls.forEach((url) => location.assign("https://x.example/"))', 1],
  ['a function that is called later', 'on((url) => location.assign("https://x.example/"))', 0],
])(
  'Only a script that replaces the page at once loads from that host: from %s',
  (_, code, count) => {
    expect(reads(code)).toHaveLength(count);
  },
);

test.each(['http://http/x.json', 'https://https:8443/', 'https://http/?a=1'])(
  'A host may have the name of a scheme: %s',
  (address) => {
    expect(reads(`fetch("${address}")`)).toEqual([`load ${address}`]);
  },
);

test.each([
  ['"https://" + host'],
  ['"//" + host + "/a.js"'],
  ['`https://${host}/a.js`'],
  ['`https://${name}.example/a.js`'],
  ['"https://api." + domain'],
  ['["https:", "", host].join("/")'],
  ['"http://" + "http://"'],
  ['"https://" + "http" + "/"'],
])('Half an address is not an address: %s', (half) => {
  expect(reads(`fetch(${half}); import(${half}); node.src = ${half}; "https://"`)).toEqual([]);
  expect(reads(`const u = ${half}; new Worker(u)`)).toEqual([]);
});

test.each([
  ['var c = { cdn: "https://x.example" }; s.src = c.cdn + "/a.js"'],
  ['window.CDN = "https://x.example/"; s.src = CDN + "a.js"'],
  ['const { url } = { url: "https://x.example/a.js" }; fetch(url)'],
  ['var u = "https://"; u += "x.example"; u += "/a.js"; s["src"] = u'],
  ['s.src = ["https:/", "x.example", "a.js"].join("/")'],
  ['s.src = location.protocol + "//x.example/a.js"'],
  ['s.src = new URL("a.js", "https://x.example/").href'],
  ['function base() { return "https://x.example" } s.src = `${base()}/a.js`'],
  ['const get = window.fetch.bind(window); get("https://x.example/a.js")'],
  ['(0, window.fetch)("https://x.example/a.js"); '],
  ['function load(u) { new Image().src = u } load.call(0, "https://x.example/a.js")'],
  ['for (const u of ["https://x.example/a.js"]) new Image().src = u'],
  ['jsx("img", { src: "https://x.example/a.js" })'],
  ['$.getScript("https://x.example/a.js")'],
  ['require(["https://x.example/a.js"])'],
])('A constant address is found on its way to a request: %s', (code) => {
  expect(reads(code)).toEqual(['load https://x.example/a.js']);
});

test('An address is named once, as what is certain of it', () => {
  const raw = 'https://x.example/a.js';
  const code = `const s = document.createElement('script'); const u = '${raw}'; load(u); load(u); s.src = u`;
  expect(scanScript(code)).toEqual([{ raw, use: 'load', what: 'script' }]);
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
