import type { RunContext } from '../github/connection.ts';
import type { Host } from './port.ts';

interface PlainRun {
  readonly runId: string;
  readonly job: string;
  /** Above 1 where the run is another attempt of an earlier one: it then goes on with the export of that one. */
  readonly runAttempt?: number | undefined;
  /** `owner/name`, where the repository is on GitHub. */
  readonly repository?: string | undefined;
  readonly sha?: string | undefined;
  /** Who caused the run. */
  readonly actor?: string | undefined;
}

/** What the parts that know GitHub need of a run elsewhere. GITHUB_SERVER_URL and GITHUB_API_URL name a server of one's own. */
export function plainContext({ env, cwd, temp }: Host, run: PlainRun): RunContext {
  return {
    repository: run.repository ?? '',
    runId: run.runId,
    runAttempt: run.runAttempt ?? 1,
    job: run.job,
    workflow: '',
    sha: run.sha ?? '',
    actor: run.actor ?? '',
    eventName: '',
    eventPath: '',
    serverUrl: env.GITHUB_SERVER_URL || 'https://github.com',
    apiUrl: (env.GITHUB_API_URL || 'https://api.github.com').replace(/\/+$/, ''),
    workspace: cwd,
    runnerTemp: temp,
  };
}
