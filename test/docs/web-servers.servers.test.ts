import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../scripts/examples/tools.ts';
import { readBasePath, readSiteRules } from '../../src/cli/redirects.ts';
import { serveSite } from '../../src/cli/serve.ts';
import {
  askRaw,
  guideConfiguration,
  makeRedirects,
  readPodGuide,
  runForRedirects,
  type ServerName,
  startServer,
  type WebServer,
} from '../cli/servers.ts';
import { recordingLog } from '../support/recording-log.ts';

/** Each page has its name as its text. */
const PAGES = [
  '404',
  'guide',
  'guide/agents.md',
  'guide/index',
  'guide/llms.txt',
  'guide/start',
  'guide/vite.config.mjs',
  'index',
  'search/index',
];
const STYLES = 'p { color: red }\n'.repeat(200);
const KEPT = ['main.3f9a2b1c.css', '9a9c897c0d1e2f3a.js'];
const ASKED_FOR = ['bootstrap5.css', 'html5shiv.js', 'docs2026.css', 'index-DxQwPfHe.js'];

const folder = mkdtempSync(join(tmpdir(), 'docs-courier-web-servers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const files = {
    ...Object.fromEntries(PAGES.map((page) => [`${page}.html`, page])),
    ...Object.fromEntries([...KEPT, ...ASKED_FOR].map((name) => [`assets/${name}`, STYLES])),
    _headers: '/*\n  Basic-Auth: someone:password\n',
    _redirects: '/old /guide/start 301\n',
    'guide/_headers': '/*\n  Basic-Auth: someone:password\n',
    'guide/_redirects': '/old /start\n',
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'site', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});

const nginx = ['nginx', 'nginx'] as const;
/**
 * What is copied, the program that runs it, and the configuration; undefined: that of the guide.
 * Manifests and chart have the text of the guide, as a test of `serve.servers.test.ts` says.
 */
const configurations = [
  ['the guide', ...nginx, guideConfiguration()],
  ['the pod of an image', ...nginx, readPodGuide().configuration],
  ['the guide', 'caddy', 'caddy', undefined],
  ['the guide', 'caddy', 'caddy-debian', undefined],
] as const satisfies (readonly [string, ServerName, string, string | undefined])[];

interface Row {
  readonly title: string;
  readonly program: string | undefined;
  /** It compresses, and tells browsers what to keep. */
  readonly isWebServer: boolean;
  readonly start: (program: string) => Promise<WebServer>;
}

const rows: readonly Row[] = [
  ...configurations.map(
    ([copied, name, tool, block]): Row => ({
      title: `${tool} as in ${copied}`,
      program: findTool(tool),
      isWebServer: true,
      start: (program) => {
        makeRedirects(name, folder);
        return startServer({ name, program, folder, block });
      },
    }),
  ),
  {
    title: 'docs-courier serve',
    program: process.execPath,
    isWebServer: false,
    start: () => {
      const site = join(folder, 'site');
      const rules = readSiteRules(site, '', recordingLog());
      return serveSite({ folder: () => site, rules, port: 0 });
    },
  },
];

describe.each(rows)('$title', ({ title, program, isWebServer, start }) => {
  if (program === undefined) console.warn(`${title} is not tried: the program is not installed.`);

  describe.skipIf(program === undefined)('with a site that has surprising names', () => {
    let server: WebServer;
    beforeAll(async () => {
      server = await start(program ?? '');
    }, 60_000);
    afterAll(() => server[Symbol.asyncDispose]());

    const ask = (address: string, headers: Record<string, string> = {}) =>
      fetch(server.url + address, { redirect: 'manual', headers });

    it.each([
      ['/guide', 'guide'],
      ['/guide/', 'guide/index'],
      ['/guide/start', 'guide/start'],
      ['/guide/agents.md', 'guide/agents.md'],
      ['/guide/agents.md.html', 'guide/agents.md'],
      ['/guide/llms.txt', 'guide/llms.txt'],
      ['/guide/vite.config.mjs', 'guide/vite.config.mjs'],
      ['/search/?q=a%20b', 'search/index'],
    ])(`%s is the page %s with its type on ${title}`, async (address, page) => {
      const reply = await ask(address);
      expect([reply.status, await reply.text()]).toEqual([200, page]);
      expect(reply.headers.get('content-type')).toMatch(/^text\/html\b/);
    });

    it.each([
      ['/search?q=a%20b&x=%2F', '/search/?q=a%20b&x=%2F'],
      ['/guide/start/?q=a%20b', '/guide/start?q=a%20b'],
      ['/old?q=a%20b', '/guide/start?q=a%20b'],
    ])(`%s is redirected to %s on ${title}`, async (address, target) => {
      const { status, headers } = await ask(address);
      expect([301, 308]).toContain(status);
      expect(headers.get('location')).toBe(target);
    });

    it.each([
      '/_headers',
      '/%5fheaders',
      '//_headers',
      '/guide/../_headers',
      '/./_headers',
      '/_headers?x',
      '/_redirects',
      '//_redirects',
      '/guide/_headers',
      '/guide//_redirects',
      '/nowhere',
    ])(`%s is a 404 without the file on ${title}`, async (address) => {
      expect((await askRaw(server, address)).status).toBe(404);
      expect(await (await ask(address)).text()).toBe('404');
    });

    describe.runIf(isWebServer)('which compresses', () => {
      it.each(KEPT)(`%s has a hash and is kept for a year on ${title}`, async (name) => {
        const { headers } = await ask(`/assets/${name}`);
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      });

      it.each(ASKED_FOR)(
        `%s may have no hash and is asked for each time on ${title}`,
        async (name) => {
          const { headers } = await ask(`/assets/${name}`);
          expect(headers.get('cache-control')).toBe('no-cache');
        },
      );

      it(`Caches in front of ${title} are told that the compressed file is not for everyone`, async () => {
        const reply = await ask('/assets/main.3f9a2b1c.css', { 'accept-encoding': 'gzip' });
        expect(reply.headers.get('content-encoding')).toBe('gzip');
        expect(reply.headers.get('vary')).toMatch(/^accept-encoding$/i);
        const plain = await ask('/assets/main.3f9a2b1c.css', { 'accept-encoding': 'identity' });
        expect(plain.headers.get('content-encoding')).toBeNull();
        expect(await plain.text()).toBe(STYLES);
      });
    });
  });
});

const BASE = '/handbook';
const below = mkdtempSync(join(tmpdir(), 'docs-courier-below-'));
afterAll(() => rmSync(below, { recursive: true, force: true }));

beforeAll(() => {
  const files = {
    'index.html': `<a href="${BASE}/start"></a><a href="${BASE}/guide/"></a>`,
    'start.html': 'start',
    'guide/index.html': 'guide',
    '404.html': '404',
    _headers: '/*\n  Basic-Auth: someone:password\n',
    _redirects: `/old /start\n${BASE}/older ${BASE}/guide/\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(below, 'site', BASE, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});

const rowsBelow: readonly Row[] = [
  ...(['nginx', 'caddy', 'caddy-debian'] as const).map((tool): Row => {
    const name = tool === 'nginx' ? 'nginx' : 'caddy';
    return {
      title: `${tool} as in the guide`,
      program: findTool(tool),
      isWebServer: true,
      start: (program) => {
        const command = `docs-courier redirects /srv/site${BASE} --server ${name}`;
        runForRedirects(`mkdir -p /srv/redirects\n${command} > /srv/redirects/site.conf\n`, below);
        return startServer({ name, program, folder: below, basePath: BASE });
      },
    };
  }),
  {
    title: 'docs-courier serve',
    program: process.execPath,
    isWebServer: false,
    start: () => {
      const site = join(below, 'site', BASE);
      const basePath = readBasePath(site);
      const rules = readSiteRules(site, basePath, recordingLog());
      return serveSite({ folder: () => site, basePath, rules, port: 0 });
    },
  },
];

describe.each(rowsBelow)('$title, for a site below a path', ({ title, program, start }) => {
  describe.skipIf(program === undefined)('in a folder of that name', () => {
    let server: WebServer;
    beforeAll(async () => {
      server = await start(program ?? '');
    }, 60_000);
    afterAll(() => server[Symbol.asyncDispose]());

    const ask = (address: string) => fetch(server.url + address, { redirect: 'manual' });

    it.each([
      ['/start', 200, 'start'],
      ['/guide/', 200, 'guide'],
      ['/nowhere', 404, '404'],
      ['/_headers', 404, '404'],
      ['/_redirects', 404, '404'],
    ])(`%s below it is answered with %d and %s on ${title}`, async (address, status, text) => {
      const reply = await ask(BASE + address);
      expect([reply.status, await reply.text()]).toEqual([status, text]);
    });

    it.each([
      ['', '/'],
      ['/guide?q=1', '/guide/?q=1'],
      ['/start/', '/start'],
      ['/old?q=1', '/start?q=1'],
      ['/older', '/guide/'],
    ])(`%s below it is redirected to %s on ${title}`, async (address, target) => {
      const { status, headers } = await ask(BASE + address);
      expect([301, 308]).toContain(status);
      expect(headers.get('location')).toBe(BASE + target);
    });
  });
});
