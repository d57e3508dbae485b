import * as z from 'zod/mini';
import { type CourierError, hasCode } from '../../errors.ts';
import { getJson, type Octokit, readReply } from '../../github/client.ts';

/** Our deployments among others of the same environment. */
const TASK = 'docs-courier';

/** The state of a deployment that this project writes. */
export type DeploymentState = 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';

const deployment = z.object({
  id: z.number(),
  task: z.string(),
  payload: z.unknown(),
  created_at: z.string(),
});
const status = z.object({
  state: z.string(),
  log_url: z.optional(z.string()),
  target_url: z.optional(z.nullable(z.string())),
});

/** A deployment of ours, or of anybody else. */
export interface Deployment {
  readonly id: number;
  readonly isOurs: boolean;
  /** What its maker stored with it: to be verified. */
  readonly payload: unknown;
  /** Epoch milliseconds, by GitHub's clock. */
  readonly createdAtMs: number;
}

interface NewDeployment {
  /** A commit of the repository. */
  readonly sha: string;
  readonly description: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface NewStatus {
  readonly state: DeploymentState;
  /** 140 characters at most. */
  readonly description: string;
  readonly logUrl: string | undefined;
  readonly environmentUrl?: string | undefined;
}

/** Deployments of one environment of a repository: https://docs.github.com/rest/deployments/deployments. */
export class GitHubDeployments {
  readonly #octokit: Octokit;
  readonly #parameters: { readonly owner: string; readonly repo: string; readonly environment: string };

  constructor(octokit: Octokit, repository: string, environment: string) {
    const [owner = '', repo = ''] = repository.split('/');
    this.#octokit = octokit;
    this.#parameters = { owner, repo, environment };
  }

  /** The last ones of ours, newest first. */
  listOurs(): Promise<Deployment[]> {
    return this.#list({ task: TASK });
  }

  /** Those that others have made for a commit. */
  async listOthers(sha: string): Promise<Deployment[]> {
    return (await this.#list({ sha })).filter(({ isOurs }) => !isOurs);
  }

  async #list(filter: { readonly task?: string; readonly sha?: string }): Promise<Deployment[]> {
    const parameters = { ...this.#parameters, ...filter, per_page: 30 };
    const found = await this.#call('read the deployments', () =>
      getJson(this.#octokit, 'GET /repos/{owner}/{repo}/deployments', parameters, z.array(deployment)),
    );
    return found.map(({ id, task, payload, created_at: at }) => ({
      id,
      isOurs: task === TASK,
      payload,
      createdAtMs: Date.parse(at),
    }));
  }

  /** States with the pages of their runs, newest first. */
  async statuses(id: number): Promise<{ readonly state: string; readonly logUrl: string }[]> {
    const route = 'GET /repos/{owner}/{repo}/deployments/{id}/statuses';
    const found = await this.#call(`read deployment ${id}`, () =>
      getJson(this.#octokit, route, { ...this.#parameters, id }, z.array(status)),
    );
    return found.map(({ state, log_url: log, target_url: target }) => ({ state, logUrl: log || target || '' }));
  }

  /**
   * Neither merges anything first, nor waits for checks of the commit: both are what GitHub does unless it is asked not to.
   * Throws `config` where the repository does not have the commit.
   */
  async create({ sha, description, payload }: NewDeployment): Promise<number> {
    const body = { ref: sha, task: TASK, auto_merge: false, required_contexts: [], description, payload };
    const reply = await this.#call('make a deployment', () =>
      this.#octokit.request('POST /repos/{owner}/{repo}/deployments', { ...this.#parameters, ...body }),
    ).catch((error) => {
      throw hasCode(error, 'config', 'protocol') && error.httpStatus === 422 ? unknownCommit(error, sha) : error;
    });
    return readReply(z.object({ id: z.number() }), reply.data, 'POST /repos/{owner}/{repo}/deployments').id;
  }

  /** Leaves deployments of others in the environment as they are, which `auto_inactive` would not. */
  async report(id: number, { state, description, logUrl, environmentUrl }: NewStatus): Promise<void> {
    const route = 'POST /repos/{owner}/{repo}/deployments/{id}/statuses';
    const addresses = {
      ...(logUrl !== undefined && { log_url: logUrl }),
      ...(environmentUrl !== undefined && { environment_url: environmentUrl }),
    };
    const { owner, repo } = this.#parameters;
    await this.#call(`report the state of deployment ${id}`, () =>
      this.#octokit.request(route, { owner, repo, id, state, description, auto_inactive: false, ...addresses }),
    );
  }

  async #call<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const isRefused = hasCode(error, 'forbidden') && error.lacksPermission;
      // GitHub answers 404 about what a token may not see.
      if (!isRefused && !hasCode(error, 'not-found')) throw error;
      throw error.with({
        message: `github-token may not ${what} of environment ${this.#parameters.environment}. ${error.message}`,
        hint: { text: 'Give the token of the job the permission:', permissions: { deployments: 'write' } },
      });
    }
  }
}

function unknownCommit(error: CourierError, sha: string): CourierError {
  return error.with({
    code: 'config',
    message: `GitHub makes no deployment of commit ${sha}. ${error.message}`,
    hint: 'The commit must be in the repository of the run. A deployment cannot be made for one that was removed from it.',
  });
}
