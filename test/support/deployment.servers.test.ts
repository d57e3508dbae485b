import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAddress } from '../../emulator/src/server.ts';
import { openBrowser, watchPage } from '../../scripts/browser/browser.ts';
import { fetchBundle } from '../../scripts/demo/deployment.ts';
import { renderMarkdown } from '../../scripts/demo/markdown.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deployment-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function writeFiles(root: string, files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

describe('the deployment of the demo', () => {
  async function serveArchive(files: Record<string, string>) {
    const source = await writeFiles(join(folder, 'source'), files);
    await create({ file: join(folder, 'made.tar.gz'), cwd: source, gzip: true }, ['.']);
    const archive = await readFile(join(folder, 'made.tar.gz'));
    const server = createServer((request, response) => {
      if (request.url === '/bundle?sig=1') response.end(archive);
      else response.writeHead(403).end('expired');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${readAddress(server.address()).port}`,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test('The demo deployment downloads and unpacks a bundle, also one with a folder around it', async () => {
    await using server = await serveArchive({ 'site/index.html': 'home', 'site/b/c.html': 'c', 'site/a.css': '' });
    await mkdir(join(folder, 'target'));
    const bundle = await fetchBundle(`${server.url}/bundle?sig=1`, join(folder, 'target'));
    expect(bundle.pages).toEqual(['index.html', 'b/c.html']);
    expect(await readFile(join(bundle.root, 'index.html'), 'utf8')).toBe('home');
  });

  test('The demo deployment shows when the link no longer works', async () => {
    await using server = await serveArchive({ 'index.html': 'home' });
    await expect(fetchBundle(`${server.url}/bundle?sig=2`, folder)).rejects.toThrow('the link answered 403');
  });
});

describe.skipIf(!existsSync(CHROMIUM))('the browser check', () => {
  async function visit(files: Record<string, string>): Promise<string[]> {
    const root = await writeFiles(join(folder, 'site'), files);
    await using browser = await openBrowser({ chromium: CHROMIUM, profile: join(folder, 'profile') });
    const page = await browser.context.newPage();
    const problems = await watchPage(page, `${pathToFileURL(root)}/`);
    await page.goto(`${pathToFileURL(root)}/index.html`, { waitUntil: 'networkidle' });
    return problems;
  }

  test('The browser check reports nothing about an intact page', async () => {
    const files = {
      'index.html': '<title>t</title><link rel="stylesheet" href="s.css"><p>text',
      's.css': 'p{color:red}',
    };
    expect(await visit(files)).toEqual([]);
  });

  test('The browser check reports errors and requests that fail or leave the site', async () => {
    const problems = await visit({
      'index.html': `<script src="https://cdn.example.com/x.js"></script><img src="gone.png">
        <script>console.error('logged')</script><script>throw new Error('boom')</script>`,
    });
    for (const part of ['cdn.example.com/x.js, which is outside', 'gone.png', 'console error: logged', 'boom']) {
      expect(problems).toContainEqual(expect.stringContaining(part));
    }
  });
});

test('A summary is readable in the terminal', () => {
  const markdown = [
    '## Export \\*done\\*',
    '',
    '| Fact | Value |',
    '| --- | ---: |',
    '| Job | `job-1` |',
    '| Pages \\| all | **38** |',
    '',
    '<details><summary>More</summary>',
    '[docs](https://x/) &lt;3',
    '```mermaid',
    'a **b**',
    '```',
  ].join('\n');
  expect(renderMarkdown(markdown).split('\n')).toEqual([
    'Export *done*',
    '',
    'Fact         Value',
    'Job          job-1',
    'Pages | all  38',
    '',
    'More',
    'docs (https://x/) <3',
    '  a **b**',
  ]);
});
