import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, findChromium, openBrowser } from '../../scripts/browser/browser.ts';
import { Folders } from '../support/world/folders.ts';
import { pageWith } from './hosts.ts';
import { SNIPPETS } from './snippets.ts';

const ORIGIN = 'http://site.test';

/** The hosts that Chromium asks for something when it opens a page; nothing leaves this machine. */
async function contactedHosts(context: BrowserContext, html: string): Promise<string[]> {
  const page = await context.newPage();
  const hosts = new Set<string>();
  await page.route('**/*', (route) => {
    const { origin, hostname, pathname } = new URL(route.request().url());
    if (origin !== ORIGIN) {
      hosts.add(hostname);
      return route.abort();
    }
    const body = pathname === '/' ? html : '';
    return route.fulfill({ body, contentType: 'text/html' });
  });
  await page.goto(`${ORIGIN}/`);
  // Requests come here in their order: all that the page began with are before this one.
  await page.evaluate(`fetch('${ORIGIN}/end')`);
  await page.close();
  return [...hosts].sort();
}

function hasChromium(): boolean {
  try {
    return existsSync(findChromium());
  } catch {
    console.warn('Skipped: no Chromium is installed, or set in CHROMIUM.');
    return false;
  }
}

describe.skipIf(!hasChromium())('the hosts that verify names', () => {
  const folders = new Folders();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser({
      chromium: findChromium(),
      profile: join(folders.root, 'profile'),
    });
  }, 120_000);
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    folders[Symbol.dispose]();
  });

  test.each(SNIPPETS)(
    'Chromium contacts the hosts of this, and no other: $name',
    async ({ html, hosts }) => {
      expect(await contactedHosts(browser.context, pageWith(html))).toEqual(hosts.toSorted());
    },
    60_000,
  );
});
