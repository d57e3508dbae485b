import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderAppSite } from '../../../emulator/src/site/app-site.ts';
import { findChromium, openBrowser, watchPage } from '../../../scripts/browser/browser.ts';
import { makeComparedSite } from '../../../src/site/compare/compared-site.ts';
import { readSiteOrigin } from '../../../src/site/move/base-path.ts';
import { moveSite } from '../../../src/site/move/move-site.ts';
import { writeSite } from '../../support/docs-site.ts';
import { startLiveSite } from '../../support/live-site.ts';
import { Folders } from '../../support/world/folders.ts';

// A browser takes long to start beside other work.
const LIMIT_MS = 120_000;

/** The site of an app that was built below `/documentation`, with the path `/handbook`. */
async function moveApp(): Promise<ReadonlyMap<string, string>> {
  const root = mkdtempSync(join(tmpdir(), 'app-'));
  try {
    const paths = writeSite(root, renderAppSite('/documentation'));
    const files = paths.map((path) => ({ path, bytes: 0, sha256: undefined }));
    const site = makeComparedSite('job-1', files, root);
    const { basePath = '', hosts } = readSiteOrigin(site);
    const to = { url: 'https://acme.github.io/handbook/', path: '/handbook' };
    const { signal } = new AbortController();
    await moveSite({ site, from: { basePath, hosts }, to, signal });
    return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** What a reader can do with a site below `/handbook`. */
async function useSite(files: ReadonlyMap<string, string>) {
  using folders = new Folders();
  const profile = join(folders.root, 'profile');
  await using site = await startLiveSite(({ path }) => {
    const name = path.replace(/^\/handbook\//, '') || 'index';
    const found = [name, `${name}.html`].find((file) => files.has(file));
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
    const body = files.get(found ?? '');
    return body === undefined ? { status: 404 } : { body, headers: { 'content-type': type } };
  });
  await using browser = await openBrowser({ chromium: findChromium(), profile });
  const page = await browser.context.newPage();
  const problems = await watchPage(page, `${site.url}/`);
  await page.goto(`${site.url}/handbook/`);
  await page.waitForLoadState('networkidle');
  const heading = () => page.locator('h1').innerText();
  const opened = await heading();
  await page.evaluate('window.stays = true');
  await page.locator('nav a', { hasText: 'Guide' }).click();
  // A script that takes over fetches the page; the network may be idle before it begins.
  const guide = page.locator('h1', { hasText: 'Guide' });
  await guide.waitFor({ timeout: 10_000 }).catch(() => undefined);
  const followed = await heading();
  const stays: boolean = await page.evaluate('window.stays === true');
  await page
    .getByRole('button')
    .click({ timeout: 10_000 })
    .catch(() => undefined);
  const button = await page.locator('button').allInnerTexts();
  return {
    opened,
    followed,
    stays,
    button,
    problems: problems.filter((one) => !/favicon/.test(one)),
  };
}

it(
  'The script of a moved app takes over its pages in Chromium, and that of one with exchanged links alone does not',
  async () => {
    expect(await useSite(await moveApp())).toEqual({
      opened: 'Docs',
      followed: 'Guide',
      stays: true,
      button: ['1'],
      problems: [],
    });
    const halfMoved = [...renderAppSite('/documentation')].map(
      ([path, text]) =>
        [path, text.replaceAll(/(href|src)="\/documentation/g, '$1="/handbook')] as const,
    );
    expect(await useSite(new Map(halfMoved))).toMatchObject({ opened: 'Not found', stays: false });
  },
  LIMIT_MS,
);
