import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { RunContext } from '../../github/connection.ts';
import type { Cause, CiRun } from '../port.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What the runner reports about the run, checked: `config` naming the variable where it is missing. */
export function readRun(env: Env): CiRun {
  const github = readContext(env);
  const { repository, serverUrl, runId, runAttempt, job, workspace, runnerTemp } = github;
  const runKey = `${runId}/${job}`;
  return {
    kind: 'github',
    repository,
    serverUrl,
    url: `${serverUrl}/${repository}/actions/runs/${runId}`,
    runKey,
    execution: `${runKey}/${runAttempt}`,
    workspace,
    temp: runnerTemp,
    cause: causeOf(github),
    refProtected: protectionOf(env.GITHUB_REF_PROTECTED),
    github,
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

const CAUSES: Readonly<Record<string, Cause>> = {
  push: 'push',
  schedule: 'schedule',
  workflow_dispatch: 'manual',
  repository_dispatch: 'manual',
  release: 'release',
  issue_comment: 'comment',
  pull_request_review: 'comment',
  pull_request_review_comment: 'comment',
  pull_request_target: 'change-request',
};

const mergedEvent = z.object({ action: z.literal('closed'), pull_request: z.object({ merged: z.literal(true) }) });

function causeOf({ eventName, eventPath }: RunContext): Cause {
  if (eventName !== 'pull_request') return CAUSES[eventName] ?? 'unknown';
  return mergedEvent.safeParse(readPayload(eventPath)).success ? 'merge' : 'change-request';
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
