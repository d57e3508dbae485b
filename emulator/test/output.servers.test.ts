import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CLI = join(import.meta.dirname, '../src/cli.ts');
const FULL = '/dev/full';

test.runIf(existsSync(FULL))(
  'If the disk is full, the emulator fails with one line that says so',
  async () => {
    const full = openSync(FULL, 'w');
    const child = spawn(process.execPath, [CLI, '--help'], { stdio: ['ignore', full, 'pipe'] });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    closeSync(full);
    expect(said).toBe('Standard output could not be written: ENOSPC.\n');
  },
);
