import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeNodeProgram } from '../support/node-program.ts';
import { ADMIN_KEY, DOMAIN, type Laptop, openLaptop } from './harness.ts';

/** A program of the user, in JavaScript, that is started without a shell. */
function program(laptop: Laptop, code: string): string {
  const path = join(laptop.folder, 'store link.mjs');
  writeNodeProgram(path, code);
  return `'${path}' "two words" 'a$b'`;
}

const READ = `
import { readFileSync, writeFileSync } from 'node:fs';
const link = readFileSync(0, 'utf8');
const record = { link, args: process.argv.slice(2), env: process.env };
`;

describe('--to-command', () => {
  test('A --to-command program gets the link on standard input, its own arguments, and only PATH and HOME', async () => {
    await using laptop = await openLaptop();
    const out = join(laptop.folder, 'out.json');
    const command = program(
      laptop,
      `${READ} writeFileSync(${JSON.stringify(out)}, JSON.stringify(record));`,
    );
    const args = ['--to-command', command, '--state', 'file:docs'];
    const env = { PATH: '/usr/bin:/bin', HOME: '/home/me', OTHER: 'x' };
    const { exitCode, stderr } = await laptop.run(['export', '--domain', DOMAIN, ...args], { env });
    expect(exitCode).toBe(0);
    const record = JSON.parse(await readFile(out, 'utf8'));
    expect(record.args).toEqual(['two words', 'a$b']);
    expect(Object.keys(record.env).filter((name) => !name.startsWith('__'))).toEqual([
      'PATH',
      'HOME',
    ]);
    expect((await fetch(record.link)).status).toBe(200);
    expect(stderr).not.toContain(new URL(record.link).search);
    expect(stderr).toContain('command store link.mjs');

    const refreshed = await laptop.run(['refresh', ...args, '--refresh-before=10000h'], { env });
    expect(refreshed.exitCode).toBe(0);
    expect(JSON.parse(await readFile(out, 'utf8')).link).not.toBe(record.link);
  });

  test.each([
    [
      'exits 1',
      'process.stdin.resume().on("end", () => process.exit(1));',
      /ended with exit code 1\. Whether it has written the link is unknown/,
    ],
    [
      'is killed',
      'process.kill(process.pid, "SIGKILL");',
      /was ended by SIGKILL\. Whether it has written the link is unknown/,
    ],
    [
      'prints the link',
      `${READ} console.error('got', link); process.exit(3);`,
      /It printed: got \S+/,
    ],
  ])(
    'A --to-command program that %s fails the run, and the link stays secret',
    async (_, code, expected) => {
      await using laptop = await openLaptop();
      const command = program(laptop, code);
      const { exitCode, stderr, stdout } = await laptop.run(
        ['export', '--domain', DOMAIN, '--to-command', command, '--state', 'file:docs', '--json'],
        { env: { PATH: '/usr/bin' } },
      );
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(expected);
      for (const text of [stderr, stdout]) {
        expect(text).not.toMatch(/[?&](sig|signature|token)=/i);
        expect(text).not.toContain(ADMIN_KEY);
      }
    },
  );

  test('A --to-command program is not taken from an empty or a relative entry of PATH', async () => {
    await using laptop = await openLaptop();
    const path = program(laptop, READ);
    await rename(path.slice(1, path.indexOf("'", 1)), join(laptop.folder, 'put-link'));
    const before = process.cwd();
    process.chdir(laptop.folder);
    try {
      const args = ['export', '--domain', DOMAIN, '--to-command=put-link', '--state=file:x'];
      for (const PATH of [':/usr/bin', '.:/usr/bin', '/usr/bin:']) {
        const { exitCode, stderr } = await laptop.run(args, { env: { PATH } });
        expect(stderr).toContain('there is no program put-link in the folders of PATH');
        expect(exitCode).toBe(2);
      }
      const build = {
        BUILDKITE: 'true',
        BUILDKITE_BUILD_ID: '1',
        BUILDKITE_JOB_ID: '1',
        BUILDKITE_BRANCH: 'main',
      };
      const ci = {
        ...build,
        BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main',
        PATH: `${laptop.folder}:/usr/bin`,
      };
      expect(
        (await laptop.run([...args, '--allow-write-from=main'], { env: ci })).stderr,
      ).toContain('there is no program put-link');
    } finally {
      process.chdir(before);
    }
  });

  test.each([
    [
      'a missing program',
      ['--to-command=no-such-program', '--state=file:x'],
      /there is no program no-such-program/,
    ],
    ['no state', ['--to-command=cat'], /state is missing/],
    [
      'a quote that is not closed',
      ['--to-command=cat "x', '--state=file:x'],
      /a quote that is not closed/,
    ],
    [
      'a state that is not an address',
      ['--to-command=cat', '--state=nowhere:x'],
      /state: "nowhere:x" is not allowed/,
    ],
    [
      'a state without a command',
      ['--state=file:x'],
      /state is read only together with to-command/,
    ],
    [
      'a state that belongs to another destination',
      ['--to-command=cat', '--state=file:x', '--to=file:x'],
      /named twice/,
    ],
  ])('A --to-command with %s is an error before any export', async (_, args, expected) => {
    await using laptop = await openLaptop();
    const env = { PATH: '/usr/bin:/bin' };
    const { exitCode, stderr } = await laptop.run(['export', '--domain', DOMAIN, ...args], { env });
    expect(stderr).toMatch(expected);
    expect(exitCode).toBe(2);
    expect(laptop.platform.requests).toEqual([]);
  });
});
