import nock from 'nock';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createOctokit } from '../../src/github/client.ts';
import { listAll } from '../../src/github/lists.ts';
import { Repository } from '../../src/github/repository.ts';
import { RepositoryCalls } from '../../src/github/repository-calls.ts';
import { Http } from '../../src/http/http.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

const API = 'https://api.github.test';

async function openOctokit() {
  const { signal } = new AbortController();
  const http = new Http({ clock: fakeClock(), log: recordingLog(), random: () => 0, signal });
  return createOctokit({ token: 'ghs_canaryToken0123456789abcdef', apiUrl: API, signal, http });
}

test('Without the header with links, a list is read until it has as many items as the server says', async () => {
  const ids = [1, 2, 3];
  for (const page of [1, 2, 3, 4])
    nock(API)
      .get('/repositories')
      .query({ per_page: 100, ...(page > 1 && { page }) })
      .times(2)
      .reply(200, () => ({ total_count: 3, repositories: ids.slice(page - 1, page) }));
  const octokit = await openOctokit();
  expect(await listAll(octokit, 'GET /repositories', {}, z.number())).toEqual([1, 2, 3]);
  // An item may have been removed while the pages were read.
  ids.pop();
  expect(await listAll(octokit, 'GET /repositories', {}, z.number())).toEqual([1, 2]);
  nock.cleanAll();
});

test('A list of GitHub without an end is an error after 100 pages, and no part of it counts as the whole', async () => {
  const log = recordingLog();
  const octokit = await openOctokit();
  const path = '/repos/acme/docs/commits/abc/pulls';
  let pages = 0;
  nock(API)
    .persist()
    .get(path)
    .query(true)
    .reply(() => {
      pages += 1;
      const headers = {
        'content-type': 'application/json',
        link: `<${API}${path}?page=${pages + 1}>; rel="next"`,
      };
      return [200, [{ number: pages, base: { ref: 'main' } }], headers];
    });
  const calls = new RepositoryCalls(octokit, 'acme/docs');
  expectError(await failureOf(new Repository(octokit, 'main', calls, log).mergedPulls('abc')), {
    code: 'protocol',
    message: 'more than 100 pages',
  });
  expect(pages).toBe(100);
  nock.cleanAll();
});

test('Of the pull requests of a commit, only those that were merged here count', async () => {
  const pull = (number: number, fullName: string, mergedAt: string | null) => ({
    number,
    merged_at: mergedAt,
    base: { ref: 'main', repo: { full_name: fullName } },
  });
  const at = '2026-01-01T00:00:00Z';
  nock(API)
    .get('/repos/acme/docs/commits/abc/pulls')
    .query(true)
    .reply(200, [
      pull(1, 'upstream/docs', at),
      pull(2, 'Acme/docs', at),
      pull(3, 'acme/docs', null),
      pull(4, 'stranger/docs', at),
    ]);
  const octokit = await openOctokit();
  const calls = new RepositoryCalls(octokit, 'acme/docs');
  const merged = new Repository(octokit, 'main', calls, recordingLog()).mergedPulls('abc');
  expect((await merged).map(({ number }) => number)).toEqual([2]);
});
