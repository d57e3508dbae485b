import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serveSite } from '../../src/cli/serve.ts';

it.each([
  ['old.htm', 'text/html; charset=utf-8'],
  ['OLD.HTM', 'text/html; charset=utf-8'],
  ['page.xhtml', 'application/xhtml+xml'],
  ['picture.avif', 'image/avif'],
  ['tool.exe', 'application/octet-stream'],
  ['letters', 'application/octet-stream'],
])('The file %s is served as %s', async (name, type) => {
  const folder = mkdtempSync(join(tmpdir(), 'serve-types-'));
  writeFileSync(join(folder, name), 'x');
  await using server = await serveSite({ folder: () => folder, rules: [], port: 0 });
  const { status, headers } = await fetch(`${server.url}/${name}`);
  expect([status, headers.get('content-type')]).toEqual([200, type]);
  rmSync(folder, { recursive: true });
});
