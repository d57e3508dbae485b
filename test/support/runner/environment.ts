import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import type { JobFolders, StepFiles } from './folders.ts';
import type { StepOptions } from './options.ts';

export const CHECKOUT = resolve(import.meta.dirname, '../../..');

const actionFile = z.object({
  inputs: z.optional(
    z.record(
      z.string(),
      z.object({ default: z.optional(z.union([z.string(), z.number(), z.boolean()])) }),
    ),
  ),
  runs: z.object({ main: z.string() }),
});

export interface Action {
  /** Name -> default; undefined without one. */
  readonly inputs: ReadonlyMap<string, string | undefined>;
  readonly main: string;
}

export async function readAction(path = join(CHECKOUT, 'action.yml')): Promise<Action> {
  const action = actionFile.parse(parse(await readFile(path, 'utf8')));
  const inputs = Object.entries(action.inputs ?? {}).map(
    ([name, { default: value }]): [string, string | undefined] => [
      name,
      value === undefined ? undefined : String(value),
    ],
  );
  return { inputs: new Map(inputs), main: resolve(dirname(path), action.runs.main) };
}

/**
 * The Node 24 that the lock file pins for this platform: GitHub's runners start actions with this
 * version.
 */
export function findNode(): string {
  const installed = join(CHECKOUT, 'node_modules/.bin/node');
  // On Windows that file is a shell script; the tests run with the pinned Node there anyway.
  return process.platform !== 'win32' && existsSync(installed) ? installed : process.execPath;
}

export interface Context {
  readonly action: Action;
  readonly folders: JobFolders;
  readonly files: StepFiles;
  readonly options: StepOptions;
  /** Variables and PATH entries that earlier steps exported. */
  readonly exported: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

/** The environment of a step: only PATH, HOME and where compiled modules are kept are inherited. */
export function buildEnvironment({
  action,
  folders,
  files,
  options,
  exported,
  paths,
}: Context): Record<string, string> {
  return {
    PATH: [...paths]
      .reverse()
      .concat(process.env.PATH ?? '')
      .join(':'),
    HOME: process.env.HOME ?? folders.root,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    ...exported,
    ...githubVariables(options, files),
    GITHUB_WORKSPACE: folders.workspace,
    RUNNER_TEMP: folders.temp,
    RUNNER_TOOL_CACHE: folders.toolCache,
    RUNNER_WORKSPACE: dirname(folders.workspace),
    RUNNER_OS: 'Linux',
    RUNNER_ARCH: 'X64',
    RUNNER_NAME: 'runner-1',
    RUNNER_ENVIRONMENT: 'github-hosted',
    CI: 'true',
    ...(options.debug ? { RUNNER_DEBUG: '1' } : {}),
    ...inputVariables(action, options),
    ...options.env,
  };
}

export const RUN_DEFAULTS = {
  repository: 'acme/docs',
  runId: '4242',
  job: 'publish',
  actor: 'writer',
  sha: 'c0ffee0000000000000000000000000000000000',
  eventName: 'push',
  serverUrl: 'https://github.com',
  // Nothing listens there: a test that sends requests without an address fails.
  apiUrl: 'http://127.0.0.1:9',
  githubToken: 'ghs_workflowTokenOfThisRun0123456789abcd',
} as const;

function githubVariables(options: StepOptions, files: StepFiles): Record<string, string> {
  const run = {
    repository: options.repository ?? RUN_DEFAULTS.repository,
    runId: options.runId ?? RUN_DEFAULTS.runId,
    job: options.job ?? RUN_DEFAULTS.job,
    actor: options.actor ?? RUN_DEFAULTS.actor,
    sha: options.sha ?? RUN_DEFAULTS.sha,
    eventName: options.eventName ?? RUN_DEFAULTS.eventName,
    serverUrl: options.serverUrl ?? RUN_DEFAULTS.serverUrl,
    apiUrl: options.apiUrl ?? RUN_DEFAULTS.apiUrl,
  };
  const [owner = ''] = run.repository.split('/');
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__docs-courier_docs-courier',
    GITHUB_ACTION_REF: 'v1',
    GITHUB_ACTION_REPOSITORY: 'docs-courier/docs-courier',
    GITHUB_ACTOR: run.actor,
    GITHUB_ACTOR_ID: '501',
    GITHUB_API_URL: run.apiUrl,
    GITHUB_BASE_REF: '',
    GITHUB_EVENT_NAME: run.eventName,
    GITHUB_GRAPHQL_URL: run.apiUrl.endsWith('/api/v3')
      ? run.apiUrl.replace(/\/v3$/, '/graphql')
      : `${run.apiUrl}/graphql`,
    GITHUB_HEAD_REF: '',
    GITHUB_JOB: run.job,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REF_NAME: 'main',
    GITHUB_REF_PROTECTED: 'true',
    GITHUB_REF_TYPE: 'branch',
    GITHUB_REPOSITORY: run.repository,
    GITHUB_REPOSITORY_ID: '11',
    GITHUB_REPOSITORY_OWNER: owner,
    GITHUB_REPOSITORY_OWNER_ID: '7',
    GITHUB_RETENTION_DAYS: '90',
    GITHUB_RUN_ATTEMPT: String(options.runAttempt ?? 1),
    GITHUB_RUN_ID: run.runId,
    GITHUB_RUN_NUMBER: '12',
    GITHUB_SERVER_URL: run.serverUrl,
    GITHUB_SHA: run.sha,
    GITHUB_TRIGGERING_ACTOR: run.actor,
    GITHUB_WORKFLOW: 'Publish documentation',
    GITHUB_WORKFLOW_REF: `${run.repository}/.github/workflows/docs.yml@refs/heads/main`,
    GITHUB_WORKFLOW_SHA: run.sha,
    GITHUB_OUTPUT: files.output,
    GITHUB_STATE: files.state,
    GITHUB_ENV: files.env,
    GITHUB_PATH: files.path,
    GITHUB_STEP_SUMMARY: files.summary,
    GITHUB_EVENT_PATH: files.event,
  };
}

/**
 * Upper case, spaces to `_`, hyphens kept. An input without a default and a value is an empty
 * variable.
 */
function inputVariables(action: Action, options: StepOptions): Record<string, string> {
  const given = new Map(
    Object.entries(options.inputs).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const names = new Set([
    ...[...action.inputs.keys()].map((name) => name.toLowerCase()),
    ...given.keys(),
  ]);
  const defaults = new Map([...action.inputs].map(([name, value]) => [name.toLowerCase(), value]));
  const token = options.githubToken ?? RUN_DEFAULTS.githubToken;
  return Object.fromEntries(
    [...names].map((name) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      given.get(name) ?? resolveDefault(defaults.get(name) ?? '', token),
    ]),
  );
}

function resolveDefault(text: string, token: string): string {
  const resolved = text
    .replaceAll('${{ github.token }}', token)
    .replaceAll('${{ job.status }}', 'success');
  if (resolved.includes('${{'))
    throw new Error(`an expression that the runner model does not know: ${text}`);
  return resolved;
}

/** The payload of a push to the default branch. */
export function pushEvent(options: StepOptions): object {
  const fullName = options.repository ?? RUN_DEFAULTS.repository;
  const [owner, name] = fullName.split('/');
  const sha = options.sha ?? RUN_DEFAULTS.sha;
  const person = { login: options.actor ?? RUN_DEFAULTS.actor, id: 501, type: 'User' };
  return {
    ref: 'refs/heads/main',
    before: '0'.repeat(40),
    after: sha,
    created: false,
    deleted: false,
    forced: false,
    repository: {
      id: 77,
      name,
      full_name: fullName,
      private: true,
      owner: { login: owner, id: 7 },
      default_branch: 'main',
    },
    pusher: { name: person.login },
    sender: person,
    head_commit: { id: sha, message: 'Update the docs' },
    commits: [],
  };
}
