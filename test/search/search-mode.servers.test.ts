import { expect, test } from 'vitest';
import type { EmulatorOptions } from '../../emulator/src/platform/emulator.ts';
import { expectError } from '../support/failure.ts';
import { startWorld } from '../support/world.ts';

/** A site whose pages differ by version, language and tag. */
const SITE = {
  'index.md': '---\ntitle: Welcome\n---\nAcme docs.',
  'install.md':
    '---\ntitle: Install\nversion: v2\nlanguage: en\ntags: [setup]\n---\nInstall the courier with one command.',
  'old/install.md':
    '---\ntitle: Install\nversion: v1\nlanguage: en\ntags: [setup]\n---\nInstall the courier by hand.',
  'de/install.md':
    '---\ntitle: Install\nversion: v2\nlanguage: de\n---\nInstall: den Courier installieren.',
  'rotate.md':
    '---\ntitle: Rotate the link\nversion: v2\nlanguage: en\n---\nA bundle link expires. Rotate it, then install again.',
};

function startSite(platform: Partial<EmulatorOptions> = {}) {
  return startWorld({ github: false, platform: { sites: { acme: SITE }, ...platform } });
}

test('A query returns the results of the index, and a filter narrows them', async () => {
  await using world = await startSite();
  const pathsFor = async (inputs: object) => {
    const { facts } = await world.search({ query: 'install the courier', ...inputs });
    return facts.results?.map(({ path }) => path) ?? [];
  };
  const all = await pathsFor({});
  expect([...all].sort()).toEqual(['/de/install', '/install', '/old/install', '/rotate']);
  expect(await pathsFor({ filter: { version: 'v1' } })).toEqual(['/old/install']);
  expect(await pathsFor({ filter: { language: 'de' } })).toEqual(['/de/install']);
  expect((await pathsFor({ filter: { tag: 'setup' } })).sort()).toEqual([
    '/install',
    '/old/install',
  ]);
  expect(await pathsFor({ filter: { tag: 'setup', version: 'v2' } })).toEqual(['/install']);
});

test('Page size and threshold of a queries file change what is found', async () => {
  await using world = await startSite();
  const countFor = async (options: string) => {
    const queriesFile = world.write(
      'q.yml',
      `${options}\nqueries: [{query: install the courier}]\n`,
    );
    return (await world.search({ queriesFile })).facts.resultCount;
  };
  expect(await countFor('')).toBe(4);
  expect(await countFor('page-size: 2')).toBe(2);
  expect([1, 2, 3]).toContain(await countFor('score-threshold: 0.9'));
});

test('A search that finds nothing fails without further inputs', async () => {
  await using world = await startSite();
  const { error, recorded } = await world.search({ query: 'zzzz' });
  expect(error).toMatchObject({ code: 'checks-failed' });
  expect(recorded).toMatchObject({ passedCount: 0, failedCount: 1, resultCount: 0 });
  expect((await world.search({ query: 'zzzz', minResults: 0 })).error).toBeUndefined();
});

test('A single query with fewer results than min-results fails as checks-failed, with its results recorded', async () => {
  await using world = await startSite();
  const { error, recorded } = await world.search({ query: 'rotate', minResults: 3 });
  expect(error).toMatchObject({ code: 'checks-failed' });
  expect(recorded.results?.[0]?.path).toBe('/rotate');
  expect(recorded.totals).toMatchObject({ passed: 0, missed: 1 });
  const passing = await world.search({ query: 'rotate', minResults: 1 });
  expect(passing.facts.totals).toMatchObject({ passed: 1, missed: 0 });
  const before = world.platform.requests.length;
  const never = await world.search({ query: 'rotate', minResults: 11 });
  expect(never.error).toMatchObject({ code: 'config' });
  expect(world.platform.requests).toHaveLength(before);
});

test('A missed query is annotated on its line of the file, with what was found instead', async () => {
  await using world = await startSite();
  const queriesFile = world.write(
    'docs/queries.yml',
    'queries:\n  - query: rotate the link\n    expect: {paths: [/rotate.html], within: 1}\n  # a comment\n  - query: install the courier\n    expect: {paths: [/rotate], within: 1}\n',
  );
  const { error, log, recorded } = await world.search({ queriesFile });
  expect(error).toMatchObject({ code: 'checks-failed', message: '1 of 2 queries missed.' });
  const annotations = log.entries.filter(({ level }) => level === 'error');
  expect(annotations).toHaveLength(1);
  expect(annotations[0]?.place).toEqual({
    file: 'docs/queries.yml',
    line: 5,
    title: 'Search miss',
  });
  expect(annotations[0]?.message).toMatch(
    /“install the courier” missed: \/rotate was expected among the first 1: found at rank \d\. First result: /,
  );
  expect(recorded.totals).toMatchObject({ passed: 1, missed: 1, hitRate: 0.5 });
});

test('A mistake in a queries file is annotated with file and line', async () => {
  await using world = await startSite();
  const text = 'queries:\n  - query: a\n    expects: {}\n  - query: b\n    page_size: 5\n';
  const queriesFile = world.write('docs/queries.yml', text);
  const { error, log } = await world.search({ queriesFile });
  expect(
    log.entries
      .filter(({ level }) => level === 'error')
      .map(({ message, place }) => ({ message, ...place })),
  ).toEqual([
    {
      message: 'queries[0]: unknown key expects: did you mean expect?',
      file: 'docs/queries.yml',
      line: 3,
      title: 'Queries file',
    },
    {
      message: 'queries[1]: unknown key page_size: did you mean page-size?',
      file: 'docs/queries.yml',
      line: 5,
      title: 'Queries file',
    },
  ]);
  expectError(error, {
    code: 'config',
    message: 'docs/queries.yml:3:5: queries[0]: unknown key expects: did you mean expect?',
  });
});

test('At most nine misses are annotations, the others are lines with their position', async () => {
  await using world = await startSite();
  const entries = Array.from(
    { length: 12 },
    (_, n) => `  - {query: zzz${n}, expect: {min-results: 1}}`,
  );
  const queriesFile = world.write('q.yml', `queries:\n${entries.join('\n')}\n`);
  const { log } = await world.search({ queriesFile });
  expect(log.entries.filter(({ level }) => level === 'error')).toHaveLength(9);
  expect(log.text('info')).toContain('(q.yml:13)');
});

test('A query that the platform refuses is an error of that query, and the run fails with its code', async () => {
  await using world = await startSite();
  world.platform.inject({
    match: { path: '/search/', nth: 2 },
    status: 422,
    body: { error: 'odd query' },
  });
  const queriesFile = world.write(
    'q.yml',
    'queries: [{query: install}, {query: rotate}, {query: zzzz}]',
  );
  const { error, recorded } = await world.search({ queriesFile, minResults: 1 });
  expect(recorded.totals).toMatchObject({ errors: 1 });
  expectError(error, { code: 'config', message: '1 of 3 queries could not be run' });
  expect(
    recorded.queries
      ?.filter(({ verdict }) => verdict === 'miss')
      .every(({ error: none }) => none === undefined),
  ).toBe(true);
});

test('A single query that cannot be run is recorded once, and never as a query without results', async () => {
  await using world = await startSite();
  world.platform.inject({ match: { path: '/search/' }, status: 200, body: { results: [] } });
  const { error, log } = await world.search({ query: 'install' });
  expectError(error, {
    code: 'protocol',
    message: /^The query could not be run\. POST \S+ answered 200 .* the reply: must be a list/,
  });
  expect(log.text()).not.toMatch(/results|could not be run/);
});

test.each([
  ['no path', { content: 'lost' }],
  ['null as its path', { content: 'lost', path: null }],
  ['a number as its path', { path: 7, metadata: {} }],
])(
  'A result with %s is left out with one warning, and the others are judged',
  async (_, broken) => {
    await using world = await startSite();
    const body = [broken, { content: 'Rotate the link', path: '/rotate' }];
    world.platform.inject({ match: { path: '/search/', times: 2 }, status: 200, body });
    const queriesFile = world.write(
      'q.yml',
      'queries:\n  - {query: rotate, expect: {paths: [/rotate], within: 1}}\n  - {query: renew, expect: {paths: [/rotate]}}\n',
    );
    const { error, log } = await world.search({ queriesFile });
    expect(error).toBeUndefined();
    expect(log.entries.filter(({ level }) => level === 'warning')).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('Results without a path were left out'),
      }),
    ]);
  },
);

test('A reply that is not a list of results is still an error', async () => {
  await using world = await startSite();
  world.platform.inject({ match: { path: '/search/' }, status: 200, body: ['/rotate'] });
  expect((await world.search({ query: 'rotate' })).error).toMatchObject({ code: 'protocol' });
});
