import { isAbsolute } from 'node:path';
import { CourierError } from '../../errors.ts';
import type { RunContext } from '../../github/connection.ts';
import type { Env } from '../../inputs/reader.ts';

/** What the runner tells about the run, checked: `config` naming the variable where it is missing. */
export function readRun(env: Env): RunContext {
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
  };
  if (missing.length === 0 && !isAbsolute(run.workspace)) missing.push('GITHUB_WORKSPACE (an absolute path)');
  if (missing.length === 0) return run;
  throw new CourierError({
    code: 'config',
    message: `The runner did not set ${missing.join(', ')}.`,
    hint: 'Docs Courier runs as a step of a GitHub Actions workflow. To try it elsewhere, see the emulator.',
  });
}
