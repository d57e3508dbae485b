import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitize } from '../../../src/prompt/sanitize.ts';
import { measureGrowth } from './growth.ts';

const RUNS = process.env['SOAK'] ? 10_000 : 1_000;
const clean = (text: string) => sanitize(text).text;

test.each([
  ['text stays', 'Hello **bold** and `code`.', 'Hello bold and `code`.'],
  [
    'code keeps what looks like markup',
    '`__init__` and\n\n```ts\n# not a heading <T>\n```',
    '`__init__` and\n\n```\n# not a heading <T>\n```',
  ],
  ['lists and headings stay', '# Title\n\n- one\n- two', '# Title\n\n- one\n- two'],
  ['a comment goes', 'a <!-- evil --> b', 'a  b'],
  ['an unclosed comment hides the rest', 'a <!-- evil', 'a'],
  ['a comment ended by --!> ends there', 'a <!-- evil --!> b', 'a  b'],
  ['nested halves make no comment', 'x <!<!-- -->-- evil --> y', 'x  y'],
  ['entities spell no comment', '&lt;!-- evil --&gt; b', 'b'],
  ['escapes spell no comment', '\\<!-- evil --\\> b', 'b'],
  ['a comment split by zero width goes', '<!-\u200b- evil -->b', 'b'],
  ['hidden elements go', '<span hidden>evil</span>seen', 'seen'],
  ['styled elements go', '<b style="display:none">evil</b>seen', 'seen'],
  ['folded parts go', '<details><summary>evil</summary>evil</details>\n\nseen', 'seen'],
  ['an element that is never closed hides the rest', 'seen <i hidden>evil\n\nevil', 'seen'],
  [
    'alternative texts, titles and destinations go',
    '![evil](evil.png "evil") [seen](https://evil.example "evil")',
    'seen',
  ],
  ['reference definitions go', '[//]: # (evil)\n\nseen', 'seen'],
  ['tags that no page knows leave their text', 'a <T>b</T>', 'a b'],
])('%s', (_name, text, expected) => {
  expect(clean(text)).toBe(expected);
});

test('what is removed is counted', () => {
  expect(sanitize('a\u200b\u202eb\u{e0061}')).toEqual({ text: 'ab', removed: 3 });
});

// Bits that mean something to some reader of Markdown or HTML, to be put together in any order.
const bits = [
  '<!--',
  '-->',
  '--!>',
  '<',
  '>',
  '&',
  '&lt;',
  '&amp;',
  '&#60;',
  '\\',
  '`',
  '```\n',
  '*',
  '_',
  '[',
  ']',
  '(',
  ')',
  '!',
  '#',
  '- ',
  '1. ',
  '\n',
  '\n\n',
  '<b hidden>',
  '</b>',
  '<details>',
  '</details>',
  '<div>\n',
  '<p style=x>',
  '[a]: b',
  '"',
  "'",
  '=',
  '---',
  'word',
  ' ',
  '\u200b',
  '\u{e0041}',
  '&#8203;',
  '    ',
  '<pre>',
  '</pre>',
  '<code>',
  '</code>',
  '<br>',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '<!X',
  '<textarea>',
  '<title>',
  '<svg>',
  '<li>',
];
const soup = fc.array(fc.constantFrom(...bits), { minLength: 0, maxLength: 60 }).map((parts) => parts.join(''));

test('sanitising twice changes nothing', () => {
  fc.assert(
    fc.property(soup, (text) => {
      const once = clean(text);
      expect(clean(once)).toBe(once);
    }),
    { numRuns: RUNS },
  );
});

test('nothing of the Unicode categories Cc, Cf, Co, Cn and Cs is left, but line ends and tabs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 0, maxLength: 500 }), soup, (text, more) => {
      expect(clean(text + more)).not.toMatch(
        /[^\n\t\P{Cc}]|[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u,
      );
    }),
    { numRuns: RUNS },
  );
});

test('nothing inside a hiding wrapper survives, whatever stands around it', () => {
  const wrap = fc.constantFrom<[string, string]>(
    ['<!--', '-->'],
    ['<div hidden>', '</div>'],
    ['<details>', '</details>'],
    ['<script>', '</script>'],
    ['<b style="x">', '</b>'],
    ['![', '](x)'],
    ['[x](y "', '")'],
  );
  const words = fc.array(fc.constantFrom('plain', ' ', 'text', ', '), { maxLength: 20 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(words, wrap, words, (before, [open, close], after) => {
      expect(clean(`${before}\n\n${open}canary${close}\n\n${after}`)).not.toContain('canary');
    }),
    { numRuns: RUNS },
  );
});

test('no text of a comment is left in the form of a comment', () => {
  fc.assert(
    fc.property(soup, (text) => {
      const withoutCode = clean(text).replace(/(`+)[\s\S]*?\1/g, '');
      expect(withoutCode).not.toContain('<!--');
    }),
    { numRuns: RUNS },
  );
});

const HOSTILE = [
  '<',
  '&amp;',
  '[',
  '`a',
  '*a ',
  '_a_ ',
  '![',
  '[a](',
  '<div>',
  '<b hidden>',
  '<!--',
  '&lt;!--',
  '&#38;',
  '\\',
  '> ',
  '- ',
  '```\n',
  '<![CDATA[',
  '[a]: <',
  'a\n',
];

test.each(HOSTILE)('the work for a hostile text of %j grows with its length, not faster', (bit) => {
  const text = bit.repeat(Math.ceil(65_536 / bit.length)).slice(0, 65_536);
  expect(measureGrowth(sanitize, text)).toBeLessThan(6);
});

test('what stands deeper than any page goes hides the rest', () => {
  expect(clean(`seen\n\n${'<div>'.repeat(150)}seen too`)).toBe('seen\n\nseen too');
  expect(clean(`seen\n\n${'<div>'.repeat(250)}evil`)).toBe('seen');
});

test('the measure tells work that grows with the square of the length', () => {
  const square = (text: string) => {
    let count = 0;
    for (const one of text) for (const other of text) if (one === other) count += 1;
    return count;
  };
  expect(measureGrowth(square, 'ab'.repeat(1500))).toBeGreaterThan(6);
});

test('what is longer than GitHub takes is cut before it is read', () => {
  for (const bit of ['word ', '<b hidden>', '[a](']) {
    const long = bit.repeat(Math.ceil((1024 * 1024) / bit.length));
    expect(sanitize(long)).toEqual(sanitize(long.slice(0, 65_536)));
  }
});
