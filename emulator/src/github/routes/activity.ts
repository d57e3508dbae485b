import type { ActivityEntity, RepositoryEntity, WorkflowJobEntity } from '../entities.ts';
import { type App, invalid, nodeId, notFound, paginate, timestamp } from '../http.ts';
import { useRepository } from '../rights.ts';
import { commitOfHead, minimalRepository, simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';

const PERIOD_DAYS: Readonly<Record<string, number>> = {
  day: 1,
  week: 7,
  month: 30,
  quarter: 91,
  year: 365,
};
const DAY_MS = 86_400_000;
const NO_COMMIT = '0'.repeat(40);

/** The activity of branches, and the jobs of a run. */
export function addActivityRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo/activity', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['contents'] });
    const {
      ref,
      actor,
      activity_type: type,
      time_period: period,
      direction = 'desc',
    } = c.req.query();
    const days = period === undefined ? Number.POSITIVE_INFINITY : PERIOD_DAYS[period];
    if (days === undefined) throw invalid('Invalid time_period');
    const sign = direction === 'asc' ? 1 : -1;
    const activities = store.conversations.activities
      .filter((one) => one.repository.toLowerCase() === repository.fullName.toLowerCase())
      .filter((one) => ref === undefined || one.ref === ref || one.ref === `refs/heads/${ref}`)
      .filter((one) => actor === undefined || one.actor.login.toLowerCase() === actor.toLowerCase())
      .filter((one) => type === undefined || one.type === type)
      .filter((one) => one.at > store.now() - days * DAY_MS)
      .sort((a, b) => sign * (a.at - b.at || a.id - b.id));
    return c.json(paginate(c, activities).items.map(activityShape));
  });
  app.get('/repos/:owner/:repo/actions/runs/:run', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['actions'] });
    const jobs = store.conversations.workflowJobs.filter(
      ({ repository: name, runId }) => name === repository.fullName && runId === c.req.param('run'),
    );
    if (jobs.length === 0) throw notFound();
    // The run is as far as the jobs of its newest attempt.
    const attempt = Math.max(...jobs.map((job) => job.attempt));
    const isOver = jobs
      .filter((job) => job.attempt === attempt)
      .every(({ status }) => status === 'completed');
    const status = isOver ? 'completed' : 'in_progress';
    return c.json({
      ...runShape(c.req.param('run'), repository, store),
      run_attempt: attempt,
      status,
    });
  });
  app.get('/repos/:owner/:repo/actions/runs/:run/attempts/:attempt/jobs', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['actions'] });
    const jobs = store.conversations.workflowJobs.filter(
      (job) =>
        job.repository.toLowerCase() === repository.fullName.toLowerCase() &&
        job.runId === c.req.param('run') &&
        String(job.attempt) === c.req.param('attempt'),
    );
    const { items, total } = paginate(c, jobs);
    return c.json({
      total_count: total,
      jobs: items.map((job) => jobShape(job, timestamp(store.now()))),
    });
  });
}

function activityShape(activity: ActivityEntity) {
  return {
    id: activity.id,
    node_id: nodeId('PSH', activity.id),
    before: activity.before,
    after: activity.after,
    ref: activity.ref,
    timestamp: timestamp(activity.at),
    activity_type: activity.type,
    actor: simpleUser(activity.actor),
  };
}

function runShape(run: string, repository: RepositoryEntity, store: Store) {
  const id = Number(run);
  const at = timestamp(store.now());
  const owner = minimalRepository(repository, store.user(repository.owner));
  const url = `https://api.github.com/repos/${repository.fullName}/actions/runs/${run}`;
  const links = ['jobs', 'logs', 'cancel', 'rerun', 'artifacts'].map((name) => [
    `${name}_url`,
    `${url}/${name}`,
  ]);
  return {
    ...Object.fromEntries(links),
    id,
    node_id: nodeId('WFR', id),
    url,
    html_url: `https://github.com/${repository.fullName}/actions/runs/${run}`,
    check_suite_url: url,
    workflow_url: url,
    workflow_id: 1,
    path: '.github/workflows/docs.yml',
    head_branch: repository.defaultBranch,
    head_sha: NO_COMMIT,
    head_commit: commitOfHead(NO_COMMIT, at),
    repository: owner,
    head_repository: owner,
    pull_requests: [],
    run_number: 1,
    event: 'push',
    display_title: 'Docs',
    conclusion: null,
    created_at: at,
    updated_at: at,
  };
}

function jobShape(job: WorkflowJobEntity, at: string) {
  const run = `https://api.github.com/repos/${job.repository}/actions/runs/${job.runId}`;
  return {
    url: `${run}/jobs/${job.id}`,
    run_url: run,
    check_run_url: `${run}/jobs/${job.id}`,
    html_url: run,
    head_sha: NO_COMMIT,
    head_branch: 'main',
    workflow_name: 'Docs',
    runner_group_id: null,
    runner_group_name: null,
    created_at: at,
    started_at: at,
    completed_at: job.status === 'completed' ? at : null,
    id: job.id,
    run_id: Number(job.runId),
    run_attempt: job.attempt,
    node_id: nodeId('CR', job.id),
    name: job.name,
    status: job.status,
    conclusion: job.conclusion,
    runner_id: job.runnerName === null ? null : 1,
    runner_name: job.runnerName,
    labels: ['ubuntu-latest'],
    steps: job.steps.map((step, index) => ({
      ...step,
      number: index + 1,
      started_at: null,
      completed_at: null,
    })),
  };
}
