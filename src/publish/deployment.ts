import { CourierError, hasCode, hintText } from '../errors.ts';
import type { Deployment, DeploymentState, GitHubDeployments } from '../forges/github/deployments.ts';
import type { DeploymentInputs } from '../inputs/deployment-inputs.ts';
import type { Context, Deps } from '../run/context.ts';
import type { RunFacts, Write } from '../run/report.ts';
import { cut } from '../text/escape.ts';
import { countedPayload, readCount } from './deployment-count.ts';
import type { DeploymentFacts } from './deployment-facts.ts';
import type { Delivery } from './state/delivery.ts';

type DeploymentDeps = Deps<{ deployment: DeploymentFacts }>;

interface DeploymentInit {
  readonly asked: DeploymentInputs;
  readonly adminApiKey: string;
  readonly delivery: Delivery | undefined;
  readonly deps: DeploymentDeps;
  /** Where the site is served. */
  readonly environmentUrl: string | undefined;
}

/** What a deployment is about. */
interface About {
  /** Such as `Export of docs.example.com`. */
  readonly what: string;
  readonly commit: string;
  /** undefined: it is started only now. */
  readonly jobId: string | undefined;
}

// After a cancellation the run's own client sends nothing any more; the run ends 4.5 s after it.
const LAST_REPORT_MS = 4000;
/** GitHub's limit for a description. */
const MAX_DESCRIPTION = 140;
/** A run that began longer ago was killed: GitHub's own runners end a job after six hours. */
const LONGEST_RUN_MS = 24 * 3_600_000;
/** Failed ones in a row, each of which costs a request. */
const MOST_READ = 10;

/** Deployments of the environment that `deployment-environment` names. */
export class DeploymentRecord {
  readonly #init: DeploymentInit;
  readonly #api: GitHubDeployments;
  /** The one that is live, and those whose runs were killed before they could end them. */
  readonly #earlier: readonly Deployment[];

  /**
   * Reads what is there, before anything is started. The last success names the count that the state had then: a state with
   * a lower one is an earlier one.
   */
  static async open(init: DeploymentInit): Promise<DeploymentRecord> {
    const { asked, deps } = init;
    const api = await connectDeployments(asked, deps);
    await warnOfJobEnvironment(api, deps);
    const { live, stale } = await findEarlier(api, deps.clock.now() - LONGEST_RUN_MS);
    const count = live === undefined ? undefined : readCount(live.payload, signingOf(init));
    if (count !== undefined)
      init.delivery?.expectCount(count, `deployment ${live?.id} of environment ${asked.environment}`);
    return new DeploymentRecord(init, api, live === undefined ? stale : [live, ...stale]);
  }

  private constructor(init: DeploymentInit, api: GitHubDeployments, earlier: readonly Deployment[]) {
    this.#init = init;
    this.#api = api;
    this.#earlier = earlier;
  }

  /** For a dry run. */
  plan(): Write[] {
    const { environment } = this.#init.asked;
    return [
      { action: 'make a deployment', target: `environment ${environment} of ${this.#init.deps.github.run.repository}` },
    ];
  }

  /** Runs `body` as a deployment, which ends as it does. */
  async around(about: About, body: () => Promise<RunFacts>): Promise<RunFacts> {
    const id = await this.#begin(about);
    try {
      const ending = await body();
      if (ending.status === 'completed') await this.#succeed(id, about);
      else await this.#end(id, about, 'inactive', `${ending.status}: another run goes on with it`);
      return ending;
    } catch (error) {
      if (hasCode(error, 'cancelled')) await this.#end(id, about, 'error', 'Cancelled');
      else await this.#end(id, about, 'failure', `Failed: ${error instanceof CourierError ? error.code : 'fault'}`);
      throw error;
    }
  }

  async #begin(about: About): Promise<number> {
    const { delivery, deps } = this.#init;
    const { commit, what, jobId } = about;
    const count = delivery?.countFor(jobId);
    const payload = countedPayload(count, signingOf(this.#init));
    const id = await this.#api.create({ sha: commit, description: cut(what, { chars: MAX_DESCRIPTION }), payload });
    deps.log.info(`Made deployment ${id} of commit ${commit} in environment ${this.#init.asked.environment}.`);
    await this.#report(this.#api, id, about, 'in_progress', what);
    return id;
  }

  /** Live is what counts: the earlier deployment becomes inactive, which GitHub does by itself only outside of production. */
  async #succeed(id: number, about: About): Promise<void> {
    await this.#end(id, about, 'success', about.what);
    for (const earlier of this.#earlier) {
      await this.#quietly(`Ending deployment ${earlier.id}`, (api) =>
        api.report(earlier.id, {
          state: 'inactive',
          description: `Replaced by deployment ${id}`,
          logUrl: this.#runUrl,
        }),
      );
    }
  }

  #end(id: number, about: About, state: DeploymentState, description: string): Promise<void> {
    return this.#quietly(`Reporting the state of deployment ${id}`, (api) =>
      this.#report(api, id, about, state, description),
    );
  }

  async #report(api: GitHubDeployments, id: number, about: About, state: DeploymentState, text: string): Promise<void> {
    const { asked, deps, environmentUrl } = this.#init;
    const { commit } = about;
    const description = cut(text, { chars: MAX_DESCRIPTION });
    await api.report(id, {
      state,
      description,
      logUrl: this.#runUrl,
      environmentUrl: state === 'success' ? environmentUrl : undefined,
    });
    deps.record({ deployment: { environment: asked.environment, id, commit, state } });
  }

  /** What was done for the link counts more than its record: a failure is a warning. */
  async #quietly(what: string, write: (api: GitHubDeployments) => Promise<void>): Promise<void> {
    const { signal, log } = this.#init.deps;
    try {
      await write(
        signal.aborted
          ? await connectDeployments(this.#init.asked, this.#init.deps, AbortSignal.timeout(LAST_REPORT_MS))
          : this.#api,
      );
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      log.warning(`${what} failed. ${error.message}${error.hint === undefined ? '' : ` ${hintText(error.hint)}`}`);
    }
  }

  get #runUrl(): string | undefined {
    return this.#init.deps.run.url;
  }
}

/** Throws `config` where the run is not of a repository on GitHub. `signal` replaces the run's own. */
export async function connectDeployments(
  asked: DeploymentInputs,
  deps: Context,
  signal?: AbortSignal,
): Promise<GitHubDeployments> {
  checkSystem(deps);
  const { GitHubDeployments } = await import('../forges/github/deployments.ts');
  const octokit = await deps.github.connect(asked.token, signal);
  return new GitHubDeployments(octokit, deps.github.run.repository, asked.environment);
}

function signingOf({ asked, adminApiKey, delivery, deps }: DeploymentInit) {
  const { environment } = asked;
  return { adminApiKey, environment, repository: deps.github.run.repository, destination: delivery?.signedAddress };
}

/** `live`: the newest of ours that has succeeded, whether or not it became inactive since. `stale`: what began after it, before that time, and never ended. */
async function findEarlier(
  api: GitHubDeployments,
  beforeMs: number,
): Promise<{ readonly live: Deployment | undefined; readonly stale: readonly Deployment[] }> {
  const stale: Deployment[] = [];
  for (const one of (await api.listOurs()).slice(0, MOST_READ)) {
    const statuses = await api.statuses(one.id);
    if (statuses.some(({ state }) => state === 'success')) return { live: one, stale };
    const isOpen = statuses[0] === undefined || statuses[0].state === 'in_progress';
    if (isOpen && one.createdAtMs < beforeMs) stale.push(one);
  }
  return { live: undefined, stale };
}

/** A job with `environment:` makes a deployment of its own, which says something else when it ends. */
async function warnOfJobEnvironment(api: GitHubDeployments, { github, log, run }: DeploymentDeps): Promise<void> {
  const candidates = await api.listOthers(github.run.sha);
  for (const { id } of candidates.slice(0, 3)) {
    const statuses = await api.statuses(id);
    if (run.url === undefined || !statuses.some(({ logUrl }) => isOfRun(logUrl, run.url))) continue;
    log.warning(
      'The job has `environment:` with the name in deployment-environment, so GitHub makes a deployment of its own there, which succeeds whenever the job does. Use another name in deployment-environment.',
    );
    return;
  }
}

function isOfRun(logUrl: string, runUrl = ''): boolean {
  return logUrl === runUrl || logUrl.startsWith(`${runUrl}/`);
}

function checkSystem({ run: { kind }, github: { run } }: Context): void {
  const isElsewhere = kind === 'gitea' || kind === 'forgejo' || kind === 'gitlab';
  if (!isElsewhere && run.repository !== '' && run.sha !== '') return;
  const why = isElsewhere
    ? 'it makes deployments on GitHub, and this run does not take place there'
    : 'it needs a repository on GitHub and a commit, and the run names none';
  throw new CourierError({
    code: 'config',
    message: `deployment-environment cannot be used here: ${why}. Nothing was sent.`,
    hint: 'Remove the input. The state next to the link records what is live on every system.',
  });
}
