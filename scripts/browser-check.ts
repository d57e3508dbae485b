/**
 * Exports the documentation site through the built action, which downloads the bundle, unpacks it
 * to `extract-to`, verifies it strictly and adds a search. Opens every page of that folder in
 * Chromium, from `file://` and from a static server, with all other network blocked. Any request
 * that fails or leaves the site, any error on the console and any uncaught error fails the check.
 *
 * Then it types the queries of the tests into the added search, from `file://` and from nginx and
 * Caddy as the guides configure them, under the strict policy: at least 45 of 50 must find their
 * page among the first three results, and axe must find nothing.
 *
 *     npm run browser-check -- --screenshots DIR   default: build/screenshots
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { serveSite } from '../src/cli/serve.ts';
import { readQueriesFile } from '../src/search/queries-file.ts';
import { startServer } from '../test/cli/servers.ts';
import { linesOfGuide } from '../test/site/added/search/guide.ts';
import { POLICY } from '../test/site/added/search/strict-server.ts';
import type { World } from '../test/support/world.ts';
import { type Finding, findChromium, openBrowser, watchPage } from './browser/browser.ts';
import { checkSearch } from './browser/search-check.ts';
import { readSite, type Site } from './demo/deployment.ts';
import { CHECKOUT, requireBuiltAction, runExport, startDemo } from './demo/world.ts';
import { findTool } from './examples/tools.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { screenshots: { type: 'string' }, site: { type: 'string' } },
  });
  const screenshots = resolve(values.screenshots ?? join(CHECKOUT, 'build/screenshots'));
  requireBuiltAction();
  const chromium = findChromium();
  await mkdir(screenshots, { recursive: true });

  const site = resolve(values.site ?? join(CHECKOUT, 'docs'));
  await using world = await startDemo({ site, exportMs: 1000 });
  const bundle = await exportSite(world);
  await requireWholeSite(site, bundle);
  await using server = await serveSite({ folder: () => bundle.root, rules: [], port: 0 });
  await using browser = await openBrowser({ chromium, profile: join(world.root, 'profile') });
  const destinations = [
    { name: 'file', base: `${pathToFileURL(bundle.root)}/`, pages: bundle.pages },
    // The server answers 404 with this page, which the browser reports.
    {
      name: 'server',
      base: `${server.url}/`,
      pages: bundle.pages.filter((page) => page !== '404.html'),
    },
  ];
  const findings: Finding[] = [];
  for (const { name, base, pages } of destinations) {
    const found = await checkPages({
      context: browser.context,
      base,
      bundle: { ...bundle, pages },
    });
    console.log(`${name}: ${pages.length} pages opened, ${found.length} findings`);
    findings.push(...found);
  }
  findings.push(...(await checkSearches(browser.context, bundle.root)));
  await takeScreenshots({
    context: browser.context,
    base: `${server.url}/`,
    bundle,
    folder: screenshots,
  });
  console.log(`screenshots in ${screenshots}`);
  for (const { page, what } of findings) console.error(`${page}: ${what}`);
  if (findings.length > 0) process.exitCode = 1;
}

/** The result of the export, in the folder where a workflow would find it. */
async function exportSite(world: World): Promise<Site> {
  const workspace = join(world.root, 'workspace');
  const result = await runExport({
    world,
    workspace,
    inputs: { 'extract-to': 'site', verify: 'strict', add: 'search' },
  });
  if (result.exitCode !== 0)
    throw new Error(`the action ended with exit code ${result.exitCode}:\n${result.log}`);
  const site = result.outputs['site-path'];
  if (!site) throw new Error(`the output site-path is missing:\n${result.log}`);
  return readSite(site);
}

/** A check of every page says nothing about missing pages. */
async function requireWholeSite(site: string, bundle: Site): Promise<void> {
  const sources = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('.md'));
  if (sources.length === 0) throw new Error(`${site} contains no Markdown`);
  if (bundle.pages.length >= sources.length) return;
  throw new Error(
    `the site has ${sources.length} Markdown files, its bundle only ${bundle.pages.length} pages`,
  );
}

interface Visit {
  readonly context: BrowserContext;
  /** Address of the site's root, with a trailing slash. */
  readonly base: string;
  readonly bundle: Site;
}

/** Of the queries for the search. */
const MOST_MISSED = 5;
// Most of the time is a wait until the page is idle.
const PAGES_AT_ONCE = 4;

async function checkPages(visit: Visit): Promise<Finding[]> {
  const waiting = [...visit.bundle.pages];
  const findings: Finding[] = [];
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      findings.push(...(await checkPage(visit, path)));
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work));
  return findings;
}

/** Opens a page, waits until it is idle, and checks what it did. */
async function checkPage({ context, base }: Visit, path: string): Promise<Finding[]> {
  const page = await context.newPage();
  const problems = await watchPage(page, base);
  await page.goto(base + encodeURI(path), { waitUntil: 'networkidle' });
  const text = (await page.locator('body').innerText()).trim();
  if (text.length < 20) problems.push('shows almost no text');
  if ((await page.title()).trim() === '') problems.push('has no title');
  await page.close();
  return problems.map((what) => ({ page: base + path, what }));
}

/** Opens the search wherever the guides serve it. */
async function checkSearches(context: BrowserContext, root: string): Promise<Finding[]> {
  const text = await readFile(join(CHECKOUT, 'test/fixtures/site-search/queries.yml'), 'utf8');
  const { queries } = await readQueriesFile(text, { filter: {}, minResults: undefined });
  const check = async (name: string, base: string) => {
    const { found, findings } = await checkSearch({
      context,
      base,
      queries,
      mostMissed: MOST_MISSED,
    });
    console.log(
      `search, ${name}: ${found} of ${queries.length} queries found, ${findings.length} findings`,
    );
    return findings;
  };
  const all = await check('file', `${pathToFileURL(root)}/`);
  for (const name of ['nginx', 'caddy'] as const) {
    const program = findTool(name);
    if (program === undefined) {
      console.log(`search, ${name}: not installed, so not checked`);
      continue;
    }
    await using server = await startServer({
      name,
      program,
      folder: dirname(root),
      more: linesOfGuide[name],
    });
    all.push(...(await check(name, `${server.url}/`)));
    const { headers } = await fetch(`${server.url}/docs-courier/search.html`);
    if (headers.get('content-security-policy') !== POLICY) {
      all.push({
        page: server.url,
        what: `${name} serves the search without the policy of the guide`,
      });
    }
  }
  return all;
}

async function takeScreenshots(visit: Visit & { folder: string }): Promise<void> {
  const content =
    visit.bundle.pages.find((page) => page.includes('/')) ??
    visit.bundle.pages.at(-1) ??
    'index.html';
  const shots = [
    { name: 'entry', path: 'index.html', dark: false, width: 1280, height: 900 },
    { name: 'content', path: content, dark: false, width: 1280, height: 900 },
    { name: 'dark', path: content, dark: true, width: 1280, height: 900 },
    { name: 'mobile', path: content, dark: false, width: 390, height: 844 },
  ] as const;
  for (const { name, path, dark, width, height } of shots) {
    const page = await visit.context.newPage();
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.goto(visit.base + encodeURI(path), { waitUntil: 'networkidle' });
    await page.screenshot({ path: join(visit.folder, `${name}.png`) });
    await page.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
