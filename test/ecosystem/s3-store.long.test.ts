import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/src/platform/emulator.ts';
import {
  type ObjectStore,
  STORE_TOOL,
  startObjectStore,
  storeIsInstalled,
} from '../../scripts/examples/object-store.ts';
import { checkBundleUrl, linkPolicy } from '../../src/platform/link.ts';
import { makeBundle, SITE } from '../support/emulator-requests.ts';
import { runStep } from '../support/runner.ts';

const installed = storeIsInstalled();
if (!installed)
  console.warn(
    `${STORE_TOOL} is not installed, so nothing here runs. Install it: bash scripts/tools.sh`,
  );

interface Stored extends AsyncDisposable {
  readonly store: ObjectStore;
  readonly emulator: Emulator;
}

async function startStored(linkLifetimeMs = 3_600_000): Promise<Stored> {
  const store = await startObjectStore();
  const { endpoint, bucket, region, accessKey: accessKeyId, secretKey: secretAccessKey } = store;
  const s3 = { endpoint, bucket, region, accessKeyId, secretAccessKey };
  const emulator = await startEmulator({ sites: { acme: SITE }, linkLifetimeMs, s3 });
  const close = async () => {
    await emulator.close();
    await store[Symbol.asyncDispose]();
  };
  return { store, emulator, [Symbol.asyncDispose]: close };
}

async function get(url: string) {
  const reply = await fetch(url);
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    text: await reply.text(),
  };
}

describe.skipIf(!installed)('bundles in an S3-compatible store', () => {
  test('The bundle is an object of the bucket, and its link comes from the store and passes the checks of the action', async () => {
    await using stored = await startStored();
    const { jobId } = await stored.emulator.addExportJob({ jobId: 'job-1' });
    const { bundleUrl } = await makeBundle(stored.emulator, jobId);
    expect(
      bundleUrl.startsWith(`${stored.store.endpoint}/${stored.store.bucket}/job-1/acme.tar.gz?`),
    ).toBe(true);
    expect(bundleUrl).toContain('X-Amz-Signature=');
    expect(checkBundleUrl(bundleUrl, linkPolicy(stored.emulator.url))).toBe(bundleUrl);
    const object = join(stored.store.folder, 'job-1/acme.tar.gz');
    const reply = await fetch(bundleUrl);
    expect(Buffer.from(await reply.arrayBuffer()).equals(readFileSync(object))).toBe(true);
  });

  test('A link really expires, with 403 and XML, and a new one to the same object works', async () => {
    await using stored = await startStored(1000);
    const { jobId } = await stored.emulator.addExportJob({ jobId: 'job-1' });
    // On a busy machine, a link of one second may be over before it is read.
    const makeAndGet = async () => {
      const { bundleUrl } = await makeBundle(stored.emulator, jobId);
      return { bundleUrl, status: (await get(bundleUrl)).status };
    };
    const works = { bundleUrl: expect.any(String), status: 200 };
    await expect.poll(makeAndGet, { timeout: 30_000 }).toEqual(works);
    const { bundleUrl } = await makeAndGet();
    // Its signature has whole seconds.
    await delay(2200);
    const refused = await get(bundleUrl);
    expect(refused).toMatchObject({ status: 403, type: expect.stringContaining('xml') });
    expect(refused.text).toContain('<Code>AccessDenied</Code>');
    await expect.poll(makeAndGet, { timeout: 30_000 }).toEqual(works);
  });

  test('A changed link is refused', async () => {
    await using stored = await startStored();
    const { jobId } = await stored.emulator.addExportJob({ jobId: 'job-1' });
    const { bundleUrl } = await makeBundle(stored.emulator, jobId);
    const longer = bundleUrl.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=9999');
    expect((await get(longer)).text).toContain('SignatureDoesNotMatch');
  });

  test('The action exports, downloads and unpacks a bundle from the store', async () => {
    await using stored = await startStored();
    const workspace = await mkdtemp(join(tmpdir(), 'docs-courier-s3-'));
    try {
      const step = await runStep({
        workspace,
        inputs: {
          mode: 'export',
          'base-url': stored.emulator.url,
          'admin-api-key': stored.emulator.keys.admin,
          domain: 'acme.docs.example.com',
          'bundle-path': 'docs.tar.gz',
          'extract-to': 'site',
        },
      });
      expect(step.exitCode, step.log).toBe(0);
      expect(existsSync(join(workspace, 'site/index.html'))).toBe(true);
      expect(statSync(join(workspace, 'docs.tar.gz')).size).toBe(
        JSON.parse(step.outputs.report ?? '').bundleBytes,
      );
      expect(step.log).not.toContain('X-Amz-Signature');
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  });

  test('A reset of the emulator removes its bundles from the bucket', async () => {
    await using stored = await startStored();
    await stored.emulator.addExportJob({ jobId: 'job-1' });
    const object = join(stored.store.folder, 'job-1/acme.tar.gz');
    expect(existsSync(object)).toBe(true);
    stored.emulator.reset();
    await expect.poll(() => existsSync(object)).toBe(false);
  });

  test('A missing bucket is reported at the start', async () => {
    await using store = await startObjectStore();
    const { endpoint, region, accessKey: accessKeyId, secretKey: secretAccessKey } = store;
    const s3 = { endpoint, bucket: 'another', region, accessKeyId, secretAccessKey };
    await expect(startEmulator({ sites: {}, s3 })).rejects.toThrow(
      /^The bucket another at http:.* cannot be used/,
    );
  });
});
