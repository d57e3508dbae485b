import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { warnOfUncheckedTls } from '../../src/http/certificates.ts';
import {
  EXCHANGE_LIMITS,
  ExchangeError,
  type ExchangeLimits,
  openReply,
} from '../../src/http/exchange.ts';
import { Http } from '../../src/http/http.ts';
import { agentFor } from '../../src/http/proxy.ts';
import { createPlatformClient } from '../../src/platform/client.ts';
import { viewOfExport } from '../../src/platform/export-api.ts';
import { follow } from '../../src/platform/follow.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { startForwardingProxy } from '../support/forwarding-proxy.ts';
import { listen } from '../support/listening.ts';
import { json, startRawServer } from '../support/raw-server.ts';
import { recordingLog } from '../support/recording-log.ts';
import {
  makeCertificate,
  makeExpiredCertificate,
  makeWrongHostCertificate,
} from '../support/tls.ts';
import { startTlsFront } from './tls-front.ts';

const KEY = 'svc_canary-admin-0123456789';

function makeClient(baseUrl: string, limits: Partial<ExchangeLimits> = {}) {
  const clock = fakeClock();
  const { signal } = new AbortController();
  const http = new Http({
    clock,
    log: recordingLog(),
    signal,
    limits: { ...EXCHANGE_LIMITS, ...limits },
  });
  return { client: createPlatformClient({ http, baseUrl, keys: { admin: KEY } }), clock };
}

describe('a certificate that is not accepted', () => {
  it.each([
    ['self-signed', makeCertificate, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['expired', makeExpiredCertificate, 'CERT_HAS_EXPIRED', 'has expired'],
    ['for another host', makeWrongHostCertificate, 'CERT', 'NODE_EXTRA_CA_CERTS'],
  ])(
    'A certificate that is %s ends the call immediately with a hint about its cause, and no request is sent',
    async (_, make, code, hint) => {
      await using upstream = await startRawServer(json(200, {}));
      await using front = await startTlsFront(upstream.url, await make());
      const { client, clock } = makeClient(`https://localhost:${front.port}`);
      const error = await failureOf(client.createBundle('job-1'));
      expectError(error, { code: 'network', message: code, hint });
      expect(error.hint).not.toContain('REJECT_UNAUTHORIZED');
      expect(front.connections()).toBe(1);
      expect(clock.sleeps).toEqual([]);
      expect(upstream.requests).toEqual([]);
    },
  );

  it.each([
    ['Following an export job that this run has started', true],
    ['Attaching to an export job', false],
  ])('%s ends after one connection, and the message names the certificate', async (_, fresh) => {
    await using upstream = await startRawServer(json(200, {}));
    await using front = await startTlsFront(upstream.url, await makeCertificate());
    const { client, clock } = makeClient(`https://localhost:${front.port}`);
    const time = {
      clock,
      log: recordingLog(),
      signal: new AbortController().signal,
      timeoutMs: 1_800_000,
    };
    const poll = (timeLimitMs: number) => client.getExportJob({ jobId: 'job-1' }, { timeLimitMs });
    expectError(await failureOf(follow({ ...time, poll, view: viewOfExport, fresh })), {
      message: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      hint: 'NODE_EXTRA_CA_CERTS',
    });
    expect(front.connections()).toBe(1);
  });

  it('A server without TLS is reported as such, and the call is not repeated', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end('{}'));
    server.on('connection', () => {
      connections += 1;
    });
    const { client } = makeClient(`https://localhost:${await listen(server)}`);
    const error = await failureOf(client.createBundle('job-1'));
    server.close();
    expect(error).toMatchObject({ code: 'network', mayHaveActed: false });
    expect(connections).toBe(1);
  });
});

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const switchOff = () => vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');

  it('A request to a server with a self-signed certificate is not sent', async () => {
    switchOff();
    await using upstream = await startRawServer(json(200, {}));
    await using front = await startTlsFront(upstream.url, await makeCertificate());
    const { client } = makeClient(`https://localhost:${front.port}`);
    expect(await failureOf(client.createBundle('job-1'))).toMatchObject({
      code: 'network',
      mayHaveActed: false,
    });
    expect(upstream.requests).toEqual([]);
  });

  it('A download from a server with a self-signed certificate is not requested', async () => {
    switchOff();
    await using upstream = await startRawServer(json(200, {}));
    await using front = await startTlsFront(upstream.url, await makeCertificate());
    const url = new URL(`https://localhost:${front.port}/site.tar.gz?signature=canary`);
    const agent = await agentFor(url, { keep: false });
    const outgoing = { method: 'GET', url, headers: {}, body: undefined, agent };
    const reply = openReply(outgoing, EXCHANGE_LIMITS, new AbortController().signal);
    await expect(reply).rejects.toThrow(ExchangeError);
    expect(upstream.requests).toEqual([]);
  });

  it('The certificate of a server behind a proxy is checked', async () => {
    switchOff();
    await using upstream = await startRawServer(json(200, {}));
    await using front = await startTlsFront(
      upstream.url,
      await makeCertificate({ hosts: ['platform.internal'] }),
    );
    await using proxy = await startForwardingProxy({ hosts: { 'platform.internal': '127.0.0.1' } });
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const { client } = makeClient(`https://platform.internal:${front.port}`);
    const error = await failureOf(client.createBundle('job-1'));
    expect(error.message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(proxy.requests).toHaveLength(1);
    expect(upstream.requests).toEqual([]);
  });

  it('A proxy with TLS whose certificate is not accepted sees neither the target nor its password', async () => {
    switchOff();
    await using proxy = await startForwardingProxy({ certificate: await makeCertificate() });
    vi.stubEnv('HTTPS_PROXY', proxy.url.replace('//', '//user:canary-Pr0xyPassw0rd@'));
    const { client } = makeClient('https://platform.internal');
    expectError(await failureOf(client.createBundle('job-1')), {
      message: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      hint: `the proxy ${proxy.url} was not accepted`,
    });
    expect(proxy.requests).toEqual([]);
  });

  it.each([
    ['0', 1],
    ['1', 0],
    ['', 0],
    [undefined, 0],
  ])(
    'With the value %j, there are %i warnings, which name the variable and how to trust an authority',
    (value, count) => {
      const log = recordingLog();
      warnOfUncheckedTls({ NODE_TLS_REJECT_UNAUTHORIZED: value }, log);
      const warnings = log.entries
        .filter(({ level }) => level === 'warning')
        .map(({ message }) => message);
      expect(warnings).toHaveLength(count);
      for (const text of warnings) {
        expect(text).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0');
        expect(text).toContain('NODE_EXTRA_CA_CERTS');
      }
    },
  );
});

describe('a connection that is never made', () => {
  // The handshake never ends: the other side gets bytes of TLS, and never a request.
  it('A connection attempt ends after the time limit and is repeated, also for a start: nothing can have started', async () => {
    using timers = fakeTimers();
    await using server = await startRawServer();
    const { client, clock } = makeClient(server.url.replace('http:', 'https:'));
    const call = failureOf(client.startExport({ domain: 'docs.example.com' }));
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await expect.poll(() => server.connections()).toBe(attempt);
      timers.pass(EXCHANGE_LIMITS.connectMs);
    }
    expectError(await call, {
      code: 'network',
      message: 'no connection within the time limit of 10 s',
      mayHaveActed: false,
    });
    expect(clock.sleeps).toHaveLength(4);
    expect(server.connections()).toBe(5);
  });

  it('A connection has ten seconds to be established', () => {
    expect(EXCHANGE_LIMITS.connectMs).toBe(10_000);
  });
});
