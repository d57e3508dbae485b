/**
 * Publishes and exports this documentation through the built action, twice: as it was before a
 * merge, and after it. Takes the pictures of README and of the guide: the summary of the second run
 * beside the page of what changed, light and dark, and that page alone.
 *
 *     npm run pictures
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MarkdownIt from 'markdown-it';
import type { Page } from 'playwright-core';
import { readSource } from '../emulator/src/site/source.ts';
import { serveSite } from '../src/cli/serve.ts';
import type { World } from '../test/support/world.ts';
import { findChromium, openBrowser, watchPage } from './browser/browser.ts';
import { fetchBundle } from './demo/deployment.ts';
import {
  CHECKOUT,
  PROJECT,
  readLink,
  requireBuiltAction,
  runExport,
  startDemo,
} from './demo/world.ts';

const IMAGES = join(CHECKOUT, 'docs/images');
const WIDTH = 760;
const HEIGHT = 900;

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Result {
  /** Markdown. */
  readonly summary: string;
  /** HTML. */
  readonly changes: string;
}

async function main(): Promise<void> {
  requireBuiltAction();
  const chromium = findChromium();
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  try {
    const result = await exportTwice(folder);
    const changes = join(folder, 'changes.html');
    const summary = join(folder, 'summary.html');
    await writeFile(changes, result.changes);
    await writeFile(summary, summaryPage(result.summary));
    await using browser = await openBrowser({ chromium, profile: join(folder, 'profile') });
    const page = await browser.context.newPage();
    const faults = await watchPage(page, 'file:');
    await takeResult(page, { folder, summary, changes, scheme: 'light' });
    await takeResult(page, { folder, summary, changes, scheme: 'dark' });
    await takePage(page, changes, {
      path: join(IMAGES, 'changes.png'),
      width: 1120,
      height: 1180,
      scheme: 'light',
    });
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The documentation before a merge that adds a guide, renames one and edits three. */
function beforeMerge(after: Files): Files {
  const guides = Object.keys(after).filter((path) => /^how-to\/(?!index)[\w-]+\.md$/.test(path));
  const [added = '', renamed = '', ...others] = guides;
  const before: Record<string, string | Uint8Array> = { ...after };
  delete before[added];
  delete before[renamed];
  before[renamed.replace('.md', '-of-the-docs.md')] = after[renamed] ?? '';
  for (const path of others.slice(0, 3))
    before[path] = textOf(after[path])
      .split('\n\n')
      .filter((paragraph, at) => at < 4 || !/^[A-Z]/.test(paragraph))
      .join('\n\n');
  return before;
}

function textOf(content: string | Uint8Array = ''): string {
  return Buffer.from(content).toString('utf8');
}

/** What the second run shows. Its deployment takes up each new link, as in the demo. */
async function exportTwice(folder: string): Promise<Result> {
  const after: Files = Object.fromEntries(await readSource(join(CHECKOUT, 'docs')));
  await using world = await startDemo({ site: join(CHECKOUT, 'docs'), exportMs: 1000 });
  const inputs = { publish: 'true', 'project-id': PROJECT };
  await merge(world, beforeMerge(after), 'before');
  await runExport({ world, inputs, sha: shaOf('before') });

  let { root } = await fetchBundle(readLink(world), await mkdtemp(join(folder, 'first-')));
  await using server = await serveSite({ folder: () => root, rules: [], port: 0 });
  const first = readLink(world);
  const taking = setInterval(async () => {
    if (readLink(world) === first) return;
    clearInterval(taking);
    ({ root } = await fetchBundle(readLink(world), await mkdtemp(join(folder, 'second-'))));
  }, 200);
  await merge(world, after, 'after');
  const { summary, tempTexts, log } = await runExport({
    world,
    inputs: { ...inputs, 'compare-with': 'previous', 'live-url': server.url },
    sha: shaOf('after'),
  }).finally(() => clearInterval(taking));
  const [, changes] =
    Object.entries(tempTexts).find(([path]) => path.endsWith('changes.html')) ?? [];
  if (changes === undefined) throw new Error(`the action did not write changes.html:\n${log}`);
  // The address of this machine, in both texts, would only distract.
  return { summary: summary.replaceAll(server.url, 'https://docs.example.com'), changes };
}

function merge(world: World, content: Files, name: string): Promise<void> {
  return world.platform.push({ sha: shaOf(name), content, message: `The merge: ${name}` });
}

function shaOf(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}

/** Markdown as GitHub shows a summary: its fonts and colours, tables, folds and notes. */
function summaryPage(markdown: string): string {
  // Servers have no font with the coloured sign.
  const html = new MarkdownIt({ html: true, linkify: true })
    .render(markdown)
    .replaceAll('✅', '<span class="done">✔</span>');
  const notes = html.replace(
    /<blockquote>\s*<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]/g,
    (_, kind: string) => `<blockquote class="${kind.toLowerCase()}"><p><b>${kind}</b><br>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Summary</title><style>
:root{--text:#1f2328;--page:#fff;--line:#d1d9e0;--soft:#f6f8fa;--link:#0969da;--mute:#59636e;--note:#0969da;--warn:#9a6700}
@media (prefers-color-scheme:dark){:root{--text:#f0f6fc;--page:#0d1117;--line:#3d444d;--soft:#151b23;--link:#4493f8;--mute:#9198a1;--note:#4493f8;--warn:#d29922}}
body{margin:0;padding:28px 32px;background:var(--page);color:var(--text);font:16px/1.5 -apple-system,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif}
h1,h2{border-bottom:1px solid var(--line);padding-bottom:.3em}h1,h2,h3{line-height:1.25;margin:24px 0 16px}:first-child{margin-top:0}
a{color:var(--link)}table{border-collapse:collapse;margin:0 0 16px}th,td{border:1px solid var(--line);padding:6px 13px;text-align:left}
tr:nth-child(2n) td{background:var(--soft)}code{background:var(--soft);border-radius:6px;padding:.2em .4em;font:85% ui-monospace,"DejaVu Sans Mono",monospace}
pre{background:var(--soft);border-radius:6px;padding:16px;overflow:hidden}pre code{padding:0;background:none}
blockquote{border-left:.25em solid var(--line);color:var(--mute);margin:0 0 16px;padding:0 1em}
blockquote.note,blockquote.tip,blockquote.important{border-color:var(--note);color:var(--text)}blockquote.warning,blockquote.caution{border-color:var(--warn);color:var(--text)}
summary{margin-bottom:8px}.done{color:#2da44e}
</style><body>${notes}`;
}

interface Shot {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

async function takePage(page: Page, file: string, shot: Shot): Promise<void> {
  await page.setViewportSize({ width: shot.width, height: shot.height });
  await page.emulateMedia({ colorScheme: shot.scheme });
  await page.goto(String(pathToFileURL(file)));
  const unfolding = page.locator('summary.row');
  if ((await unfolding.count()) > 0) await unfolding.first().click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: shot.path });
}

interface Pair {
  readonly folder: string;
  readonly summary: string;
  readonly changes: string;
  readonly scheme: 'light' | 'dark';
}

/** Both pages side by side, in one picture. */
async function takeResult(page: Page, { folder, summary, changes, scheme }: Pair): Promise<void> {
  const size = { width: WIDTH, height: HEIGHT, scheme };
  const sides = [];
  for (const [name, file] of Object.entries({ summary, changes })) {
    const path = join(folder, `${name}-${scheme}.png`);
    await takePage(page, file, { ...size, path });
    sides.push(`data:image/png;base64,${(await readFile(path)).toString('base64')}`);
  }
  const [border, gap] = scheme === 'light' ? ['#d1d9e0', '#fff'] : ['#3d444d', '#0d1117'];
  const both = join(folder, 'both.html');
  const images = sides.map((source) => `<img alt="" src="${source}">`).join('');
  await writeFile(
    both,
    `<!doctype html><style>body{margin:0;padding:10px;background:${gap};display:flex;gap:20px}
img{border:1px solid ${border};border-radius:8px;width:${WIDTH}px;height:${HEIGHT}px}</style>${images}`,
  );
  await takePage(page, both, {
    path: join(IMAGES, `result-${scheme}.png`),
    width: 2 * (WIDTH + 2) + 40,
    height: HEIGHT + 22,
    scheme,
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
