import { Hono } from 'hono';
import * as z from 'zod/mini';
import { fail, requireKey } from '../auth.ts';
import { readBody } from '../body.ts';
import type { ExportJobEntity } from '../entities.ts';
import { makeLink } from '../export-link.ts';
import type { Store } from '../store.ts';
import { refuseStart } from './start-refusal.ts';

const HOST =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const hostText = 'must be a host name without a path, such as docs.example.com';
const pathText = 'must be a page path without a leading slash, such as guides/getting-started';

const startBody = z.object({
  domain: z
    .string('must be a text')
    .check(z.minLength(1, 'must not be empty'), z.regex(HOST, hostText)),
  version: z.optional(z.string('must be a text').check(z.minLength(1, 'must not be empty'))),
  paths: z.optional(
    z.array(z.string('must be a text').check(z.regex(/^[^/].*$/, pathText)), 'must be a list'),
  ),
});

/** The first revision of the export API: by domain. */
export function exportJobRoutes(store: Store): Hono {
  const routes = new Hono();
  const admin = requireKey(store.keys, 'admin');
  const find = (jobId: string) => ofDomain(store.exports.find(jobId));
  routes.post('/', admin, async (context) => {
    const body = await readBody(context, startBody);
    if (!body.ok) return fail(context, 400, body.error);
    const { domain, version, paths } = body.value;
    const site = store.sites.resolve(domain);
    // Of the documented statuses of a start, 400 fits best.
    if (site === undefined)
      return fail(
        context,
        400,
        `Invalid request: domain: documentation site ${domain} does not exist`,
      );
    const refused = refuseStart(store, context, site);
    if (refused) return refused;
    const missing = await store.sites.findMissing(site, { version, paths });
    if (missing !== undefined) return fail(context, 400, `Invalid request: ${missing}`);
    return context.json(present(store.exports.start({ domain, site, version, paths })), 202);
  });
  routes.get('/:jobId', admin, async (context) => {
    const job =
      find(context.req.param('jobId')) && (await store.exports.fetch(context.req.param('jobId')));
    return job ? context.json(present(job)) : fail(context, 404, 'This export job does not exist.');
  });
  routes.post('/:jobId/bundle', admin, async (context) => {
    const job = find(context.req.param('jobId'));
    if (!job) return fail(context, 404, 'This export job does not exist.');
    if (job.status !== 'completed')
      return fail(context, 409, `The job is ${job.status}; a bundle needs a completed one.`);
    return context.json({ jobId: job.jobId, ...(await makeLink(store, job, context.req.url)) });
  });
  return routes;
}

function ofDomain(job: ExportJobEntity | undefined): ExportJobEntity | undefined {
  return job?.projectId === undefined ? job : undefined;
}

/** Every documented field in every state, except those that a script hides. */
function present(job: ExportJobEntity): Record<string, unknown> {
  const { jobId, status, progress, pageCount, createdAt, updatedAt, error = null, script } = job;
  const times = { createdAt, updatedAt };
  if (status !== 'running') return { jobId, status, progress, pageCount, ...times, error };
  const shown = script.runningStatus ?? status;
  return script.silent === true
    ? { jobId, status: shown, ...times }
    : { jobId, status: shown, progress, pageCount, ...times, error };
}
