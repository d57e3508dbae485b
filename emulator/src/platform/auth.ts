import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Keys } from './options.ts';

export function fail(context: Context, status: ContentfulStatusCode, error: string): Response {
  return context.json({ error }, status);
}

/** Lets only the key of one kind through: 401 for none or an unknown one, 403 for the other kind. */
export function requireKey(keys: Keys, kind: keyof Keys): MiddlewareHandler {
  const other = kind === 'admin' ? 'assistant' : 'admin';
  return async (context, next) => {
    const key = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    if (key === keys[kind]) return next();
    if (key === keys[other])
      return fail(context, 403, `This endpoint needs an ${kind} API key; the ${other} key is not allowed here.`);
    context.header('WWW-Authenticate', 'Bearer');
    return fail(context, 401, key === undefined ? 'An API key is missing.' : 'The API key is not known.');
  };
}
