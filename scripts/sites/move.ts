import { cpSync, existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { readSiteOrigin } from '../../src/site/move/base-path.ts';
import { moveSite } from '../../src/site/move/move-site.ts';
import { addressOfPage, isPage } from '../../src/site/page-names.ts';
import { type BuiltSite, openSite, type Scratch } from './inspect.ts';

const PAGES = 5;
/** On a machine that does other work. */
const SLOWEST_MS = 120_000;
const SETTLE_MS = 1500;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
};

/** A site below a path of a host, as GitHub Pages serves it; everything else is a 404. */
class PathServer implements AsyncDisposable {
  /** What was asked for outside of the path. */
  readonly outside: string[] = [];
  readonly #server: Server;

  constructor(root: string, prefix: string) {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '', 'http://host').pathname);
      const isInside = `${path}/`.startsWith(`${prefix}/`);
      if (!isInside && path !== '/favicon.ico') this.outside.push(path);
      const found = isInside ? fileAt(root, path.slice(prefix.length)) : undefined;
      const isFolder = found?.endsWith('/index.html') === true && !path.endsWith('/');
      if (isFolder && !path.endsWith('.html')) {
        response.writeHead(301, { location: `${path}/` }).end();
        return;
      }
      const type = TYPES[extname(found ?? '.html')] ?? 'application/octet-stream';
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': type });
      response.end(found === undefined ? 'Not found' : readFileSync(found));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function fileAt(root: string, path: string): string | undefined {
  const forms = [path, `${path}.html`, `${path}/index.html`].map((form) => join(root, form));
  return forms.find((form) => existsSync(form) && statSync(form).isFile());
}

/** Follows the first visible link to another page of the site, as soon as this has returned. */
const FOLLOW_LINK = `(() => {
  const isOther = (one) => one.origin === location.origin && one.pathname !== location.pathname && !one.target;
  const link = [...document.querySelectorAll('a[href]')].find((one) => one.checkVisibility() && isOther(one));
  if (link !== undefined) setTimeout(() => link.click());
  return link !== undefined;
})()`;

/** What a reader of a page sees and can do, with the address of the site left out. */
async function observePage(page: Page, site: string, path: string): Promise<string[]> {
  const seen: string[] = [];
  const note = async (when: string) => {
    await page.waitForLoadState('networkidle', { timeout: SLOWEST_MS });
    // A router shows the page some time after the address.
    await page.waitForTimeout(SETTLE_MS);
    const [title, text, hrefs]: [string, string, string[]] = await page.evaluate(
      `[document.title, document.body.innerText, [...document.querySelectorAll('a[href], link[rel=canonical]')].map((one) => one.href)]`,
    );
    const address = page.url().replace(site, '');
    seen.push(
      ...[address, title, text, ...hrefs].map(
        (line) => `${when}: ${line.replaceAll(site, 'SITE')}`,
      ),
    );
  };
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  await page.goto(site + path, { timeout: SLOWEST_MS });
  await note('opened');
  await page.evaluate('window.stays = true');
  const before = new URL(page.url()).pathname;
  const isFollowed: boolean = await page.evaluate(FOLLOW_LINK);
  if (!isFollowed) return seen;
  await page.waitForURL((url) => url.pathname !== before, {
    timeout: SLOWEST_MS,
    waitUntil: 'commit',
  });
  await note('followed');
  seen.push(`without loading: ${await page.evaluate('window.stays === true')}`);
  await page.goto(page.url(), { timeout: SLOWEST_MS });
  await note('loaded');
  return seen;
}

interface Observed {
  readonly pages: ReadonlyMap<string, readonly string[]>;
  readonly outside: readonly string[];
}

async function observe(
  site: BuiltSite,
  prefix: string,
  context: BrowserContext,
): Promise<Observed> {
  await using server = new PathServer(site.root, prefix);
  const url = (await server.start()) + prefix;
  const pages = new Map<string, readonly string[]>();
  for (const file of site.compared.paths.filter(isPage).sort().slice(0, PAGES)) {
    const page = await context.newPage();
    pages.set(file, await observePage(page, url, addressOfPage(file)));
    await page.close();
  }
  return { pages, outside: server.outside };
}

/**
 * Moves a site that was built below one path to another one, and compares it in Chromium with what
 * the generator itself builds there: each line is a difference, or an address outside of the path.
 */
export async function findMoved(
  below: BuiltSite,
  right: BuiltSite,
  context: BrowserContext,
  scratch: Scratch,
): Promise<string[]> {
  const root = mkdtempSync(join(scratch.folder, 'moved-'));
  cpSync(below.root, root, { recursive: true });
  const { compared: site } = openSite('moved', root, right.basePath);
  const from = readSiteOrigin(site);
  // Relative addresses work everywhere.
  if (from.basePath === undefined) return [];
  if (from.basePath !== below.basePath) return [`the base path ${from.basePath} was found`];
  // The host of the sites, so that canonical addresses are compared too.
  const to = { url: `https://docs.lantern.example${right.basePath}/`, path: right.basePath };
  const { signal } = new AbortController();
  const { unsure } = await moveSite({
    site,
    from: { ...from, basePath: from.basePath },
    to,
    signal,
  });
  const mine = await observe(openSite('moved', root, right.basePath), right.basePath, context);
  const theirs = await observe(right, right.basePath, context);
  return [
    ...unsure.map(({ page, target }) => `not certain: ${target} in ${page}`),
    ...mine.outside.map((path) => `outside: ${path}`),
    ...[...theirs.pages].flatMap(([page, seen]) => differences(page, seen, mine.pages.get(page))),
  ];
}

function differences(
  page: string,
  right: readonly string[],
  mine: readonly string[] = [],
): string[] {
  const at = right.findIndex((line, index) => line !== mine[index]);
  if (at < 0 && mine.length === right.length) return [];
  return [`${page}: ${mine[at]?.slice(0, 200)}, not ${right[at]?.slice(0, 200)}`];
}
