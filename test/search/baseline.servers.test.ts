import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASSISTANT_KEY, openLaptop } from '../cli/harness.ts';
import { startWorld } from '../support/world.ts';

/** Two pages, and a file of queries for both; the second query misses. */
const SITE = { 'index.md': '# Welcome', 'install.md': '# Install\n\nInstall the courier.' };
const QUERIES =
  'queries:\n  - query: install the courier\n    expect: {paths: [/install]}\n  - query: zzz\n    expect: {paths: [/zzz]}\n';

/** `queries`: those of the earlier run; undefined: there is none. */
async function startSite(queries?: readonly object[]) {
  const world = await startWorld({ github: false, platform: { sites: { acme: SITE } } });
  const queriesFile = world.write('queries.yml', QUERIES);
  const baselineFile = join(world.workspace, '.docs/search.json');
  if (queries !== undefined)
    world.write(
      '.docs/search.json',
      JSON.stringify({ version: 1, mode: 'search', queries }, undefined, 2),
    );
  const search = () => world.search({ queriesFile, baselineFile });
  return { search, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test('With a baseline, a query that missed before and misses now is a warning, and the run passes', async () => {
  await using site = await startSite([
    { query: 'install the courier', verdict: 'pass', rank: 1 },
    { query: 'zzz', verdict: 'miss' },
  ]);
  const { error, log } = await site.search();
  expect(error).toBeUndefined();
  const [miss] = log.entries.filter(({ place }) => place?.title === 'Search miss');
  expect(miss).toMatchObject({ level: 'warning', place: { file: 'queries.yml', line: 4 } });
});

test('A query that passed in the earlier run and misses now fails the run', async () => {
  await using site = await startSite([{ query: 'zzz', verdict: 'pass', rank: 2 }]);
  const { error, log } = await site.search();
  expect(error).toMatchObject({
    code: 'checks-failed',
    message: '1 of 2 queries got worse since the earlier run.',
    hint: expect.stringContaining(
      'copy the file at report-path to the path that baseline-file names',
    ),
  });
  const errors = log.entries.filter(({ level }) => level === 'error');
  expect(errors.map(({ message }) => message)).toEqual([
    '“zzz” got worse: pass, rank 2 before, miss now. “zzz” missed: /zzz was expected among the results: not found. Nothing was found.',
  ]);
});

test('A query that falls in rank is worse, and a new query that misses is not', async () => {
  await using site = await startSite([
    { query: 'install the courier', verdict: 'pass', rank: 0.5 },
  ]);
  const { error, log, recorded } = await site.search();
  expect(error).toMatchObject({ message: '1 of 2 queries got worse since the earlier run.' });
  expect(
    log.entries.filter(({ level }) => level === 'error').map(({ place }) => place?.title),
  ).toEqual(['Search got worse']);
  expect(recorded.comparison).toMatchObject({ newMisses: ['zzz'] });
});

test('If the file of the baseline does not exist, every miss fails the run, and the log says so', async () => {
  await using site = await startSite();
  const { error, log } = await site.search();
  expect(error).toMatchObject({ code: 'checks-failed', message: '1 of 2 queries missed.' });
  expect(log.text('warning')).toContain(
    'so nothing is compared. Every query that misses fails this run.',
  );
});

test('The report of the largest queries file, each with 50 long paths, can be a baseline', async () => {
  const paths = Array.from(
    { length: 50 },
    (_, rank) => `/${'reference/of/a/large/product/'.repeat(2)}page-${rank}`,
  );
  const queries = Array.from({ length: 5000 }, (_, number) => ({
    query: `query ${number}`,
    verdict: 'pass',
    paths,
  }));
  await using site = await startSite([...queries, { query: 'zzz', verdict: 'miss' }]);
  const { recorded } = await site.search();
  expect(recorded.comparison).toMatchObject({ same: 1, worse: [] });
});

/**
 * Queries that are written differently in JSON, in YAML and in a shell; the last of them misses.
 */
const ODD = `queries:
  - query: install the courier
    expect: { paths: [/install] }
  - query: install the courier
    filter: { version: v1, language: en, groups: [staff, "a b"] }
    expect: { min-results: 0 }
  - query: 'how do I "install" C:\\docs & <b>?'
    expect: { min-results: 0 }
  - query: installiere den Kurier 🚚 für zürich
    expect: { min-results: 0 }
  - query: zzz
    expect: { paths: [/zzz] }
`;

async function openSearch() {
  const laptop = await openLaptop({ sites: { acme: SITE } });
  await writeFile(join(laptop.folder, 'q.yml'), ODD);
  const env = { DOCS_COURIER_ASSISTANT_API_KEY: ASSISTANT_KEY };
  return {
    platform: laptop.platform,
    path: (name: string) => join(laptop.folder, name),
    search: (...flags: readonly string[]) =>
      laptop.run(['search', 'q.yml', '--domain', 'acme', ...flags], { env }),
    [Symbol.asyncDispose]: () => laptop[Symbol.asyncDispose](),
  };
}

type Searches = Awaited<ReturnType<typeof openSearch>>;

/** Each way to keep the report of a run; gives the path of the file. */
const WAYS: readonly [name: string, keep: (searches: Searches) => Promise<string>][] = [
  [
    'the file at report-path, which --output-file names',
    async ({ search, path }) => {
      const { exitCode } = await search('--output-file', 'out.json', '--output-format', 'json');
      expect(exitCode).toBe(4);
      const { 'report-path': report } = JSON.parse(await readFile(path('out.json'), 'utf8'));
      await cp(report, path('baseline.json'));
      return 'baseline.json';
    },
  ],
  [
    'the line for report-path in the dotenv file of --output-file',
    async ({ search, path }) => {
      await search('--output-file', 'out.env');
      const [, report = ''] =
        /^DOCS_COURIER_OUT_REPORT_PATH=(.*)$/m.exec(await readFile(path('out.env'), 'utf8')) ?? [];
      await cp(report, path('baseline.json'));
      return 'baseline.json';
    },
  ],
  [
    'what --json prints',
    async ({ search, path }) => {
      await writeFile(path('baseline.json'), (await search('--json')).stdout);
      return 'baseline.json';
    },
  ],
];

test.each(WAYS)(
  'The report of a failed search is a baseline in which each query has its result: %s',
  async (_, keep) => {
    await using searches = await openSearch();
    const baseline = await keep(searches);
    const { exitCode, stdout } = await searches.search('--baseline-file', baseline, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).comparison).toMatchObject({
      same: 5,
      worse: [],
      added: [],
      gone: [],
      notComparable: 0,
    });
  },
);

test('The report of a run with a baseline is the next baseline, and a query that gets worse then fails', async () => {
  await using searches = await openSearch();
  const { search, path } = searches;
  await writeFile(path('baseline.json'), (await search('--json')).stdout);
  await writeFile(
    path('baseline.json'),
    (await search('--baseline-file', 'baseline.json', '--json')).stdout,
  );
  await writeFile(path('q.yml'), ODD.replace('/install]', '/nowhere]'));
  const { exitCode, stderr } = await search('--baseline-file', 'baseline.json');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('1 of 5 queries got worse since the earlier run.');
});

test('The report of a run that ended before its first query is not a baseline, and the message says what is', async () => {
  await using searches = await openSearch();
  const { search, path } = searches;
  const failed = await search('--queries-file', 'none.yml', '--json');
  expect(failed.exitCode).toBe(2);
  await writeFile(path('baseline.json'), failed.stdout);
  const { exitCode, stderr } = await search('--baseline-file', 'baseline.json');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    'baseline-file: baseline.json is not the report of an earlier search run.',
  );
  expect(stderr).toContain('Give a copy of the file at report-path of a search run.');
});
