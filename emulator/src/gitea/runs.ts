import type { Hono } from 'hono';
import { type Admission, refuse, slice } from './admission.ts';
import type { GiteaConversations } from './conversations.ts';

/** Workflow runs and their attempts. */
export function addRunRoutes(app: Hono, path: string, admission: Admission, state: GiteaConversations): void {
  const tasksOf = (name: string) => state.tasks.filter(({ repository }) => repository === name);
  app.get(`${path}/runs/:run`, (c) =>
    admission.in(c, 'repository', (name) => {
      const last = tasksOf(name).findLast(({ runId }) => runId === c.req.param('run'));
      if (last === undefined) return refuse(c, 404, 'run does not exist');
      const isOver = last.status !== 'running';
      return c.json({
        id: Number(last.runId),
        run_number: last.runNumber,
        status: isOver ? 'completed' : 'in_progress',
      });
    }),
  );
  app.get(`${path}/runs/:run/jobs`, (c) =>
    admission.in(c, 'repository', (name) => {
      const last = tasksOf(name).findLast(({ runId }) => runId === c.req.param('run'));
      const status = last?.status === 'running' ? 'in_progress' : 'completed';
      return c.json({ jobs: last === undefined ? [] : [{ id: 1, name: last.name, status, runner_name: 'tests' }] });
    }),
  );
  app.get(`${path}/tasks`, (c) =>
    admission.in(c, 'repository', (name) => {
      const all = tasksOf(name).toReversed();
      const shown = all.map(({ id, name: job, runNumber, status }) => ({
        id,
        name: job,
        run_number: runNumber,
        status,
      }));
      return c.json({ workflow_runs: slice(c, shown), total_count: all.length });
    }),
  );
}
