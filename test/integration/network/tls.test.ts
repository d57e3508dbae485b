import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../emulator/src/server.ts';
import { CourierError } from '../../../src/errors.ts';
import { EXCHANGE_LIMITS, type ExchangeLimits } from '../../../src/http/exchange.ts';
import { Http } from '../../../src/http/http.ts';
import { createPlatformClient } from '../../../src/platform/client.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { json, startRawServer } from '../../support/raw-server.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { makeCertificate, makeExpiredCertificate, makeWrongHostCertificate } from '../../support/tls.ts';
import { startTlsFront } from './tls-front.ts';

const KEY = 'svc_canary-admin-0123456789';

function makeClient(baseUrl: string, limits: Partial<ExchangeLimits> = {}) {
  const clock = fakeClock();
  const { signal } = new AbortController();
  const http = new Http({ clock, log: recordingLog(), signal, limits: { ...EXCHANGE_LIMITS, ...limits } });
  return { client: createPlatformClient({ http, baseUrl, keys: { admin: KEY } }), clock };
}

async function failureOf(promise: Promise<unknown>): Promise<CourierError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CourierError)) throw new Error(`expected a CourierError, got ${String(error)}`);
  return error;
}

describe('a certificate that is not accepted', () => {
  it.each([
    ['self-signed', makeCertificate, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['expired', makeExpiredCertificate, 'CERT'],
    ['for another host', makeWrongHostCertificate, 'CERT'],
  ])(
    'A certificate that is %s ends the call immediately with a hint how to trust it, and no request is sent',
    async (_, make, code) => {
      await using upstream = await startRawServer(json(200, {}));
      await using front = await startTlsFront(upstream.url, await make());
      const { client, clock } = makeClient(`https://localhost:${front.port}`);
      const error = await failureOf(client.createBundle('job-1'));
      expect(error.code).toBe('network');
      expect(error.message).toContain(code);
      expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
      expect(error.hint).not.toContain('REJECT_UNAUTHORIZED');
      expect(front.connections()).toBe(1);
      expect(clock.sleeps).toEqual([]);
      expect(upstream.requests).toEqual([]);
    },
  );

  it('A server without TLS is reported as such, and the call is not repeated', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end('{}'));
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { client } = makeClient(`https://localhost:${readAddress(server.address()).port}`);
    const error = await failureOf(client.createBundle('job-1'));
    server.close();
    expect(error).toMatchObject({ code: 'network', mayHaveStarted: false });
    expect(connections).toBe(1);
  });
});

describe('a connection that is never made', () => {
  // The handshake never ends: the other side gets bytes of TLS, and never a request.
  it('A connection attempt ends after the time limit and is repeated, also for a start: nothing can have started', async () => {
    await using server = await startRawServer();
    const { client, clock } = makeClient(server.url.replace('http:', 'https:'), { connectMs: 60 });
    const error = await failureOf(client.startExport({ domain: 'docs.example.com' }));
    expect(error).toMatchObject({ code: 'network', mayHaveStarted: false });
    expect(error.message).toContain('no connection within the time limit');
    expect(clock.sleeps).toHaveLength(4);
    // The last one may not have been accepted yet.
    await expect.poll(() => server.connections()).toBe(5);
  });

  it('A connection has ten seconds to be established', () => {
    expect(EXCHANGE_LIMITS.connectMs).toBe(10_000);
  });
});
