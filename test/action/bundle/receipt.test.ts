import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../src/emulator/platform/emulator.ts';
import { tar, tarGz, zip } from '../../integration/bundle/archives.ts';
import { openWorkbench, type Workbench } from '../../integration/bundle/workbench.ts';
import { startBundleServer } from '../../support/bundle-server.ts';
import { startForwardingProxy } from '../../support/forwarding-proxy.ts';
import { type RunningStep, runStep, type StepOptions, type StepResult } from '../../support/runner.ts';
import { makeCertificate } from '../../support/tls.ts';

const MIB = 1024 * 1024;
const PAGES = [
  { name: 'index.html', content: '<title>New</title><p>new</p>' },
  { name: 'noise.bin', content: randomBytes(2 * MIB) },
];

/** A platform with a finished export whose link leads to the storage given. */
async function startPlatform(bundleUrl: string): Promise<Emulator> {
  const keys = { admin: 'svc_adminKey0123456789abcdef', assistant: 'svc_dsc_key0123456789' };
  const platform = await startEmulator({ sites: { acme: { 'index.md': '# Docs' } }, keys });
  await platform.addExportJob({ jobId: 'job-1' });
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const link = { status: 200, headers: { 'content-type': 'application/json' }, body: { bundleUrl, expiresAt } };
  platform.inject({ match: { method: 'POST', path: /\/bundle$/, times: Number.POSITIVE_INFINITY }, ...link });
  return platform;
}

interface Receipt extends Pick<StepOptions, 'env' | 'signalAfter'> {
  readonly bundleUrl: string;
  readonly bench: Workbench;
}

async function receive({ bundleUrl, bench, ...more }: Receipt): Promise<StepResult> {
  await using platform = await startPlatform(bundleUrl);
  return await runStep({
    ...(process.env.ACTION_MAIN ? { main: process.env.ACTION_MAIN } : {}),
    workspace: bench.workspace,
    inputs: {
      mode: 'export',
      'base-url': platform.url,
      'admin-api-key': platform.keys.admin,
      domain: 'acme.example.com',
      'export-job-id': 'job-1',
      'extract-to': 'site',
      clean: 'true',
    },
    ...more,
  });
}

function putOld({ workspace }: Workbench): void {
  mkdirSync(join(workspace, 'site'));
  writeFileSync(join(workspace, 'site/old.html'), 'old');
}

/** What is in the staging folder next to `site`, while there is one. */
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
  async function expectOld(result: StepResult, bench: Workbench): Promise<void> {
    expect(result.exitCode, result.log).toBe(1);
    expect(result.outputs).toMatchObject({ status: 'cancelled', 'job-id': 'job-1', 'site-path': '' });
    expect(result.cancelledAfterMs).toBeLessThan(5000);
    expect(readdirSync(bench.workspace)).toEqual(['site']);
    expect(readdirSync(join(bench.workspace, 'site'))).toEqual(['old.html']);
    expect(result.tempFiles.filter((path) => path.includes('bundle'))).toEqual([]);
  }

  test('during the download is over within 5 s; the folder is the old one, and no temporary file stays', async () => {
    using bench = openWorkbench();
    putOld(bench);
    await using storage = await startBundleServer(tarGz(PAGES), [{ stallAt: MIB }]);
    const signalAfter = ({ workspace }: RunningStep) =>
      listStaging(workspace).some((path) => path.endsWith('noise.bin'));
    await expectOld(await receive({ bundleUrl: storage.url, bench, signalAfter }), bench);
  });

  test('during the unpacking is over within 5 s; the folder is the old one, and no temporary file stays', async () => {
    using bench = openWorkbench();
    putOld(bench);
    const block = randomBytes(MIB / 4);
    const parts = Array.from({ length: 600 }, (_, index) => ({ name: `p${index}.bin`, content: block, method: 0 }));
    await using storage = await startBundleServer(zip([...parts, { name: 'index.html', content: 'new' }]));
    const signalAfter = ({ workspace }: RunningStep) => listStaging(workspace).some((path) => path.endsWith('.bin'));
    await expectOld(await receive({ bundleUrl: storage.url, bench, signalAfter }), bench);
  });
});

test('a bundle of 100 MiB takes at most 256 MiB of memory, and the folder is the new one', async () => {
  using bench = openWorkbench();
  putOld(bench);
  const block = randomBytes(MIB);
  const parts = Array.from({ length: 100 }, (_, index) => ({ name: `p${index}.bin`, content: block }));
  await using storage = await startBundleServer(gzipSync(tar([...PAGES, ...parts]), { level: 0 }));
  const result = await receive({ bundleUrl: storage.url, bench });
  expect(result.exitCode, result.log).toBe(0);
  expect(result.peakRssBytes).toBeLessThan(256 * MIB);
  expect(readdirSync(join(bench.workspace, 'site'))).toHaveLength(102);
  expect(readFileSync(join(bench.workspace, 'site/index.html'), 'utf8')).toBe(PAGES[0]?.content);
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

  test('is reached through it, with certificates checked', async () => {
    using bench = openWorkbench();
    await using storage = await startStorage(tarGz(PAGES));
    await using proxy = await startForwardingProxy({ hosts: { [HOST]: '127.0.0.1' } });
    const authority = join(bench.root, 'authority.pem');
    writeFileSync(authority, storage.authority);
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority };
    const result = await receive({ bundleUrl: storage.url, bench, env });
    expect(result.exitCode, result.log).toBe(0);
    expect(proxy.requests).toEqual([{ method: 'CONNECT', target: storage.target, authorized: true }]);
    expect(storage.requests).toEqual([undefined]);
    expect(readdirSync(join(bench.workspace, 'site')).sort()).toEqual(['index.html', 'noise.bin']);
  });

  test('is not trusted when its certificate is unknown, and the hint names the way', async () => {
    using bench = openWorkbench();
    await using storage = await startStorage(tarGz(PAGES));
    await using proxy = await startForwardingProxy({ hosts: { [HOST]: '127.0.0.1' } });
    const result = await receive({ bundleUrl: storage.url, bench, env: { HTTPS_PROXY: proxy.url } });
    expect(result.outputs, result.log).toMatchObject({ status: 'failed', 'error-code': 'network' });
    expect(result.log).toContain('NODE_EXTRA_CA_CERTS');
    expect(storage.requests).toEqual([]);
    expect(proxy.requests).toHaveLength(1);
  });

  test('is asked for directly when NO_PROXY names it', async () => {
    using bench = openWorkbench();
    await using proxy = await startForwardingProxy({ hosts: { [HOST]: '127.0.0.1' } });
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: HOST };
    // No resolver knows the name: the first failure shows which way was taken.
    const signalAfter = ({ shown }: RunningStep) => shown.some((line) => line.includes('was interrupted'));
    const result = await receive({ bundleUrl: `https://${HOST}/docs.tar.gz?sig=1`, bench, env, signalAfter });
    expect(result.log).toContain('was interrupted at 0 bytes');
    expect(proxy.requests).toEqual([]);
  });
});
