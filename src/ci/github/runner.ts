import { appendFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { CourierError } from '../../errors.ts';
import { isFromFork, type RunContext } from '../../github/connection.ts';
import { EventFile } from '../../github/event-file.ts';
import type { Http } from '../../http/http.ts';
import type { Service } from '../../http/service.ts';
import type { Toolkit } from '../../log.ts';
import { cut } from '../../text/escape.ts';
import { fieldOf } from '../../text/json.ts';
import { INPUTS, type InputName, OUTPUTS, type OutputName } from '../../values/catalog.ts';
import { INPUT_NAMES, type InputSource, variableName } from '../../values/reader.ts';
import { MANNERS, showHint } from '../hints.ts';
import { changeAt, createPlainResults } from '../plain.ts';
import type {
  AppReport,
  Cause,
  Change,
  ChangeRequest,
  CiRun,
  CiRunner,
  EmptyInputs,
  Env,
  GiteaKind,
  Results,
} from '../port.ts';

/**
 * Whether Gitea or Forgejo runs this job: both also set the variables of GitHub Actions. undefined:
 * neither.
 */
export function giteaKind({ GITEA_ACTIONS, FORGEJO_ACTIONS }: Env): GiteaKind | undefined {
  if (FORGEJO_ACTIONS === 'true') return 'forgejo';
  return GITEA_ACTIONS === 'true' ? 'gitea' : undefined;
}

/**
 * How a step talks to its runner: by `@actions/core` in the action, and in the command line by
 * `command-line.ts`.
 */
export interface WorkflowStep {
  readonly toolkit: Toolkit;
  /** The value is in the file of GITHUB_OUTPUT when the call returns. */
  setOutput(name: OutputName, value: string): void;
  /** Appends to the file of GITHUB_STEP_SUMMARY. */
  writeSummary(markdown: string): Promise<void>;
  /** The payload of the event as the toolkit gives it, once its file is known to be JSON. */
  readEvent?(): Promise<unknown>;
}

/**
 * A step of a GitHub Actions workflow. `env` is the environment that the runner has made for it.
 */
export function createRunner(env: Env, step: WorkflowStep): CiRunner {
  const event = new EventFile(env.GITHUB_EVENT_PATH ?? '');
  let known: CiRun | undefined;
  const run = () => {
    known ??= readRun(env, event);
    return known;
  };
  return {
    // Text from outside goes between these lines, so that none of it is a command.
    toolkit: {
      ...step.toolkit,
      pauseCommands: (token) => ({ begin: `::stop-commands::${token}`, end: `::${token}::` }),
    },
    openResults: () => createResults(env, step),
    readRun: run,
    async readEvent() {
      const payload = event.payload();
      return (await step.readEvent?.()) ?? payload;
    },
    explainEmptyInputs() {
      const payload = event.payloadOrNothing();
      const secretless = whySecretless(run().github, payload);
      const misplaced = explainMisplaced(env);
      if (secretless === undefined) return { causes: USUAL_CAUSES, misplaced };
      const skip = isMeantToDoNothing(run(), payload)
        ? `The API key is empty: ${secretless}.`
        : undefined;
      return { skip, secretless, causes: [secretless], misplaced };
    },
    showHint: (hint) => showHint(hint, MANNERS.workflow),
  };
}

/**
 * What the runner reports about the run, checked: `config` naming the variable if it is missing.
 */
export function readRun(env: Env, event = new EventFile(env.GITHUB_EVENT_PATH ?? '')): CiRun {
  const github = readContext(env);
  const { repository, serverUrl, runId, workspace, runnerTemp } = github;
  const payload = event.payloadOrNothing();
  return {
    env,
    idToken: ({ audience }, http) => requestIdToken(env, audience, http),
    kind: 'github',
    repository,
    serverUrl,
    url: `${serverUrl}/${repository}/actions/runs/${runId}`,
    workspace,
    temp: runnerTemp,
    cause: causeOfEvent(github, payload),
    change: changeOf(github, payload),
    changeRequest: changeRequestOf(github, payload),
    appReport: appReportOf(github, payload),
    eventName: github.eventName,
    isDefaultBranch: isDefaultBranch(env, github, payload),
    branch: env.GITHUB_REF_TYPE === 'tag' ? undefined : env.GITHUB_REF_NAME,
    baseCommit: baseCommitOf(github, payload),
    refProtected: protectionOf(env, github, payload),
    github: withCommit(github, payload),
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
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com').replace(/(?<!\/)\/+$/, ''),
    workspace: read('GITHUB_WORKSPACE'),
    runnerTemp: read('RUNNER_TEMP'),
    runnerName: env.RUNNER_NAME || undefined,
  };
  if (missing.length === 0 && !isAbsolute(run.workspace))
    missing.push('GITHUB_WORKSPACE (an absolute path)');
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

/** The text at this path of the payload; empty if there is none. */
function payloadText(payload: unknown, ...path: readonly string[]): string {
  const value = fieldOf(payload, ...path);
  return typeof value === 'string' ? value : '';
}

/**
 * The run on a merged pull request has the commit of a tried merge, a check run the newest one: it
 * is about another.
 */
function withCommit(github: RunContext, payload: unknown): RunContext {
  const isMerge = causeOfEvent(github, payload) === 'merge';
  const sha = isMerge
    ? payloadText(payload, 'pull_request', 'merge_commit_sha')
    : appReportOf(github, payload)?.sha;
  return sha !== undefined && COMMIT.test(sha) ? { ...github, sha } : github;
}

const COMMIT = /^[0-9a-f]{40}$/;

// Fields one by one: at the start of every run the library for schemas is not worth its time.
function causeOfEvent({ eventName, repository }: RunContext, payload: unknown): Cause {
  if (eventName === 'pull_request') {
    const isMerged =
      payloadText(payload, 'action') === 'closed' &&
      fieldOf(payload, 'pull_request', 'merged') === true;
    return isMerged ? 'merge' : 'change-request';
  }
  if (eventName !== 'workflow_run') return CAUSES.get(eventName) ?? 'unknown';
  // A run that follows another one is caused by what caused that one.
  const head = payloadText(payload, 'workflow_run', 'head_repository', 'full_name');
  if (head === '') return 'unknown';
  if (head.toLowerCase() !== repository.toLowerCase()) return 'change-request';
  const first = fieldOf(payload, 'workflow_run', 'event') ?? 'push';
  if (typeof first !== 'string') return 'unknown';
  return first.startsWith('pull_request') ? 'change-request' : (CAUSES.get(first) ?? 'unknown');
}

/**
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_run, #deployment_status.
 */
function appReportOf({ eventName }: RunContext, payload: unknown): AppReport | undefined {
  if (eventName === 'check_run') return checkReportOf(payload);
  return eventName === 'deployment_status' ? deploymentReportOf(payload) : undefined;
}

function checkReportOf(payload: unknown): AppReport {
  const text = (...path: readonly string[]) => payloadText(payload, 'check_run', ...path);
  const status = text('status');
  return {
    app: text('app', 'slug'),
    sha: text('head_sha'),
    source: sourceOf('check run', fieldOf(payload, 'check_run', 'id')),
    state: status === 'completed' ? text('conclusion') : status,
    defaultBranch: payloadText(payload, 'repository', 'default_branch'),
    isTransient: false,
  };
}

function deploymentReportOf(payload: unknown): AppReport {
  // A workflow may add a status to the deployment of an App: both must be its own.
  const [bot, other] = ['deployment', 'deployment_status'].map((part) =>
    payloadText(payload, part, 'creator', 'type') === 'Bot'
      ? payloadText(payload, part, 'creator', 'login')
      : '',
  );
  return {
    app: bot === other ? (/^(.*)\[bot\]$/s.exec(bot ?? '')?.[1] ?? '') : '',
    sha: payloadText(payload, 'deployment', 'sha'),
    source: sourceOf('deployment', fieldOf(payload, 'deployment', 'id')),
    state: payloadText(payload, 'deployment_status', 'state'),
    defaultBranch: payloadText(payload, 'repository', 'default_branch'),
    isTransient: fieldOf(payload, 'deployment', 'transient_environment') === true,
    environment: payloadText(payload, 'deployment', 'environment') || undefined,
  };
}

function sourceOf(kind: string, id: unknown): string {
  return typeof id === 'number' ? `${kind} ${id}` : kind;
}

function changeOf({ eventName }: RunContext, payload: unknown): Change | undefined {
  if (eventName === 'pull_request')
    return changeAt('merge', fieldOf(payload, 'pull_request', 'merged_at'));
  if (eventName !== 'push') return undefined;
  // GitHub writes seconds there in this event alone; a Gitea has the time of the commit, which a
  // merge has just made.
  const pushed = fieldOf(payload, 'repository', 'pushed_at');
  const time =
    typeof pushed === 'number' ? pushed * 1000 : fieldOf(payload, 'head_commit', 'timestamp');
  return changeAt('push', time);
}

/**
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request. A fork that was
 * deleted has no repository.
 */
function changeRequestOf(
  { eventName, repository }: RunContext,
  payload: unknown,
): ChangeRequest | undefined {
  if (eventName !== 'pull_request' && eventName !== 'pull_request_target') return undefined;
  const text = (...path: readonly string[]) => payloadText(payload, 'pull_request', ...path);
  const number = fieldOf(payload, 'pull_request', 'number');
  return {
    number: typeof number === 'number' ? number : undefined,
    isOpen: text('state') !== 'closed',
    isMerged: fieldOf(payload, 'pull_request', 'merged') === true,
    isOwn: text('head', 'repo', 'full_name').toLowerCase() === repository.toLowerCase(),
    branch: text('head', 'ref'),
    commit: text('head', 'sha'),
  };
}

function isDefaultBranch(
  env: Env,
  { eventName }: RunContext,
  payload: unknown,
): boolean | undefined {
  // A schedule runs on the default branch alone.
  if (eventName === 'schedule' || env.GITHUB_REF_TYPE === 'tag') return true;
  const usual = payloadText(payload, 'repository', 'default_branch');
  const into =
    eventName === 'pull_request' ? fieldOf(payload, 'pull_request', 'base', 'ref') : undefined;
  const branch = into ?? fieldOf(payload, 'workflow_run', 'head_branch') ?? env.GITHUB_REF_NAME;
  return usual === '' || typeof branch !== 'string' || branch === '' ? undefined : branch === usual;
}

/**
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads. Zeros before the first commit of
 * a branch, and for a tag.
 */
function baseCommitOf({ eventName }: RunContext, payload: unknown): string | undefined {
  const text = (...path: readonly string[]) => payloadText(payload, ...path) || undefined;
  switch (eventName) {
    case 'push':
      // A commit that was pushed away is in no checkout.
      return fieldOf(payload, 'forced') === true ? undefined : text('before');
    case 'pull_request':
      return text('pull_request', 'base', 'sha');
    case 'pull_request_target':
      // Unless it is merged, the base branch is checked out, which has none of its changes.
      return fieldOf(payload, 'pull_request', 'merged') === true
        ? text('pull_request', 'base', 'sha')
        : undefined;
    case 'merge_group':
      return text('merge_group', 'base_sha');
    default:
      return undefined;
  }
}

/** What GITHUB_REF_PROTECTED says. */
const PROTECTION: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Of a merged pull request the ref is the branch that it was merged into; of any other one it is
 * not a branch.
 */
function protectionOf(env: Env, { eventName }: RunContext, payload: unknown): boolean | undefined {
  const into =
    eventName === 'pull_request' ? fieldOf(payload, 'pull_request', 'base', 'ref') : undefined;
  if (into !== undefined && into !== env.GITHUB_REF_NAME) return undefined;
  return PROTECTION.get(env.GITHUB_REF_PROTECTED ?? '');
}

// The expression in the workflow is not known to the step.
const USUAL_CAUSES: readonly string[] = [
  'its name in the workflow is not spelled as in Settings > Secrets and variables > Actions',
  'it belongs to an environment, and the job does not name that environment (environment: NAME)',
  'it belongs to the organization and is not shared with this repository',
  'the workflow is called by another one that does not pass it on (secrets: inherit)',
];

/** Inputs under `env:`, where nothing reads them: no input but the mode was given. */
function explainMisplaced(env: Env): EmptyInputs['misplaced'] {
  const names = INPUT_NAMES.filter((name) => name !== 'mode' && name !== 'github-token');
  const isGiven = (name: InputName) =>
    (env[variableOf(name)] || INPUTS[name].default) !== INPUTS[name].default;
  const found = names.filter(
    (name) => (name.includes('-') && env[name]) || env[variableName(name)],
  );
  if (found.length === 0 || names.some(isGiven)) return undefined;
  const shown = found.slice(0, 8).join(', ');
  return {
    message: `The step has inputs under env:, where nothing reads them: ${shown}. Nothing was sent.`,
    hint: {
      text: 'Write them under with:',
      inputs: Object.fromEntries(found.map((name) => [name, ''])),
    },
  };
}

/**
 * GitHub hands no secrets to runs on events of forks and of Dependabot: why this run has none, as
 * half a sentence.
 */
export function whySecretless(run: RunContext, payload: unknown): string | undefined {
  if (run.actor === 'dependabot[bot]') {
    return 'Dependabot triggered this run, which gets no Actions secrets: add it as a Dependabot secret too, in Settings > Secrets and variables > Dependabot';
  }
  if (!isFromFork(run, payload)) return undefined;
  const way =
    run.eventName === 'pull_request_review'
      ? 'a command in a conversation comment of the pull request works'
      : 'a run on push, once it is merged, gets them';
  return `the pull request comes from a fork, whose runs get no secrets; ${way}`;
}

/**
 * An open pull request, a comment, and a branch that is not merged yet. What was merged, or is
 * announced by no person, is to be done.
 */
function isMeantToDoNothing(
  { cause, isDefaultBranch, eventName = '' }: CiRun,
  payload: unknown,
): boolean {
  if (cause === 'push') return isDefaultBranch === false;
  const isMerged = fieldOf(payload, 'pull_request', 'merged') === true;
  if (isMerged && !eventName.startsWith('pull_request_review')) return false;
  return cause === 'change-request' || cause === 'comment';
}

// https://docs.github.com/actions/reference/security/oidc
async function loadReply() {
  // By name: the bundle would contain all of zod, with messages in 50 languages.
  const { minLength, object, string } = await import('zod/mini');
  return object({ value: string().check(minLength(1)) });
}

const service: Service = {
  name: "GitHub's service for id tokens",
  addressSetting: 'ACTIONS_ID_TOKEN_REQUEST_URL',
  givesKeys: true,
  errorText: () => undefined,
};

/** An id token of this job. Throws `config` if the job has no permission for that. */
export async function requestIdToken(env: Env, audience: string, http: Http): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
  if (!address || !token || !URL.canParse(address)) throw notPermitted();
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) {
    throw new CourierError({
      code: 'config',
      message:
        'The variable ACTIONS_ID_TOKEN_REQUEST_URL is not an http or https address. Nothing was sent.',
    });
  }
  url.searchParams.set('audience', audience);
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const request = { service, method: 'GET', url, headers, repeat: 'always' } as const;
  return (
    await http.requestJson({ ...request, name: "the request for the run's id token" }, loadReply)
  ).value.value;
}

function notPermitted(): CourierError {
  return new CourierError({
    code: 'config',
    message: 'This job may not ask for an id token, by which the run identifies itself.',
    hint: {
      text: 'Give the job the permission. A job that lists permissions has only those. A run for a pull request from a fork never has it.',
      permissions: { 'id-token': 'write', contents: 'read' },
    },
  });
}

/**
 * The variable in which the runner passes an input: upper case, spaces to underscores, hyphens as
 * they are.
 */
export function variableOf(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

/** The inputs of the step, as the runner puts them into its environment. */
export function readActionInputs(env: Env): InputSource {
  const known = new Set(INPUT_NAMES.map(variableOf));
  return {
    fillsDefaults: true,
    value: (name) => env[variableOf(name)] ?? '',
    unknownNames: () =>
      Object.keys(env)
        .filter((variable) => variable.startsWith('INPUT_') && !known.has(variable))
        .map((variable) => variable.slice('INPUT_'.length).toLowerCase()),
  };
}

/**
 * The runner refuses a summary over 1 MiB as a whole; this leaves room for what other parts of the
 * step write.
 */
const MAX_SUMMARY_BYTES = 900 * 1024;
const CUT_NOTE = '\n\n_The summary is cut here; the whole report is at `report-path`._\n';

export function isOutputName(name: string): name is OutputName {
  return OUTPUTS.some((output) => output === name);
}

/**
 * Throws `config` if outputs cannot be written, before a job starts: without GITHUB_OUTPUT core
 * would log the link.
 */
export function createResults(env: Env, step: WorkflowStep): Results {
  const {
    GITHUB_OUTPUT: outputs = '',
    GITHUB_STEP_SUMMARY: summary = '',
    RUNNER_TEMP: temp = '',
  } = env;
  if (outputs === '') {
    throw new CourierError({
      code: 'config',
      message: 'GITHUB_OUTPUT is not set: this runner gives no file for it.',
      hint: 'Docs Courier runs as a step of a GitHub Actions workflow, on runner version 2.327.1 or newer (Node 24).',
    });
  }
  createFile(outputs, 'GITHUB_OUTPUT');
  return {
    writeOutputs(values) {
      try {
        for (const [name, value] of Object.entries(values))
          if (isOutputName(name)) step.setOutput(name, value ?? '');
      } catch (cause) {
        throw unwritable('GITHUB_OUTPUT', cause);
      }
    },
    async writeSummary(markdown) {
      // Old GitHub Enterprise Servers have no summaries; everything in it is in the log and the
      // report too.
      if (summary === '') return;
      createFile(summary, 'GITHUB_STEP_SUMMARY');
      await step
        .writeSummary(cut(markdown, { bytes: MAX_SUMMARY_BYTES }, CUT_NOTE))
        .catch((cause) => {
          throw unwritable('GITHUB_STEP_SUMMARY', cause);
        });
    },
    writeReport: (json) => (temp === '' ? undefined : createPlainResults(temp).writeReport(json)),
  };
}

function createFile(path: string, variable: string): void {
  try {
    appendFileSync(path, '');
  } catch (cause) {
    throw unwritable(variable, cause);
  }
}

function unwritable(variable: string, cause: unknown): CourierError {
  return new CourierError({
    code: 'config',
    message: `The file that ${variable} names cannot be written.`,
    hint: 'Check the disk and the permissions of the runner.',
    cause,
  });
}
