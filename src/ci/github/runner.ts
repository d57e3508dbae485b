import { isAbsolute } from 'node:path';
import { isFromFork, type RunContext } from '../../github/connection.ts';
import { EventFile } from '../../github/event-file.ts';
import { configError } from '../../ground/errors.ts';
import { fieldOf, textOf } from '../../ground/text/json.ts';
import { parseUrl, withoutSlash } from '../../ground/text/names.ts';
import type { Http } from '../../http/http.ts';
import type { Service } from '../../http/service.ts';
import { INPUTS, type InputName } from '../../values/catalog.ts';
import { INPUT_NAMES, type InputSource, variableName } from '../../values/reader.ts';
import { MANNERS, showHint } from '../hints.ts';
import { changeAt } from '../plain.ts';
import type {
  Cause,
  Change,
  ChangeRequest,
  CiRun,
  CiRunner,
  EmptyInputs,
  Env,
  GiteaKind,
} from '../port.ts';
import { APP_REPORTS } from './app-report.ts';
import { createResults, type WorkflowStep } from './results.ts';

/**
 * Whether Gitea or Forgejo runs this job: both also set the variables of GitHub Actions. undefined:
 * neither.
 */
export function giteaKind(env: Env): GiteaKind | undefined {
  if (env.FORGEJO_ACTIONS === 'true') return 'forgejo';
  return env.GITEA_ACTIONS === 'true' ? 'gitea' : undefined;
}

/**
 * A step of a GitHub Actions workflow. `env` is the environment that the runner has made for it.
 */
export function createRunner(env: Env, step: WorkflowStep): CiRunner {
  const event = new EventFile(env.GITHUB_EVENT_PATH ?? '');
  let cachedRun: CiRun | undefined;
  const run = () => {
    cachedRun ??= readRun(env, event);
    return cachedRun;
  };
  return {
    // The runner runs no commands between these two lines: text from outside goes there.
    toolkit: {
      ...step.toolkit,
      pauseCommands: (token) => ({ begin: `::stop-commands::${token}`, end: `::${token}::` }),
    },
    openResults: () => createResults(env, step),
    readRun: run,
    async readEvent() {
      // Throws if the event file is not JSON: the toolkit would throw without naming the file.
      const payload = event.payload();
      // A workflow step takes the event as the toolkit reads it. The command line has no toolkit, and
      // takes the file as it is.
      return (await step.readEvent?.()) ?? payload;
    },
    explainEmptyInputs() {
      const payload = event.payloadOrNothing();
      const secretless = whySecretless(run().github, payload);
      const misplaced = explainMisplaced(env);
      if (secretless === undefined) return { causes: USUAL_CAUSES, misplaced };
      const explained = { secretless, causes: [secretless], misplaced };
      if (!mayBeSkipped(run(), payload)) return explained;
      return { ...explained, skip: `The API key is empty: ${secretless}.` };
    },
    showHint: (hint) => showHint(hint, MANNERS.workflow),
  };
}

/**
 * The run, from the variables and the event file of the runner. Throws `config` with the names of
 * variables that are missing.
 */
export function readRun(env: Env, event = new EventFile(env.GITHUB_EVENT_PATH ?? '')): CiRun {
  const github = readContext(env);
  const { repository, serverUrl, eventName } = github;
  const payload = event.payloadOrNothing();
  const cause = causeOfEvent(github, payload);
  const appReport = APP_REPORTS.get(eventName)?.(payload);
  // The commit that the run is about, if GITHUB_SHA is another one: on a merged pull request that
  // is a merge that GitHub tried, and on the report of an App the newest commit of the branch.
  const mergeCommit = cause === 'merge' ? textOf(payload, 'pull_request', 'merge_commit_sha') : '';
  const commit = appReport?.sha ?? mergeCommit;
  const isOtherCommit = /^[0-9a-f]{40}$/.test(commit);
  // An older Enterprise Server says it in the event alone.
  const id = Number(env.GITHUB_REPOSITORY_ID || fieldOf(payload, 'repository', 'id'));
  return {
    env,
    idToken: (request, http) => requestIdToken(env, request.audience, http),
    kind: 'github',
    repository,
    serverUrl,
    url: `${serverUrl}/${repository}/actions/runs/${github.runId}`,
    workspace: github.workspace,
    temp: github.runnerTemp,
    cause,
    change: changeOf(eventName, payload),
    changeRequest: changeRequestOf(github, payload),
    appReport,
    eventName,
    isDefaultBranch: isDefaultBranch(env, eventName, payload),
    branch: env.GITHUB_REF_TYPE === 'tag' ? undefined : env.GITHUB_REF_NAME,
    baseCommit: baseCommitOf(eventName, payload),
    refProtected: protectionOf(env, eventName, payload),
    github: {
      ...github,
      repositoryId: Number.isSafeInteger(id) && id > 0 ? id : undefined,
      sha: isOtherCommit ? commit : github.sha,
    },
  };
}

/** The variables of the run. Throws `config` with the names of all that are missing. */
function readContext(env: Env): RunContext {
  const missing: string[] = [];
  // A variable without a fallback is needed: the run is refused without it.
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
    apiUrl: withoutSlash(read('GITHUB_API_URL', 'https://api.github.com')),
    workspace: read('GITHUB_WORKSPACE'),
    runnerTemp: read('RUNNER_TEMP'),
    runnerName: env.RUNNER_NAME || undefined,
  };
  if (missing.length === 0 && !isAbsolute(run.workspace))
    missing.push('GITHUB_WORKSPACE (an absolute path)');
  if (missing.length === 0) return run;
  throw configError(
    `The runner did not set ${missing.join(', ')}.`,
    'Docs Courier runs as a step of a GitHub Actions workflow. To try it elsewhere, see the emulator.',
  );
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
  // Also after the merge: a step of such a workflow may run a stranger's code with its secrets.
  ['pull_request_target', 'change-request'],
]);

// Reads fields one by one: the library for schemas would make the start of every run slower.
function causeOfEvent(run: RunContext, payload: unknown): Cause {
  const { eventName } = run;
  if (eventName === 'pull_request') {
    const isClosed = textOf(payload, 'action') === 'closed';
    return isClosed && isMerged(payload) ? 'merge' : 'change-request';
  }
  if (eventName !== 'workflow_run') return CAUSES.get(eventName) ?? 'unknown';
  // A run on `workflow_run` follows another run, and counts as caused by the event of that run.
  const head = textOf(payload, 'workflow_run', 'head_repository', 'full_name');
  // The fork was deleted: GitHub names no repository.
  if (head === '') return 'unknown';
  if (head.toLowerCase() !== run.repository.toLowerCase()) return 'change-request';
  const firstEvent = textOf(payload, 'workflow_run', 'event');
  // Whether that pull request was merged, this event does not say.
  if (firstEvent.startsWith('pull_request')) return 'change-request';
  return CAUSES.get(firstEvent) ?? 'unknown';
}

function isMerged(payload: unknown): boolean {
  return fieldOf(payload, 'pull_request', 'merged') === true;
}

/** The merge or push that the run is on, with its time; undefined for any other event. */
function changeOf(eventName: string, payload: unknown): Change | undefined {
  // Until it is merged, a pull request has no such time.
  if (eventName === 'pull_request')
    return changeAt('merge', fieldOf(payload, 'pull_request', 'merged_at'));
  if (eventName !== 'push') return undefined;
  // Only in this event, GitHub writes `pushed_at` in seconds. Gitea has no such number: there the
  // time of the newest commit is near that of the push.
  const pushed = fieldOf(payload, 'repository', 'pushed_at');
  if (typeof pushed === 'number') return changeAt('push', pushed * 1000);
  return changeAt('push', fieldOf(payload, 'head_commit', 'timestamp'));
}

/**
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request. `repository` is
 * empty if the fork was deleted.
 */
function changeRequestOf(run: RunContext, payload: unknown): ChangeRequest | undefined {
  if (!['pull_request', 'pull_request_target'].includes(run.eventName)) return undefined;
  const request = fieldOf(payload, 'pull_request');
  const number = fieldOf(request, 'number');
  const repository = textOf(request, 'head', 'repo', 'full_name');
  return {
    number: typeof number === 'number' ? number : undefined,
    isOpen: textOf(request, 'state') !== 'closed',
    isMerged: isMerged(payload),
    isOwn: repository.toLowerCase() === run.repository.toLowerCase(),
    branch: textOf(request, 'head', 'ref'),
    commit: textOf(request, 'head', 'sha'),
  };
}

/**
 * The branch that counts if it is not GITHUB_REF_NAME: the one that a pull request would be merged
 * into, or that of the run that a `workflow_run` follows. Empty in a run on another event.
 */
function branchOfEvent(eventName: string, payload: unknown): string {
  if (eventName !== 'pull_request') return textOf(payload, 'workflow_run', 'head_branch');
  return textOf(payload, 'pull_request', 'base', 'ref');
}

/** Whether the run is for the default branch or a tag; undefined: the event does not say. */
function isDefaultBranch(env: Env, eventName: string, payload: unknown): boolean | undefined {
  // A schedule runs on the default branch only.
  if (eventName === 'schedule' || env.GITHUB_REF_TYPE === 'tag') return true;
  const defaultBranch = textOf(payload, 'repository', 'default_branch');
  const branch = branchOfEvent(eventName, payload) || env.GITHUB_REF_NAME;
  if (defaultBranch === '' || !branch) return undefined;
  return branch === defaultBranch;
}

/**
 * The commit before the change of this run; zeros for the first push of a branch and for a tag;
 * undefined if the event names none that the checkout has:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads.
 */
function baseCommitOf(eventName: string, payload: unknown): string | undefined {
  // After a forced push, the commit before it is in no checkout.
  if (eventName === 'push' && fieldOf(payload, 'forced') === true) return undefined;
  // Until the pull request is merged, such a run checks out the base branch, without the changes.
  if (eventName === 'pull_request_target' && !isMerged(payload)) return undefined;
  const path = BASE_COMMITS.get(eventName);
  if (path === undefined) return undefined;
  return textOf(payload, ...path) || undefined;
}

/** The path to the commit in the payload, by the name of the event. */
const BASE_COMMITS: ReadonlyMap<string, readonly string[]> = new Map([
  ['push', ['before']],
  ['pull_request', ['pull_request', 'base', 'sha']],
  ['pull_request_target', ['pull_request', 'base', 'sha']],
  ['merge_group', ['merge_group', 'base_sha']],
]);

/**
 * Whether the branch of the run is protected; undefined: the runner does not say so of this branch.
 * It is that of `branchOfEvent`.
 */
function protectionOf(env: Env, eventName: string, payload: unknown): boolean | undefined {
  const branch = branchOfEvent(eventName, payload);
  // The runner says it of the ref: that of an open pull request is a merge that GitHub tries, and
  // that of a `workflow_run` is the default branch.
  const isOtherRef = branch !== '' && branch !== env.GITHUB_REF_NAME;
  const isSaid = /^(true|false)$/.test(env.GITHUB_REF_PROTECTED ?? '');
  if (!isSaid || isOtherRef) return undefined;
  return env.GITHUB_REF_PROTECTED === 'true';
}

// All that can be the cause: the step gets an empty text, and not the expression that it is from.
const USUAL_CAUSES: readonly string[] = [
  'its name in the workflow is not spelled as in Settings > Secrets and variables > Actions',
  'it belongs to an environment, and the job does not name that environment (environment: NAME)',
  'it belongs to the organization and is not shared with this repository',
  'the workflow is called by another one that does not pass it on (secrets: inherit)',
  'it is an output of an earlier step, such as steps.ID.outputs.token, and ID or the name of the output is not spelled as there',
];

/** How many inputs a message names. */
const MAX_NAMED = 8;

/**
 * What to say about inputs that were written under `env:`, where nothing reads them; undefined if
 * there are none, or if an input besides the mode was written in the right place. The token does
 * not count: it has a value in each step.
 */
function explainMisplaced(env: Env): EmptyInputs['misplaced'] {
  const names = INPUT_NAMES.filter((name) => name !== 'mode' && name !== 'github-token');
  // An empty text counts as the default.
  const isGiven = (name: InputName) =>
    (env[variableOf(name)] || INPUTS[name].default) !== INPUTS[name].default;
  // A name of one word, such as `to`, may be a variable of another program. Variables such as
  // `DOCS_COURIER_TO` are read by the command line alone.
  const misplaced = names.filter(
    (name) => (name.includes('-') && env[name]) || env[variableName(name)],
  );
  if (misplaced.length === 0 || names.some(isGiven)) return undefined;
  // The hint below shows all of them.
  const shown = misplaced.slice(0, MAX_NAMED).join(', ');
  return {
    message: `The step has inputs under env:, where nothing reads them: ${shown}. Nothing was sent.`,
    hint: {
      text: 'Write them under with:',
      inputs: Object.fromEntries(misplaced.map((name) => [name, ''])),
    },
  };
}

/**
 * The events on which Dependabot gets no Actions secrets. On any other, such as a schedule whose
 * file it changed last, the run has them.
 * https://docs.github.com/code-security/dependabot/troubleshooting-dependabot/troubleshooting-dependabot-on-github-actions
 */
const WITHOUT_SECRETS: ReadonlySet<string> = new Set([
  'pull_request',
  'pull_request_target',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'create',
  'deployment',
  'deployment_status',
]);

/**
 * Why this run gets no secrets, as half a sentence; undefined if it gets them. GitHub gives none to
 * runs on events of forks and of Dependabot.
 */
export function whySecretless(run: RunContext, payload: unknown): string | undefined {
  if (run.actor === 'dependabot[bot]' && WITHOUT_SECRETS.has(run.eventName)) {
    return 'Dependabot triggered this run, which gets no Actions secrets: add it as a Dependabot secret too, in Settings > Secrets and variables > Dependabot';
  }
  if (!isFromFork(run, payload)) return undefined;
  // No later run on push follows a command in a review or on the diff. A run on a comment in the
  // conversation gets secrets.
  const advice = run.eventName.startsWith('pull_request_review')
    ? 'a command in a conversation comment of the pull request works'
    : 'a run on push, once it is merged, gets them';
  return `the pull request comes from a fork, whose runs get no secrets; ${advice}`;
}

/**
 * True for a run without secrets that may be skipped: on an open pull request, a comment, or a push
 * to a branch that is not merged yet. On a merge or without a person, such as on a schedule, a
 * skipped run would hide that nothing was published.
 */
function mayBeSkipped(run: CiRun, payload: unknown): boolean {
  if (run.cause === 'push') return run.isDefaultBranch === false;
  // A review of a merged pull request publishes nothing: it is a comment.
  const isReview = run.eventName?.startsWith('pull_request_review');
  if (isMerged(payload) && !isReview) return false;
  return run.cause === 'change-request' || run.cause === 'comment';
}

// https://docs.github.com/actions/reference/security/oidc
async function loadReply() {
  // Each function by its name: else the bundle contains all of zod, with messages in 50 languages.
  const { minLength, object, string } = await import('zod/mini');
  return object({ value: string().check(minLength(1)) });
}

const service: Service = {
  name: "GitHub's service for id tokens",
  addressSetting: 'ACTIONS_ID_TOKEN_REQUEST_URL',
  // No message quotes a reply.
  givesKeys: true,
};

/** An id token of this job. Throws `config` if the job has no permission for that. */
export async function requestIdToken(env: Env, audience: string, http: Http): Promise<string> {
  const token = env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  const url = parseUrl(env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '');
  if (!url || !token) {
    throw configError('This job may not ask for an id token, by which the run identifies itself.', {
      text: 'Give the job the permission. A job that lists permissions has only those. A run for a pull request from a fork never has it.',
      permissions: { 'id-token': 'write', contents: 'read' },
    });
  }
  if (!/^https?:$/.test(url.protocol)) {
    throw configError(
      'The variable ACTIONS_ID_TOKEN_REQUEST_URL is not an http or https address. Nothing was sent.',
    );
  }
  url.searchParams.set('audience', audience);
  const request = {
    service,
    name: "the request for the run's id token",
    method: 'GET',
    url,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    // A second token does no harm.
    repeat: 'always',
  } as const;
  const reply = await http.requestJson(request, loadReply);
  return reply.value.value;
}

/**
 * The variable in which the runner passes an input: the name in upper case, with underscores for
 * spaces. Its hyphens stay.
 */
export function variableOf(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

/** The inputs of the step, as the runner puts them into its environment. */
export function readActionInputs(env: Env): InputSource {
  const inputVariables = new Set(INPUT_NAMES.map(variableOf));
  return {
    // The runner does that, with the defaults of `action.yml`.
    fillsDefaults: true,
    value: (name) => env[variableOf(name)] ?? '',
    unknownNames: () =>
      Object.keys(env)
        .filter((variable) => variable.startsWith('INPUT_') && !inputVariables.has(variable))
        .map((variable) => variable.slice('INPUT_'.length).toLowerCase()),
  };
}

/**
 * The runner drops the whole summary of a step if it has more than 1 MiB; this limit leaves room
 * for what other parts of the step write into it.
 */
