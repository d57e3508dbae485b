import { readRun } from '../../src/ci/github/runner.ts';
import { MANNERS, showHint } from '../../src/ci/hints.ts';
import type { CiRun } from '../../src/ci/port.ts';
import type { RunContext } from '../../src/github/connection.ts';
import { CourierError } from '../../src/ground/errors.ts';

/** GitHub's description of a run, with the changes of the test. */
export function makeRunContext(overrides: Partial<RunContext> = {}): RunContext {
  return {
    repository: 'acme/docs',
    runId: '501',
    runAttempt: 1,
    job: 'publish',
    workflow: 'Docs',
    sha: 'a'.repeat(40),
    actor: 'octocat',
    eventName: 'push',
    eventPath: '',
    serverUrl: 'https://github.com',
    apiUrl: 'http://127.0.0.1:9',
    workspace: '/workspace',
    runnerTemp: '/temp',
    ...overrides,
  };
}

/** The same run as the modes see it, read from the variables of a runner. */
export function makeRun(github: RunContext, env: Readonly<Record<string, string>> = {}): CiRun {
  return readRun({
    GITHUB_REPOSITORY: github.repository,
    GITHUB_RUN_ID: github.runId,
    GITHUB_RUN_ATTEMPT: String(github.runAttempt),
    GITHUB_JOB: github.job,
    GITHUB_EVENT_NAME: github.eventName,
    GITHUB_EVENT_PATH: github.eventPath,
    GITHUB_SERVER_URL: github.serverUrl,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_WORKSPACE: github.workspace,
    RUNNER_TEMP: github.runnerTemp,
    ...env,
  });
}

/** The hint of an error as GitHub's log shows it; `''` without a hint. */
export function hintOf(error: unknown): string {
  return error instanceof CourierError && error.hint !== undefined
    ? showHint(error.hint, MANNERS.workflow)
    : '';
}
