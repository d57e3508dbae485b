import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBundleServer } from '../../support/bundle-server.ts';
import { SPECIMENS } from './corpus.ts';
import { listTree, openWorkbench } from './workbench.ts';

test('the corpus holds at least 80 archives', () => {
  expect(SPECIMENS.length).toBeGreaterThanOrEqual(80);
  expect(new Set(SPECIMENS.map(({ name }) => name)).size).toBe(SPECIMENS.length);
});

test.each(SPECIMENS)('$name: $outcome', async ({ archive, outcome }) => {
  using bench = openWorkbench();
  await using server = await startBundleServer(archive);
  const extractTo = join(bench.workspace, 'site');
  const received = bench.receive({ url: server.url, bundle: { extractTo } });
  if (outcome === 'ok') {
    expect((await received).facts.sitePath).toBe(extractTo);
    for (const line of listTree(extractTo)) expect(line).toMatch(/ (755 folder|644 [0-9a-f]{64})$/);
  } else {
    await expect(received).rejects.toMatchObject({ name: 'CourierError', code: outcome });
    expect(existsSync(extractTo)).toBe(false);
  }
  expect(readdirSync(bench.workspace).filter((name) => name !== 'site')).toEqual([]);
  expect(readdirSync(bench.runnerTemp)).toEqual([]);
});

test.each(SPECIMENS.filter(({ elsewhere }) => elsewhere !== undefined))(
  '$name is harmless outside the workspace',
  async ({ archive }) => {
    using bench = openWorkbench();
    await using server = await startBundleServer(archive);
    const { facts } = await bench.receive({ url: server.url, bundle: { extractTo: join(bench.runnerTemp, 'site') } });
    expect(facts.files).toBe(2);
  },
);
