import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { BASE_PATHS } from '../../../../src/platform/contract.ts';
import { fail, requireKey } from '../auth.ts';
import { readBody } from '../body.ts';
import type { ExportJobEntity } from '../entities.ts';
import { makeLink } from '../export-link.ts';
import type { Store } from '../store.ts';
import { refuseOverLimit } from './rate-limit.ts';
import { refuseStart } from './start-refusal.ts';

const startBody = z.object({
  basePath: z.optional(
    z.enum(BASE_PATHS, `must be one of ${BASE_PATHS.map((path) => `"${path}"`).join(', ')}`),
  ),
});

/** The second revision of the export API: by project. The link is part of the job's own reply. */
export function projectExportJobRoutes(store: Store): Hono {
  const routes = new Hono();
  routes.use('*', requireKey(store.keys, 'admin'));
  routes.post('/:projectId/jobs', async (context) => {
    const body = await readBody(context, startBody, {});
    if (!body.ok) return fail(context, 400, body.error);
    const projectId = context.req.param('projectId');
    const site = store.sites.ids()[0];
    // Of the documented statuses of a start, 403 fits best: the key belongs to another project.
    if (projectId !== store.projectId || site === undefined)
      return fail(context, 403, 'The API key may not export this project.');
    return refuseStart(store, context, site) ?? start(store, context, { site, ...body.value });
  });
  routes.get('/:projectId/jobs/:jobId', async (context) => {
    const { projectId, jobId } = context.req.param();
    const found = store.exports.find(jobId)?.projectId === projectId;
    const job = found ? await store.exports.fetch(jobId) : undefined;
    if (!job) return fail(context, 404, 'This export job does not exist.');
    const link = job.status === 'completed' ? await makeLink(store, job, context.req.url) : {};
    return context.json({ ...present(job), ...link });
  });
  return routes;
}

interface Start {
  readonly site: string;
  readonly basePath?: (typeof BASE_PATHS)[number] | undefined;
}

async function start(store: Store, context: Context, { site, basePath }: Start): Promise<Response> {
  const { projectId, behaviour } = store;
  const active = await store.exports.active(projectId);
  if (active)
    return fail(
      context,
      409,
      `An export of this deployment is running already: job ${active.jobId}.`,
    );
  const refused = refuseOverLimit(store, context, {
    key: 'export starts',
    limit: behaviour.rateLimits.exportStarts,
  });
  if (refused) return refused;
  const order = { domain: site, site, projectId, basePath: basePath ?? behaviour.basePath };
  return context.json(present(store.exports.start(order)), 202);
}

function present({
  jobId,
  status,
  createdAt,
  updatedAt,
  error,
  script,
}: ExportJobEntity): Record<string, unknown> {
  const shown = status === 'running' ? (script.runningStatus ?? status) : status;
  return { jobId, status: shown, createdAt, updatedAt, ...(error !== undefined && { error }) };
}
