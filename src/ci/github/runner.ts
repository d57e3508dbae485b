import { appendFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { CourierError } from '../../errors.ts';
import { isFromFork, type RunContext } from '../../github/connection.ts';
import { EventFile } from '../../github/event-file.ts';
import type { Http } from '../../http/http.ts';
import type { Service } from '../../http/service.ts';
import type { Toolkit } from '../../log.ts';
import { cut } from '../../text/escape.ts';
import { fieldOf, textOf } from '../../text/json.ts';
import { parseUrl } from '../../text/names.ts';
import { INPUTS, type InputName, OUTPUTS, type OutputName } from '../../values/catalog.ts';
import { INPUT_NAMES, type InputSource, variableName } from '../../values/reader.ts';
import { MANNERS, showHint } from '../hints.ts';
import { changeAt, createPlainResults } from '../plain.ts';
import type {
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
import { appReportOf } from './app-report.ts';

/**
 * Whether Gitea or Forgejo runs this job: both also set the variables of GitHub Actions. undefined:
 * neither.
 */
export function giteaKind(env: Env): GiteaKind | undefined {
  if (env.FORGEJO_ACTIONS === 'true') return 'forgejo';
  return env.GITEA_ACTIONS === 'true' ? 'gitea' : undefined;
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
      const causes = [secretless];
      if (!isMeantToDoNothing(run(), payload)) return { secretless, causes, misplaced };
      return { skip: `The API key is empty: ${secretless}.`, secretless, causes, misplaced };
    },
    showHint: (hint) => showHint(hint, MANNERS.workflow),
  };
}

/**
 * What the runner reports about the run, checked: `config` naming the variable if it is missing.
 */
export function readRun(env: Env, event = new EventFile(env.GITHUB_EVENT_PATH ?? '')): CiRun {
  const github = readContext(env);
  const { repository, serverUrl, eventName } = github;
  const payload = event.payloadOrNothing();
  const cause = causeOfEvent(github, payload);
  const appReport = APP_EVENTS.includes(eventName) ? appReportOf(eventName, payload) : undefined;
  // The run on a merged pull request has the commit of a tried merge, a check run the newest one:
  // it is about another.
  const merged = cause === 'merge' ? textOf(payload, 'pull_request', 'merge_commit_sha') : '';
  const about = appReport?.sha ?? merged;
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
    github: /^[0-9a-f]{40}$/.test(about) ? { ...github, sha: about } : github,
  };
}

const APP_EVENTS = ['check_run', 'deployment_status'];

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

// Fields one by one: at the start of every run the library for schemas is not worth its time.
function causeOfEvent(run: RunContext, payload: unknown): Cause {
  const { eventName } = run;
  if (eventName === 'pull_request') {
    const isClosed = textOf(payload, 'action') === 'closed';
    return isClosed && isMerged(payload) ? 'merge' : 'change-request';
  }
  if (eventName !== 'workflow_run') return CAUSES.get(eventName) ?? 'unknown';
  // A run that follows another one is caused by what caused that one.
  const head = textOf(payload, 'workflow_run', 'head_repository', 'full_name');
  if (head === '') return 'unknown';
  if (head.toLowerCase() !== run.repository.toLowerCase()) return 'change-request';
  const first = fieldOf(payload, 'workflow_run', 'event') ?? 'push';
  if (typeof first !== 'string') return 'unknown';
  if (first.startsWith('pull_request')) return 'change-request';
  return CAUSES.get(first) ?? 'unknown';
}

function isMerged(payload: unknown): boolean {
  return fieldOf(payload, 'pull_request', 'merged') === true;
}

function changeOf(eventName: string, payload: unknown): Change | undefined {
  if (eventName === 'pull_request')
    return changeAt('merge', fieldOf(payload, 'pull_request', 'merged_at'));
  if (eventName !== 'push') return undefined;
  // GitHub writes seconds there in this event alone; a Gitea has the time of the commit, which a
  // merge has just made.
  const pushed = fieldOf(payload, 'repository', 'pushed_at');
  if (typeof pushed === 'number') return changeAt('push', pushed * 1000);
  return changeAt('push', fieldOf(payload, 'head_commit', 'timestamp'));
}

/**
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request. A fork that was
 * deleted has no repository.
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

/** The branch that a pull request is for; empty in a run on another event. */
function targetBranch(eventName: string, payload: unknown): string {
  if (eventName !== 'pull_request') return '';
  return textOf(payload, 'pull_request', 'base', 'ref');
}

function isDefaultBranch(env: Env, eventName: string, payload: unknown): boolean | undefined {
  // A schedule runs on the default branch alone.
  if (eventName === 'schedule' || env.GITHUB_REF_TYPE === 'tag') return true;
  const usual = textOf(payload, 'repository', 'default_branch');
  const followed = textOf(payload, 'workflow_run', 'head_branch');
  const branch = targetBranch(eventName, payload) || followed || env.GITHUB_REF_NAME;
  if (usual === '' || !branch) return undefined;
  return branch === usual;
}

/**
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads. Zeros before the first commit of
 * a branch, and for a tag.
 */
function baseCommitOf(eventName: string, payload: unknown): string | undefined {
  // A commit that was pushed away is in no checkout.
  if (eventName === 'push' && fieldOf(payload, 'forced') === true) return undefined;
  // Unless it is merged, the base branch is checked out, which has none of its changes.
  if (eventName === 'pull_request_target' && !isMerged(payload)) return undefined;
  return textOf(payload, ...(BASE_COMMITS.get(eventName) ?? ['none'])) || undefined;
}

const BASE_COMMITS: ReadonlyMap<string, readonly string[]> = new Map([
  ['push', ['before']],
  ['pull_request', ['pull_request', 'base', 'sha']],
  ['pull_request_target', ['pull_request', 'base', 'sha']],
  ['merge_group', ['merge_group', 'base_sha']],
]);

/**
 * Of a merged pull request the ref is the branch that it was merged into; of any other one it is
 * not a branch.
 */
function protectionOf(env: Env, eventName: string, payload: unknown): boolean | undefined {
  const into = targetBranch(eventName, payload);
  const isSaid = /^(true|false)$/.test(env.GITHUB_REF_PROTECTED ?? '');
  if (!isSaid || (into !== '' && into !== env.GITHUB_REF_NAME)) return undefined;
  return env.GITHUB_REF_PROTECTED === 'true';
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
function isMeantToDoNothing(run: CiRun, payload: unknown): boolean {
  if (run.cause === 'push') return run.isDefaultBranch === false;
  const isReview = run.eventName?.startsWith('pull_request_review');
  if (isMerged(payload) && !isReview) return false;
  return run.cause === 'change-request' || run.cause === 'comment';
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
  const token = env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  const url = parseUrl(env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '');
  if (!url || !token) throw notPermitted();
  if (!/^https?:$/.test(url.protocol)) {
    throw new CourierError({
      code: 'config',
      message:
        'The variable ACTIONS_ID_TOKEN_REQUEST_URL is not an http or https address. Nothing was sent.',
    });
  }
  url.searchParams.set('audience', audience);
  const request = {
    service,
    name: "the request for the run's id token",
    method: 'GET',
    url,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    repeat: 'always',
  } as const;
  const reply = await http.requestJson(request, loadReply);
  return reply.value.value;
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

/**
 * Throws `config` if outputs cannot be written, before a job starts: without GITHUB_OUTPUT core
 * would log the link.
 */
export function createResults(env: Env, step: WorkflowStep): Results {
  const summary = env.GITHUB_STEP_SUMMARY;
  if (!env.GITHUB_OUTPUT) {
    throw new CourierError({
      code: 'config',
      message: 'GITHUB_OUTPUT is not set: this runner gives no file for it.',
      hint: 'Docs Courier runs as a step of a GitHub Actions workflow, on runner version 2.327.1 or newer (Node 24).',
    });
  }
  createFile(env.GITHUB_OUTPUT, 'GITHUB_OUTPUT');
  return {
    writeOutputs(values) {
      try {
        for (const name of OUTPUTS) if (name in values) step.setOutput(name, values[name] ?? '');
      } catch (cause) {
        throw unwritable('GITHUB_OUTPUT', cause);
      }
    },
    async writeSummary(markdown) {
      // Old GitHub Enterprise Servers have no summaries; everything in it is in the log and the
      // report too.
      if (!summary) return;
      createFile(summary, 'GITHUB_STEP_SUMMARY');
      const shown = cut(markdown, { bytes: MAX_SUMMARY_BYTES }, CUT_NOTE);
      await step.writeSummary(shown).catch((cause) => {
        throw unwritable('GITHUB_STEP_SUMMARY', cause);
      });
    },
    writeReport(json) {
      if (!env.RUNNER_TEMP) return undefined;
      return createPlainResults(env.RUNNER_TEMP).writeReport(json);
    },
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
