import * as z from 'zod/mini';
import { unless } from '../../errors.ts';
import { getJson } from '../../github/client.ts';
import type { GitHub } from '../../github/connection.ts';

const step = z.object({
  name: z.string(),
  number: z.number(),
  status: z.string(),
  conclusion: z.nullable(z.string()),
});
const job = z.object({
  name: z.string(),
  status: z.string(),
  conclusion: z.nullable(z.string()),
  runner_name: z.nullish(z.string()),
  steps: z.optional(z.array(step)),
});
const jobs = z.object({ jobs: z.array(job) });
type Job = z.infer<typeof job>;

/** `not-reached`: its job ended before it. `unknown`: GitHub does not say. */
type StepOutcome = 'not-reached' | 'failed' | 'passed' | 'unknown';

/** The errors of a server that does not say what became of a run. */
const UNSAID = ['forbidden', 'not-found', 'protocol'] as const;

/**
 * What this step did in an earlier attempt of this run, by GitHub's list of jobs:
 * https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run-attempt. Needs
 * `actions: read` in a private repository; without it the answer is `unknown`.
 */
export async function outcomeOfAttempt(
  github: GitHub,
  attempt: number,
  token: string,
): Promise<StepOutcome> {
  return (await unless(UNSAID, () => findOutcome(github, attempt, token))) ?? 'unknown';
}

async function findOutcome(github: GitHub, attempt: number, token: string): Promise<StepOutcome> {
  const { run } = github;
  const running = (await listJobs(github, run.runAttempt, token)).filter(isUnderWay);
  const own = onlyOne(
    running.filter((one) => !run.runnerName || one.runner_name === run.runnerName),
  );
  const ownStep = own?.steps?.find(isUnderWay);
  // Names are all that connects two attempts: they must say which job and step this is.
  if (own === undefined || ownStep === undefined) return 'unknown';
  const earlier = await listJobs(github, attempt, token);
  const before = onlyOne(earlier.filter((one) => one.name === own.name));
  return before === undefined ? 'unknown' : outcomeIn(before, ownStep);
}

function isUnderWay(one: { readonly status: string }): boolean {
  return one.status === 'in_progress';
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

async function listJobs(github: GitHub, attempt: number, token: string): Promise<Job[]> {
  const { run } = github;
  const octokit = await github.connect(token);
  const [owner = '', repo = ''] = run.repository.split('/');
  // A run with more jobs than fit on a page has too many to find one by its name.
  const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs';
  const parameters = { owner, repo, run_id: run.runId, attempt_number: attempt, per_page: 100 };
  return (await getJson(octokit, route, parameters, jobs)).jobs;
}

function outcomeIn(earlier: Job, own: z.infer<typeof step>): StepOutcome {
  const { steps = [] } = earlier;
  if (earlier.status !== 'completed') return 'unknown';
  // Such a job never got a runner.
  if (steps.length === 0) return earlier.conclusion === 'success' ? 'unknown' : 'not-reached';
  const before = steps.find((one) => one.name === own.name && one.number === own.number);
  return OUTCOMES.get(before?.conclusion ?? '') ?? 'unknown';
}

const OUTCOMES: ReadonlyMap<string, StepOutcome> = new Map([
  ['skipped', 'not-reached'],
  ['failure', 'failed'],
  ['success', 'passed'],
]);

const runStatus = z.object({ status: z.nullable(z.string()) });

/**
 * Whether another run of the repository has ended; undefined: GitHub does not say. Needs what
 * `outcomeOfAttempt` does.
 */
export async function isRunOver(
  github: GitHub,
  runId: string,
  token: string,
): Promise<boolean | undefined> {
  const [owner = '', repo = ''] = github.run.repository.split('/');
  if (!/^[1-9]\d{0,18}$/.test(runId)) return undefined;
  return unless(UNSAID, async () => {
    const octokit = await github.connect(token);
    const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';
    const run = await getJson(octokit, route, { owner, repo, run_id: runId }, runStatus);
    return run.status === 'completed';
  });
}
