import nock from 'nock';
import { expect, test } from 'vitest';
import { createOctokit } from '../../src/github/client.ts';
import { Repository } from '../../src/github/repository.ts';
import { RepositoryCalls } from '../../src/github/repository-calls.ts';
import { Http } from '../../src/http/http.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { recordingLog } from '../support/recording-log.ts';

const API = 'https://api.github.test';

test('A list of GitHub without an end is an error after 100 pages, and no part of it counts as the whole', async () => {
  const [clock, log] = [fakeClock(), recordingLog()];
  const { signal } = new AbortController();
  const http = new Http({ clock, log, random: () => 0, signal });
  const octokit = await createOctokit({
    token: 'ghs_canaryToken0123456789abcdef',
    apiUrl: API,
    signal,
    http,
  });
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
