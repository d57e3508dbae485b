import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const CLI = join(import.meta.dirname, '../../../src/emulator/cli.ts');

async function makeSite() {
  const folder = await mkdtemp(join(tmpdir(), 'emulator-cli-'));
  await writeFile(join(folder, 'index.md'), '# Home\n');
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return { child, exited: once(child, 'exit'), output: () => output };
}

describe('the command line', () => {
  test('prints address and keys, answers, logs requests, and stops on SIGTERM', async () => {
    await using site = await makeSite();
    const { child, exited, output } = start([
      `--site=acme=${site.folder}`,
      '--agent-job=j1=https://github.com/acme/docs@main',
      '--export-duration=10ms',
    ]);
    await expect.poll(output, { timeout: 15_000 }).toContain('Ctrl+C');
    const [, url = ''] = /emulator: (http:\/\/127\.0\.0\.1:\d+)/.exec(output()) ?? [];
    const [, key = ''] = /admin key +(svc_\w+)/.exec(output()) ?? [];
    const [, project = ''] = /project id +(\S+)/.exec(output()) ?? [];
    const reply = await fetch(`${url}/v2/agent/${project}/job/j1`, { headers: { authorization: `Bearer ${key}` } });
    expect(await reply.json()).toMatchObject({
      id: 'j1',
      source: { repository: 'https://github.com/acme/docs', ref: 'main' },
    });
    await expect.poll(output).toMatch(/Z GET \/v2\/agent\/\S+ 200 \d+ ms/);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  test('a folder that is not there ends it with a message and exit code 1', async () => {
    const { exited, output } = start(['--site=acme=/no/such/folder']);
    expect(await exited).toEqual([1, null]);
    expect(output()).toContain('/no/such/folder is not a folder.');
  });
});
