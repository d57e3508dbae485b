import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Answer, startLiveSite, staticHost } from '../../../test/support/live-site.ts';
import { findChromium, openBrowser, watchPage } from '../../browser/browser.ts';
import type { Stage } from '../stage.ts';
import { assertGreen, type ExampleCase, nameIn, sumsOf } from './case.ts';

/** The path of the repository, below which Pages serves its site. */
const PATH = '/app';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** What is deployed to the folder, as Pages serves it. */
function pagesHost(folder: string): Answer {
  return async ({ path, ...request }) => {
    if (!path.startsWith(`${PATH}/`)) return { status: 404 };
    const below = path.slice(PATH.length);
    const reply = await staticHost(() => filesIn(folder))({ ...request, path: below });
    const type = TYPES[extname(below.replace(/\?.*/, ''))];
    if (type === undefined || reply.status === 404) return reply;
    return { ...reply, headers: { 'content-type': type } };
  };
}

function filesIn(folder: string): Record<string, Buffer> {
  if (!existsSync(folder)) return {};
  const names = sumsOf(folder).map(nameIn);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Opens the start page and the pages that it links to. Gives their number. */
async function openInBrowser(url: string): Promise<number> {
  const profile = mkdtempSync(join(tmpdir(), 'docs-courier-profile-'));
  try {
    await using browser = await openBrowser({ chromium: findChromium(), profile });
    const page = await browser.context.newPage();
    const problems = await watchPage(page, `${url}/`);
    await page.goto(`${url}/`);
    const links = await page.$$eval('a', (all) => all.map((one) => one.href));
    const inside = [...new Set(links)].filter((link) => link.startsWith(new URL(url).origin));
    assert.ok(inside.length > 0, 'the start page links to no page');
    for (const link of inside) await page.goto(link);
    // A page that was left before its last picture came.
    const real = problems.filter((one) => !one.includes('net::ERR_ABORTED'));
    assert.deepEqual(real, []);
    return inside.length + 1;
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

async function pages(stage: Stage): Promise<string> {
  const folder = join(stage.folder, 'pages');
  await using site = await startLiveSite(pagesHost(folder));
  const url = `${site.url}${PATH}`;
  const example = { example: 'pages.yml', eventName: 'push', env: { EXAMPLES_PAGES_URL: url } };
  const first = await stage.run(example);
  assertGreen(first);
  assert.match(first.log, /No manifest seen: a first deployment/);
  assert.equal(first.outputs.get('deployment')?.page_url, 'https://acme.github.io/app/');
  const names = sumsOf(folder).map(nameIn);
  assert.ok(names.includes('.well-known/security.txt'), 'the site has no hidden file');
  const opened = await openInBrowser(url);
  appendFileSync(join(stage.repository, 'docs/how-to/index.md'), '\nA sentence more.\n');
  const second = await stage.run(example);
  assertGreen(second);
  assert.match(second.log, /\| 0 \| 1 \| 0 \| 0 \| \d+ \|/);
  assert.match(second.log, /\| changed \| `\/how-to` \|/);
  assert.ok(existsSync(join(stage.folder, 'artifacts/changes/changes.html')));
  return `${names.length} files deployed, ${opened} pages opened below ${PATH}/ in Chromium; the second run shows the one page that changed`;
}

export const pagesCase: ExampleCase = { example: 'pages.yml', run: pages };
