import { expect, test } from 'vitest';
import { WordReader } from '../../../../src/site/added/search/words.ts';

const termsOf = (text: string, language = 'en') => [...new WordReader(language).terms(text)];

test.each([
  ['words without their case', 'Roll back, NOW!', ['roll', 'back', 'now']],
  ['an identifier in snake case', 'snake_case', ['snake_case', 'snake', 'case']],
  ['a flag without its dashes', '--wait-for-index', ['wait-for-index', 'wait', 'for', 'index']],
  ['a path of names', 'a.b.c', ['a.b.c', 'a', 'b', 'c']],
  ['the parts of camel case', 'exportJobId', ['exportjobid', 'export', 'job', 'id']],
  ['an abbreviation at the start of a name', 'HTTPServer2', ['httpserver2', 'http', 'server2']],
  ['a variable in capitals', 'NODE_TLS', ['node_tls', 'node', 'tls']],
  [
    'each part of a long name',
    'a.bc.de.fg.hi.jk.lm.no.pq.rs.tu.vw.OneTwoThree',
    [
      'a.bc.de.fg.hi.jk.lm.no.pq.rs.tu.vw.onetwothree',
      ...'a bc de fg hi jk lm no pq rs tu vw one two three'.split(' '),
    ],
  ],
  ['nothing of characters that nothing shows', 'ku\u00adber\u200bnetes', ['kubernetes']],
  ['letters without their accents', 'Café naïve', ['cafe', 'naive']],
  ['the four forms of the Turkish i as one', 'I ı İ i', ['i', 'i', 'i', 'i']],
  ['wide letters as narrow ones', 'ＡＢＣ', ['abc']],
])('The terms of a text are %s', (_, text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test('Data that is longer than any name gives one term', () => {
  expect(termsOf('aB'.repeat(200))).toHaveLength(1);
});

test('A Japanese word that is divided into parts is a term as a whole too', () => {
  expect(termsOf('アクセストークンを使う', 'ja')).toEqual(
    expect.arrayContaining(['トーク', 'トークン']),
  );
  expect(termsOf('トークン', 'ja')).toContain('トークン');
});

test('A Chinese and a Thai text give their words', () => {
  expect(termsOf('导出文档', 'zh')).toEqual(expect.arrayContaining(['导出', '文档']));
  expect(termsOf('ค้นหาเอกสาร', 'th')).toEqual(expect.arrayContaining(['ค้นหา', 'เอกสาร']));
});

test('An unknown language is treated like a missing one', () => {
  expect(termsOf('one two', 'not a language')).toEqual(['one', 'two']);
});

test('A term is where it says it is', () => {
  const text = 'Set --max-age for トークン';
  const words = new WordReader('en').read(text);
  const places = words.map(({ term, start, end }) => [term, text.slice(start, end)]);
  expect(places).toContainEqual(['max-age', 'max-age']);
  expect(places).toContainEqual(['age', 'age']);
  expect(places).toContainEqual(['トークン', 'トークン']);
});

test('A word that is longer than any word does not fill the index', () => {
  expect(
    Math.max(
      ...termsOf(`${'a'.repeat(100_000)} ${'b_'.repeat(50_000)}`).map((term) => term.length),
    ),
  ).toBeLessThan(50);
});
