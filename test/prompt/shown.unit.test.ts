import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readShown } from '../../src/prompt/shown/read.ts';
import { anyText } from '../support/any-text.ts';
import { measureGrowth } from '../support/growth.ts';
import { readMarkdown } from '../support/shown.ts';

const RUNS = process.env['SOAK'] ? 10_000 : 300;
const clean = (text: string) => readMarkdown(text).text;

test.each([
  ['text stays', 'Hello **bold** and `code`.', 'Hello bold and `code`.'],
  [
    'code keeps what looks like markup',
    '`__init__` and\n\n```ts\n# not a heading <T>\n```',
    '`__init__` and\n\n```ts\n# not a heading <T>\n```',
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
  ['a quotation in a quotation keeps both marks', '> b\n>\n> > a\n\nc', '> b\n>\n> > a\n\nc'],
  ['a line that continues a quotation gets its mark', '> a\nb\n\nc', '> a\n> b\n\nc'],
  [
    'code and lists in a quotation keep the mark',
    '> - a\n>\n> ```\n> b\n> ```\n\nc',
    '> - a\n>\n> ```\n> b\n> ```\n\nc',
  ],
  [
    'a quotation in a table keeps its mark',
    '<table><tr><td><blockquote>a</blockquote>',
    '| > a |\n| --- |',
  ],
  ['a sign that quotes nothing is text', '1 > 0\n\n\\> b', '1 > 0\n\n> b'],
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
  ['what is not a comment for GitHub stays', 'a <!-- seen', 'a <!-- seen'],
  ['halves around a comment are text', 'x <!<!-- evil -->-- seen --> y', 'x <!-- seen --> y'],
  ['entities spell no comment', '&lt;!-- seen --&gt; b', '<!-- seen --> b'],
  ['a mark that zero width splits is not a comment', '<!-\u200b- seen -->b', '<!-- seen -->b'],
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
    'alternative texts and titles go',
    '![evil](https://a.example/b.png "evil") [seen](https://a.example "evil")',
    '![](https://a.example/b.png) [seen](https://a.example)',
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
    'formulas are named',
    'a $\\phantom{evil}$ b $`evil`$ c\n\n$$\nevil % evil\n$$\n\n```math\nevil\n```',
    'a [formula] b [formula] c\n\n[formula]\n\n[formula]',
  ],
  ['formulas in HTML are named', '<div>$\\color{white}{evil}$ seen</div>', '[formula] seen'],
  [
    'formulas in HTML are named, with entities too',
    '<div>&#36;\\color{white}{ev&amp;il}$ seen</div>',
    '[formula] seen',
  ],
  [
    'prices and variables stay',
    'costs $5 and $10 in $HOME/$PATH',
    'costs $5 and $10 in $HOME/$PATH',
  ],
  [
    'diagrams, maps and models are named',
    '```mermaid\n%% evil\n```\n\n```geojson\n{"evil":1}\n```\n\n```STL evil\n```\n\nseen',
    '[diagram]\n\n[map]\n\n[3D model]\n\nseen',
  ],
  [
    'deeply nested small print goes',
    `${'<sub>'.repeat(30)}evil${'</sub>'.repeat(30)} H<sub>2</sub>O`,
    'H<sub>2</sub>O',
  ],
  [
    'code behind thousands of blanks goes',
    `\`\`\`\nseen${' '.repeat(4000)}evil\n\ttoo\n\`\`\``,
    '```\nseen\n\ttoo\n```',
  ],
  ['empty lines of code are few', `\`\`\`\na${'\n'.repeat(500)}b\n\`\`\``, '```\na\n\n\nb\n```'],
  [
    'levels of a list stay',
    '- a\n  1. b\n  2. c\n     - d\n- e',
    '- a\n  1. b\n  2. c\n     - d\n- e',
  ],
  [
    'a raised number stays raised',
    '10<sup>6</sup>, x<sup>2</sup>',
    '10<sup>6</sup>, x<sup>2</sup>',
  ],
  ['an alert is a quotation', '> [!NOTE]\n> a', '> Note\n>\n> a'],
  [
    'a suggestion says what it changes',
    '```suggestion\nb\n```',
    '```suggestion\n-as it is\n+b\n```',
  ],
  ['a mention and a reference are words', 'see @maya and #4', 'see @maya and #4'],
  ['a commit keeps its digits', 'a'.repeat(40), 'a'.repeat(40)],
  ['an emoji is a character', 'done :tada:', 'done 🎉'],
  ['a colour is code', '`#ff0000`', '`#ff0000`'],
  ['raw HTML of a diagram is one', '<pre lang="mermaid">evil</pre>', '[diagram]'],
  ['nothing is escaped', 'agt_job_1 \\*a\\* 1\\. b', 'agt_job_1 *a* 1. b'],
])('The reader keeps what a person sees: %s', (_name, text, expected) => {
  expect(clean(text)).toBe(expected);
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
  expect(measureGrowth((part) => readShown({ body: '', html: part }), text)).toBeLessThan(6);
  expect(measureGrowth((part) => readShown({ body: part }), text)).toBeLessThan(6);
});

test('Nesting that is deeper than in any real page hides the rest', () => {
  expect(clean(`seen\n\n${'<div>'.repeat(150)}seen too`)).toBe('seen\n\nseen too');
  expect(clean(`seen\n\n${'<div>'.repeat(250)}evil`)).toBe('seen');
});
