import { showHint } from '../../src/ci/github-actions/hint.ts';
import type { CiRun } from '../../src/ci/port.ts';
import { CourierError } from '../../src/errors.ts';
import type { RunContext } from '../../src/github/connection.ts';

/** What GitHub's runner says of a run, changed by what the test says. */
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

/** The same run as the modes see it. */
export function makeRun(github: RunContext): CiRun {
  return {
    kind: 'github',
    repository: github.repository,
    serverUrl: github.serverUrl,
    runKey: `${github.runId}/${github.job}`,
    execution: `${github.runId}/${github.job}/${github.runAttempt}`,
    workspace: github.workspace,
    temp: github.runnerTemp,
    cause: 'push',
    refProtected: undefined,
    github,
  };
}

/** The hint of an error as GitHub's log shows it; `''` where it has none. */
export function hintOf(error: unknown): string {
  return error instanceof CourierError && error.hint !== undefined ? showHint(error.hint) : '';
}
