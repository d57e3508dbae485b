import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GitLabEmulator } from '../../../emulator/src/gitlab/emulator.ts';
import { GitLabStage, type PipelineRun, PROJECT, readPipelines } from '../gitlab.ts';
import { needTool } from '../tools.ts';
import { CHECKOUT } from '../workspace.ts';
import { type ExampleCase, fetchBundle } from './case.ts';

const PAGE = 'docs/how-to/gitlab-ci.md';
const [EXPORT = '', REFRESH = '', SEARCH = '', WORSE = '', PAGES = '', ...MORE] =
  readPipelines(PAGE);
const PREVIEW_PAGE = 'docs/how-to/publish-and-preview.md';
const [PREVIEW = '', ...MORE_PREVIEWS] = readPipelines(PREVIEW_PAGE);

function green({ ok, log }: PipelineRun): void {
  assert.ok(ok, `the pipeline failed:\n${log}`);
}

function linkIn({ gitlab }: GitLabStage): string {
  return gitlab.variable('acme/app', 'DOCS_BUNDLE_URL', 'production')?.value ?? '';
}

function startsOf({ platform }: GitLabStage): number {
  return platform.requests.filter(
    ({ method, path }) => method === 'POST' && path === '/v1/static-export/jobs',
  ).length;
}

function gitLabCase(when: string, run: (stage: GitLabStage) => Promise<string>): ExampleCase {
  return {
    example: PAGE,
    when,
    async run() {
      assert.deepEqual(MORE, [], `${PAGE} has a pipeline without a case`);
      await using stage = await GitLabStage.open();
      return await run(stage);
    },
  };
}

/** The pipeline of a merge request shows the address of the preview; that of a fork makes none. */
async function previewed(): Promise<string> {
  assert.deepEqual(MORE_PREVIEWS, [], `${PREVIEW_PAGE} has a pipeline without a case`);
  await using stage = await GitLabStage.open();
  const branch = 'docs/new-page';
  const sha = 'c'.repeat(40);
  await stage.platform.push({ branch, sha, content: { 'index.md': '# Docs\n\nNew.' } });
  const variables = {
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_COMMIT_REF_PROTECTED: 'false',
    CI_COMMIT_REF_NAME: branch,
    CI_COMMIT_SHA: sha,
    CI_MERGE_REQUEST_IID: '5',
    CI_MERGE_REQUEST_PROJECT_PATH: PROJECT,
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: PROJECT,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: branch,
  };
  green(await stage.run({ pipeline: PREVIEW, variables }));
  const outputs = readFileSync(
    join(stage.folder, '.gitlab-ci-local/builds/preview-docs/docs-courier.env'),
    'utf8',
  );
  const address = /^DOCS_COURIER_OUT_PREVIEW_URL=(\S+)$/m.exec(outputs)?.[1] ?? '';
  assert.equal((await fetch(address)).status, 200, `the preview cannot be opened: ${outputs}`);
  const fork = { ...variables, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'mallory/docs' };
  const { ok, log } = await stage.run({ pipeline: PREVIEW, variables: fork });
  assert.ok(ok && log.includes('Status: skipped'), `a fork was not skipped:\n${log}`);
  assert.equal(stage.platform.updates.length, 1);
  return 'its preview can be opened at the address that GitLab shows; none for a fork';
}

/** The pipelines of the pages on GitLab CI and previews, and with them the three templates. */
export const gitLabCases: readonly ExampleCase[] = [
  gitLabCase('export.yml', async (stage) => {
    const variables = { CI_PIPELINE_ID: '77' };
    const first = await stage.run({ pipeline: EXPORT, variables });
    green(first);
    const link = linkIn(stage);
    const bytes = await fetchBundle(link);
    assert.match(first.log, /> Export job \S+ ended as completed/);
    assert.ok(!first.log.includes(new URL(link).search), 'the link is in the log');
    green(await stage.run({ pipeline: EXPORT, variables }));
    assert.equal(startsOf(stage), 1, 'a retry started a second export');
    return `a bundle of ${bytes} bytes behind a masked variable; a retry attached to its export`;
  }),
  gitLabCase('refresh.yml', async (stage) => {
    green(await stage.run({ pipeline: EXPORT }));
    const before = linkIn(stage);
    const variables = { CI_PIPELINE_SOURCE: 'schedule' };
    green(await stage.run({ pipeline: REFRESH, variables }));
    assert.equal(linkIn(stage), before, 'a link that was not due was written again');
    green(await stage.run({ pipeline: REFRESH.replace('24h', '99999h'), variables }));
    assert.notEqual(linkIn(stage), before, 'a link that was due was not written again');
    await fetchBundle(linkIn(stage));
    assert.equal(startsOf(stage), 1);
    return 'not changed until it was due, then written again, without a second export';
  }),
  gitLabCase('search.yml', async (stage) => {
    const queries = (path: string) =>
      writeFileSync(
        join(stage.folder, 'docs-queries.yml'),
        `queries:\n  - query: install\n    expect: { paths: [${path}] }\n`,
      );
    queries('/install');
    green(await stage.run({ pipeline: SEARCH }));
    queries('/nowhere');
    const missed = await stage.run({ pipeline: SEARCH });
    assert.ok(
      !missed.ok && missed.log.includes('missed'),
      `a missed query did not fail:\n${missed.log}`,
    );
    const reports = (name: string) =>
      readFileSync(join(stage.folder, '.gitlab-ci-local/builds/check-docs-search', name), 'utf8');
    assert.match(reports('docs-search.xml'), /<testsuites [^>]*tests="1" failures="1"/);
    assert.match(reports('docs-search.xml'), /<testcase [^>]*file="docs-queries.yml" line="2"/);
    assert.equal(JSON.parse(reports('docs-search.json')).queries[0].verdict, 'miss');
    return 'passed with its page, failed without it, with a test report and its line';
  }),
  gitLabCase('search.yml with a baseline', async (stage) => {
    const queries = (path: string, more = '') =>
      writeFileSync(
        join(stage.folder, 'docs-queries.yml'),
        `queries:\n  - query: install\n    expect: { paths: [${path}] }\n${more}`,
      );
    queries('/install');
    green(await stage.run({ pipeline: WORSE }));
    queries('/install', '  - query: zzz\n    expect: { min-results: 1 }\n');
    const added = await stage.run({ pipeline: WORSE });
    green(added);
    assert.match(added.log, /0 worse, 1 the same, 1 new \(1 of them missed\)/);
    queries('/nowhere');
    const branch = { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'topic' };
    for (const variables of [branch, branch, {}]) {
      const worse = await stage.run({ pipeline: WORSE, variables });
      assert.ok(
        !worse.ok && worse.log.includes('got worse'),
        `a query that got worse did not fail:\n${worse.log}`,
      );
    }
    green(await stage.run({ pipeline: WORSE }));
    queries('/install');
    green(await stage.run({ pipeline: WORSE }));
    stage.platform.inject({
      match: { path: '/search/', times: 1 },
      status: 400,
      body: { error: 'no' },
    });
    assert.ok(
      !(await stage.run({ pipeline: WORSE })).ok,
      'a query that could not be run did not fail',
    );
    queries('/nowhere');
    const last = await stage.run({ pipeline: WORSE });
    assert.ok(
      !last.ok && last.log.includes('got worse'),
      `a failed run became the baseline:\n${last.log}`,
    );
    return 'a new query that misses passes, one that got worse fails; only runs for main are a baseline, also failed checks';
  }),
  gitLabCase('pages', async (stage) => {
    const folder = join(stage.folder, '.gitlab-ci-local/artifacts/pages/public');
    const pathsAt = async (address: string) => {
      // gitlab-ci-local puts artifacts into the project, which the next job gets with them.
      rmSync(join(stage.folder, 'public'), { recursive: true, force: true });
      green(await stage.run({ pipeline: PAGES, variables: { CI_PAGES_URL: address } }));
      const page = readFileSync(join(folder, 'index.html'), 'utf8');
      const links = [...page.matchAll(/<a [^>]*href="([^"#]+)"/g)].map(([, link = '']) => link);
      return links.map((link) => new URL(link, `${address}/`).pathname);
    };
    const below = await pathsAt('https://acme.gitlab.example.com/docs');
    const atTop = await pathsAt('https://docs-1a2b3c.gitlab.example.com');
    assert.deepEqual(
      below,
      atTop.map((path) => `/docs${path}`),
    );
    assert.ok(atTop.includes('/install.html'), `a link is missing: ${atTop}`);
    assert.ok(existsSync(join(folder, '.well-known/security.txt')), 'the site has no hidden file');
    return `the site is an artifact of the job, ${below.length} links of its page lead below /docs/ or to the top, as Pages serves it`;
  }),
  gitLabCase('merge request', async (stage) => {
    const variables = {
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_COMMIT_REF_PROTECTED: 'false',
      CI_MERGE_REQUEST_IID: '5',
    };
    for (const pipeline of [EXPORT, REFRESH]) {
      const { log } = await stage.run({ pipeline, variables });
      assert.ok(!/PASS|FAIL/.test(log), `a job ran:\n${log}`);
    }
    assert.deepEqual([...stage.platform.requests, ...stage.gitlab.requests], []);
    return 'no job runs, nothing is sent';
  }),
  { example: PREVIEW_PAGE, when: 'in GitLab CI', run: previewed },
  {
    example: 'the small GitLab server',
    when: 'a third-party client',
    async run() {
      const token = 'glpat-madeUpForTheClient';
      await using gitlab = await GitLabEmulator.start({
        projects: [{ path: 'acme/app' }],
        groups: [{ path: 'acme' }],
        tokens: { [token]: { roles: { acme: 'owner' } } },
      });
      const program = join(CHECKOUT, 'scripts/examples/clients/gitlab_client.py');
      const args = [program, gitlab.url, token, 'acme/app', 'acme'];
      const { stdout } = await promisify(execFile)(needTool('python3'), args, { timeout: 60_000 });
      return `works like GitLab for ${stdout.trim()}`;
    },
  },
];
