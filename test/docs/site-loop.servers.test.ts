import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ADMIN_KEY, DOMAIN, openLaptop } from '../cli/harness.ts';
import { PROGRAM } from '../cli/process.ts';
import { shellBlocks } from './terminals.ts';

const LOOP = shellBlocks('docs/how-to/many-sites.md').find((code) => code.includes('for site in'));

test.runIf(process.platform === 'linux').each([
  ['the first site fails', { guide: 'file:never', api: 'file:api' }, 1],
  ['no site fails', { guide: 'file:guide', api: 'file:api' }, 0],
])(
  'If %s, the loop of the guide refreshes every other site, and fails only if one did',
  async (_, destinations, exitCode) => {
    await using laptop = await openLaptop();
    const exported = await laptop.run([
      ...['export', '--domain', DOMAIN],
      ...['--to', 'file:guide', '--to', 'file:api'],
    ]);
    expect(exported.exitCode, exported.stderr).toBe(0);
    const before = readFileSync(join(laptop.folder, 'api'), 'utf8');
    const sites = Object.entries(destinations).map(([site, to]) => [site, { to }]);
    const config = { 'refresh-before': '10000h', sites: Object.fromEntries(sites) };
    writeFileSync(join(laptop.folder, 'docs-courier.yml'), JSON.stringify(config));
    const bin = join(laptop.folder, 'bin');
    mkdirSync(bin);
    const program = join(bin, 'docs-courier');
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
    chmodSync(program, 0o755);
    const child = spawn('sh', ['-e', '-c', LOOP ?? 'exit 9'], {
      cwd: laptop.folder,
      env: {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: laptop.folder,
        DOCS_COURIER_BASE_URL: laptop.platform.url,
        DOCS_COURIER_ADMIN_API_KEY: ADMIN_KEY,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [log] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(child.exitCode, log).toBe(exitCode);
    expect(readFileSync(join(laptop.folder, 'api'), 'utf8')).not.toBe(before);
  },
);
