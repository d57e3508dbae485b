import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Inspected } from '../../src/site/receive.ts';
import { type BundleFacts, bundleSections } from '../../src/site/summary.ts';
import { verifySite } from '../../src/site/verify/verify-site.ts';
import { startBundleServer } from '../support/bundle-server.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';
import { tarGz } from './archives.ts';
import { BREAKAGES, type Breakage, CLEAN_SITE } from './site.ts';

interface Options {
  readonly isAirGapped?: boolean;
  readonly pageCount?: number;
  readonly basePath?: string | undefined;
  readonly livePath?: string;
  readonly liveUrl?: string;
  readonly isStrict?: boolean;
}

/** Verifies the files in folders of their own; `report` is undefined without a finding. */
async function verify(files: Readonly<Record<string, string>>, options: Options = {}) {
  await using world = await startWorld(NO_SERVERS);
  for (const [path, content] of Object.entries(files)) world.write(path, content);
  const { verification, reportPath } = await verifySite({
    root: world.workspace,
    files: Object.keys(files),
    pageCount: options.pageCount,
    basePath: options.basePath,
    liveUrl: options.liveUrl ?? (options.livePath && `https://docs.example.com${options.livePath}`),
    isAirGapped: options.isAirGapped ?? true,
    isStrict: options.isStrict,
    runnerTemp: world.runnerTemp,
    signal: new AbortController().signal,
  });
  const report = reportPath && JSON.parse(readFileSync(reportPath, 'utf8'));
  return { verification, report, temporary: readdirSync(world.runnerTemp) };
}

function breakSite({ add, remove, files }: Breakage): Record<string, string> {
  const site: Record<string, string> = { ...CLEAN_SITE, ...files };
  if (add !== undefined) site['index.html'] = `${site['index.html']}${add}`;
  return Object.fromEntries(Object.entries(site).filter(([path]) => path !== remove));
}

test('An intact site has no finding', async () => {
  const { verification, report, temporary } = await verify(CLEAN_SITE, { pageCount: 4 });
  // A file without a finding would only be one more to remove.
  expect(report).toBeUndefined();
  expect(temporary).toEqual([]);
  expect(verification).toMatchObject({ pages: 4, errors: 0, warnings: 0, notes: 0 });
  expect(verification.references).toBeGreaterThan(40);
});

describe('a site that is broken', () => {
  test.each(BREAKAGES)('A site with $name has the finding $kind', async (breakage) => {
    const { verification, report } = await verify(breakSite(breakage));
    const { findings } = report;
    expect(findings.map(({ kind }: { kind: string }) => kind)).toContain(breakage.kind);
    expect(verification.first.length).toBeGreaterThan(0);
    // Nothing else is broken, so there must be no other finding.
    expect(new Set(findings.map(({ kind }: { kind: string }) => kind)).size).toBeLessThanOrEqual(
      breakage.remove ? 3 : 1,
    );
  });
});

test.each([
  ['/ /guide/', true],
  ['/index.html /guide/index.html 301!', true],
  ['/* /guide/:splat', true],
  ['/ /gone', false],
  ['/ https://www.example.com/start', false],
  ['/start /guide/', false],
])('The rule %s is an entry page: %s', async (rule, isEntry) => {
  const files = { 'guide/index.html': '<p>Guide</p>', _redirects: rule };
  const { verification } = await verify(files);
  const kinds = verification.first.map(({ kind }) => kind);
  expect(kinds.includes('no-entry-page')).toBe(!isEntry);
});

test('A fragment after a query alone is looked for in the page with the link', async () => {
  const link = '<a href="?v=2#here">here</a>';
  const pages = { 'x.html': `<p id="here">${link}</p>`, 'y.html': link };
  const { report } = await verify({ ...CLEAN_SITE, ...pages });
  expect(report.findings).toMatchObject([{ kind: 'missing-fragment', page: 'y.html' }]);
});

test('Loading from other hosts is an error only for an air-gapped deployment', async () => {
  const site = { ...CLEAN_SITE, 'x.html': '<img src="https://cdn.example.net/x.png">' };
  expect((await verify(site, { isAirGapped: true })).verification).toMatchObject({
    errors: 1,
    warnings: 0,
  });
  expect((await verify(site, { isAirGapped: false })).verification).toMatchObject({
    errors: 0,
    warnings: 1,
  });
});

describe('everything that loads from another host', () => {
  const url = 'https://cdn.example.net/x';
  const frame = (html: string) => `data:text/html,${encodeURIComponent(html)}`;
  test.each([
    ...[
      'img src',
      'img srcset',
      'iframe src',
      'frame src',
      'fencedframe src',
      'portal src',
      'embed src',
      'bgsound src',
    ],
    ...[
      'object data',
      'object classid',
      'object archive',
      'applet code',
      'applet codebase',
      'video src',
      'video poster',
    ],
    ...[
      'audio src',
      'source src',
      'source srcset',
      'track src',
      'input src',
      'body background',
      'tr background',
    ],
    ...[
      'html manifest',
      'script src',
      'script href',
      'image href',
      'image src',
      'image xlink:href',
      'use href',
    ],
    ...[
      'feImage href',
      'pattern href',
      'linearGradient xlink:href',
      'textPath href',
      'a ping',
      'area ping',
    ],
    ...['img attributionsrc', 'a attributionsrc', 'script attributionsrc', 'base href'],
    ...['set attributeName=href to', 'animate attributeName=xlink:href values'],
  ])('The element and attribute %s is an error of an air-gapped site', async (attribute) => {
    await expectError(`<${attribute}="${url}">`);
  });

  test.each([
    ...[
      'stylesheet',
      'alternate stylesheet',
      'icon',
      'shortcut icon',
      'apple-touch-icon',
      'mask-icon',
      'manifest',
      'preload',
    ],
    ...[
      'modulepreload',
      'prefetch',
      'prerender',
      'preconnect',
      'dns-prefetch',
      'search',
      'compression-dictionary',
    ],
  ])('A link with the relation %s is an error of an air-gapped site', async (relation) => {
    await expectError(`<link rel="${relation}" href="${url}">`);
  });

  test.each([
    ...[
      'fill',
      'stroke',
      'filter',
      'clip-path',
      'mask',
      'marker',
      'marker-start',
      'marker-mid',
      'marker-end',
      'cursor',
    ],
    ...['style'],
  ])('The attribute %s of SVG is an error of an air-gapped site', async (name) => {
    await expectError(
      `<svg><path ${name}="${name === 'style' ? 'mask:' : ''}url('${url}#a')"/></svg>`,
    );
  });

  test.each([
    `<iframe srcdoc="<img src='${url}'>"></iframe>`,
    `<iframe srcdoc="&lt;base href='https://cdn.example.net/'&gt;&lt;img src=x&gt;"></iframe>`,
    `<iframe src="${frame(`<img src="${url}">`)}"></iframe>`,
    `<iframe src="${frame(`<iframe src="${frame(`<script src="${url}"></script>`)}">`)}"></iframe>`,
    `<iframe src="javascript:fetch('${url}')"></iframe>`,
    `<object data="data:image/svg+xml;base64,${Buffer.from(`<svg><image href="${url}"/></svg>`).toString('base64')}">`,
    `<link rel="stylesheet" href="data:text/css,@import '${url}'">`,
    `<script src="data:text/javascript,import('${url}')"></script>`,
    `<img src="x.png" onerror="fetch('${url}')">`,
    `<button onclick="location.href = '/a'; fetch('${url}')">A</button>`,
    `<body onload="location.href = '${url}'">`,
    `<script>location.href = "${url}"</script>`,
    `<script>link.onclick = () => { link.href = "${url}" }</script>`,
    `<body onload='new Image().src = "${url}"'>`,
    `<script type="speculationrules">{"prefetch": [{"urls": ["/a", "${url}"]}]}</script>`,
    `<script type="importmap">{"imports": {"a": "${url}"}}</script>`,
    `<template shadowrootmode="open"><img src="${url}"></template>`,
    `<noscript><img src="${url}"></noscript>`,
    `<link rel="preload" as="image" imagesrcset="${url} 2x">`,
    `<meta http-equiv="refresh" content="5; url=${url}">`,
    `<style>@import "${url}";</style>`,
    `<style>@\\69mport "${url}";</style>`,
    `<style>a { background: u\\72l(${url}) }</style>`,
    `<style>a { background: image-set("${url}" 2x) }</style>`,
    `<style>a { background: cross-fade(url(${url}), red) }</style>`,
    `<style>@font-face { src: url(${url}) }</style>`,
    `<svg><animate attributeName="fill" values="red;url(${url})"/></svg>`,
    `<?xml-stylesheet type="text/css" href="${url}"?>`,
  ])('This is an error of an air-gapped site: %s', async (html) => {
    await expectError(html);
  });

  test('A web app manifest is an error of an air-gapped site if an icon of a shortcut is elsewhere', async () => {
    const shortcuts = [{ name: 'a', url: '/', icons: [{ src: url }] }];
    await expectError('', { 'app.webmanifest': JSON.stringify({ shortcuts }) });
  });

  test('An SVG image is an error of an air-gapped site if its style sheet is elsewhere', async () => {
    await expectError('', {
      'a.svg': `<?xml-stylesheet href="${url}"?><svg xmlns="http://www.w3.org/2000/svg"/>`,
    });
  });

  test('Frames that are written in frames too often are an error, since they are not read', async () => {
    const nested = Array.from({ length: 9 }).reduce(
      (inner: string) => frame(`<iframe src="${inner}">`),
      frame('<p>'),
    );
    await expectError(`<iframe src="${nested}">`, {}, 'bad-address');
  });

  test.each([
    `<a href="${url}">`,
    `<link rel="canonical" href="${url}">`,
    `<img src="data:image/svg+xml,${encodeURIComponent(`<svg><image href="${url}"/></svg>`)}">`,
    `<svg><path fill="url(#a)"/></svg>`,
    '<a ping="/ping" href="/">',
    `<button onclick="window.location.href='${url}'">A</button>`,
    `<select onchange="if (this.value) document.location.href = '${url}'"></select>`,
    `<script>for (const one of all) one.addEventListener('click', () => { top.location.href = "${url}" });</script>`,
    `<script>function go() { location.href = "${url}" }</script>`,
    `<iframe srcdoc="<a href='${url}'>a</a>"></iframe>`,
  ])('This is not an error of an air-gapped site: %s', async (html) => {
    const { verification } = await verify({ ...CLEAN_SITE, 'x.html': html }, { isAirGapped: true });
    expect(verification.first).toEqual([]);
  });

  async function expectError(
    html: string,
    more: Record<string, string> = {},
    kind = 'external-load',
  ) {
    const { verification } = await verify(
      { ...CLEAN_SITE, 'x.html': html, ...more },
      { isAirGapped: true },
    );
    expect(verification.first).toContainEqual(expect.objectContaining({ level: 'error', kind }));
  }
});

test('A base counts for what is loaded after it, and for every link', async () => {
  const page = `<img src="a.png"><a href="b">b</a><base target="_top"><base href="/sub/"><base href="/gone/"><img src="c.png">`;
  const site = { 'x/y.html': page, 'x/a.png': '', 'sub/b.html': '', 'sub/c.png': '' };
  expect((await verify({ ...CLEAN_SITE, ...site })).verification.first).toEqual([]);
});

test.each([
  ['an id as it is written', '<h2 id="%C3%A9">', '%C3%A9'],
  ['an id when it is decoded', '<h2 id="é">', '%C3%A9'],
  ['an id with a percent sign that encodes nothing', '<h2 id="100%">', '100%'],
  ['the name of a link that also has an id', '<a id="new" name="old">', 'old'],
  ['the top, in any case', '', 'ToP'],
  ['a text to search for', '', ':~:text=x'],
])('A fragment leads to %s', async (_, target, fragment) => {
  const html = `<a href="#${fragment}">x</a>${target}`;
  expect((await verify({ ...CLEAN_SITE, 'x.html': html })).verification.first).toEqual([]);
});

test('What is in a template has no id, no base and no addresses, unless it is a shadow root', async () => {
  const inert =
    '<template><base href="/gone/"><a href="{{ url }}"></a><template></template><p id="a"></template>';
  const shown = '<template shadowrootmode="open"><img src="gone.png"></template>';
  const site = { ...CLEAN_SITE, 'x.html': `${inert}<a href="#a">a</a>${shown}` };
  const { verification } = await verify(site);
  expect(verification.first.map(({ kind, target }) => [kind, target])).toEqual([
    ['missing-asset', 'gone.png'],
    ['missing-fragment', '#a'],
  ]);
});

test('A file that many pages miss is one finding with their number', async () => {
  const pages = Array.from({ length: 12 }, (_, n) => [`p/${n}/x.html`, '<img src="../gone.png">']);
  const site = { ...CLEAN_SITE, ...Object.fromEntries(pages), 'p/y.html': '<img src="gone.png">' };
  const { verification } = await verify(site);
  expect(verification.errors).toBe(1);
  expect(verification.first[0]?.reason).toBe('this image is not in the bundle (on 13 pages)');
});

test('A script that could not be read is an error only for an air-gapped deployment', async () => {
  const code = `"https://";${'('.repeat(50_000)}1${')'.repeat(50_000)}`;
  const site = { ...CLEAN_SITE, 'x.js': code, 'y.js': '{% x %} "https://x.example"' };
  for (const [isAirGapped, errors] of [
    [true, 1],
    [false, 0],
  ] as const) {
    const { verification } = await verify(site, { isAirGapped });
    expect(verification).toMatchObject({ errors, warnings: 2 - errors });
    expect(verification.first.map(({ kind }) => kind)).toEqual(['unreadable', 'unreadable']);
  }
});

const SCRIPT = '<script>run()</script>';

test.each([
  ['the empty root of an app', `<header>Site</header><div id="app"></div>${SCRIPT}`],
  [
    'text in a script alone, in upper-case tags',
    `<DIV ID="app"></DIV><SCRIPT>run('<main><p>Text</p></main>')</SCRIPT>`,
  ],
  [
    'an empty region in capitals beside a heading',
    `<body><h1>Site</h1><MAIN><DIV ID="app"></DIV></MAIN>${SCRIPT}</body>`,
  ],
  [
    'an empty region by a role in capitals beside a heading',
    `<body><h1>Site</h1><div ROLE="main"><div id="app"></div></div>${SCRIPT}</body>`,
  ],
  [
    'a heading in a menu in capitals',
    `<main><NAV><h1>Site</h1></NAV><div id="app"></div></main>${SCRIPT}`,
  ],
  [
    'a heading for screen readers alone',
    `<main><h1 class="sr-only">Site</h1><div id="app"></div></main>${SCRIPT}`,
  ],
  ['only a canvas', `<body><canvas id="c"><p>No canvas</p></canvas>${SCRIPT}`],
  ['only a text that asks to wait', `<main><p>Loading\u2026</p></main>${SCRIPT}`],
  [
    'only what is shown until its part comes',
    '<main><!--$?--><template id="B:0"></template><p>Wait</p><!--/$--></main>',
  ],
])('A page with %s was not judged, which is one note for all such pages', async (_, html) => {
  const { verification } = await verify({ ...CLEAN_SITE, 'x.html': html, 'y.html': html });
  expect(verification).toMatchObject({ errors: 0, warnings: 0, notes: 1 });
  expect(verification.first).toMatchObject([{ kind: 'no-text', page: 'x.html' }]);
  expect(verification.first[0]?.reason).toMatch(/^2 pages have no text before scripts run/);
});

test.each([
  ['with text and a part that failed', '<main><p>Text</p><!--$!--><p>Wait</p><!--/$--></main>'],
  [
    'with a part behind it',
    '<main><!--$?--><template id="B:0"></template><!--/$--></main><div hidden id="S:0">a</div><script>$RC("B:0","S:0")</script>',
  ],
  [
    'that leads elsewhere',
    '<meta http-equiv="refresh" content="0; url=/"><div id="a"></div><script>run()</script>',
  ],
  [
    'with a panel in front of its control',
    `<main><div id="a"><p id="b" hidden>Text</p></div><button aria-controls="b">B</button></main>${SCRIPT}`,
  ],
  ['with a canvas that no script draws', '<main><canvas id="c"></canvas></main>'],
  ['that is a picture', '<main><img src="/img/a.png" alt="A"></main>'],
])('A page %s has no note', async (_, html) => {
  const { verification } = await verify({ ...CLEAN_SITE, 'x.html': html, 'img/a.png': '' });
  expect(verification).toMatchObject({ errors: 0, notes: 0 });
});

test.each([
  ['in a charset that browsers refuse', '<meta charset="iso-2022-kr"><a href="/gone">a</a>'],
  ['in UTF-16 without a byte order mark', Buffer.from('<a href="/gone">', 'utf16le').toString()],
])('A page %s is an error: nothing in it was checked', async (why, html) => {
  const { verification } = await verify({ ...CLEAN_SITE, 'x.html': html });
  expect(verification.first).toMatchObject([
    { level: 'error', kind: 'unreadable', page: 'x.html', reason: expect.stringContaining(why) },
  ]);
});

test("A page count that differs from the platform's is a note", async () => {
  const { verification } = await verify(CLEAN_SITE, { pageCount: 7 });
  expect(verification).toMatchObject({ errors: 0, warnings: 0, notes: 1 });
});

test('All findings are counted, and ten are shown, first an error after 12,000 warnings', async () => {
  const links = Array.from({ length: 12_000 }, (_, index) => `<a href="file:${index}">`).join('');
  const { verification, report } = await verify({
    ...CLEAN_SITE,
    'x.html': links,
    'y.html': '<a href="/gone">',
  });
  expect(verification.warnings).toBe(12_000);
  expect(verification.first).toHaveLength(10);
  expect(verification.first[0]?.level).toBe('error');
  expect(report).toMatchObject({ truncated: true, errors: 1 });
  expect(report.findings).toHaveLength(10_001);
});

describe('a site that is published below a path', () => {
  const SITE = {
    'index.html':
      '<!doctype html><a href="/docs/guide/start">start</a><link rel="icon" href="/docs/icon.svg"><a href="/pricing">away</a>',
    'guide/start.html':
      '<!doctype html><link rel="canonical" href="/docs/guide/start"><a href="/docs">home</a><a href="../">up</a><a href="/docs/guide/start#x"></a><p id="x">',
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };

  test.each(['/docs', undefined])(
    'A site below a path (base-path: %j) is intact if its links begin with that path',
    async (basePath) => {
      const { verification } = await verify(SITE, { basePath });
      expect(verification.first).toEqual([]);
    },
  );

  test('A site below a path has findings if base-path is another path or empty', async () => {
    for (const basePath of ['', '/documentation']) {
      expect((await verify(SITE, { basePath })).verification.errors).toBeGreaterThan(0);
    }
  });

  test('The base path of a site is found in the links of its entry page', async () => {
    const site = Object.fromEntries(
      Object.entries(SITE).map(([path, text]) => [
        path,
        text.replaceAll('/docs', '/documentation'),
      ]),
    );
    expect((await verify(site)).verification.first).toEqual([]);
  });

  test.each([
    [false, 'warning'],
    [true, 'error'],
  ] as const)(
    'All links without the base path are one finding (strict: %j): one %s',
    async (isStrict, level) => {
      const links =
        '<a href="/guide/start">x</a><a href="/">y</a><img src="/icon.svg"><img src="/logo.png">';
      const site = { ...SITE, 'x.html': links, 'y.html': '<a href="/guide/start#x">z</a>' };
      const { verification } = await verify(site, { basePath: '/docs', isStrict });
      const base = expect.objectContaining({
        level,
        kind: 'broken-link',
        page: 'x.html',
        target: '/guide/start',
        reason: expect.stringMatching(/^4 links begin with \/ and not with \/docs, .*base-path/),
      });
      expect(verification.first).toHaveLength(2);
      expect(verification.first).toContainEqual(base);
      expect(verification.first).toContainEqual(
        expect.objectContaining({ kind: 'missing-asset', target: '/logo.png' }),
      );
    },
  );

  test.each(['/handbook', '/acme/handbook', '/docs-of-acme'])(
    'Links below %s, the path of live-url, are resolved without it, and links without it are one finding',
    async (livePath) => {
      const page = (prefix: string) =>
        `<!doctype html><a href="${prefix}/guide/start">x</a><a href="${prefix}/a">y</a>`;
      const files = (prefix: string) => ({
        'index.html': page(prefix),
        'guide/start.html': '',
        'a/index.html': '',
      });
      expect((await verify(files(livePath), { livePath })).verification.first).toEqual([]);
      const { verification } = await verify(files(''), { livePath });
      expect(verification).toMatchObject({ errors: 0, warnings: 1 });
      expect(verification.first[0]?.reason).toMatch(
        `2 links begin with / and not with ${livePath}, `,
      );
    },
  );

  test.each([
    ['https://acme.github.io/handbook/logo.png?v=2', undefined],
    ['//acme.github.io/handbook/logo.png', undefined],
    ['https://acme.github.io/handbook/', undefined],
    ['https://acme.github.io/handbook/gone.png', 'external-load'],
    ['https://acme.github.io/handbook//acme.example/logo.png', 'external-load'],
    ['https://acme.github.io/logo.png', 'external-load'],
    ['https://acme.github.io/handbook-2/logo.png', 'external-load'],
    ['http://acme.github.io/handbook/logo.png', 'external-load'],
  ])(
    'With the address of the published site, what is loaded from %s has the finding %j',
    async (address, kind) => {
      const files = { 'index.html': `<img src="${address}">`, 'logo.png': '' };
      const liveUrl = 'https://acme.github.io/handbook';
      const { verification } = await verify(files, { liveUrl });
      expect(verification.first.map((finding) => finding.kind)).toEqual(kind ? [kind] : []);
    },
  );

  test.each([
    [undefined, '/handbook'],
    ['', '/acme/handbook'],
    ['/docs', '/handbook'],
  ])(
    'Links below a path that no input names (base-path: %j) are one finding that names %s',
    async (basePath, path) => {
      const page = `<a href="${path}/a">a</a><img src="${path}/b.png"><a href="${path}/">h</a><a href="/pricing">p</a>`;
      const files = { 'index.html': page, 'a.html': page, 'b.png': '' };
      const { verification } = await verify(files, { basePath });
      expect(verification).toMatchObject({ errors: 1, warnings: 0 });
      expect(verification.first[0]?.reason).toMatch(
        `6 links begin with ${path}, a path that no input names: `,
      );
      // base-path takes two paths only, and only for an export by project.
      expect(verification.first[0]?.reason).toMatch(/ name its address with served-at$/);
    },
  );

  test.each<[string, object, string]>([
    ['a single link', {}, '<a href="/docs/">d</a>'],
    ['links', { basePath: '' }, '<a href="/company/about">a</a><a href="/company/x">x</a>'],
    ['a base', { basePath: '' }, '<base href="/company/"><a href="about">a</a>'],
  ])(
    'By %s alone, the page for what is not found names no path (given: %j)',
    async (_, options, notFound) => {
      const files = {
        'index.html': '<a href="about">about</a>',
        'about.html': '<a href="/nowhere">gone</a><a href="/x">x</a>',
        'x.html': '',
        '404.html': notFound,
      };
      const { verification } = await verify(files, options);
      const targets = verification.first.map(({ target }) => target);
      expect(targets).toContain('/nowhere');
      expect(targets).not.toContain('/x');
    },
  );

  test.each(['d%C3%B3cs', 'my%20docs', 'a%3Fb', 'a%23b'])(
    'A site is below the encoded path %s',
    async (name) => {
      const page = `<a href="/${name}/a">a</a><a href="/${name}/gone">gone</a>`;
      const files = { 'index.html': page, 'a.html': '' };
      const { verification } = await verify(files, {
        liveUrl: `https://docs.example.com/${name}/`,
      });
      expect(verification.first).toMatchObject([{ kind: 'broken-link', target: `/${name}/gone` }]);
      expect(verification).toMatchObject({ errors: 1, warnings: 0 });
    },
  );

  test('Below a base of very many characters, the addresses of a page name no path', async () => {
    const base = `/${'long/'.repeat(50)}`;
    const files = {
      'index.html': `<base href="${base}"><a href="a">a</a><a href="b">b</a>`,
      'a.html': '',
      'b.html': '',
    };
    const { verification } = await verify(files, {});
    expect(verification.first.map(({ reason }) => reason).join()).not.toContain('no input names');
  });

  test('Links relative to a base at the address of the site are looked for in it', async () => {
    const liveUrl = 'https://docs.example.com/handbook/';
    const files = {
      'index.html': `<base href="${liveUrl}"><a href="guide">there</a><a href="gone">gone</a>`,
      'guide.html': '',
    };
    const { verification } = await verify(files, { liveUrl, isStrict: true });
    expect(verification.first).toMatchObject([{ kind: 'broken-link', target: 'gone' }]);
  });

  test.each<object>([
    { 'index.html': '<a href="a">a</a>' },
    { _redirects: '/handbook/ /handbook/a.html' },
  ])(
    'If only the page for what is not found has the path, its links are one finding too (start: %j)',
    async (start) => {
      const notFound =
        '<a href="/handbook/">h</a><a href="/handbook/a">a</a><img src="/handbook/b.png">';
      const files = { ...start, 'a.html': '', 'b.png': '', '404.html': notFound };
      const { verification } = await verify(files);
      expect(verification).toMatchObject({ errors: 1, warnings: 0 });
      expect(verification.first[0]?.reason).toMatch(
        '3 links begin with /handbook, a path that no ',
      );
      expect((await verify(files, { livePath: '/handbook' })).verification.first).toEqual([]);
    },
  );

  test('Below a base that no input names, relative addresses of its page are right', async () => {
    const notFound =
      '<base href="/handbook/"><a href="a">a</a><img src="b.png"><a href="gone">c</a>';
    const files = { 'index.html': '', 'a.html': '', 'b.png': '', '404.html': notFound };
    const { verification } = await verify(files);
    expect(verification.first.map(({ target }) => target).sort()).toEqual(['/handbook/', 'gone']);
  });

  test('A link that leads nowhere names no path, also if a file has its last name', async () => {
    const files = { 'index.html': '<a href="/gone/a">a</a><a href="/a">b</a>', 'a.html': '' };
    const { verification } = await verify(files);
    expect(verification.first).toMatchObject([{ kind: 'broken-link', target: '/gone/a' }]);
  });

  test('Relative links, and links to another part of the host, are no finding of a site below a path', async () => {
    const site = {
      'index.html': '<a href="a">a</a><a href="/pricing">p</a><a href="./">h</a>',
      'a.html': '',
    };
    expect(
      (await verify(site, { livePath: '/handbook', isStrict: true })).verification.first,
    ).toEqual([]);
  });

  test('The base path that is given counts, and not the path of live-url', async () => {
    expect(
      (await verify(SITE, { basePath: '/docs', livePath: '/handbook' })).verification.first,
    ).toEqual([]);
  });

  test('The archive of a site below a path can also contain that path', async () => {
    const site = Object.fromEntries(
      Object.entries(SITE).map(([path, text]) => [`docs/${path}`, text]),
    );
    const { verification } = await verify({ ...site, 'pricing.html': 'x' }, { basePath: '/docs' });
    expect(verification.first).toEqual([]);
  });
});

describe('a link that a rule of _redirects answers', () => {
  const site = (links: string, rules: string) => ({
    'index.html': `<!doctype html>${links}`,
    'guide/start.html': '',
    _redirects: rules,
  });
  test.each([
    ['to another host', '<a href="/forum/faq">', '/forum/* https://forum.example.com/:splat 302'],
    [
      'to a page, through two rules',
      '<img src="old.png"><a href="/one">',
      '/one /two\n/two/ /guide/start 308\n/old.png /guide/start',
    ],
    ['by a name of a part', '<a href="/v2/start">', '/:version/start /guide/start.html'],
    ['to a page whose address is encoded', '<a href="/x">', '/x /guide/st%61rt?from=x#top'],
  ])('A link is not broken if its rule leads %s', async (_, links, rules) => {
    expect((await verify(site(links, rules))).verification.first).toEqual([]);
  });

  test.each([
    ['leads to a missing page', '/one /nowhere', ['/nowhere', '/one']],
    ['leads back to itself through another', '/one /two\n/two /one', ['/two', '/one', '/one']],
    ['shows another page, which servers of the guide do not', '/* /guide/start 200', ['/one']],
    ['is for some readers only', '/one /guide/start 302 Country=de', ['/one']],
    ['is for some queries only', '/one id=:id /guide/start', ['/one']],
  ])('A link is broken if its rule %s', async (_, rules, targets) => {
    const { verification } = await verify(site('<a href="/one">', rules));
    expect(verification.first.map(({ kind }) => kind)).toEqual(targets.map(() => 'broken-link'));
    expect(verification.first.map(({ target }) => target).toSorted()).toEqual(targets.toSorted());
  });

  test('A rule that leads to nothing is an error without a link, unless its address has a page', async () => {
    const rules =
      '/was /gone\n/guide/start /gone\n/v/* /gone/:splat\n/chat https://chat.example.com\n';
    const { verification } = await verify(site('', rules));
    expect(verification.first).toEqual([
      expect.objectContaining({
        level: 'error',
        kind: 'broken-link',
        page: '_redirects',
        target: '/gone',
      }),
    ]);
  });
});

describe('names that differ only in their Unicode form', () => {
  test.each(['été', 'Ωμέγα', '가이드'])(
    'A link to the file %s in another form is a warning of its own',
    async (name) => {
      const links = `<a href="/${encodeURI(name.normalize('NFC'))}#here"><a href="${name.normalize('NFC')}.html">`;
      const { verification } = await verify({
        'index.html': links,
        [`${name.normalize('NFD')}.html`]: '<p id="here">',
      });
      expect(verification).toMatchObject({ errors: 0, warnings: 2 });
      expect(verification.first.map(({ kind, reason }) => [kind, reason])).toEqual(
        Array(2).fill(['other-form', expect.stringContaining('another Unicode form')]),
      );
    },
  );

  test('A link whose name differs in an accent or in case is still broken', async () => {
    const site = { 'index.html': '<a href="/ete"><a href="/%C3%89t%C3%A9">', 'été.html': '' };
    expect((await verify(site)).verification.first.map(({ kind }) => kind)).toEqual([
      'broken-link',
      'wrong-case',
    ]);
  });
});

test('Pages end in .html in the archive, and their canonical addresses do not', async () => {
  const site = {
    'index.html':
      '<link rel="canonical" href="https://docs.example.com/"><a href="/guide/start">start</a>',
    'guide/start.html':
      '<link rel="canonical" href="/guide/start"><a href="/guide/start.html">self</a>',
    'sitemap.xml': '<urlset><url><loc>https://docs.example.com/guide/start</loc></url></urlset>',
  };
  expect((await verify(site)).verification.first).toEqual([]);
});

test('An address in a comment or a string of a style sheet is not fetched', async () => {
  const css = `/* url(none.png) */ a::after { content: "url(none.png)" } b { background: image-set("pixel.png" 1x, "pixel.png" 2x) }`;
  const { verification } = await verify({ ...CLEAN_SITE, 'assets/more.css': css });
  expect(verification.first).toEqual([]);
});

describe('what becomes of errors', () => {
  async function receive(verifyMode: 'strict' | 'air-gapped' | 'report' | 'off') {
    const world = await startWorld(NO_SERVERS);
    const site = { ...CLEAN_SITE, 'x.html': '<a href="/gone">' };
    await using server = await startBundleServer(
      tarGz(Object.entries(site).map(([name, content]) => ({ name: `docs/${name}`, content }))),
    );
    const extractTo = join(world.workspace, 'site');
    const reported: BundleFacts[] = [];
    const received = world.receive({
      url: server.url,
      bundle: { bundlePath: join(world.workspace, 'docs.tar.gz'), extractTo, verify: verifyMode },
      onFacts: (facts) => reported.push(facts),
    });
    const outcome = await received.then(
      ({ facts }) => ({ facts, error: undefined }),
      (error: unknown) => ({ facts: undefined, error }),
    );
    return { ...outcome, reported, world, extractTo };
  }

  test.each(['strict', 'air-gapped'] as const)(
    'With verify: %s, an error fails the run before any destination changes, and the report is written',
    async (mode) => {
      const { error, reported, world } = await receive(mode);
      expect(error).toMatchObject({
        code: 'checks-failed',
        message: expect.stringContaining('1 error'),
      });
      expect(readdirSync(world.workspace)).toEqual([]);
      expect(JSON.parse(readFileSync(reported.at(-1)?.verifyReport ?? '', 'utf8')).errors).toBe(1);
      await world[Symbol.asyncDispose]();
    },
  );

  test('With verify: report, the same findings do not fail the run', async () => {
    const { facts, world, extractTo } = await receive('report');
    expect(facts?.sitePath).toBe(join(extractTo, 'docs'));
    expect(facts?.verification?.errors).toBe(1);
    expect(facts && bundleSections(facts)).toContain('`/gone`');
    await world[Symbol.asyncDispose]();
  });

  test('With verify: off, nothing is verified', async () => {
    const { facts, world } = await receive('off');
    expect(facts?.sitePath).toBeDefined();
    expect(facts).not.toHaveProperty('verification');
    expect(facts).not.toHaveProperty('verifyReport');
    await world[Symbol.asyncDispose]();
  });
});

describe('a guard', () => {
  test('A guard knows the pages of the archive, and its error leaves every destination unchanged', async () => {
    await using world = await startWorld(NO_SERVERS);
    const pages = ['index.html', 'a/b.html', 'c.htm', '404.html', 'x.css'];
    await using server = await startBundleServer(
      tarGz(pages.map((name) => ({ name: `docs/${name}`, content: 'x' }))),
    );
    const bundle = {
      bundlePath: join(world.workspace, 'd.tgz'),
      extractTo: join(world.workspace, 'site'),
    };
    const inspect = async ({ facts: { pages: count } }: Inspected) => {
      throw new Error(`${count} pages`);
    };
    await expect(world.receive({ url: server.url, bundle, inspect })).rejects.toThrow('3 pages');
    expect(readdirSync(world.workspace)).toEqual([]);
  });

  test('A run that is cancelled while the guard computes puts nothing in place', async () => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(tarGz([{ name: 'index.html', content: 'x' }]));
    const bundle = {
      extractTo: join(world.workspace, 'site'),
      bundlePath: join(world.workspace, 'docs.tar.gz'),
    };
    const cancel = new AbortController();
    const inspect = async () => {
      // Like a signal, a timer is seen only when the computation has ended.
      setTimeout(() => cancel.abort(), 1);
      const end = performance.now() + 20;
      while (performance.now() < end);
      return [];
    };
    const received = world.receive({ url: server.url, bundle, signal: cancel.signal, inspect });
    await expect(received).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(world.workspace)).toEqual([]);
  });
});
