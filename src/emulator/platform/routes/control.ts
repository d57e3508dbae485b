import { Hono } from 'hono';
import { requireKey } from '../auth.ts';
import type { Store } from '../store.ts';

export const CONTROL_PREFIX = '/__emulator';

/** For whoever runs the emulator as a process of its own; the requests here are neither recorded nor met by faults. */
export function controlRoutes(store: Store): Hono {
  const routes = new Hono();
  routes.use('*', requireKey(store.keys, 'admin'));
  routes.get('/requests', (context) => context.json(store.requests));
  routes.get('/state', (context) => {
    const { agents, exports, shelf, behaviour, projectId } = store;
    const sites = shelf.ids();
    return context.json({
      projectId,
      sites,
      behaviour,
      exportJobs: exports.jobs,
      agentJobs: agents.jobs,
      messages: agents.messages,
    });
  });
  routes.post('/reset', (context) => {
    store.reset();
    return context.json({ reset: true });
  });
  return routes;
}
