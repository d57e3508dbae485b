import { readFileSync } from 'node:fs';
import { Parser } from 'htmlparser2';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { changesSections, notComparedSection } from '../../../src/steps/changes/changes-summary.ts';
import injections from '../../fixtures/injections/texts.json' with { type: 'json' };
import { makeComparison } from '../../support/make-comparison.ts';

const named = (path: string) => ({ path, title: `Title of ${path}` });
const lost = (path: string, more: object = {}) => ({
  ...named(path),
  links: 0,
  linkedFrom: [],
  ...more,
});
const section = (name: string, counts: object = {}) => ({
  section: name,
  ...{ pages: 5, added: 0, removed: 0, moved: 0, changed: 0 },
  ...counts,
});

describe('the summary of changes', () => {
  it('The summary of changes shows numbers, pages, lost addresses and a chart', () => {
    const comparison = makeComparison({
      added: [named('/guide/new')],
      removed: [named('/guide/gone'), { ...named('/old'), redirect: '/guide/new' }],
      moved: [{ from: '/a', to: '/b', title: 'B' }],
      changed: [
        { ...named('/guide/start'), words: 120, wordsAdded: 12, wordsRemoved: 3 },
        { ...named('/guide/list'), words: 20, wordsAdded: 0, wordsRemoved: 0 },
      ],
      unchanged: 1115,
      assets: { added: 1, removed: 2, changed: 3 },
      lost: [
        lost('/a', { movedTo: '/b', links: 5, linkedFrom: ['/', '/c', '/d', '/e', '/f'] }),
        lost('/guide/gone'),
      ],
      sections: [
        section('/guide', { added: 1, changed: 2 }),
        section('/', { moved: 1 }),
        section('/api'),
      ],
    });
    expect(changesSections(comparison)).toBe(`### Changes

Compared with export job \`job-1\` (120 pages).

| Added | Changed | Moved | Removed | Unchanged |
| --- | --- | --- | --- | --- |
| 1 | 2 | 1 | 2 | 1,115 |

Other files: 1 added, 3 changed, 2 removed. Size: 3.8 MiB in 300 files, before 3.8 MiB in 300 files.

|  | Page | Title |  |
| --- | --- | --- | --- |
| removed | \`/guide/gone\` | Title of /guide/gone |  |
| removed | \`/old\` | Title of /old | now leads to /guide/new |
| moved | \`/a\` | B | now at /b |
| added | \`/guide/new\` | Title of /guide/new |  |
| changed | \`/guide/start\` | Title of /guide/start | words: 12 more, 3 fewer |
| changed | \`/guide/list\` | Title of /guide/list | structure only |

**2 addresses lost**: the page is gone and has no redirect.

| Address | What happened to the page | Pages that still link there |
| --- | --- | --- |
| \`/a\` | moved to \`/b\` | \`/\`, \`/c\`, \`/d\` and 2 more |
| \`/guide/gone\` | removed | none |

\`\`\`mermaid
xychart-beta
  title "Changed pages by section"
  x-axis ["/guide", "/"]
  y-axis "pages"
  bar [3, 1]
\`\`\``);
  });

  it('The summary says why nothing was compared', () => {
    expect(notComparedSection('No state names an earlier export.')).toBe(
      '### Changes\n\nNot compared. No state names an earlier export.',
    );
  });

  it('The summary of many changes shows the first pages and addresses', () => {
    const many = Array.from({ length: 400 }, (_, at) => `/p${String(at).padStart(3, '0')}`);
    const text = changesSections(
      makeComparison({ removed: many.map(named), lost: many.map((path) => lost(path)) }),
    );
    expect(text).toContain('And 350 pages more: see the file at `changes-path`.');
    expect(text).toContain('And 375 addresses more');
    expect(text.length).toBeLessThan(10_000);
  });
});

describe('texts of pages', () => {
  const hostile = readFileSync(
    new URL('../../fixtures/hostile/texts.jsonl', import.meta.url),
    'utf8',
  )
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).text);
  const own = [
    '`"]\n```\n# x',
    '" --> 9\n  line [1]',
    '@maya #1 https://evil.example www.evil.example',
    'a | b | c',
    '##[error]x',
  ];
  const texts = [...own, ...hostile, ...injections.texts.map(({ text }) => text)];

  it.each(texts)('The text of a page stays text in the summary: %j', (text) => {
    const path = `/${text}`;
    const comparison = makeComparison({
      added: [{ path, title: text }],
      removed: [{ path, title: text, redirect: text }],
      moved: [{ from: path, to: path, title: text }],
      changed: [{ path, title: text }],
      lost: [{ ...lost(path), title: text, movedTo: path, links: 1, linkedFrom: [path] }],
      sections: [section(path, { added: 1 }), section(`${path}2`, { changed: 1 })],
    });
    const markdown = changesSections(comparison);
    const chart = markdown.slice(markdown.lastIndexOf('\n```mermaid\n') + 1);
    expect(chart).toMatch(
      /^```mermaid\nxychart-beta\n {2}title "Changed pages by section"\n {2}x-axis \["[\p{L}\p{N}/._…-]*", "[\p{L}\p{N}/._…-]*"\]\n {2}y-axis "pages"\n {2}bar \[1, 1\]\n```$/u,
    );
    const html = new MarkdownIt({ html: true, linkify: true }).render(markdown);
    const tags = new Set<string>();
    const parser = new Parser({ onopentagname: (name) => void tags.add(name) });
    parser.end(html);
    expect([...tags].sort()).toEqual(
      ['code', 'h3', 'p', 'pre', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr'].sort(),
    );
    expect(html.replace(/<code[\s\S]*?<\/code>/g, '')).not.toMatch(/@\w/);
    // Rows of three tables, and nothing from the text of a page.
    expect(html.match(/<tr>/g)).toHaveLength(2 + 5 + 2);
  });
});
