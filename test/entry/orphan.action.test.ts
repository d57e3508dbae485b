import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator } from '../../emulator/src/platform/emulator.ts';
import { CHECKOUT, findNode } from '../support/runner/environment.ts';

it('A run exits automatically when its runner is gone', async () => {
  await using platform = await startEmulator({
    sites: { acme: { 'index.md': '# Hello' } },
    exportJobs: { advance: 'time', durationMs: 600_000 },
  });
  const folder = await mkdtemp(join(tmpdir(), 'docs-courier-orphan-'));
  try {
    await writeFile(join(folder, 'output'), '');
    await writeFile(join(folder, 'event'), '{}');
    const inputs = {
      INPUT_MODE: 'export',
      'INPUT_BASE-URL': platform.url,
      'INPUT_ADMIN-API-KEY': platform.keys.admin,
      INPUT_DOMAIN: 'acme.example.com',
    };
    const runner = {
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_EVENT_PATH: join(folder, 'event'),
      GITHUB_REPOSITORY: 'acme/docs',
      GITHUB_RUN_ID: '1',
      GITHUB_WORKSPACE: folder,
      RUNNER_TEMP: folder,
    };
    const child = spawn(findNode(), [join(CHECKOUT, 'dist/index.js')], {
      env: { ...inputs, ...runner },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await expect.poll(() => platform.requests.length, { timeout: 20_000 }).toBeGreaterThan(1);
    // What the death of the runner does to the pipes.
    child.stdout.destroy();
    child.stderr.destroy();
    const startMs = performance.now();
    const ended = await Promise.race([
      once(child, 'exit'),
      new Promise((resolve) => setTimeout(resolve, 20_000, 'goes on')),
    ]);
    child.kill('SIGKILL');
    expect(ended).toEqual([1, null]);
    // It notices with the next line that it writes, and then has the five seconds of any
    // cancellation.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
