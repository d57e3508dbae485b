import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeComparedSite } from '../../src/site/compare/compared-site.ts';
import { type Comparison, isUnchanged } from '../../src/site/compare/comparison.ts';
import { fingerprintReader, fingerprintSite } from '../../src/site/compare/fingerprint.ts';
import { SiteComparison } from '../../src/site/compare/site-comparison.ts';
import { readPages, verifySite } from '../../src/site/verify/verify-site.ts';

type Files = Readonly<Record<string, string>>;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'courier-compare-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const { signal } = new AbortController();

function unpack(files: Files) {
  const folder = mkdtempSync(join(root, 'site-'));
  const archive = Object.entries(files).map(([path, text]) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return {
      path,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    };
  });
  return { folder, archive };
}

interface Options {
  readonly verifies?: boolean;
  readonly byHashes?: boolean;
}

async function compare(
  before: Files,
  after: Files,
  { verifies = true, byHashes = false }: Options = {},
) {
  const [old, now] = [unpack(before), unpack(after)];
  const from = makeComparedSite('one', old.archive, byHashes ? undefined : old.folder);
  const to = makeComparedSite('two', now.archive, now.folder);
  const comparison = new SiteComparison({
    from,
    to,
    redact: (text) => text.replaceAll('hunter2', '***'),
  });
  const site = { root: to.root ?? '', files: to.paths, basePath: undefined, signal };
  if (verifies) {
    await verifySite({
      ...site,
      pageCount: undefined,
      isAirGapped: false,
      runnerTemp: root,
      readers: [comparison],
    });
  } else await readPages(site, [comparison]);
  return comparison.finish(signal);
}

const page = (title: string, body: string, build = '3f9a2b1c') =>
  `<!doctype html><title>${title} · Docs</title><script src="/app.${build}.js"></script><nav><a href="/guide/gone">Menu</a></nav>
<main><h1>${title}</h1>${body}</main><footer>Built by ${build}</footer>`;

const BEFORE: Files = {
  'index.html': page('Home', '<p>Welcome.</p><a href="guide/gone">gone</a>'),
  'guide/start.html': page(
    'Start',
    '<p>Make a token.</p><h2>Expiry</h2><p>It expires after a day.</p>',
  ),
  'guide/gone.html': page('Gone', '<p>Old text.</p>'),
  'guide/stub.html': page('Stub', '<p>Stub text.</p>'),
  'guide/old-name.html': page('Name', '<p>The same text.</p>'),
  'api/index.html': page('API', '<p>All calls.</p>'),
  'app.3f9a2b1c.js': 'app',
  'logo.png': 'png',
};
const AFTER: Files = {
  'index.html': page('Home', '<p>Welcome.</p><a href="guide/gone">gone</a>', '77aa01ee'),
  'guide/start.html': page(
    'Start',
    '<p>Make a token.</p><h2>Life</h2><p>It expires after an hour hunter2.</p>',
    '77aa01ee',
  ),
  'guide/new-name.html': page('Name', '<p>The same text.</p>', '77aa01ee'),
  'guide/stub.html': '<meta http-equiv="refresh" content="0; url=start">',
  'api/index.html': BEFORE['api/index.html'] ?? '',
  'more/added.html': page('Added', '<p>New.</p>'),
  'app.77aa01ee.js': 'app',
  'logo.png': 'png',
};

test.each([{ verifies: true }, { verifies: false }])(
  'Two exports are compared page by page with the options %o',
  async (options) => {
    expect(await compare(BEFORE, AFTER, options)).toEqual({
      version: 1,
      from: { jobId: 'one', pages: 6, files: 8, bytes: expect.any(Number) },
      to: { jobId: 'two', pages: 6, files: 8, bytes: expect.any(Number) },
      basis: 'content',
      added: [{ path: '/more/added', title: 'Added' }],
      removed: [
        { path: '/guide/gone', title: 'Gone' },
        { path: '/guide/stub', title: 'Stub', redirect: '/guide/start' },
      ],
      moved: [{ from: '/guide/old-name', to: '/guide/new-name', title: 'Name' }],
      changed: [
        {
          path: '/guide/start',
          title: 'Start',
          words: 11,
          wordsAdded: 4,
          wordsRemoved: 3,
          headings: { added: ['Life'], removed: ['Expiry'] },
          excerpts: [
            { before: 'Expiry', after: 'Life' },
            { before: 'It expires after a day.', after: 'It expires after an hour ***.' },
          ],
        },
      ],
      unchanged: 2,
      // A page became a redirect.
      assets: { added: 1, removed: 0, changed: 0 },
      lost: [
        {
          path: '/guide/gone',
          title: 'Gone',
          links: 5,
          linkedFrom: ['/', '/api', '/guide/new-name', '/guide/start', '/more/added'],
        },
        {
          path: '/guide/old-name',
          title: 'Name',
          movedTo: '/guide/new-name',
          links: 0,
          linkedFrom: [],
        },
        { path: '/guide/stub', title: 'Stub', redirect: '/guide/start', links: 0, linkedFrom: [] },
      ],
      sections: [
        { section: '/guide', pages: 3, added: 0, removed: 2, moved: 1, changed: 1 },
        { section: '/more', pages: 1, added: 1, removed: 0, moved: 0, changed: 0 },
        { section: '/', pages: 2, added: 0, removed: 0, moved: 0, changed: 0 },
      ],
    } satisfies Comparison);
  },
);

test('An export that is compared with itself has no change, and none of its pages is read', async () => {
  const comparison = await compare(BEFORE, BEFORE, { verifies: false });
  expect(comparison).toMatchObject({
    added: [],
    removed: [],
    moved: [],
    changed: [],
    lost: [],
    unchanged: 6,
  });
});

test('Compared with a manifest, every page with another file has changed, without a count of words', async () => {
  const comparison = await compare(BEFORE, AFTER, { byHashes: true });
  expect(comparison).toMatchObject({
    basis: 'hashes',
    changed: [
      { path: '/', title: 'Home' },
      { path: '/guide/start', title: 'Start' },
    ],
    removed: [
      { path: '/guide/gone', title: '/guide/gone' },
      { path: '/guide/old-name' },
      { path: '/guide/stub' },
    ],
    unchanged: 1,
  });
  expect(
    comparison.changed.every(
      ({ words, excerpts }) => words === undefined && excerpts === undefined,
    ),
  ).toBe(true);
});

test('A redirect rule of the bundle covers an address, also through two rules', async () => {
  const rules = '/guide/gone /between\n/between /guide/:x\n/between /api 301\n';
  const comparison = await compare(BEFORE, { ...AFTER, _redirects: rules });
  expect(comparison.removed).toMatchObject([
    { path: '/guide/gone' },
    { path: '/guide/stub', redirect: '/guide/start' },
  ]);
  const better = await compare(BEFORE, {
    ...AFTER,
    _redirects: '/guide/gone /between\n/between /api/\n',
  });
  expect(better.removed[0]).toEqual({ path: '/guide/gone', title: 'Gone', redirect: '/api' });
  expect(better.lost[0]).toMatchObject({ path: '/guide/gone', redirect: '/api', links: 5 });
});

test('A page that is in the archive twice, as a file and as a folder, is two pages', async () => {
  const twice = { 'index.html': 'a', 'guide.html': '<p>one', 'guide/index.html': '<p>two' };
  const comparison = await compare(twice, { ...twice, 'guide/index.html': '<p>three' });
  expect(comparison.changed).toMatchObject([{ path: '/guide/index.html' }]);
  expect(comparison).toMatchObject({ unchanged: 2, from: { pages: 3 } });
});

test('Two pages with names that differ only in case are two pages', async () => {
  const both = { 'index.html': '<p>a', 'Guide.html': '<p>one', 'guide.html': '<p>two' };
  const comparison = await compare(both, { 'index.html': '<p>a', 'guide.html': '<p>two' });
  expect(comparison).toMatchObject({ removed: [{ path: '/Guide' }], unchanged: 2 });
});

test('A page whose content comes behind it has changed if that was rewritten, with its words and headings', async () => {
  const streamed = (heading: string, text: string) => ({
    'index.html': `<header>Site</header><main><!--$?--><template id="B:0"></template><p>Loading</p><!--/$--></main><footer>F</footer><div hidden id="S:0"><h1>${heading}</h1><p>${text}</p></div><script>$RC("B:0","S:0")</script>`,
  });
  const [before, after] = [streamed('Rotate', 'ninety days'), streamed('Revoke', 'thirty days')];
  expect(await compare(before, after)).toMatchObject({
    changed: [
      {
        path: '/',
        title: 'Revoke',
        words: 3,
        wordsAdded: 2,
        headings: { added: ['Revoke'], removed: ['Rotate'] },
      },
    ],
  });
  expect(await fingerprint(before)).not.toBe(await fingerprint(after));
});

test('A page without text is unchanged if the menu and the text around its content changed', async () => {
  const shell = (topic: string) => ({
    'search.html': `<div role="navigation"><p>${topic}s</p><ul><li><a href="${topic}.html">${topic}</a></ul></div><main><div id="results"></div></main><script src="/a.js"></script>`,
  });
  expect(isUnchanged(await compare(shell('key'), shell('token')))).toBe(true);
  expect(await fingerprint(shell('key'))).toBe(await fingerprint(shell('token')));
});

test('A page that only a script fills is compared by its file', async () => {
  const shell = (data: string) => ({
    'index.html': `<div id="app"></div><script>show(${data})</script>`,
  });
  expect(await compare(shell('1'), shell('2'))).toMatchObject({
    changed: [{ path: '/', wordsAdded: 0 }],
  });
});

test.each([
  [
    'the build hash of its script',
    '<script src="/app.3f9a2b1c.js"></script>',
    '<script src="/app.77aa01ee.js"></script>',
    0,
  ],
  [
    'a hash in its script',
    '<script>load("a.0a1b2c3d.js")</script>',
    '<script>load("a.4e5f6a7b.js")</script>',
    0,
  ],
  ['the date in its footer', '<footer>1 May</footer>', '<footer>2 May</footer>', 0],
  ['the data of its script', '<script>show(1)</script>', '<script>show(2)</script>', 1],
  [
    'the address of its data',
    '<script data-from="/v1"></script>',
    '<script data-from="/v2"></script>',
    1,
  ],
  [
    'a date in the name of its script',
    '<script src="/a-20260101.js">',
    '<script src="/a-20260102.js">',
    1,
  ],
])(
  'A page without text that differs in %s has the change that it has by its file',
  async (_, one, other, count) => {
    const files = (script: string) => ({
      'index.html': `<body><div id="app"></div>${script}</body>`,
    });
    const [before, after] = [files(one), files(other)];
    expect((await compare(before, after)).changed).toHaveLength(count);
    expect((await fingerprint(before)) === (await fingerprint(after))).toBe(count === 0);
  },
);

test('A page that is too large to be read is compared by its file', async () => {
  const large = (text: string) => ({
    'index.html': page('Home', '<p>Same'),
    'all.html': `<p>${text.repeat(5_000_000)}`,
  });
  expect(await compare(large('a '), large('b '))).toMatchObject({
    changed: [{ path: '/all' }],
    unchanged: 1,
  });
});

test('The archive can contain the site in a folder', async () => {
  const inFolder = Object.fromEntries(
    Object.entries(AFTER).map(([path, text]) => [`site/${path}`, text]),
  );
  const comparison = await compare(BEFORE, inFolder);
  expect(comparison.added).toEqual([{ path: '/more/added', title: 'Added' }]);
});

const sentences = (topic: string, from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, at) =>
      `<p>Sentence ${from + at} says about ${topic} what number ${(from + at) * 7} of the list means.</p>`,
  ).join('');

test('A page with another address and slightly other text has moved and changed, and is not removed', async () => {
  const before = {
    'index.html': page('Home', '<p>Welcome.</p>'),
    'guide/tokens.html': page('Tokens', sentences('tokens', 0, 20)),
    'guide/proxies.html': page('Proxies', sentences('proxies', 0, 20)),
  };
  const after = {
    'index.html': page('Home', '<p>Welcome.</p>'),
    'security/keys.html': page('Keys', `${sentences('tokens', 0, 18)}<p>The end is new.</p>`),
    'guide/mirrors.html': page('Mirrors', sentences('mirrors', 40, 60)),
  };
  const found = await compare(before, after);
  expect(found.moved).toEqual([
    {
      from: '/guide/tokens',
      to: '/security/keys',
      title: 'Keys',
      similarity: expect.closeTo(0.85, 1),
    },
  ]);
  expect(found.changed).toMatchObject([
    {
      path: '/security/keys',
      movedFrom: '/guide/tokens',
      headings: { added: ['Keys'], removed: ['Tokens'] },
    },
  ]);
  expect(found.changed[0]?.excerpts?.length).toBeGreaterThan(0);
  expect(found.removed.map(({ path }) => path)).toEqual(['/guide/proxies']);
  expect(found.added.map(({ path }) => path)).toEqual(['/guide/mirrors']);
  expect(found.lost).toMatchObject([
    { path: '/guide/proxies' },
    { path: '/guide/tokens', movedTo: '/security/keys' },
  ]);
});

test('Of two pages that are similar to one, the more similar one has moved', async () => {
  const before = {
    'a.html': page('A', sentences('x', 0, 20)),
    'b.html': page('B', sentences('x', 4, 20)),
  };
  const found = await compare(before, { 'c.html': page('C', sentences('x', 0, 19)) });
  expect(found.moved.map(({ from, to }) => [from, to])).toEqual([['/a', '/c']]);
  expect(found.removed.map(({ path }) => path)).toEqual(['/b']);
});

async function fingerprint(
  files: Files,
  { inFolder = '', knowsHashes = true } = {},
): Promise<string> {
  const { folder, archive } = unpack(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${inFolder}${path}`, text])),
  );
  const known = archive.map((file) => ({ ...file, sha256: knowsHashes ? file.sha256 : undefined }));
  return fingerprintSite(makeComparedSite('one', known, folder), signal);
}

/**
 * The fingerprint of a site whose pages were read in the pass of its verification, and are gone
 * since.
 */
async function fingerprintInPass(files: Files): Promise<string> {
  const { folder, archive } = unpack(files);
  const site = makeComparedSite('one', archive, folder);
  const readers = [fingerprintReader(site)];
  const init = { root: folder, files: site.paths, basePath: undefined, signal, readers };
  await verifySite({ ...init, pageCount: undefined, isAirGapped: false, runnerTemp: root });
  for (const { path } of site.pages.values()) rmSync(join(folder, path));
  return fingerprintSite(site, signal);
}

const BUILDS: readonly (readonly [what: string, before: Files, after: Files])[] = [
  [
    'a build hash in every page',
    { 'index.html': page('A', 'a') },
    { 'index.html': page('A', 'a', '77aa01ee') },
  ],
  [
    'the page for unknown addresses, with a build hash',
    { '404.html': page('Gone', 'a') },
    { '404.html': page('Gone', 'a', '77aa01ee') },
  ],
  [
    'the dates of a sitemap',
    { 'sitemap.xml': '<urlset><url><loc>/a</loc><lastmod>2026-11-21</lastmod></url></urlset>' },
    { 'sitemap.xml': '<urlset><url><loc>/a</loc><lastmod>2026-11-22</lastmod></url></urlset>' },
  ],
  [
    'the dates of a sitemap in CDATA',
    {
      'sitemap.xml':
        '<urlset><url><loc>/a</loc><lastmod> <![CDATA[2026-11-21]]> </lastmod></url></urlset>',
    },
    {
      'sitemap.xml':
        '<urlset><url><loc>/a</loc><lastmod> <![CDATA[2026-11-22]]> </lastmod></url></urlset>',
    },
  ],
  [
    'the dates of a sitemap whose names have a prefix',
    {
      'sitemap.xml':
        '<sm:urlset><sm:url><sm:loc>/a</sm:loc><sm:lastmod>2026-11-21</sm:lastmod></sm:url></sm:urlset>',
    },
    {
      'sitemap.xml':
        '<sm:urlset><sm:url><sm:loc>/a</sm:loc><sm:lastmod>2026-11-22</sm:lastmod></sm:url></sm:urlset>',
    },
  ],
  [
    'the time at which a feed with a prefix was built, in CDATA',
    { 'feed.xml': '<a:feed><a:updated><![CDATA[1]]></a:updated><a:entry/></a:feed>' },
    { 'feed.xml': '<a:feed><a:updated><![CDATA[2]]></a:updated><a:entry/></a:feed>' },
  ],
  [
    'the time at which a feed was built',
    { 'rss.xml': '<rss><lastBuildDate>1</lastBuildDate><item><pubDate>1</pubDate></item></rss>' },
    { 'rss.xml': '<rss><lastBuildDate>2</lastBuildDate><item><pubDate>1</pubDate></item></rss>' },
  ],
  [
    'the names of other files in a script',
    { 'app.3f9a2b1c.js': 'import("./chunk.3f9a2b1c.js")', 'chunk.3f9a2b1c.js': 'x' },
    { 'app.77aa01ee.js': 'import("./chunk.77aa01ee.js")', 'chunk.77aa01ee.js': 'x' },
  ],
  // As Next.js 16.4.6, VitePress 1.6.4, Sphinx 9.0.4 and Docusaurus 3.10.2 write them.
  [
    'the id of the build in its payloads',
    nextBuild('R9j2q9hZM0jdEuZUSuKCH'),
    nextBuild('-zj9FicFFU_zRP1gdDVw'),
  ],
  [
    'the id of the deployment',
    deployment('dpl_7692c3ad3540bb803c020b3a', '3flg_andgipxu'),
    deployment('dpl_1f0be2a7c4d84f6691a5e02d', '0_q1rlizddxxd'),
  ],
  [
    'names in a map of a script',
    vitepress('BWoUSMZG', 'CI6_9sui'),
    vitepress('Cz-sDR0A', 'DnFaogEy'),
  ],
  [
    'the sum of a file in its query',
    { 'a.css': '@import "b.css?v=4f649999"' },
    { 'a.css': '@import "b.css?v=eafc0fe6"' },
  ],
  [
    'hashes apart from the names',
    { 'js/1b0e.9f8e7d6c.js': 'x', 'main.0a1b2c3d.js': '({"1b0e":"9f8e7d6c"})[id] + ".js"' },
    { 'js/1b0e.4e5f6a7b.js': 'x', 'main.c2d3e4f5.js': '({"1b0e":"4e5f6a7b"})[id] + ".js"' },
  ],
];

function nextBuild(id: string): Files {
  return {
    'index.html': page('A', 'a'),
    'index.txt': `0:{"P":null,"b":"${id}","c":["",""]}\n`,
    [`_next/static/${id}/_buildManifest.js`]: 'self.__BUILD_MANIFEST={}',
  };
}

/** The script of the page contains the id, and so has another hash in its name. */
function deployment(id: string, script: string): Files {
  const address = (name: string) => `/_next/static/chunks/${name}.js?dpl=${id}`;
  const loaded = ['08mika-44sn50', '1wnov70f88xjy', '310vm2bl3xxpt', script];
  return {
    'index.html': `${page('A', 'a')}${loaded.map((name) => `<script src="${address(name)}"></script>`).join('')}`,
    'index.txt': `1:"${address(script)}"\n`,
    ...Object.fromEntries(
      loaded.map((name) => [
        `_next/static/chunks/${name}.js`,
        name === script ? `d="${id}"` : name,
      ]),
    ),
  };
}

function vitepress(guide: string, start: string): Files {
  const map = JSON.stringify({ 'guide_install.md': guide, 'index.md': start });
  return {
    'index.html': '<div id="app"></div><script src="/assets/app.B1kZ9xQ2.js"></script>',
    'hashmap.json': map,
    [`assets/guide_install.md.${guide}.js`]: 'guide',
    [`assets/index.md.${start}.lean.js`]: 'start',
    'assets/app.B1kZ9xQ2.js': `JSON.parse(${JSON.stringify(map)})`,
  };
}

test.each(BUILDS)(
  'Two exports have the same content and the same fingerprint if they differ in %s',
  async (_, before, after) => {
    expect(isUnchanged(await compare(before, after))).toBe(true);
    expect(await fingerprint(after)).toBe(await fingerprint(before));
  },
);

test.each<readonly [what: string, before: Files, after: Files]>([
  ['a word of a page', { 'a.html': page('A', 'a') }, { 'a.html': page('A', 'b') }],
  [
    'an address of a sitemap with a prefix',
    { 'sitemap.xml': '<sm:urlset><sm:url><sm:loc>/a</sm:loc></sm:url></sm:urlset>' },
    { 'sitemap.xml': '<sm:urlset><sm:url><sm:loc>/b</sm:loc></sm:url></sm:urlset>' },
  ],
  ['the address of a page', { 'a.html': page('A', 'a') }, { 'b.html': page('A', 'a') }],
  [
    'where a redirect leads',
    { 'a.html': '<meta http-equiv="refresh" content="0; url=/b">' },
    { 'a.html': '<meta http-equiv="refresh" content="0; url=/c">' },
  ],
  ['a redirect more', {}, { 'a.html': '<meta http-equiv="refresh" content="0; url=/b">' }],
  [
    'a version in a text',
    { 'a.txt': 'Version 1.2.3', 'app.3f9a2b1c.js': 'x' },
    { 'a.txt': 'Version 1.2.4', 'app.3f9a2b1c.js': 'x' },
  ],
  ['the sum of a file in a text', { 'a.txt': '9a9c897c0d1e2f3a' }, { 'a.txt': '0d1e2f3a9a9c897c' }],
  [
    'a word of eight letters in a text',
    { 'a.json': '"settings"', 'read-settings.js': 'x' },
    { 'a.json': '"tutorial"', 'read-settings.js': 'x' },
  ],
  [
    'the sum of a commit in a page that is in an address of a page',
    { 'a.html': page('A', '9a9c897c0d'), '9a9c897c0d/index.html': page('B', 'b') },
    { 'a.html': page('A', '0d9a9c897c'), '0d9a9c897c/index.html': page('B', 'b') },
  ],
  ['a word of a script', { 'app.3f9a2b1c.js': 'x' }, { 'app.77aa01ee.js': 'y' }],
  [
    'a word of the page for unknown addresses',
    { '404.html': page('A', 'a') },
    { '404.html': page('A', 'b') },
  ],
  [
    'the date of an article in a feed',
    { 'rss.xml': '<rss><item><pubDate>1</pubDate></item></rss>' },
    { 'rss.xml': '<rss><item><pubDate>2</pubDate></item></rss>' },
  ],
  ['a copy of a file', { 'a.png': 'x' }, { 'a.png': 'x', 'b.png': 'x' }],
])(
  'Two exports have different content and fingerprints if they differ in %s',
  async (_, before, after) => {
    expect(isUnchanged(await compare(before, after))).toBe(false);
    expect(await fingerprint(after)).not.toBe(await fingerprint(before));
  },
);

test('The fingerprint does not depend on the folder of the archive, the order of the files, or known hashes', async () => {
  const site = await fingerprint(AFTER);
  const reversed = Object.fromEntries(Object.entries(AFTER).reverse());
  expect(site).toMatch(/^[0-9a-f]{64}$/);
  expect(await fingerprint(AFTER, { inFolder: 'site/' })).toBe(site);
  expect(await fingerprint(reversed, { knowsHashes: false })).toBe(site);
});

test('A file that is one long word is compared as well', async () => {
  const before = { 'a.txt': `x.3f9a2b1c.js ${'a1-a1.'.repeat(1_300_000)}` };
  expect(
    isUnchanged(
      await compare(before, { 'a.txt': before['a.txt'].replace('3f9a2b1c', '77aa01ee') }),
    ),
  ).toBe(true);
});

// Reading all of it would take an hour. Windows would write it.
const ENDLESS_BYTES = 2 ** 40;

test.skipIf(process.platform === 'win32')(
  'A run that is cancelled while a large file is hashed for the fingerprint does not read the rest of it',
  async () => {
    const { folder, archive } = unpack({ 'video.bin': '' });
    truncateSync(join(folder, 'video.bin'), ENDLESS_BYTES);
    const files = archive.map((file) => ({ ...file, bytes: ENDLESS_BYTES, sha256: undefined }));
    const cancel = new AbortController();
    const made = fingerprintSite(makeComparedSite('one', files, folder), cancel.signal);
    setImmediate(() => cancel.abort('SIGTERM'));
    await expect(made).rejects.toMatchObject({ code: 'cancelled' });
  },
);
test.each([
  ['pages and other files', AFTER],
  [
    'a redirect',
    { 'index.html': '<p>a</p>', 'old.html': '<meta http-equiv="refresh" content="0; url=/new">' },
  ],
  ['a page without text', { 'index.html': '<div id="app"></div><script>one()</script>' }],
  ['a page for errors', { 'index.html': '<p>a</p>', '404.html': '<p>Not found</p>' }],
])(
  'A site with %s has the same fingerprint if its pages were read while they were verified',
  async (_, files) => {
    expect(await fingerprintInPass(files)).toBe(await fingerprint(files));
  },
);

test('Two exports have the same fingerprint exactly if their comparison finds no change', async () => {
  const builds = fc.constantFrom('3f9a2b1c', '77aa01ee');
  const words = fc.constantFrom('one', 'two');
  const pageText = fc
    .tuple(fc.nat(8), words, builds)
    .map(
      ([kind, word, build]) =>
        [
          page('A', word, build),
          page('A', `<p hidden>${build}</p>${word}`),
          `<meta http-equiv="refresh" content="0; url=/${word}">`,
          `<div id="app"></div><script>${word}</script>`,
          `<main><p>${word}</p><p>Last updated on 2026-11-2${build.length}, 1${build.at(0)}:02</p></main>`,
          '',
          page('A', word, build).replace('<script', '<script async'),
          `<main><nav><p>a</p></nav><div id="app"></div></main><script>${word}</script>`,
          `<main><div hidden><p>${word}</p></div></main><script src="${build}.js"></script>`,
        ][kind] ?? '',
    );
  const pages = fc.dictionary(
    fc.constantFrom(
      'index.html',
      'a.html',
      'a/index.html',
      'b.html',
      'b.htm',
      'B.html',
      '404.html',
    ),
    pageText,
    { maxKeys: 4 },
  );
  const assetText = fc
    .tuple(fc.nat(4), words, builds)
    .map(
      ([kind, word, build]) =>
        [
          word,
          `load("app.${build}.js"); ${word}`,
          `<urlset><lastmod>${build}</lastmod><loc>${word}</loc></urlset>`,
          `<!doctype html>${page('A', word, build)}`,
          `<feed><updated>${build}</updated><entry><updated>${word}</updated></entry></feed>`,
        ][kind] ?? '',
    );
  const assets = fc.dictionary(
    fc.constantFrom(
      'app.3f9a2b1c.js',
      'app.77aa01ee.js',
      'sitemap.xml',
      'x.png',
      'y.txt',
      '_redirects',
    ),
    assetText,
    { maxKeys: 3 },
  );
  const site = fc.tuple(pages, assets).map(([some, others]): Files => ({ ...some, ...others }));
  // Most of both is the same: else nearly every pair would differ.
  const pairs = fc
    .tuple(site, site, fc.nat(3))
    .map(([before, other, count]): readonly [Files, Files] => {
      const changes = Object.entries(other).slice(0, count);
      return [before, { ...before, ...Object.fromEntries(changes) }];
    });
  const seen = { same: 0, different: 0 };
  await fc.assert(
    fc.asyncProperty(pairs, async ([before, after]) => {
      const comparison = await compare(before, after, { verifies: false });
      const isEqual = (await fingerprint(before)) === (await fingerprint(after));
      seen[isEqual ? 'same' : 'different'] += 1;
      expect(isEqual, JSON.stringify(comparison)).toBe(isUnchanged(comparison));
    }),
    { numRuns: 300 },
  );
  expect(Math.min(seen.same, seen.different)).toBeGreaterThan(30);
});
