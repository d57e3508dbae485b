import { createHash, randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { HTTPException } from 'hono/http-exception';
import { CONTROL_PREFIX, controlRoutes } from './control.ts';
import { type App, bearer, notFound, refuse } from './http.ts';
import { addActivityRoutes } from './routes/activity.ts';
import { addCommentRoutes } from './routes/comments.ts';
import { addCommitRoutes } from './routes/commits.ts';
import { addContentRoutes } from './routes/contents.ts';
import { addDeploymentRoutes } from './routes/deployments.ts';
import { addIssueTrackerRoutes } from './routes/issue-tracker.ts';
import { addIssueRoutes } from './routes/issues.ts';
import { addPullRequestRoutes } from './routes/pull-requests.ts';
import { addReactionRoutes } from './routes/reactions.ts';
import { addRepositoryRoutes } from './routes/repositories.ts';
import { addSecretRoutes } from './routes/secrets.ts';
import { addUserRoutes } from './routes/users.ts';
import { addVariableRoutes } from './routes/variables.ts';
import { addShownBodies } from './shown.ts';
import type { Store } from './store.ts';

/** From request to response: works without a port. */
export function createApp(store: Store): App {
  const app: App = new Hono();
  // Before everything else: it has its own headers and permissions.
  app.route(CONTROL_PREFIX, controlRoutes(store));
  const quota = new Quota(store);

  app.use(async (c, next) => {
    await next();
    // https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
    if (c.res.status !== 304) quota.take();
    for (const [name, value] of Object.entries(standingHeaders(store, quota)))
      c.res.headers.set(name, value);
  });
  app.use(async (c, next) => {
    const header = c.req.header('authorization');
    if (header === undefined) throw refuse(401, 'Requires authentication');
    const token = store.token(bearer(header));
    if (!token) throw refuse(401, 'Bad credentials');
    c.set('token', token);
    await next();
  });
  app.use(etag({ weak: true, generateDigest: digestOf }));
  app.use(async (c, next) => {
    await next();
    await addShownBodies(c, store);
  });
  for (const addRoutes of [
    addSecretRoutes,
    addVariableRoutes,
    addRepositoryRoutes,
    addPullRequestRoutes,
    addIssueRoutes,
    addIssueTrackerRoutes,
    addCommentRoutes,
    addReactionRoutes,
    addActivityRoutes,
    addCommitRoutes,
    addDeploymentRoutes,
    addContentRoutes,
    addUserRoutes,
  ]) {
    addRoutes(app, store);
  }
  app.notFound(() => notFound().getResponse());
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    throw error;
  });
  return app;
}

/** In this thread: the default hands each reply to another one, which takes ten times as long. */
function digestOf(body: Uint8Array): ArrayBuffer {
  return new Uint8Array(createHash('sha1').update(body).digest()).buffer;
}

const LIMIT = 5000;
const WINDOW_MS = 3_600_000;

/** The requests of an hour that begins with the first of them, as GitHub counts. */
class Quota {
  resetMs = 0;
  used = 0;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  take(): void {
    if (this.#store.now() >= this.resetMs) {
      this.resetMs = this.#store.now() + WINDOW_MS;
      this.used = 0;
    }
    this.used += 1;
  }
}

function standingHeaders(store: Store, { used, resetMs }: Quota): Record<string, string> {
  return {
    date: new Date(store.now()).toUTCString(),
    server: 'github.com',
    'x-github-media-type': 'github.v3; format=json',
    'x-github-request-id': randomBytes(8).toString('hex').toUpperCase(),
    'x-ratelimit-limit': String(LIMIT),
    'x-ratelimit-remaining': String(Math.max(0, LIMIT - used)),
    'x-ratelimit-used': String(Math.min(LIMIT, used)),
    'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)),
    'x-ratelimit-resource': 'core',
  };
}
