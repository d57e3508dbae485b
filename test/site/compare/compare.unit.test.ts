import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BuildIds } from '../../../src/site/compare/build-ids.ts';
import { compareExports, type SiteEntries } from '../../../src/site/compare/compare.ts';
import type { PageEntry } from '../../../src/site/compare/comparison.ts';
import { compareWords } from '../../../src/site/compare/same-content.ts';
import { sketchOf } from '../../../src/site/compare/similar.ts';
import { addressOfPage } from '../../../src/site/page-names.ts';

function page(path: string, fingerprint = path, more: Partial<PageEntry> = {}): PageEntry {
  return { path, title: `Title of ${path}`, fingerprint, ...more };
}

function site(
  pages: readonly PageEntry[],
  { redirects, ...more }: { redirects?: Map<string, string>; assets?: SiteEntries['assets'] } = {},
): SiteEntries {
  return {
    pages: new Map(pages.map((one) => [one.path, one])),
    assets: [],
    ...(redirects && { redirects: (address) => redirects.get(address) }),
    ...more,
  };
}

const { signal } = new AbortController();
const compare = (from: SiteEntries, to: SiteEntries) => compareExports({ from, to, signal });

const titled = (path: string) => ({ path, title: `Title of ${path}` });

test('Pages are added, removed, changed or the same, and lists are sorted by path', async () => {
  const from = site([page('/'), page('/z'), page('/b'), page('/a', 'old')]);
  const to = site([page('/y'), page('/'), page('/c'), page('/a', 'new')]);
  expect(await compare(from, to)).toEqual({
    version: 1,
    added: [titled('/c'), titled('/y')],
    removed: [titled('/b'), titled('/z')],
    moved: [],
    changed: [titled('/a')],
    unchanged: 1,
    assets: { added: 0, removed: 0, changed: 0 },
    lost: ['/b', '/z'].map((path) => ({ ...titled(path), links: 0, linkedFrom: [] })),
    sections: [{ section: '/', pages: 4, added: 2, removed: 2, moved: 0, changed: 1 }],
  });
});

describe('a moved page', () => {
  test('A page has moved if the same content has another address', async () => {
    const changes = await compare(site([page('/old', 'x')]), site([page('/new', 'x')]));
    expect(changes).toMatchObject({
      added: [],
      removed: [],
      moved: [{ from: '/old', to: '/new', title: 'Title of /new' }],
    });
  });

  test('A page whose most similar new page belongs to another page moves to the next similar one', async () => {
    const words = (...ranges: readonly (readonly [number, number])[]) =>
      ranges.flatMap(([first, end]) =>
        Array.from({ length: end - first }, (_, at) => `word${first + at}`),
      );
    const sketched = (path: string, text: readonly string[]) =>
      page(path, path, { sketch: sketchOf(text) });
    const from = site([
      sketched('/a', words([0, 105])),
      sketched('/b', words([0, 80], [200, 220])),
    ]);
    const to = site([
      sketched('/like-a-and-b', words([0, 100])),
      sketched('/like-b', words([300, 325], [25, 80], [200, 220])),
    ]);
    const { moved } = await compare(from, to);
    expect(moved.map((one) => [one.from, one.to])).toEqual([
      ['/a', '/like-a-and-b'],
      ['/b', '/like-b'],
    ]);
  });

  test('A page has moved if only the case of its address changed', async () => {
    const changes = await compare(site([page('/Guide', 'x')]), site([page('/guide', 'x')]));
    expect(changes.moved).toEqual([{ from: '/Guide', to: '/guide', title: 'Title of /guide' }]);
  });

  test('A page has moved if its old address leads to a new page, changed or not, also through two redirects', async () => {
    const to = site([page('/new', 'y')], {
      redirects: new Map([
        ['/old', '/between'],
        ['/between', '/new'],
      ]),
    });
    const changes = await compare(site([page('/old', 'x')]), to);
    expect(changes).toMatchObject({
      added: [],
      removed: [],
      moved: [{ from: '/old', to: '/new' }],
    });
  });

  test('Pages that are all the same have not moved', async () => {
    const from = site([page('/a', 'stub'), page('/b', 'stub')]);
    const changes = await compare(from, site([page('/c', 'stub'), page('/d', 'stub')]));
    expect(changes).toMatchObject({
      moved: [],
      added: [titled('/c'), titled('/d')],
      removed: [titled('/a'), titled('/b')],
    });
  });
});

test('A removed page shows the redirect that covers it; a circular redirect covers nothing', async () => {
  const from = site([page('/'), page('/a'), page('/b')]);
  const redirects = new Map([
    ['/a', '/'],
    ['/b', '/c'],
    ['/c', '/b'],
  ]);
  expect((await compare(from, site([page('/')], { redirects }))).removed).toEqual([
    { ...titled('/a'), redirect: '/' },
    titled('/b'),
  ]);
});

test('Every page is in exactly one list, whatever two exports contain', async () => {
  const pages = fc.uniqueArray(
    fc.tuple(fc.constantFrom('/a', '/b', '/c', '/d', '/e', '/f'), fc.constantFrom('x', 'y', 'z')),
    {
      selector: ([path]) => path,
    },
  );
  await fc.assert(
    fc.asyncProperty(pages, pages, async (before, after) => {
      const changes = await compare(
        site(before.map(([path, fingerprint]) => page(path, fingerprint))),
        site(after.map(([path, fingerprint]) => page(path, fingerprint))),
      );
      const { added, removed, moved, changed, unchanged } = changes;
      expect(added.length + moved.length + changed.length + unchanged).toBe(after.length);
      expect(removed.length + moved.length + changed.length + unchanged).toBe(before.length);
    }),
  );
});

test('Assets are paired by content, then by name without the build hash', async () => {
  const from = site([], {
    assets: [
      { path: 'app.3f9a2b1c.js', content: '1' },
      { path: 'logo.png', content: '2' },
      { path: 'old.png', content: '3' },
      { path: 'copy.png', content: '2' },
    ],
  });
  const to = site([], {
    assets: [
      { path: 'app.77aa01ee.js', content: '4' },
      { path: 'brand.png', content: '2' },
      { path: 'new.png', content: '5' },
      { path: 'newer.png', content: '6' },
    ],
  });
  expect((await compare(from, to)).assets).toEqual({ added: 2, removed: 2, changed: 1 });
});

test.each([
  ['assets/app.3f9a2b1c.js', 'assets/app.*.js'],
  ['_next/chunks/7189-0a1b2c3d4e5f6071.js', '_next/chunks/7189-*.js'],
  ['main-B1kZ9xQ2.css', 'main-*.css'],
  ['3f9a2b1c4d5e.woff2', '*.woff2'],
  ['app.DErLCYkT.js', 'app.*.js'],
  ['theme.Cz-sDR0A.js', 'theme.*.js'],
  ['guide_start.md.DuH2b9qC.lean.js', 'guide_start.md.*.lean.js'],
  ['index-BWoUSMZG.js.map', 'index-*.js.map'],
  ['build/-zj9FicFFU_zRP1gdDVwc/_manifest.js', 'build/*/_manifest.js'],
  ['83afe278b6a6bb3c-s.p.woff2', '*.p.woff2'],
  ['read-settings.js', 'read-settings.js'],
  ['i18n-messages.js', 'i18n-messages.js'],
  ['ui-kit-2.css', 'ui-kit-2.css'],
  ['app.HelpPage.js', 'app.HelpPage.js'],
  ['HTMLGuide.js', 'HTMLGuide.js'],
  ['bootstrap5.css', 'bootstrap5.css'],
  ['docs2026.css', 'docs2026.css'],
  ['img/OAuth2Flow.svg', 'img/OAuth2Flow.svg'],
  ['base64decode.js', 'base64decode.js'],
  ['javascript.js', 'javascript.js'],
  ['release-20261121.zip', 'release-20261121.zip'],
  ['guide/installation.png', 'guide/installation.png'],
  ['v2.min.js', 'v2.min.js'],
  ['LICENSE', 'LICENSE'],
])('The stable name of %s is %s', (path, stable) => {
  expect(new BuildIds([path]).stable(path)).toBe(stable);
});

test('A build hash that looks like a word is known by the other names in its folder', () => {
  const names = [
    'a.BWoUSMZG.js',
    'b.DErLCYkT.js',
    'c.CpUpfeko.js',
    'd.QWZRTVXB.js',
    'read-settings.js',
  ];
  const ids = new BuildIds(names.map((name) => `assets/${name}`));
  expect(names.map((name) => ids.stable(name))).toEqual([
    'a.*.js',
    'b.*.js',
    'c.*.js',
    'd.*.js',
    'read-settings.js',
  ]);
});

test.each([
  ['index.html', '/'],
  ['guide/index.html', '/guide'],
  ['guide/start.html', '/guide/start'],
  ['a.b.html', '/a.b'],
  ['reindex.html', '/reindex'],
])('The file %s is served at %s', (file, address) => {
  expect(addressOfPage(file)).toBe(address);
});

test('Added and removed words are counted, moved ones are not', () => {
  const changes = compareWords(['one two', 'two three'], ['three two four four’s']);
  expect(changes).toEqual({ words: 4, wordsAdded: 2, wordsRemoved: 2 });
  expect(compareWords([], [])).toEqual({ words: 0, wordsAdded: 0, wordsRemoved: 0 });
});

test('A redirect to a missing page covers nothing; one to another host or to a file does', async () => {
  const from = site([page('/a'), page('/b'), page('/c')]);
  const redirects = new Map([
    ['/a', '/nowhere'],
    ['/b', 'https://example.com/b'],
    ['/c', '/files/c.pdf'],
  ]);
  const to = site([page('/')], { redirects, assets: [{ path: 'files/c.pdf', content: '1' }] });
  expect((await compare(from, to)).removed).toEqual([
    titled('/a'),
    { ...titled('/b'), redirect: 'https://example.com/b' },
    { ...titled('/c'), redirect: '/files/c.pdf' },
  ]);
});

test('If two addresses lead to one new page, the page has moved from the first', async () => {
  const to = site([page('/new', 'n')], {
    redirects: new Map([
      ['/b', '/new'],
      ['/a', '/new/'],
    ]),
  });
  expect(await compare(site([page('/b'), page('/a')]), to)).toMatchObject({
    moved: [{ from: '/a', to: '/new' }],
    removed: [{ ...titled('/b'), redirect: '/new' }],
  });
});

test('A comparison of many moved pages ends as soon as the run is cancelled', async () => {
  const controller = new AbortController();
  const sketch = Uint32Array.from({ length: 256 }, (_, at) => at * 7);
  const pages = (folder: string) =>
    Array.from({ length: 500 }, (_, at) => page(`/${folder}/${at}`, `${folder}${at}`, { sketch }));
  const compared = compareExports({
    from: site(pages('old')),
    to: site(pages('new')),
    signal: controller.signal,
  });
  setImmediate(() => controller.abort());
  await expect(compared).rejects.toMatchObject({ code: 'cancelled' });
});
