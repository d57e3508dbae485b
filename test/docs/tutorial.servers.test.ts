import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startAcme, startExport } from '../support/emulator-requests.ts';
import { shellBlocks } from './terminals.ts';

const WAITING =
  shellBlocks('docs/tutorial/first-export.md').find((code) => code.includes('wait_for_export()')) ??
  '';

/** The block of the lesson that waits, in the terminal of a reader. */
async function wait(env: Record<string, string>) {
  const child = spawn('bash', ['--norc', '-c', WAITING], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode: child.exitCode, output, errors };
}

test('The wait of the first lesson fails and shows the reply if the start failed, or the export did', async () => {
  await using emulator = await startAcme({
    exportScript: { outcome: 'failed', error: 'No space left.' },
  });
  const env = { ADMIN_KEY: emulator.keys.admin, BASE_URL: emulator.url };
  const notStarted = await wait({ ...env, JOB_ID: 'undefined' });
  expect(notStarted).toMatchObject({ exitCode: 1, output: '' });
  expect(notStarted.errors).toMatch(/^Job undefined did not complete. Last reply: .*error/m);
  const failed = await wait({ ...env, JOB_ID: await startExport(emulator) });
  expect(failed).toMatchObject({ exitCode: 1, output: '' });
  expect(failed.errors).toContain('No space left.');
});

test('The wait of the first lesson fails if the platform does not answer', async () => {
  const ended = await wait({ ADMIN_KEY: 'svc_a', BASE_URL: 'http://127.0.0.1:1', JOB_ID: 'j' });
  expect(ended).toMatchObject({ exitCode: 1, output: '' });
  expect(ended.errors).toContain('Job j did not complete. Last reply: none');
});
