import * as z from 'zod/mini';
import { protocolError } from '../ground/errors.ts';
import { fieldOf } from '../ground/text/json.ts';
import { type Octokit, type Parameters, readReply } from './client.ts';

/** The most that GitHub gives. */
const PAGE_SIZE = 100;

// Far longer than what people read: a list that never ends must not keep the run busy.
const MAX_PAGES = 100;

/** All items of a list: see `eachOf`. */
export async function listAll<T>(
  octokit: Octokit,
  route: string,
  parameters: Parameters,
  schema: z.ZodMiniType<T>,
): Promise<T[]> {
  const items: T[] = [];
  for await (const item of eachOf(octokit, route, parameters, schema)) items.push(item);
  return items;
}

/**
 * The items of a list, page by page, as far as they are asked for. A list in an object, such as `{
 * total_count, secrets: [] }`, is taken out of it. A page whose link leads to another host is
 * refused. Throws `protocol` for a list without an end: what decides could be on a page that was not
 * read.
 */
export async function* eachOf<T>(
  octokit: Octokit,
  route: string,
  parameters: Parameters,
  schema: z.ZodMiniType<T>,
): AsyncGenerator<T> {
  const asked = { per_page: PAGE_SIZE, ...parameters };
  let next: { readonly route: string; readonly parameters: Parameters } = {
    route,
    parameters: asked,
  };
  let read = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, headers } = await octokit.request(next.route, { ...next.parameters });
    const items = readReply(z.array(schema), listIn(data), route);
    yield* items;
    read += items.length;
    const nextUrl = NEXT.exec(headers.link ?? '')?.[1];
    // Without the header, the list has one page or the server never sends it: then the last page is
    // the first that is not full, if the server does not say that there is more.
    const hasMore = items.length > 0 && read < Number(fieldOf(data, 'total_count'));
    const isShort = items.length < asked.per_page && !hasMore;
    const isLast = headers.link !== undefined || isShort;
    if (nextUrl !== undefined) next = { route: `GET ${nextUrl}`, parameters: {} };
    else if (isLast) return;
    else next = { route, parameters: { ...asked, page: page + 1 } };
  }
  throw protocolError(`The list ${route} has more than ${MAX_PAGES} pages.`);
}

const NEXT = /<([^<>]+)>; *rel="next"/;

function listIn(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  return Object.values(data).find(Array.isArray);
}
