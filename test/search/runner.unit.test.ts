import { expect, test } from 'vitest';
import { CourierError, type ErrorCode } from '../../src/ground/errors.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import type { SearchRequest, SearchResult } from '../../src/platform/contract.ts';
import { findRelatedDocs, type Query } from '../../src/search/queries.ts';
import {
  CONCURRENCY,
  runQueries,
  type SearchRun,
  type SearchRunInit,
} from '../../src/search/runner.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

const page = (path: string): SearchResult => ({ path, content: path, metadata: {} });

function platformOf(search: (request: SearchRequest, call: number) => Promise<SearchResult[]>) {
  const requests: SearchRequest[] = [];
  const never = () => Promise.reject(new Error('only search is called'));
  const platform: PlatformClient = {
    startExport: never,
    getExportJob: never,
    createBundle: never,
    startUpdate: never,
    getUpdateStatus: never,
    createAgentJob: never,
    getAgentJob: never,
    sendAgentMessage: never,
    search: async (_domain, request) => {
      requests.push(request);
      return { value: await search(request, requests.length), serverTimeMs: undefined };
    },
  };
  return { platform, requests };
}

const expecting = (query: string, path: string): Query => ({
  request: { query },
  expectation: { paths: [path], within: undefined, absent: [], minResults: 0, snippets: [] },
  line: 1,
});

function init(
  overrides: Partial<SearchRunInit> & Pick<SearchRunInit, 'platform' | 'queries'>,
): SearchRunInit {
  return {
    clock: fakeClock(),
    log: recordingLog(),
    signal: new AbortController().signal,
    domain: 'acme',
    waitForIndexMs: undefined,
    ...overrides,
  };
}

const fail = (code: ErrorCode) =>
  Promise.reject(new CourierError({ code, message: `it is ${code}` }));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => expecting(`q${n}`, `/q${n}`));

test('Queries run in parallel, never more than the limit, and outcomes keep their order', async () => {
  let running = 0;
  let most = 0;
  const { platform } = platformOf(async ({ query }) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < (query.length % 3) + 1; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return [page(`/${query}`)];
  });
  const run = await runQueries(init({ platform, queries: numbered(50) }));
  expect(most).toBe(CONCURRENCY);
  expect(run.outcomes.map(({ query, verdict }) => [query, verdict])).toEqual(
    Array.from({ length: 50 }, (_, n) => [`q${n}`, 'pass']),
  );
  expect(run.requestCount).toBe(50);
});

test('Identical requests are sent once', async () => {
  const { platform, requests } = platformOf(async () => [page('/a')]);
  const run = await runQueries(
    init({ platform, queries: [expecting('a', '/a'), expecting('a', '/b')] }),
  );
  expect(requests).toHaveLength(1);
  expect(run.outcomes.map(({ verdict }) => verdict)).toEqual(['pass', 'miss']);
});

test('A failed call is an error of its query and not a miss', async () => {
  const { platform } = platformOf(({ query }) =>
    query === 'q1' ? fail('network') : Promise.resolve([]),
  );
  const { outcomes } = await runQueries(init({ platform, queries: numbered(3) }));
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['miss', 'error', 'miss']);
  expect(outcomes[1]?.error).toMatchObject({ code: 'network', message: 'it is network' });
});

test.each(['unauthorized', 'forbidden', 'not-found', 'rate-limited'] as const)(
  'The error %s ends the run immediately and reports what is known so far',
  async (code) => {
    const { platform, requests } = platformOf(({ query }, call) =>
      call === 3 ? fail(code) : Promise.resolve([page(`/${query}`)]),
    );
    const told: SearchRun[] = [];
    const run = runQueries(
      init({ platform, queries: numbered(100), onRound: (state) => told.push(state) }),
    );
    await expect(run).rejects.toMatchObject({ code });
    expect(requests.length).toBeLessThanOrEqual(3 + CONCURRENCY);
    expect(
      told[0]?.outcomes.filter(({ verdict }) => verdict === 'pass').length,
    ).toBeGreaterThanOrEqual(2);
    expect(told[0]?.outcomes.at(-1)).toMatchObject({ verdict: 'error', error: { code } });
  },
);

test('An unavailable platform is given up after ten failures in a row', async () => {
  const { platform, requests } = platformOf(() => fail('network'));
  await expect(runQueries(init({ platform, queries: numbered(200) }))).rejects.toMatchObject({
    code: 'network',
  });
  expect(requests.length).toBeLessThanOrEqual(10 + CONCURRENCY);
});

test('Waiting repeats only the missed queries, at growing intervals, until they pass', async () => {
  const asked: string[] = [];
  const { platform } = platformOf(async ({ query }) => {
    asked.push(query);
    const times = asked.filter((name) => name === query).length;
    return query === 'q1' && times < 4 ? [] : [page(`/${query}`)];
  });
  const clock = fakeClock();
  const run = await runQueries(
    init({ platform, queries: numbered(3), clock, waitForIndexMs: 300_000 }),
  );
  expect(asked.slice(3)).toEqual(['q1', 'q1', 'q1']);
  expect(clock.sleeps).toEqual([2000, 3000, 4500]);
  expect(run).toMatchObject({ requestCount: 6, roundCount: 4 });
  expect(run.outcomes.every(({ verdict }) => verdict === 'pass')).toBe(true);
});

test('Waiting ends with a last attempt when the time is up, whatever the wall clock does', async () => {
  const { platform, requests } = platformOf(async () => []);
  const clock = fakeClock({ onSleep: () => clock.jumpWall(-3_600_000) });
  const run = await runQueries(
    init({ platform, queries: numbered(1), clock, waitForIndexMs: 10_000 }),
  );
  expect(clock.sleeps).toEqual([2000, 3000, 4500, 500]);
  expect(requests).toHaveLength(5);
  expect(run.outcomes[0]?.verdict).toBe('miss');
});

test.each([
  [3, 500],
  [400, 800],
])('Waiting for %i queries ends after %i requests', async (queries, limit) => {
  const { platform, requests } = platformOf(async () => []);
  const log = recordingLog();
  const run = await runQueries(
    init({ platform, queries: numbered(queries), log, waitForIndexMs: 24 * 3_600_000 }),
  );
  expect(requests).toHaveLength(limit);
  expect(run).toMatchObject({ requestCount: limit });
  expect(log.text('warning')).toContain(
    `Waiting for the index ended early, after ${limit} requests.`,
  );
});

test('A missed query that fails while waiting is repeated', async () => {
  const { platform } = platformOf((_request, call) => {
    if (call === 1) return Promise.resolve([]);
    return call === 2 ? fail('network') : Promise.resolve([page('/q0')]);
  });
  const { outcomes } = await runQueries(
    init({ platform, queries: numbered(1), waitForIndexMs: 60_000 }),
  );
  expect(outcomes[0]?.verdict).toBe('pass');
});

test('A cancelled run ends while it waits', async () => {
  const controller = new AbortController();
  const { platform, requests } = platformOf(async () => []);
  const clock = fakeClock({ onSleep: () => controller.abort() });
  const run = runQueries(
    init({
      platform,
      queries: numbered(2),
      clock,
      signal: controller.signal,
      waitForIndexMs: 60_000,
    }),
  );
  await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  expect(requests).toHaveLength(2);
});

test('Related docs are the five best pages, each of them once', async () => {
  const { platform, requests } = platformOf(async () => [
    page('/a'),
    page('/a.html'),
    ...'bcdefg'.split('').map((name) => page(`/${name}`)),
  ]);
  const found = await findRelatedDocs(platform, 'acme', 'Fix\n the link');
  expect(found.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/d', '/e']);
  expect(requests).toEqual([{ query: 'Fix the link', pageSize: 15 }]);
  expect(await findRelatedDocs(platform, 'acme', ' …!')).toEqual([]);
  expect(requests).toHaveLength(1);
});
