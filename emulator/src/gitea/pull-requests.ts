import type { Context, Hono } from 'hono';
import { type Admission, page, refuse, serverOf } from './admission.ts';
import { addCommentRoutes } from './comments.ts';
import type { GiteaConversations, GiteaPull } from './conversations.ts';
import { addRunRoutes } from './runs.ts';
import type { GiteaToken } from './settings.ts';
import { diffText, fileShape, pullShape, repositoryShape, timestamp, userShape } from './shapes.ts';

const NO_ADMIN =
  'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own';

/** The part of Gitea's REST API that reads and answers the agent's pull request. */
export function addPullRequestRoutes(app: Hono, admission: Admission, state: GiteaConversations): void {
  const repository = '/api/v1/repos/:owner/:repo';
  app.get('/api/v1/user', (c) => admission.as(c, 'user', (token) => c.json(userShape(state.userOf(token)))));
  app.get(repository, (c) =>
    admission.in(c, 'repository', (name, { login }) => {
      const admin = ['admin', 'owner'].includes(state.permission(name, login));
      return c.json({ ...repositoryShape(name, state.isPrivate(name)), permissions: { admin, pull: true } });
    }),
  );
  app.get(`${repository}/collaborators/:login`, (c) =>
    admission.in(c, 'repository', (name) => {
      const user = state.findUser(c.req.param('login'));
      if (user === undefined || user.id < 0) return refuse(c, 422, 'user does not exist');
      return state.isCollaborator(name, user.login) ? c.body(null, 204) : refuse(c, 404, 'not found');
    }),
  );
  app.get(`${repository}/collaborators/:login/permission`, (c) =>
    admission.in(c, 'repository', (name, token) => permission(c, name, token, state)),
  );
  app.get(`${repository}/branches/:name`, (c) =>
    admission.in(c, 'repository', (name) =>
      c.req.param('name') === 'main'
        ? c.json({ name: 'main', commit: { id: state.files.commit(name) } })
        : refuse(c, 404, 'not found'),
    ),
  );
  app.get(`${repository}/contents/:path{.+}`, (c) =>
    admission.in(c, 'repository', (name) => {
      const found = state.files.contents(name, c.req.param('path'), c.req.query('ref') ?? 'main', 'main');
      return found === undefined ? refuse(c, 404, 'not found') : c.json(found);
    }),
  );
  app.get(`${repository}/commits/:sha/pull`, (c) =>
    admission.in(c, 'repository', (name) => {
      const sha = c.req.param('sha');
      const pull = state.pulls.find((one) => one.repository === name && one.mergeCommitSha === sha);
      return pull === undefined ? refuse(c, 404, 'not found') : c.json(pullShape(serverOf(c), pull, state));
    }),
  );
  addPulls(app, `${repository}/pulls`, admission, state);
  addCommentRoutes(app, `${repository}/issues`, admission, state);
  addRunRoutes(app, `${repository}/actions`, admission, state);
}

function addPulls(app: Hono, path: string, admission: Admission, state: GiteaConversations): void {
  const reviewComments = (pull: GiteaPull) =>
    state.reviewComments.filter((one) => one.repository === pull.repository && one.number === pull.number);

  app.get(`${path}/:number`, (c) => {
    const isDiff = c.req.param('number').endsWith('.diff');
    return admission.onPull(c, 'repository', (pull) =>
      isDiff ? c.text(diffText(pull)) : c.json(pullShape(serverOf(c), pull, state)),
    );
  });
  app.get(`${path}/:number/files`, (c) =>
    admission.onPull(c, 'repository', (pull) =>
      page(
        c,
        pull.files.map((file) => fileShape(serverOf(c), pull, file)),
      ),
    ),
  );
  app.get(`${path}/:number/reviews`, (c) =>
    admission.onPull(c, 'repository', (pull) =>
      page(
        c,
        reviewComments(pull).map(({ reviewId }) => ({ id: reviewId, comments_count: 1 })),
      ),
    ),
  );
  app.get(`${path}/:number/reviews/:id/comments`, (c) =>
    admission.onPull(c, 'repository', (pull) => {
      const own = reviewComments(pull).filter(({ reviewId }) => reviewId === Number(c.req.param('id')));
      return c.json(
        own.map((one) => ({
          id: one.id,
          body: one.body,
          user: userShape(one.user),
          path: one.path,
          position: one.line,
          original_position: 0,
          diff_hunk: one.hunk,
          html_url: `${serverOf(c)}/${pull.repository}/pulls/${pull.number}#issuecomment-${one.id}`,
          created_at: timestamp(one.createdAt),
          updated_at: timestamp(one.createdAt),
        })),
      );
    }),
  );
}

function permission(c: Context, name: string, token: GiteaToken, state: GiteaConversations): Response {
  const login = c.req.param('login') ?? '';
  const own = state.permission(name, token.login);
  const isSelf = token.login.toLowerCase() === login.toLowerCase();
  if (!isSelf && own !== 'admin' && own !== 'owner') return refuse(c, 403, NO_ADMIN);
  const user = state.findUser(login);
  if (user === undefined) return refuse(c, 404, `user does not exist [uid: 0, name: ${login}]`);
  const rank = state.permission(name, login);
  return c.json({ permission: rank, role_name: rank, user: userShape(user) });
}
