import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { AddedIndex } from '../../../../src/search/added-index.ts';
import { SiteSearch } from '../../../../src/site/added/search/search-files.ts';
import { IndexWriter } from '../../../../src/site/added/search/writer.ts';
import { readContent } from '../../../../src/site/verify/page-scan.ts';
import { addSearch, searchFiles, writeSite } from '../../../support/docs-site.ts';
import { expectError, failureOf } from '../../../support/failure.ts';
import { Folders } from '../../../support/world/folders.ts';

let folders: Folders;
beforeEach(() => {
  folders = new Folders();
});
afterEach(() => folders[Symbol.dispose]());

const html = (main: string, head = '<title>A page</title>', language = 'en') =>
  `<!doctype html><html lang="${language}"><head>${head}</head><body><nav><a href="/x">navigation</a></nav><main>${main}</main><footer>imprint</footer></body></html>`;

/** Writes the pages, adds a search, and opens it. */
async function searchIn(pages: Readonly<Record<string, string>>): Promise<AddedIndex> {
  writeSite(folders.workspace, Object.entries(pages));
  await addSearch(folders.workspace);
  return open();
}

const open = () => AddedIndex.open({ folder: folders.workspace, workspace: folders.workspace });
const pathsOf = async (index: AddedIndex, query: string) =>
  (await index.search({ query })).map(({ path }) => path);
const file = (name: string) => join(folders.workspace, 'docs-courier/search', name);

describe('what is indexed', () => {
  it('The main content is found, and navigation, footers, hidden text and scripts are not', async () => {
    const index = await searchIn({
      'a.html': html(
        '<h1>Start</h1><p>visible</p><p hidden>secretly</p><script>scripted()</script><p style="display:none">styled</p>',
      ),
    });
    expect(await pathsOf(index, 'visible')).toEqual(['/a.html']);
    for (const word of ['navigation', 'imprint', 'secretly', 'scripted', 'styled'])
      expect(await pathsOf(index, word), word).toEqual([]);
  });

  it('Pages that search engines are asked to leave out, redirects and the page for errors are not found', async () => {
    const index = await searchIn({
      'noindex.html': html('<p>word</p>', '<meta name="robots" content="noindex, nofollow">'),
      'none.html': html('<p>word</p>', '<META NAME="Robots" CONTENT="none">'),
      'moved.html': html('<p>word</p>', '<meta http-equiv="refresh" content="0; url=a.html">'),
      '404.html': html('<p>word</p>'),
      'a.html': html('<p>word</p>', '<meta name="robots" content="index, follow">'),
    });
    expect(await pathsOf(index, 'word')).toEqual(['/a.html']);
  });

  const noIndex = '<meta name="robots" content="noindex">';
  it.each([
    ['one page', ['a.html'], []],
    ['all pages', ['a.html', 'b/c.html', 'd.html'], []],
    ['all pages but a redirect', ['a.html', 'b.html'], ['moved.html']],
  ])(
    'If %s of an internal site ask search engines to leave them out, all are found',
    async (_, paths, moved) => {
      const pages = paths.map((path) => [path, html('<p>word</p>', noIndex)]);
      const redirects = moved.map((path) => [
        path,
        '<meta http-equiv="refresh" content="0; url=a.html">',
      ]);
      const index = await searchIn(Object.fromEntries([...pages, ...redirects]));
      expect((await pathsOf(index, 'word')).toSorted()).toEqual(paths.map((path) => `/${path}`));
    },
  );

  it('One page that search engines may show is enough to leave out the others, wherever it comes', async () => {
    for (const open of ['a.html', 'b.html', 'c.html']) {
      using site = new Folders();
      const pages = ['a.html', 'b.html', 'c.html'].map(
        (path) => [path, html('<p>word</p>', path === open ? '' : noIndex)] as const,
      );
      writeSite(site.workspace, pages);
      await addSearch(site.workspace);
      const index = await AddedIndex.open({ folder: site.workspace, workspace: site.workspace });
      expect(await pathsOf(index, 'word')).toEqual([`/${open}`]);
    }
  });

  it('The number of pages that are left out is known, and nothing is said if none is', () => {
    const noteOf = (...robots: readonly boolean[]) => {
      const search = new SiteSearch();
      for (const [at, isNoIndex] of robots.entries())
        search.page(`${at}.html`, { ...readContent(html('<p>word</p>')), isNoIndex });
      return search.note;
    };
    expect(noteOf(true, false, true)).toContain('leaves out 2 pages with noindex');
    expect([noteOf(true, true), noteOf(false), noteOf()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('The number of pages without a text to index is known', () => {
    const search = new SiteSearch();
    const app = readContent('<body><div id="app"></div><script>run()</script></body>');
    search.page('a.html', app);
    expect(search.note).toContain(
      'only the titles of 1 page, which has no text before scripts run',
    );
    search.page('b.html', readContent(html('<p>word</p>')));
    search.page('c.html', app);
    expect(search.note).toContain('2 pages, which have no text');
  });

  it('Each heading is an entry with its text and its address', async () => {
    const index = await searchIn({
      'a.html': html(
        '<div>Trail</div><h1 id="title">Title</h1><p>intro</p><h2 id="one">First</h2><p>alpha</p><section id="two"><h2>Second <a href="#two">#</a></h2><p>beta</p></section><h2><a name="three"></a>Third</h2><p>gamma</p>',
      ),
    });
    const at = async (query: string) => (await index.search({ query }))[0];
    expect(await at('intro')).toMatchObject({
      content: 'intro\nTrail',
      metadata: { title: 'Title', heading: '' },
    });
    expect(await at('beta')).toMatchObject({
      content: 'beta',
      metadata: { title: 'Title', heading: 'Second' },
    });
    const texts = readFileSync(file('texts-0.js'), 'utf8');
    for (const place of [
      '["First","one","alpha"]',
      '["Second","two","beta"]',
      '["Third","three","gamma"]',
    ])
      expect(texts).toContain(place);
  });

  it('The same pages give the same bytes, in whatever order their paths are given', async () => {
    const pages = Object.entries({
      'b.html': html('<p>two</p>'),
      'a/index.html': html('<p>one</p>'),
    });
    writeSite(folders.workspace, pages);
    const [first, second] = await Promise.all(
      [pages, [...pages].reverse()].map(async (order) => {
        const files = order.map(([path]) => path);
        return searchFiles(folders.workspace, files);
      }),
    );
    expect(first?.map(({ content }) => String(content))).toEqual(
      second?.map(({ content }) => String(content)),
    );
  });
});

describe('finding', () => {
  it.each([
    ['a typing error', 'kuberentes', 'Deploy to Kubernetes'],
    ['the beginning of a word', 'depl', 'Deploy to Kubernetes'],
    ['another form of a word', 'deploying', 'Deploy to Kubernetes'],
    ['an identifier', 'NODE_TLS_REJECT_UNAUTHORIZED', 'Certificates'],
    ['a part of an identifier', 'tls_reject', 'Certificates'],
    ['a flag', '--live-url', 'Certificates'],
    ['an identifier with dots', 'docs.example.com', 'Certificates'],
    ['a Japanese word', 'トークン', '認証'],
    ['a word without its accent', 'cafe', 'Café'],
  ])('A page is found by %s', async (_, query, title) => {
    const index = await searchIn({
      'deploy.html': html('<h1>Deploy to Kubernetes</h1><p>Pods.</p>'),
      'tls.html': html(
        '<h1>Certificates</h1><p><code>NODE_TLS_REJECT_UNAUTHORIZED</code> and <code>--live-url</code> of docs.example.com.</p>',
      ),
      'ja.html': html('<h1>認証</h1><p>アクセストークンを使う</p>', '', 'ja'),
      'fr.html': html('<h1>Café</h1><p>Du thé.</p>', '', 'fr'),
      'other.html': html('<h1>Other</h1><p>Nothing in common.</p>'),
    });
    const [first] = await index.search({ query });
    expect(first?.metadata?.['title']).toBe(title);
  });

  it('A page with the word in its title comes before pages that contain it', async () => {
    const index = await searchIn({
      'a.html': html('<h1>Other</h1><p>rollback rollback rollback</p>'),
      'b.html': html('<h1>Rollback</h1><p>How to.</p>'),
    });
    expect(await pathsOf(index, 'rollback')).toEqual(['/b.html', '/a.html']);
  });

  it('A page with all words comes before a page with one of them', async () => {
    const index = await searchIn({
      'a.html': html('<h1>Rotate</h1><p>rotate rotate</p>'),
      'b.html': html('<h1>Other</h1><p>How to rotate the key.</p>'),
    });
    expect((await pathsOf(index, 'rotate key'))[0]).toBe('/b.html');
  });

  it('A page with the rare word of a query comes before pages with its common words', async () => {
    const texts = Array.from({ length: 30 }, (_, at) =>
      at % 2 === 0 ? 'one for the team' : 'something else here',
    );
    const others = texts.map((text, at) => [`c${at}.html`, html(`<p>${text}</p>`)] as const);
    const index = await searchIn({
      ...Object.fromEntries(others),
      'rare.html': html('<p>quorum of voters now</p>'),
    });
    expect((await pathsOf(index, 'quorum for the team'))[0]).toBe('/rare.html');
  });

  it.each([
    { language: 'en', first: '/form.html' },
    { language: 'en-GB', first: '/form.html' },
    { language: 'de', first: '/longer.html' },
  ])(
    'In pages in $language, $first is the best: only English words have English forms',
    async ({ language, first }) => {
      const index = await searchIn({
        'form.html': html('<p>restart</p>', '', language),
        'longer.html': html('<p>restartinglog</p>', '', language),
      });
      expect((await pathsOf(index, 'restarting'))[0]).toBe(first);
    },
  );

  it('A filter by language leaves the pages in other languages out', async () => {
    const index = await searchIn({
      'a.html': html('<p>Export</p>', '', 'de-AT'),
      'b.html': html('<p>Export</p>'),
    });
    const results = await index.search({ query: 'export', filter: { language: 'de' } });
    expect(results.map(({ path }) => path)).toEqual(['/a.html']);
  });

  it('A query without a word finds nothing', async () => {
    const index = await searchIn({ 'a.html': html('<p>Export</p>') });
    for (const query of ['', '  ', '…', '<>&"', '\u0000'])
      expect(await pathsOf(index, query)).toEqual([]);
  });
});

describe('sites that are not as they should be', () => {
  it('A page without a title is shown by its path, and a page without headings is one entry', async () => {
    const index = await searchIn({ 'a/b.html': '<p>only text' });
    const [found] = await index.search({ query: 'text' });
    expect(found).toMatchObject({
      path: '/a/b.html',
      content: 'only text',
      metadata: { title: 'a/b.html', heading: '' },
    });
  });

  it('A page in two languages is found in both', async () => {
    const index = await searchIn({
      'a.html': html('<h1>Tokens</h1><p>Access tokens</p><p lang="ja">アクセストークン</p>'),
    });
    expect(await pathsOf(index, 'access')).toEqual(['/a.html']);
    expect(await pathsOf(index, 'トークン')).toEqual(['/a.html']);
  });

  it('Text that looks like markup is text', async () => {
    const index = await searchIn({
      'a.html': html(
        '<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1><p>&lt;img src=x onerror=alert(2)&gt; ]]&gt; &lt;!-- \u2028</p>',
      ),
    });
    const [found] = await index.search({ query: 'onerror' });
    expect(found?.metadata?.['title']).toBe('<script>alert(1)</script>');
    expect(found?.content).toBe('<img src=x onerror=alert(2)> ]]> <!--');
  });

  it('A site with more headings than an index can have is an error with their number', () => {
    const page = (path: string, count: number) => {
      const sections = Array.from({ length: count }, () => ({ heading: 'a', id: '', text: '' }));
      return { path, title: path, language: 'en', sections };
    };
    const writer = new IndexWriter(5);
    writer.add(page('a.html', 5));
    expect(() => writer.add(page('b.html', 1))).toThrow(/more than 5 headings/);
  });

  it('A site without pages has a search that finds nothing', async () => {
    const index = await searchIn({ 'a.css': 'a{}' });
    expect(await pathsOf(index, 'a')).toEqual([]);
  });

  it('A page with 10,000 headings and one of 5 MB are indexed as far as their last word', async () => {
    const sections = Array.from(
      { length: 10_000 },
      (_, at) => `<h2 id="s${at}">Heading ${at}</h2><p>Text of part${at}.</p>`,
    );
    const index = await searchIn({
      'many.html': html(`<h1>Many</h1>${sections.join('')}`),
      'long.html': html(`<h1>Long</h1><p>${'filler '.repeat(700_000)}lastword</p>`),
    });
    const [found] = await index.search({ query: 'part9999' });
    expect(found).toMatchObject({ path: '/many.html', metadata: { heading: 'Heading 9999' } });
    expect(await pathsOf(index, 'lastword')).toEqual(['/long.html']);
  });

  it('An index over 2 MB is divided, and a query reads a few of its files', async () => {
    const word = (seed: number) => Math.imul(seed, 2654435761).toString(36).replace('-', '');
    const pages = Array.from({ length: 300 }, (_, page) => {
      const text = Array.from({ length: 1500 }, (_, at) => word(page * 1500 + at)).join(' ');
      return [
        `p${page}.html`,
        html(`<h1>Page number${page}</h1><p>${text} unique${page}</p>`),
      ] as const;
    });
    const index = await searchIn(Object.fromEntries(pages));
    writeFileSync(file('terms-0.js'), 'gone');
    expect(await pathsOf(index, 'unique123')).toEqual(['/p123.html']);
    await expect(index.search({ query: word(1).replace(/^./, '0') })).rejects.toMatchObject({
      code: 'config',
    });
  });
});

describe('an index that is not as it should be', () => {
  const index = (change: (text: string) => string) =>
    writeFileSync(file('index.js'), change(readFileSync(file('index.js'), 'utf8')));

  test.each<[string, (text: string) => string, string]>([
    ['is cut', (text) => text.slice(0, -20), 'damaged or incomplete'],
    ['is empty', () => '', 'damaged or incomplete'],
    [
      'has another version',
      (text) => text.replace('"version":1', '"version":2'),
      'has version 2, and this search reads version 1',
    ],
    [
      'runs a script',
      () => 'globalThis.wasRun = true;docsCourierSearch({});\n',
      'damaged or incomplete',
    ],
    [
      'has fewer sections than it says',
      (text) => text.replace('"lengths":"', '"lengths":"0'),
      'damaged or incomplete',
    ],
    [
      'has a number that is too large',
      (text) => text.replace(/"pages":\[1/, '"pages":[1e300'),
      'damaged or incomplete',
    ],
    [
      'has something else as a text',
      (text) => text.replace(/"id":"\w+"/, '"id":{}'),
      'damaged or incomplete',
    ],
  ])(
    'A folder whose index %s cannot be searched, and the error says why',
    async (_, change, problem) => {
      await searchIn({ 'a.html': html('<p>word</p>') });
      index(change);
      expectError(await failureOf(open()), { code: 'config', message: problem });
      expect(Reflect.has(globalThis, 'wasRun')).toBe(false);
    },
  );

  it.each(['terms-0.js', 'texts-0.js'])('A file of another index is refused: %s', async (name) => {
    const opened = await searchIn({ 'a.html': html('<p>word</p>') });
    writeFileSync(file(name), readFileSync(file(name), 'utf8').replace(/"id":"\w+"/, '"id":"0"'));
    await expect(opened.search({ query: 'word' })).rejects.toMatchObject({ code: 'config' });
  });

  it('Postings of sections that do not exist are refused', async () => {
    const opened = await searchIn({ 'a.html': html('<p>word</p>') });
    writeFileSync(
      file('terms-0.js'),
      readFileSync(file('terms-0.js'), 'utf8').replace(/word,\w+/, 'word,zzzzzA'),
    );
    await expect(opened.search({ query: 'word' })).rejects.toMatchObject({ code: 'config' });
  });

  it('A folder without a search is an error with the inputs that add one', async () => {
    await expect(open()).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('docs-courier/search/index.js does not exist'),
      hint: { inputs: { add: 'search' } },
    });
  });
});
