import * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import { describeIssues } from '../http/json.ts';
import type { Octokit } from './client.ts';

/**
 * What a reply of GitHub says, as the schema has it; `protocol` where a field is missing or of another kind, naming route
 * and field. `route` is such as `GET /repos/{owner}/{repo}`.
 */
export function readReply<T>(schema: z.ZodMiniType<T>, data: unknown, route?: string): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new CourierError({
    code: 'protocol',
    message: `GitHub's reply${route === undefined ? '' : ` to ${route}`} does not fit: ${describeIssues(result.error.issues)}.`,
    hint: 'If a proxy is between the runner and GitHub, check whether it changes replies.',
    // The call itself was answered: a write took place.
    mayHaveStarted: true,
  });
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Makes one call and reads its JSON: `getJson(octokit, 'GET /repos/{owner}/{repo}', { owner, repo }, z.object({ id: z.number() }))`.
 * For every method; throws what the call throws, and `protocol` where the reply does not fit.
 */
export async function getJson<T>(
  octokit: Octokit,
  route: string,
  parameters: Parameters,
  schema: z.ZodMiniType<T>,
): Promise<T> {
  const { data } = await octokit.request(route, { ...parameters });
  return readReply(schema, data, route);
}

interface Listed<T> {
  readonly items: T[];
  /** False: there were more than `maxItems`. */
  readonly isComplete: boolean;
}

const PAGE_SIZE = 100;

/**
 * All items of a list, page by page along GitHub's `link` headers, at most `maxItems`. A list in an object, such as
 * `{ total_count, secrets: [] }`, is taken out of it. A page whose link leads to another host is refused.
 */
export async function listAll<T>(
  octokit: Octokit,
  route: string,
  parameters: Parameters,
  schema: z.ZodMiniType<T>,
  maxItems = 10_000,
): Promise<Listed<T>> {
  const page = z.array(schema);
  const items: T[] = [];
  for await (const { data } of octokit.paginate.iterator(route, { per_page: PAGE_SIZE, ...parameters })) {
    items.push(...readReply(page, data, route));
    if (items.length > maxItems) return { items: items.slice(0, maxItems), isComplete: false };
  }
  return { items, isComplete: true };
}
