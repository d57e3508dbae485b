import * as z from 'zod/mini';
import { CourierError, type Hint, hasCode } from '../../errors.ts';
import { listAll, type Octokit } from '../../github/client.ts';
import type { Deps } from '../../run/context.ts';
import { plainLine } from '../../text/escape.ts';
import { formatDuration, writeDuration } from '../../text/markdown.ts';
import { followJob } from '../progress.ts';
import type { Prove, Verdict } from './proof.ts';
import { type ContentFacts, shortCommit } from './summary.ts';

interface Wait {
  readonly deps: Deps<ContentFacts>;
  readonly prove: Prove;
  readonly publisher: string;
  readonly token: string;
  readonly commit: string | undefined;
  /** For publishing and exporting together. */
  readonly timeoutMs: number;
}

/** What an App has made for one commit. */
interface Report {
  /** Of a check run or of a deployment, for messages. */
  readonly name: string;
  readonly outcome: 'published' | 'nothing-built' | 'underway' | 'failed';
  /** In GitHub's words. */
  readonly state: string;
}

// The App skips a commit without documentation, and says nothing of it.
const NOTHING_LIMIT_MS = 10 * 60_000;
const OTHERS_COMPARED = 5;
// Of all Apps together: large repositories have hundreds for one commit.
const CHECK_RUNS_READ = 1000;

/** Waits for what the platform's GitHub App reports about the commit of the run. Throws `job-failed`, `timed-out`, `forbidden`. */
export async function waitUntilPublished(wait: Wait): Promise<Verdict> {
  const { deps, publisher, token, commit, timeoutMs } = wait;
  const { clock, github } = deps;
  if (commit === undefined) {
    throw new CourierError({
      code: 'config',
      message: 'publish: wait needs the commit of the run, and GITHUB_SHA names none. Nothing was sent.',
    });
  }
  const apps = appReports({ octokit: await github.connect(token), repository: github.run.repository, publisher });
  const startMs = clock.monotonicMs();
  const result = await followJob<Look>({
    deps,
    title: `Publishing: waiting until ${publisher} has published commit ${shortCommit(commit)}`,
    async poll() {
      const value = await look(wait, commit, apps);
      const elapsedMs = clock.monotonicMs() - startMs;
      if (value.isSilent && elapsedMs >= NOTHING_LIMIT_MS) throw nothingAppeared(wait, commit, elapsedMs);
      return { value, serverTime: undefined };
    },
    view: ({ verdict, text }) => ({ status: text, phase: verdict === undefined ? 'running' : 'done' }),
    timeoutMs,
    fresh: false,
  });
  if (result.job?.verdict !== undefined) return result.job.verdict;
  if (result.job?.isSilent !== false) throw nothingAppeared(wait, commit, timeoutMs);
  throw new CourierError({
    code: 'timed-out',
    message: `${publisher} did not publish commit ${shortCommit(commit)} within ${writeDuration(timeoutMs)}: ${result.job.text}. No export was started.`,
    hint: { text: 'Re-run the job later, or give it more time:', inputs: { timeout: writeDuration(2 * timeoutMs) } },
  });
}

interface Look {
  /** undefined: not yet. */
  readonly verdict?: Verdict;
  /** Nothing of the App is there for this commit. */
  readonly isSilent?: boolean;
  readonly text: string;
}

async function look(
  { prove, publisher, deps }: Wait,
  commit: string,
  apps: ReturnType<typeof appReports>,
): Promise<Look> {
  const deployments = await apps.deployments();
  const own = await apps.of(commit, deployments);
  const outcome = outcomeOf(own);
  if (outcome === 'failed') {
    const failed = own.filter((one) => one.outcome === 'failed').map(({ name, state }) => `${name} ended as ${state}`);
    throw new CourierError({
      code: 'job-failed',
      message: `${publisher} did not publish commit ${shortCommit(commit)}: ${failed.join(', ')}. No export was started.`,
      hint: 'Open the checks and deployments of the commit, and correct the documentation. What was live is still live.',
    });
  }
  if (outcome === 'published') return { verdict: { kind: 'proved', commit }, text: 'published' };
  // A commit after that of the run, which was pushed meanwhile: the App may build only the last of several.
  const others = new Set(deployments.map(({ sha }) => sha).filter((sha) => sha !== commit));
  let later = '';
  for (const sha of [...others].slice(0, OTHERS_COMPARED)) {
    const verdict = await prove(sha);
    if (verdict.kind !== 'proved') continue;
    if (outcomeOf(await apps.of(sha, deployments)) === 'published') return { verdict, text: 'published' };
    later ||= `commit ${shortCommit(sha)}, which comes after it, is not published yet`;
  }
  if (outcome === 'nothing-built') {
    const why = `${publisher} built nothing for commit ${shortCommit(commit)}.`;
    return { verdict: { kind: 'not-known', why }, text: 'nothing was built' };
  }
  const names = own.map(({ name, state }) => `${name} (${state})`).join(', ');
  const text = deps.log.redact(names || later || `nothing of ${publisher} yet`);
  return { isSilent: outcome === undefined && later === '', text };
}

/** Of all that the App made for a commit; undefined: it made nothing. Once all has ended, one build is enough. */
function outcomeOf(reports: readonly Report[]): Report['outcome'] | undefined {
  const order = ['failed', 'underway', 'published', 'nothing-built'] as const;
  return order.find((outcome) => reports.some((report) => report.outcome === outcome));
}

const account = z.nullish(z.object({ login: z.string(), type: z.optional(z.string()) }));
// https://docs.github.com/rest/checks/runs#list-check-runs-for-a-git-reference
const checkRun = z.object({
  name: z.string(),
  status: z.string(),
  conclusion: z.nullish(z.string()),
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
const deploymentStatus = z.object({ id: z.number(), state: z.string(), creator: account });

interface AppReportsInit {
  readonly octokit: Octokit;
  /** `owner/name`. */
  readonly repository: string;
  /** Slug of the App. */
  readonly publisher: string;
}

/** The check runs and deployments of one App. What others made counts for nothing, whatever it is called. */
export function appReports({ octokit, repository, publisher }: AppReportsInit) {
  const [owner = '', repo = ''] = repository.split('/');
  const isApp = (creator: z.infer<typeof account>) => creator?.login === `${publisher}[bot]` && creator.type === 'Bot';
  /** The newest 100, or `maxItems`. */
  async function list<T>(path: string, values: object, schema: z.ZodMiniType<T>, maxItems = 100): Promise<T[]> {
    try {
      const route = `GET /repos/{owner}/{repo}/${path}`;
      return await listAll(octokit, route, { owner, repo, ...values }, schema, maxItems);
    } catch (error) {
      if (!hasCode(error, 'forbidden', 'not-found')) throw error;
      throw error.with({ code: 'forbidden', hint: NEEDS_RIGHTS });
    }
  }
  return {
    /** The newest deployments of the App, newest first, without previews. */
    async deployments(): Promise<readonly Deployment[]> {
      const all = await list('deployments', {}, deployment);
      return all.filter(
        ({ creator, transient_environment: isTransient, production_environment: isProduction }) =>
          isApp(creator) && isTransient !== true && isProduction !== false,
      );
    },
    /** All that the App made for a commit. */
    async of(sha: string, deployments: readonly Deployment[]): Promise<readonly Report[]> {
      const runs = await list('commits/{sha}/check-runs', { sha }, checkRun, CHECK_RUNS_READ);
      const reports = runs
        .filter(({ app }) => app?.slug === publisher)
        .map(({ name, status, conclusion }) => {
          const state = plainLine((status === 'completed' ? conclusion : status) ?? 'completed', 40);
          return { name: plainLine(name, 80), state, outcome: outcomeOfCheck(status, conclusion) };
        });
      for (const { id, environment } of deployments.filter((one) => one.sha === sha)) {
        const statuses = await list('deployments/{id}/statuses', { id }, deploymentStatus);
        const states = statuses.filter(({ creator }) => isApp(creator)).sort((a, b) => b.id - a.id);
        const [{ state } = { state: 'queued' }] = states;
        const hasSucceeded = states.some((one) => one.state === 'success');
        const name = `deployment to ${plainLine(environment, 80)}`;
        reports.push({ name, state: plainLine(state, 40), outcome: outcomeOfDeployment(state, hasSucceeded) });
      }
      return reports;
    },
  };
}

const NEEDS_RIGHTS: Hint = {
  text: 'publish: wait reads the checks and deployments of the commit. Give the job these permissions:',
  permissions: { checks: 'read', contents: 'read', deployments: 'read' },
};

function outcomeOfCheck(status: string, conclusion: string | null | undefined): Report['outcome'] {
  if (status !== 'completed') return 'underway';
  if (conclusion === 'success') return 'published';
  return conclusion === 'neutral' || conclusion === 'skipped' ? 'nothing-built' : 'failed';
}

/** `inactive`: a later deployment replaced it. Whether it was published before shows in its earlier states. */
function outcomeOfDeployment(state: string, hasSucceeded: boolean): Report['outcome'] {
  if (state === 'success' || (state === 'inactive' && hasSucceeded)) return 'published';
  return state === 'failure' || state === 'error' ? 'failed' : 'underway';
}

function nothingAppeared({ publisher }: Wait, commit: string, elapsedMs: number): CourierError {
  return new CourierError({
    code: 'timed-out',
    message: `${publisher} made no check run and no deployment for commit ${shortCommit(commit)} within ${formatDuration(elapsedMs)}. No export was started.`,
    hint: {
      text: "The App skips commits without documentation: limit the workflow to changes of the documentation with paths: filters. Check publisher, and that the App is installed on this repository. Where the platform's API publishes on request, use that instead:",
      inputs: { publish: 'trigger', 'project-id': '' },
    },
  });
}
