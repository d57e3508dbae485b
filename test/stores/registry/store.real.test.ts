import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLaptop } from '../../cli/harness.ts';
import { startLiveSite, staticHost } from '../../support/live-site.ts';
import { bundleInputs } from '../../support/make-inputs.ts';
import { crane, RegistryServer } from '../../support/real-servers/registry.ts';
import {
  describeRegistry,
  filesIn,
  imageRun,
  REPOSITORY,
  startImageWorld,
} from '../../support/registry-scenarios.ts';
import { assertStamp } from '../../support/schemas.ts';
import { searchServed } from '../../support/served-search.ts';

describeRegistry('the real registry', (options) => RegistryServer.start(options));

test('crane validates and exports the image with the files of the bundle, and names the digest of the output', async () => {
  await using registry = await RegistryServer.start();
  await using site = await startImageWorld();
  const { world } = site;
  const { inputs, options } = imageRun(registry.host, world);
  const bundle = bundleInputs({ extractTo: join(world.workspace, 'out') });
  const { facts, error } = await world.export({ ...inputs, bundle }, options('1'));
  expect(error).toBeUndefined();
  const tag = `${registry.host}/${REPOSITORY}:latest`;
  expect(await crane(['validate', '--remote', tag])).toContain('PASS');
  for (const architecture of ['amd64', 'arm64']) {
    const config: unknown = JSON.parse(
      await crane(['config', '--platform', `linux/${architecture}`, tag]),
    );
    expect(config).toMatchObject({ architecture, os: 'linux' });
  }
  const digest = await crane(['digest', tag]);
  expect(facts.image?.reference).toBe(`${registry.host}/${REPOSITORY}@${digest}`);
  const folder = mkdtempSync(join(tmpdir(), 'crane-'));
  try {
    await crane(['export', tag, join(folder, 'image.tar')]);
    execFileSync('tar', ['-xf', 'image.tar'], { cwd: folder });
    rmSync(join(folder, 'image.tar'));
    expect(filesIn(folder)).toEqual(filesIn(join(world.workspace, 'out')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect((await crane(['ls', `${registry.host}/${REPOSITORY}`])).split('\n').sort()).toEqual([
    'latest',
    'latest.state',
  ]);
  expect(await crane(['validate', '--remote', `${tag}.state`])).toContain('PASS');
});

test('An image that is carried to a second registry still says which export it is, and can be searched, with the first one gone', async () => {
  await using second = await RegistryServer.start();
  await using laptop = await openLaptop();
  const folder = mkdtempSync(join(tmpdir(), 'carried-'));
  try {
    const { jobId, copy } = await exportAndCarry(second);
    await crane(['export', copy, join(folder, 'image.tar')]);
    execFileSync('tar', ['-xf', 'image.tar'], { cwd: folder });
    const files = filesIn(folder);
    assertStamp(files['docs-courier.json'] ?? '');
    await using site = await startLiveSite(staticHost(() => files));
    const { exitCode, stdout } = await laptop.run(['status', '--live-url', site.url, '--json'], {
      env: { DOCS_COURIER_BASE_URL: '', DOCS_COURIER_ADMIN_API_KEY: '' },
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      stamp: { exportJobId: jobId, pages: 2, site: 'acme.example.com' },
    });
    expect(await searchServed(site.url, 'comand')).toEqual(['install.html']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * Exports an image with search and stamp into a registry, copies it to another by its digest, and
 * ends the first.
 */
async function exportAndCarry(second: RegistryServer) {
  await using first = await RegistryServer.start();
  await using site = await startImageWorld();
  const { inputs, options } = imageRun(first.host, site.world);
  const { facts, error } = await site.world.export(
    { ...inputs, add: ['search', 'stamp'] },
    options('1'),
  );
  expect(error).toBeUndefined();
  const reference = facts.image?.reference ?? '';
  const copy = reference.replace(first.host, second.host);
  await crane(['copy', reference, copy]);
  expect(await crane(['validate', '--remote', copy])).toContain('PASS');
  return { jobId: facts.jobId, copy };
}
