/**
 * Exports this documentation twice through the built action, from some commits ago and from now,
 * and takes the picture of `changes.html` that the README and the guide show.
 *
 *     npm run changes-picture -- --from REF   default: HEAD~60
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { findChromium, openBrowser, watchPage } from './browser/browser.ts';
import { CHECKOUT, requireBuiltAction, runExport, startDemo } from './demo/world.ts';

const PICTURE = join(CHECKOUT, 'docs/images/changes.png');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { from: { type: 'string', default: 'HEAD~60' } } });
  requireBuiltAction();
  const chromium = findChromium();
  const folder = await mkdtemp(join(tmpdir(), 'changes-picture-'));
  try {
    const page = join(folder, 'changes.html');
    await writeFile(page, await exportTwice(join(folder, 'docs'), values.from));
    await using browser = await openBrowser({ chromium, profile: join(folder, 'profile') });
    await takePicture(await browser.context.newPage(), page);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(PICTURE);
}

/** The text of `changes.html` from the action. */
async function exportTwice(site: string, from: string): Promise<string> {
  // Not `git archive`, which leaves out the files that releases exclude.
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: CHECKOUT, encoding: 'buffer' });
  for (const path of git('ls-tree', '-r', '--name-only', from, 'docs')
    .toString()
    .trim()
    .split('\n')) {
    const file = join(site, path.slice('docs/'.length));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, git('show', `${from}:${path}`));
  }
  await using world = await startDemo({ site, exportMs: 1000 });
  await runExport({ world });
  await rm(site, { recursive: true });
  await cp(join(CHECKOUT, 'docs'), site, { recursive: true });
  const { tempTexts, log } = await runExport({ world, inputs: { 'compare-with': 'previous' } });
  const [, text] = Object.entries(tempTexts).find(([path]) => path.endsWith('changes.html')) ?? [];
  if (text === undefined) throw new Error(`the action did not write changes.html:\n${log}`);
  return text;
}

async function takePicture(page: Page, file: string): Promise<void> {
  const url = String(pathToFileURL(file));
  const faults = await watchPage(page, url);
  await page.setViewportSize({ width: 1120, height: 1180 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(url);
  const unfolding = page.locator('summary.row');
  if ((await unfolding.count()) > 0) await unfolding.first().click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: PICTURE });
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
