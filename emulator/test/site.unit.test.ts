import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scaleScore, significantTerms } from '../src/platform/search-index.ts';
import { relativeHref, resolveLink, type SiteMap } from '../src/site/links.ts';
import { renderMarkdown, slugify } from '../src/site/markdown.ts';
import { readPage } from '../src/site/page.ts';
import { splitSections } from '../src/site/section.ts';
import { readSource } from '../src/site/source.ts';

const SITE: SiteMap = {
  outputs: new Map([
    ['index.md', 'index.html'],
    ['a/README.md', 'a/index.html'],
    ['a/b c.md', 'a/b c.html'],
  ]),
  assets: new Set(['img/x.png']),
};

describe('links', () => {
  test.each([
    ['b%20c.md#x', 'inside', 'b%20c.html#x'],
    ['b c', 'inside', 'b%20c.html'],
    ['../', 'inside', '../index.html'],
    ['/a', 'inside', 'index.html'],
    ['./', 'inside', 'index.html'],
    ['../img/x.png?raw=1', 'inside', '../img/x.png'],
    ['/img/x.png', 'inside', '../img/x.png'],
    ['#top', 'own', '#top'],
    ['//host/x', 'outside', 'https://host/x'],
    ['mailto:a@example.com', 'outside', 'mailto:a@example.com'],
  ])('The link %s from a page in a folder is %s: %s', (href, kind, expected) => {
    expect(resolveLink(SITE, 'a/b c.md', href)).toEqual({ kind, href: expected });
  });

  test('A target that is not in the site, or is above it, is missing', () => {
    for (const href of ['gone.md', '../../../etc/passwd', '%E0%A4%A']) {
      expect(resolveLink(SITE, 'a/b c.md', href)).toEqual({ kind: 'missing', href });
    }
  });

  test('A relative reference points to a file and is escaped', () => {
    expect(relativeHref('a/b.html', 'a/b.html')).toBe('b.html');
    expect(relativeHref('a/b.html', 'c/d?.html')).toBe('../c/d%3F.html');
  });
});

describe('pages', () => {
  test('The title of a page is the given one, else the first heading outside code, else the file name', () => {
    expect(readPage('a.md', '---\ntitle: One\n---\n# Two\n').title).toBe('One');
    expect(readPage('a.md', '```sh\n# no\n```\n# Two `x`\n').title).toBe('Two x');
    expect(readPage('how-to/01-first-steps.md', 'text').title).toBe('First steps');
    expect(readPage('how-to/index.md', 'text').title).toBe('How to');
  });

  test('HTML comments are neither shown nor found by search, but in code they are text', () => {
    const page = readPage(
      'a.md',
      'one\n\n<!-- note\nhidden -->\n\n```md\n<!-- shown -->\n```\n\ntwo\n',
    );
    const { html } = renderMarkdown(page, SITE);
    expect(html).not.toMatch(/note|hidden/);
    expect(html).toContain('&lt;!-- shown --&gt;');
    const [section] = splitSections(page);
    expect(section?.text).toMatch(/^one .*shown.* two$/);
    expect(section?.text).not.toContain('hidden');
  });

  test('Addresses have no suffix, and an index has the address of its folder', () => {
    const urls = ['index.md', 'a/README.md', 'a/b.md'].map((source) => readPage(source, '').url);
    expect(urls).toEqual(['/', '/a', '/a/b']);
  });

  test('Tags can be a list or text, numbers can be text, and the error of bad front matter contains the file', () => {
    expect(readPage('a.md', '---\ntags: a, b\nversion: 2\n---\n').meta).toMatchObject({
      tags: ['a', 'b'],
      version: '2',
    });
    expect(readPage('a.md', '---\n---\ntext').body).toBe('text');
    expect(() => readPage('a.md', '---\norder: first\n---\n')).toThrow('a.md');
  });

  test('Sections follow headings, not comments in code', () => {
    const page = readPage('a.md', '# A\n\nx [y](z)\n\n```sh\n# code\n```\n\n## B\n\n- *z*\n');
    expect(splitSections(page)).toEqual([
      { heading: 'A', text: 'x y # code' },
      { heading: 'B', text: 'z' },
    ]);
  });
});

describe('Markdown', () => {
  const html = (body: string) => renderMarkdown(readPage('index.md', body), SITE).html;

  test('Equal headings get different anchors', () => {
    expect(html('## A b\n\n## A b\n')).toContain('id="a-b-1"');
    expect(slugify('What’s `new`?')).toBe('whats-new');
  });

  test('HTML, script addresses and external images are removed from a page', () => {
    const result = html(
      '<img src=x>\n\n[a](javascript:alert(1))\n\n![b](//host/c.png) ![](https://host/d.png)\n',
    );
    expect(result).not.toMatch(/<img|href|host/);
    expect(result).toContain('[b]');
  });

  test('A quote that begins with a mark is a callout', () => {
    expect(html('> [!TIP]\n> Do.\n')).toContain('<blockquote class="callout tip" data-kind="Tip">');
  });
});

describe('scores', () => {
  test('Scores are shares of the best hit and of the words found, from 0 to 1', () => {
    expect(scaleScore({ raw: 10, best: 10, matched: 2, terms: 2 })).toBe(1);
    expect(scaleScore({ raw: 5, best: 10, matched: 1, terms: 2 })).toBe(0.25);
    expect(scaleScore({ raw: 0, best: 0, matched: 0, terms: 0 })).toBe(0);
    expect(significantTerms('How do I refresh a link?')).toEqual(['refresh', 'link']);
  });
});

test('A folder of pages has its .well-known, and no other hidden files and no packages', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-site-'));
  const names = [
    'index.md',
    '.well-known/security.txt',
    '.git/config.txt',
    'a/.draft.md',
    'node_modules/p/README.md',
  ];
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
  const found = [...(await readSource(folder)).keys()];
  rmSync(folder, { recursive: true });
  expect(found).toEqual(['.well-known/security.txt', 'index.md']);
});
