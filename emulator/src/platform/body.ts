import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { parseJson } from '../../../src/ground/text/json.ts';

type BodyResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/**
 * Reads a JSON body; an invalid one is reported in one line that contains the field. An empty body
 * is `whenEmpty`, if given.
 */
export async function readBody<T>(
  context: Context,
  schema: z.ZodMiniType<T>,
  whenEmpty?: unknown,
): Promise<BodyResult<T>> {
  const text = await context.req.text();
  const json = text === '' ? whenEmpty : parseJson(text);
  if (json === undefined) return { ok: false, error: 'Invalid request: the body must be JSON' };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  const what =
    issue?.code === 'unrecognized_keys' ? `unknown field ${issue.keys.join(', ')}` : issue?.message;
  return {
    ok: false,
    error: `Invalid request: ${field === '' ? 'body' : field}: ${what ?? 'is invalid'}`,
  };
}
