import { describe, expect, test } from 'vitest';
import { detectCi } from '../../src/ci/detect.ts';
import { createGiteaRunner } from '../../src/ci/gitea/runner.ts';
import { commandLineStep } from '../../src/ci/github/command-line.ts';
import { createRunner, giteaKind } from '../../src/ci/github/runner.ts';
import type { CiRunner, Env, Results } from '../../src/ci/port.ts';
import { checkMayWrite } from '../../src/ci/rights.ts';
import { createLog } from '../../src/ground/log.ts';

const ENV = {
  GITHUB_ACTIONS: 'true',
  GITEA_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'ada/app',
  GITHUB_RUN_ID: '41',
  GITHUB_RUN_NUMBER: '7',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'publish',
  GITHUB_WORKFLOW: '',
  GITHUB_SERVER_URL: 'https://gitea.example.com/',
  GITHUB_API_URL: 'https://gitea.example.com/api/v1',
  GITHUB_WORKSPACE: '/workspace/ada/app',
  GITHUB_EVENT_NAME: 'push',
  GITHUB_REF_NAME: 'main',
  GITHUB_REF_PROTECTED: 'false',
  RUNNER_TEMP: '/tmp',
};

function stepOf(env: Env, written: string[] = []): CiRunner {
  return createRunner(env, commandLineStep({ env, write: (line) => written.push(line) }));
}

function runnerOf(env: Readonly<Record<string, string>> = {}, workflow: Partial<CiRunner> = {}) {
  const written: string[] = [];
  const all = { ...ENV, ...env };
  const runner = createGiteaRunner('gitea', { ...stepOf(all, written), ...workflow }, all);
  return { runner, log: () => written.join('\n') };
}

describe('a run of Gitea', () => {
  test('A Gitea run is recognized by its own variable, although GitHub’s variables are set too', () => {
    expect(giteaKind(ENV)).toBe('gitea');
    expect(detectCi(ENV).kind).toBe('gitea');
    expect(detectCi({ ...ENV, GITEA_ACTIONS: 'true', FORGEJO_ACTIONS: 'true' }).kind).toBe(
      'forgejo',
    );
    const { GITEA_ACTIONS: _, ...github } = ENV;
    expect(detectCi(github).kind).toBe('github');
  });

  test('A Gitea run has a key that a re-run keeps, and a page on its server', () => {
    expect(runnerOf().runner.readRun()).toMatchObject({
      kind: 'gitea',
      serverUrl: 'https://gitea.example.com',
      url: 'https://gitea.example.com/ada/app/actions/runs/41',
      github: {
        runId: '41',
        job: 'publish',
        runAttempt: 2,
        serverUrl: 'https://gitea.example.com',
        apiUrl: 'https://gitea.example.com/api/v1',
        workflow: '',
      },
    });
  });

  test('A Gitea run with inputs under env: is told to write them under with:', () => {
    const { runner } = runnerOf({ DOCS_COURIER_DOMAIN: 'acme.example.com' });
    expect(runner.explainEmptyInputs().misplaced?.message).toContain('under env:');
  });

  test('A Forgejo run has the number of the run in its address', () => {
    const env = { ...ENV, FORGEJO_ACTIONS: 'true' };
    const run = createGiteaRunner('forgejo', stepOf(env), env).readRun();
    expect(run).toMatchObject({
      kind: 'forgejo',
      url: 'https://gitea.example.com/ada/app/actions/runs/7',
    });
  });

  test('A Gitea run does not report whether a ref is protected', () => {
    expect(runnerOf().runner.readRun().refProtected).toBeUndefined();
    expect(
      runnerOf({ GITHUB_REF_PROTECTED: 'true' }).runner.readRun().refProtected,
    ).toBeUndefined();
  });

  test.each(['push', 'schedule', 'workflow_dispatch', 'release'])(
    'A %s run may write a link',
    (GITHUB_EVENT_NAME) => {
      expect(() => checkMayWrite(runnerOf({ GITHUB_EVENT_NAME }).runner.readRun())).not.toThrow();
    },
  );

  test.each([
    'pull_request',
    'pull_request_target',
    'issue_comment',
    'pull_request_comment',
    'issues',
    '',
  ])('A Gitea run on "%s" may not write a link', (GITHUB_EVENT_NAME) => {
    expect(() => checkMayWrite(runnerOf({ GITHUB_EVENT_NAME }).runner.readRun())).toThrow(
      expect.objectContaining({ code: 'refused' }),
    );
  });
});

describe('the log of a run of Gitea', () => {
  test('The log of a Gitea run shows an error as one line with a label, and the rest of it as lines', () => {
    const { runner, log } = runnerOf();
    createLog(runner.toolkit).error('It failed.\nDo this:\n::set-output name=x::y', {
      title: 'Docs Courier: config',
    });
    expect(log()).toBe(
      '::error::Docs Courier: config: It failed.\nDo this:\n| ::set-output name=x::y',
    );
  });

  test('An annotation of a Gitea run contains its file name as text, because the page shows no parameters', () => {
    const { runner, log } = runnerOf();
    createLog(runner.toolkit).warning('50 % has no page', { file: 'docs-queries.yml', line: 3 });
    expect(log()).toBe('::warning::docs-queries.yml:3: 50 % has no page');
  });

  test('A link is masked on Gitea both unchanged and as a runner that decodes commands stores it', () => {
    const { runner, log } = runnerOf();
    createLog(runner.toolkit).mask('https://bundles.example.com/a?X=AKIA%2F2026');
    const lines = log().split('\n');
    expect(lines).toContain('::add-mask::https://bundles.example.com/a?X=AKIA%2F2026');
    expect(lines).toContain('::add-mask::https://bundles.example.com/a?X=AKIA%252F2026');
  });

  test('The log of a Gitea run contains the summary, which no page shows, and so does its file', async () => {
    const summaries: string[] = [];
    const results: Results = {
      writeOutputs: () => undefined,
      writeReport: () => undefined,
      writeSummary: async (markdown) => void summaries.push(markdown),
    };
    const { runner, log } = runnerOf({}, { openResults: () => results });
    await runner.openResults().writeSummary('## Export\n\n::error::no command\n');
    expect(log()).toBe('::group::Summary\n## Export\n\n| ::error::no command\n\n::endgroup::');
    expect(summaries).toHaveLength(1);
  });
});
