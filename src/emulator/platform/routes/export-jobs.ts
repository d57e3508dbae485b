import { Hono } from 'hono';
import * as z from 'zod/mini';
import { fail, requireKey } from '../auth.ts';
import { readBody } from '../body.ts';
import type { ExportJobEntity } from '../entities.ts';
import { bundleKey } from '../export-jobs.ts';
import type { ExpiresAtFormat } from '../options.ts';
import type { Store } from '../store.ts';

const startBody = z.object({ domain: z.string('must be a text').check(z.minLength(1, 'must not be empty')) });

export function exportJobRoutes(store: Store): Hono {
  const routes = new Hono();
  const admin = requireKey(store.keys, 'admin');
  routes.post('/', admin, async (context) => {
    const body = await readBody(context, startBody);
    if (!body.ok) return fail(context, 400, body.error);
    const site = store.shelf.resolve(body.value.domain);
    if (site === undefined) return fail(context, 404, 'There is no documentation site with this domain.');
    const { jobId, status } = store.exports.start(body.value.domain, site);
    return context.json({ jobId, status }, 202);
  });
  routes.get('/:jobId', admin, async (context) => {
    const job = await store.exports.fetch(context.req.param('jobId'));
    return job ? context.json(present(job)) : fail(context, 404, 'There is no such export job.');
  });
  routes.post('/:jobId/bundle', admin, async (context) => {
    const job = store.exports.find(context.req.param('jobId'));
    if (!job) return fail(context, 404, 'There is no such export job.');
    if (job.status !== 'completed')
      return fail(context, 409, `The job is ${job.status}; a bundle needs a completed one.`);
    job.links += 1;
    const expires = store.clock.now() + store.behaviour.linkLifetimeMs;
    const { origin } = new URL(context.req.url);
    const bundleUrl = await store.bundles.presign({ key: bundleKey(job), expires, origin });
    return context.json({ bundleUrl, expiresAt: formatInstant(expires, store.behaviour.expiresAt) });
  });
  return routes;
}

/** Only what the documentation shows: `progress` and `pageCount` while the job runs. `error` is a kindness to the reader. */
function present(job: ExportJobEntity): Record<string, unknown> {
  const { jobId, progress, pageCount, script } = job;
  switch (job.status) {
    case 'completed':
    case 'queued':
      return { jobId, status: job.status };
    case 'failed':
      return { jobId, status: job.status, error: job.error };
    case 'running':
    case 'packaging': {
      const status = script.runningStatus ?? job.status;
      return script.silent ? { jobId, status } : { jobId, status, progress, pageCount };
    }
    default:
      return job.status satisfies never;
  }
}

function formatInstant(ms: number, format: ExpiresAtFormat): string | number | undefined {
  const iso = new Date(ms).toISOString();
  switch (format) {
    case 'iso':
      return iso;
    case 'epoch-seconds':
      return Math.floor(ms / 1000);
    case 'epoch-milliseconds':
      return ms;
    case 'local-time':
      return iso.replace('Z', '');
    case 'garbage':
      return 'next tuesday';
    case 'missing':
      return undefined;
    default:
      return format satisfies never;
  }
}
