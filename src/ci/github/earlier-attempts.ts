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
  const { runAttempt, runnerName } = github.run;
  const [own, ...others] = (await listJobs(github, runAttempt, token)).filter(
    ({ status, runner_name: runner }) =>
      status === 'in_progress' && (!runnerName || runner === runnerName),
  );
  const ownStep = own?.steps?.find(({ status }) => status === 'in_progress');
  // Names are all that connects two attempts: they must say which job and step this is.
  if (own === undefined || others.length > 0 || ownStep === undefined) return 'unknown';
  const earlier = (await listJobs(github, attempt, token)).filter(({ name }) => name === own.name);
  const [before] = earlier;
  return before === undefined || earlier.length > 1 ? 'unknown' : outcomeIn(before, ownStep);
}

async function listJobs({ connect, run }: GitHub, attempt: number, token: string): Promise<Job[]> {
  const octokit = await connect(token);
  const [owner = '', repo = ''] = run.repository.split('/');
  // A run with more jobs than fit on a page has too many to find one by its name.
  const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs';
  const parameters = { owner, repo, run_id: run.runId, attempt_number: attempt, per_page: 100 };
  return (await getJson(octokit, route, parameters, jobs)).jobs;
}

function outcomeIn(
  { status, conclusion, steps = [] }: Job,
  own: z.infer<typeof step>,
): StepOutcome {
  if (status !== 'completed') return 'unknown';
  // Such a job never got a runner.
  if (steps.length === 0) return conclusion === 'success' ? 'unknown' : 'not-reached';
  const before = steps.find(({ name, number }) => name === own.name && number === own.number);
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
    return (
      (await getJson(octokit, route, { owner, repo, run_id: runId }, runStatus)).status ===
      'completed'
    );
  });
}
