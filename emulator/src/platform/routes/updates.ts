import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { renderSite } from '../../site/render.ts';
import { fail, requireKey } from '../auth.ts';
import { readBody } from '../body.ts';
import type { UpdateEntity } from '../entities.ts';
import { previewName } from '../publishing.ts';
import type { Store } from '../store.ts';
import { refuseOverLimit } from './rate-limit.ts';

/** Where previews are served. */
export const PREVIEW_PREFIX = '/__previews';

const previewBody = z.object({
  branch: z.string('must be a text').check(z.minLength(1, 'must be at least 1 character')),
});

/** Updates of the deployment branch, on request. */
export function updateRoutes(store: Store): Hono {
  const routes = new Hono();
  const missing = (context: Context) => fail(context, 404, 'This endpoint does not exist.');
  routes.use('*', requireKey(store.keys, 'admin'));
  routes.post('/update/:projectId', async (context) => {
    if (!store.behaviour.publishEndpoints) return missing(context);
    if (context.req.param('projectId') !== store.projectId)
      return fail(context, 404, 'This project does not exist.');
    return context.json({ statusId: (await store.publishing.update()).id }, 202);
  });
  routes.post('/preview/:projectId', async (context) => {
    if (!store.behaviour.publishEndpoints) return missing(context);
    if (context.req.param('projectId') !== store.projectId)
      return fail(context, 404, 'This project does not exist.');
    const body = await readBody(context, previewBody);
    if (!body.ok) return fail(context, 400, body.error);
    const { branch } = body.value;
    const use = { key: 'previews', limit: store.behaviour.rateLimits.previews };
    const refused = refuseOverLimit(store, context, use, 'minute');
    if (refused) return refused;
    const { id } = await store.publishing.update(branch);
    const previewUrl = new URL(`${PREVIEW_PREFIX}/${previewName(branch)}/`, context.req.url).href;
    return context.json({ statusId: id, previewUrl }, 202);
  });
  routes.get('/update-status/:statusId', (context) => {
    if (!store.behaviour.publishEndpoints) return missing(context);
    const update = store.publishing.fetch(context.req.param('statusId'));
    return update
      ? context.json(present(update, store))
      : fail(context, 404, 'This update does not exist.');
  });
  return routes;
}

/** Previews as sites that a browser can open: no key is needed. */
export function previewRoutes(store: Store): Hono {
  const routes = new Hono();
  routes.get('/:name/*', async (context) => {
    const name = context.req.param('name');
    const files = store.publishing.previewed(name);
    const site = files && (await renderSite({ name: store.sites.ids()[0] ?? name, files }));
    const path =
      decodeURIComponent(context.req.path.slice(`${PREVIEW_PREFIX}/${name}/`.length)) ||
      'index.html';
    const bytes = site?.get(path) ?? site?.get(`${path}.html`);
    if (bytes === undefined)
      return fail(context, 404, 'This preview does not exist, or is not ready.');
    const type = TYPES[/\.[a-z]+$/.exec(path)?.[0] ?? ''] ?? 'text/html; charset=utf-8';
    return context.body(new Uint8Array(bytes), 200, { 'content-type': type });
  });
  return routes;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};

/**
 * Every documented field, except those that are unknown and those that a script hides: such a field
 * is absent, not null.
 */
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
    summary: isOver
      ? (script.summary ?? (hasFailed ? 'The build failed.' : 'The site was updated.'))
      : '',
    logs: isOver
      ? (script.logs ?? ['Reading the branch', hasFailed ? 'The build stopped' : 'Done'])
      : [],
    subdomain: store.sites.ids()[0] ?? '',
    author: null,
    ...(script.silent !== true && reported !== undefined && { commit: reported }),
    source: 'api',
  };
}
