import { Hono } from 'hono';
import * as z from 'zod/mini';
import { PAGE_SIZE, SCORE_THRESHOLD } from '../../../../src/platform/contract.ts';
import { fail, requireKey } from '../auth.ts';
import { readBody } from '../body.ts';
import type { Store } from '../store.ts';
import { refuseOverLimit } from './rate-limit.ts';

const pageSizeText = `must be a whole number from ${PAGE_SIZE.min} to ${PAGE_SIZE.max}`;
const scoreText = `must be a number from ${SCORE_THRESHOLD.min} to ${SCORE_THRESHOLD.max}`;
const pageSize = z
  .int({ error: pageSizeText })
  .check(z.minimum(PAGE_SIZE.min, pageSizeText), z.maximum(PAGE_SIZE.max, pageSizeText));
const scoreThreshold = z
  .number({ error: scoreText })
  .check(z.minimum(SCORE_THRESHOLD.min, scoreText), z.maximum(SCORE_THRESHOLD.max, scoreText));

const searchBody = z.object({
  query: z.string('must be a text').check(z.regex(/\S/, 'must not be empty')),
  pageSize: z.optional(pageSize),
  scoreThreshold: z.optional(scoreThreshold),
  filter: z.optional(
    z.object({
      version: z.optional(z.string()),
      language: z.optional(z.string()),
      tag: z.optional(z.string()),
      groups: z.optional(z.array(z.string())),
    }),
  ),
});

export function searchRoutes(store: Store): Hono {
  const routes = new Hono();
  routes.post('/:domain', requireKey(store.keys, 'assistant'), async (context) => {
    const body = await readBody(context, searchBody);
    if (!body.ok) return fail(context, 400, body.error);
    const site = context.req.param('domain');
    if (!store.sites.ids().includes(site))
      return fail(context, 404, 'This documentation site does not exist.');
    const use = { key: 'searches', limit: store.behaviour.rateLimits.searches };
    const refused = refuseOverLimit(store, context, use);
    return refused ?? context.json((await store.sites.searched(site)).search(body.value));
  });
  return routes;
}
