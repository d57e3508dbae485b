import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tarGz } from '../site/archives.ts';
import { SECRET_INPUTS, startActionWorld } from '../support/world/built-action.ts';

const LONGEST_MS = 100;

/**
 * Measures how much the main thread computes between two turns of the event loop, from the first
 * request on, and writes the maximum when the process ends. It measures CPU time, not delay: on a
 * busy machine a process waits without working.
 */
const PROBE = `
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
const computedMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
let last;
let most = 0;
subscribe('http.client.request.start', () => { last ??= computedMs(); });
const turn = () => {
  const now = computedMs();
  if (last !== undefined) { most = Math.max(most, now - last); last = now; }
};
setInterval(turn, 1).unref();
process.on('exit', () => { turn(); writeFileSync(process.env.PROBE_FILE, String(most)); });
`;

/** A site of 400 pages of 20 KiB. */
function makeSite(): Buffer {
  const text = '<p>One line of a page.</p>\n'.repeat(750);
  const links = Array.from({ length: 30 }, (_, at) => `<a href="${at}.html">${at}</a>`).join('');
  const pages = Array.from({ length: 400 }, (_, at) => ({
    name: `pages/${at}.html`,
    content: `<html><body>${links}${text}</body></html>`,
  }));
  return tarGz([{ name: 'index.html', content: '<html></html>' }, ...pages]);
}

test('No part of an export with secret, download, unpacking and verification blocks the event loop for long', async () => {
  await using world = await startActionWorld();
  await world.platform.addExportJob({ jobId: 'job-1', domain: 'acme', archive: makeSite() });
  const folder = await mkdtemp(join(tmpdir(), 'probe-'));
  const file = (name: string) => join(folder, name);
  const turns: number[] = [];
  try {
    await writeFile(file('probe.mjs'), PROBE);
    // Collecting garbage counts too: the best of three runs shows what the program itself does.
    for (let run = 0; run < 3 && Math.min(...turns) > LONGEST_MS; run += 1) {
      const env = {
        NODE_OPTIONS: `--import ${file('probe.mjs')}`,
        PROBE_FILE: file(`turn-${run}`),
      };
      const inputs = { ...SECRET_INPUTS, 'export-job-id': 'job-1', 'extract-to': `site-${run}` };
      const result = await world.step(inputs, { env });
      expect(result.exitCode, result.log).toBe(0);
      turns.push(Number(await readFile(file(`turn-${run}`), 'utf8')));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(Math.min(...turns)).toBeGreaterThan(0);
  expect(Math.min(...turns), `longest turns in ms: ${turns.join(', ')}`).toBeLessThan(LONGEST_MS);
});
