import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Browser, findChromium, openBrowser, watchPage } from '../../../../scripts/browser/browser.ts';
import type { Comparison } from '../../../../src/bundle/compare/comparison.ts';
import { renderChangesPage } from '../../../../src/publish/changes/page/page.ts';
import injections from '../../../fixtures/injections/texts.json' with { type: 'json' };
import { makeComparison } from '../../../support/make-comparison.ts';
import { Folders } from '../../../support/world/folders.ts';

// A browser takes long to start, and to lay out 20,000 pages, beside other work.
const LIMIT_MS = 120_000;
const folders = new Folders();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser({ chromium: findChromium(), profile: join(folders.root, 'profile') });
}, LIMIT_MS);
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  folders[Symbol.dispose]();
});

/** The page in a browser from a `file:` address, and every error on it. */
async function open(changes: Comparison): Promise<{ page: Page; faults: string[] }> {
  const init = { changes, site: 'docs.example.com', siteUrl: 'https://docs.example.com', comparedAt: new Date(0) };
  const file = join(folders.workspace, 'changes.html');
  writeFileSync(file, renderChangesPage(init));
  const page = await browser.context.newPage();
  page.setDefaultTimeout(60_000);
  const url = String(pathToFileURL(file));
  const faults = await watchPage(page, url);
  page.on('dialog', (dialog) => {
    faults.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, faults };
}

const results = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

const excerpts = [{ before: 'the link expires after a day', after: 'the link expires after twelve hours' }];
const section = (name: string) => ({ section: name, pages: 9, added: 1, removed: 0, moved: 0, changed: 0 });
const SOME = makeComparison({
  sections: ['/', '/api', '/guide'].map(section),
  added: [
    { path: '/api/jobs', title: 'Jobs' },
    { path: '/changelog', title: 'Changelog' },
  ],
  changed: [
    { path: '/guide/start', title: 'Start', wordsAdded: 2, wordsRemoved: 1, excerpts },
    { path: '/guide/deploy', title: 'Deploy', wordsAdded: 1, wordsRemoved: 1, excerpts: [{ before: 'a', after: 'b' }] },
  ],
  removed: [{ path: '/guide/old', title: 'Old page' }],
  moved: [{ from: '/install', to: '/guide/install', title: 'Install' }],
  lost: [
    { path: '/guide/old', title: 'Old page', links: 1, linkedFrom: ['/guide/start'] },
    { path: '/install', title: 'Install', redirect: '/guide/install', links: 0, linkedFrom: [] },
  ],
});

const titles = (page: Page) => page.locator('[data-kind]:visible .title').allTextContents();
const said = (page: Page) => page.locator('output').innerText();
const left = (page: Page, hasText: string) => page.locator('output', { hasText }).waitFor();
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.querySelector('.title')?.textContent ?? document.activeElement?.tagName);

describe('the page of changes in a browser', { timeout: LIMIT_MS }, () => {
  it('The page of changes filters by text, kind and section, and says how many pages are left', async () => {
    const { page, faults } = await open(SOME);
    expect(await said(page)).toBe('6 pages');
    await page.getByRole('searchbox').fill('TWELVE hours');
    await left(page, '1 of 6 pages');
    expect(await titles(page)).toEqual(['Start']);
    await page.getByRole('searchbox').fill('');
    await left(page, '6 pages');
    await page.getByRole('button', { name: 'Added' }).click();
    await page.getByRole('button', { name: 'Removed' }).click();
    expect(await titles(page)).toEqual(['Changelog', 'Jobs', 'Old page']);
    await page.getByRole('combobox').selectOption({ label: '/api' });
    expect(await titles(page)).toEqual(['Jobs']);
    await page.getByRole('searchbox').fill('nothing like that');
    await page.getByText('No page fits the filter.').waitFor();
    expect(faults).toEqual([]);
  });

  it('The page of changes can be used by keyboard, and shows excerpts with the words marked', async () => {
    const { page, faults } = await open(SOME);
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('INPUT');
    await page.keyboard.type('guide/');
    await left(page, '4 of 6 pages');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Old page');
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('Install');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.locator('ins:visible').first().waitFor();
    expect(await page.locator('del:visible').allTextContents()).toEqual(['a day']);
    expect(await page.locator('ins:visible').allTextContents()).toEqual(['twelve hours']);
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('Old page');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    expect(await said(page)).toBe('6 pages');
    expect(faults).toEqual([]);
  });

  it("The page of changes follows the system's light or dark mode until the reader chooses, and keeps the choice", async () => {
    const { page, faults } = await open(SOME);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await background();
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).not.toBe(dark);
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await expect.poll(background).toBe(dark);
    const reloaded = async () => {
      await page.reload();
      return background();
    };
    // The browser stores the choice a moment later, and a page that is loaded before that does not see it.
    await expect.poll(reloaded, { timeout: LIMIT_MS / 2 }).toBe(dark);
    await page.evaluate(() => localStorage.clear());
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('The page of changes is accessible in its %s colours', async (colorScheme) => {
    const { page } = await open(SOME);
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    const { violations } = results.parse(await page.evaluate(`${axe.source}; axe.run()`));
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  });

  it('The page of changes shows everything without scripts, and on paper', async () => {
    const { page } = await open(SOME);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('ins').first().isVisible()).toBe(true);
    const file = new URL(page.url());
    writeFileSync(file, readFileSync(file, 'utf8').replace(/<script>[\s\S]*?<\/script>/g, ''));
    await page.emulateMedia({ media: 'screen' });
    await page.reload();
    expect(await titles(page)).toHaveLength(6);
    expect(await page.locator('.tools').isVisible()).toBe(false);
  });

  it('The page of changes shows hostile texts as text, and runs no part of them', async () => {
    const corpus = z.object({ text: z.string() });
    const hostile = readFileSync(new URL('../../../fixtures/hostile/texts.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .map((line) => corpus.parse(JSON.parse(line)).text);
    const texts = [...SCRIPTS, ...hostile, ...injections.texts.map(({ text }) => text)];
    const named = texts.map((text) => ({ path: `/${text}`, title: text }));
    const { page, faults } = await open({
      ...makeComparison({
        added: named,
        removed: named.map((entry) => ({ ...entry, redirect: entry.title })),
        moved: texts.map((text) => ({ from: text, to: text, title: text })),
        changed: named.map((entry) => ({
          ...entry,
          wordsAdded: 1,
          wordsRemoved: 1,
          headings: { added: [entry.title], removed: [entry.title] },
          excerpts: [{ before: entry.title, after: `${entry.title} ${entry.title}` }],
        })),
        lost: named.map((entry) => ({ ...entry, movedTo: entry.path, links: 1, linkedFrom: [entry.path] })),
      }),
      from: { jobId: '</code><script>alert("id")</script>', pages: 1, files: 1, bytes: 1 },
    });
    await page.getByRole('button', { name: 'Show excerpts' }).click();
    await page.getByRole('searchbox').fill('<script>alert');
    await left(page, ' of ');
    expect(texts.length).toBeGreaterThan(150);
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('main img, iframe, object, embed, form, base, style ~ style, math, video').count()).toBe(
      0,
    );
    const links = await page
      .locator('a[href]')
      .evaluateAll((found) => found.map((one) => one.getAttribute('href') ?? ''));
    expect(links.filter((href) => !/^(#|https:\/\/docs\.example\.com\/)/.test(href))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('The page of changes shows 20,000 pages without blocking the browser', async () => {
    const changed = Array.from({ length: 20_000 }, (_, index) => ({
      path: `/section-${index % 60}/page-${index}`,
      title: `About topic ${index}`,
      wordsAdded: 5,
      wordsRemoved: 2,
      excerpts: [{ before: `topic ${index} was short `.repeat(8), after: `topic ${index} became long `.repeat(8) }],
    }));
    const { page, faults } = await open(
      makeComparison({ changed, sections: Array.from({ length: 60 }, (_, index) => section(`/section-${index}`)) }),
    );
    expect(await said(page)).toBe('20,000 pages');
    expect(await page.locator('.notes').innerText()).toContain('are left out, so that this file stays below 16.0 MiB');
    await page.getByRole('searchbox').fill('topic 1999');
    await left(page, '12 of 20,000 pages');
    await page.getByRole('searchbox').fill('');
    await left(page, '20,000 pages');
    expect(await page.locator('.group').count()).toBe(60);
    expect(faults).toEqual([]);
  });
});

/** Texts that run a script if one of them is read as markup. */
const SCRIPTS = [
  '<script>alert("tag")</script>',
  '</title></style></script><script>alert("break out")</script>',
  '"><img src=x onerror=alert("attribute")>',
  "'><svg onload=alert('quote')>",
  '<a href="javascript:alert(1)">x</a>',
  'javascript:alert("url")',
  '//evil.example/x',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<style>*{background:url(https://evil.example/)}</style>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '&lt;script&gt;alert("entity")&lt;/script&gt;',
  '\u202egnp.exe <b>',
  '${alert("template")} {{constructor.constructor("alert(1)")()}}',
  '--></noscript><script>alert("comment")</script>',
];
