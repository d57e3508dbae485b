import { describe, expect, test } from 'vitest';
import { runProgram } from '../../../../src/stores/command/store.ts';

const node = (code: string, more: { timeLimitMs?: number; signal?: AbortSignal; input?: string } = {}) =>
  runProgram({
    words: [process.execPath, '-e', code],
    env: {},
    input: 'https://link.example.com',
    timeLimitMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  });

describe('a program for the link', () => {
  test('A program that never reads its input and never ends is stopped', async () => {
    const { failure, started } = await node('setInterval(() => {}, 1000)', { timeLimitMs: 300 });
    expect(failure).toMatch(/^did not end within/);
    expect(started).toBe(true);
  });

  test('A program that ignores SIGTERM is killed when the run is cancelled', async () => {
    const cancel = new AbortController();
    const ended = node('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', { signal: cancel.signal });
    cancel.abort();
    expect((await ended).failure).toBe('was stopped, since the run was cancelled');
  });

  test('A program that exits 0 without reading stdin did not receive the link', async () => {
    const { failure } = await node('require("fs").closeSync(0); setTimeout(() => {}, 300)', { input: 'x'.repeat(1e6) });
    expect(failure).toBe('did not read its standard input');
  });

  test('A program that does not exist was never started', async () => {
    const init = { env: {}, input: 'x', timeLimitMs: 1000, signal: new AbortController().signal };
    const { started, failure } = await runProgram({ words: ['/no/such/program'], ...init });
    expect(started).toBe(false);
    expect(failure).toMatch(/^could not be started \(.*ENOENT/);
  });
});
