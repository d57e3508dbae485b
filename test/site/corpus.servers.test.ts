import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBundleServer } from '../support/bundle-server.ts';
import { listTree } from '../support/tree.ts';
import { NO_SERVERS, startWorld } from '../support/world.ts';
import { SPECIMENS } from './corpus.ts';

test.each(SPECIMENS)('The archive "$name" ends as $outcome', async ({ archive, outcome }) => {
  await using world = await startWorld(NO_SERVERS);
  await using server = await startBundleServer(archive);
  const extractTo = join(world.workspace, 'site');
  const received = world.receive({ url: server.url, bundle: { extractTo } });
  if (outcome === 'ok') {
    expect((await received).facts.sitePath).toBe(extractTo);
    for (const line of listTree(extractTo)) expect(line).toMatch(/ (755 folder|644 [0-9a-f]{64})$/);
  } else {
    await expect(received).rejects.toMatchObject({ name: 'CourierError', code: outcome });
    expect(existsSync(extractTo)).toBe(false);
  }
  const made = outcome === 'ok' ? ['site', 'site.manifest.json'] : [];
  expect(readdirSync(world.workspace).sort()).toEqual(made);
  expect(readdirSync(world.runnerTemp)).toEqual([]);
});

test.each(SPECIMENS.filter(({ elsewhere }) => elsewhere !== undefined))(
  'The archive "$name" is harmless outside the workspace',
  async ({ archive }) => {
    await using world = await startWorld(NO_SERVERS);
    await using server = await startBundleServer(archive);
    const { facts } = await world.receive({
      url: server.url,
      bundle: { extractTo: join(world.runnerTemp, 'site') },
    });
    expect(facts.files).toBe(2);
  },
);
