import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/ground/clock.ts';
import { Http } from '../../../src/http/http.ts';
import { MAX_PAGE_BYTES, readPageText } from '../../../src/site/pages.ts';
import {
  AS_READERS,
  type Fetched,
  freshForSeconds,
  PAST_CACHES,
  PageCheck,
  PageFetcher,
} from '../../../src/steps/live/page-check.ts';
import { LiveCheck } from '../../../src/steps/live/step.ts';
import { startForwardingProxy } from '../../support/forwarding-proxy.ts';
import { type Answer, startLiveSite } from '../../support/live-site.ts';
import { bundleInputs } from '../../support/make-inputs.ts';
import { makeRun, makeRunContext } from '../../support/make-run.ts';
import { silence, startRawServer } from '../../support/raw-server.ts';
import { recordingLog } from '../../support/recording-log.ts';

const log = recordingLog();
const signal = new AbortController().signal;
const http = new Http({ clock: systemClock, log, signal });
const TOO_LARGE = 'x'.repeat(MAX_PAGE_BYTES + 1);
const endIn = (ms: number) => systemClock.monotonicMs() + ms;

function fetcher(allowPrivateHosts = true): PageFetcher {
  const headers = { cookie: 'session=canary-0123456789' };
  return new PageFetcher({ http, clock: systemClock, headers, allowPrivateHosts });
}

async function fetchFrom(answer: Answer, endMs = endIn(5000)): Promise<Fetched> {
  await using site = await startLiveSite(answer);
  return await fetcher().page(new URL(`${site.url}/a.html`), AS_READERS, endMs);
}

describe('a page of the published site', () => {
  it.each<[string, Answer, string]>([
    [
      'is compressed without a request for it',
      () => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('<p>ä</p>') }),
      'ä',
    ],
    [
      'has another charset',
      () => ({
        headers: { 'content-type': 'text/html; charset=iso-8859-1' },
        body: Buffer.from('<p>ä</p>', 'latin1'),
      }),
      'ä',
    ],
    [
      'has an unknown charset',
      () => ({ headers: { 'content-type': 'text/html; charset=klingon' }, body: '<p>ä</p>' }),
      'ä',
    ],
    ['begins with a byte order mark', () => ({ body: '\ufeff<p>ä</p>' }), 'ä'],
  ])('A page of the published site is read if it %s', async (_, answer, text) => {
    expect(await fetchFrom(answer)).toMatchObject({ kind: 'page', page: { text } });
  });

  it.each<[string, Answer, RegExp]>([
    ['is too large', () => ({ body: TOO_LARGE }), /larger than/],
    [
      'unpacks to too much',
      () => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(TOO_LARGE) }),
      /larger than/,
    ],
    [
      'is cut off',
      () => ({ headers: { 'content-length': '100', connection: 'close' }, body: 'x' }),
      /cut off|broke|did not end|stopped/,
    ],
  ])('A response that %s is not a page', async (_, answer, reason) => {
    const found = await fetchFrom(answer, endIn(30_000));
    expect(found).toMatchObject({ kind: 'unreachable', detail: expect.stringMatching(reason) });
  });

  it('A page without a reply is given up within the time that is left', async () => {
    await using server = await startRawServer(silence);
    const found = await fetcher().page(new URL(server.url), PAST_CACHES, endIn(50));
    expect(found).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringContaining('within the time limit'),
    });
  });

  it('A page is requested past caches by header and address, and otherwise as a browser does', async () => {
    await using site = await startLiveSite(() => ({ body: '<p>x</p>' }));
    await fetcher().page(new URL(`${site.url}/a.html`), PAST_CACHES, endIn(5000));
    await fetcher().page(new URL(`${site.url}/a.html`), AS_READERS, endIn(5000));
    const [fresh, plain] = site.requests;
    expect(fresh).toMatchObject({
      path: expect.stringMatching(/^\/a\.html\?docs-courier=[0-9a-f]{12}$/),
      headers: { 'cache-control': 'no-cache' },
    });
    expect(plain?.path).toBe('/a.html');
    expect(plain?.headers).not.toHaveProperty('cache-control');
  });

  it('Only the cache headers of a page are shown, shortened', async () => {
    const headers = {
      'set-cookie': 'a=canary-0123456789',
      age: '7',
      via: `1.1 ${'x'.repeat(5000)}`,
      'x-other': 'y',
    };
    const found = await fetchFrom(() => ({
      status: 503,
      headers: { ...headers, 'retry-after': '9' },
    }));
    expect(found).toMatchObject({ kind: 'status', status: 503, retryAfterMs: 9000 });
    expect(Object.keys(found.cache ?? {})).toEqual(['age', 'via']);
    expect(found.cache?.via?.length).toBeLessThanOrEqual(100);
  });
});

describe('a page that was not reached', () => {
  const pageOf = (url: string) =>
    new PageCheck('/a', [new URL(url)], readPageText('<p>the exported text</p>'));

  it.each<[string, Answer, RegExp]>([
    ['a page over the limit', () => ({ body: TOO_LARGE }), /larger than/],
    [
      'a page that is not gzip',
      () => ({ headers: { 'content-encoding': 'gzip' }, body: 'x' }),
      /cut off/,
    ],
    [
      'a page in an unknown encoding',
      () => ({ headers: { 'content-encoding': 'zstd' }, body: 'x' }),
      /content encoding/,
    ],
  ])('The reason of %s stays if the last round had no time', async (_, answer, reason) => {
    await using site = await startLiveSite(answer);
    const page = pageOf(`${site.url}/a`);
    expect(await page.look(fetcher(), endIn(30_000))).toBe(true);
    expect(await page.look(fetcher(), endIn(0))).toBe(false);
    expect(page.facts.detail).toMatch(reason);
  });

  it('A later round that had time replaces the reason', async () => {
    let answers = 0;
    await using site = await startLiveSite(() => {
      answers += 1;
      return answers === 1 ? { body: TOO_LARGE } : { status: 502 };
    });
    const page = pageOf(`${site.url}/a`);
    await page.look(fetcher(), endIn(30_000));
    await page.look(fetcher(), endIn(30_000));
    expect(page.facts).toMatchObject({ outcome: 'status', status: 502 });
  });
});

describe('a site in a private network', () => {
  it.each(['127.0.0.1', 'localhost'])(
    'A private site at %s is refused before a connection is made',
    async (host) => {
      await using server = await startRawServer(silence);
      const url = new URL(`http://${host}:${new URL(server.url).port}/`);
      const error: unknown = await fetcher(false)
        .page(url, PAST_CACHES, endIn(5000))
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'config',
        hint: { inputs: { 'allow-private-hosts': 'true' } },
      });
      expect(server.connections()).toBe(0);
    },
  );

  it.each([
    ['with a public platform', 'https://api.docs.example.com', false, false],
    ['with a public platform, and allow-private-hosts', 'https://api.docs.example.com', true, true],
    ['with a platform in that network', 'http://127.0.0.1:9', false, true],
  ])(
    'A private site %s is treated like the bundle link',
    async (_, baseUrl, allowPrivateHosts, isAllowed) => {
      await using site = await startLiveSite(() => ({ body: '<p>x</p>' }));
      const run = makeRun(makeRunContext());
      const live = { url: site.url, timeoutMs: 0, onNotLive: 'fail', headers: {} } as const;
      const deps = { run, http, log, clock: systemClock, signal, record: () => {} };
      const check = new LiveCheck(
        { baseUrl, bundle: bundleInputs({ allowPrivateHosts }), add: [] },
        live,
        deps,
      );
      const opened = check.preflight().then(
        () => true,
        (error: unknown) => error,
      );
      if (isAllowed) expect(await opened).toBe(true);
      else expect(await opened).toMatchObject({ code: 'config' });
      expect(site.requests).toHaveLength(isAllowed ? 1 : 0);
    },
  );
});

describe('a site behind a proxy', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('The site is fetched through the proxy, and hosts in NO_PROXY directly', async () => {
    await using site = await startLiveSite(() => ({ body: '<p>x</p>' }));
    const { port } = new URL(site.url);
    await using proxy = await startForwardingProxy({ hosts: { 'docs.internal': '127.0.0.1' } });
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const endMs = endIn(5000);
    expect(
      await fetcher().page(new URL(`http://docs.internal:${port}/a`), AS_READERS, endMs),
    ).toMatchObject({
      kind: 'page',
    });
    expect(proxy.requests.map(({ target }) => target)).toEqual([`docs.internal:${port}`]);
    vi.stubEnv('NO_PROXY', 'docs.internal');
    const around = await fetcher().page(
      new URL(`http://docs.internal:${port}/a`),
      AS_READERS,
      endMs,
    );
    expect(around).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
    expect(proxy.requests).toHaveLength(1);
  });
});

it('What the run sends to the site is in no log', () => {
  expect(log.entries.length).toBeGreaterThan(0);
  expect(log.text()).not.toContain('canary');
});

it.each([
  [{ age: '30', 'cache-control': 'public, max-age=100' }, 70],
  [{ age: '30', 'cache-control': 'max-age=0, s-maxage="100"' }, 70],
  [{ age: '300', 'cache-control': 'max-age=100' }, 0],
  [{ 'cache-control': 'max-age=100' }, undefined],
  [{ age: 'x', 'cache-control': 'max-age=100' }, undefined],
  [{}, undefined],
])('A copy with %j is kept for another %s seconds', (headers, seconds) => {
  expect(freshForSeconds(headers)).toBe(seconds);
});
