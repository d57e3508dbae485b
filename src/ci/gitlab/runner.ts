import { CourierError } from '../../errors.ts';
import type { Toolkit } from '../../log.ts';
import { MANNERS, showHint } from '../hints.ts';
import { changeAt, createPlainResults, createPlainToolkit, plainContext } from '../plain.ts';
import type { Cause, CiRun, CiRunner, EmptyInputs, Env, Host } from '../port.ts';

const REASONS = [
  'it is protected, and the pipeline is for a branch or tag that is not (Settings > CI/CD > Variables)',
  'its environment scope does not match the environment: of the job',
  'its name in the pipeline is not spelled as in Settings > CI/CD > Variables',
] as const;

/** A job of GitLab CI. Outputs go to the file of `--output-file`, which the job hands on as a dotenv report. */
export function createGitLabRunner(host: Host): CiRunner {
  return {
    toolkit: createGitLabToolkit(host),
    openResults: () => createPlainResults(host.temp),
    readRun: () => readGitLabRun(host),
    explainEmptyInputs: () => explainEmptyInputs(host.env),
    showHint: (hint) => showHint(hint, MANNERS.gitlab),
  };
}

/** The pipeline of a fork's merge request runs in the fork, which has no variables of the project. */
function explainEmptyInputs(env: Env): EmptyInputs {
  const target = env.CI_MERGE_REQUEST_PROJECT_PATH;
  const isFork = target !== undefined && target !== '' && target !== env.CI_PROJECT_PATH;
  if (!isFork) return { causes: REASONS };
  return {
    skip: `The pipeline runs in a fork of ${target}, which has none of its variables; the API key is empty.`,
    causes: REASONS,
  };
}

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
    // Zeros in a pipeline for a merge request, which has its own base.
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
      message: `GITLAB_CI is set, and ${name} is not: this is not a job of GitLab CI.`,
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

const ERASE = '\u001b[0K';

/**
 * Lines of a job log, with sections that can be folded: https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections.
 * A section line needs a carriage return and an escape, which no inert line holds. GitLab has no command that masks a value:
 * the log redacts every line before it gets here.
 */
export function createGitLabToolkit(host: Host, now: () => number = Date.now): Toolkit {
  const open: string[] = [];
  let count = 0;
  const mark = (kind: 'start' | 'end', section: string) => `section_${kind}:${Math.floor(now() / 1000)}:${section}`;
  return {
    ...createPlainToolkit(host),
    startGroup(title) {
      count += 1;
      const section = `docs_courier_${count}`;
      open.push(section);
      host.write(`${ERASE}${mark('start', section)}[collapsed=true]\r${ERASE}${title}`);
    },
    endGroup() {
      const section = open.pop();
      if (section !== undefined) host.write(`${ERASE}${mark('end', section)}\r${ERASE}`);
    },
  };
}
