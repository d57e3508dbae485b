import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Laptop, openLaptop } from './harness.ts';

const CONFIG = JSON.stringify({
  sites: {
    guide: { domain: 'guide.example.com', paths: 'docs/guide/**' },
    api: { domain: 'api.example.com', paths: ['docs/api/**', '*.json'] },
    whole: { domain: 'whole.example.com' },
  },
});
const PATH = process.env.PATH ?? '';

interface Repository {
  /** Commits these files, and returns the previous commit. */
  commit(files: Readonly<Record<string, string>>): Promise<string>;
  git(...args: readonly string[]): string;
}

async function openRepository({ folder }: Laptop): Promise<Repository> {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH, HOME: folder },
    }).trim();
  git('init', '-q', '-b', 'main');
  const commit = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    git('add', '-A');
    git('commit', '-q', '-m', 'change');
    return git('rev-list', '--max-count=1', '--skip=1', 'HEAD');
  };
  await commit({ 'docs-courier.yml': CONFIG, 'docs/guide/a.md': 'a', 'README.md': 'r' });
  return { commit, git };
}

const sitesIn = (stdout: string) =>
  JSON.parse(stdout).include.map(({ site }: { site: string }) => site);

describe('docs-courier plan', () => {
  test('A pattern that matches no file of the repository is a warning that names it', async () => {
    await using laptop = await openLaptop();
    const { commit } = await openRepository(laptop);
    const config = {
      sites: { guide: { paths: 'doc/guide/**' }, api: { paths: ['docs/**', '!docs/none/**'] } },
    };
    const before = await commit({ 'docs-courier.yml': JSON.stringify(config) });
    const { exitCode, stderr } = await laptop.run(['plan', '--changed-since', before], {
      env: { PATH },
    });
    expect(stderr.split('\n').filter((line) => line.startsWith('warning:'))).toEqual([
      'warning: The site guide has doc/guide/** in paths, which matches no file of the repository.',
    ]);
    expect(exitCode).toBe(0);
  });

  test.each([
    [{ 'docs/guide/new.md': 'x' }, ['guide', 'whole']],
    [{ 'docs/api/.hidden/x.md': 'x' }, ['api', 'whole']],
    [{ 'openapi.json': '{}' }, ['api', 'whole']],
    [{ 'docs/openapi.json': '{}' }, ['whole']],
    [{ 'docs/guide/ü "x".md': 'x' }, ['guide', 'whole']],
    [{ 'docs-courier.yml': `${CONFIG}\n` }, ['guide', 'api', 'whole']],
  ])('A merge that changes %j selects the sites %j', async (files, sites) => {
    await using laptop = await openLaptop();
    const { commit } = await openRepository(laptop);
    const before = await commit(files);
    const { exitCode, stdout } = await laptop.run(['plan', '--changed-since', before], {
      env: { PATH },
    });
    expect(sitesIn(stdout)).toEqual(sites);
    expect(exitCode).toBe(0);
    expect(laptop.platform.requests).toEqual([]);
  });

  test('A moved file counts for its old and its new path', async () => {
    await using laptop = await openLaptop();
    const { commit, git } = await openRepository(laptop);
    await mkdir(join(laptop.folder, 'docs/api'), { recursive: true });
    git('mv', 'docs/guide/a.md', 'docs/api/a.md');
    const before = await commit({});
    const { stdout } = await laptop.run(['plan', `--changed-since=${before}`], { env: { PATH } });
    expect(sitesIn(stdout)).toEqual(['guide', 'api', 'whole']);
  });

  test('The plan is empty if nothing changed, and contains all sites without a commit to compare with', async () => {
    await using laptop = await openLaptop();
    await openRepository(laptop);
    const since = async (...args: readonly string[]) =>
      sitesIn((await laptop.run(['plan', ...args], { env: { PATH } })).stdout);
    expect(await since('--changed-since', 'HEAD')).toEqual([]);
    expect(await since('--changed-since', '0'.repeat(40))).toEqual(['guide', 'api', 'whole']);
    expect(await since()).toEqual(['guide', 'api', 'whole']);
  });

  test('The plan can be a GitLab child pipeline, which has a job even if no site changed', async () => {
    await using laptop = await openLaptop();
    const { commit } = await openRepository(laptop);
    const before = await commit({ 'docs/guide/new.md': 'x' });
    const run = async (ref: string) => {
      await laptop.run(['plan', '--changed-since', ref, '--child-pipeline', 'child.yml'], {
        env: { PATH },
      });
      return JSON.parse(await readFile(join(laptop.folder, 'child.yml'), 'utf8'));
    };
    const pipeline = await run(before);
    expect(Object.keys(pipeline)).toEqual(['export-guide', 'export-whole']);
    expect(pipeline['export-guide']).toMatchObject({
      resource_group: 'docs-courier-guide',
      script: [expect.stringContaining("export --config-file 'docs-courier.yml' --site 'guide'")],
    });
    expect(Object.keys(await run('HEAD'))).toEqual(['no-site-has-changed']);
  });

  test('The plan compares with the commit from the CI system, and says why each site is planned or not', async () => {
    await using laptop = await openLaptop();
    const { commit } = await openRepository(laptop);
    const before = await commit({ 'docs/api/a.md': 'a', 'docs/api/b.md': 'b' });
    const job = { GITLAB_CI: 'true', CI_PIPELINE_ID: '1', CI_JOB_NAME: 'plan', CI_JOB_ID: '2' };
    const project = { CI_PROJECT_PATH: 'acme/docs', CI_SERVER_URL: 'https://gitlab.example.com' };
    const env = { PATH, ...job, ...project, CI_COMMIT_BEFORE_SHA: before };
    const files = ['--output-file', 'out.json', '--output-format', 'json', '--summary', 'plan.md'];
    const { stdout, stderr } = await laptop.run(
      ['plan', '--config-file', 'docs-courier.yml', ...files],
      { env },
    );
    expect(sitesIn(stdout)).toEqual(['api', 'whole']);
    expect(stderr).toContain('guide: not planned, no file of it has changed');
    expect(stderr).toContain('api: docs/api/a.md and 1 more file have changed');
    const read = (name: string) => readFile(join(laptop.folder, name), 'utf8');
    expect(JSON.parse(await read('out.json'))).toMatchObject({
      matrix: stdout.trim(),
      changed: 'true',
    });
    expect(await read('plan.md')).toContain('## ✅ Plan: 2 of 3 sites');
    expect(await read('plan.md')).toContain('| `guide` | no |');
    const request = {
      ...env,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD',
      CI_COMMIT_BEFORE_SHA: '0'.repeat(40),
    };
    const unchanged = await laptop.run(['plan', '--config-file', 'docs-courier.yml', '--json'], {
      env: request,
    });
    expect(JSON.parse(unchanged.stdout)).toMatchObject({
      mode: 'plan',
      outputs: { changed: 'false' },
    });
  });

  test.runIf(process.platform !== 'win32')(
    'A git that hangs is ended when the run is cancelled',
    async () => {
      await using laptop = await openLaptop();
      await openRepository(laptop);
      const folder = join(laptop.folder, '..', 'bin');
      const started = join(laptop.folder, '..', 'started');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'git'), `#!/bin/sh\n: >'${started}'\nsleep 600\n`, {
        mode: 0o755,
      });
      const control = new AbortController();
      const run = laptop.run(['plan', '--changed-since', 'HEAD'], {
        env: { PATH: `${folder}:${PATH}` },
        signal: control.signal,
      });
      await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
      control.abort();
      const { stdout, stderr } = await run;
      expect(stdout).toBe('');
      expect(stderr).toContain('The run was cancelled');
    },
  );

  test('Outside of a repository, or without sites, plan fails and says so', async () => {
    await using laptop = await openLaptop();
    await writeFile(join(laptop.folder, 'docs-courier.yml'), CONFIG);
    const since = ['plan', '--changed-since', 'HEAD'];
    expect((await laptop.run(since, { env: { PATH } })).stderr).toContain(
      'is not a repository that git can read',
    );
    expect((await laptop.run(since, { env: { PATH: laptop.folder } })).stderr).toContain(
      'git was not found',
    );
    await writeFile(join(laptop.folder, 'docs-courier.yml'), 'domain: a.b\n');
    expect(await laptop.run(['plan'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test.each([
    [['plan', '--changed-since', 'f00dfeed'], /Git does not know the commit f00dfeed/],
    [['plan', '--changed-since=--output=/tmp/x'], /Git does not know the commit/],
    [['plan', '--query', 'x'], /--query belongs to .+, not to plan/],
    [['export', '--changed-since', 'HEAD'], /--changed-since belongs to plan/],
    [['plan', '--config-file', 'none.yml'], /none\.yml does not exist/],
  ])('The arguments %j are an error, with nothing on standard output', async (args, message) => {
    await using laptop = await openLaptop();
    await openRepository(laptop);
    const { exitCode, stdout, stderr } = await laptop.run(args, { env: { PATH } });
    expect(stderr).toMatch(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  test('In a CI system, plan needs the name of the configuration file', async () => {
    await using laptop = await openLaptop();
    await openRepository(laptop);
    const env = { PATH, CI: 'true' };
    expect((await laptop.run(['plan'], { env })).exitCode).toBe(2);
    expect(
      sitesIn((await laptop.run(['plan', '--config-file', 'docs-courier.yml'], { env })).stdout),
    ).toHaveLength(3);
  });
});
