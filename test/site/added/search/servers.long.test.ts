import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Browser,
  findChromium,
  openBrowser,
  watchPage,
} from '../../../../scripts/browser/browser.ts';
import { findTool } from '../../../../scripts/examples/tools.ts';
import { startServer } from '../../../cli/servers.ts';
import { addSearch, writeDocsSite } from '../../../support/docs-site.ts';
import { Folders } from '../../../support/world/folders.ts';
import { linesOfGuide } from './guide.ts';
import { POLICY } from './strict-server.ts';

const LIMIT_MS = 120_000;
const installed = (['nginx', 'caddy'] as const).map((name) => [name, findTool(name)] as const);
for (const [name, program] of installed)
  if (program === undefined)
    console.warn(`${name} is not installed: the lines of the guide are not tried on it.`);

const folders = new Folders();
let browser: Browser;
beforeAll(async () => {
  const site = join(folders.workspace, 'site');
  mkdirSync(site);
  await writeDocsSite(site);
  await addSearch(site);
  browser = await openBrowser({ chromium: findChromium(), profile: join(folders.root, 'profile') });
}, LIMIT_MS);
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  folders[Symbol.dispose]();
});

describe.each(installed)('the search behind %s, as the guide configures it', (name, program) => {
  it.skipIf(program === undefined)(
    'The search finds pages under the policy of the guide, and readers get to it',
    { timeout: LIMIT_MS },
    async () => {
      const init = {
        name,
        program: program ?? '',
        folder: folders.workspace,
        more: linesOfGuide[name],
      };
      await using server = await startServer(init);
      const page = await browser.context.newPage();
      const faults = await watchPage(page, `${server.url}/`);
      if (name === 'nginx') {
        await page.goto(`${server.url}/how-to/roll-back`);
        await page.keyboard.press('Control+k');
      } else await page.goto(`${server.url}/search`);
      await page.waitForURL(/\/docs-courier\/search\.html$/);
      await page.getByRole('searchbox').fill('kuberentes secret');
      await page.getByRole('link', { name: 'Deploy to Kubernetes' }).first().click();
      await page.waitForURL(/deliver-to-kubernetes/);
      const reply = await fetch(`${server.url}/docs-courier/search.html`);
      expect(reply.headers.get('content-security-policy')).toBe(POLICY);
      const other = await fetch(`${server.url}/how-to/roll-back`);
      expect(other.headers.get('content-security-policy')).toBeNull();
      expect(faults).toEqual([]);
    },
  );
});
