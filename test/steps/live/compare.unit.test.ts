import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPageText } from '../../../src/site/pages.ts';
import { comparePage, isEmptyText } from '../../../src/steps/live/compare.ts';

const EXPORTED =
  '<!doctype html><html lang="en"><head><title>Install &amp; run</title><style>p { color: red }</style></head><body class="docs"><header><a href="/">Home</a></header><main><h1>Install</h1><p>Run <code>npm i</code>, then <b>v</b><!-- -->2.</p><p>Write to <a href="mailto:help@acme.example">help@acme.example</a> when lost.</p><pre>a  +  b\n</pre></main><script>var unseen = "<p>no</p>";</script><noscript><p>No scripts</p></noscript></body></html>';

const difference = (published: string, exported = EXPORTED) =>
  comparePage(readPageText(exported), readPageText(published));
const change = (from: string | RegExp, to: string) => EXPORTED.replace(from, to);

describe('a published page shows the export', () => {
  it.each<[string, string]>([
    ['without changes', EXPORTED],
    ['without blanks between elements', change(/>\s+</g, '><')],
    ['without comments', change('<!-- -->', '')],
    ['without optional tags', change(/<\/(p|html|body|head)>|<(html|head|body)[^>]*>/g, '')],
    ['with other entities', change('&amp;', '&#38;').replace('then ', 'then&nbsp;')],
    ['with a banner before', change(/<body[^>]*>/, '$&<div role="alert">Internal</div>')],
    ['with a footer behind', change('</body>', '<div>Served by edge 7, request 4f2a</div></body>')],
    [
      'with scripts, styles and frames in it',
      change(
        '<h1>',
        '<script>1</script><style>p{}</style><iframe>x</iframe><template><p>t</p></template><h1>',
      ),
    ],
    [
      'with a picture that has a title',
      change('<h1>', '<svg><title>logo</title><path d=""/></svg><h1>'),
    ],
    ['with soft hyphens and zero-width blanks', change('Install</h1>', 'In\u00adst\u200ball</h1>')],
    ['in another Unicode form', change('lost', 'lost').normalize('NFD')],
    [
      'with e-mail addresses hidden from robots',
      change(
        '>help@acme.example<',
        '><span class="__cf_email__" data-cfemail="0a1b">[email&#160;protected]</span><',
      ),
    ],
    [
      'under a title with more in it',
      change('<title>Install &amp; run', '<title>Install &amp; run | Acme'),
    ],
  ])('A published page shows the export %s', (_, published) => {
    expect(difference(published)).toBeUndefined();
  });
});

describe('a published page does not', () => {
  it.each<[string, string, object]>([
    ['if one character differs', change('a  +', 'a  -'), { missing: ['+'], extra: ['-'] }],
    ['if a word is missing', change('Run ', ''), { missing: ['Run'], extra: [] }],
    [
      'if an old paragraph is still in it',
      change('<pre>', '<p>Old words here.</p><pre>'),
      { missing: [], extra: ['Old words here.'], found: 1 },
    ],
    [
      'if it has the previous title',
      change('run</title>', 'go</title>'),
      { missing: ['run'], extra: ['go'] },
    ],
    [
      'if its parts are in another order',
      change('<h1>Install</h1><p>Run ', '<p>Run </p><h1>Install</h1><p>'),
      { missing: [], extra: [], found: 1 },
    ],
    ['if it is empty', '', { found: 0, extra: [] }],
  ])('A published page does not show the export %s', (_, published, expected) => {
    expect(difference(published)).toMatchObject(expected);
  });

  it('The words that differ are shown in a few short parts', () => {
    const long = Array.from({ length: 3000 }, (_, at) =>
      at % 3 === 0 ? 'same' : `word${at}`,
    ).join(' ');
    const found = difference(`<p>${'same '.repeat(2000)}</p>`, `<p>${long}</p>`);
    expect(found?.missing).toHaveLength(3);
    for (const part of found?.missing ?? []) expect(part.length).toBeLessThanOrEqual(80);
    expect(difference('<p>no</p>', `<p>${'x'.repeat(100_000)}</p>`)?.missing[0]).toMatch(
      /^x{79}…$/,
    );
  });
});

// Each of them took minutes with a search that goes back. The time limit of the test is enough.
it.each([
  ['one long word', 'x'.repeat(500_000), 'y'],
  ['few letters', 'a'.repeat(1_000_000), `${'a'.repeat(100_000)}b`],
  ['what could be addresses', 'a@'.repeat(250_000), 'z'],
  ['labels', `a@${'a.'.repeat(250_000)}`, 'z'],
  ['brackets', '[email '.repeat(100_000), 'z'],
  ['tags that never end', '<b '.repeat(500_000), 'z'],
])('A page made of %s is compared in linear time', (_, published, exported) => {
  expect(difference(published, `<p>${exported}</p>`)).toBeDefined();
});

it('A text is found in another as String.includes does it', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  const shown = (body: string) => ({ title: '', text: body });
  fc.assert(
    fc.property(text, text, (part, whole) => {
      expect(comparePage(shown(part), shown(whole)) === undefined).toBe(whole.includes(part));
    }),
    { numRuns: 1000 },
  );
});

it('A page without visible content is empty, whatever it contains for scripts and robots', () => {
  const empty = (html: string) => isEmptyText(readPageText(html));
  expect(
    empty(
      '<title>App</title><div id="root"></div><script>render()</script><noscript>Switch on scripts</noscript>',
    ),
  ).toBe(true);
  expect(empty('<p>a@b.example</p>\u200b&nbsp;')).toBe(true);
  expect(empty('<p>a</p>')).toBe(false);
});

it('A page is read to its end, even if elements are left open', () => {
  expect(readPageText('<p>a<b>b<title>t</title>c<style>d').text).toBe('abc');
  expect(
    readPageText('<noscript><p>no</p></noscript>yes<template><template>x</template>y</template>z')
      .text,
  ).toBe('yesz');
  expect(readPageText('<svg><style/><title/><text>in</text></svg>out').text).toBe('out');
});
