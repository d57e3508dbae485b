import type { Context } from 'hono';
import { fail } from '../auth.ts';
import type { Store } from '../store.ts';

/** Counts one use, or returns 429 with the seconds until the next one is free. */
export function refuseOverLimit(
  store: Store,
  context: Context,
  use: { readonly key: string; readonly limit: number },
  per: 'hour' | 'minute' = 'hour',
): Response | undefined {
  const uses = per === 'hour' ? store.hourlyUses : store.minuteUses;
  const waitMs = uses.take({ ...use, now: store.clock.now() });
  if (waitMs === undefined) return undefined;
  context.header('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1000))));
  return fail(context, 429, `Rate limit exceeded (${use.limit} uses per ${per}).`);
}
