import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchEmulator, stopEmulator } from '../../emulator/src/action/launch.ts';
import { listen } from '../support/listening.ts';

const program = resolve(import.meta.dirname, '../../emulator/src/cli.ts');
const site = resolve(import.meta.dirname, '../../docs');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-courier-launch-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the emulator in the background', () => {
  test('The emulator answers after its start, logs its requests, and is gone after the stop', async () => {
    const logFile = join(folder, 'good.log');
    const { pid, url } = await launchEmulator({
      program,
      args: [`--site=docs=${site}`],
      logFile,
      waitMs: 20_000,
    });
    const reply = await fetch(`${url}/v1/static-export/jobs`, { method: 'POST', body: '{}' });
    await reply.arrayBuffer();
    expect(reply.status).toBe(401);
    expect(await readFile(logFile, 'utf8')).toContain('POST /v1/static-export/jobs 401');
    const stoppedMs = performance.now();
    await stopEmulator(pid, 20_000);
    expect(performance.now() - stoppedMs).toBeLessThan(15_000);
    await expect(fetch(url)).rejects.toThrow();
    // Once more, as if it had already exited.
    await stopEmulator(pid, 5000);
  });

  test('An emulator that does not listen is killed when its time is over', async () => {
    const script =
      "process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)";
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    await stopEmulator(Number(child.pid), 300);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  test('An emulator that cannot start quickly says why', async () => {
    const logFile = join(folder, 'bad.log');
    const startedMs = performance.now();
    const start = launchEmulator({
      program,
      args: ['--site=docs=/nowhere'],
      logFile,
      waitMs: 60_000,
    });
    await expect(start).rejects.toThrow(/did not start\.\n.*nowhere/s);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  test.each([
    [['--sit', 'docs=docs'], 2, 'Unknown option --sit. Did you mean --site?'],
    [['--site', `docs=${site}`, '--port', 'BUSY'], 1, /^Port \d+ is in use, .* with --port 0\./],
  ])(
    'An emulator with the options %j exits with %i and says what to type',
    async (args, exitCode, text) => {
      await using busy = createServer();
      const port = await listen(busy);
      const words = args.map((word) => (word === 'BUSY' ? String(port) : word));
      const child = spawn(process.execPath, [program, ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let printed = '';
      child.stderr.setEncoding('utf8').on('data', (part: string) => {
        printed += part;
      });
      expect(await once(child, 'close')).toEqual([exitCode, null]);
      expect(printed).toMatch(text);
    },
  );
});
