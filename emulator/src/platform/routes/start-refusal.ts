import type { Context } from 'hono';
import { fail } from '../auth.ts';
import type { Store } from '../store.ts';

/**
 * Why a site cannot be exported, whatever the request says: the plan, or a login in front of the
 * site.
 */
export function refuseStart(store: Store, context: Context, site: string): Response | undefined {
  if (store.behaviour.plan === 'free')
    return fail(
      context,
      402,
      'Static export requires an Enterprise plan; this organization is on the Free plan.',
    );
  if (store.behaviour.privateSites.includes(site))
    return fail(context, 403, 'Sites that require a login cannot be exported.');
  return undefined;
}
