import { fieldOf } from '../ground/text/json.ts';
import type { Http } from '../http/http.ts';
import type { Octokit } from './client.ts';
import { EventFile } from './event-file.ts';

/** The run that a step belongs to, as the runner describes it. */
export interface RunContext {
  /** `owner/name` of the repository the workflow runs in. */
  readonly repository: string;
  /** The id of that repository, which stays when it is renamed; undefined: the runner has none. */
  readonly repositoryId?: number | undefined;
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
  /** The machine that this job runs on; undefined if the runner does not say. */
  readonly runnerName?: string | undefined;
}

/** The parameters of a route of GitHub for a repository `owner/name`. */
export function ownerAndRepo(repository: string) {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** GitHub as a mode sees it. Nothing is loaded or sent before it is asked for. */
export interface GitHub {
  readonly run: RunContext;
  /**
   * The event payload, of which no field is checked: parse the fields that you use. Throws `config`
   * if the file is missing, cannot be read or is not JSON.
   */
  event(): Promise<unknown>;
  /**
   * A client for `run.apiUrl` with this token; the same client for the same token and signal. The
   * first call loads Octokit. `signal` replaces the signal of the run: for calls that are still
   * made after the run was cancelled.
   */
  connect(token: string, signal?: AbortSignal): Promise<Octokit>;
}

/**
 * True for a run on a pull request from a fork: the run gets no secrets, and its token only reads.
 */
export function isFromFork(run: RunContext, payload: unknown): boolean {
  const { eventName } = run;
  // `pull_request_target` runs in the base repository, with its secrets.
  if (!eventName.startsWith('pull_request') || eventName === 'pull_request_target') return false;
  // `null` if the fork was deleted since; undefined if the event is not about a pull request.
  const head = fieldOf(payload, 'pull_request', 'head', 'repo');
  return head !== undefined && fieldOf(head, 'full_name') !== run.repository;
}

interface GitHubInit {
  readonly run: RunContext;
  readonly http: Http;
  readonly signal: AbortSignal;
  /** The payload of the event; without it, that of the file at `run.eventPath`. */
  readonly readEvent?: (() => Promise<unknown>) | undefined;
}

/** GitHub for one run: the event is read once, and each token and signal has one client. */
export function createGitHub(init: GitHubInit): GitHub {
  const { run, signal, http } = init;
  let payload: Promise<unknown> | undefined;
  const readEvent = init.readEvent ?? (async () => new EventFile(run.eventPath).payload());
  const event = () => {
    payload ??= readEvent();
    return payload;
  };
  const createClient = async (token: string, clientSignal: AbortSignal) => {
    // `@actions/github` parses the event file when it is loaded, and its error does not name the
    // file: `event` reads it first and throws an error that does.
    await event();
    const { createOctokit } = await import('./client.ts');
    return createOctokit({ token, apiUrl: run.apiUrl, signal: clientSignal, http });
  };
  // Stores connect for each call, and each client of Octokit is a class with all plugins: without
  // this map, a refresh of many sites would make thousands.
  const clients = new WeakMap<AbortSignal, Map<string, Promise<Octokit>>>();
  return {
    run,
    event,
    connect(token, clientSignal = signal) {
      const byToken = clients.get(clientSignal) ?? new Map<string, Promise<Octokit>>();
      clients.set(clientSignal, byToken);
      const client = byToken.get(token) ?? createClient(token, clientSignal);
      byToken.set(token, client);
      return client;
    },
  };
}
