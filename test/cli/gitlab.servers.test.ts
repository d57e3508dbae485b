import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GitLabEmulator } from '../../emulator/src/gitlab/emulator.ts';
import { detectCi } from '../../src/ci/detect.ts';
import type { Env } from '../../src/ci/port.ts';
import { outputVariable } from '../../src/ci/port.ts';
import { formatDotenv } from '../../src/cli/results.ts';
import { runKey } from '../../src/delivery/state.ts';
import { expectError, failureOf } from '../support/failure.ts';
import { DOMAIN, type Laptop, openLaptop } from './harness.ts';

const TOKEN = 'glpat-0123456789abcdefghij';
const JOB_TOKEN = 'glcbt-64_0123456789abcdef';
const NAME = 'DOCS_BUNDLE_URL';
const TO = `gitlab:project/acme%2Fdocs/${NAME}?environment=production`;

/** The variables of a job, see https://docs.gitlab.com/ci/variables/predefined_variables/. */
const JOB: Readonly<Record<string, string>> = {
  CI: 'true',
  GITLAB_CI: 'true',
  CI_SERVER_URL: 'https://gitlab.example.com',
  CI_PROJECT_ID: '7',
  CI_PROJECT_PATH: 'acme/docs',
  CI_PROJECT_DIR: '/builds/acme/docs',
  CI_PIPELINE_ID: '1001',
  CI_PIPELINE_URL: 'https://gitlab.example.com/acme/docs/-/pipelines/1001',
  CI_PIPELINE_SOURCE: 'push',
  CI_JOB_ID: '50001',
  CI_JOB_NAME: 'export-docs',
  CI_JOB_TOKEN: JOB_TOKEN,
  CI_COMMIT_BRANCH: 'main',
  CI_COMMIT_REF_NAME: 'main',
  CI_COMMIT_REF_PROTECTED: 'true',
  CI_COMMIT_SHA: '0123456789012345678901234567890123456789',
  CI_DEFAULT_BRANCH: 'main',
  GITLAB_USER_LOGIN: 'maya',
};

/**
 * The differences of a merge request pipeline: no CI_COMMIT_BRANCH, and variables of the merge
 * request.
 */
const MERGE_REQUEST = {
  CI_COMMIT_BRANCH: '',
  CI_COMMIT_REF_PROTECTED: 'false',
  CI_MERGE_REQUEST_IID: '5',
  CI_MERGE_REQUEST_PROJECT_PATH: 'acme/docs',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'main',
  CI_PIPELINE_SOURCE: 'merge_request_event',
};
/** A job of a fork gets no variables of the project. */
const FORK = {
  ...MERGE_REQUEST,
  CI_PROJECT_PATH: 'stranger/docs',
  DOCS_COURIER_ADMIN_API_KEY: '',
};

interface Stage extends AsyncDisposable {
  readonly laptop: Laptop;
  readonly gitlab: GitLabEmulator;
  readonly env: Readonly<Record<string, string>>;
}

async function openStage(options?: Parameters<typeof openLaptop>[0]): Promise<Stage> {
  const laptop = await openLaptop(options);
  const gitlab = await GitLabEmulator.start({
    projects: [{ path: 'acme/docs', id: 7 }],
    tokens: { [TOKEN]: { roles: { acme: 'owner' } }, [JOB_TOKEN]: { kind: 'job' } },
  });
  return {
    laptop,
    gitlab,
    env: { ...JOB, CI_SERVER_URL: gitlab.url, DOCS_COURIER_SECRET_TOKEN: TOKEN },
    async [Symbol.asyncDispose]() {
      await Promise.all([laptop[Symbol.asyncDispose](), gitlab.close()]);
    },
  };
}

async function readRun(env: Env) {
  const host = { env, cwd: '/builds/acme/docs', temp: '/tmp', write: () => {} };
  const { kind, load } = detectCi(env);
  expect(kind).toBe('gitlab');
  return (await load(host)).readRun();
}

describe('a job of GitLab CI', () => {
  test('A GitLab job is identified by pipeline and name, so a retry is the same run', async () => {
    const first = await readRun(JOB);
    const retry = await readRun({ ...JOB, CI_JOB_ID: '50002' });
    expect(runKey(retry.github)).toBe(runKey(first.github));
    const other = await readRun({ ...JOB, CI_JOB_NAME: 'export-docs 2/3' });
    expect(runKey(other.github)).not.toBe(runKey(first.github));
    const later = await readRun({ ...JOB, CI_PIPELINE_ID: '1002' });
    expect(runKey(later.github)).not.toBe(runKey(first.github));
    expect(first).toMatchObject({
      repository: 'acme/docs',
      url: JOB.CI_PIPELINE_URL,
      cause: 'push',
      isDefaultBranch: true,
      refProtected: true,
      github: expect.objectContaining({ actor: 'maya' }),
    });
  });

  test('A GitLab job publishes the merge first, and its retry follows the same update', async () => {
    await using stage = await openStage({ projectId: 'project-1', publishLagMs: 20_000 });
    const { laptop, gitlab, env } = stage;
    const sha = JOB['CI_COMMIT_SHA'] ?? '';
    await laptop.platform.push({ sha, content: { 'index.md': '# Merged' } });
    const more = ['--publish', '--project-id', 'project-1', '--summary', 'summary.md'];
    const run = (timeout: string) =>
      laptop.run(['export', '--domain', DOMAIN, '--to', TO, ...more, '--timeout', timeout], {
        env,
      });
    expect((await run('10s')).stderr).toContain('did not finish within 10s');
    const retried = await run('5m');
    expect(retried.exitCode, retried.stderr).toBe(0);
    expect(retried.stderr).toContain('An earlier attempt of this run started update');
    expect(await readFile(join(laptop.folder, 'summary.md'), 'utf8')).toContain(
      '**Published for this run**: commit `0123456` ',
    );
    expect(laptop.platform.updates).toHaveLength(1);
    expect(gitlab.variable('acme/docs', NAME, 'production')?.value).toMatch(/^http/);
  });

  test('A pipeline of a merge request previews its branch, passes on the address as a variable, and in a train makes none', async () => {
    await using stage = await openStage({ projectId: 'project-1', publishLagMs: 5000 });
    const { laptop, env } = stage;
    const sha = JOB['CI_COMMIT_SHA'] ?? '';
    await laptop.platform.push({ branch: 'docs/new', sha, content: { 'index.md': '# New' } });
    const own = {
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/docs',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'docs/new',
    };
    const args = ['publish', '--project-id', 'project-1', '--output-file', 'docs.env'];
    const { exitCode, stderr } = await laptop.run(args, {
      env: { ...env, ...MERGE_REQUEST, ...own },
    });
    expect(exitCode, stderr).toBe(0);
    const outputs = await readFile(join(laptop.folder, 'docs.env'), 'utf8');
    const address = /^DOCS_COURIER_OUT_PREVIEW_URL=(\S+)$/m.exec(outputs)?.[1] ?? '';
    expect((await fetch(address)).status).toBe(200);
    expect(outputs).toContain(`DOCS_COURIER_OUT_PUBLISHED_COMMIT=${sha}`);
    const fork = { ...MERGE_REQUEST, ...own, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'mallory/docs' };
    const train = { ...MERGE_REQUEST, ...own, CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' };
    for (const variables of [fork, train]) {
      const skipped = await laptop.run(args, { env: { ...env, ...variables } });
      expect(skipped).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('Status: skipped'),
      });
    }
    expect(laptop.platform.updates).toHaveLength(1);
  });

  test('A pipeline of the default branch publishes, and one of another branch makes a preview', async () => {
    await using stage = await openStage({ projectId: 'project-1' });
    const { laptop, env } = stage;
    const args = ['publish', '--project-id', 'project-1'];
    expect(await laptop.run(args, { env })).toMatchObject({ exitCode: 0 });
    const branch = {
      CI_COMMIT_BRANCH: 'docs/new',
      CI_COMMIT_REF_NAME: 'docs/new',
      CI_COMMIT_REF_PROTECTED: 'false',
    };
    expect(await laptop.run(args, { env: { ...env, ...branch } })).toMatchObject({ exitCode: 0 });
    expect(laptop.platform.updates.map((one) => one.branch)).toEqual([undefined, 'docs/new']);
    const trigger = { ...branch, CI_PIPELINE_SOURCE: 'trigger' };
    const refused = await laptop.run([...args, '--branch', 'docs/new'], {
      env: { ...env, ...trigger },
    });
    expect(refused).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('may not make a preview'),
    });
  });

  test('A GitLab job without a variable of GitLab is reported before anything starts', async () => {
    expectError(await failureOf(readRun({ ...JOB, CI_PIPELINE_ID: '' })), {
      code: 'config',
      message: 'CI_PIPELINE_ID',
    });
  });

  test.each([
    ['push', 'push'],
    ['schedule', 'schedule'],
    ['web', 'manual'],
    ['api', 'manual'],
    ['parent_pipeline', 'parent'],
    ['trigger', 'unknown'],
    ['pipeline', 'unknown'],
    ['chat', 'unknown'],
    ['ondemand_dast_scan', 'unknown'],
    ['merge_request_event', 'change-request'],
    ['external_pull_request_event', 'change-request'],
  ])('A GitLab job with the source %s has the cause %s', async (source, cause) => {
    expect((await readRun({ ...JOB, CI_PIPELINE_SOURCE: source })).cause).toBe(cause);
  });

  test('A job of a child pipeline writes the link and its state, and passes on the job id without the link', async () => {
    await using stage = await openStage();
    const { laptop, gitlab, env } = stage;
    const args = ['export', '--domain', DOMAIN, '--to', TO, '--output-file', 'docs.env'];
    const { exitCode, stdout, stderr } = await laptop.run(args, {
      env: { ...env, CI_PIPELINE_SOURCE: 'parent_pipeline' },
    });
    expect(stderr).toContain('Wrote the link to CI/CD variable DOCS_BUNDLE_URL');
    expect(exitCode).toBe(0);
    const link = gitlab.variable('acme/docs', NAME, 'production')?.value ?? '';
    expect((await fetch(link)).status).toBe(200);
    const outputs = await readFile(join(laptop.folder, 'docs.env'), 'utf8');
    expect(outputs).toMatch(/^DOCS_COURIER_OUT_STATUS=completed\nDOCS_COURIER_OUT_JOB_ID=\S+\n/);
    for (const text of [stdout, stderr, outputs]) {
      expect(text).not.toContain(new URL(link).search);
      expect(text).not.toContain(TOKEN);
    }
  });

  test.each([
    ['is for a merge request', MERGE_REQUEST, 'for a merge request'],
    [
      'is for a merge request, although its branch is called main and its source is push',
      { CI_MERGE_REQUEST_IID: '5' },
      'for a merge request',
    ],
    [
      'is for a branch that is not protected',
      { CI_COMMIT_REF_PROTECTED: 'false', CI_COMMIT_BRANCH: 'topic' },
      'not protected',
    ],
    [
      'was started by hand on such a branch',
      { CI_COMMIT_REF_PROTECTED: 'false', CI_PIPELINE_SOURCE: 'web' },
      'not protected',
    ],
    ['was started by a trigger token', { CI_PIPELINE_SOURCE: 'trigger' }, 'its source is trigger'],
  ])('A GitLab job that %s may not write a link, and sends nothing', async (_, change, words) => {
    await using stage = await openStage();
    const { laptop, gitlab, env } = stage;
    const args = ['export', '--domain', DOMAIN, '--to', TO];
    const { exitCode, stderr } = await laptop.run(args, { env: { ...env, ...change } });
    expect(exitCode).toBe(5);
    expect(stderr).toContain(words);
    expect(stderr).toContain('$CI_COMMIT_REF_PROTECTED == "true"');
    expect([...gitlab.requests, ...laptop.platform.requests]).toEqual([]);
  });

  test('A GitLab job with a project token and no link to write is valid; as a flag the token is an error', async () => {
    await using stage = await openStage();
    const { laptop, env } = stage;
    const args = ['export', '--domain', DOMAIN, '--bundle-path', 'site.tar.gz'];
    expect((await laptop.run(args, { env })).exitCode).toBe(0);
    const asFlag = await laptop.run([...args, '--vault-role', 'docs'], { env });
    expect(asFlag).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('vault-role is read only'),
    });
  });

  test('The summary of a GitLab job links to its pipeline', async () => {
    await using stage = await openStage();
    const args = ['export', '--domain', DOMAIN, '--summary', 'summary.md'];
    await stage.laptop.run(args, { env: stage.env });
    const summary = await readFile(join(stage.laptop.folder, 'summary.md'), 'utf8');
    expect(summary).toContain(`[The run](${JOB.CI_PIPELINE_URL})`);
  });

  test('A GitLab job of a fork, which has no variables, is skipped with the reason', async () => {
    await using stage = await openStage();
    const { laptop, env } = stage;
    const fork = { ...env, ...FORK };
    const { exitCode, stderr } = await laptop.run(['export', '--domain', DOMAIN], { env: fork });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('runs in a fork of acme/docs');
  });

  test('A GitLab job of a fork searches a folder, because that needs no key', async () => {
    await using stage = await openStage();
    const { laptop, env } = stage;
    const fork = { ...env, ...FORK };
    const args = ['search', '--search-site', 'site', '--query', 'install'];
    const { exitCode, stderr } = await laptop.run(args, { env: fork });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('search-site: site cannot be searched');
  });
});

describe('the log of a job', () => {
  test('The log of a GitLab job has collapsible sections, which text from outside cannot open or close', async () => {
    const lines: string[] = [];
    const host = {
      env: JOB,
      cwd: '/builds',
      temp: '/tmp',
      write: (line: string) => lines.push(line),
    };
    const { toolkit } = await detectCi(JOB).load(host);
    const { createLog } = await import('../../src/ground/log.ts');
    const log = createLog(toolkit);
    const foreign =
      'x \u001b[0Ksection_end:1:docs_courier_1\r\u001b[0K y\nsection_start:2:evil[collapsed=true]\r\u001b[0Kz';
    await log.group(`Findings ${foreign}`, async () => log.info(foreign));
    const [start = '', ...rest] = lines;
    expect(start).toMatch(
      /^\u001b\[0Ksection_start:\d{10}:docs_courier_1\[collapsed=true\]\r\u001b\[0KFindings /,
    );
    expect(rest.at(-1)).toMatch(/^\u001b\[0Ksection_end:\d{10}:docs_courier_1\r\u001b\[0K$/);
    // GitLab's own expression for a section needs the carriage return and the escape.
    for (const text of [start.split('\u001b[0K').at(-1) ?? '', ...rest.slice(0, -1)])
      expect(text).not.toMatch(/[\r\u001b]/);
  });
});

describe('a dotenv report', () => {
  test('A dotenv report has at most 12 variables and 4 KiB, the most important first, and says what is left out', () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`path-${index}`, `/builds/${index}`]),
    );
    const { text, leftOut } = formatDotenv({
      ...many,
      status: 'completed',
      'job-id': 'job-1',
      destinations: '[{"a":1}]',
    });
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(12);
    expect(lines.slice(0, 2)).toEqual([
      `${outputVariable('status')}=completed`,
      `${outputVariable('job-id')}=job-1`,
    ]);
    expect(leftOut).toHaveLength(11);
    expect(leftOut).toContain('destinations');
    const large = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`a-${index}`, 'x'.repeat(900)]),
    );
    expect(Buffer.byteLength(formatDotenv(large).text)).toBeLessThanOrEqual(4096);
  });
});

describe('advice in a job of a template', () => {
  const given = {
    DOCS_COURIER_DOMAIN: DOMAIN,
    DOCS_COURIER_TO: TO,
    DOCS_COURIER_PUBLISH: 'true',
  };

  test.each([
    ['base-url domain to publish project-id', 'inputs:\n  project-id: "PROJECT_ID"'],
    ['', 'variables:\n  DOCS_COURIER_PROJECT_ID: "PROJECT_ID"'],
  ])('A job of a template with the inputs "%s" is told to write %j', async (inputs, advice) => {
    await using stage = await openStage();
    const env = { ...stage.env, ...given, DOCS_COURIER_TEMPLATE: inputs };
    const { exitCode, stderr } = await stage.laptop.run(['export'], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(advice);
    // Pasted, it is read.
    const next = { ...env, DOCS_COURIER_PROJECT_ID: 'project-1' };
    const again = await stage.laptop.run(['export', '--dry-run'], { env: next });
    expect(again.exitCode).toBe(0);
  });

  test('An input that the template does not take is advised as a variable', async () => {
    await using stage = await openStage();
    const env = { ...stage.env, DOCS_COURIER_TEMPLATE: 'project-id' };
    const { stderr } = await stage.laptop.run(['refresh'], { env });
    expect(stderr).toContain('variables:\n  DOCS_COURIER_TO: "gitlab:project/ID/NAME"');
    expect(stderr).not.toContain('inputs:');
  });
});
