import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CI_ENVIRONMENTS } from '../support/ci-environments.ts';
import { ciSnippets } from '../support/ci-snippets.ts';
import { DOMAIN, openLaptop } from './harness.ts';

const EXPORT = ['export', '--domain', DOMAIN, '--to', 'file:link.txt'];

describe.each(CI_ENVIRONMENTS)('docs-courier on $title', ({ kind, env }) => {
  test('A run on $title exports and writes the link, with outputs for later steps', async () => {
    await using machine = await openLaptop();
    const args = [
      ...EXPORT,
      '--allow-write-from',
      'main',
      '--output-file',
      'outputs.env',
      '--summary',
      'summary.md',
    ];
    const { exitCode, stderr } = await machine.run(args, { env });
    expect(exitCode).toBe(0);
    const link = await readFile(join(machine.folder, 'link.txt'), 'utf8');
    expect((await fetch(link)).status).toBe(200);
    // The agent removes these lines from the log.
    const shown = stderr.split('\n').filter((line) => !line.startsWith('##vso[task.setsecret]'));
    expect(shown.join('\n')).not.toContain(new URL(link).search);
    expect(await readFile(join(machine.folder, 'outputs.env'), 'utf8')).toMatch(
      /^DOCS_COURIER_OUT_JOB_ID=\S+$/m,
    );
    expect(await readFile(join(machine.folder, 'summary.md'), 'utf8')).toContain(DOMAIN);
    if (kind === 'azure')
      expect(stderr).toMatch(
        /^##vso\[task\.setvariable variable=DOCS_COURIER_OUT_JOB_ID;.+\]\S+$/m,
      );
  });
});

describe('an export that is saved nowhere', () => {
  const GITLAB = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PIPELINE_ID: '1001',
    CI_JOB_NAME: 'export-docs',
    CI_PROJECT_PATH: 'acme/docs',
    CI_SERVER_URL: 'https://gitlab.example.com',
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_REF_PROTECTED: 'true',
    CI_COMMIT_BRANCH: 'main',
  };
  const systems = [...CI_ENVIRONMENTS, { title: 'GitLab CI', env: GITLAB }];
  const BARE = ['--domain', DOMAIN, '--publish=false'];
  const ALLOWED = ['--allow-write-from', 'main'];

  test.each(systems)(
    'On $title, an export and doctor without any destination are wrong, and nothing is sent',
    async ({ env }) => {
      await using machine = await openLaptop();
      const given = [
        'export',
        ...BARE,
        ...ALLOWED,
        '--output-file',
        'outputs.env',
        '--min-pages=1',
      ];
      const { exitCode, stderr } = await machine.run(given, { env });
      expect(exitCode, stderr).toBe(2);
      expect(stderr).toContain(
        'The export would not be saved anywhere: give the link a destination (to)',
      );
      expect(machine.platform.requests).toEqual([]);
      const checked = await machine.run(['doctor', ...BARE, ...ALLOWED], { env });
      expect(checked.exitCode, checked.stderr).toBe(4);
      expect(checked.stderr).toContain('The export would not be saved anywhere');
    },
  );

  test.each([
    ['a summary', ['--summary', 'summary.md']],
    ['a report of tests', ['--junit', 'junit.xml']],
    ['a comparison', ['--compare-with', 'earlier.json']],
    ['a folder that is verified', ['--extract-to', 'site', '--verify', 'strict']],
    ['an archive', ['--bundle-path', 'site.tar.gz']],
    ['a file with the link', ['--link-file', 'link.txt']],
    ['a dry run', ['--dry-run']],
  ])(
    'In a CI system, an export with %s needs no destination, and names no output',
    async (_, flags) => {
      await using machine = await openLaptop();
      const manifest = [
        'export',
        ...BARE,
        '--bundle-path',
        'earlier',
        '--allow-write-from',
        'main',
      ];
      await machine.run(manifest, { env: GITLAB });
      await rename(
        join(machine.folder, 'earlier.manifest.json'),
        join(machine.folder, 'earlier.json'),
      );
      const { exitCode, stderr } = await machine.run(['export', ...BARE, ...flags], {
        env: GITLAB,
      });
      expect(exitCode, stderr).toBe(0);
      expect(stderr).not.toContain('bundle-url');
    },
  );

  test('On a person’s machine, doctor with a site alone stays green', async () => {
    await using machine = await openLaptop();
    const { exitCode, stderr } = await machine.run(['doctor', ...BARE]);
    expect(exitCode, stderr).toBe(0);
  });

  test('The GitLab template without `to` is wrong, and nothing is sent', async () => {
    await using machine = await openLaptop();
    const env = {
      ...GITLAB,
      DOCS_COURIER_DOMAIN: DOMAIN,
      DOCS_COURIER_TO: '',
      DOCS_COURIER_PUBLISH: 'true',
      DOCS_COURIER_PROJECT_ID: machine.platform.projectId,
    };
    const { exitCode, stderr } = await machine.run(['export', '--output-file', 'o.env'], { env });
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('DOCS_COURIER_TO: ');
    expect(machine.platform.requests).toEqual([]);
  });

  test('A step of GitHub Actions hands the link on as an output, also by the command line', async () => {
    await using machine = await openLaptop();
    const output = join(machine.folder, 'output');
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/docs',
      GITHUB_RUN_ID: '1',
      GITHUB_WORKSPACE: machine.folder,
      RUNNER_TEMP: machine.folder,
      GITHUB_EVENT_NAME: 'workflow_dispatch',
      GITHUB_OUTPUT: output,
    };
    const { exitCode, stderr } = await machine.run(['export', ...BARE], { env });
    expect(exitCode, stderr).toBe(0);
    expect(await readFile(output, 'utf8')).toMatch(/^bundle-url<</m);
  });
});

test('Doctor takes --allow-write-from, which it asks for if no system vouches for the branch', async () => {
  await using machine = await openLaptop();
  const { env = {} } = CI_ENVIRONMENTS.find(({ kind }) => kind === 'circleci') ?? {};
  const args = ['doctor', ...EXPORT.slice(1), '--publish=false'];
  const asked = await machine.run(args, { env });
  expect(asked.stderr).toContain('❌ Destination of the link: --allow-write-from is missing');
  const { exitCode, stderr } = await machine.run([...args, '--allow-write-from', 'main'], { env });
  expect(exitCode, stderr).toBe(0);
});

describe('the pipelines of the page about other CI systems', () => {
  test.each(ciSnippets())('The commands of the page for $title export', async (snippet) => {
    await using machine = await openLaptop();
    const system = CI_ENVIRONMENTS.find(({ title }) => title === snippet.title);
    const given: Readonly<Record<string, string>> = {
      '--base-url': machine.platform.url,
      '--domain': DOMAIN,
      '--project-id': machine.platform.projectId,
      '--to': 'file:link.txt',
    };
    for (const words of snippet.commands) {
      // The addresses on the page do not exist.
      const args = words.map((word, index) => given[words[index - 1] ?? ''] ?? word);
      const { exitCode, stderr } = await machine.run(args, { env: system?.env ?? {} });
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    }
    expect((await fetch(await readFile(join(machine.folder, 'link.txt'), 'utf8'))).status).toBe(
      200,
    );
  });
});
