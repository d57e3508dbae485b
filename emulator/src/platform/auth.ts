import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Keys } from './options.ts';

export function fail(context: Context, status: ContentfulStatusCode, error: string): Response {
  return context.json({ error }, status);
}

/** Accepts only one kind of key: 401 for a missing or unknown key, 403 for the other kind. */
export function requireKey(keys: Keys, kind: keyof Keys): MiddlewareHandler {
  const other = kind === 'admin' ? 'assistant' : 'admin';
  return async (context, next) => {
    const key = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    if (key === keys[kind]) return next();
    if (key === keys[other])
      return fail(
        context,
        403,
        `This endpoint needs an ${kind} API key; the ${other} key is not allowed here.`,
      );
    context.header('WWW-Authenticate', 'Bearer');
    return fail(
      context,
      401,
      key === undefined ? 'The API key is missing.' : 'The API key is unknown.',
    );
  };
}
