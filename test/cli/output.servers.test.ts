import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ASSISTANT_KEY, DOMAIN, openLaptop } from './harness.ts';
import { Courier, PROGRAM } from './process.ts';

const EXPORT = ['export', '--domain', DOMAIN, '--to', 'file:link.txt'];
const FULL = '/dev/full';

describe.concurrent('standard output that cannot be written', () => {
  test.runIf(existsSync(FULL)).each<[string, readonly string[]]>([
    ['--json', [...EXPORT, '--json']],
    ['--print-link', ['export', '--domain', DOMAIN, '--print-link']],
    ['--help', ['export', '--help']],
    ['version', ['version']],
    ['search --json', ['search', '--query', 'install', '--domain', 'docs', '--json']],
  ])('If the disk is full, %s is a failure with one line that says so', async (_, args) => {
    await using laptop = await openLaptop();
    const full = openSync(FULL, 'w');
    const env = { DOCS_COURIER_ASSISTANT_API_KEY: ASSISTANT_KEY };
    const courier = new Courier(laptop, args, { stdout: full, env });
    expect(await courier.ended(), courier.stderr).toBe(1);
    closeSync(full);
    expect(courier.stderr.match(/Standard output could not be written.*/g)).toEqual([
      'Standard output could not be written: ENOSPC.',
    ]);
    expect(courier.stderr).not.toMatch(/\n\s+at /);
  });

  test('If the reader is gone, the export still writes its link, and fails', async () => {
    await using laptop = await openLaptop();
    const courier = new Courier(laptop, [...EXPORT, '--json']);
    courier.closeOutput();
    expect(await courier.ended(), courier.stderr).toBe(1);
    expect(courier.stderr).toContain('error: Standard output could not be written: EPIPE.');
    expect(readFileSync(join(laptop.folder, 'link.txt'), 'utf8')).toContain('http');
  });

  test.runIf(existsSync(FULL))(
    'A run that fails for another reason keeps its exit code',
    async () => {
      await using laptop = await openLaptop();
      const full = openSync(FULL, 'w');
      const courier = new Courier(laptop, ['export', '--json', '--timeout', 'soon'], {
        stdout: full,
      });
      expect(await courier.ended(), courier.stderr).toBe(2);
      closeSync(full);
    },
  );
});

test.runIf(process.platform !== 'win32').each([
  ['export', EXPORT],
  ['doctor', ['doctor']],
  ['emulator', ['emulator', '--site', 'docs=./docs']],
])('If the working folder was deleted, %s says so and shows no stack', async (_, args) => {
  await using laptop = await openLaptop();
  const folder = join(laptop.folder, 'gone');
  mkdirSync(folder);
  const script = 'rmdir "$PWD"; exec "$@"';
  const ended = spawnSync('sh', ['-c', script, 'sh', process.execPath, PROGRAM, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, DOCS_COURIER_BASE_URL: laptop.platform.url },
    encoding: 'utf8',
  });
  expect(ended.status, ended.stderr).toBe(1);
  expect(ended.stderr).toBe(
    'error: The working folder no longer exists. Change to another one, and run the command again.\n',
  );
});

test.each([
  ['20.14.0', 'error: Docs Courier needs Node.js 20.15 or newer, and this is 20.14.0.\n', 1],
  ['20.15.0', '', 0],
  ['100.0.0', '', 0],
])('On Node.js %s, the program says whether that is too old', (version, stderr, status) => {
  const pretended = `{value:{...process.versions,node:'${version}'}}`;
  const script = `Object.defineProperty(process,'versions',${pretended})`;
  const preload = `--import=data:text/javascript,${script}`;
  const ended = spawnSync(process.execPath, [preload, PROGRAM, '--version'], { encoding: 'utf8' });
  expect(ended).toMatchObject({ stderr, status });
});
