import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startBundleServer } from '../support/bundle-server.ts';
import type { RunningStep, StepOptions, StepResult } from '../support/runner.ts';
import { startWorld, type World } from '../support/world.ts';
import { tarGz, zip } from './archives.ts';

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
  const link = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { bundleUrl, expiresAt },
  };
  world.platform.inject({
    match: { method: 'POST', path: /\/bundle$/, times: Number.POSITIVE_INFINITY },
    ...link,
  });
  const inputs = { 'export-job-id': 'job-1', 'extract-to': 'site', clean: 'true' };
  return await world.step(inputs, { workspace: world.workspace, ...more });
}

const PLATFORM_ONLY = { github: false, clock: 'system' } as const;

/** A site that an earlier export made, with its manifest. */
function putOld({ workspace }: World): void {
  mkdirSync(join(workspace, 'site'));
  writeFileSync(join(workspace, 'site/old.html'), 'old');
  const sha256 = createHash('sha256').update('old').digest('hex');
  const manifest = {
    version: 1,
    exportJobId: 'job-0',
    files: [{ path: 'old.html', bytes: 3, sha256 }],
  };
  writeFileSync(join(workspace, 'site.manifest.json'), JSON.stringify(manifest));
}

/** The content of the staging folder next to `site`, while it exists. */
function listStaging(workspace: string): string[] {
  try {
    const folder = readdirSync(workspace).find((name) => name.includes('.courier-'));
    return folder === undefined
      ? []
      : readdirSync(join(workspace, folder), { recursive: true }).map(String);
  } catch {
    // Files and folders come and go while they are listed: the next call sees the rest.
    return [];
  }
}

describe('a cancelled receipt', () => {
  async function expectOld(result: StepResult, world: World): Promise<void> {
    expect(result.exitCode, result.log).toBe(1);
    expect(result.outputs).toMatchObject({
      status: 'cancelled',
      'job-id': 'job-1',
      'site-path': '',
    });
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
    const parts = Array.from({ length: 600 }, (_, index) => ({
      name: `p${index}.bin`,
      content: block,
      method: 0,
    }));
    await using storage = await startBundleServer(
      zip([...parts, { name: 'index.html', content: 'new' }]),
    );
    const signalAfter = ({ workspace }: RunningStep) =>
      listStaging(workspace).some((path) => path.endsWith('.bin'));
    await expectOld(await receive({ bundleUrl: storage.url, world, signalAfter }), world);
  });
});
