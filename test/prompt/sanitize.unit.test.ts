import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitize } from '../../src/prompt/sanitize.ts';
import { anyText } from '../support/any-text.ts';
import { measureGrowth } from '../support/growth.ts';

const RUNS = process.env['SOAK'] ? 10_000 : 300;
const clean = (text: string) => sanitize(text).text;

test.each([
  ['text stays', 'Hello **bold** and `code`.', 'Hello bold and `code`.'],
  [
    'code keeps what looks like markup',
    '`__init__` and\n\n```ts\n# not a heading <T>\n```',
    '`__init__` and\n\n```\n# not a heading <T>\n```',
  ],
  ['lists and headings stay', '# Title\n\n- one\n- two', '# Title\n\n- one\n- two'],
  ['numbers of a list stay', '3. one\n4. two', '3. one\n4. two'],
  [
    'a quotation keeps its mark',
    '> of one\n> person\n\nof another',
    '> of one\n> person\n\nof another',
  ],
  [
    'a quotation in HTML keeps its mark',
    '<blockquote>of one</blockquote>of another',
    '> of one\n\nof another',
  ],
  ['a quotation in a quotation keeps both marks', '> b\n>\n> > a\n\nc', '> b\n\n> > a\n\nc'],
  ['a line that continues a quotation gets its mark', '> a\nb\n\nc', '> a\n> b\n\nc'],
  [
    'code and lists in a quotation keep the mark',
    '> - a\n>\n> ```\n> b\n> ```\n\nc',
    '> - a\n\n> ```\n> b\n> ```\n\nc',
  ],
  [
    'a quotation in a table keeps its mark',
    '<table><tr><td><blockquote>a</blockquote>',
    '| > a |\n| --- |',
  ],
  ['a sign that quotes nothing is text', '1 > 0\n\n\\> b', '1 > 0\n\n\\> b'],
  ['tasks stay', '- [ ] one\n- [x] two', '- [ ] one\n- [x] two'],
  ['struck words stay struck', 'Do ~~not~~ delete it', 'Do ~~not~~ delete it'],
  [
    'a table stays',
    '| a | b |\n|---|---|\n| 1 | `x\\|y` |',
    '| a | b |\n| --- | --- |\n| 1 | `x\\|y` |',
  ],
  ['a footnote stays', 'a[^x]\n\n[^x]: noted', 'a[^1]\n\n[^1]: noted'],
  ['a label of a footnote has no case', 'a[^X]\n\n[^x]: noted', 'a[^1]\n\n[^1]: noted'],
  [
    'of two footnotes with one label the first counts',
    'a[^x]\n\n[^x]: seen\n\n[^x]: evil',
    'a[^1]\n\n[^1]: seen',
  ],
  ['a comment goes', 'a <!-- evil --> b', 'a b'],
  [
    'a mark of a comment in code stays',
    'Do NOT `<!--` delete the page `-->`',
    'Do NOT `<!--` delete the page `-->`',
  ],
  ['a comment that is never closed hides the rest', 'a\n\n<!-- evil\n\nevil', 'a'],
  ['what is not a comment for GitHub stays', 'a <!-- seen', 'a \\<\\!-- seen'],
  ['halves around a comment are text', 'x <!<!-- evil -->-- seen --> y', 'x \\<\\!-- seen --\\> y'],
  ['entities spell no comment', '&lt;!-- seen --&gt; b', '\\<\\!-- seen --\\> b'],
  ['a comment split by zero width goes', '<!-\u200b- evil -->b', 'b'],
  ['hidden elements go', '<span hidden>evil</span>seen', 'seen'],
  ['styled elements go', '<b style="display:none">evil</b>seen', 'seen'],
  ['white words go', '<b style="color:white">evil</b>seen', 'seen'],
  ['centred words stay', '<p style="text-align: center">seen</p>', 'seen'],
  [
    'folded parts go, but what they are called',
    '<details><summary>seen</summary>evil</details>\n\ntoo',
    'seen\n\ntoo',
  ],
  [
    'a second name of a folded part goes',
    '<details><summary>seen</summary><summary>evil</summary></details>',
    'seen',
  ],
  ['an open part stays', '<details open><summary>a</summary>b</details>', 'a\n\nb'],
  ['an element that is never closed hides the rest', 'seen <i hidden>evil\n\nevil', 'seen'],
  [
    'a tag without its bracket hides the rest',
    'seen\n\n<div title="\n\nevil">evil\n\nevil',
    'seen',
  ],
  [
    'alternative texts, titles and destinations go',
    '![evil](evil.png "evil") [seen](https://evil.example "evil")',
    'seen',
  ],
  [
    'an address that is shown stays',
    '<https://seen.example> https://too.example',
    'https://seen.example https://too.example',
  ],
  ['reference definitions go', '[//]: # (evil)\n\nseen', 'seen'],
  ['tags that no page knows leave their text', 'a <T>b</T>', 'a b'],
  ['types are not elements', 'Array<object> of <Tabs>b</Tabs>', 'Array of b'],
  ['excess cells of a table go', '| a |\n|---|\n| b | evil |', '| a |\n| --- |\n| b |'],
  ['footnotes that nothing refers to go', 'seen\n\n[^x]: evil', 'seen'],
  [
    'formulas go',
    'a $\\phantom{evil}$ b $`evil`$ c\n\n$$\nevil % evil\n$$\n\n```math\nevil\n```',
    'a b c',
  ],
  ['formulas in HTML go', '<div>$\\color{white}{evil}$ seen</div>', 'seen'],
  [
    'formulas in HTML go, with entities too',
    '<div>&#36;\\color{white}{ev&amp;il}$ seen</div>',
    'seen',
  ],
  [
    'prices and variables stay',
    'costs $5 and $10 in $HOME/$PATH',
    'costs $5 and $10 in $HOME/$PATH',
  ],
  [
    'diagrams go',
    '```mermaid\n%% evil\n```\n\n```geojson\n{"evil":1}\n```\n\n```STL evil\n```\n\nseen',
    'seen',
  ],
  [
    'deeply nested small print goes',
    `${'<sub>'.repeat(30)}evil${'</sub>'.repeat(30)} H<sub>2</sub>O`,
    'H2O',
  ],
  [
    'code behind thousands of blanks goes',
    `\`\`\`\nseen${' '.repeat(4000)}evil\n\ttoo\n\`\`\``,
    '```\nseen\n\ttoo\n```',
  ],
  ['empty lines of code are few', `\`\`\`\na${'\n'.repeat(500)}b\n\`\`\``, '```\na\n\n\nb\n```'],
])('Sanitising keeps what a reader sees: %s', (_name, text, expected) => {
  expect(clean(text)).toBe(expected);
  expect(clean(expected)).toBe(expected);
});

test.each([
  ['comments', 'a <!-- evil --> b', 6],
  ['hidden elements', '<b hidden>evil</b>', 4],
  ['folded parts', '<details><summary>a</summary>evil</details>', 4],
  ['scripts and styles', '<script>evil</script>', 4],
  ['tags', 'Array<object>', 8],
  ['attributes', '<b title="evil">b</b>', 4],
  ['link addresses', '[a](evil)', 4],
  ['link definitions', '[a]: evil', 5],
  ['images', '![evil](e)', 5],
  ['math', 'a $evil$', 6],
  ['diagrams', '```mermaid\nevil\n```', 5],
  ['unused footnotes', '[^a]: evil', 4],
  ['excess table cells', '| a |\n|---|\n| b | evil |', 4],
  ['too deeply nested text', `${'<sup>'.repeat(4)}evil${'</sup>'.repeat(4)}`, 4],
  ['text after long runs of spaces', `\`a\`\n\n    b${' '.repeat(300)}evil`, 4],
  ['invisible characters', 'a\u200b\u202eb\u{e0061}', 3],
  ['invisible characters', 'a&#8203;b', 1],
  ['text over the length limit', 'a '.repeat(32_770), 4],
])('Removed %s are counted: %j', (kind, text, characters) => {
  expect(sanitize(text).removed).toContainEqual({ kind, characters });
});

test.each(['Do **not** delete <b>it</b>.', '# A\n\n- b\n\n> c `d`', 'https://a.example', 'a  \nb'])(
  'Nothing is removed from %j',
  (text) => {
    expect(sanitize(text)).toEqual({ text: expect.any(String), removed: [], unclosed: undefined });
  },
);

test.each([
  ['a\n\nb <i hidden>c', { tag: 'i', line: 3, column: 3 }],
  ['a\n\n<!-- b', { tag: '<!--', line: 3, column: 1 }],
  ['`<div hidden>` a\n<div hidden>b</div> <div hidden>c\n\nd', { tag: 'div', line: 2, column: 21 }],
  ['<details>a', { tag: 'details', line: 1, column: 1 }],
  ['a\n\n<script>b', { tag: 'script', line: 3, column: 1 }],
  ['a\n\n<div title="\n\nb', { tag: 'div', line: 3, column: 1 }],
  ['> <i hidden>\n> c', { tag: 'i', line: 1, column: 3 }],
])('A hiding tag that is never closed is reported with its position: %j', (text, unclosed) => {
  expect(sanitize(text).unclosed).toEqual(unclosed);
});

test('A tag that hides nothing may stay open', () => {
  expect(sanitize('<b>a <T> <div>b').unclosed).toBeUndefined();
});

test('A text in an element of HTML may end with an ampersand and letters', () => {
  expect(sanitize('<div>\nWrite about AT&T')).toEqual({ text: 'Write about AT&T', removed: [] });
  expect(sanitize('<div title="AT&T').unclosed).toEqual({ tag: 'div', line: 1, column: 1 });
  expect(sanitize('<div>\n</p AT&T').unclosed).toEqual({ tag: 'p', line: 2, column: 1 });
});

// Pieces that have a meaning in Markdown or HTML, to be combined in any order.
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
  '|',
  '|\n|-|-|\n|',
  '[^1]',
  '\n[^1]: ',
  '$',
  '$$',
  '~~',
  '<td>',
  '<tr>',
  '<table>',
  '</table>',
  '<ol>',
  '<details open>',
  '<summary>',
  '<sub>',
  '```math\n',
  '{x}',
  '\n2. ',
  '\n> ',
];
const soup = fc
  .array(fc.constantFrom(...bits), { minLength: 0, maxLength: 60 })
  .map((parts) => parts.join(''));

test('Sanitising twice changes nothing', () => {
  fc.assert(
    fc.property(soup, (text) => {
      const once = clean(text);
      expect(clean(once)).toBe(once);
    }),
    { numRuns: RUNS },
  );
});

test('No character of the Unicode categories Cc, Cf, Co, Cn and Cs is left except line ends and tabs', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 500 }), soup, (text, more) => {
      expect(clean(text + more)).not.toMatch(
        /[^\n\t\P{Cc}]|[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u,
      );
    }),
    { numRuns: RUNS },
  );
});

test('Nothing inside a hiding element survives, whatever is around it', () => {
  const wrap = fc.constantFrom<[string, string]>(
    ['<!--', '-->'],
    ['<div hidden>', '</div>'],
    ['<details>', '</details>'],
    ['<span aria-hidden=true>', '</span>'],
    ['<p style="color:#fff">', '</p>'],
    ['$\\color{white}{', '}$'],
    ['```mermaid\n%% ', '\n```'],
    ['[^9]: ', ''],
    ['<sub><sub><sub><sub>', '</sub></sub></sub></sub>'],
    ['<script>', '</script>'],
    ['<b style="x">', '</b>'],
    ['![', '](x)'],
    ['[x](y "', '")'],
  );
  const words = fc
    .array(fc.constantFrom('plain', ' ', 'text', ', '), { maxLength: 20 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(words, wrap, words, (before, [open, close], after) => {
      expect(clean(`${before}\n\n${open}canary${close}\n\n${after}`)).not.toContain('canary');
    }),
    { numRuns: RUNS },
  );
});

test('No comment is left as a comment', () => {
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
  '|a',
  '|a|\n|-|\n',
  '[^a]',
  '[^a]: x\n',
  '$a ',
  '$a$ ',
  '$`',
  '~~a~~ ',
  '<td>',
  '<T>',
  '<sub>',
  '# ',
  '1. ',
];

test.each(HOSTILE)('The work for a hostile text of %j grows with its length, not faster', (bit) => {
  const text = bit.repeat(Math.ceil(65_536 / bit.length)).slice(0, 65_536);
  expect(measureGrowth(sanitize, text)).toBeLessThan(6);
});

test('Nesting that is deeper than in any real page hides the rest', () => {
  expect(clean(`seen\n\n${'<div>'.repeat(150)}seen too`)).toBe('seen\n\nseen too');
  expect(clean(`seen\n\n${'<div>'.repeat(250)}evil`)).toBe('seen');
});

test('Text that is longer than GitHub accepts is cut before it is read', () => {
  for (const bit of ['word ', '<b hidden>', '[a](']) {
    const long = bit.repeat(Math.ceil((1024 * 1024) / bit.length));
    expect(clean(long)).toEqual(clean(long.slice(0, 65_536)));
  }
});
