import type { Octokit } from './octokit.ts';

/** What the runner tells a step about the run that it belongs to. */
export interface RunContext {
  /** `owner/name` of the repository the workflow runs in. */
  readonly repository: string;
  readonly runId: string;
  /** 1 for a first run, counting up with every re-run. */
  readonly runAttempt: number;
  /** The job's id in the workflow file. */
  readonly job: string;
  readonly workflow: string;
  readonly sha: string;
  readonly actor: string;
  readonly eventName: string;
  /** Path of the event payload, a JSON file. */
  readonly eventPath: string;
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly serverUrl: string;
  /** `https://api.github.com`, or `https://HOST/api/v3`. */
  readonly apiUrl: string;
  readonly workspace: string;
  readonly runnerTemp: string;
}

/** GitHub as a mode sees it. Nothing is loaded or sent before it is asked for. */
export interface GitHub {
  readonly run: RunContext;
  /** The event payload: `config` when the file is missing, unreadable or not JSON. Shape unknown: parse what you use. */
  event(): Promise<unknown>;
  /** A client for `run.apiUrl` with this token. Loads Octokit at the first call; retries as section HTTP of the design. */
  connect(token: string): Promise<Octokit>;
}
