import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startGitHubEmulator } from '../../emulator/src/github/emulator.ts';
import { ResultFile } from '../../src/cli/files.ts';
import { COMMANDS } from '../../src/cli/options.ts';
import { openTerminal } from '../../src/cli/terminal.ts';
import { ownPackage } from '../../src/ground/release.ts';
import { SECRET_TOKEN } from '../support/make-inputs.ts';
import { ALL_RIGHTS } from '../support/world/names.ts';
import { ADMIN_KEY, ASSISTANT_KEY, DOMAIN, openLaptop } from './harness.ts';

/** An export that writes the link to the file `link`. */
const EXPORT = ['export', '--domain', DOMAIN, '--to', 'file:link'];

function contentOf({ folder }: { readonly folder: string }, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}

/** The variables of a step of GitHub Actions, with the folder as the workspace. */
function gitHubActions({ folder }: { readonly folder: string }) {
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'acme/docs',
    GITHUB_RUN_ID: '1',
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: join(folder, 'GITHUB_OUTPUT'),
    GITHUB_STEP_SUMMARY: join(folder, 'GITHUB_STEP_SUMMARY'),
  };
}

const { version: VERSION } = ownPackage().release;

describe('docs-courier on a laptop', () => {
  test('Version and commit are in the first line of the log, in the report and in --version', async () => {
    await using laptop = await openLaptop();
    const exported = await laptop.run([...EXPORT, '--json']);
    expect(exported.stderr).toMatch(`Docs Courier ${VERSION} (a checkout)\n`);
    expect(exported.stderr.indexOf('Docs Courier')).toBe(0);
    expect(JSON.parse(exported.stdout)).toMatchObject({ release: { version: VERSION } });
    expect((await laptop.run(['--version'])).stdout).toBe(`${VERSION} (a checkout)\n`);
    const asJson = await laptop.run(['--version', '--json']);
    expect(JSON.parse(asJson.stdout)).toEqual({ version: VERSION });
  });

  test('The command line exports, writes the link to a file, and refreshes it from the state next to it', async () => {
    await using laptop = await openLaptop();
    const exported = await laptop.run(['export', '--domain', DOMAIN, '--to', 'file:link.txt']);
    expect(exported).toMatchObject({ exitCode: 0, stdout: '' });
    const first = await contentOf(laptop, 'link.txt');
    expect((await fetch(first)).status).toBe(200);
    expect(exported.stderr).not.toContain(new URL(first).search);
    const refreshed = await laptop.run([
      'refresh',
      '--to=file:link.txt',
      '--refresh-before',
      '10000h',
    ]);
    expect(refreshed.exitCode).toBe(0);
    expect(await contentOf(laptop, 'link.txt')).not.toBe(first);
    expect(
      laptop.platform.requests.filter(({ path }) => path === '/v1/static-export/jobs'),
    ).toHaveLength(1);
  });

  test('The command line rolls back by one export or to an id, and says what it cannot restore', async () => {
    await using laptop = await openLaptop();
    for (let count = 0; count < 3; count += 1)
      await laptop.run(['export', '--domain', DOMAIN, '--to', 'file:link.txt']);
    const jobs = laptop.platform.exportJobs.map(({ jobId }) => jobId);
    const live = async () => {
      const link = await contentOf(laptop, 'link.txt');
      return jobs.findIndex((jobId) => link.includes(jobId));
    };
    const back = await laptop.run([
      'rollback',
      '--to',
      'file:link.txt',
      '--summary',
      'back.md',
      '--json',
    ]);
    expect(back.exitCode, back.stderr).toBe(0);
    expect(JSON.parse(back.stdout)).toMatchObject({
      mode: 'rollback',
      outputs: { 'job-id': jobs[1] },
    });
    expect(await live()).toBe(1);
    expect(await contentOf(laptop, 'back.md')).toMatch(/\| rolled back at \d{4}/);
    const named = await laptop.run([
      'rollback',
      '--to',
      'file:link.txt',
      '--export-job-id',
      jobs[2] ?? '',
    ]);
    expect(named.exitCode, named.stderr).toBe(0);
    expect(await live()).toBe(2);
    expect((await laptop.run(['rollback'])).stderr).toContain('to is missing');
  });

  test('The search command reports queries and findings as JUnit', async () => {
    await using laptop = await openLaptop({
      sites: { acme: { 'index.md': '# Docs\n\n[gone](nowhere.md)' } },
    });
    const files = ['--junit', 'junit.xml'];
    await laptop.run(['export', '--domain', DOMAIN, '--extract-to', 'site', ...files]);
    expect(await contentOf(laptop, 'junit.xml')).toContain('<failure message="');
    // The checks pass, and then the destination is not writable.
    const unwritable = ['--max-size', '1GB', '--to', 'file:site/index.html/link'];
    await laptop.run(['export', '--domain', DOMAIN, ...unwritable, ...files]);
    expect(await contentOf(laptop, 'junit.xml')).toContain('<error message="');
    await writeFile(
      join(laptop.folder, 'q.yml'),
      'queries:\n  - query: install\n    expect: { paths: [/nowhere] }\n',
    );
    const env = { DOCS_COURIER_ASSISTANT_API_KEY: ASSISTANT_KEY };
    await laptop.run(['search', 'q.yml', '--domain=acme', ...files], { env });
    expect(await contentOf(laptop, 'junit.xml')).toContain('name="install" file="q.yml" line="2"');
    const failed = await laptop.run(['search', 'no.yml', '--domain=acme', ...files], { env });
    expect(failed.exitCode).toBe(2);
    expect(await contentOf(laptop, 'junit.xml')).toContain(
      '<error message="queries-file: no.yml does not exist."',
    );
  });

  test('Progress is one line of a terminal, within its width, and in colour if the terminal supports it', async () => {
    await using laptop = await openLaptop();
    let screen = '';
    const write = (text: string) => {
      screen += text;
      return true;
    };
    const terminal = openTerminal({ columns: 40, hasColors: () => true, write });
    const { stderr } = await laptop.run(['export', '--domain', DOMAIN, '--link-file', 'l'], {
      terminal,
    });
    const lines = screen.split('\r\u001b[2K').filter((line) => line !== '');
    expect(lines.at(-1)).toMatch(/^\[#{20}\] completed: 100 %.*\n$/);
    for (const line of lines) expect(line.trimEnd().length).toBeLessThan(40);
    expect(stderr).toContain('\u001b[1mFollowing export job');
    expect(stderr).not.toContain('100 %');
    const plain = await laptop.run(EXPORT);
    expect(plain.stderr).toContain('completed: 100 %');
    expect(plain.stderr).not.toContain('\u001b');
  });

  test.each([40, 80, 100])(
    'In a terminal of %i columns the help fits, and its examples stay whole',
    async (columns) => {
      await using laptop = await openLaptop();
      const terminal = openTerminal({ columns, hasColors: () => false, write: () => true });
      for (const args of [['help'], ['help', 'export'], ['help', 'status']]) {
        const { stdout } = await laptop.run(args, { terminal });
        const lines = stdout.split('\n');
        // A word, such as an address, is never cut.
        const tooLong = lines.filter((line) => line.length > columns && /\S\s+\S/.test(line));
        for (const line of tooLong) expect(line).toMatch(/^ {2}docs-courier /);
        expect(stdout).toMatch(/^ {2}docs-courier (?:export|status) .*--to file:link\.txt$/m);
      }
      const { stdout } = await laptop.run(['help'], { terminal });
      // Each line of a text begins below the first one.
      if (columns === 40)
        expect(stdout).toContain(
          '  rollback    put the link of an earlier\n              export back in place\n',
        );
      else
        expect(stdout).toContain('  rollback    put the link of an earlier export back in place\n');
    },
  );

  test('A secret of the repository of the folder is written with the token of the command gh', async () => {
    await using laptop = await openLaptop();
    const { folder, clock } = laptop;
    await using github = await startGitHubEmulator({
      tokens: { [SECRET_TOKEN]: { permissions: ALL_RIGHTS } },
      repositories: [{ fullName: 'acme/docs' }],
      clock: { now: () => Math.floor(clock.now()) },
    });
    execFileSync('git', ['init', '-q'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:acme/docs.git'], {
      cwd: folder,
    });
    const env = {
      PATH: process.env['PATH'] ?? '',
      GITHUB_API_URL: github.url,
      GH_TOKEN: SECRET_TOKEN,
    };
    const args = [
      'export',
      '--domain',
      DOMAIN,
      '--to',
      'github:secret/DOCS_BUNDLE_URL',
      '--verbose',
    ];
    const { exitCode, stderr } = await laptop.run(args, { env });
    expect(stderr).toContain('Wrote the link to secret DOCS_BUNDLE_URL of repository acme/docs');
    expect(stderr).not.toContain(SECRET_TOKEN);
    expect(exitCode).toBe(0);
    const elsewhere = await laptop.run([...args, '--to', 'gitlab:project/7/LINK'], { env });
    expect(elsewhere.stderr).toContain('secrets on several servers');
  });

  test('Hints are in the words of the CI system, also in the table of doctor', async () => {
    await using laptop = await openLaptop();
    await using github = await startGitHubEmulator({
      repositories: [{ fullName: 'acme/docs' }],
      tokens: { ghs_nothing0123456789: { permissions: {} } },
    });
    const token = {
      DOCS_COURIER_SECRET_TOKEN: 'ghs_nothing0123456789',
      GITHUB_API_URL: github.url,
    };
    const gitlab = {
      GITLAB_CI: 'true',
      CI_PIPELINE_ID: '1',
      CI_JOB_ID: '2',
      CI_JOB_NAME: 'x',
      CI_PROJECT_PATH: 'a/b',
    };
    const destination = ['--domain', DOMAIN, '--to', 'github:repo/acme/docs/LINK'];
    for (const system of [{}, { ...gitlab, CI_SERVER_URL: 'https://gitlab.example.com' }]) {
      const { stderr } = await laptop.run(['doctor', ...destination], {
        env: { ...token, ...system },
      });
      expect(stderr).toContain(
        'What to do: secret-token needs the repository permission "Secrets: Read and write".',
      );
      expect(stderr).not.toMatch(/uses:|with:|GitHub App:/);
    }
    const env = { ...token, ...gitHubActions(laptop), RUNNER_TEMP: laptop.folder };
    expect((await laptop.run(['doctor', ...destination], { env })).stderr).toMatch(
      /With a GitHub App:\n +- id: app-token/,
    );
  });

  test('With --json, standard output is one object without the link, and the log is on standard error', async () => {
    await using laptop = await openLaptop();
    const { stdout, stderr } = await laptop.run([
      'export',
      '--domain',
      DOMAIN,
      '--json',
      '--link-file',
      'link',
    ]);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      version: 1,
      mode: 'export',
      status: 'completed',
      outputs: { status: 'completed' },
    });
    expect(report.outputs['job-id']).toBe(report.jobId);
    const link = (await contentOf(laptop, 'link')).trim();
    expect((await stat(join(laptop.folder, 'link'))).mode & 0o777).toBe(0o600);
    expect(stdout).not.toContain(new URL(link).search);
    expect(stderr).toContain('Status: completed');
  });

  test.each([
    ['dotenv', /^DOCS_COURIER_OUT_JOB_ID=\S+$/m],
    ['json', /"job-id": "\S+"/],
  ])('Outputs are written as %s, without the link', async (format, expected) => {
    await using laptop = await openLaptop();
    await laptop.run([...EXPORT, '--output-file', 'out', '--output-format', format]);
    const text = await contentOf(laptop, 'out');
    expect(text).toMatch(expected);
    expect(text).toContain('completed');
    expect(text).not.toContain('sig=');
  });

  test('The summary is written to a file, through a symbolic link', async () => {
    await using laptop = await openLaptop();
    await writeFile(join(laptop.folder, 'real.md'), 'before');
    await symlink('real.md', join(laptop.folder, 'summary.md'));
    await laptop.run([...EXPORT, '--summary', 'summary.md']);
    expect(await contentOf(laptop, 'real.md')).toContain('Export of acme');
  });

  test('The command line shows as flags how to continue', async () => {
    await using laptop = await openLaptop({ exportScript: { stalled: true } });
    const { exitCode, stderr } = await laptop.run([...EXPORT, '--timeout', '30s']);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/\n {2}--export-job-id \S+\n/);
  });

  test('A secret is read from a file before the variable', async () => {
    await using laptop = await openLaptop();
    await writeFile(join(laptop.folder, 'key'), `${ADMIN_KEY}\n`);
    const env = { DOCS_COURIER_ADMIN_API_KEY: 'svc_wrong0123456789' };
    const { exitCode } = await laptop.run([...EXPORT, '--admin-api-key-file', 'key'], { env });
    expect(exitCode).toBe(0);
  });

  test('The variable of another command is ignored, and an empty one counts as missing', async () => {
    await using laptop = await openLaptop();
    const env = {
      DOCS_COURIER_QUERY: 'x',
      DOCS_COURIER_TIMEOUT: '',
      DOCS_COURIER_OUT_STATUS: 'failed',
    };
    const { exitCode } = await laptop.run(EXPORT, {
      env,
    });
    expect(exitCode).toBe(0);
  });
});

describe('the file of --link-file', () => {
  const LINK = 'https://files.example.com/docs.tar.gz?sig=abc';
  const exportTo = (path: string) => ['export', '--domain', DOMAIN, '--link-file', path];
  const NOT_REPLACED =
    'contains something else than one https address, so it is not replaced. Nothing was sent.';

  test.each([
    ['that does not exist', undefined],
    ['that is empty', ''],
    ['that has only line ends and spaces', '\n \r\n'],
    ['with a link', LINK],
    ['with a link and a line end', `${LINK}\n`],
    ['with a link of an emulator on this machine', 'http://127.0.0.1:8080/docs.tar.gz\n'],
  ])('A file %s gets the link, and only its owner can read it', async (_, text) => {
    await using laptop = await openLaptop();
    const path = join(laptop.folder, 'link.txt');
    if (text !== undefined) await writeFile(path, text, { mode: 0o644 });
    const { exitCode, stderr } = await laptop.run(exportTo('link.txt'));
    expect(exitCode, stderr).toBe(0);
    expect((await fetch((await readFile(path, 'utf8')).trim())).status).toBe(200);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a text', 'my notes\n'],
    ['two links', `${LINK}\n${LINK}\n`],
    ['a link with a name, as in an .env file', `DOCS_URL=${LINK}\n`],
    ['a link and a comment', `${LINK} # production\n`],
    ['a comment and a link', `# production\n${LINK}\n`],
    ['an http address of another machine', 'http://files.example.com/docs.tar.gz\n'],
    [
      'an http address whose host only begins like this machine',
      'http://localhost.example.com/docs.tar.gz\n',
    ],
    ['only the start of an address', 'https://\n'],
    ['an address of more than 64 KiB', `https://files.example.com/${'x'.repeat(64 * 1024)}`],
  ])('A file with %s is refused before anything is sent, and stays', async (_, text) => {
    await using laptop = await openLaptop();
    const path = join(laptop.folder, 'link.txt');
    await writeFile(path, text);
    const { exitCode, stderr } = await laptop.run(exportTo('link.txt'));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`--link-file: ${path} ${NOT_REPLACED}`);
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(laptop.platform.requests).toEqual([]);
  });

  test('A symbolic link is followed: what it leads to is replaced, or refused', async () => {
    await using laptop = await openLaptop();
    await writeFile(join(laptop.folder, 'notes'), 'my notes');
    await writeFile(join(laptop.folder, 'old'), LINK);
    await symlink('notes', join(laptop.folder, 'to-notes'));
    await symlink('old', join(laptop.folder, 'to-old'));
    const refused = await laptop.run(exportTo('to-notes'));
    expect(refused.stderr).toContain(NOT_REPLACED);
    expect(await contentOf(laptop, 'notes')).toBe('my notes');
    const { exitCode, stderr } = await laptop.run(exportTo('to-old'));
    expect(exitCode, stderr).toBe(0);
    expect((await lstat(join(laptop.folder, 'to-old'))).isSymbolicLink()).toBe(true);
    expect(await contentOf(laptop, 'old')).toContain(laptop.platform.url);
  });

  test('A folder is refused before anything is sent', async () => {
    await using laptop = await openLaptop();
    await mkdir(join(laptop.folder, 'folder'));
    expect((await laptop.run(exportTo('folder'))).stderr).toContain(
      'folder is a folder. Nothing was sent.',
    );
    expect(laptop.platform.requests).toEqual([]);
  });

  test('A file that changes during the run stays, and the error does not say that nothing was sent', async () => {
    await using laptop = await openLaptop();
    const path = join(laptop.folder, 'link.txt');
    const file = new ResultFile('link-file', 'link.txt', laptop.folder);
    await writeFile(path, 'my notes');
    expect(() => file.write(`${LINK}\n`)).toThrow(
      `--link-file: ${path} was changed during this run and contains something else than one https address, so the link was not written.`,
    );
    expect(await readFile(path, 'utf8')).toBe('my notes');
  });
});

describe('a full disk', () => {
  test.runIf(existsSync('/dev/full'))(
    'A full disk fails a run whose outputs are lost, and only warns about a lost summary',
    async () => {
      await using laptop = await openLaptop();
      const lost = await laptop.run([...EXPORT, '--output-file', '/dev/full']);
      expect(lost.exitCode).toBe(1);
      expect(lost.stderr).toContain('/dev/full of --output-file was not written: ENOSPC.');
      const { exitCode, stderr } = await laptop.run([...EXPORT, '--summary', '/dev/full']);
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/warning: The summary could not be written\. .*ENOSPC/);
    },
  );

  test.runIf(existsSync('/dev/full'))(
    'A run that loses its link is failed in its JSON and in the file of outputs too',
    async () => {
      await using laptop = await openLaptop();
      const files = ['--link-file', '/dev/full', '--output-file', 'out.env'];
      const lost = await laptop.run(['export', '--domain', DOMAIN, ...files, '--json']);
      expect(lost.exitCode).toBe(1);
      const error = { code: 'io', message: expect.stringContaining('--link-file') };
      const outputs = {
        status: 'failed',
        'error-code': 'io',
        'job-id': expect.stringMatching(/./),
      };
      expect(JSON.parse(lost.stdout)).toMatchObject({ status: 'failed', error, outputs });
      const written = await readFile(join(laptop.folder, 'out.env'), 'utf8');
      expect(written).toContain('DOCS_COURIER_OUT_STATUS=failed\n');
    },
  );
});

describe('a wrong command', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'a flag of another command',
      ['export', '--query', 'x'],
      /--query belongs to search, doctor, not to export/,
    ],
    ['two commands', ['export', 'refresh'], /export and refresh are 2 commands/],
    ['no command', ['--json'], /The command is missing/],
    ['a flag without its value', ['export', '--domain', '--dry-run'], /--domain needs a value/],
    [
      'an empty flag',
      ['export', '--domain', ''],
      /--domain is empty; give it a value, or leave it out/,
    ],
    [
      'an empty switch, as from a variable of the shell that is not set',
      ['export', '--domain=a.b', '--dry-run='],
      /--dry-run is empty; give it a value, or leave it out/,
    ],
    ['a repeated flag', ['export', '--domain=a.b', '--domain=c.d'], /--domain is given twice/],
    ['a value of a switch', ['export', '--json=yes'], /--json takes no value/],
    [
      'an output format',
      ['export', '--output-file=o', '--output-format=xml'],
      /--output-format must be dotenv or json/,
    ],
    [
      'an output file with a path of Windows',
      ['export', String.raw`--output-file=docs\o`],
      /must be a path with \/ between folders, since this is not Windows/,
    ],
    [
      'a configuration file with a variable in single quotes',
      ['export', '--config-file=$HOME/docs-courier.yml'],
      /config-file must be a path; \$HOME is replaced by a shell only/,
    ],
    [
      'a configuration file that is an address',
      ['export', '--config-file=https://files.example.com/docs-courier.yml'],
      /config-file must be a path; https: begins an address/,
    ],
    [
      'a configuration file that is a key',
      ['export', '--config-file=svc_leaked7Qx4Zt9Kp2Wm6'],
      /config-file must be the path of a file\. Nothing was sent\./,
    ],
    [
      'a secret file with a variable in single quotes',
      ['export', '--admin-api-key-file=$HOME/key'],
      /--admin-api-key-file must be a path; \$HOME is replaced by a shell only/,
    ],
    [
      'an output file in no folder',
      ['export', '--domain=a.b', '--output-file=no/o'],
      /does not exist/,
    ],
    [
      'an output file that is a folder',
      ['export', '--domain=a.b', '--output-file=dir'],
      /is a folder/,
    ],
    [
      'a missing secret file',
      ['export', '--admin-api-key-file=no'],
      /no does not exist\. Nothing was sent/,
    ],
    ...[
      'svc_adminkey123456',
      'QWxhZGRpbjpvcGVu/c2VzYW1l',
      'hvs.CAESIJ7Qx4Zt9Kp2Wm6',
      'x'.repeat(300),
    ].map((secret): [string, string[], RegExp] => [
      `a secret in place of its file (${secret.slice(0, 4)}…)`,
      ['export', `--admin-api-key-file=${secret}`],
      new RegExp(`^(?![^]*${secret.slice(0, 12)})[^]*--admin-api-key-file names no file`),
    ]),
  ];

  test.each(cases)(
    'A wrong command is reported before any request: %s',
    async (_, args, expected) => {
      await using laptop = await openLaptop();
      await mkdir(join(laptop.folder, 'dir'));
      const { exitCode, stderr, stdout } = await laptop.run(args);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(expected);
      expect(stderr).not.toContain('leaked');
      if (args.includes('--json'))
        expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: { code: 'config' } });
      expect(laptop.platform.requests).toEqual([]);
    },
  );

  test('A missing input is reported with the page that explains its flag', async () => {
    await using laptop = await openLaptop();
    const { exitCode, stderr } = await laptop.run(['export']);
    expect(stderr).toMatch(/domain is missing[\s\S]*docs-courier export --help/);
    expect(exitCode).toBe(2);
  });

  test('Without arguments the commands are shown on standard output', async () => {
    await using laptop = await openLaptop();
    const { stdout, exitCode } = await laptop.run([]);
    expect(stdout.split('\n').length).toBeLessThan(40);
    for (const command of COMMANDS) expect(stdout).toContain(`\n  ${command} `);
    expect(exitCode).toBe(0);
  });
});

test('With --quiet, a run that detaches or fails still says how to attach to its job', async () => {
  await using laptop = await openLaptop();
  const detached = await laptop.run([...EXPORT, '-q', '--timeout=0s', '--on-timeout=detach']);
  laptop.platform.inject({ match: { path: /jobs\/./ }, status: 403 });
  for (const { stderr } of [detached, await laptop.run([...EXPORT, '-q'])])
    expect(stderr).toMatch(/--export-job-id \S/);
});

describe('docs-courier.yml', () => {
  async function withFile(
    text: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    await using laptop = await openLaptop();
    await writeFile(join(laptop.folder, 'docs-courier.yml'), text);
    const ended = await laptop.run(args, { env });
    return { ...ended, requests: laptop.platform.requests };
  }

  test('The file docs-courier.yml is read in the working folder, after variables and flags, without keys of other modes', async () => {
    const file = `to: file:link\ndomain: wrong.example.com\ntimeout: 0s\nrefresh-before: 9h\non-timeout: detach\n`;
    const env = { DOCS_COURIER_DOMAIN: DOMAIN };
    const { exitCode, stderr } = await withFile(file, ['export', '--timeout', '30m'], env);
    expect(stderr).toContain(`Starting an export of ${DOMAIN}`);
    expect(stderr).toContain('Status: completed');
    expect(exitCode).toBe(0);
    const detached = await withFile(file, ['export'], env);
    expect(detached.stderr).toContain('Status: detached');
  });

  test('In a CI system docs-courier.yml is read only with --config-file, and cannot send a key elsewhere', async () => {
    await using laptop = await openLaptop();
    const inCi = async (text: string, more: readonly string[] = []) => {
      await writeFile(join(laptop.folder, 'docs-courier.yml'), text);
      const env = { ...gitHubActions(laptop), RUNNER_TEMP: join(laptop.folder, '..', 'temp') };
      return laptop.run(['export', '--domain', DOMAIN, ...more], { env });
    };
    expect((await inCi('not: known\n')).exitCode).toBe(0);
    const named = await inCi('export-job-id: job-9\ntimeout: 20m\n', [
      '--config-file=docs-courier.yml',
    ]);
    expect(named.stderr).toMatch(
      /Not read from the configuration file in a CI system.*export-job-id/,
    );
    expect(named.exitCode).toBe(0);
    const requests = laptop.platform.requests.length;
    const elsewhere = await inCi('base-url: https://evil.example.com\n', [
      '--config-file=docs-courier.yml',
    ]);
    expect([elsewhere.exitCode, laptop.platform.requests.length]).toEqual([2, requests]);
    expect(elsewhere.stderr).toContain('docs-courier.yml:1:1: base-url ');
    expect((await inCi('timeout: 1m\n', ['--config-file=/etc/passwd'])).exitCode).toBe(2);
  });
});
