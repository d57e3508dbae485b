import { CourierError } from '../../errors.ts';
import { changeAt } from '../change.ts';
import { plainContext } from '../plain-run.ts';
import type { Cause, CiRun, Env, Host } from '../port.ts';

// https://docs.gitlab.com/ci/jobs/job_rules/#ci_pipeline_source-predefined-variable. What is not here may be started by a
// token that is handed to others (trigger, pipeline), or is for a change that is not merged yet.
const CAUSES: Readonly<Record<string, Cause>> = {
  push: 'push',
  schedule: 'schedule',
  web: 'manual',
  api: 'manual',
  // Started by a job of a pipeline of the same project, on the same ref.
  parent_pipeline: 'manual',
  merge_request_event: 'change-request',
  external_pull_request_event: 'change-request',
};

/** What GitLab reports about the job, checked: `config` naming the variable where it is missing. */
export function readGitLabRun(host: Host): CiRun {
  const { env, cwd, temp } = host;
  const read = requiredFrom(env);
  const [pipeline, job, path] = [read('CI_PIPELINE_ID'), read('CI_JOB_NAME'), read('CI_PROJECT_PATH')];
  const serverUrl = read('CI_SERVER_URL').replace(/\/+$/, '');
  // A retry keeps pipeline and name; there is no number of the attempt.
  const runKey = `${pipeline}/${job}`;
  const sha = env.CI_COMMIT_SHA || undefined;
  const branch = env.CI_COMMIT_BRANCH || undefined;
  return {
    env,
    kind: 'gitlab',
    repository: path,
    serverUrl,
    url: env.CI_PIPELINE_URL || `${serverUrl}/${path}/-/pipelines/${pipeline}`,
    runKey,
    execution: read('CI_JOB_ID'),
    jobToken: env.CI_JOB_TOKEN || undefined,
    workspace: cwd,
    temp,
    cause: causeOf(env),
    change: env.CI_PIPELINE_SOURCE === 'push' ? changeAt('push', env.CI_PIPELINE_CREATED_AT) : undefined,
    eventName: env.CI_PIPELINE_SOURCE || undefined,
    isDefaultBranch: isPublished(env, branch),
    refProtected: env.CI_COMMIT_REF_PROTECTED === 'true',
    branch,
    // Zeros in a pipeline for a merge request, which has a base of its own.
    baseCommit: env.CI_MERGE_REQUEST_DIFF_BASE_SHA || env.CI_COMMIT_BEFORE_SHA || undefined,
    // Any attempt may be a retry. That it is one shows in the state, which names pipeline and job.
    github: plainContext(host, { runId: pipeline, job, runAttempt: 2, sha, actor: env.GITLAB_USER_LOGIN }),
  };
}

function requiredFrom(env: Env): (name: string) => string {
  return (name) => {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    throw new CourierError({
      code: 'config',
      message: `GITLAB_CI is set, and ${name} is not: this is no job of GitLab CI.`,
      hint: 'Unset GITLAB_CI, or run it in a job of GitLab CI.',
    });
  };
}

/** A pipeline that belongs to a merge request has its variables, whatever its source and its branch are called. */
function isForMergeRequest(env: Env): boolean {
  return Object.keys(env).some(
    (name) => /^CI_(MERGE_REQUEST|EXTERNAL_PULL_REQUEST)_/.test(name) && env[name] !== undefined && env[name] !== '',
  );
}

function causeOf(env: Env): Cause {
  if (isForMergeRequest(env)) return 'change-request';
  return CAUSES[env.CI_PIPELINE_SOURCE ?? ''] ?? 'unknown';
}

function isPublished(env: Env, branch: string | undefined): boolean | undefined {
  if (env.CI_COMMIT_TAG) return true;
  return branch === undefined || !env.CI_DEFAULT_BRANCH ? undefined : branch === env.CI_DEFAULT_BRANCH;
}
