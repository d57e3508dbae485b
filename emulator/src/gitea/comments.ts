import type { Context, Hono } from 'hono';
import { type Admission, bodyOf, page, refuse, serverOf } from './admission.ts';
import type { GiteaConversations } from './conversations.ts';
import type { GiteaToken } from './settings.ts';
import { commentShape, timelineShape, timestamp, userShape } from './shapes.ts';

/** Comments below pull requests and issues, and reactions to them. */
export function addCommentRoutes(app: Hono, path: string, admission: Admission, state: GiteaConversations): void {
  const isOnPull = ({ repository, number }: { readonly repository: string; readonly number: number }) =>
    state.pull(repository, number) !== undefined;

  app.get(`${path}/:number/comments`, (c) =>
    admission.onPull(c, 'issue', (pull) => {
      // Gitea ignores pages here.
      const own = state.comments
        .filter((one) => one.repository === pull.repository && one.number === pull.number)
        .map((one) => commentShape(serverOf(c), one, true));
      return c.json(own, 200, { 'x-total-count': String(own.length) });
    }),
  );
  app.post(`${path}/:number/comments`, (c) =>
    admission.onPull(c, 'issue', async (pull, token) => {
      if (pull.locked && !admission.mayWrite(pull, token)) return refuse(c, 403, 'comment is locked');
      const { body = '' } = await bodyOf(c);
      if (body === '') return refuse(c, 422, '[Body]: Required');
      const made = state.addComment(pull.repository, pull.number, state.userOf(token), body);
      return c.json(commentShape(serverOf(c), made, true), 201);
    }),
  );
  app.get(`${path}/:number/timeline`, (c) =>
    admission.onPull(c, 'issue', (pull) => c.json(timelineShape(serverOf(c), pull, state))),
  );
  app.get(`${path}/comments`, (c) =>
    admission.in(c, 'issue', (name) => {
      const since = Date.parse(c.req.query('since') ?? '') || 0;
      const found = state.comments.filter((one) => one.repository === name && one.updatedAt >= since);
      return page(
        c,
        found.map((one) => commentShape(serverOf(c), one, isOnPull(one))),
      );
    }),
  );
  const comment = `${path}/comments/:id`;
  app.get(comment, (c) => admission.onComment(c, (one) => c.json(commentShape(serverOf(c), one, isOnPull(one)))));
  app.patch(comment, (c) =>
    admission.onComment(c, async (one, token) => {
      const isOwn = one.user.id === state.userOf(token).id;
      if (!isOwn && !admission.mayWrite(one, token)) return refuse(c, 403, 'forbidden');
      one.body = (await bodyOf(c)).body ?? '';
      one.updatedAt = state.now();
      return c.json(commentShape(serverOf(c), one, isOnPull(one)));
    }),
  );
  app.delete(comment, (c) =>
    admission.onComment(c, (one) => {
      state.comments = state.comments.filter(({ id }) => id !== one.id);
      return c.body(null, 204);
    }),
  );
  const listReactions = (c: Context, id: number) => {
    const own = state.reactions.filter(({ commentId }) => commentId === id);
    const shown = own.map(({ user, content, createdAt }) => ({
      user: userShape(state.shownReactor(user)),
      content,
      created_at: timestamp(createdAt),
    }));
    return c.json(shown.length === 0 ? null : shown);
  };
  const react = async (c: Context, id: number, token: GiteaToken) => {
    const { content = '' } = await bodyOf(c);
    const user = state.userOf(token);
    const isNew = state.react(id, user, content);
    return c.json({ user: userShape(user), content, created_at: timestamp(state.now()) }, isNew ? 201 : 200);
  };
  app.get(`${comment}/reactions`, (c) => admission.onComment(c, ({ id }) => listReactions(c, id)));
  app.post(`${comment}/reactions`, (c) => admission.onComment(c, ({ id }, token) => react(c, id, token)));
  // Those to the pull request itself.
  const pull = `${path}/:number/reactions`;
  app.get(pull, (c) => admission.onPull(c, 'issue', ({ number }) => listReactions(c, -number)));
  app.post(pull, (c) => admission.onPull(c, 'issue', ({ number }, token) => react(c, -number, token)));
}
