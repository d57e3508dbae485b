import { Hono } from 'hono';
import { fail } from './auth.ts';
import { STORAGE_PREFIX } from './bundle-store.ts';
import { agentJobRoutes } from './routes/agent-jobs.ts';
import { CONTROL_PREFIX, controlRoutes } from './routes/control.ts';
import { exportJobRoutes } from './routes/export-jobs.ts';
import { projectExportJobRoutes } from './routes/project-export-jobs.ts';
import { searchRoutes } from './routes/search.ts';
import { storageRoutes } from './routes/storage.ts';
import { PREVIEW_PREFIX, previewRoutes, updateRoutes } from './routes/updates.ts';
import type { Store } from './store.ts';

type App = (request: Request) => Response | Promise<Response>;

/** The platform as a function from request to reply; it does not use sockets. */
export function createApp(store: Store): App {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    // The platform's own clock: links and jobs use it.
    context.res.headers.set('date', new Date(store.clock.now()).toUTCString());
  });
  app.route('/v2/agent', agentJobRoutes(store));
  app.route('/discovery/v1/search', searchRoutes(store));
  app.route('/v1/static-export/jobs', exportJobRoutes(store));
  app.route('/v1/static-export', projectExportJobRoutes(store));
  app.route('/v1/project', updateRoutes(store));
  app.route(PREVIEW_PREFIX, previewRoutes(store));
  app.route(STORAGE_PREFIX, storageRoutes(store));
  app.route(CONTROL_PREFIX, controlRoutes(store));
  app.notFound((context) => fail(context, 404, 'This endpoint does not exist.'));
  app.onError((error, context) => fail(context, 500, `The emulator failed: ${error.message}`));
  return (request) => app.fetch(request);
}
