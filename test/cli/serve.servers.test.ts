import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startEmulator } from '../../emulator/src/platform/emulator.ts';
import { findTool } from '../../scripts/examples/tools.ts';
import { readSiteRules } from '../../src/cli/redirects.ts';
import { serveSite } from '../../src/cli/serve.ts';
import { readSafeRules, redirectsOf } from '../../src/site/redirects/server-redirects.ts';
import { recordingLog } from '../support/recording-log.ts';
import {
  askRaw,
  chartConfiguration,
  guideConfiguration,
  kubernetesConfiguration,
  linesForImages,
  makeRedirects,
  readPodGuide,
  runForRedirects,
  type ServerName,
  startOther,
  startServer,
  tableWith,
  type WebServer,
} from './servers.ts';

const DOCS = resolve(import.meta.dirname, '../../docs');
const DOMAIN = 'acme.example.com';
const RULES = `# moved
/old-start /tutorial/first-export
/old.guide/* /how-to/:splat 302
/gone https://example.com/docs#gone 308!
/searched /how-to/?from=old%20%C3%BC%26&x=%2F 301
/c++ /how-to/roll-back
/x+++ /how-to/roll-back
/100%25 /how-to/roll-back
/gr%C3%B6%C3%9Fe /how-to/roll-back
/größer /über
/with-slash/ /how-to/roll-back
/with-line-end /how-to/roll-back\r
/news/:year/:page /blog/:year-:page
/root/* /:splat
/part/:name /:name
/away/* https://example.com/docs/:splat
/how-to/roll-back /tutorial
/shadow /index 200
/broken/%zz /tutorial
/evil /x;}server{listen 1;} 301
/evil/$uri";}server{listen:1} /tutorial
/evil/{uri} /tutorial{$HOME}
/only-english /tutorial 301 Language=en
${'/++++'.repeat(178)} /tutorial
`;
/**
 * Characters that an address may have or that mean something in a configuration: all but the line
 * end, which ends a rule.
 */
const CHARACTERS = Array.from({ length: 0x180 }, (_, code) =>
  String.fromCodePoint(code + (code < 10 ? 0 : 1)),
).concat('\u2028', '\u{1f600}');
const OF_CHARACTERS = CHARACTERS.flatMap((text) => [
  `/one/a${text}b /new/x${text}/`,
  `/all${text}/* /new${text}/:splat`,
]);
/**
 * The last are part of the syntax of rules, or are left out because a server could misread them.
 */
const WORKING = CHARACTERS.filter((text) => !/[\s\p{Cc}"%#?{}\\/*]/u.test(text));
/** Address, status and target of each rule above that redirects. */
const MOVED: readonly (readonly [string, number, string])[] = [
  ['/old-start', 301, '/tutorial/first-export'],
  ['/old-start/', 301, '/tutorial/first-export'],
  ['/old-start.html', 301, '/tutorial/first-export'],
  ['/old-start?a=1&b=%2F', 301, '/tutorial/first-export?a=1&b=%2F'],
  ['/old.guide/roll-back', 302, '/how-to/roll-back'],
  ['/old.guide/roll-back?a=1', 302, '/how-to/roll-back?a=1'],
  ['/old.guide', 302, '/how-to/'],
  ['/old.guide/', 302, '/how-to/'],
  ['/old.guide/a/b%20c/d%C3%A9', 302, '/how-to/a/b%20c/d%C3%A9'],
  ['/gone', 301, 'https://example.com/docs#gone'],
  ['/gone?a=1', 301, 'https://example.com/docs?a=1#gone'],
  ['/searched?a=1', 301, '/how-to/?from=old%20%C3%BC%26&x=%2F&a=1'],
  ['/searched', 301, '/how-to/?from=old%20%C3%BC%26&x=%2F'],
  ['/c++', 301, '/how-to/roll-back'],
  ['/c%2B%2B', 301, '/how-to/roll-back'],
  ['/x+++', 301, '/how-to/roll-back'],
  ['/100%25', 301, '/how-to/roll-back'],
  ['/gr%C3%B6%C3%9Fe', 301, '/how-to/roll-back'],
  ['/gr%C3%B6%C3%9Fer', 301, '/%C3%BCber'],
  ['/with-slash', 301, '/how-to/roll-back'],
  ['/with-slash/', 301, '/how-to/roll-back'],
  ['/with-line-end', 301, '/how-to/roll-back'],
  ['/news/2020/spring', 301, '/blog/2020-spring'],
  ['/root/how-to', 301, '/how-to'],
  ['/away/a/b?c=d', 301, 'https://example.com/docs/a/b?c=d'],
  ['/evil/$uri%22;%7Dserver%7Blisten:1%7D', 301, '/tutorial'],
];

/** What readers of a page get who follow a link to a site that has one of these in its address. */
const HOSTILE = [
  ...[
    '/',
    '%2F',
    '\\',
    '%5C',
    '%09',
    '%0A',
    '%0D',
    '%00',
    '%20',
    '%C2%A0',
    '%EF%BC%8F',
    '%E2%80%A8',
    '%7F',
    '\t',
  ],
  ...[
    '//',
    '%2F%2F',
    '%2F/',
    '/%2F',
    '\\\\',
    '%5C%5C',
    '%5c/',
    '/%5c',
    '/\\',
    '\\/',
    '%5C%2F',
    '%2f%5C',
  ],
  ...[
    '%09/',
    '/%09/',
    '%09%5C',
    '%0A/',
    '%0D/',
    '%0D%0A/',
    '%00/',
    '%20/',
    '%E2%80%A8/',
    '\t/',
    '/\t/',
  ],
  ...[
    '%255C',
    '%252F',
    '%2509/',
    '%25255C',
    '%252e%252e/',
    '%2e%2e/',
    '%2e/',
    '..%2f',
    '..%5c',
    '..%255c',
    './',
    '../',
  ],
  ...[
    '%2e%2e%2f%2e%2e%2f/',
    '%252e%252e%252f',
    '@',
    ':@',
    '.',
    '%40',
    '?/',
    '%3F/',
    '%23',
    '%26',
    'https:',
    'https:/',
    'https://',
  ],
  ...[
    '%0D%0Aset-cookie:a=b%0D%0A',
    '%0Aset-cookie:a=b',
    '%250D%250Aset-cookie:a=b',
    '\u00a0',
    '\u0085/',
  ],
].map((form) => `${form}evil.example`);
const PLACES = [
  '/root/',
  '/root',
  '/root//',
  '//root/',
  '/part/',
  '/away/',
  '/away',
  '/',
  '//',
  '/how-to/',
  '/how-to',
  '/./',
];
/** Files and folders that exist, at the end of a path that begins like another host. */
const ROUNDABOUT = [
  '/evil.example',
  '/%5Cevil.example',
  '/\\evil.example',
  '/%09/evil.example',
  '/%2Fevil.example',
].flatMap((start) =>
  ['/..', '/%2e%2e', '/%2E.', '%2f..', '/x/../..'].flatMap((up) =>
    ['/how-to', '//how-to', '/how-to/roll-back/', '/root/x', '/old-start'].flatMap((end) => [
      `${start}${up}${end}`,
      `/${start}${up}${end}`,
    ]),
  ),
);

const LONG = 'text '.repeat(500);
/** What bundles have besides pages, pictures and styles. */
const FILES = {
  'data.json': JSON.stringify({ LONG }),
  'feed.xml': `<?xml version="1.0" encoding="UTF-8"?><feed>${LONG}</feed>`,
  'llms.txt': LONG,
  'module.mjs': `export const text = '${LONG}';`,
  'notes-20271231.css': 'p { color: red }',
};

let folder = '';
const inSite = (...names: string[]) => join(folder, 'site', ...names);

/** A whole export of this documentation, with rules of redirects in it. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serve-'));
  const source = join(folder, 'source');
  cpSync(DOCS, source, { recursive: true });
  writeFileSync(join(source, '_redirects'), RULES + OF_CHARACTERS.join('\n'));
  await using platform = await startEmulator({
    sites: { acme: source },
    exportJobs: { advance: 'poll', polls: 1 },
  });
  const headers = {
    authorization: `Bearer ${platform.keys.admin}`,
    'content-type': 'application/json',
  };
  const call = async (path: string, init: RequestInit = {}) =>
    Object(
      await (
        await fetch(`${platform.url}/v1/static-export/jobs${path}`, { headers, ...init })
      ).json(),
    );
  const { jobId } = await call('', { method: 'POST', body: JSON.stringify({ domain: DOMAIN }) });
  while ((await call(`/${jobId}`)).status !== 'completed');
  const { bundleUrl } = await call(`/${jobId}/bundle`, { method: 'POST' });
  mkdirSync(inSite());
  const input = Buffer.from(await (await fetch(bundleUrl)).arrayBuffer());
  execFileSync('tar', ['-xz', '-C', inSite()], { input });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(inSite(name), text);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pages(): string[] {
  return readdirSync(inSite(), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.html'),
  );
}

/** The file of a page, by its address without an extension. */
function fileOf(address: string): string {
  const path = inSite(decodeURI(address));
  return existsSync(`${path}.html`) ? `${path}.html` : join(path, 'index.html');
}

function ask({ url }: WebServer, address: string): Promise<Response> {
  return fetch(new URL(address, url), { redirect: 'manual' });
}

/**
 * Answers 200 with the file, directly or, for the page of a folder, after one redirect to its
 * slash.
 */
async function expectPage(server: WebServer, address: string): Promise<string> {
  const first = await ask(server, address);
  const isFolder = fileOf(address).endsWith('/index.html') && !address.endsWith('/');
  if (isFolder)
    expect([first.status, first.headers.get('location')], address).toEqual([
      expect.any(Number),
      `${address}/`,
    ]);
  if (isFolder) expect([301, 308]).toContain(first.status);
  const at = isFolder ? `${address}/` : address;
  const reply = isFolder ? await ask(server, at) : first;
  expect([address, reply.status]).toEqual([address, 200]);
  expect(await reply.text(), address).toBe(readFileSync(fileOf(address), 'utf8'));
  return at;
}

/** The servers of `scripts/tools.sh`, and the older Caddy that distributions have. */
const installed = (['nginx', 'caddy', 'caddy-debian'] as const).map((program) => {
  const name: ServerName = program === 'nginx' ? 'nginx' : 'caddy';
  return [program, name, findTool(program)] as const;
});
for (const [program, , path] of installed)
  if (path === undefined)
    console.warn(`${program} is not installed: the configuration in the guide is not tried on it.`);

/**
 * Every server that the guide names for all addresses, and how it starts with the site and its
 * redirects.
 */
const started = [
  ...installed.map(([name, kind, program]) => {
    const start = (): Promise<WebServer> => {
      makeRedirects(kind, folder);
      return startServer({ name: kind, program: program ?? '', folder });
    };
    return [name, program !== undefined, start] as const;
  }),
  [
    'docs-courier serve',
    true,
    () =>
      serveSite({ folder: inSite, rules: readSiteRules(inSite(), '', recordingLog()), port: 0 }),
  ] as const,
];

describe.each(started)('a whole export on %s', (name, isInstalled, start) => {
  describe.skipIf(!isInstalled)('with its redirects', () => {
    let server: WebServer;

    beforeAll(async () => {
      server = await start();
    }, 60_000);

    afterAll(() => server[Symbol.asyncDispose]());

    it(`Every address of the sitemap is a page on ${name}`, async () => {
      const sitemap = readFileSync(inSite('sitemap.xml'), 'utf8');
      const addresses = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
        ([, loc = '']) => new URL(loc),
      );
      expect(addresses.length).toBeGreaterThan(40);
      for (const { host, pathname } of addresses) {
        expect(host).toBe(DOMAIN);
        await expectPage(server, pathname);
      }
    });

    it(`Every canonical address is the page that has it on ${name}, and so is its file`, async () => {
      for (const path of pages().filter((path) => path !== '404.html')) {
        const html = readFileSync(inSite(path), 'utf8');
        const canonical = /<link rel="canonical" href="([^"]+)">/.exec(html)?.[1] ?? '';
        const { pathname } = new URL(canonical);
        expect(relative(inSite(), fileOf(pathname))).toBe(path);
        await expectPage(server, pathname);
        const file = await ask(server, `/${encodeURI(path)}`);
        expect([path, file.status]).toEqual([path, 200]);
        await file.body?.cancel();
      }
    });

    it(`Every relative link leads to a file when readers follow it from the address of its page on ${name}`, async () => {
      const targets = new Set<string>();
      for (const path of ['index.html', 'how-to/index.html', 'how-to/roll-back.html']) {
        const address = `/${path.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '')}`;
        const at = new URL(await expectPage(server, address), server.url);
        for (const [, href = ''] of readFileSync(inSite(path), 'utf8').matchAll(
          /(?:href|src)="([^"#:]+)["#]/g,
        ))
          targets.add(new URL(href, at).pathname);
      }
      expect(targets.size).toBeGreaterThan(20);
      for (const target of targets) {
        const reply = await ask(server, target);
        await reply.body?.cancel();
        expect([target, reply.status]).toEqual([target, 200]);
      }
    });

    it.each(MOVED)(
      `The rule for %s redirects with status %i to %s on ${name}`,
      async (from, status, to) => {
        const reply = await ask(server, from);
        const location = reply.headers.get('location');
        expect([reply.status, location]).toEqual([status, to]);
      },
    );

    it(`A rule may have any character that is not special on ${name}`, async () => {
      for (const text of WORKING) {
        for (const [from, to] of [
          [`/one/a${text}b`, `/new/x${text}/`],
          [`/all${text}/x${text}`, `/new${text}/x${text}`],
        ] as const) {
          const reply = await ask(server, encodeURI(from));
          const { pathname } = new URL(reply.headers.get('location') ?? '/none', server.url);
          expect([from, reply.status, decodeURIComponent(pathname)]).toEqual([from, 301, to]);
        }
      }
      expect((await ask(server, '/++++'.repeat(178))).status).toBe(301);
    });

    it(`A page precedes a rule for its address on ${name}, and a rule of another kind is not followed`, async () => {
      await expectPage(server, '/how-to/roll-back');
      for (const address of [
        '/shadow',
        '/broken/x',
        '/evil',
        '/evil/x',
        '/only-english',
        '/_redirects',
      ])
        expect([address, (await ask(server, address)).status]).toEqual([address, 404]);
    });

    it(`No address makes a rule lead to a host or a folder that the rule does not name on ${name}`, async () => {
      const addresses = [
        ...PLACES.flatMap((place) => HOSTILE.map((form) => place + form)),
        ...ROUNDABOUT,
      ];
      const wrong: string[] = [];
      let redirects = 0;
      for (const address of addresses) {
        const { status, headers } = await askRaw(server, address);
        const location = headers.find(([name]) => name === 'location')?.[1];
        if (headers.some(([name]) => name === 'set-cookie')) wrong.push(`${address} sets a cookie`);
        if (status < 300 || status > 399 || location === undefined) continue;
        redirects += 1;
        const { host, pathname } = new URL(location, 'https://readers.example/some/page');
        const isMeant =
          host === 'readers.example' || (host === 'example.com' && pathname.startsWith('/docs/'));
        if (!isMeant) wrong.push(`${address} leads to ${location}`);
      }
      expect(wrong).toEqual([]);
      expect(redirects).toBeGreaterThan(100);
    }, 60_000);

    it(`An address with a slash too many leads to its page on ${name}`, async () => {
      const reply = await ask(server, '/how-to/roll-back/');
      expect([reply.status, reply.headers.get('location')]).toEqual([301, '/how-to/roll-back']);
    });

    it(`An unknown address is the page 404.html with status 404 on ${name}`, async () => {
      const itself = ['/404', '/404/', '/404.html', '/%34%304'];
      for (const address of [
        '/nowhere',
        '/how-to/nowhere',
        '/nowhere/',
        '/images',
        '/nowhere.css',
        ...itself,
      ]) {
        const reply = await ask(server, address);
        expect([address, reply.status]).toEqual([address, 404]);
        expect(await reply.text()).toBe(readFileSync(inSite('404.html'), 'utf8'));
      }
    });
  });
});

describe.each(installed)('the configuration on %s', (name, kind, program) => {
  describe.skipIf(program === undefined)('with a whole export', () => {
    let server: WebServer;

    beforeAll(async () => {
      makeRedirects(kind, folder);
      server = await startServer({ name: kind, program: program ?? '', folder });
    }, 60_000);

    afterAll(() => server[Symbol.asyncDispose]());

    it(`Text that is not a page has its type, its alphabet and compression on ${name}`, async () => {
      const cases = [
        ['/data.json', /^application\/json\b/],
        ['/feed.xml', /^(text|application)\/xml\b/],
        ['/llms.txt', /^text\/plain; charset=utf-8$/i],
        ['/module.mjs', /^text\/javascript; charset=utf-8$/i],
      ] as const;
      for (const [address, type] of cases) {
        const reply = await fetch(new URL(address, server.url), {
          headers: { 'accept-encoding': 'gzip' },
        });
        expect([address, reply.headers.get('content-encoding')]).toEqual([address, 'gzip']);
        expect(reply.headers.get('content-type'), address).toMatch(type);
        expect(await reply.text(), address).toBe(readFileSync(inSite(address), 'utf8'));
      }
      const [style = ''] = readdirSync(inSite('_theme')).filter((file) => file.endsWith('.css'));
      const { headers } = await ask(server, `/_theme/${style}`);
      expect(headers.get('content-type')).toMatch(/^text\/css; charset=utf-8$/i);
    });

    it(`Pages are revalidated, files with a hash are kept, and every reply has the security headers on ${name}`, async () => {
      const hashed = readdirSync(inSite('_theme')).find((file) => file.endsWith('.css')) ?? '';
      const cases = [
        ['/', 200, 'no-cache', 'text/html'],
        ['/how-to/roll-back', 200, 'no-cache', 'text/html'],
        [`/_theme/${hashed}`, 200, 'public, max-age=31536000, immutable', 'text/css'],
        ['/images/flow.svg', 200, 'no-cache', 'image/svg+xml'],
        ['/notes-20271231.css', 200, 'no-cache', 'text/css'],
        ['/nowhere', 404, 'no-cache', 'text/html'],
        ['/_theme/site.0123456789abcdef.css', 404, 'no-cache', 'text/html'],
      ] as const;
      for (const [address, status, cache, type] of cases) {
        const { headers, ...reply } = await ask(server, address);
        expect([address, headers.get('cache-control')]).toEqual([address, cache]);
        expect(headers.get('content-type'), address).toContain(type);
        expect(headers.get('x-content-type-options'), address).toBe('nosniff');
        expect(headers.get('cross-origin-resource-policy'), address).toBe('same-origin');
        expect(headers.get('x-frame-options'), address).toBe('SAMEORIGIN');
        expect(headers.get('referrer-policy'), address).toBe('strict-origin-when-cross-origin');
        expect((await ask(server, address)).status, address).toBe(status);
        void reply;
      }
    });
  });
});

describe('the configurations to copy', () => {
  const [, , program] = installed.find(([name]) => name === 'nginx') ?? [];
  const pod = readPodGuide();

  it('The example chart and the manifests have the configuration of the guide, and the pod of an image adds what equal times need', () => {
    expect(chartConfiguration()).toBe(guideConfiguration());
    expect(kubernetesConfiguration()).toBe(guideConfiguration());
    expect(pod.added).toBe(linesForImages('nginx'));
    expect(pod.configuration).toContain(pod.added);
  });

  it('What the pod of an image mounts is where nginx reads it, and every volume is used', () => {
    const { containers, initContainers = [], volumes } = pod.spec;
    const mounts = (mountPath: string, name: string) =>
      expect.objectContaining({ name, mountPath });
    const [web] = containers;
    expect(web?.volumeMounts).toContainEqual(
      mounts(/root (\S+);/.exec(pod.configuration)?.[1] ?? '', 'site'),
    );
    expect(web?.volumeMounts).toContainEqual(mounts('/etc/nginx/conf.d', 'web-server'));
    expect(volumes).toContainEqual({ name: 'web-server', configMap: { name: pod.configMap } });
    expect(web?.volumeMounts.map(({ name }) => name).sort()).toEqual(
      volumes.map(({ name }) => name).sort(),
    );
    expect(initContainers).toHaveLength(1);
    for (const { volumeMounts, args } of initContainers) {
      const [, folder = ''] = /include (\S+)\/\*\.conf;/.exec(pod.configuration) ?? [];
      expect(web?.volumeMounts).toContainEqual(mounts(folder, 'redirects'));
      expect(volumeMounts).toEqual([mounts('/srv/site', 'site'), mounts(folder, 'redirects')]);
      expect(args?.join()).toContain(`> ${folder}/site.conf`);
    }
  });

  it.skipIf(program === undefined)(
    'Every address works with the configuration of the pod of an image, without redirects and with them',
    async () => {
      const block = pod.configuration;
      rmSync(join(folder, 'redirects'), { recursive: true, force: true });
      const init = { name: 'nginx', program: program ?? '', folder, block } as const;
      {
        await using server = await startServer(init);
        const addresses = [
          ...readFileSync(inSite('sitemap.xml'), 'utf8').matchAll(/<loc>([^<]+)<\/loc>/g),
        ];
        expect(addresses.length).toBeGreaterThan(40);
        for (const [, loc = ''] of addresses) await expectPage(server, new URL(loc).pathname);
        const slash = await ask(server, '/how-to/roll-back/');
        expect([slash.status, slash.headers.get('location')]).toEqual([301, '/how-to/roll-back']);
        for (const address of ['/how-to/nowhere', '/404', '/old-start', '/_redirects']) {
          const unknown = await ask(server, address);
          expect([unknown.status, await unknown.text()]).toEqual([
            404,
            readFileSync(inSite('404.html'), 'utf8'),
          ]);
        }
      }
      mkdirSync(join(folder, 'redirects'));
      const [command = ''] = pod.spec.initContainers?.[0]?.args ?? [];
      expect(runForRedirects(command, folder)).toContain('rewrite ');
      await using server = await startServer(init);
      const moved = await ask(server, '/old-start');
      expect([moved.status, moved.headers.get('location')]).toEqual([
        301,
        '/tutorial/first-export',
      ]);
    },
    60_000,
  );
});

test.each(tableWith('Netlify'))(
  'The table of rules says what becomes of $Rule for $Address here',
  ({ Rule: rule = '', Address: asked = '', ...cells }) => {
    const [, written = ''] = /^`([^`]+)`/.exec(rule) ?? [];
    const [path = '', query = ''] = asked.replaceAll('`', '').split(/(?=\?)/);
    const { rules } = readSafeRules(written);
    const reply = redirectsOf(rules)(path, query);
    const here = reply === undefined ? '404' : `${reply.status} \`${reply.location}\``;
    // A page at its address precedes a rule; that is tried on every server above.
    const isBesidePage = rule.endsWith('beside a page');
    expect(cells['nginx, Caddy, `serve`']).toBe(isBesidePage ? 'the page' : here);
  },
);

describe('other servers', () => {
  const others = [
    [
      'npx serve',
      findTool('serve'),
      (port: number) => ['-n', '-l', `tcp://127.0.0.1:${port}`, '.'],
    ],
    [
      'python3 -m http.server',
      findTool('python3'),
      (port: number) => ['-m', 'http.server', '--bind', '127.0.0.1', `${port}`],
    ],
  ] as const;

  for (const [name, program] of others)
    if (program === undefined)
      console.warn(`${name} is not installed: its column in the guide is not tried.`);

  describe.each(others)('%s', (name, program, wordsFor) => {
    it.skipIf(program === undefined)(
      `The table of the guide says what ${name} does with each address`,
      async () => {
        const site = join(folder, 'small');
        mkdirSync(join(site, 'guide'), { recursive: true });
        const files = {
          'index.html': '',
          'guide/index.html': '',
          'guide/start.html': '',
          '404.html': '',
          _redirects: '/old /guide/start',
        };
        for (const [path, text] of Object.entries(files))
          writeFileSync(join(site, path), text || path);
        await using server = await startOther(program ?? '', wordsFor, site);
        const addresses = { 'a rule of `_redirects`': '/old', 'an unknown one': '/nowhere' };
        for (const row of tableWith(name)) {
          const first = row['Address'] ?? '';
          const [, cell = ''] = Object.entries(row).find(([head]) => head.includes(name)) ?? [];
          const address =
            Object.entries(addresses).find(([text]) => text === first)?.[1] ??
            first.replaceAll('`', '');
          const reply = await ask(server, address);
          const location = reply.headers.get('location');
          const body = await reply.text();
          const meant = address.replace(/^\/|\.html$|\/$/g, '');
          const isPage = body === `${meant}.html` || body === `${meant}/index.html`;
          // A page that is shown below another address than its own has links that lead elsewhere.
          const isElsewhere = address.endsWith('/') !== body.endsWith('/index.html');
          expect([address, cell]).toEqual([
            address,
            cellOf({ status: reply.status, location, body, isPage, isElsewhere }),
          ]);
        }
      },
    );
  });
});

interface Seen {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
  readonly isPage: boolean;
  readonly isElsewhere: boolean;
}

/** A reply in the words of the guide's table. */
function cellOf({ status, location, body, isPage, isElsewhere }: Seen): string {
  if (location !== null) return `${status} to \`${location}\``;
  if (body === '404.html') return `\`404.html\`, ${status}`;
  if (status === 200 && isPage)
    return isElsewhere ? 'the page, and its relative links are wrong' : 'the page';
  return String(status);
}
