import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startedAs } from '../../src/cli/started.ts';
import { ERROR_CODES } from '../../src/ground/errors.ts';
import { openLaptop } from './harness.ts';

test.each(ERROR_CODES)('explain prints the section about an error code: %s', async (code) => {
  await using laptop = await openLaptop();
  const { exitCode, stdout } = await laptop.run(['explain', code]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Error ${code}\n\n\\w[^]+\n\nWhat to do: \\w`));
  // Links of the page lead nowhere in a terminal.
  expect(stdout).not.toMatch(/\.md|\]\(/);
});

test('explain without a code lists all of them', async () => {
  await using laptop = await openLaptop();
  const { stdout } = await laptop.run(['explain']);
  for (const code of ERROR_CODES) expect(stdout).toContain(`${code}: `);
});

test('explain refuses a word that is not an error code, names the nearest, and shows no key', async () => {
  await using laptop = await openLaptop();
  const { exitCode, stderr } = await laptop.run(['explain', 'confg']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('"confg" is not an error code; did you mean config?');
  const key = `ghp_${'a1B2c3D4'.repeat(5)}`;
  expect((await laptop.run(['explain', key])).stderr).not.toContain(key);
});

test('The log and the summary of a failed command name the command that explains its error', async () => {
  await using laptop = await openLaptop();
  const { stderr, stdout } = await laptop.run(['export', '--domain', 'a b', '--json']);
  expect(stderr).toContain('See docs-courier explain config');
  expect(JSON.parse(stdout).error.help).toBe('docs-courier explain config');
  expect(stderr).not.toMatch(/docs\/(reference|how-to)/);
});

test('The command line is named as it was started', () => {
  const folder = mkdtempSync(join(tmpdir(), 'started-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cache = join(folder, '_npx/40d4');
  mkdirSync(join(cache, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{"_npx":{"packages":["../my files/courier.tgz"]}}');
  expect(startedAs(join(cache, 'node_modules/.bin/docs-courier'), '')).toBe(
    "npx --yes '../my files/courier.tgz'",
  );
  expect(startedAs('/usr/bin/docs-courier', '/bin:/usr/bin')).toBe('docs-courier');
  expect(startedAs('/w/node_modules/.bin/docs-courier', '/bin')).toBe(
    '/w/node_modules/.bin/docs-courier',
  );
  expect(startedAs('/opt/docs-courier/cli/index.js', '/bin')).toBe(
    'node /opt/docs-courier/cli/index.js',
  );
});
