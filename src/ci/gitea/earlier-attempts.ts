import * as z from 'zod/mini';
import { unless } from '../../errors.ts';
import { GiteaApi } from '../../gitea/api.ts';
import type { Http } from '../../http/http.ts';
import { type CiRun, type StepOutcome, UNSAID } from '../port.ts';

const jobs = z.object({
  jobs: z.nullable(z.array(z.object({ name: z.string(), status: z.string(), runner_name: z.nullish(z.string()) }))),
});
const task = z.object({ id: z.number(), name: z.string(), run_number: z.number(), status: z.string() });
const tasks = z.object({ workflow_runs: z.nullable(z.array(task)), total_count: z.number() });
type Task = z.infer<typeof task>;

// Newest first: a run whose attempts are further back is too old to be compared with.
const MAX_PAGES = 4;
const PAGE_SIZE = 50;

/**
 * What an earlier attempt of this run came to. Gitea keeps the last attempt of each job, and of the earlier ones a task each,
 * with the outcome of the whole job: `failed` says that its step failed, or a later one. Needs `actions: read`.
 */
export async function outcomeOfAttempt(run: CiRun, attempt: number, token: string, http: Http): Promise<StepOutcome> {
  const { serverUrl, repository, runId, runAttempt, runnerName } = run.github;
  const api = new GiteaApi(http, serverUrl, token);
  const folder = ['repos', ...repository.split('/'), 'actions'];
  const found = await unless(UNSAID, async () => {
    const all = await api.read({ method: 'GET', path: [...folder, 'runs', runId, 'jobs'] }, jobs);
    const [own, ...others] = (all.jobs ?? []).filter(
      ({ status, runner_name: runner }) => status === 'in_progress' && (!runnerName || runner === runnerName),
    );
    if (own === undefined || others.length > 0) return undefined;
    return findTasks(api, folder, { name: own.name, number: Number(run.env.GITHUB_RUN_NUMBER) }, runAttempt);
  });
  // An attempt that no runner took has no task: then it is not known which one is which.
  if (found?.length !== runAttempt) return 'unknown';
  return found[attempt - 1]?.status === 'failure' ? 'failed' : 'unknown';
}

/** The tasks of one job of one run, oldest first. */
async function findTasks(
  api: GiteaApi,
  folder: readonly string[],
  own: { readonly name: string; readonly number: number },
  count: number,
): Promise<Task[]> {
  const found: Task[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { page, limit: PAGE_SIZE };
    const reply = await api.read({ method: 'GET', path: [...folder, 'tasks'], query }, tasks);
    const entries = reply.workflow_runs ?? [];
    found.push(...entries.filter(({ name, run_number: number }) => name === own.name && number === own.number));
    if (found.length >= count || page * PAGE_SIZE >= reply.total_count) break;
  }
  return found.sort((a, b) => a.id - b.id);
}

const runStatus = z.object({ status: z.string() });

/** Whether another run of the repository has ended; undefined: the server does not say. Needs `actions: read`. */
export async function isRunOver(run: CiRun, runId: string, token: string, http: Http): Promise<boolean | undefined> {
  const { serverUrl, repository } = run.github;
  if (!/^[1-9]\d{0,18}$/.test(runId)) return undefined;
  return unless(UNSAID, async () => {
    const path = ['repos', ...repository.split('/'), 'actions', 'runs', runId];
    const { status } = await new GiteaApi(http, serverUrl, token).read({ method: 'GET', path }, runStatus);
    return status === 'completed';
  });
}
