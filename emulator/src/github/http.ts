import type { Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod/mini';
import type { Token } from './ground.ts';

/** What every handler has in its context. */
export interface AppEnv {
  Bindings: {
    /**
     * Address that the caller used for the API, with the prefix of GitHub Enterprise Server if it
     * used one.
     */
    base: string;
  };
  Variables: { token: Token };
}

export type App = Hono<AppEnv>;
export type AppContext = Context<AppEnv>;

const DOCS = 'https://docs.github.com/rest';

/** Ends a request with an error in GitHub's format. */
export function refuse(
  status: ContentfulStatusCode,
  message: string,
  details: Record<string, unknown> = {},
): HTTPException {
  const body = { message, ...details, documentation_url: DOCS, status: String(status) };
  const init = { status, headers: { 'content-type': 'application/json; charset=utf-8' } };
  return new HTTPException(status, { message, res: new Response(JSON.stringify(body), init) });
}

export function notFound(): HTTPException {
  return refuse(404, 'Not Found');
}

export function invalid(message: string): HTTPException {
  return refuse(422, 'Validation Failed', { errors: [{ message, code: 'custom' }] });
}

/** The request's body, validated: 400 if it is not JSON, 422 if it is invalid. */
export async function readBody<T>(c: AppContext, schema: z.ZodMiniType<T>): Promise<T> {
  let body: unknown;
  try {
    body = await c.req.json();
  } catch {
    throw refuse(400, 'Problems parsing JSON');
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const what =
      issue?.code === 'unrecognized_keys'
        ? `unknown field ${issue.keys.join(', ')}`
        : issue?.message;
    throw refuse(
      422,
      `Invalid request.\n\n${issue?.path.join('.') ?? ''}: ${what ?? 'does not fit'}`,
    );
  }
  return parsed.data;
}

export function timestamp(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** GitHub's opaque ids; it only matters that they are strings. */
export function nodeId(kind: string, id: number): string {
  return `${kind}_${Buffer.from(String(id)).toString('base64url')}`;
}

interface Page<T> {
  readonly items: T[];
  readonly total: number;
}

/** One page of a list, according to `per_page` and `page`; sets the Link header. */
export function paginate<T>(
  c: AppContext,
  all: readonly T[],
  { usual = 30, most = 100 } = {},
): Page<T> {
  const size = Math.min(readCount(c.req.query('per_page'), usual), most);
  const page = readCount(c.req.query('page'), 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const links: string[] = [];
  const link = (rel: string, number: number) => {
    const url = new URL(c.env.base + c.req.path);
    for (const [name, value] of Object.entries(c.req.query())) url.searchParams.set(name, value);
    url.searchParams.set('page', String(number));
    links.push(`<${url}>; rel="${rel}"`);
  };
  if (page > 1) link('prev', Math.min(page - 1, last));
  if (page < last) {
    link('next', page + 1);
    link('last', last);
  }
  if (page > 1) link('first', 1);
  if (links.length > 0) c.header('link', links.join(', '));
  return { items: all.slice((page - 1) * size, page * size), total: all.length };
}

function readCount(text: string | undefined, otherwise: number): number {
  return /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : otherwise;
}

/** A path parameter that must be a positive number; anything else is a 404. */
export function readNumber(c: AppContext, name: string): number {
  const text = c.req.param(name) ?? '';
  if (!/^[1-9]\d{0,15}$/.test(text)) throw notFound();
  return Number(text);
}

/** The token of `Authorization: Bearer …` or the older `token …`. */
export function bearer(header: string | undefined): string | undefined {
  return /^(?:bearer|token) +(\S+)$/i.exec(header ?? '')?.[1];
}
