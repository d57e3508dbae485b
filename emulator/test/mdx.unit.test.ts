import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../src/site/markdown.ts';
import { plainMdx } from '../src/site/mdx.ts';
import { readPage } from '../src/site/page.ts';

const SITE = {
  outputs: new Map([
    ['a.mdx', 'a.html'],
    ['b.mdx', 'b.html'],
  ]),
  assets: new Set<string>(),
};
const html = (body: string) => renderMarkdown(readPage('a.mdx', body), SITE).html;

describe('a page in MDX', () => {
  test('An MDX page loses imports and exports, also of several lines, but keeps them in code', () => {
    const source = [
      "import { Card } from '/snippets/card.mdx';",
      'import {',
      '  One,',
      '  Two,',
      "} from 'x';",
      'export const meta = {',
      "  title: 'x',",
      '',
      '};',
      '',
      'Important exports follow.',
      '',
      '```js',
      "import { kept } from 'kept';",
      '```',
    ].join('\n');
    const plain = plainMdx(source);
    expect(plain).not.toMatch(/Card|One|snippets/);
    expect(plain).toContain('Important exports follow.');
    expect(plain).toContain("import { kept } from 'kept';");
  });

  test('Components become blocks of their content, under their title', () => {
    const shown = html(
      '<Card title="Start" icon="rocket">\n  Read **this**.\n</Card>\n\n<Steps>\n<Step>One</Step>\n</Steps>\n',
    );
    expect(shown).toContain('<strong>Start</strong>');
    expect(shown).toContain('Read <strong>this</strong>.');
    expect(shown).toContain('<p>One</p>');
    expect(shown).not.toMatch(/&lt;|Card|icon|Steps/);
  });

  test('Links and images of components and elements stay, also dead ones', () => {
    const shown = html(
      '<Card title="B" href="/b" />\n\n<a href="/gone">Gone</a> and <img src="/img/none.png" alt="None" />\n\n<Frame>\n<img src="x y.png"/>\n</Frame>\n',
    );
    expect(shown).toContain('<a href="b.html">B</a>');
    expect(shown).toContain('<a href="/gone">Gone</a>');
    expect(shown).toContain('src="/img/none.png" alt="None"');
    expect(shown).toContain('src="x%20y.png"');
  });

  test('Comments and expressions are left out, but texts stay', () => {
    const shown = html(
      'Before{/* hidden */}{" "}{\'after\'} {user.name}.\n\n`{ code }` and <https://example.com>\n',
    );
    expect(shown).toContain('Before after .');
    expect(shown).toContain('<code>{ code }</code>');
    expect(shown).toContain('href="https://example.com"');
    expect(shown).not.toContain('hidden');
  });

  test('Text that is not MDX stays unchanged', () => {
    expect(plainMdx('1 < 2 and a <b c')).toBe('1 < 2 and a <b c');
    expect(plainMdx('Use `<Card>` here.')).toBe('Use `<Card>` here.');
    expect(html('```mdx\n<Card title="x">{y}</Card>\n```\n')).toContain('&lt;');
  });

  test('The address of an MDX page has no suffix, and an index has the address of its folder', () => {
    expect(
      ['index.mdx', 'a/README.mdx', 'a/b.mdx'].map((source) => readPage(source, '').url),
    ).toEqual(['/', '/a', '/a/b']);
  });

  // If the time grew with the square of the length, this would exceed the test's time limit.
  test.each(['<', '{', '<a ', '`', '<A b="', '{{', '</'])(
    'An MDX page of many %s is read quickly',
    (unit) => {
      expect(plainMdx(unit.repeat(20_000)).length).toBeGreaterThan(0);
    },
  );
});
