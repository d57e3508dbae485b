import { randomUUID } from 'node:crypto';
import { AZURE } from './azure/runner.ts';
import { createGiteaRunner } from './gitea/runner.ts';
import { commandLineStep } from './github/command-line.ts';
import { createRunner, giteaKind } from './github/runner.ts';
import { GITLAB } from './gitlab/runner.ts';
import { MANNERS } from './hints.ts';
import { createPlainToolkit } from './plain.ts';
import type { CiKind, CiRunner, Env, Host } from './port.ts';
import {
  attemptOf,
  branchOfRef,
  ciVariable,
  createSystemRunner,
  findVendor,
  isSet,
  type System,
} from './system.ts';

/**
 * In the order of the search: some systems also set the variables of systems further down. `key`
 * decides which run continues an export: it stays the same when a job is run again.
 */
const SYSTEMS: readonly System[] = [
  GITLAB,
  AZURE,
  {
    // https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#using-environment-variables
    kind: 'jenkins',
    title: 'Jenkins',
    // People set JENKINS_URL alone on their own machines, and a Jenkins whose address is not
    // configured does not set it.
    isHere: (env) => isSet(env.BUILD_ID) && (isSet(env.JENKINS_URL) || isSet(env.JENKINS_HOME)),
    needs: ['JENKINS_URL', 'JOB_NAME', 'BUILD_NUMBER'],
    needsHint: 'Jenkins sets JENKINS_URL if its address is given in Manage Jenkins > System.',
    temp: 'WORKSPACE_TMP',
    emptyInputs: [
      'a credential reaches a step only by withCredentials or by credentials() in environment',
      'the credential is in another folder than the job',
    ],
    // A stage that is retried has the same variables, so attempts are not counted.
    read: (env) => ({
      key: [`${env.JENKINS_URL}${env.JOB_NAME}/${env.BUILD_NUMBER}`, env.STAGE_NAME],
      url: env.BUILD_URL,
      // A multibranch pipeline sets the first; the Git plugin sets the second, with the name of the
      // remote before the branch.
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
    isHere: (env) => isSet(env.BUILDKITE),
    needs: ['BUILDKITE_BUILD_ID', 'BUILDKITE_JOB_ID'],
    emptyInputs: [
      'the secret is not in the environment hook of the agent, or the cluster does not allow this pipeline to read it',
    ],
    causes: new Map([
      ['webhook', 'push'],
      ['schedule', 'schedule'],
      ['ui', 'manual'],
      ['api', 'manual'],
    ]),
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
        // Only some steps have a key. The label is the next best if there is no id either.
        env.BUILDKITE_STEP_KEY || env.BUILDKITE_STEP_ID || env.BUILDKITE_LABEL,
        env.BUILDKITE_PARALLEL_JOB,
      ],
      // The first attempt has the number 0.
      attempt: attemptOf(env.BUILDKITE_RETRY_COUNT, 0),
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
    isHere: (env) => isSet(env.CIRCLECI),
    needs: ['CIRCLE_WORKFLOW_ID', 'CIRCLE_JOB', 'CIRCLE_BUILD_URL'],
    emptyInputs: [
      'the variable is in a context that the job does not name (context:)',
      'builds of forked pull requests get no secrets',
    ],
    read: (env) => ({
      // A rerun has a new workflow in the same pipeline; older servers do not name the pipeline.
      key: [
        env.CIRCLE_PIPELINE_ID || env.CIRCLE_WORKFLOW_ID,
        env.CIRCLE_JOB,
        env.CIRCLE_NODE_INDEX,
      ],
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
    isHere: (env) => isSet(env.BITBUCKET_BUILD_NUMBER),
    needs: ['BITBUCKET_REPO_FULL_NAME', 'BITBUCKET_BUILD_NUMBER', 'BITBUCKET_STEP_UUID'],
    emptyInputs: [
      'the variable belongs to a deployment environment, and the step does not name it (deployment:)',
    ],
    read(env) {
      const repository = env.BITBUCKET_REPO_FULL_NAME;
      const number = env.BITBUCKET_BUILD_NUMBER ?? '';
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
    isHere: (env) => env.CI === 'woodpecker',
    needs: ['CI_REPO', 'CI_PIPELINE_NUMBER'],
    emptyInputs: [
      'the secret is not allowed for this event, or not for this image',
      'the step does not name it (from_secret)',
    ],
    causes: new Map([
      ['push', 'push'],
      ['cron', 'schedule'],
      ['manual', 'manual'],
      ['release', 'release'],
    ]),
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
      // Both events are for a tag, also without its name.
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
    isHere: (env) => ciVariable(env) !== undefined || findVendor(env) !== undefined,
    needs: [],
    emptyInputs: [
      'the CI system does not pass the secret to this job',
      'this is your own machine, and a variable of a CI system is set, such as CI: unset it',
    ],
    // No variable of an unknown system identifies the run: each call of the command counts as one.
    read: (env) => ({ key: ['other', randomUUID()], attempt: 1, branch: branchElsewhere(env) }),
  },
];

/** A person's machine. To continue an export there, the person names its job (`export-job-id`). */
const LOCAL: System = {
  kind: 'local',
  title: 'This machine',
  isHere: () => true,
  needs: [],
  emptyInputs: [],
  manner: () => MANNERS.terminal,
  read: () => ({ key: ['local', randomUUID()], attempt: 1, cause: 'manual' }),
};

/**
 * By the name of a system in `ci-info`: its variable with the branch and, if that variable has the
 * name of the tag in a run for a tag, the variable that shows the tag.
 */
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

/**
 * The branch of a run on a system that only `ci-info` knows; undefined for a tag, and if this file
 * does not know its variable.
 */
function branchElsewhere(env: Env): string | undefined {
  const [branch, tag] = BRANCHES[findVendor(env) ?? ''] ?? [];
  const isForTag = tag !== undefined && Boolean(env[tag]);
  if (branch === undefined || isForTag) return undefined;
  const value = env[branch];
  // CodeBuild names refs, such as `refs/heads/main` and `refs/tags/v1`.
  if (value?.startsWith('refs/')) return branchOfRef(value);
  return value;
}

/**
 * The system that this process runs in, and `load`, which makes its adapter. `local`: no system was
 * found, so this is a person's machine.
 */
export function detectCi(env: Env): {
  readonly kind: CiKind;
  readonly load: (host: Host) => CiRunner;
} {
  const gitea = giteaKind(env);
  const isWorkflow = gitea !== undefined || env.GITHUB_ACTIONS === 'true';
  if (!isWorkflow) {
    const system = SYSTEMS.find((candidate) => candidate.isHere(env)) ?? LOCAL;
    return { kind: system.kind, load: (host) => createSystemRunner(system, host) };
  }
  return {
    kind: gitea ?? 'github',
    // Called by the command line; the action makes the adapter of its step itself.
    load(host) {
      const workflow = createRunner(host.env, commandLineStep(host));
      if (gitea === undefined) return workflow;
      return createGiteaRunner(gitea, workflow, host.env);
    },
  };
}
