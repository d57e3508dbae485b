import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startBundleServer } from '../support/bundle-server.ts';
import { startForwardingProxy } from '../support/forwarding-proxy.ts';
import type { RunningStep, StepOptions, StepResult } from '../support/runner.ts';
import { makeCertificate } from '../support/tls.ts';
import { startWorld, type World } from '../support/world.ts';
import { tar, tarGz, zip } from './archives.ts';

const MIB = 1024 * 1024;
const PAGES = [
  { name: 'index.html', content: '<title>New</title><p>new</p>' },
  { name: 'noise.bin', content: randomBytes(2 * MIB) },
];

interface Receipt extends Pick<StepOptions, 'env' | 'signalAfter'> {
  readonly bundleUrl: string;
  readonly world: World;
}

/** Exports a job that has finished, and whose link leads to the storage given. */
async function receive({ bundleUrl, world, ...more }: Receipt): Promise<StepResult> {
  await world.platform.addExportJob({ jobId: 'job-1' });
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const link = { status: 200, headers: { 'content-type': 'application/json' }, body: { bundleUrl, expiresAt } };
  world.platform.inject({ match: { method: 'POST', path: /\/bundle$/, times: Number.POSITIVE_INFINITY }, ...link });
  const inputs = { 'export-job-id': 'job-1', 'extract-to': 'site', clean: 'true' };
  return await world.step(inputs, { workspace: world.workspace, ...more });
}

const PLATFORM_ONLY = { github: false, clock: 'system' } as const;

/** A site that an earlier export made, with its manifest. */
function putOld({ workspace }: World): void {
  mkdirSync(join(workspace, 'site'));
  writeFileSync(join(workspace, 'site/old.html'), 'old');
  const sha256 = createHash('sha256').update('old').digest('hex');
  const manifest = { version: 1, exportJobId: 'job-0', files: [{ path: 'old.html', bytes: 3, sha256 }] };
  writeFileSync(join(workspace, 'site.manifest.json'), JSON.stringify(manifest));
}

/** The content of the staging folder next to `site`, while it exists. */
function listStaging(workspace: string): string[] {
  try {
    const folder = readdirSync(workspace).find((name) => name.includes('.courier-'));
    return folder === undefined ? [] : readdirSync(join(workspace, folder), { recursive: true }).map(String);
  } catch {
    // Files and folders come and go while they are listed: the next call sees the rest.
    return [];
  }
}

describe('a cancelled receipt', () => {
  async function expectOld(result: StepResult, world: World): Promise<void> {
    expect(result.exitCode, result.log).toBe(1);
    expect(result.outputs).toMatchObject({ status: 'cancelled', 'job-id': 'job-1', 'site-path': '' });
    expect(result.cancelledAfterMs).toBeLessThan(5000);
    expect(readdirSync(world.workspace).sort()).toEqual(['site', 'site.manifest.json']);
    expect(readdirSync(join(world.workspace, 'site'))).toEqual(['old.html']);
    expect(result.tempFiles.filter((path) => path.includes('bundle'))).toEqual([]);
  }

  test('A cancelled download ends within 5 s, keeps the old folder and leaves no temporary file', async () => {
    await using world = await startWorld(PLATFORM_ONLY);
    putOld(world);
    await using storage = await startBundleServer(tarGz(PAGES), [{ stallAt: MIB }]);
    const signalAfter = ({ workspace }: RunningStep) =>
      listStaging(workspace).some((path) => path.endsWith('noise.bin'));
    await expectOld(await receive({ bundleUrl: storage.url, world, signalAfter }), world);
  });

  test('A cancelled unpacking ends within 5 s, keeps the old folder and leaves no temporary file', async () => {
    await using world = await startWorld(PLATFORM_ONLY);
    putOld(world);
    const block = randomBytes(MIB / 4);
    const parts = Array.from({ length: 600 }, (_, index) => ({ name: `p${index}.bin`, content: block, method: 0 }));
    await using storage = await startBundleServer(zip([...parts, { name: 'index.html', content: 'new' }]));
    const signalAfter = ({ workspace }: RunningStep) => listStaging(workspace).some((path) => path.endsWith('.bin'));
    await expectOld(await receive({ bundleUrl: storage.url, world, signalAfter }), world);
  });
});

test('A bundle of 100 MiB needs at most 256 MiB of memory, and the folder is the new one', async () => {
  await using world = await startWorld(PLATFORM_ONLY);
  putOld(world);
  const block = randomBytes(MIB);
  const parts = Array.from({ length: 100 }, (_, index) => ({ name: `p${index}.bin`, content: block }));
  await using storage = await startBundleServer(gzipSync(tar([...PAGES, ...parts]), { level: 0 }));
  const result = await receive({ bundleUrl: storage.url, world });
  expect(result.exitCode, result.log).toBe(0);
  expect(result.peakRssBytes).toBeLessThan(256 * MIB);
  expect(readdirSync(join(world.workspace, 'site'))).toHaveLength(102);
  expect(readFileSync(join(world.workspace, 'site/index.html'), 'utf8')).toBe(PAGES[0]?.content);
});

describe('a storage behind a proxy', () => {
  const HOST = 'bundles.storage.example';

  async function startStorage(archive: Buffer) {
    const certificate = await makeCertificate({ hosts: [HOST] });
    const requests: (string | undefined)[] = [];
    const server = createServer(certificate, (request, response) => {
      requests.push(request.headers.authorization);
      response.writeHead(200, { 'content-length': archive.length, etag: '"one"' }).end(archive);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return {
      target: `${HOST}:${port}`,
      url: `https://${HOST}:${port}/docs.tar.gz?X-Amz-Signature=0123`,
      authority: certificate.cert,
      requests,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test('A storage behind a proxy is reached through the proxy, with certificates checked', async () => {
    await using world = await startWorld(PLATFORM_ONLY);
    await using storage = await startStorage(tarGz(PAGES));
    await using proxy = await startForwardingProxy({ hosts: { [HOST]: '127.0.0.1' } });
    const authority = join(world.root, 'authority.pem');
    writeFileSync(authority, storage.authority);
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority };
    const result = await receive({ bundleUrl: storage.url, world, env });
    expect(result.exitCode, result.log).toBe(0);
    expect(proxy.requests).toEqual([{ method: 'CONNECT', target: storage.target, authorized: true }]);
    expect(storage.requests).toEqual([undefined]);
    expect(readdirSync(join(world.workspace, 'site')).sort()).toEqual(['index.html', 'noise.bin']);
  });

  test('A storage with an unknown certificate is not trusted, and the hint says what to set', async () => {
    await using world = await startWorld(PLATFORM_ONLY);
    await using storage = await startStorage(tarGz(PAGES));
    await using proxy = await startForwardingProxy({ hosts: { [HOST]: '127.0.0.1' } });
    const result = await receive({ bundleUrl: storage.url, world, env: { HTTPS_PROXY: proxy.url } });
    expect(result.outputs, result.log).toMatchObject({ status: 'failed', 'error-code': 'network' });
    expect(result.log).toContain('NODE_EXTRA_CA_CERTS');
    expect(storage.requests).toEqual([]);
    expect(proxy.requests).toHaveLength(1);
  });

  test('A storage listed in NO_PROXY is reached directly', async () => {
    await using world = await startWorld(PLATFORM_ONLY);
    await using proxy = await startForwardingProxy({ hosts: { [HOST]: '127.0.0.1' } });
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: HOST };
    // No resolver knows the name: the first failure shows which route was used.
    const signalAfter = ({ shown }: RunningStep) => shown.some((line) => line.includes('was interrupted'));
    const result = await receive({ bundleUrl: `https://${HOST}/docs.tar.gz?sig=1`, world, env, signalAfter });
    expect(result.log).toContain('was interrupted at 0 bytes');
    expect(proxy.requests).toEqual([]);
  });
});
