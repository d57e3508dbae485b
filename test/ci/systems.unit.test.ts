import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { detectCi } from '../../src/ci/detect.ts';
import type { CiRun, CiRunner, Env } from '../../src/ci/port.ts';
import { checkMayWrite } from '../../src/ci/rights.ts';
import { changeRequestVariable, localRepository, readRemote } from '../../src/ci/system.ts';
import { runKey } from '../../src/delivery/state.ts';
import { CourierError } from '../../src/ground/errors.ts';
import { createLog } from '../../src/ground/log.ts';
import { CI_ENVIRONMENTS, type CiEnvironment } from '../support/ci-environments.ts';
import { expectError, failureOf } from '../support/failure.ts';

const require = createRequire(import.meta.url);

interface Loaded {
  readonly runner: CiRunner;
  /** The text on standard error. */
  readonly lines: readonly string[];
}

async function load(env: Env): Promise<Loaded> {
  const temp = mkdtempSync(join(tmpdir(), 'ci-'));
  onTestFinished(() => rmSync(temp, { recursive: true, force: true }));
  const lines: string[] = [];
  const host = { env, cwd: '/workspace', temp, write: (line: string) => lines.push(line) };
  return { runner: await detectCi(env).load(host), lines };
}

async function readRun(env: Env): Promise<CiRun> {
  return (await load(env)).runner.readRun();
}

function environment(kind: string): CiEnvironment {
  const found = CI_ENVIRONMENTS.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind}.`);
  return found;
}

const oneOfMany = z.looseObject({ env: z.optional(z.string()), any: z.array(z.string()) });
const one = z.record(z.string(), z.string());

/** The environments that a condition in the table of ci-info asks for, one for each alternative. */
function environmentsOf(condition: unknown): Env[] {
  if (condition === undefined) return [];
  if (typeof condition === 'string') return [{ [condition]: '1' }];
  // All of the list.
  if (Array.isArray(condition)) return [Object.assign({}, ...condition.flatMap(environmentsOf))];
  const many = oneOfMany.safeParse(condition);
  if (many.success)
    return many.data.any.map((text) =>
      many.data.env ? { [many.data.env]: text } : { [text]: '1' },
    );
  const { env, includes, ne, ...values } = one.parse(condition);
  // `ne`: any other value than this one.
  if (env !== undefined) return [{ [env]: includes ?? `not ${ne}` }];
  return [values];
}

const allowMain = (run: CiRun) => ({ ...run, allowWriteFrom: ['main'] });

test.each([
  ['azure', 'BUILD_REQUESTEDFOR'],
  ['buildkite', 'BUILDKITE_BUILD_CREATOR'],
  ['circleci', 'CIRCLE_USERNAME'],
  ['woodpecker', 'CI_PIPELINE_AUTHOR'],
])('The history gets the person who caused a run of %s from %s', async (kind, variable) => {
  const run = await readRun({ ...environment(kind).env, [variable]: 'maya' });
  expect(run.github.actor).toBe('maya');
});

test('A repository that a system sets to an empty text is read from the address of the clone', async () => {
  const run = await readRun({ ...environment('azure').env, BUILD_REPOSITORY_NAME: '' });
  expect(run).toMatchObject({ repository: 'acme/docs', serverUrl: 'https://github.com' });
});

describe.each(CI_ENVIRONMENTS)('a run of $title', ({ kind, env, pullRequest, url, repository }) => {
  test('A run of $title is recognized by its variables, and has its page, its repository and its branch', async () => {
    expect(await readRun(env)).toMatchObject({
      kind,
      url,
      repository,
      branch: 'main',
      refProtected: undefined,
    });
  });

  test('A run of $title may write a link only from the allowed branch', async () => {
    const run = await readRun(env);
    expect(() => checkMayWrite(allowMain(run))).not.toThrow();
    expect(() => checkMayWrite(run)).toThrow(expect.objectContaining({ code: 'config' }));
    expect(() => checkMayWrite({ ...run, allowWriteFrom: ['release'] })).toThrow(
      expect.objectContaining({ code: 'refused' }),
    );
  });

  test.each(
    Object.entries(pullRequest).filter(
      ([name]) => !/_BRANCH|SOURCEBRANCH|REPO$|SLUG|CHANGE_BRANCH/.test(name),
    ),
  )(
    'A run of $title is refused if %s is %s, although its branch is called main',
    async (name, value) => {
      const run = await readRun({ ...env, [name]: value });
      expect(run.cause).toBe('change-request');
      expect(() => checkMayWrite(allowMain(run))).toThrow(
        expect.objectContaining({ code: 'refused' }),
      );
    },
  );

  test('A run of $title prints no text that this system would execute', async () => {
    const { runner, lines } = await load(env);
    const log = createLog(runner.toolkit);
    const commands = [
      '##vso[task.setvariable variable=PATH]/tmp',
      'x ##[error]text',
      '##teamcity[buildStatus]',
      '--- group',
      '+++ open',
      '^^^ +++',
      '::set-output name=a::b',
      'section_start:1:a',
      '\u001b[8mha:AAAA\u001b[0m',
    ];
    for (const command of commands) log.info(command);
    log.block('From outside', commands.join('\n'));
    for (const line of lines) {
      expect(line).not.toMatch(/##(vso|teamcity)?\[|^(---|\+\+\+|\^\^\^|::|section_)|\u001b/);
    }
    for (const level of ['notice', 'warning', 'error'] as const) {
      const before = lines.length;
      log[level](commands.join('\n'), {
        title: commands.join(' '),
        file: 'a;b]##vso[task.x]c.yml',
        line: 3,
      });
      const own = lines.slice(before).join('\n').split('\n');
      // One annotation at most, and no line that starts another one.
      expect(own.join('\n').split('##vso[').length).toBeLessThanOrEqual(2);
      expect(own.filter((line) => /^(---|\+\+\+|::|section_|.+##vso\[)/.test(line))).toEqual([]);
    }
  });
});

test.each([
  ['no branch', { CI: 'true' }, 'BRANCH'],
  ['its branch', { CI: 'true', TRAVIS: 'true', TRAVIS_BRANCH: 'docs' }, 'docs'],
])('The flag to copy for a system that names %s has no guess', async (_what, env, written) => {
  const { runner } = await load(env);
  const error: unknown = await Promise.resolve()
    .then(() => checkMayWrite(runner.readRun()))
    .catch((thrown) => thrown);
  if (!(error instanceof CourierError)) throw new Error('The run may write.');
  expect(runner.showHint(error.hint ?? '')).toMatch(
    new RegExp(`\\n  --allow-write-from ${written}$`),
  );
});

test('The trigger to copy for a run on an unprotected branch names no branch', async () => {
  const run = { ...(await readRun({})), kind: 'github', cause: 'push' } as const;
  expect(() => checkMayWrite({ ...run, isDefaultBranch: false })).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/branches: \[BRANCH\]$/) }),
  );
});

describe('a re-run', () => {
  // Of the others, the table of docs/reference/ci-systems.md says it, which a test compares.
  test('A re-run on a system without an adapter is a separate run', async () => {
    const { env, again } = environment('other');
    const [first, second] = [await readRun(env), await readRun({ ...env, ...again })];
    expect(runKey(second.github)).not.toBe(runKey(first.github));
    expect(second.github.runAttempt).toBe(1);
  });

  test('A run in each job of a matrix is a separate run', async () => {
    const { env } = environment('azure');
    const other = await readRun({ ...env, SYSTEM_JOBIDENTIFIER: 'publish.second' });
    expect(runKey(other.github)).not.toBe(runKey((await readRun(env)).github));
  });
});

describe('the branch of a run', () => {
  test.each([
    [
      'azure',
      { BUILD_SOURCEBRANCH: 'refs/heads/stranger/main', BUILD_SOURCEBRANCHNAME: 'main' },
      'stranger/main',
    ],
    ['azure', { BUILD_SOURCEBRANCH: 'refs/tags/main', BUILD_SOURCEBRANCHNAME: 'main' }, undefined],
    ['jenkins', { BRANCH_NAME: '', GIT_BRANCH: 'origin/main' }, 'main'],
    ['jenkins', { BRANCH_NAME: '', GIT_BRANCH: 'stranger/main' }, 'stranger/main'],
    ['jenkins', { TAG_NAME: 'main' }, undefined],
    ['buildkite', { BUILDKITE_TAG: 'main' }, undefined],
    ['circleci', { CIRCLE_TAG: 'main' }, undefined],
    ['bitbucket', { BITBUCKET_TAG: 'main' }, undefined],
    ['woodpecker', { CI_PIPELINE_EVENT: 'tag', CI_COMMIT_TAG: 'main' }, undefined],
    ['other', { TRAVIS_TAG: 'main' }, undefined],
  ])('The branch of a run of %s with %j is %s', async (kind, changed, branch) => {
    const run = await readRun({ ...environment(kind).env, ...changed });
    expect(run.branch).toBe(branch);
    if (branch !== 'main')
      expect(() => checkMayWrite(allowMain(run))).toThrow(
        expect.objectContaining({ code: 'refused' }),
      );
  });
});

describe('a CI system', () => {
  test.each([
    [{ TEAMCITY_VERSION: '2025.03' }, 'other'],
    [{ CI: 'true' }, 'other'],
    [{ CI: 'false', TRAVIS: 'true' }, 'other'],
    [{ BUILD_NUMBER: '3' }, 'other'],
    [{ PR_NUMBER: '12' }, 'other'],
    [{ CI: 'false' }, 'local'],
    [{ CI_PREV_PIPELINE_EVENT: 'pull_request', BUILD_ID: '' }, 'local'],
    [{ JENKINS_URL: 'https://jenkins.example' }, 'local'],
    [{ JENKINS_HOME: '/var/lib/jenkins' }, 'local'],
    [{ JENKINS_HOME: '/var/lib/jenkins', BUILD_ID: '3' }, 'jenkins'],
    [{ GITLAB_CI: 'false', CI: 'false', CI_PIPELINE_ID: '31', CI_JOB_ID: '77' }, 'gitlab'],
    [{ CI_JOB_ID: '77' }, 'local'],
    [{}, 'local'],
  ])('The variables %j are recognized as the CI system %s', (env, kind) => {
    expect(detectCi(env).kind).toBe(kind);
  });

  test.each(CI_ENVIRONMENTS.filter(({ kind }) => kind !== 'other'))(
    'A run of $title without its variables is an error that names the missing one',
    async ({ kind, env }) => {
      const signs = [
        'TF_BUILD',
        'JENKINS_URL',
        'BUILD_ID',
        'BUILDKITE',
        'CIRCLECI',
        'BITBUCKET_BUILD_NUMBER',
        'CI',
      ];
      const bare = Object.fromEntries(Object.entries(env).filter(([name]) => signs.includes(name)));
      expect(detectCi(bare).kind).toBe(kind);
      await expect(readRun(bare)).rejects.toThrow(/did not set [A-Z_]+/);
    },
  );

  test('A run of Azure Pipelines without its reason is refused, since it may be for a shelveset', async () => {
    const { BUILD_REASON: _, ...env } = environment('azure').env;
    await expect(readRun(env)).rejects.toThrow(/did not set BUILD_REASON/);
  });

  test('A Jenkins whose address is not configured is refused with where to configure it', async () => {
    const { JENKINS_URL: _, ...env } = environment('jenkins').env;
    const refusal = readRun({ ...env, JENKINS_HOME: '/var/lib/jenkins' });
    expectError(await failureOf(refusal), {
      message: 'did not set JENKINS_URL',
      hint: 'Manage Jenkins > System',
    });
  });

  test('A CI system whose page has a password in its address gets no link', async () => {
    const { env } = environment('jenkins');
    expect(
      (await readRun({ ...env, BUILD_URL: 'https://me:pass@jenkins.example/1' })).url,
    ).toBeUndefined();
    expect((await readRun({ ...env, BUILD_URL: 'javascript:alert(1)' })).url).toBeUndefined();
  });
});

/** What `ci-info` reads, from its own files: a new version of it may know more. */
describe('each name that ci-info takes', () => {
  const vendors = z
    .array(z.object({ env: z.unknown(), pr: z.optional(z.unknown()) }))
    .parse(JSON.parse(readFileSync(require.resolve('ci-info/vendors.json'), 'utf8')));
  const source = readFileSync(require.resolve('ci-info'), 'utf8');
  const general = [...source.matchAll(/\benv\.([A-Z][A-Z_]*)\b/g)].flatMap(
    ([, name]) => name ?? [],
  );

  test('A variable that ci-info takes for a CI system makes any machine count as one', () => {
    const environments = [
      ...general.map((name) => ({ [name]: '1' })),
      ...vendors.flatMap(({ env }) => environmentsOf(env)),
    ];
    expect(environments.length).toBeGreaterThan(60);
    expect(environments.filter((env) => detectCi(env).kind === 'local')).toEqual([]);
  });

  test('A variable that ci-info takes for a pull request refuses the run of any machine', async () => {
    const environments = vendors.flatMap(({ pr }) => environmentsOf(pr));
    expect(environments.length).toBeGreaterThan(30);
    for (const env of environments) {
      const run = allowMain(await readRun(env));
      expect(() => checkMayWrite(run), JSON.stringify(env)).toThrow(
        expect.objectContaining({ code: 'refused' }),
      );
    }
  });
});

describe('a sign of a pull request', () => {
  test.each([
    [{ ghprbPullId: '3' }, 'ghprbPullId'],
    [{ gitlabMergeRequestIid: '3' }, 'gitlabMergeRequestIid'],
    [{ CI_MERGE_REQUEST_IID: '3' }, 'CI_MERGE_REQUEST_IID'],
    [{ CI_PIPELINE_SOURCE: 'merge_request_event' }, 'CI_PIPELINE_SOURCE'],
    [{ GITHUB_EVENT_NAME: 'pull_request_target' }, 'GITHUB_EVENT_NAME'],
    [{ DRONE_BUILD_EVENT: 'pull_request' }, 'DRONE_BUILD_EVENT'],
    [{ CODEBUILD_WEBHOOK_EVENT: 'PULL_REQUEST_UPDATED' }, 'CODEBUILD_WEBHOOK_EVENT'],
    [{ CIRRUS_PR: '4' }, 'CIRRUS_PR'],
    [{ bamboo_repository_pr_key: '5' }, 'bamboo_repository_pr_key'],
    [{ BUILDKITE_PULL_REQUEST: 'false', BUILD_REASON: 'Manual' }, undefined],
    [{ SYSTEM_PULLREQUEST_ISFORK: 'False' }, undefined],
    [{ CI_PREV_PIPELINE_EVENT: 'pull_request' }, undefined],
    [{ GIT_PREVIOUS_MERGE_REQUEST_IID: '3' }, undefined],
    [{ CI_PREVIEW_PULL_REQUEST: '3' }, 'CI_PREVIEW_PULL_REQUEST'],
    [{ APPROVED_PRICE: '3', PRINTER: 'x' }, undefined],
  ])('The variable that shows a pull request in %j is %s', (env, variable) => {
    expect(changeRequestVariable(env)).toBe(variable);
  });
});

describe('the address of a clone', () => {
  test.each([
    ['git@github.com:acme/docs.git', { serverUrl: 'https://github.com', repository: 'acme/docs' }],
    [
      'https://me:pass@git.example:8443/group/sub/docs',
      { serverUrl: 'https://git.example:8443', repository: 'group/sub/docs' },
    ],
    [
      'ssh://git@git.example:2222/acme/docs.git',
      { serverUrl: 'https://git.example', repository: 'acme/docs' },
    ],
    ['/srv/git/docs', undefined],
    ['file:///srv/git/docs', undefined],
    ['', undefined],
  ])('The clone address %s is read as %o', (address, remote) => {
    expect(readRemote(address)).toEqual(remote);
  });
});

describe('Azure Pipelines', () => {
  test('Azure Pipelines gets masks, annotations with their position, and groups as its logging commands', async () => {
    const { runner, lines } = await load(environment('azure').env);
    const log = createLog(runner.toolkit);
    log.mask('svc_0123456789');
    log.error('50 % of\nsvc_0123456789', { title: 'a;b]', file: 'q.yml', line: 2 });
    await log.group('Export', async () => log.debug('detail'));
    expect(lines).toContain('##vso[task.setsecret]svc_0123456789');
    expect(lines.at(-4)).toBe(
      '##vso[task.logissue type=error;sourcepath=q.yml;linenumber=2;]a;b]: 50 %AZP25 of%0A***',
    );
    expect(lines.slice(-3)).toEqual(['##[group]Export', '##vso[task.debug]detail', '##[endgroup]']);
  });

  test('Azure Pipelines gets outputs as output variables, never the link, and the summary as a tab', async () => {
    const { runner, lines } = await load(environment('azure').env);
    const results = runner.openResults();
    results.writeOutputs({
      'job-id': 'a%b\n##vso[task.x]',
      'bundle-url': 'https://secret',
      report: '{}',
    });
    results.writeOutputs({ 'changes-path': 'x'.repeat(9000) });
    results.writeSummary('# Done');
    expect(lines[0]).toBe(
      '##vso[task.setvariable variable=DOCS_COURIER_OUT_JOB_ID;isOutput=true;]a%AZP25b%0A##vso[task.x]',
    );
    expect(lines[1]).toContain('--output-file has it');
    const [, path = ''] = /^##vso\[task\.uploadsummary\](.+)$/.exec(lines[2] ?? '') ?? [];
    expect(readFileSync(path, 'utf8')).toBe('# Done\n');
    expect(lines.join('\n')).not.toContain('secret');
  });
});

describe('Buildkite', () => {
  test('Buildkite folds groups, and opens the one that has an error', async () => {
    const { runner, lines } = await load(environment('buildkite').env);
    const log = createLog(runner.toolkit);
    await log.group('Export', async () => log.error('failed'));
    expect(lines).toEqual(['--- Export', '^^^ +++', 'error: failed']);
  });
});

test.each([
  ['https://github.com', 'acme/docs'],
  ['github.com', undefined],
])(
  'With the server %s, the clone of a person is of the repository %s',
  async (server, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'clone-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    execFileSync('git', ['init', '-q', folder]);
    const remote = ['remote', 'add', 'origin', 'https://github.com/acme/docs.git'];
    execFileSync('git', ['-C', folder, ...remote]);
    const run = await readRun({ ...process.env, CI: '', GITHUB_SERVER_URL: server });
    const found = { ...run, workspace: folder, github: { ...run.github, serverUrl: server } };
    expect(await localRepository(found)).toBe(expected);
  },
);
