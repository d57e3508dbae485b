import { Hono } from 'hono';
import * as z from 'zod/mini';
import { faultSchema } from '../faults.ts';
import { DEPLOYMENT_STATES } from './entities.ts';
import { type AppContext, type AppEnv, bearer, notFound, readBody, refuse } from './http.ts';
import { commentShape } from './routes/comments.ts';
import { pullAsIssue } from './routes/issues.ts';
import { fullRepository, simpleUser } from './shapes.ts';
import type { Store } from './store.ts';

export const CONTROL_PREFIX = '/__emulator';

const text = z.string().check(z.minLength(1));
const number = z.int().check(z.minimum(1));

const files = z.optional(
  z.array(
    z.strictObject({
      filename: text,
      status: z.exactOptional(
        z.enum(['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged']),
      ),
      additions: z.exactOptional(z.int()),
      deletions: z.exactOptional(z.int()),
      patch: z.exactOptional(z.string()),
      previousFilename: z.exactOptional(text),
    }),
  ),
);
const pullRequest = z.strictObject({
  repository: text,
  number: z.optional(number),
  title: z.optional(z.string()),
  body: z.optional(z.string()),
  user: z.optional(text),
  authorAssociation: z.optional(text),
  state: z.optional(z.enum(['open', 'closed'])),
  merged: z.optional(z.boolean()),
  draft: z.optional(z.boolean()),
  locked: z.optional(z.boolean()),
  head: z.optional(z.strictObject({ ref: text, sha: text, repository: z.optional(text) })),
  base: z.optional(z.strictObject({ ref: text, sha: text })),
  files,
});
const comment = z.strictObject({
  repository: text,
  number,
  user: text,
  body: z.string(),
  kind: z.optional(z.enum(['issue', 'review'])),
  authorAssociation: z.optional(text),
  path: z.optional(text),
  line: z.optional(number),
});
/** A comment in the conversation. */
const commandComment = z.strictObject({
  repository: text,
  number,
  user: text,
  body: z.string(),
  authorAssociation: z.optional(text),
});
const label = z.strictObject({
  repository: text,
  number,
  label: text,
  actor: z.nullable(text),
  event: z.optional(z.enum(['labeled', 'unlabeled'])),
});

const deployment = z.strictObject({
  repository: text,
  sha: text,
  creator: text,
  ref: z.optional(text),
  environment: z.optional(text),
  isTransient: z.optional(z.boolean()),
  state: z.optional(z.enum(DEPLOYMENT_STATES)),
});
const commit = z.strictObject({
  repository: text,
  sha: text,
  parent: z.optional(z.nullable(text)),
  message: z.optional(z.string()),
  branch: z.optional(text),
  files,
});

/**
 * For an emulator that runs as a separate process; any of its tokens works. These requests are
 * neither recorded nor given faults. Secrets are shown in plain text: that is the emulator's
 * purpose.
 */
export function controlRoutes(store: Store): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const { settings, conversations, faults } = store;
  routes.use(async (context, next) => {
    if (store.token(bearer(context.req.header('authorization'))) === undefined)
      throw refuse(401, 'Bad credentials');
    await next();
  });
  routes.get('/requests', (context) => context.json(store.requests));
  routes.get('/state', (context) => {
    const { comments, reactions } = conversations;
    const repositories = [...store.repositories.values()].map(({ fullName }) => fullName);
    const pullRequests = conversations.listPullRequests();
    return context.json({
      repositories,
      ...settings.listSettings(),
      pullRequests,
      comments,
      reactions,
    });
  });
  routes.post('/pull-requests', async (context) => {
    const seed = await readSeed(context, store, pullRequest);
    return context.json(conversations.addPullRequest(seed), 201);
  });
  routes.post('/comments', async (context) => {
    const seed = await readSeed(context, store, comment);
    return context.json(conversations.addComment(seed), 201);
  });
  routes.post('/comment-events', async (context) => {
    const seed = await readSeed(context, store, commandComment);
    const pull = conversations.pullRequest(seed.repository, seed.number);
    const repository = store.repository(seed.repository);
    if (pull === undefined || repository === undefined) throw notFound();
    const said = conversations.addComment(seed);
    return context.json(
      {
        action: 'created',
        issue: pullAsIssue(pull),
        comment: commentShape(said),
        repository: fullRepository(repository, store.user(repository.owner)),
        sender: simpleUser(said.user),
      },
      201,
    );
  });
  routes.post('/labels', async (context) => {
    const seed = await readSeed(context, store, label);
    if (conversations.pullRequest(seed.repository, seed.number) === undefined) throw notFound();
    conversations.addLabel(seed);
    return context.json({ labelled: true }, 201);
  });
  routes.post('/deployments', async (context) => {
    return context.json(store.addDeployment(await readSeed(context, store, deployment)), 201);
  });
  routes.post('/commits', async (context) => {
    return context.json(store.commits.add(await readSeed(context, store, commit)), 201);
  });
  routes.post('/faults', async (context) => {
    faults.inject(await readBody(context, faultSchema));
    return context.json({ injected: true }, 201);
  });
  routes.delete('/faults', (context) => {
    faults.clear();
    return context.json({ cleared: true });
  });
  routes.post('/reset', (context) => {
    store.reset();
    return context.json({ reset: true });
  });
  return routes;
}

async function readSeed<T extends { readonly repository: string }>(
  context: AppContext,
  store: Store,
  schema: z.ZodMiniType<T>,
): Promise<T> {
  const seed = await readBody(context, schema);
  if (store.repository(seed.repository) === undefined)
    throw refuse(404, `The repository ${seed.repository} does not exist`);
  return seed;
}
