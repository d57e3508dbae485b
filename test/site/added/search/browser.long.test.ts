import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Browser,
  findChromium,
  openBrowser,
  watchPage,
} from '../../../../scripts/browser/browser.ts';
import { findBarriers } from '../../../../scripts/browser/search-check.ts';
import { addSearch, writeDocsSite, writeSite } from '../../../support/docs-site.ts';
import { Folders } from '../../../support/world/folders.ts';
import { type StrictServer, serveStrictly } from './strict-server.ts';

// A browser takes long to start beside other work.
const LIMIT_MS = 120_000;
const folders = new Folders();
const site = folders.workspace;
let browser: Browser;
let server: StrictServer;

beforeAll(async () => {
  await writeDocsSite(site);
  await addSearch(site);
  server = await serveStrictly(folders.workspace);
  browser = await openBrowser({ chromium: findChromium(), profile: join(folders.root, 'profile') });
}, LIMIT_MS);
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  folders[Symbol.dispose]();
});

/** The search page in a browser, and everything that goes wrong on it. */
async function open(base: string, query = ''): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(60_000);
  const faults = await watchPage(page, base);
  page.on('dialog', (dialog) => {
    faults.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${base}docs-courier/search.html${query}`);
  return { page, faults };
}

const fileBase = (root = site) => `${pathToFileURL(root)}/`;
const bases = () => ({
  'a file: address': fileBase(),
  'a server with a strict policy': `${server.url}/`,
});
const titles = (page: Page) => page.locator('#results h2').allInnerTexts();
const found = (page: Page) => page.locator('#status', { hasText: /found/ }).waitFor();

describe.each(['a file: address', 'a server with a strict policy'] as const)(
  'the search page from %s',
  (place) => {
    it('The search page finds a page, marks the words, and leads to the heading', {
      timeout: LIMIT_MS,
    }, async () => {
      const { page, faults } = await open(bases()[place]);
      await page
        .getByRole('searchbox', { name: 'Search the documentation' })
        .fill('kuberentes secret');
      await found(page);
      expect(await titles(page)).toContain('Deploy to Kubernetes');
      expect(await page.locator('#results mark').first().innerText()).toMatch(/kubernetes|secret/i);
      await page.getByRole('searchbox').fill('why the state is signed');
      await page.locator('.section', { hasText: 'Why the state is signed' }).first().waitFor();
      await page.getByRole('link', { name: 'The life of a bundle link' }).click();
      await page.waitForURL(/explanation\/life-of-a-link\.html#why-the-state-is-signed$/);
      expect(faults).toEqual([]);
    });

    it('The query is in the address, and the back button brings its results back', {
      timeout: LIMIT_MS,
    }, async () => {
      const { page, faults } = await open(bases()[place], '?q=helm%20chart');
      await found(page);
      expect((await titles(page))[0]).toBe('Deploy to Kubernetes');
      await page.getByRole('searchbox').fill('vault');
      await page.getByRole('searchbox').press('Enter');
      await page.waitForURL(/\?q=vault$/);
      await page.getByRole('link', { name: 'Write into Vault or AWS' }).first().click();
      await page.waitForURL(/deliver-to-vault-or-aws\.html/);
      await page.goBack();
      await page.getByRole('link', { name: 'Write into Vault or AWS' }).first().waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('vault');
      await page.goBack();
      await page.getByRole('link', { name: 'Deploy to Kubernetes' }).first().waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('helm chart');
      expect(faults).toEqual([]);
    });

    it('axe finds nothing in light and dark, and at 390 pixels nothing is cut off', {
      timeout: LIMIT_MS,
    }, async () => {
      const { page, faults } = await open(bases()[place], '?q=export');
      await found(page);
      expect(await findBarriers(page)).toEqual([]);
      const { width, view } = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        view: document.documentElement.clientWidth,
      }));
      expect(width).toBeLessThanOrEqual(view);
      expect(faults).toEqual([]);
    });
  },
);

describe('the search page', { timeout: LIMIT_MS }, () => {
  it('The search page can be used by keyboard, and says how many pages were found', async () => {
    const { page, faults } = await open(`${server.url}/`);
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent || document.activeElement?.tagName);
    expect(await focused()).toBe('INPUT');
    await page.keyboard.type('refresh');
    await found(page);
    expect(await page.getByRole('status').innerText()).toMatch(/^\d+ pages were found\.$/);
    const [first, second] = await titles(page);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(first);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(second);
    await page.keyboard.press('/');
    expect(await focused()).toBe('INPUT');
    await page.keyboard.type('qqqqqqq');
    await page.getByText('No page was found').waitFor();
    expect(faults).toEqual([]);
  });

  it('More results are shown on request, and the focus moves to the first of them', async () => {
    const { page, faults } = await open(`${server.url}/`, '?q=link');
    await found(page);
    expect(await titles(page)).toHaveLength(10);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('#results > li').nth(10).waitFor();
    const eleventh = (await titles(page))[10];
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(eleventh);
    expect(faults).toEqual([]);
  });

  it('Markup in titles, headings and text is shown as text, and no script in it runs', async () => {
    using other = new Folders();
    const escaped = '&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(2)&lt;/script&gt;';
    writeSite(other.workspace, [
      ['index.html', '<p>start</p>'],
      [
        'a"b<c>&.html',
        `<title>${escaped}</title><main><h1>${escaped} word</h1><h2 id="x&quot;y">${escaped}</h2><p>word ${escaped}</p></main>`,
      ],
    ]);
    await addSearch(other.workspace);
    const { page, faults } = await open(fileBase(other.workspace), '?q=word%20<b>onerror');
    await found(page);
    expect(await titles(page)).toEqual([
      '<img src=x onerror=alert(1)><script>alert(2)</script> word',
    ]);
    expect(await page.locator('#results img, #results script, #results b').count()).toBe(0);
    await page.locator('#results a').last().click();
    await page.waitForURL(/a%22b%3Cc%3E&\.html#x%22y$|a%22b%3Cc%3E%26\.html#x%22y$/);
    expect(faults).toEqual([]);
  });

  it.each([
    ['index.js', (text: string) => text.slice(0, -9), 'damaged or incomplete'],
    [
      'index.js',
      (text: string) => text.replace('"version":1', '"version":7'),
      'has version 7, and this search reads version 1',
    ],
    ['terms-0.js', (text: string) => text.slice(0, -9), 'damaged or incomplete'],
    [
      'texts-0.js',
      (text: string) => text.replace(/"id":"\w+"/, '"id":"other"'),
      'damaged or incomplete',
    ],
  ])(
    'If the index file %s is damaged, the search page says so in plain words',
    async (name, change, message) => {
      using other = new Folders();
      writeSite(other.workspace, [['index.html', '<h1>Start</h1>']]);
      await addSearch(other.workspace);
      const path = join(other.workspace, 'docs-courier/search', name);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
      const { page } = await open(fileBase(other.workspace), '?q=start');
      await page.locator('#status', { hasText: message }).waitFor();
    },
  );

  it('Ctrl+K and / on a page with the script of the guide lead to the search', async () => {
    using other = new Folders();
    const script = '<script src="../docs-courier/search/open.js" defer></script>';
    writeSite(other.workspace, [['guide/a.html', `<head>${script}</head><h1>Start</h1><input>`]]);
    await addSearch(other.workspace);
    const base = fileBase(other.workspace);
    for (const key of ['/', 'Control+k']) {
      const page = await browser.context.newPage();
      const faults = await watchPage(page, base);
      await page.goto(`${base}guide/a.html`);
      await page.locator('input').press('/');
      expect(await page.locator('input').inputValue()).toBe('/');
      await page.locator('h1').click();
      await page.evaluate(() =>
        document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
      );
      await page.keyboard.press(key);
      await page.waitForURL(/docs-courier\/search\.html$/);
      expect(faults).toEqual([]);
    }
  });
});
