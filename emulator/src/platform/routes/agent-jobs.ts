import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { fail, requireKey } from '../auth.ts';
import { readBody } from '../body.ts';
import type { AgentJobEntity } from '../entities.ts';
import type { Store } from '../store.ts';
import { refuseOverLimit } from './rate-limit.ts';

const promptBody = z.object({
  prompt: z.string('must be a text').check(z.minLength(1, 'must be at least 1 character')),
});

export function agentJobRoutes(store: Store): Hono {
  const routes = new Hono();
  routes.use('/:projectId/*', requireKey(store.keys, 'admin'));
  routes.post('/:projectId/job', async (context) => {
    // Of the documented statuses, 400 fits best.
    if (!isOurs(store, context))
      return fail(context, 400, 'Invalid request: the project does not exist.');
    const body = await readBody(context, promptBody);
    if (!body.ok) return fail(context, 400, body.error);
    return (
      refuseUse(store, context) ??
      context.json(present(store.agents.create(body.value.prompt)), 201)
    );
  });
  routes.get('/:projectId/job/:id', (context) => {
    const job = isOurs(store, context) ? store.agents.fetch(context.req.param('id')) : undefined;
    return job ? context.json(present(job)) : fail(context, 404, 'Job not found.');
  });
  routes.post('/:projectId/job/:id/message', async (context) => {
    const job = isOurs(store, context) ? store.agents.find(context.req.param('id')) : undefined;
    if (!job) return fail(context, 404, 'Job not found.');
    const body = await readBody(context, promptBody);
    if (!body.ok) return fail(context, 400, body.error);
    // Not documented; of the documented statuses, 400 fits best.
    if (job.status === 'archived')
      return fail(context, 400, 'Invalid request: the job is archived.');
    return (
      refuseUse(store, context) ?? context.json(present(store.agents.send(job, body.value.prompt)))
    );
  });
  return routes;
}

function refuseUse(store: Store, context: Context): Response | undefined {
  const { projectId, behaviour } = store;
  return refuseOverLimit(store, context, {
    key: `messages ${projectId}`,
    limit: behaviour.rateLimits.messages,
  });
}

function isOurs(store: Store, context: Context): boolean {
  return context.req.param('projectId') === store.projectId;
}

function present({ script: _, ...job }: AgentJobEntity): Omit<AgentJobEntity, 'script'> {
  return job;
}
