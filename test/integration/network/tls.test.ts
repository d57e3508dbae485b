import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../emulator/src/server.ts';
import { CourierError } from '../../../src/errors.ts';
import { EXCHANGE_LIMITS, type ExchangeLimits } from '../../../src/http/exchange.ts';
import { createPlatformClient, createTransport } from '../../../src/platform/client.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { json, startRawServer } from '../../support/raw-server.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { makeCertificate, makeExpiredCertificate, makeWrongHostCertificate } from '../../support/tls.ts';
import { startTlsFront } from './tls-front.ts';

const KEY = 'svc_canary-admin-0123456789';

function makeClient(baseUrl: string, limits: Partial<ExchangeLimits> = {}) {
  const clock = fakeClock();
  const transport = createTransport({
    baseUrl,
    keys: { admin: KEY },
    clock,
    log: recordingLog(),
    signal: new AbortController().signal,
    limits: { ...EXCHANGE_LIMITS, ...limits },
  });
  return { client: createPlatformClient(transport), clock };
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
    ['signed by itself', makeCertificate, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['past its time', makeExpiredCertificate, 'CERT'],
    ['of another host', makeWrongHostCertificate, 'CERT'],
  ])('(%s) ends the call at once, with the way to trust it, and no request is sent', async (_, make, code) => {
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
  });

  it('is none where the server speaks no TLS at all: said, and not repeated', async () => {
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
  // The handshake never ends: what the other side gets are bytes of TLS, and never a request.
  it('is given up after the time limit and tried again, a start too: nothing can have been started', async () => {
    await using server = await startRawServer();
    const { client, clock } = makeClient(server.url.replace('http:', 'https:'), { connectMs: 60 });
    const error = await failureOf(client.startExport('docs.example.com'));
    expect(error).toMatchObject({ code: 'network', mayHaveStarted: false });
    expect(error.message).toContain('no connection within the time limit');
    expect(clock.sleeps).toHaveLength(4);
    // The last one may not have been accepted yet.
    await expect.poll(() => server.connections()).toBe(5);
  });

  it('has ten seconds', () => {
    expect(EXCHANGE_LIMITS.connectMs).toBe(10_000);
  });
});
