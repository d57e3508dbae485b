import * as z from 'zod/mini';
import { getJson } from '../../github/client.ts';
import { type GitHub, ownerAndRepo } from '../../github/connection.ts';
import { listAll } from '../../github/lists.ts';
import { unless } from '../../ground/errors.ts';

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
type Job = z.infer<typeof job>;
type Step = z.infer<typeof step>;

/**
 * How a step ended in an earlier attempt. `not-reached`: its job ended before the step began.
 * `unknown`: GitHub does not say.
 */
type StepOutcome = 'not-reached' | 'failed' | 'passed' | 'unknown';

/**
 * The errors by which a server shows that this token may not see how a run ended, or that it does
 * not know these calls (`protocol`).
 */
const UNSAID = ['forbidden', 'not-found', 'protocol'] as const;

/**
 * What this step did in an earlier attempt of this run, by GitHub's list of jobs:
 * https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run-attempt. Needs
 * `actions: read` in a private repository; without this permission the answer is `unknown`.
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
  // A runner runs one job at a time, so its name finds this job. Without a name, this job is known
  // only if no other one is running.
  const thisJob = onlyOne(
    running.filter((job) => !run.runnerName || job.runner_name === run.runnerName),
  );
  const thisStep = thisJob?.steps?.find(isUnderWay);
  // Two attempts have only the names of jobs and steps in common: each must be found exactly once.
  if (thisJob === undefined || thisStep === undefined) return 'unknown';
  const earlierJobs = await listJobs(github, attempt, token);
  const earlierJob = onlyOne(earlierJobs.filter((job) => job.name === thisJob.name));
  return earlierJob === undefined ? 'unknown' : outcomeIn(earlierJob, thisStep);
}

function isUnderWay(jobOrStep: { readonly status: string }): boolean {
  return jobOrStep.status === 'in_progress';
}

/** The entry of a list with exactly one; undefined for any other list. */
function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

async function listJobs(github: GitHub, attempt: number, token: string): Promise<Job[]> {
  const { run } = github;
  const octokit = await github.connect(token);
  const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs';
  const ids = { run_id: run.runId, attempt_number: attempt };
  const parameters = { ...ownerAndRepo(run.repository), ...ids };
  return listAll(octokit, route, parameters, job);
}

/** How this step ended in the same job of an earlier attempt. */
function outcomeIn(earlierJob: Job, thisStep: Step): StepOutcome {
  const { steps = [], status, conclusion } = earlierJob;
  if (status !== 'completed') return 'unknown';
  if (steps.length === 0) {
    // A job that failed or was cancelled without steps never got a runner. One that succeeded had
    // steps, which GitHub does not list.
    return conclusion === 'success' ? 'unknown' : 'not-reached';
  }
  const { name, number } = thisStep;
  const earlierStep = steps.find((step) => step.name === name && step.number === number);
  return OUTCOMES.get(earlierStep?.conclusion ?? '') ?? 'unknown';
}

/** By the conclusion of a step. */
const OUTCOMES: ReadonlyMap<string, StepOutcome> = new Map([
  ['skipped', 'not-reached'],
  ['failure', 'failed'],
  ['success', 'passed'],
]);

const runStatus = z.object({ status: z.nullable(z.string()) });

/**
 * Whether another run has ended; undefined: GitHub does not say, or does not know the run. Needs
 * the permission that `outcomeOfAttempt` needs.
 */
export async function isRunOver(
  github: GitHub,
  runId: string,
  token: string,
): Promise<boolean | undefined> {
  // A run on a person's machine has an id such as `local:…`.
  if (!/^[1-9]\d{0,18}$/.test(runId)) return undefined;
  return unless(UNSAID, async () => {
    const octokit = await github.connect(token);
    const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';
    const parameters = { ...ownerAndRepo(github.run.repository), run_id: runId };
    const run = await getJson(octokit, route, parameters, runStatus);
    return run.status === 'completed';
  });
}
