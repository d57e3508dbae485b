import { randomUUID } from 'node:crypto';
import { createGiteaRunner } from './gitea/runner.ts';
import { giteaKind } from './github/runner.ts';
import { MANNERS, showHint } from './hints.ts';
import { createPlainResults, createPlainToolkit, plainContext } from './plain.ts';
import type { CiKind, CiRunner, Env, Host } from './port.ts';
import { attemptOf, branchOfRef, createSystemRunner, findVendor, type System } from './system.ts';

/** How one system is found, and its adapter, which is loaded only then. */
interface Found {
  readonly kind: CiKind;
  readonly isHere: (env: Env) => boolean;
  readonly load: (host: Host) => Promise<CiRunner>;
}

/** Variables that systems have in common: where one is set, this is not a person's machine. */
const GENERAL = ['CONTINUOUS_INTEGRATION', 'BUILD_NUMBER', 'CI_NAME', 'CI_BUILD_ID', 'CI_PIPELINE_ID'] as const;

function isSet(value: string | undefined): boolean {
  return value !== undefined && !/^(|false|0)$/i.test(value);
}

/** Systems that differ in the names of their variables alone, in the order in which they are looked for. */
const SYSTEMS: readonly (System & Pick<Found, 'isHere'>)[] = [
  {
    // https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#using-environment-variables
    kind: 'jenkins',
    title: 'Jenkins',
    // People set JENKINS_URL alone on their own machines.
    isHere: ({ JENKINS_URL, BUILD_ID }) => isSet(JENKINS_URL) && isSet(BUILD_ID),
    needs: ['JENKINS_URL', 'JOB_NAME', 'BUILD_NUMBER'],
    temp: 'WORKSPACE_TMP',
    emptyInputs: [
      'a credential reaches a step only by withCredentials or by credentials() in environment',
      'the credential is in a folder that the job is not in',
    ],
    // A stage that is retried has the same variables, so attempts are not counted.
    read: (env) => ({
      key: [`${env.JENKINS_URL}${env.JOB_NAME}/${env.BUILD_NUMBER}`, env.STAGE_NAME],
      url: env.BUILD_URL,
      // Of a multibranch pipeline, or of the Git plugin, which writes the remote's name before it.
      branch: env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^origin\//, ''),
      tag: env.TAG_NAME,
      remote: env.GIT_URL,
      sha: env.GIT_COMMIT,
    }),
  },
  {
    // https://buildkite.com/docs/pipelines/configure/environment-variables
    kind: 'buildkite',
    title: 'Buildkite',
    isHere: ({ BUILDKITE }) => isSet(BUILDKITE),
    needs: ['BUILDKITE_BUILD_ID', 'BUILDKITE_JOB_ID'],
    emptyInputs: [
      'the secret is not in the environment hook of the agent, or the cluster does not allow this pipeline to read it',
    ],
    causes: { webhook: 'push', schedule: 'schedule', ui: 'manual', api: 'manual' },
    // https://buildkite.com/docs/pipelines/configure/managing-log-output
    toolkit(host) {
      const plain = createPlainToolkit(host);
      return {
        ...plain,
        startGroup: (title) => host.write(`--- ${title}`),
        error(message, place) {
          // Unfolds the group that the error is in.
          host.write('^^^ +++');
          plain.error(message, place);
        },
      };
    },
    read: (env) => ({
      key: [
        env.BUILDKITE_BUILD_ID,
        env.BUILDKITE_STEP_KEY || env.BUILDKITE_STEP_ID || env.BUILDKITE_LABEL,
        env.BUILDKITE_PARALLEL_JOB,
      ],
      attempt: attemptOf(env.BUILDKITE_RETRY_COUNT, 0),
      jobId: env.BUILDKITE_JOB_ID,
      url: env.BUILDKITE_BUILD_URL && `${env.BUILDKITE_BUILD_URL}#${env.BUILDKITE_JOB_ID}`,
      event: env.BUILDKITE_SOURCE,
      branch: env.BUILDKITE_BRANCH,
      tag: env.BUILDKITE_TAG,
      defaultBranch: env.BUILDKITE_PIPELINE_DEFAULT_BRANCH,
      remote: env.BUILDKITE_REPO,
      sha: env.BUILDKITE_COMMIT,
      actor: env.BUILDKITE_BUILD_CREATOR,
    }),
  },
  {
    // https://circleci.com/docs/reference/variables/
    kind: 'circleci',
    title: 'CircleCI',
    isHere: ({ CIRCLECI }) => isSet(CIRCLECI),
    needs: ['CIRCLE_WORKFLOW_ID', 'CIRCLE_JOB', 'CIRCLE_BUILD_URL'],
    emptyInputs: [
      'the variable is in a context that the job does not name (context:)',
      'builds of forked pull requests get no secrets',
    ],
    read: (env) => ({
      // A rerun has a new workflow in the same pipeline; older servers do not name the pipeline.
      key: [env.CIRCLE_PIPELINE_ID || env.CIRCLE_WORKFLOW_ID, env.CIRCLE_JOB, env.CIRCLE_NODE_INDEX],
      jobId: env.CIRCLE_WORKFLOW_JOB_ID || env.CIRCLE_BUILD_NUM,
      url: env.CIRCLE_BUILD_URL,
      branch: env.CIRCLE_BRANCH,
      tag: env.CIRCLE_TAG,
      remote: env.CIRCLE_REPOSITORY_URL,
      sha: env.CIRCLE_SHA1,
      actor: env.CIRCLE_USERNAME,
    }),
  },
  {
    // https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/
    kind: 'bitbucket',
    title: 'Bitbucket Pipelines',
    isHere: ({ BITBUCKET_BUILD_NUMBER }) => isSet(BITBUCKET_BUILD_NUMBER),
    needs: ['BITBUCKET_REPO_FULL_NAME', 'BITBUCKET_BUILD_NUMBER', 'BITBUCKET_STEP_UUID'],
    emptyInputs: ['the variable belongs to a deployment environment, and the step does not name it (deployment:)'],
    read({ BITBUCKET_REPO_FULL_NAME: repository, BITBUCKET_BUILD_NUMBER: number = '', ...env }) {
      return {
        key: [`${repository}/${number}`, env.BITBUCKET_STEP_UUID, env.BITBUCKET_PARALLEL_STEP],
        attempt: attemptOf(env.BITBUCKET_STEP_RUN_NUMBER),
        url: `https://bitbucket.org/${repository}/pipelines/results/${encodeURIComponent(number)}`,
        branch: env.BITBUCKET_BRANCH,
        tag: env.BITBUCKET_TAG,
        remote: `https://bitbucket.org/${repository}`,
        sha: env.BITBUCKET_COMMIT,
      };
    },
  },
  {
    // https://woodpecker-ci.org/docs/usage/environment
    kind: 'woodpecker',
    title: 'Woodpecker',
    isHere: ({ CI }) => CI === 'woodpecker',
    needs: ['CI_REPO', 'CI_PIPELINE_NUMBER'],
    emptyInputs: [
      'the secret is not allowed for this event, or not for this image',
      'the step does not name it (from_secret)',
    ],
    causes: { push: 'push', cron: 'schedule', manual: 'manual', release: 'release' },
    read: (env) => ({
      key: [
        `${env.CI_SYSTEM_URL ?? ''}/${env.CI_REPO}/${env.CI_PIPELINE_NUMBER}`,
        env.CI_WORKFLOW_NAME,
        env.CI_STEP_NAME,
      ],
      // Running a pipeline again gives it a new number.
      attempt: 1,
      url: env.CI_PIPELINE_URL,
      event: env.CI_PIPELINE_EVENT,
      branch: env.CI_COMMIT_BRANCH,
      tag: env.CI_COMMIT_TAG || ['tag', 'release'].includes(env.CI_PIPELINE_EVENT ?? ''),
      defaultBranch: env.CI_REPO_DEFAULT_BRANCH,
      remote: env.CI_REPO_CLONE_URL || env.CI_REPO_URL,
      repository: env.CI_REPO,
      sha: env.CI_COMMIT_SHA,
      actor: env.CI_PIPELINE_AUTHOR || env.CI_COMMIT_AUTHOR,
    }),
  },
  {
    kind: 'other',
    title: 'The CI system',
    isHere: (env) => isSet(env.CI) || GENERAL.some((name) => isSet(env[name])) || findVendor(env) !== undefined,
    needs: [],
    emptyInputs: ['the CI system does not hand the secret over to this job'],
    // What is not known is not guessed: each call of the command is a separate run.
    read: (env) => ({ key: ['other', randomUUID()], attempt: 1, branch: branchElsewhere(env) }),
  },
];

/** The variables of the branch, and of the tag where the first then holds its name, by the name of the system in `ci-info`. */
const BRANCHES: Readonly<Record<string, readonly [branch: string, tag?: string]>> = {
  APPVEYOR: ['APPVEYOR_REPO_BRANCH', 'APPVEYOR_REPO_TAG_NAME'],
  BAMBOO: ['bamboo_planRepository_branchName'],
  BITRISE: ['BITRISE_GIT_BRANCH', 'BITRISE_GIT_TAG'],
  BUDDY: ['BUDDY_EXECUTION_BRANCH', 'BUDDY_EXECUTION_TAG'],
  CIRRUS: ['CIRRUS_BRANCH', 'CIRRUS_TAG'],
  CODEBUILD: ['CODEBUILD_WEBHOOK_HEAD_REF'],
  CODEFRESH: ['CF_BRANCH'],
  CODEMAGIC: ['CM_BRANCH', 'CM_TAG'],
  DRONE: ['DRONE_BRANCH', 'DRONE_TAG'],
  SCREWDRIVER: ['GIT_BRANCH'],
  SEMAPHORE: ['SEMAPHORE_GIT_BRANCH', 'SEMAPHORE_GIT_TAG_NAME'],
  TRAVIS: ['TRAVIS_BRANCH', 'TRAVIS_TAG'],
  VELA: ['VELA_BUILD_BRANCH', 'VELA_BUILD_TAG'],
};

function branchElsewhere(env: Env): string | undefined {
  const [branch, tag] = BRANCHES[findVendor(env)?.constant ?? ''] ?? [];
  if (branch === undefined || (tag !== undefined && env[tag])) return undefined;
  const value = env[branch];
  return value?.startsWith('refs/') === true ? branchOfRef(value) : value;
}

async function loadWorkflow(host: Host): Promise<CiRunner> {
  const [{ createRunner }, { commandLineStep }] = await Promise.all([
    import('./github/runner.ts'),
    import('./github/command-line.ts'),
  ]);
  return createRunner(host.env, commandLineStep(host));
}

/** Systems with a folder next to this file. They come first, since some set the variables of others too. */
const ADAPTERS: readonly Found[] = [
  ...(['gitea', 'forgejo'] as const).map((kind) => ({
    kind,
    isHere: (env: Env) => giteaKind(env) === kind,
    load: async (host: Host) => createGiteaRunner(kind, await loadWorkflow(host), host.env),
  })),
  {
    kind: 'github',
    isHere: ({ GITHUB_ACTIONS }) => GITHUB_ACTIONS === 'true',
    load: loadWorkflow,
  },
  {
    kind: 'gitlab',
    isHere: ({ GITLAB_CI }) => GITLAB_CI === 'true',
    load: async (host) => (await import('./gitlab/runner.ts')).createGitLabRunner(host),
  },
  {
    kind: 'azure',
    isHere: ({ TF_BUILD }) => isSet(TF_BUILD),
    load: async (host) => createSystemRunner((await import('./azure/runner.ts')).AZURE, host),
  },
];

/** A person's machine. Each call of the command is a separate run: to continue an export, name its job. */
function createLocalRunner(host: Host): CiRunner {
  const runKey = `local/${randomUUID()}`;
  return {
    toolkit: createPlainToolkit(host),
    openResults: () => createPlainResults(host.temp),
    readRun: () => ({
      env: host.env,
      kind: 'local',
      runKey,
      execution: runKey,
      workspace: host.cwd,
      temp: host.temp,
      cause: 'manual',
      refProtected: undefined,
      github: plainContext(host, { runId: runKey, job: 'local' }),
    }),
    explainEmptyInputs: () => ({ causes: [] }),
    showHint: (hint) => showHint(hint, MANNERS.terminal),
  };
}

/** The system that this process runs in. `local`: none was found, so it is a person's machine. */
export function detectCi(env: Env): Pick<Found, 'kind' | 'load'> {
  const adapter = ADAPTERS.find(({ isHere }) => isHere(env));
  if (adapter !== undefined) return adapter;
  const system = SYSTEMS.find(({ isHere }) => isHere(env));
  if (system === undefined) return { kind: 'local', load: async (host) => createLocalRunner(host) };
  return { kind: system.kind, load: async (host) => createSystemRunner(system, host) };
}
