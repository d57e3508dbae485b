/**
 * Runs the export of the first workflow of README through the built action, twice: with this
 * documentation as it was before a merge, and after it. Takes the picture of README, light and dark:
 * the summary of the second run beside the page of what changed. That of the guide is such a page
 * with excerpts, which an export has that is compared with the previous one.
 *
 *     npm run pictures
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MarkdownIt from 'markdown-it';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { readSource } from '../emulator/src/site/source.ts';
import { serveSite } from '../src/cli/serve.ts';
import { codeSpan, link } from '../src/ground/text/escape.ts';
import type { StepResult } from '../test/support/runner.ts';
import { findChromium, openBrowser, watchPage } from './browser/browser.ts';
import { CHECKOUT, PROJECT, requireBuiltAction, runExport, startDemo } from './demo/world.ts';

const IMAGES = join(CHECKOUT, 'docs/images');
const WIDTH = 760;
const HEIGHT = 900;
/** Where Pages serves the site of the repository. */
const PAGES = 'https://acme.github.io';
const REPOSITORY_PATH = 'handbook';
const WORKSPACE = '/home/runner/work/handbook/handbook';
const OF_EMULATORS = ['base-url', 'admin-api-key', 'domain'];

const workflow = z.object({
  jobs: z.object({
    export: z.object({
      steps: z.array(z.object({ with: z.optional(z.record(z.string(), z.unknown())) })),
    }),
  }),
});

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Result {
  /** Markdown. */
  readonly summary: string;
  /** HTML. */
  readonly changes: string;
  /** HTML: the same changes since the previous export, of which the texts are known too. */
  readonly excerpts: string;
}

async function main(): Promise<void> {
  requireBuiltAction();
  const chromium = findChromium();
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  try {
    const result = await exportTwice(folder);
    const changes = join(folder, 'changes.html');
    const summary = join(folder, 'summary.html');
    const excerpts = join(folder, 'excerpts.html');
    await writeFile(changes, result.changes);
    await writeFile(excerpts, result.excerpts);
    await writeFile(summary, summaryPage(result.summary));
    await using browser = await openBrowser({ chromium, profile: join(folder, 'profile') });
    const page = await browser.context.newPage();
    const faults = await watchPage(page, 'file:');
    await takeResult(page, { folder, summary, changes, scheme: 'light' });
    await takeResult(page, { folder, summary, changes, scheme: 'dark' });
    await takePage(page, excerpts, {
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

/** What the second run shows. Between the two, the site of the first is deployed. */
async function exportTwice(folder: string): Promise<Result> {
  const after: Files = Object.fromEntries(await readSource(join(CHECKOUT, 'docs')));
  await using world = await startDemo({ site: join(CHECKOUT, 'docs'), exportMs: 1000 });
  const pages = join(folder, 'pages');
  await mkdir(pages);
  await using server = await serveSite({ folder: () => pages, rules: [], port: 0 });
  const inputs = await inputsOfWorkflow(`${server.url}/${REPOSITORY_PATH}`);
  const runBoth = async (name: string, content: Files, comparison: Record<string, string>) => {
    const sha = shaOf(name);
    const workspace = await mkdtemp(join(folder, `${name}-`));
    await world.platform.push({ sha, content, message: `The merge: ${name}` });
    const deployed = await runExport({ world, inputs, sha, workspace });
    const linked = await runExport({ world, inputs: comparison, sha });
    for (const { exitCode, log } of [deployed, linked]) if (exitCode !== 0) throw new Error(log);
    return { deployed, linked, workspace };
  };
  const first = await runBoth('before', beforeMerge(after), {});
  await rename(join(first.workspace, 'site'), join(pages, REPOSITORY_PATH));
  const second = await runBoth('after', after, { 'compare-with': 'previous' });
  const onPages = `${PAGES}/${REPOSITORY_PATH}/`;
  // In place of the address and the folder on this machine, those on Pages and on its runner. An
  // address without TLS is not a link.
  const shown = (text: string) =>
    text
      .replaceAll(server.url, PAGES)
      .replaceAll(codeSpan(onPages), link(codeSpan(onPages), onPages))
      .replaceAll(second.workspace, WORKSPACE);
  return {
    summary: shown(second.deployed.summary),
    changes: shown(changesPageOf(second.deployed)),
    excerpts: changesPageOf(second.linked),
  };
}

function changesPageOf({ tempTexts, log }: StepResult): string {
  const [, page] = Object.entries(tempTexts).find(([path]) => path.endsWith('changes.html')) ?? [];
  if (page === undefined) throw new Error(`the action did not write changes.html:\n${log}`);
  return page;
}

/**
 * The inputs of the workflow's step, with what the reader of README replaces, except those that the
 * emulators decide. No link is delivered.
 */
async function inputsOfWorkflow(servedAt: string): Promise<Record<string, string>> {
  const text = await readFile(join(CHECKOUT, 'examples/pages.yml'), 'utf8');
  const { steps } = workflow.parse(parse(text)).jobs.export;
  const given = steps.find(({ with: inputs }) => inputs?.mode === 'export')?.with;
  if (given === undefined) throw new Error('examples/pages.yml has no step that exports');
  const own = Object.entries(given).filter(([name]) => !OF_EMULATORS.includes(name));
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    'project-id': PROJECT,
    'served-at': servedAt,
    to: '',
    'secret-token': '',
  };
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
