import type { ActivityEntity, WorkflowJobEntity } from '../entities.ts';
import { type App, invalid, nodeId, notFound, paginate, timestamp } from '../http.ts';
import { useRepository } from '../rights.ts';
import { simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';

const PERIOD_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };
const DAY_MS = 86_400_000;

/** The activity of branches, and the jobs of a run. */
export function addActivityRoutes(app: App, store: Store): void {
  app.get('/repos/:owner/:repo/activity', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['contents'] });
    const { ref, actor, activity_type: type, time_period: period, direction = 'desc' } = c.req.query();
    const days = period === undefined ? Number.POSITIVE_INFINITY : PERIOD_DAYS[period];
    if (days === undefined) throw invalid('Invalid time_period');
    const own = store.conversations.activities
      .filter((one) => one.repository.toLowerCase() === repository.fullName.toLowerCase())
      .filter((one) => ref === undefined || one.ref === ref || one.ref === `refs/heads/${ref}`)
      .filter((one) => actor === undefined || one.actor.login.toLowerCase() === actor.toLowerCase())
      .filter((one) => type === undefined || one.type === type)
      .filter((one) => one.at > store.now() - days * DAY_MS)
      .sort((a, b) => (direction === 'asc' ? a.at - b.at || a.id - b.id : b.at - a.at || b.id - a.id));
    return c.json(paginate(c, own).items.map(activityShape));
  });
  app.get('/repos/:owner/:repo/actions/runs/:run', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['actions'] });
    const own = store.conversations.workflowJobs.filter(
      ({ repository: name, runId }) => name === repository.fullName && runId === c.req.param('run'),
    );
    if (own.length === 0) throw notFound();
    const attempt = Math.max(...own.map((job) => job.attempt));
    const isOver = own.filter((job) => job.attempt === attempt).every(({ status }) => status === 'completed');
    return c.json({
      id: Number(c.req.param('run')),
      run_attempt: attempt,
      status: isOver ? 'completed' : 'in_progress',
    });
  });
  app.get('/repos/:owner/:repo/actions/runs/:run/attempts/:attempt/jobs', (c) => {
    const repository = useRepository(c, store, { level: 'read', anyOf: ['actions'] });
    const own = store.conversations.workflowJobs.filter(
      (job) =>
        job.repository.toLowerCase() === repository.fullName.toLowerCase() &&
        job.runId === c.req.param('run') &&
        String(job.attempt) === c.req.param('attempt'),
    );
    const { items, total } = paginate(c, own);
    return c.json({ total_count: total, jobs: items.map(jobShape) });
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

function jobShape(job: WorkflowJobEntity) {
  return {
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
    steps: job.steps.map((step, index) => ({ ...step, number: index + 1, started_at: null, completed_at: null })),
  };
}
