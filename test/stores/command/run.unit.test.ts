import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CourierError } from '../../../src/ground/errors.ts';
import { runProgram } from '../../../src/ground/programs.ts';
import { CommandStore } from '../../../src/stores/command/store.ts';
import { FileStore } from '../../../src/stores/file/store.ts';
import { fakeTimers } from '../../support/fake-timers.ts';
import { isRunning } from '../../support/processes.ts';

async function startFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'command-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const node = (
  code: string,
  more: { timeLimitMs?: number; signal?: AbortSignal; input?: string } = {},
) =>
  runProgram(process.execPath, {
    args: ['-e', code],
    env: {},
    input: 'https://link.example.com',
    timeLimitMs: 20_000,
    wanted: 'effect',
    ...more,
  });

describe('a program for the link', () => {
  test('A program that never reads its input and never ends is stopped', async () => {
    const { failure, started } = await node('setInterval(() => {}, 1000)', { timeLimitMs: 300 });
    expect(failure).toMatch(/^did not end within/);
    expect(started).toBe(true);
  });

  test('A program that ignores SIGTERM is killed one second after the run is cancelled', async () => {
    await using folder = await startFolder();
    const cancel = new AbortController();
    const ready = join(folder.path, 'ready');
    const code = `process.on("SIGTERM", () => {}); require("fs").writeFileSync(${JSON.stringify(ready)}, ""); setInterval(() => {}, 1000)`;
    const ended = node(code, { signal: cancel.signal });
    // Before that, the signal ends it.
    await expect.poll(() => existsSync(ready), { timeout: 20_000 }).toBe(true);
    using timers = fakeTimers();
    cancel.abort();
    timers.pass(1000);
    expect((await ended).failure).toBe('was stopped, since the run was cancelled');
  });

  test('The children of a program end with it when the run is cancelled', async () => {
    const cancel = new AbortController();
    await using folder = await startFolder();
    const file = join(folder.path, 'pid');
    const pidOf = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
    const endless = 'setInterval(() => {}, 1000)';
    const child = `process.on("SIGTERM", () => {}); process.stdout.write("ready"); ${endless}`;
    const code = `const child = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}]);
      child.stdout.once("data", () => require("fs").writeFileSync(${JSON.stringify(file)}, String(child.pid))); ${endless}`;
    const ended = node(code, { signal: cancel.signal });
    await expect.poll(pidOf, { timeout: 20_000 }).toBeGreaterThan(0);
    cancel.abort();
    expect((await ended).failure).toBe('was stopped, since the run was cancelled');
    await expect.poll(() => isRunning(pidOf()), { timeout: 10_000 }).toBe(false);
  });

  test('What a program leaves running in the background when it ends well keeps running', async () => {
    await using folder = await startFolder();
    const file = join(folder.path, 'pid');
    const code = `const endless = ["-e", "setInterval(() => {}, 1000)"];
      const child = require("child_process").spawn(process.execPath, endless, { stdio: "inherit" });
      require("fs").writeFileSync(${JSON.stringify(file)}, String(child.pid)); child.unref();
      process.stdin.resume().on("end", () => process.exit(0));`;
    expect((await node(code)).failure).toBeUndefined();
    const pid = Number(readFileSync(file, 'utf8'));
    // A signal takes a moment to end it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });

  test('A program that exits 0 without reading stdin did not receive the link', async () => {
    const { failure } = await node('require("fs").closeSync(0); setTimeout(() => {}, 300)', {
      input: 'x'.repeat(1e6),
    });
    expect(failure).toBe('did not read its standard input');
  });

  test('A write by a program that a cancelled run stopped counts as cancelled, and its outcome as unknown', async () => {
    await using folder = await startFolder();
    const cancel = new AbortController();
    const started = join(folder.path, 'started');
    const code = `require("fs").writeFileSync(${JSON.stringify(started)}, ""); setInterval(() => {}, 1000)`;
    const state = new FileStore(join(folder.path, 'link'));
    const words = [process.execPath, '-e', code];
    const store = new CommandStore({
      words,
      env: {},
      workspace: folder.path,
      state,
      signal: cancel.signal,
    });
    const seen = await store.read();
    const write = store
      .write({ link: 'https://bundles.example.com/a' }, seen)
      .catch((error: unknown) => error);
    await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
    cancel.abort('SIGTERM');
    expect(await write).toMatchObject({
      code: 'cancelled',
      mayHaveActed: true,
      message: expect.stringContaining('unknown'),
    });
  });

  test('A state that the run may not read is not taken for a missing state', async () => {
    const stateError = new CourierError({ code: 'forbidden', message: 'The state is not shown.' });
    class HiddenState extends FileStore {
      override async read() {
        return { link: {}, state: undefined, stateError };
      }
    }
    const store = new CommandStore({
      words: [process.execPath],
      env: {},
      workspace: tmpdir(),
      state: new HiddenState(join(tmpdir(), 'link')),
      signal: new AbortController().signal,
    });
    expect(await store.read()).toMatchObject({ state: undefined, stateError });
  });

  test('A program that does not exist was never started', async () => {
    const call = { args: [], env: {}, input: 'x', timeLimitMs: 1000, wanted: 'effect' } as const;
    const { started, failure } = await runProgram('/no/such/program', call);
    expect(started).toBe(false);
    expect(failure).toMatch(/^could not be started \(.*ENOENT/);
  });
});
