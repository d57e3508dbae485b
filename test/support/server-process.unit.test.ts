import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from './processes.ts';

const MODULE = join(import.meta.dirname, './server-process.ts');

test.runIf(process.platform === 'linux')(
  'A server and what it has started end with the process that started it, even if that one is killed',
  async () => {
    const server = 'sleep 600 & echo $$ $!; wait';
    const script = `const { spawnServer } = await import(${JSON.stringify(MODULE)});
      spawnServer('bash', ['-c', ${JSON.stringify(server)}]).stdout.pipe(process.stdout);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(parent.stdout, 'data');
    const pids = String(line).trim().split(' ').map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    parent.kill('SIGKILL');
    await expect.poll(() => pids.some(isRunning), { timeout: 20_000 }).toBe(false);
  },
);
