import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../support/world.ts';

/** Two pages, and a file of queries for both; the second query misses. */
const SITE = { 'index.md': '# Welcome', 'install.md': '# Install\n\nInstall the courier.' };
const QUERIES =
  'queries:\n  - query: install the courier\n    expect: {paths: [/install]}\n  - query: zzz\n    expect: {paths: [/zzz]}\n';

const MAIN = { cause: 'push', isDefaultBranch: true } as const;
const CHANGE = { cause: 'change-request', isDefaultBranch: false } as const;

async function startSite() {
  const world = await startWorld({ github: false, platform: { sites: { acme: SITE } } });
  const queriesFile = world.write('queries.yml', QUERIES);
  const baselineFile = join(world.workspace, '.docs/search.json');
  const search = (inputs: object, ci: object = MAIN) =>
    world.search({ queriesFile, baselineFile, baselineUpdate: 'default-branch', ...inputs }, { ci });
  return { world, search, baselineFile, dispose: () => world[Symbol.asyncDispose]() };
}

test('A run for the default branch is the baseline of the next one, even if it fails', async () => {
  const { search, baselineFile, dispose } = await startSite();
  const first = await search({});
  expect(first.error).toMatchObject({ code: 'checks-failed' });
  expect(JSON.parse(readFileSync(baselineFile, 'utf8'))).toEqual({
    version: 1,
    mode: 'search',
    queries: [
      { query: 'install the courier', verdict: 'pass', rank: 1 },
      { query: 'zzz', verdict: 'miss' },
    ],
  });
  const second = await search({ failOn: 'worse' });
  expect(second.facts.comparison).toMatchObject({ worse: [], better: [], same: 2 });
  await dispose();
});

test('With fail-on worse, a known miss is a warning and the run passes; a query that got worse fails it', async () => {
  const { world, search, dispose } = await startSite();
  await search({});
  const same = await search({ failOn: 'worse' }, CHANGE);
  expect(same.error).toBeUndefined();
  const [miss] = same.log.entries.filter(({ place }) => place?.title === 'Search miss');
  expect(miss).toMatchObject({ level: 'warning', place: { file: 'queries.yml', line: 4 } });

  world.write('baseline.json', baselineOf([{ query: 'zzz', verdict: 'pass', rank: 2 }]));
  const worse = await search({ failOn: 'worse', baselineFile: join(world.workspace, 'baseline.json') }, CHANGE);
  expect(worse.error).toMatchObject({
    code: 'checks-failed',
    message: '1 of 2 queries got worse since the earlier run.',
  });
  const errors = worse.log.entries.filter(({ level }) => level === 'error');
  expect(errors.map(({ message }) => message)).toEqual([
    '“zzz” got worse: pass, rank 2 before, miss now. “zzz” missed: /zzz was expected among the results: not found. Nothing was found.',
  ]);
  await dispose();
});

test('A query that falls in rank is worse, and a new query that misses is not', async () => {
  const { world, search, dispose } = await startSite();
  world.write('baseline.json', baselineOf([{ query: 'install the courier', verdict: 'pass', rank: 0.5 }]));
  const { error, log, recorded } = await search({
    failOn: 'worse',
    baselineFile: join(world.workspace, 'baseline.json'),
  });
  expect(error).toMatchObject({ message: '1 of 2 queries got worse since the earlier run.' });
  expect(log.entries.filter(({ level }) => level === 'error').map(({ place }) => place?.title)).toEqual([
    'Search got worse',
  ]);
  expect(recorded.comparison).toMatchObject({ newMisses: ['zzz'] });
  await dispose();
});

test('Without a baseline, fail-on worse fails on every miss and says so', async () => {
  const { search, dispose } = await startSite();
  const { error, log } = await search({ failOn: 'worse' }, CHANGE);
  expect(error).toMatchObject({ code: 'checks-failed', message: '1 of 2 queries missed.' });
  expect(log.text('warning')).toContain('so nothing is compared. Every query that misses fails this run.');
  await dispose();
});

test.each([
  ['a pull request', CHANGE],
  ['another branch', { cause: 'push', isDefaultBranch: false }],
  ['a run that carries the variables of a merge request', { ...MAIN, changeRequestVariable: 'CHANGE_ID' }],
  ['a comment on the default branch', { cause: 'comment', isDefaultBranch: true }],
] as const)('The run of %s leaves the baseline unchanged', async (_name, ci) => {
  const { search, baselineFile, dispose } = await startSite();
  await search({}, ci);
  expect(() => readFileSync(baselineFile)).toThrow('ENOENT');
  await dispose();
});

test('If the CI system does not say which branch is the default one, the run says what to set', async () => {
  const { search, baselineFile, dispose } = await startSite();
  const { log } = await search({}, { cause: 'push', isDefaultBranch: undefined });
  expect(log.text('warning')).toContain('Set baseline-update: always');
  expect(() => readFileSync(baselineFile)).toThrow('ENOENT');
  await search({ baselineUpdate: 'always' }, { cause: 'push', isDefaultBranch: undefined });
  expect(readFileSync(baselineFile, 'utf8')).toContain('zzz');
  await dispose();
});

test('A dry run lists the file that it would write, and writes nothing', async () => {
  const { search, baselineFile, dispose } = await startSite();
  const { log } = await search({ dryRun: true });
  expect(log.text('info')).toContain('would make this the next baseline: .docs/search.json');
  expect(() => readFileSync(baselineFile)).toThrow('ENOENT');
  await dispose();
});

test('A run in which a query could not be run leaves the baseline unchanged', async () => {
  const { world, search, baselineFile, dispose } = await startSite();
  await search({});
  const before = readFileSync(baselineFile, 'utf8');
  world.platform.inject({ match: { path: '/search/', times: 1 }, status: 400, body: { error: 'no' } });
  const { log } = await search({});
  expect(readFileSync(baselineFile, 'utf8')).toBe(before);
  expect(log.text('warning')).toContain('.docs/search.json stays as it is, because some queries could not be run.');
  await dispose();
});

test('A baseline is never written through a link that leads out of the workspace', async () => {
  const { world, search, dispose } = await startSite();
  const outside = join(world.workspace, '..', 'elsewhere');
  mkdirSync(outside, { recursive: true });
  symlinkSync(outside, join(world.workspace, '.docs'));
  const { error, log } = await search({});
  expect(error).toMatchObject({ code: 'checks-failed' });
  expect(log.text('warning')).toContain('is not in the workspace or RUNNER_TEMP, or a symbolic link leads out of it');
  expect(() => readFileSync(join(outside, 'search.json'))).toThrow('ENOENT');
  await dispose();
});

function baselineOf(queries: readonly object[]): string {
  return JSON.stringify({ version: 1, mode: 'search', queries });
}
