import * as z from 'zod/mini';
import type { AppReport } from '../../ci/port.ts';
import type { Octokit } from '../../github/client.ts';
import { type GitHub, ownerAndRepo } from '../../github/connection.ts';
import { eachOf, listAll } from '../../github/lists.ts';
import type { Hint } from '../../ground/errors.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { readWithToken } from './commits.ts';

// https://docs.github.com/rest/deployments/deployments#list-deployments
const deployment = z.object({
  id: z.number(),
  creator: z.nullish(z.object({ login: z.string(), type: z.optional(z.string()) })),
  transient_environment: z.optional(z.boolean()),
});
// https://docs.github.com/rest/deployments/statuses#list-deployment-statuses
const status = z.object({ id: z.number(), state: z.string() });

/** The deployments of a repository, for the rules about those of one App. */
class Deployments {
  readonly #octokit: Octokit;
  readonly #repository: ReturnType<typeof ownerAndRepo>;

  constructor(octokit: Octokit, fullName: string) {
    this.#octokit = octokit;
    this.#repository = ownerAndRepo(fullName);
  }

  /**
   * The ids of those that the App made, newest first, as far as they are asked for. Transient ones,
   * such as those of previews, do not count. `environment`: undefined for those in all.
   */
  async *ofApp(app: string, environment?: string): AsyncGenerator<number> {
    const parameters = { ...this.#repository, ...(environment !== undefined && { environment }) };
    const route = 'GET /repos/{owner}/{repo}/deployments';
    for await (const one of eachOf(this.#octokit, route, parameters, deployment)) {
      const { creator, transient_environment: isTransient } = one;
      const isOfApp = creator?.type === 'Bot' && creator.login === `${app}[bot]`;
      if (isOfApp && !isTransient) yield one.id;
    }
  }

  /** The state of the last status; undefined: there is none yet. */
  async stateOf(id: number): Promise<string | undefined> {
    const route = 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses';
    const parameters = { ...this.#repository, deployment_id: id };
    const statuses = await listAll(this.#octokit, route, parameters, status);
    // The order of this list is not documented.
    return statuses.toSorted((a, b) => b.id - a.id)[0]?.state;
  }
}

/**
 * True if an App made a deployment of the repository that is not transient. Throws `forbidden`.
 */
export function makesDeployments(
  app: string,
  token: string | undefined,
  github: GitHub,
): Promise<boolean> {
  return withDeployments(app, token, github, async (deployments) => {
    for await (const _ of deployments.ofApp(app)) return true;
    return false;
  });
}

/**
 * Why the deployment of a report is not the live one any more, as half a sentence; undefined if it
 * is. Throws `forbidden`.
 */
export function whyNotLive(
  { app, environment, deployment: reported }: AppReport,
  token: string | undefined,
  github: GitHub,
): Promise<string | undefined> {
  return withDeployments(app, token, github, async (deployments) => {
    if (reported === undefined) return 'its event does not name the deployment';
    const state = await deployments.stateOf(reported);
    if (state !== 'success')
      return `deployment ${reported} is ${plainLine(state ?? 'without a status', 40)} now`;
    for await (const id of deployments.ofApp(app, environment)) {
      if (id === reported) return undefined;
      // One that failed, or that has not ended, has replaced nothing.
      if (id > reported && (await deployments.stateOf(id)) === 'success')
        return `deployment ${id} has replaced deployment ${reported}`;
    }
    return `GitHub does not list deployment ${reported}`;
  });
}

/** What `read` gives. Throws `forbidden`, with the permissions to give, if the token may not read. */
function withDeployments<T>(
  app: string,
  token: string | undefined,
  github: GitHub,
  read: (deployments: Deployments) => Promise<T>,
): Promise<T> {
  const problem = `The deployments of ${app} cannot be read`;
  const hint: Hint = {
    text: 'The deployments of the repository are read with github-token. Give the job these permissions:',
    permissions: { contents: 'read', deployments: 'read' },
  };
  return readWithToken(problem, hint, token, async (given) =>
    read(new Deployments(await github.connect(given), github.run.repository)),
  );
}
