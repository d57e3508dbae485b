import { type Context, Hono } from 'hono';
import { fail, requireKey } from '../auth.ts';
import type { UpdateEntity } from '../entities.ts';
import type { Store } from '../store.ts';

/** Updates of the deployment branch, on request. */
export function updateRoutes(store: Store): Hono {
  const routes = new Hono();
  const missing = (context: Context) => fail(context, 404, 'This endpoint does not exist.');
  routes.use('*', requireKey(store.keys, 'admin'));
  routes.post('/update/:projectId', async (context) => {
    if (!store.behaviour.publishEndpoints) return missing(context);
    if (context.req.param('projectId') !== store.projectId) return fail(context, 404, 'This project does not exist.');
    return context.json({ statusId: (await store.publishing.update()).id }, 202);
  });
  routes.get('/update-status/:statusId', (context) => {
    if (!store.behaviour.publishEndpoints) return missing(context);
    const update = store.publishing.fetch(context.req.param('statusId'));
    return update ? context.json(present(update, store)) : fail(context, 404, 'This update does not exist.');
  });
  return routes;
}

/** Every documented field, except those that are unknown and those that a script hides: such a field is absent, not null. */
function present({ id, createdAt, endedAt, status, commit, script }: UpdateEntity, store: Store) {
  const isOver = endedAt !== undefined;
  const hasFailed = status === 'failure';
  const reported = script.commit === undefined ? commit : { ...commit, sha: script.commit };
  return {
    _id: id,
    projectId: store.projectId,
    createdAt: new Date(createdAt).toISOString(),
    ...(isOver && { endedAt: new Date(endedAt).toISOString() }),
    status: isOver ? status : (script.runningStatus ?? status),
    summary: isOver ? (script.summary ?? (hasFailed ? 'The build failed.' : 'The site was updated.')) : '',
    logs: isOver ? (script.logs ?? ['Reading the branch', hasFailed ? 'The build stopped' : 'Done']) : [],
    subdomain: store.sites.ids()[0] ?? '',
    author: null,
    ...(script.silent !== true && reported !== undefined && { commit: reported }),
    source: 'api',
  };
}
