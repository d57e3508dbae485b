import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tarGz } from '../site/archives.ts';
import { listen } from '../support/listening.ts';
import { runStep, type StepOptions, type StepResult, startStep } from '../support/runner.ts';
import { startActionWorld } from '../support/world/built-action.ts';
import type { World } from '../support/world.ts';

const REPORT = /^docs-courier-[^/]+\/(report\.json)?$/;

function expectInOrder(result: StepResult): void {
  expect(result.exitCode, result.log).toBe(1);
  expect(result.cancelledAfterMs).toBeLessThan(5000);
  expect(result.outputs).toMatchObject({ status: 'cancelled', 'error-code': 'cancelled' });
  expect(result.tempFiles.filter((file) => !REPORT.test(file))).toEqual([]);
  expect(result.log).toContain('exiting.');
  expect(result.stdout + result.stderr).not.toMatch(/\n\s+at /);
}

const seen = ({ platform }: World, path: RegExp) =>
  platform.requests.some((request) => path.test(request.path));

/** Files and folders below, even while some appear and disappear. */
function countBelow(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).length;
  } catch {
    return 0;
  }
}

/** A workspace that outlives its step, to see which files remain. */
async function makeWorkspace() {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'workspace-')));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe('a run that is cancelled', () => {
  test('A run that is cancelled by the time limit of its step ends in order', async () => {
    await using world = await startActionWorld({ exportJobs: { advance: 'poll', polls: 1000 } });
    const result = await world.step({}, { timeoutMs: 2500 });
    expectInOrder(result);
  });

  test('A run that is cancelled while it follows an update starts no export', async () => {
    await using world = await startActionWorld({ projectId: 'project-1', publishLagMs: 600_000 });
    await world.platform.push({ sha: 'b'.repeat(40), content: { 'index.md': '# Merged' } });
    const inputs = { publish: 'true', 'project-id': 'project-1' };
    const result = await world.step(inputs, {
      signalAfter: (step) => step.stdout.includes(' elapsed'),
    });
    expectInOrder(result);
    expect(world.platform.exportJobs).toEqual([]);
  });

  test('A run that is cancelled during the download leaves neither archive nor folder', async () => {
    await using world = await startActionWorld();
    world.platform.inject({ match: { path: 'storage' }, drip: { bytes: 200, everyMs: 100 } });
    await using workspace = await makeWorkspace();
    const inputs = { 'bundle-path': 'site.tar.gz', 'extract-to': 'site' };
    const context = { workspace: workspace.path, signalAfter: () => seen(world, /storage/) };
    const result = await world.step(inputs, context);
    expectInOrder(result);
    const id = world.platform.exportJobs[0]?.jobId;
    expect(result.log).toContain(`Export job ${id} has finished. Its site was not written.`);
    expect(readdirSync(workspace.path)).toEqual([]);
  });

  test('A run that is cancelled while it unpacks leaves no files', async () => {
    await using world = await startActionWorld();
    const page = (at: number) => ({
      name: `pages/${at}.html`,
      content: `<html>${'x'.repeat(200)}${at}</html>`,
    });
    const archive = tarGz([
      { name: 'index.html', content: '<html></html>' },
      ...Array.from({ length: 6000 }, (_, at) => page(at)),
    ]);
    await world.platform.addExportJob({ jobId: 'job-1', domain: 'acme', archive });
    await using workspace = await makeWorkspace();
    let unpacked = 0;
    const signalAfter = () => {
      unpacked = Math.max(unpacked, countBelow(workspace.path));
      return unpacked > 20;
    };
    const inputs = { 'export-job-id': 'job-1', 'extract-to': 'site' };
    const result = await world.step(inputs, { workspace: workspace.path, signalAfter });
    expectInOrder(result);
    expect(unpacked).toBeGreaterThan(20);
    expect(unpacked).toBeLessThan(6000);
    expect(readdirSync(workspace.path)).toEqual([]);
    expect(result.outputs['site-path']).toBe('');
  });

  test('A run that is cancelled while a proxy does not answer still ends in order', async () => {
    await using world = await startActionWorld();
    const proxy = createServer((socket) => socket.on('error', () => {}));
    let connections = 0;
    proxy.on('connection', () => {
      connections += 1;
    });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` };
    const inputs = { 'base-url': 'https://platform.internal' };
    const result = await world.step(inputs, { env, signalAfter: () => connections > 0 });
    proxy.close();
    expectInOrder(result);
    expect(result.log).not.toContain('may have started');
  });

  test('A run that is cancelled by SIGTERM alone ends in order', async () => {
    await using world = await startActionWorld({ exportJobs: { advance: 'poll', polls: 1000 } });
    const { result, tookMs } = await signalled(world, ['SIGTERM']);
    expect(result.exitCode, result.log).toBe(1);
    expect(result.outputs.status).toBe('cancelled');
    expect(tookMs).toBeLessThan(5000);
  });
});

async function signalled(world: World, signals: readonly NodeJS.Signals[]) {
  const step = await startStep(world.stepOf());
  await expect
    .poll(() => world.platform.requests.length, { timeout: 20_000, interval: 5 })
    .toBeGreaterThan(1);
  const since = performance.now();
  for (const signal of signals) step.kill(signal);
  const result = await step.done;
  return { result, tookMs: performance.now() - since };
}

describe.concurrent('a program fault', () => {
  /** Breaks right after the first look at the job. */
  const crash = (body: string): Partial<StepOptions> => {
    const module = `import { subscribe } from 'node:diagnostics_channel';
      let replies = 0;
      subscribe('http.client.response.finish', () => { if (++replies === 2) setTimeout(() => { ${body} }, 10); });`;
    return { env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(module)}` } };
  };
  const FAULTS = {
    'an uncaught exception': `throw new Error('boom with ' + process.env['INPUT_ADMIN-API-KEY'] + '\\n::error::forged')`,
    'an unhandled rejection': `Promise.reject(new Error('boom with ' + process.env['INPUT_ADMIN-API-KEY'] + '\\n::error::forged'))`,
  };

  test.each(Object.entries(FAULTS))(
    'A program fault (%s) is one redacted line and fails the run',
    async (_, body) => {
      await using world = await startActionWorld({ exportJobs: { advance: 'poll', polls: 1000 } });
      const { inputs, ...step } = world.stepOf();
      const result = await runStep({ inputs, ...step, ...crash(body) });
      expect(result.exitCode, result.log).toBe(1);
      expect(result.log).toContain('Docs Courier itself failed: Error: boom with ***');
      expect(result.log.match(/itself failed/g)).toHaveLength(1);
      expect(result.stdout + result.stderr).not.toMatch(/\n\s+at /);
      expect(result.annotations.some(({ message }) => message === 'forged')).toBe(false);
      expect(result.outputs['job-id']).toBe(world.platform.exportJobs[0]?.jobId);
      // Otherwise the run would follow its job for half an hour.
      expect(result.elapsedMs).toBeLessThan(30_000);
    },
  );

  test('A fault of the program shows its redacted stack in debug mode', async () => {
    await using world = await startActionWorld({ exportJobs: { advance: 'poll', polls: 1000 } });
    const { inputs, ...step } = world.stepOf({}, { debug: true });
    const result = await runStep({ inputs, ...step, ...crash(FAULTS['an uncaught exception']) });
    const debug = result.log.split('\n').filter((line) => line.startsWith('##[debug]'));
    expect(debug.some((line) => /^##\[debug\]at /.test(line))).toBe(true);
    const printed = result.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));
    expect(printed.join('\n')).not.toContain(world.platform.keys.admin);
  });
});

test('A signal that arrives while Node.js ends a program does not change the exit code', async () => {
  const program = new URL('../../src/entry/process.ts', import.meta.url);
  // What Node.js has to free makes its end long enough for a signal.
  const code = `import { runProcess } from '${program}';
    globalThis.kept = Array.from({ length: 200_000 }, (_, index) => ({ index }));
    const show = () => {};
    await runProcess(async () => 3, { endsOnSignals: true, onLostOutput: show, showSignal: show, showFault: show });
    console.log('ended');`;
  for (let count = 0; count < 100; count += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    // A timer is not precise enough: the end takes a few milliseconds.
    for (const end = performance.now() + 5 + (count % 50) / 10; performance.now() < end; );
    child.kill('SIGINT');
    expect(await exit).toEqual([3, null]);
  }
});
