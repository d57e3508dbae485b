import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLaptop } from '../cli/harness.ts';
import { shellBlocks } from '../docs/terminals.ts';
import { tarGz } from '../site/archives.ts';
import { addSearch, writeSite } from '../support/docs-site.ts';

const NO_PLATFORM = { DOCS_COURIER_BASE_URL: '', DOCS_COURIER_ADMIN_API_KEY: '' };
const PAGES = [
  ['index.html', '<html lang="en"><main><h1>Start</h1><p>Install it.</p></main>'],
  ['de/index.html', '<html lang="de"><main><h1>Anfang</h1><p>Installieren: install.</p></main>'],
  ['guide/rotate.html', '<html lang="en"><main><h1>Rotate the link</h1><p>Every day.</p></main>'],
] as const;
const QUERIES = `queries:
  - { query: rotat link, expect: { paths: [/guide/rotate], within: 1, snippets: [Every day] } }
  - { query: install, filter: { language: de }, expect: { paths: [/de], absent: [/] } }
`;

async function openSite() {
  const laptop = await openLaptop();
  const site = join(laptop.folder, 'site');
  mkdirSync(site);
  writeSite(site, PAGES);
  await addSearch(site);
  await writeFile(join(laptop.folder, 'queries.yml'), QUERIES);
  const search = (args: readonly string[], env: Readonly<Record<string, string>> = NO_PLATFORM) =>
    laptop.run(['search', '--search-site', 'site', '--json', ...args], { env });
  return { laptop, site, search };
}

describe('a folder with an added search', () => {
  test('An export adds the search, and its queries are checked in the folder before it is handed over', async () => {
    await using laptop = await openLaptop();
    const files = PAGES.map(([name, content]) => ({ name, content }));
    await laptop.platform.addExportJob({ jobId: 'job-1', archive: tarGz(files) });
    await writeFile(join(laptop.folder, 'queries.yml'), QUERIES);
    const args = [
      'export',
      '--export-job-id',
      'job-1',
      '--extract-to',
      'site',
      '--add',
      'search',
      '--add',
      'stamp',
    ];
    const made = await laptop.run([...args, '--domain', 'acme.example.com']);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(existsSync(join(laptop.folder, 'site/docs-courier/search.html'))).toBe(true);
    expect(existsSync(join(laptop.folder, 'site/docs-courier.json'))).toBe(true);
    const searched = ['search', '--search-site', 'site', '--queries-file', 'queries.yml'];
    const passed = await laptop.run(searched, { env: NO_PLATFORM });
    expect(passed.exitCode, passed.stderr).toBe(0);
  });

  test('A queries file runs on the folder, with the same verdicts, and without a key, an address or a request', async () => {
    const { laptop, search } = await openSite();
    await using _ = laptop;
    const passed = await search(['--queries-file', 'queries.yml']);
    expect(passed.exitCode, passed.stderr).toBe(0);
    expect(JSON.parse(passed.stdout)).toMatchObject({
      mode: 'search',
      domain: 'site',
      totals: { passed: 2, missed: 0 },
    });
    await writeFile(join(laptop.folder, 'queries.yml'), QUERIES.replace('[/guide/rotate]', '[/]'));
    const missed = await search(['--queries-file', 'queries.yml']);
    expect(missed.exitCode).toBe(4);
    expect(JSON.parse(missed.stdout)).toMatchObject({
      totals: { passed: 1, missed: 1 },
      error: { code: 'checks-failed' },
    });
    // The index of a folder does not become newer by waiting.
    expect(missed.stderr).not.toContain('wait-for-index');
    expect(laptop.platform.requests).toEqual([]);
  });

  test('The command of the guide checks a folder', async () => {
    const { laptop } = await openSite();
    await using _ = laptop;
    const [[program, ...args] = []] = shellBlocks('docs/how-to/add-a-search.md').map((text) =>
      text.trim().split(' '),
    );
    expect(program).toBe('docs-courier');
    const ended = await laptop.run(args, { env: NO_PLATFORM });
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('2 passed');
  });

  test('A baseline is compared as with the platform', async () => {
    const { laptop, site, search } = await openSite();
    await using _ = laptop;
    const queries = ['--queries-file', 'queries.yml'];
    const baseline = [...queries, '--baseline-file', 'baseline.json'];
    await writeFile(join(laptop.folder, 'baseline.json'), (await search(queries)).stdout);
    writeSite(site, [['guide/rotate.html', '<h1>Something else</h1>']]);
    await addSearch(site);
    const worse = await search(baseline);
    expect(worse.exitCode).toBe(4);
    expect(worse.stderr).toContain('1 worse');
  });

  test.each([
    [['--wait-for-index', '5m'], 'wait-for-index is not read together with search-site'],
    [['--filter', 'version=2'], 'search-site knows the language of a page, and not its version'],
  ])('An input that a folder has no use for is an error: %j', async (args, message) => {
    const { laptop, search } = await openSite();
    await using _ = laptop;
    const ended = await search(['--query', 'install', ...args]);
    expect(ended.exitCode).not.toBe(0);
    expect(ended.stderr).toContain(message);
  });

  test('A filter of the queries file that a folder does not know makes the query one that could not be run', async () => {
    const { laptop, search } = await openSite();
    await using _ = laptop;
    await writeFile(
      join(laptop.folder, 'queries.yml'),
      'queries: [{ query: install, filter: { tag: x } }]',
    );
    const ended = await search(['--queries-file', 'queries.yml']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ totals: { errors: 1 } });
    expect(ended.exitCode).not.toBe(0);
  });

  test('A folder without a search is an error that gives the inputs', async () => {
    const { laptop } = await openSite();
    await using _ = laptop;
    const ended = await laptop.run(['search', '--search-site', 'other', '--query', 'a'], {
      env: NO_PLATFORM,
    });
    expect(ended.exitCode).not.toBe(0);
    expect(ended.stderr).toMatch(/search-site: other cannot be searched.*does not exist/s);
    expect(ended.stderr).toContain('search');
  });

  test('An index that is a link out of the folder is not read', async () => {
    const { laptop, site } = await openSite();
    await using _ = laptop;
    mkdirSync(join(laptop.folder, 'linked/docs-courier/search'), { recursive: true });
    await writeFile(
      join(laptop.folder, '../secret.js'),
      await readFile(join(site, 'docs-courier/search/index.js')),
    );
    symlinkSync(
      '../../../../secret.js',
      join(laptop.folder, 'linked/docs-courier/search/index.js'),
    );
    const ended = await laptop.run(['search', '--search-site', 'linked', '--query', 'install'], {
      env: NO_PLATFORM,
    });
    expect(ended.exitCode).not.toBe(0);
    expect(ended.stderr).toMatch(/search-site: .*is not in the workspace or the site/);
  });
});

describe('doctor before a search of a folder', () => {
  test('Doctor needs no address, and finds what the search could not read', async () => {
    const { laptop } = await openSite();
    await using _ = laptop;
    const examine = (...args: readonly string[]) =>
      laptop.run(['doctor', ...args], { env: NO_PLATFORM });
    const good = await examine('--search-site', 'site', '--queries-file', 'queries.yml');
    expect(good.exitCode, good.stderr).toBe(0);
    expect(good.stderr).toContain('Files of the search: They can be read.');
    const noSite = await examine('--search-site', 'none', '--queries-file', 'queries.yml');
    expect(noSite.exitCode).toBe(4);
    expect(noSite.stderr).toContain('search-site: none cannot be searched');
    const noQueries = await examine('--search-site', 'site', '--queries-file', 'none.yml');
    expect(noQueries.exitCode).toBe(4);
    expect(noQueries.stderr).toContain('queries-file: none.yml does not exist');
    expect(laptop.platform.requests).toEqual([]);
  });
});
