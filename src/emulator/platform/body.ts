import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { parseJson } from '../../text/json.ts';

export type BodyResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

/** Reads a JSON body; what does not fit is told in one line that names the field. */
export async function readBody<T>(context: Context, schema: z.ZodMiniType<T>): Promise<BodyResult<T>> {
  const json = parseJson(await context.req.text());
  if (json === undefined) return { ok: false, error: 'Invalid request: the body must be JSON' };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  return { ok: false, error: `Invalid request: ${field === '' ? 'body' : field}: ${issue?.message ?? 'does not fit'}` };
}
