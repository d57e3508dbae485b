import { Hono } from 'hono';
import * as z from 'zod/mini';
import { BASE_PATHS } from '../../../../src/platform/contract.ts';
import { faultSchema } from '../../faults.ts';
import { fail, requireKey } from '../auth.ts';
import { readBody } from '../body.ts';
import { EXPIRES_AT_FORMATS, PLANS } from '../options.ts';
import type { Store } from '../store.ts';

export const CONTROL_PREFIX = '/__emulator';

const whole = z.int().check(z.minimum(0));
const advance = z.discriminatedUnion('advance', [
  z.strictObject({ advance: z.literal('time'), durationMs: whole }),
  z.strictObject({ advance: z.literal('poll'), polls: z.int().check(z.minimum(1)) }),
]);

const push = z.strictObject({
  site: z.optional(z.string()),
  sha: z.string().check(z.regex(/^[0-9a-f]{40}$/, 'must be 40 hexadecimal digits')),
  message: z.optional(z.string()),
  branch: z.optional(z.string()),
});

const rollback = z.strictObject({ site: z.optional(z.string()) });

/** What `GET /state` returns as `behaviour`; each part can be changed separately. */
const behaviourChange = z.strictObject({
  exportJobs: z.optional(advance),
  exportScript: z.optional(
    z.strictObject({
      outcome: z.optional(z.enum(['completed', 'failed'])),
      error: z.optional(z.string()),
      silent: z.optional(z.boolean()),
      runningStatus: z.optional(z.string()),
      stalled: z.optional(z.boolean()),
    }),
  ),
  agentJobs: z.optional(advance),
  agentScript: z.optional(
    z.strictObject({
      outcome: z.optional(z.enum(['completed', 'archived', 'failed'])),
      prLink: z.optional(z.nullable(z.string())),
      staleFetches: z.optional(whole),
    }),
  ),
  agentSource: z.optional(z.strictObject({ repository: z.string(), ref: z.nullable(z.string()) })),
  linkLifetimeMs: z.optional(whole),
  expiresAt: z.optional(z.enum(EXPIRES_AT_FORMATS)),
  plan: z.optional(z.enum(PLANS)),
  privateSites: z.optional(z.array(z.string())),
  basePath: z.optional(z.enum(BASE_PATHS)),
  rateLimits: z.optional(
    z.strictObject({ messages: whole, searches: whole, exportStarts: whole, previews: whole }),
  ),
  searchLag: z.optional(z.strictObject({ ms: z.optional(whole), searches: z.optional(whole) })),
  publishLagMs: z.optional(whole),
  updateScript: z.optional(
    z.strictObject({
      outcome: z.optional(z.enum(['success', 'failure'])),
      summary: z.optional(z.string()),
      logs: z.optional(z.array(z.string())),
      commit: z.optional(z.string()),
      silent: z.optional(z.boolean()),
      runningStatus: z.optional(z.string()),
      stalled: z.optional(z.boolean()),
    }),
  ),
  publishEndpoints: z.optional(z.boolean()),
});

/**
 * For an emulator that runs as a separate process; these requests are neither recorded nor given
 * faults.
 */
export function controlRoutes(store: Store): Hono {
  const routes = new Hono();
  const isSite = (id: string | undefined) => id === undefined || store.sites.ids().includes(id);
  routes.use('*', requireKey(store.keys, 'admin'));
  routes.get('/requests', (context) => context.json(store.requests));
  routes.get('/state', (context) => {
    const { agents, exports, publishing, sites, behaviour, projectId } = store;
    return context.json({
      projectId,
      sites: sites.ids(),
      behaviour,
      exportJobs: exports.jobs,
      agentJobs: agents.jobs,
      messages: agents.messages,
      updates: publishing.updates,
    });
  });
  routes.post('/faults', async (context) => {
    const body = await readBody(context, faultSchema);
    if (!body.ok) return fail(context, 400, body.error);
    store.faults.inject(body.value);
    return context.json({ injected: true }, 201);
  });
  routes.delete('/faults', (context) => {
    store.faults.clear();
    return context.json({ cleared: true });
  });
  routes.patch('/behaviour', async (context) => {
    const body = await readBody(context, behaviourChange);
    if (!body.ok) return fail(context, 400, body.error);
    Object.assign(store.behaviour, body.value);
    return context.json(store.behaviour);
  });
  routes.post('/pushes', async (context) => {
    const body = await readBody(context, push);
    if (!body.ok) return fail(context, 400, body.error);
    await store.publishing.push(body.value);
    return context.json({ pushed: true }, 201);
  });
  routes.post('/rollbacks', async (context) => {
    const body = await readBody(context, rollback);
    if (!body.ok) return fail(context, 400, body.error);
    if (!isSite(body.value.site)) return fail(context, 404, 'This site does not exist.');
    await store.publishing.rollBack(body.value);
    return context.json({ rolledBack: true }, 201);
  });
  routes.delete('/rollbacks', (context) => {
    for (const site of store.sites.ids()) store.publishing.returnToLatest(site);
    return context.json({ rolledBack: false });
  });
  routes.post('/reset', (context) => {
    store.reset();
    return context.json({ reset: true });
  });
  return routes;
}
