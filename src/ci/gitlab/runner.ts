import type { Toolkit } from '../../ground/log.ts';
import { withoutSlash } from '../../ground/text/names.ts';
import { gitlabManner } from '../hints.ts';
import { changeAt, createPlainToolkit } from '../plain.ts';
import type { Cause, ChangeRequest, Env, Host } from '../port.ts';
import { isSet, type System } from '../system.ts';

// https://docs.gitlab.com/ci/jobs/job_rules/#ci_pipeline_source-predefined-variable. A pipeline of
// another source may be started with a token that other people have (trigger, pipeline), or is for
// a change that is not merged yet.
const CAUSES: ReadonlyMap<string, Cause> = new Map([
  ['push', 'push'],
  ['schedule', 'schedule'],
  ['web', 'manual'],
  ['api', 'manual'],
  // Started by a job of a pipeline of the same project, on the same ref.
  ['parent_pipeline', 'parent'],
  ['merge_request_event', 'change-request'],
  ['external_pull_request_event', 'change-request'],
]);

/**
 * A job of GitLab CI. Outputs go to the file of `--output-file`, which the job passes on as a
 * dotenv report.
 */
export const GITLAB: System = {
  kind: 'gitlab',
  title: 'GitLab CI',
  // A pipeline may set the first to `false`, so that a tool does not recognize GitLab.
  isHere: (env) => env.GITLAB_CI === 'true' || (isSet(env.CI_PIPELINE_ID) && isSet(env.CI_JOB_ID)),
  needs: ['CI_PIPELINE_ID', 'CI_JOB_NAME', 'CI_PROJECT_PATH', 'CI_SERVER_URL'],
  toolkit: createGitLabToolkit,
  // Our templates name the inputs that they take in this variable.
  manner: ({ DOCS_COURIER_TEMPLATE: inputs = '' }) => gitlabManner(inputs.split(' ')),
  emptyInputs: [
    'it is protected, and the pipeline is for a branch or tag that is not (Settings > CI/CD > Variables)',
    'its environment scope does not match the environment: of the job',
    'its name in the pipeline is not spelled as in Settings > CI/CD > Variables',
  ],
  /**
   * The pipeline for a merge request from a fork runs in the fork, which has no variables of the
   * project that the merge request is for.
   */
  skip(env) {
    const target = env.CI_MERGE_REQUEST_PROJECT_PATH;
    if (!target || target === env.CI_PROJECT_PATH) return undefined;
    return `The pipeline runs in a fork of ${target}, which has none of its variables; the API key is empty.`;
  },
  causes: CAUSES,
  read(env) {
    const serverUrl = withoutSlash(env.CI_SERVER_URL ?? '');
    const repository = env.CI_PROJECT_PATH;
    const pipeline = env.CI_PIPELINE_ID;
    const source = env.CI_PIPELINE_SOURCE ?? '';
    return {
      // A job that is retried keeps its pipeline and its name; GitLab does not count its attempts.
      key: [pipeline, env.CI_JOB_NAME],
      url: env.CI_PIPELINE_URL || `${serverUrl}/${repository}/-/pipelines/${pipeline}`,
      event: source,
      cause: isForMergeRequest(env) ? 'change-request' : (CAUSES.get(source) ?? 'unknown'),
      change: source === 'push' ? changeAt('push', env.CI_PIPELINE_CREATED_AT) : undefined,
      changeRequest: changeRequestOf(env),
      branch: env.CI_COMMIT_BRANCH,
      tag: env.CI_COMMIT_TAG,
      defaultBranch: env.CI_DEFAULT_BRANCH,
      refProtected: env.CI_COMMIT_REF_PROTECTED === 'true',
      // The second variable is zeros in a pipeline for a merge request, which has the first.
      baseCommit: env.CI_MERGE_REQUEST_DIFF_BASE_SHA || env.CI_COMMIT_BEFORE_SHA,
      jobToken: env.CI_JOB_TOKEN,
      repository,
      serverUrl,
      sha: env.CI_COMMIT_SHA,
      actor: env.GITLAB_USER_LOGIN,
    };
  },
};

/**
 * Only a pipeline for a merge request has these variables, whatever its source and its branch are
 * called. A pipeline for a branch that has a merge request has only CI_OPEN_MERGE_REQUESTS.
 */
function isForMergeRequest(env: Env): boolean {
  return Object.entries(env).some(
    ([name, value]) => /^CI_(MERGE_REQUEST|EXTERNAL_PULL_REQUEST)_/.test(name) && value,
  );
}

/**
 * https://docs.gitlab.com/ci/variables/predefined_variables/#predefined-variables-for-merge-request-pipelines
 */
function changeRequestOf(env: Env): ChangeRequest | undefined {
  const branch = env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME;
  const project = env.CI_MERGE_REQUEST_PROJECT_PATH;
  if (!branch) return undefined;
  return {
    // Only comments need it, and GitLab gets none.
    number: undefined,
    // GitLab starts such a pipeline only while the merge request is open.
    isOpen: true,
    isMerged: false,
    // Two names that are missing are not the same project.
    isOwn: project !== undefined && env.CI_MERGE_REQUEST_SOURCE_PROJECT_PATH === project,
    branch,
    // In a pipeline for merged results, the second is the commit of a merge that GitLab tried.
    commit: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA || '',
    isInTrain: env.CI_MERGE_REQUEST_EVENT_TYPE === 'merge_train',
  };
}

const ERASE = '\u001b[0K';

/**
 * Lines of a job log, with sections that can be folded:
 * https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections. A section line needs a
 * carriage return and an escape, which no inert line contains. GitLab has no command that masks a
 * value: the log redacts every line before it gets here.
 */
function createGitLabToolkit(host: Host): Toolkit {
  // A section ends by its name, which must differ from all others in the log of the job.
  const openSections: string[] = [];
  let count = 0;
  const sectionLine = (kind: 'start' | 'end', section: string) =>
    `${ERASE}section_${kind}:${Math.floor(Date.now() / 1000)}:${section}`;
  return {
    ...createPlainToolkit(host),
    startGroup(title) {
      count += 1;
      const section = `docs_courier_${count}`;
      openSections.push(section);
      host.write(`${sectionLine('start', section)}[collapsed=true]\r${ERASE}${title}`);
    },
    endGroup() {
      const section = openSections.pop();
      if (section !== undefined) host.write(`${sectionLine('end', section)}\r${ERASE}`);
    },
  };
}
