import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleInputs } from '../support/make-inputs.ts';
import { crane, RegistryServer } from '../support/real-servers/registry.ts';
import { describeRegistry, filesIn, imageRun, REPOSITORY, startImageWorld } from '../support/registry-scenarios.ts';

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
