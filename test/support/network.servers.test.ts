import { createServer, request, type Server } from 'node:http';
import { createServer as createHttpsServer, request as requestHttps } from 'node:https';
import { describe, expect, test } from 'vitest';
import { readAddress } from '../../emulator/src/server.ts';
import { startForwardingProxy } from './forwarding-proxy.ts';
import { type Certificate, makeCertificate, makeExpiredCertificate, makeWrongHostCertificate } from './tls.ts';

async function listen(server: Server): Promise<{ port: number } & AsyncDisposable> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: readAddress(server.address()).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hello = () => createServer((incoming, response) => response.end(`hello ${incoming.headers.host}`));

/** Status of a request in absolute form through the proxy. */
function getThrough(proxy: string, target: string, authorization?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(target).host, ...(authorization ? { 'proxy-authorization': authorization } : {}) };
    request(proxy, { path: target, headers }, async (response) => {
      resolve(`${response.statusCode} ${Buffer.concat(await response.toArray())}`);
    })
      .on('error', reject)
      .end();
  });
}

/** First bytes of a GET through a CONNECT tunnel. */
function tunnelThrough(proxy: string, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(proxy, { method: 'CONNECT', path: target })
      .on('connect', (response, socket) => {
        if (response.statusCode !== 200) resolve(String(response.statusCode));
        socket.write(`GET / HTTP/1.1\r\nHost: ${target}\r\nConnection: close\r\n\r\n`);
        socket.on('data', (data: Buffer) => resolve(data.toString().split('\r\n')[0] ?? ''));
      })
      .on('error', reject)
      .end();
  });
}

describe('the forwarding proxy', () => {
  test('The proxy forwards and tunnels, and records the requests', async () => {
    await using server = await listen(hello());
    await using proxy = await startForwardingProxy();
    const target = `http://127.0.0.1:${server.port}/x?y=1`;
    expect(await getThrough(proxy.url, target)).toBe(`200 hello 127.0.0.1:${server.port}`);
    expect(await tunnelThrough(proxy.url, `127.0.0.1:${server.port}`)).toBe('HTTP/1.1 200 OK');
    expect(proxy.requests.map((one) => [one.method, one.target])).toEqual([
      ['GET', target],
      ['CONNECT', `127.0.0.1:${server.port}`],
    ]);
  });

  test('The proxy requires credentials if it is configured to', async () => {
    await using server = await listen(hello());
    await using proxy = await startForwardingProxy({ credentials: { user: 'u', password: 'p@ss' } });
    const target = `http://127.0.0.1:${server.port}/`;
    const right = `Basic ${Buffer.from('u:p@ss').toString('base64')}`;
    expect(await getThrough(proxy.url, target)).toMatch(/^407/);
    expect(await getThrough(proxy.url, target, right)).toMatch(/^200/);
    expect(await tunnelThrough(proxy.url, `127.0.0.1:${server.port}`)).toBe('407');
  });

  test('The proxy cuts tunnels if it is configured to', async () => {
    await using proxy = await startForwardingProxy({ dropConnect: true });
    await expect(tunnelThrough(proxy.url, '127.0.0.1:1')).rejects.toThrow('socket hang up');
  });
});

describe('certificates', () => {
  async function askWith(certificate: Certificate, trusted: boolean): Promise<string> {
    await using server = await listen(createHttpsServer(certificate, (_, response) => response.end('ok')));
    return await new Promise<string>((resolve) => {
      requestHttps(`https://localhost:${server.port}/`, trusted ? { ca: certificate.cert } : {}, (response) => {
        response.resume();
        resolve(String(response.statusCode));
      })
        .on('error', (error) => resolve('code' in error ? String(error.code) : 'error'))
        .end();
    });
  }

  test('A certificate is valid for localhost only for clients that trust it', async () => {
    const certificate = await makeCertificate();
    expect(await askWith(certificate, true)).toBe('200');
    expect(await askWith(certificate, false)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  test('A certificate can be expired or for another host', async () => {
    expect(await askWith(await makeExpiredCertificate(), true)).toBe('CERT_HAS_EXPIRED');
    expect(await askWith(await makeWrongHostCertificate(), true)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });
});
