import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startEmulator } from '../../emulator/src/platform/emulator.ts';
import { runStep } from '../support/runner.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const FILE = 'docs-queries.yml';

/**
 * The documentation of this project served by the emulator, and the example queries file run
 * against a copy of it.
 */
async function runExample(change: (docs: string) => Promise<void> = async () => undefined) {
  const root = await mkdtemp(join(tmpdir(), 'search-example-'));
  try {
    const [docs, workspace] = [join(root, 'docs'), join(root, 'workspace')];
    await cp(join(CHECKOUT, 'docs'), docs, { recursive: true });
    await cp(join(CHECKOUT, 'examples', FILE), join(workspace, FILE));
    await change(docs);
    await using emulator = await startEmulator({ sites: { acme: docs } });
    const key = emulator.keys.assistant;
    return await runStep({
      workspace,
      secrets: [key],
      inputs: {
        mode: 'search',
        'base-url': emulator.url,
        'assistant-api-key': key,
        domain: 'acme',
        'queries-file': FILE,
      },
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

test("The example queries file passes against this project's documentation", async () => {
  const result = await runExample();
  expect(result.exitCode, result.log).toBe(0);
  expect(JSON.parse(result.outputs['report'] ?? '')).toMatchObject({
    passedCount: 7,
    failedCount: 0,
  });
});
