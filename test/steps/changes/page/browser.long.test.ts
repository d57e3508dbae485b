import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { findChromium, openBrowser } from '../../../../scripts/browser/browser.ts';
import { findBarriers } from '../../../../scripts/browser/search-check.ts';
import { renderChangesPage } from '../../../../src/steps/changes/page/page.ts';
import { makeComparison } from '../../../support/make-comparison.ts';
import { Folders } from '../../../support/world/folders.ts';

// A browser takes long to start beside other work.
const LIMIT_MS = 120_000;
/** A word that a browser breaks nowhere. */
const LONG = 'a_configuration_key_that_is_longer_than_the_screen_of_a_telephone'.repeat(2);

it('The page of changes fits 390 pixels, in light and dark, also with long addresses, titles and words', {
  timeout: LIMIT_MS,
}, async () => {
  using folders = new Folders();
  const path = `/guides/${LONG}/${LONG}`;
  const changes = makeComparison({
    added: [{ path, title: LONG }],
    changed: [
      {
        path: '/guide/start',
        title: LONG,
        words: 90,
        wordsAdded: 4000,
        wordsRemoved: 3000,
        movedFrom: path,
      },
      { path: '/guide/next', title: 'Next', words: 90, wordsAdded: 4, wordsRemoved: 0 },
    ],
    removed: [{ path: '/old', title: LONG }],
    moved: [{ from: path, to: `${path}/b`, title: LONG, similarity: 0.87 }],
    sections: [
      {
        section: `/${LONG}`,
        pages: 12_345,
        added: 1200,
        removed: 1150,
        moved: 1100,
        changed: 1234,
      },
    ],
    lost: [{ path, title: LONG, links: 7, linkedFrom: [path, '/guide/start'] }],
  });
  const html = renderChangesPage({
    changes,
    site: `${LONG}.example.com`,
    siteUrl: 'https://docs.example.com',
    to: { when: 'received 2026-03-01 12:00 UTC', commit: 'a'.repeat(40) },
    from: { when: 'in place since 2026-02-01 09:00 UTC', commit: 'b'.repeat(64) },
    comparedAt: new Date('2026-03-01T12:00:00Z'),
  });
  const file = join(folders.workspace, 'changes.html');
  writeFileSync(file, html);
  await using browser = await openBrowser({
    chromium: findChromium(),
    profile: join(folders.root, 'profile'),
  });
  const page = await browser.context.newPage();
  await page.goto(pathToFileURL(file).href);
  expect(await findBarriers(page)).toEqual([]);
  for (const summary of await page.locator('details > summary').all()) await summary.click();
  const { width, view } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    view: document.documentElement.clientWidth,
  }));
  expect(view).toBe(390);
  expect(width).toBeLessThanOrEqual(view);
});
