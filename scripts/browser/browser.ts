import { existsSync } from 'node:fs';
import { type BrowserContext, chromium as launcher, type Page } from 'playwright-core';

export interface Finding {
  readonly page: string;
  readonly what: string;
}

/** Debian's package, or the program in CHROMIUM. */
export function findChromium(): string {
  const destinations = [
    process.env.CHROMIUM ?? '',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const found = destinations.find((destination) => destination !== '' && existsSync(destination));
  if (!found)
    throw new Error(
      'no Chromium found: install Debian\'s package "chromium", or set CHROMIUM to its path',
    );
  return found;
}

export interface Browser extends AsyncDisposable {
  readonly context: BrowserContext;
}

/** A browser with a separate profile, which sends no requests on its own. */
export async function openBrowser({
  chromium,
  profile,
}: {
  chromium: string;
  profile: string;
}): Promise<Browser> {
  const context = await launcher.launchPersistentContext(profile, {
    executablePath: chromium,
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return { context, [Symbol.asyncDispose]: () => context.close() };
}

/**
 * Blocks every request that leaves the site, and adds everything that goes wrong on the page to the
 * returned list.
 */
export async function watchPage(page: Page, base: string): Promise<string[]> {
  const problems: string[] = [];
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(base) || url.startsWith('data:')) return route.continue();
    problems.push(`requests ${url}, which is outside of the site`);
    return route.abort();
  });
  page.on('requestfailed', (request) => {
    problems.push(
      `request failed: ${request.url()} (${request.failure()?.errorText ?? 'no reason given'})`,
    );
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console error: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    problems.push(`uncaught error: ${error.message}`);
  });
  return problems;
}
