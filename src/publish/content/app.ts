import * as z from 'zod/mini';
import { CourierError, type Hint, hasCode } from '../../errors.ts';
import { listAll, type Octokit } from '../../github/client.ts';
import { readInstant } from '../../platform/contract.ts';
import { plainLine } from '../../text/escape.ts';
import type { Publisher } from '../../values/values.ts';
import { type AppReading, type CheckReading, type DeploymentReading, hasFailed, type Since } from './claim.ts';
import type { Relate } from './commits.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A site that was not published for so long is not asked about. */
const SITE_LIFE_MS = 90 * DAY_MS;
// Of all Apps together: large repositories have hundreds for one commit.
const CHECK_RUNS_READ = 1000;
// Of each environment, to find out whether it is a site that is published.
const STATUSES_READ = 5;

const account = z.nullish(z.object({ login: z.string(), type: z.optional(z.string()) }));
const text = z.nullish(z.string());
// https://docs.github.com/rest/checks/runs#list-check-runs-for-a-git-reference
const checkRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: text,
  started_at: text,
  completed_at: text,
  app: z.nullish(z.object({ slug: z.optional(z.string()) })),
});
// https://docs.github.com/rest/deployments/deployments#list-deployments
const deployment = z.object({
  id: z.number(),
  sha: z.string(),
  environment: z.string(),
  creator: account,
  transient_environment: z.optional(z.boolean()),
  production_environment: z.optional(z.boolean()),
});
type Deployment = z.infer<typeof deployment>;
// https://docs.github.com/rest/deployments/statuses#list-deployment-statuses
const deploymentStatus = z.object({ id: z.number(), state: z.string(), creator: account, created_at: text });

interface AppReportsInit {
  readonly octokit: Octokit;
  /** `owner/name`. */
  readonly repository: string;
  readonly publisher: Publisher;
}

interface Asked {
  readonly commit: string;
  readonly since: Since;
  readonly relate: Relate;
}

/** The check runs and deployments of one App. What others made counts for nothing, whatever it is called. */
export class AppReports {
  readonly #init: AppReportsInit;
  /** The first list serves the first reading. */
  #listed: Promise<readonly Deployment[]> | undefined;

  constructor(init: AppReportsInit) {
    this.#init = init;
  }

  /** The newest deployments of the App that count as production, of the environment that `publisher` names, newest first. */
  async deployments(): Promise<readonly Deployment[]> {
    const { environment } = this.#init.publisher;
    const all = await (this.#listed ?? this.#list());
    this.#listed = undefined;
    return all.filter((one) => environment === undefined || isSameEnvironment(one.environment, environment));
  }

  /** Whether the App marks any of its newest deployments as production. If not, each that is not transient counts. */
  async marksProduction(): Promise<boolean> {
    this.#listed ??= this.#list();
    return (await this.#listed).some((one) => one.production_environment === true);
  }

  /**
   * Finds out which site is meant. Throws `config` with the environments of the App if `publisher` names none of them, or if it
   * names none and the App has published to two of them within 90 days.
   */
  async assertOneSite(nowMs: number): Promise<void> {
    const { slug, environment } = this.#init.publisher;
    this.#listed ??= this.#list();
    const all = await this.#listed;
    const environments = [...new Map(all.map((one) => [one.environment.toLowerCase(), one.environment])).values()];
    if (environment !== undefined) {
      if (environments.some((one) => isSameEnvironment(one, environment))) return;
      throw unknownEnvironment({ slug, environment }, environments);
    }
    if (environments.length < 2) return;
    const sites: string[] = [];
    for (const one of environments) {
      const own = all.filter((made) => isSameEnvironment(made.environment, one));
      if (await this.#isPublished(own, nowMs)) sites.push(one);
    }
    if (sites.length > 1) throw severalSites(slug, sites);
  }

  /** Of how many of these commits the App has made a deployment or a check run. */
  async countReported(commits: readonly string[]): Promise<number> {
    const deployments = await this.deployments();
    const checks = await Promise.all(commits.map((sha) => this.#checks(sha)));
    const isDeployed = (sha: string) => deployments.some((one) => one.sha === sha);
    return commits.filter((sha, index) => isDeployed(sha) || checks[index]?.length !== 0).length;
  }

  /** All that the App reports about a commit. */
  async read({ commit, since, relate }: Asked): Promise<AppReading> {
    const made = await this.deployments();
    const deployments: DeploymentReading[] = [];
    for (const one of made) {
      const { state, at } = await this.#statusOf(one);
      const environment = plainLine(one.environment, 80);
      deployments.push({
        id: one.id,
        environment,
        sha: plainLine(one.sha, 40),
        state,
        at,
        relation: await relate(one.sha, commit),
      });
      if (!hasFailed(state)) break;
    }
    const app = this.#init.publisher.slug;
    return { app, commit, deployments, checks: await this.#checks(commit), since };
  }

  /** The check runs of the App for a commit. */
  async #checks(sha: string): Promise<readonly CheckReading[]> {
    const runs = await this.#get('commits/{sha}/check-runs', { sha }, checkRun, CHECK_RUNS_READ);
    return runs
      .filter(({ app }) => app?.slug === this.#init.publisher.slug)
      .map(({ id, name, status, conclusion, started_at: startedAt, completed_at: completedAt }) => ({
        id,
        name: plainLine(name, 80),
        status: plainLine(status, 40),
        conclusion: status === 'completed' ? plainLine(conclusion ?? 'completed', 40) : undefined,
        startedAtMs: readInstant(startedAt ?? undefined)?.getTime(),
        completedAt: readInstant(completedAt ?? undefined)?.toISOString(),
      }));
  }

  async #statusOf({ id }: Deployment): Promise<{ readonly state: string; readonly at: string | undefined }> {
    const statuses = await this.#get('deployments/{id}/statuses', { id }, deploymentStatus);
    // A workflow may add a status to the deployment of an App: both must be its own.
    const [newest] = statuses.filter(({ creator }) => this.#isApp(creator)).sort((a, b) => b.id - a.id);
    if (newest === undefined) return { state: 'queued', at: undefined };
    return { state: plainLine(newest.state, 40), at: readInstant(newest.created_at ?? undefined)?.toISOString() };
  }

  /** Of one environment: its newest deployments may be under way or have failed. */
  async #isPublished(newestFirst: readonly Deployment[], nowMs: number): Promise<boolean> {
    for (const one of newestFirst.slice(0, STATUSES_READ)) {
      const { state, at } = await this.#statusOf(one);
      if (state === 'success') return nowMs - (readInstant(at)?.getTime() ?? nowMs) <= SITE_LIFE_MS;
      if (state === 'inactive') return false;
    }
    return false;
  }

  async #list(): Promise<readonly Deployment[]> {
    const all = await this.#get('deployments', {}, deployment);
    const own = all.filter(({ creator }) => this.#isApp(creator)).sort((a, b) => b.id - a.id);
    const lasting = own.filter((one) => one.transient_environment !== true);
    const marked = lasting.filter((one) => one.production_environment === true);
    return marked.length > 0 ? marked : lasting;
  }

  #isApp(creator: z.infer<typeof account>): boolean {
    return creator?.login === `${this.#init.publisher.slug}[bot]` && creator.type === 'Bot';
  }

  /** The newest 100, or `maxItems`. */
  async #get<T>(path: string, values: object, schema: z.ZodMiniType<T>, maxItems = 100): Promise<T[]> {
    const { octokit, repository } = this.#init;
    const [owner = '', repo = ''] = repository.split('/');
    try {
      return await listAll(octokit, `GET /repos/{owner}/{repo}/${path}`, { owner, repo, ...values }, schema, maxItems);
    } catch (error) {
      if (!hasCode(error, 'forbidden', 'not-found')) throw error;
      throw error.with({ code: 'forbidden', hint: NEEDS_RIGHTS });
    }
  }
}

/** Names of environments are not case sensitive. */
export function isSameEnvironment(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export const NEEDS_RIGHTS: Hint = {
  text: 'The run reads the checks and deployments of the commit with github-token. Give the job these permissions:',
  permissions: { checks: 'read', contents: 'read', deployments: 'read' },
};

function severalSites(slug: string, sites: readonly string[]): CourierError {
  const names = sites.map((site) => plainLine(site, 80));
  return new CourierError({
    code: 'config',
    message: `${slug} publishes to ${sites.length} environments of this repository: ${names.join(', ')}. Which of them is the site of this export is not known. Nothing was started.`,
    hint: { text: 'Name it:', inputs: { publisher: `${slug}/${names[0]}` } },
  });
}

function unknownEnvironment({ slug, environment = '' }: Publisher, environments: readonly string[]): CourierError {
  const names = environments.map((one) => plainLine(one, 80));
  const found =
    names.length === 0 ? 'It has made no deployments for production.' : `Its environments are: ${names.join(', ')}.`;
  const inputs = { publisher: names[0] === undefined ? slug : `${slug}/${names[0]}` };
  return new CourierError({
    code: 'config',
    message: `${slug} has made no deployment to the environment ${plainLine(environment, 80)}, which publisher names. ${found} Nothing was started.`,
    hint: { text: 'Correct publisher:', inputs },
  });
}
