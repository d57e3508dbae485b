import type { Env } from './port.ts';
import { findPullRequestSign } from './vendors.ts';

/** Variables of pull and merge requests whose names do not say it. */
const NAMES: readonly string[] = [
  // Jenkins: the branch sources, the builder of pull requests, and the trigger of Gerrit.
  'CHANGE_ID',
  'CHANGE_URL',
  'CHANGE_TARGET',
  'CHANGE_FORK',
  'ghprbPullId',
  'ghprbSourceBranch',
  'gitlabMergeRequestIid',
  'gitlabMergeRequestId',
  'GERRIT_CHANGE_NUMBER',
  // CircleCI, of a fork.
  'CIRCLE_PR_REPONAME',
  'CIRCLE_PR_USERNAME',
  // Bitbucket.
  'BITBUCKET_PR_DESTINATION_BRANCH',
  // GitHub: the branch of a pull request.
  'GITHUB_HEAD_REF',
];

// `SYSTEM_PULLREQUEST_PULLREQUESTID`, `CI_MERGE_REQUEST_IID`, `CIRCLE_PULL_REQUESTS`, `CI_COMMIT_PULL_REQUEST`, `APP_PR_NUMBER`.
const NAMED = /(^|_)(PULL_?REQUESTS?|MERGE_?REQUESTS?)(_|$)|(^|_)PR_(ID|NUMBER|NUM)$/i;
/** Variables that hold the event of the run. */
const EVENTS = /(^|_)(EVENT|REASON|EVENT_NAME|EVENT_TYPE|PIPELINE_SOURCE)$/;
const EVENT = /^(pull|merge)_?request/i;
const UNSET = /^(|0|false|none|null|undefined)$/i;

/**
 * The variable that shows that this run is for a pull or merge request of any system; undefined where there is none. In
 * doubt it is: a link to what a stranger has written must not reach the deployment.
 */
export function changeRequestVariable(env: Env): string | undefined {
  const found = Object.entries(env).find(([name, value = '']) => {
    if (NAMES.includes(name) || NAMED.test(name)) return !UNSET.test(value);
    return EVENTS.test(name) && EVENT.test(value);
  });
  return found?.[0] ?? findPullRequestSign(env);
}
