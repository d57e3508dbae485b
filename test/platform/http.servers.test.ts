import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { EXCHANGE_LIMITS, type ExchangeLimits } from '../../src/http/exchange.ts';
import { Http } from '../../src/http/http.ts';
import { createPlatformClient, type PlatformClient } from '../../src/platform/client.ts';
import { openExport } from '../../src/platform/export-api.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { listen } from '../support/listening.ts';
import {
  drip,
  json,
  type RawReply,
  raw,
  reply,
  reset,
  silence,
  startRawServer,
} from '../support/raw-server.ts';
import { recordingLog } from '../support/recording-log.ts';

const ADMIN_KEY = 'svc_canary-admin-0123456789';
const ASSISTANT_KEY = 'svc_dsc_canary-assistant-0123456789';

interface Bench {
  readonly client: PlatformClient;
  readonly http: Http;
  readonly clock: FakeClock;
  readonly log: ReturnType<typeof recordingLog>;
  readonly cancel: AbortController;
}

interface Server {
  readonly url: string;
}

function makeBench(
  { url: baseUrl }: Server,
  limits: Partial<ExchangeLimits> = {},
  throttledMs?: number,
): Bench {
  const clock = fakeClock({ now: Date.parse('2026-01-01T00:00:00Z') });
  const log = recordingLog();
  const cancel = new AbortController();
  const http = new Http({
    clock,
    log,
    signal: cancel.signal,
    throttledMs,
    limits: { ...EXCHANGE_LIMITS, ...limits },
  });
  const keys = { admin: ADMIN_KEY, assistant: ASSISTANT_KEY };
  return { client: createPlatformClient({ http, baseUrl, keys }), http, clock, log, cancel };
}

/** A write that may be repeated. */
function write({ http }: Bench, { url }: Server) {
  const service = { name: 'the store', addressSetting: 'to' };
  return http.request({ service, method: 'PUT', url: new URL(url), repeat: 'always' });
}

function createBundle(server: Server) {
  return makeBench(server).client.createBundle('job-1');
}

function startExport(server: Server) {
  return makeBench(server).client.startExport({ domain: 'd' });
}

/** Waits for the first request. */
function received({ requests }: { readonly requests: readonly unknown[] }): Promise<void> {
  return expect.poll(() => requests.length).toBe(1);
}

/** No attempt ends by these. */
const UNLIMITED = { connectMs: 1e9, headersMs: 1e9, idleMs: 1e9, totalMs: 1e9 } as const;

const bundle = {
  bundleUrl: 'https://storage.example.com/b?s=1',
  expiresAt: '2026-01-02T00:00:00Z',
};
const started = { jobId: 'job-1' };

describe('a call that may be repeated', () => {
  it.each<[string, RawReply]>([
    ['the connection is reset', reset],
    [
      'the reply switches protocols',
      raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    [
      'the body is cut short of its length',
      raw('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"bundleUrl":'),
    ],
    ['a body without length is cut', raw('HTTP/1.1 200 OK\r\n\r\n{"bundleUrl":"htt')],
    [
      'a chunked body is cut',
      raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"bun'),
    ],
  ])('A call is repeated when %s', async (_, fault) => {
    await using server = await startRawServer(fault, json(200, bundle));
    await createBundle(server);
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, RawReply, Partial<ExchangeLimits>, string]>([
    ['no headers come', silence, { headersMs: 30_000 }, 'no reply within the time limit of 30 s'],
    [
      'the body stops',
      raw2Silent('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'),
      { idleMs: 30_000 },
      'the reply stopped for 30 s',
    ],
    [
      'the body drips for ever',
      drip(1),
      { totalMs: 60_000 },
      'the reply did not end within the time limit of 1 min',
    ],
  ])('A call is repeated when %s', async (_, fault, limit, text) => {
    using timers = fakeTimers();
    await using server = await startRawServer(fault, json(200, bundle));
    const { client, clock, log } = makeBench(server, { ...UNLIMITED, ...limit });
    const call = client.createBundle('job-1');
    await received(server);
    await timers.passUntil(() => clock.sleeps.length > 0);
    await call;
    expect(log.text('info')).toContain(text);
    expect(server.requests).toHaveLength(2);
  });
});

function raw2Silent(text: string): RawReply {
  return (socket) => {
    socket.write(text);
  };
}

describe('a call with a time limit', () => {
  it.each<[string, RawReply]>([
    ['says nothing', silence],
    ['drips', drip(5)],
  ])(
    'A call ends at its time limit if the server %s, also before the limits of an attempt',
    async (_, fault) => {
      using timers = fakeTimers();
      await using server = await startRawServer(fault);
      const call = failureOf(
        makeBench(server).client.getExportJob({ jobId: 'job-1' }, { timeLimitMs: 7000 }),
      );
      await received(server);
      timers.pass(7000);
      expectError(await call, { code: 'network', message: 'within the time limit of 7 s' });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('A call is not repeated if the wait would take longer than the remaining time', async () => {
    await using server = await startRawServer(json(429, {}, ['retry-after: 30']));
    const { client, clock } = makeBench(server);
    const call = client.getAgentJob(
      { projectId: 'p', id: 'a' },
      { repeat: 'always', timeLimitMs: 20_000 },
    );
    expect(await failureOf(call)).toMatchObject({ code: 'rate-limited', retryAfterMs: 30_000 });
    expect(clock.sleeps).toEqual([]);
  });
});

describe('a read of a job', () => {
  it.each<[string, RawReply]>([
    ['a reset', reset],
    ['a 503', json(503, {})],
  ])(
    'A read of a job with %s is one attempt, and repeated only if the caller wants it',
    async (_, fault) => {
      const job = { projectId: 'p', id: 'a' };
      const found = { id: 'a', status: 'active', source: { repository: 'https://github.com/a/b' } };
      await using server = await startRawServer(fault, json(200, found));
      const { client } = makeBench(server);
      expect(await failureOf(client.getAgentJob(job))).toMatchObject({ code: 'network' });
      await using second = await startRawServer(fault, json(200, found));
      const { value } = await makeBench(second).client.getAgentJob(job, { repeat: 'always' });
      expect(value.id).toBe('a');
      expect([server.requests.length, second.requests.length]).toEqual([1, 2]);
    },
  );
});

describe('throttling', () => {
  it('A wait for the rate limit is not a failure: a thousand calls with short waits use no retry', async () => {
    const slow = json(429, {}, ['retry-after: 2']);
    await using server = await startRawServer(
      ...Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? slow : json(200, bundle))),
      reset,
      json(200, bundle),
    );
    const { client, clock } = makeBench(server);
    for (let call = 0; call < 31; call += 1) await client.createBundle('job-1');
    expect(clock.sleeps).toHaveLength(31);
  });

  it('Throttling ends a call after five minutes of waiting', async () => {
    await using server = await startRawServer(json(429, {}, ['retry-after: 60']));
    const { client, clock } = makeBench(server);
    expect(await failureOf(client.createBundle('job-1'))).toMatchObject({ code: 'rate-limited' });
    expect(clock.sleeps).toHaveLength(5);
  });

  it('All calls of a run together wait no longer for rate limits than the run may', async () => {
    await using server = await startRawServer(json(429, {}, ['retry-after: 1']));
    const { client, clock } = makeBench(server, {}, 60_000);
    for (let call = 0; call < 5; call += 1) {
      expect(await failureOf(client.createBundle('job-1'))).toMatchObject({
        code: 'rate-limited',
        retryAfterMs: 1000,
      });
    }
    expect(clock.sleeps).toHaveLength(60);
  });

  it.each([
    ['a 429 that asks for no wait', json(429, {}, ['retry-after: 0'])],
    ['a 503 with Retry-After', json(503, {}, ['retry-after: 1'])],
  ])(
    'Waiting for %s counts as a retry, so a server that sends it for good is tried five times',
    async (_, fault) => {
      await using server = await startRawServer(fault);
      expect(await failureOf(createBundle(server))).toMatchObject({
        code: 'rate-limited',
      });
      expect(server.requests).toHaveLength(5);
    },
  );

  it('A throttled call without Retry-After is not tried five times in a few seconds', async () => {
    await using server = await startRawServer(json(429, { error: 'hourly limit' }));
    const { client, clock } = makeBench(server);
    const error = await failureOf(client.createBundle('job-1'));
    expect(error).toMatchObject({ code: 'rate-limited', httpStatus: 429 });
    expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(75_000);
  });
});

describe('what an earlier attempt may have done', () => {
  it('What an earlier attempt may have done is kept if a later one was never sent', async () => {
    const server = await startRawServer(reset);
    const bench = makeBench(server);
    const call = failureOf(write(bench, server));
    await expect.poll(() => bench.clock.sleeps.length).toBeGreaterThan(0);
    await server[Symbol.asyncDispose]();
    expect(await call).toMatchObject({ code: 'network', mayHaveActed: true });
  });

  it('What an earlier attempt may have done is kept if a later one was refused', async () => {
    await using server = await startRawServer(reset, json(403, { error: 'no' }));
    expect(await failureOf(write(makeBench(server), server))).toMatchObject({
      code: 'forbidden',
      mayHaveActed: true,
    });
  });

  it('A call that only reads has not acted, whatever became of it', async () => {
    await using server = await startRawServer(reset, json(403, { error: 'no' }));
    expect(await failureOf(createBundle(server))).toMatchObject({
      code: 'forbidden',
      mayHaveActed: false,
    });
  });
});

describe('a call that must not act twice', () => {
  it.each<[string, RawReply]>([
    ['the connection is reset after the request', reset],
    ['the reply is cut', raw('HTTP/1.1 202 OK\r\ncontent-length: 50\r\n\r\n{"job')],
    ['the reply is a 502', json(502, {})],
    ['the reply is a 503 without Retry-After', json(503, {})],
    ['the reply is not what was promised', json(200, { job: 1 })],
    ['the reply is HTML', reply(200, '<html>hello</html>')],
  ])(
    'A call that must not act twice is sent once when %s, and the error says that it may have started',
    async (_, fault) => {
      await using server = await startRawServer(fault, json(202, started));
      expect(await failureOf(startExport(server))).toMatchObject({
        mayHaveActed: true,
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('A call that must not act twice is sent once when no reply arrives', async () => {
    using timers = fakeTimers();
    await using server = await startRawServer(silence);
    const call = failureOf(
      makeBench(server).client.sendAgentMessage({ projectId: 'p', id: 'a' }, 'hi'),
    );
    await received(server);
    timers.pass(EXCHANGE_LIMITS.headersMs);
    const error = await call;
    expect(error).toMatchObject({ code: 'network', mayHaveActed: true });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['429', json(429, {})],
    ['503 with Retry-After', json(503, {}, ['retry-after: 1'])],
  ])('A call that must not act twice is sent again after %s', async (_, fault) => {
    await using server = await startRawServer(fault, json(202, started));
    await startExport(server);
    expect(server.requests).toHaveLength(2);
  });

  it('A call that must not act twice is sent again if the connection failed', async () => {
    const server = await startRawServer(json(202, started));
    await server[Symbol.asyncDispose]();
    const { client, clock } = makeBench(server);
    expectError(await failureOf(client.startExport({ domain: 'd' })), {
      code: 'network',
      message: 'ECONNREFUSED',
      mayHaveActed: false,
    });
    expect(clock.sleeps).toHaveLength(4);
  });

  it.each([
    ['refused', json(403, { error: 'no plan' })],
    ['put off by a 503 with Retry-After', json(503, {}, ['retry-after: 600'])],
  ])('A request that is %s does not count as started', async (_, fault) => {
    await using server = await startRawServer(fault);
    expect(await failureOf(startExport(server))).toMatchObject({
      mayHaveActed: false,
    });
  });
});

describe('Retry-After', () => {
  it.each([
    ['seconds', '7', 7000],
    ['a date', 'Thu, 01 Jan 2026 00:00:09 GMT', 9000],
    ['a past date', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('A Retry-After with %s is waited for completely', async (_, header, ms) => {
    await using server = await startRawServer(
      json(429, {}, [`retry-after: ${header}`]),
      json(200, bundle),
    );
    const { client, clock } = makeBench(server);
    await client.createBundle('job-1');
    expect(clock.sleeps[0]).toBeGreaterThanOrEqual(ms);
    expect(clock.sleeps[0]).toBeLessThanOrEqual(Math.ceil(ms * 1.1));
  });

  it('A Retry-After of two minutes is waited for, and one of half an hour ends the call at once, with the time in the hint', async () => {
    for (const [seconds, sleeps] of [
      [120, 1],
      [1800, 0],
    ] as const) {
      await using server = await startRawServer(
        json(429, {}, [`retry-after: ${seconds}`]),
        json(200, bundle),
      );
      const { client, clock } = makeBench(server);
      const error = await client.createBundle('job-1').then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(clock.sleeps).toHaveLength(sleeps);
      if (sleeps === 0)
        expect(error).toMatchObject({
          code: 'rate-limited',
          retryAfterMs: 1_800_000,
          hint: expect.stringMatching(/in 30 ?m/),
        });
      else expect(error).toBeUndefined();
    }
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'A redirect with %i is refused, and nothing reaches the other host',
    async (status) => {
      await using other = await startRawServer(json(200, bundle));
      await using server = await startRawServer(
        json(status, {}, [`location: ${other.url}/elsewhere?secret=1`]),
      );
      const error = await failureOf(createBundle(server));
      expect(error).toMatchObject({ code: 'protocol', httpStatus: status });
      expect(error.message).not.toContain('secret=1');
      expect(other.connections()).toBe(0);
    },
  );

  it.each(['/same', 'file:///etc/passwd', 'unix:/run/x', ''])(
    'A redirect to "%s" is refused',
    async (location) => {
      await using server = await startRawServer(json(302, {}, [`location: ${location}`]));
      expect(await failureOf(createBundle(server))).toMatchObject({
        code: 'protocol',
      });
    },
  );
});

describe('a reply that is not that of the API', () => {
  it.each<[string, RawReply, string]>([
    [
      'a web page',
      reply(200, '<!doctype html><title>Acme docs</title>'),
      'with a web page: this is not the API',
    ],
    [
      'a redirect to a login',
      json(302, {}, ['location: https://dash.example.com/login?next=secret']),
      'with a redirect to the login page https://dash.example.com/login: this is not the API',
    ],
    [
      '405 without JSON',
      reply(405, '<html>Not allowed</html>'),
      'answered 405 with a web page: this is not the API',
    ],
  ])(
    'If base-url answers with %s, the error says that it is not the API',
    async (_, sent, said) => {
      await using server = await startRawServer(sent);
      const { client } = makeBench(server);
      const api = openExport({
        platform: client,
        source: { domain: 'acme.example.com', projectId: undefined },
      });
      const error = await failureOf(api.start());
      expect(error.message).toContain(said);
      expect(error.message).not.toContain('next=');
      expect(error.hint).toContain('Set base-url to the address of the API');
      expect(error.hint).toContain('API keys page');
    },
  );

  it('If a port speaks http, https to it is not called a problem of a certificate', async () => {
    const plain = createServer((_, response) => response.end('hello'));
    const port = await listen(plain);
    const error = await failureOf(createBundle({ url: `https://127.0.0.1:${port}` }));
    plain.close();
    expect(error.hint).toContain(`Port ${port} of 127.0.0.1 does not speak https`);
    expect(error.hint).not.toContain('certificate');
  });
});

describe('an invalid reply', () => {
  it.each<[string, RawReply]>([
    ['HTML', reply(200, '<html><title>Sign in</title>')],
    ['nothing', reply(200, '')],
    ['null', reply(200, 'null')],
    ['an array', reply(200, '[]')],
    ['JSON behind a byte order mark', reply(200, `\uFEFF${JSON.stringify(bundle)}`)],
    ['deep nesting', reply(200, `${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['a field of another type', json(200, { bundleUrl: 5 })],
    ['headers beyond the limit', raw(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}\r\n\r\n{}`)],
    ['10,000 headers', raw(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}\r\n{}`)],
    ['bytes that are not HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n')],
  ])('An invalid reply is a protocol error: %s', async (_, fault) => {
    await using server = await startRawServer(fault);
    expect(await failureOf(createBundle(server))).toMatchObject({
      code: 'protocol',
    });
    expect(server.requests.length).toBe(1);
  });

  it('A reply cannot change the prototype of anything', async () => {
    await using server = await startRawServer(
      reply(
        200,
        '[{"content":"a","path":"/","metadata":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}]',
      ),
    );
    const { value } = await makeBench(server).client.search('acme', { query: 'x' });
    expect(value).toHaveLength(1);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect('polluted' in (value[0]?.metadata ?? {})).toBe(false);
  });

  it('Reading a plain reply ends at 1 MiB', async () => {
    await using server = await startRawServer(
      endless('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(64 * 1024, 32)),
    );
    expect(await failureOf(createBundle(server))).toMatchObject({
      code: 'protocol',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('Reading a compressed reply ends at 1 MiB of decoded data', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32));
    await using server = await startRawServer(reply(200, bomb, ['content-encoding: gzip']));
    const error = await failureOf(createBundle(server));
    expect(error.message).toContain('larger than 1 MiB');
  });

  it('A reply that a proxy has compressed is read', async () => {
    await using server = await startRawServer(
      reply(200, gzipSync(JSON.stringify(bundle)), ['content-encoding: gzip']),
    );
    expect((await createBundle(server)).value.bundleUrl).toBe(bundle.bundleUrl);
  });
});

function endless(head: string, piece: Buffer): RawReply {
  return (socket) => {
    socket.write(head);
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };
}

describe('cancellation', () => {
  it('A cancelled write that is sent only once may have an effect, and a cancelled read has none', async () => {
    for (const [repeat, mayHaveActed] of [
      ['never', true],
      ['unless-acted', true],
      ['always', false],
    ] as const) {
      await using server = await startRawServer(silence);
      const cancel = new AbortController();
      const http = new Http({ clock: fakeClock(), log: recordingLog(), signal: cancel.signal });
      const service = { name: 'a store', addressSetting: 'address' };
      const url = new URL(server.url);
      const call = failureOf(http.request({ service, method: 'POST', url, repeat }));
      await received(server);
      cancel.abort();
      expect(await call, repeat).toMatchObject({ code: 'cancelled', mayHaveActed });
    }
  });

  it('Nothing is sent after cancelling', async () => {
    await using server = await startRawServer(json(200, bundle));
    const { client, cancel } = makeBench(server);
    cancel.abort();
    expect(await failureOf(client.createBundle('j'))).toMatchObject({ code: 'cancelled' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('names that do not resolve', () => {
  it('A name that does not resolve is tried five times, and the error contains it', async () => {
    const { client, clock } = makeBench({ url: 'https://no-such-host.invalid' });
    expectError(await failureOf(client.createBundle('j')), {
      code: 'network',
      message: /no-such-host\.invalid.*(ENOTFOUND|EAI_AGAIN)/,
    });
    expect(clock.sleeps).toHaveLength(4);
  });
});
