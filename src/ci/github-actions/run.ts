import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { CourierError } from '../../errors.ts';
import type { RunContext } from '../../github/connection.ts';
import { fieldOf } from '../../text/json.ts';
import { changeAt } from '../change.ts';
import type { Cause, Change, CiRun, Env } from '../port.ts';
import { requestIdToken } from './id-token.ts';

/** What the runner reports about the run, checked: `config` naming the variable where it is missing. */
export function readRun(env: Env): CiRun {
  const github = readContext(env);
  const { repository, serverUrl, runId, runAttempt, job, workspace, runnerTemp } = github;
  const payload = readPayload(github.eventPath);
  const runKey = `${runId}/${job}`;
  return {
    env,
    idToken: ({ audience }, http) => requestIdToken(env, audience, http),
    kind: 'github',
    repository,
    serverUrl,
    url: `${serverUrl}/${repository}/actions/runs/${runId}`,
    runKey,
    execution: `${runKey}/${runAttempt}`,
    workspace,
    temp: runnerTemp,
    cause: causeOf(github, payload),
    change: changeOf(github, payload),
    eventName: github.eventName,
    isDefaultBranch: isDefaultBranch(env, github, payload),
    baseCommit: baseCommitOf(github, payload),
    refProtected: protectionOf(env.GITHUB_REF_PROTECTED),
    github: withMergeCommit(github, payload),
  };
}

function readContext(env: Env): RunContext {
  const missing: string[] = [];
  const read = (variable: string, fallback?: string): string => {
    const value = env[variable] || fallback;
    if (value === undefined) missing.push(variable);
    return value ?? '';
  };
  const run: RunContext = {
    repository: read('GITHUB_REPOSITORY'),
    runId: read('GITHUB_RUN_ID'),
    runAttempt: Number.parseInt(read('GITHUB_RUN_ATTEMPT', '1'), 10) || 1,
    job: read('GITHUB_JOB', ''),
    workflow: read('GITHUB_WORKFLOW', ''),
    sha: read('GITHUB_SHA', ''),
    actor: read('GITHUB_ACTOR', ''),
    eventName: read('GITHUB_EVENT_NAME', ''),
    eventPath: read('GITHUB_EVENT_PATH', ''),
    serverUrl: read('GITHUB_SERVER_URL', 'https://github.com'),
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com').replace(/\/+$/, ''),
    workspace: read('GITHUB_WORKSPACE'),
    runnerTemp: read('RUNNER_TEMP'),
    runnerName: env.RUNNER_NAME || undefined,
  };
  if (missing.length === 0 && !isAbsolute(run.workspace)) missing.push('GITHUB_WORKSPACE (an absolute path)');
  if (missing.length === 0) return run;
  throw new CourierError({
    code: 'config',
    message: `The runner did not set ${missing.join(', ')}.`,
    hint: 'Docs Courier runs as a step of a GitHub Actions workflow. To try it elsewhere, see the emulator.',
  });
}

const CAUSES: ReadonlyMap<string, Cause> = new Map([
  ['push', 'push'],
  ['schedule', 'schedule'],
  ['workflow_dispatch', 'manual'],
  ['repository_dispatch', 'manual'],
  ['release', 'release'],
  ['issue_comment', 'comment'],
  ['pull_request_review', 'comment'],
  ['pull_request_review_comment', 'comment'],
  ['pull_request_target', 'change-request'],
]);

/** The run on a merged pull request has the commit of a merge that was only tried; what was published is the other one. */
function withMergeCommit(github: RunContext, payload: unknown): RunContext {
  if (causeOf(github, payload) !== 'merge') return github;
  const sha = fieldOf(payload, 'pull_request', 'merge_commit_sha');
  return typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha) ? { ...github, sha } : github;
}

// Fields one by one: at the start of every run the library for schemas is not worth its time.
function causeOf({ eventName, repository }: RunContext, payload: unknown): Cause {
  if (eventName === 'pull_request') {
    const isMerged = fieldOf(payload, 'action') === 'closed' && fieldOf(payload, 'pull_request', 'merged') === true;
    return isMerged ? 'merge' : 'change-request';
  }
  if (eventName !== 'workflow_run') return CAUSES.get(eventName) ?? 'unknown';
  // A run that follows another one is caused by what caused that one.
  const head = fieldOf(payload, 'workflow_run', 'head_repository', 'full_name');
  if (typeof head !== 'string') return 'unknown';
  if (head.toLowerCase() !== repository.toLowerCase()) return 'change-request';
  const first = fieldOf(payload, 'workflow_run', 'event') ?? 'push';
  if (typeof first !== 'string') return 'unknown';
  return first.startsWith('pull_request') ? 'change-request' : (CAUSES.get(first) ?? 'unknown');
}

function changeOf({ eventName }: RunContext, payload: unknown): Change | undefined {
  if (eventName === 'pull_request') return changeAt('merge', fieldOf(payload, 'pull_request', 'merged_at'));
  if (eventName !== 'push') return undefined;
  // GitHub writes seconds there in this event alone; a Gitea has the time of the commit, which a merge has just made.
  const pushed = fieldOf(payload, 'repository', 'pushed_at');
  const time = typeof pushed === 'number' ? pushed * 1000 : fieldOf(payload, 'head_commit', 'timestamp');
  return changeAt('push', time);
}

function isDefaultBranch(env: Env, { eventName }: RunContext, payload: unknown): boolean | undefined {
  // A schedule runs on the default branch alone.
  if (eventName === 'schedule' || env.GITHUB_REF_TYPE === 'tag') return true;
  const usual = fieldOf(payload, 'repository', 'default_branch');
  if (typeof usual !== 'string') return undefined;
  const branch = fieldOf(payload, 'workflow_run', 'head_branch') ?? env.GITHUB_REF_NAME;
  return typeof branch !== 'string' || branch === '' ? undefined : branch === usual;
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads. Zeros before the first commit of a branch, and for a tag. */
function baseCommitOf({ eventName }: RunContext, payload: unknown): string | undefined {
  const text = (...path: readonly string[]) => {
    const value = fieldOf(payload, ...path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  switch (eventName) {
    case 'push':
      // A commit that was pushed away is in no checkout.
      return fieldOf(payload, 'forced') === true ? undefined : text('before');
    case 'pull_request':
      return text('pull_request', 'base', 'sha');
    case 'pull_request_target':
      // Unless it is merged, the base branch is checked out, which has none of its changes.
      return fieldOf(payload, 'pull_request', 'merged') === true ? text('pull_request', 'base', 'sha') : undefined;
    case 'merge_group':
      return text('merge_group', 'base_sha');
    default:
      return undefined;
  }
}

/** The payload of the event; `{}` where there is none that can be read. */
export function readPayload(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

function protectionOf(value: string | undefined): boolean | undefined {
  return value === 'true' ? true : value === 'false' ? false : undefined;
}
