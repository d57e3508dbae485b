import * as z from 'zod/mini';
import type { CommentEntity, CommentKind } from '../entities.ts';
import {
  type App,
  type AppContext,
  invalid,
  nodeId,
  notFound,
  paginate,
  readBody,
  readNumber,
  refuse,
  timestamp,
} from '../http.ts';
import { type Level, type Need, useRepository } from '../rights.ts';
import { simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';

const commentBody = z.object({ body: z.string() });

const NO_COMMIT = '0'.repeat(40);
const LONGEST_BODY_CHARS = 65_536;

/** Comments of a pull request are issue comments; GitHub accepts either permission for them. */
export const conversation = (level: Level): Need => ({ level, anyOf: ['issues', 'pull_requests'] });
const review = (level: Level): Need => ({ level, anyOf: ['pull_requests'] });

export function addCommentRoutes(app: App, store: Store): void {
  const list = '/repos/:owner/:repo/issues/:number/comments';
  const one = '/repos/:owner/:repo/issues/comments/:id';
  app.get(list, (c) => c.json(paginate(c, listComments(c, store)).items.map(commentShape)));
  app.post(list, async (c) => {
    const repository = useRepository(c, store, conversation('write'));
    const number = readNumber(c, 'number');
    const { conversations } = store;
    const place =
      conversations.pullRequest(repository.fullName, number) ??
      conversations.issue(repository.fullName, number);
    if (!place) throw notFound();
    if (place.locked) throw refuse(403, 'Unable to create comment because issue is locked.');
    const body = await readComment(c);
    const comment = store.conversations.addComment({
      repository: repository.fullName,
      number,
      user: c.get('token').login,
      body,
    });
    return c.json(commentShape(comment), 201);
  });
  app.get('/repos/:owner/:repo/issues/comments', (c) => {
    const repository = useRepository(c, store, conversation('read'));
    const since = Date.parse(c.req.query('since') ?? '') || 0;
    const comments = store.conversations.comments.filter(
      (comment) =>
        comment.kind === 'issue' &&
        comment.repository === repository.fullName &&
        comment.updatedAt >= since,
    );
    const key = c.req.query('sort') === 'updated' ? 'updatedAt' : 'createdAt';
    const sign = c.req.query('direction') === 'desc' ? -1 : 1;
    comments.sort((a, b) => sign * (a[key] - b[key] || a.id - b.id));
    return c.json(paginate(c, comments).items.map(commentShape));
  });
  app.get(one, (c) => c.json(commentShape(useComment(c, store, { kind: 'issue', level: 'read' }))));
  app.patch(one, async (c) => {
    const comment = useComment(c, store, { kind: 'issue', level: 'write' });
    comment.body = await readComment(c);
    comment.updatedAt = store.now();
    return c.json(commentShape(comment));
  });
  app.delete(one, (c) => {
    const comment = useComment(c, store, { kind: 'issue', level: 'write' });
    store.conversations.comments.splice(store.conversations.comments.indexOf(comment), 1);
    return c.body(null, 204);
  });
  app.get('/repos/:owner/:repo/pulls/comments/:id', (c) =>
    c.json(commentShape(useComment(c, store, { kind: 'review', level: 'read' }))),
  );
}

/**
 * Oldest first, as GitHub lists the comments of one issue whatever `sort` says; `since` compares
 * with the last edit.
 */
function listComments(c: AppContext, store: Store): CommentEntity[] {
  const repository = useRepository(c, store, conversation('read'));
  const number = readNumber(c, 'number');
  const { conversations } = store;
  const { fullName } = repository;
  if (!conversations.pullRequest(fullName, number) && !conversations.issue(fullName, number))
    throw notFound();
  const since = Date.parse(c.req.query('since') ?? '');
  return store.conversations.comments.filter(
    (comment) =>
      comment.kind === 'issue' &&
      comment.repository.toLowerCase() === repository.fullName.toLowerCase() &&
      comment.number === number &&
      (Number.isNaN(since) || comment.updatedAt >= since),
  );
}

export function useComment(
  c: AppContext,
  store: Store,
  want: { kind: CommentKind; level: Level },
): CommentEntity {
  const need = want.kind === 'issue' ? conversation(want.level) : review(want.level);
  const repository = useRepository(c, store, need);
  const id = readNumber(c, 'id');
  const comment = store.conversations.comments.find(
    (one) =>
      one.id === id &&
      one.kind === want.kind &&
      one.repository.toLowerCase() === repository.fullName.toLowerCase(),
  );
  if (!comment) throw notFound();
  return comment;
}

async function readComment(c: AppContext): Promise<string> {
  const { body } = await readBody(c, commentBody);
  if (body.trim() === '') throw invalid('Body cannot be blank');
  if (body.length > LONGEST_BODY_CHARS)
    throw invalid(`Body is too long (maximum is ${LONGEST_BODY_CHARS} characters)`);
  return body;
}

function reviewLinks({ id, repository, number }: CommentEntity) {
  const pull = `https://api.github.com/repos/${repository}/pulls`;
  return {
    self: { href: `${pull}/comments/${id}` },
    html: { href: `https://github.com/${repository}/pull/${number}#discussion_r${id}` },
    pull_request: { href: `${pull}/${number}` },
  };
}

export function commentShape(comment: CommentEntity) {
  const { id, repository, number, kind } = comment;
  const anchor = kind === 'issue' ? `issuecomment-${id}` : `discussion_r${id}`;
  return {
    url: `https://api.github.com/repos/${repository}/${kind === 'issue' ? 'issues' : 'pulls'}/comments/${id}`,
    html_url: `https://github.com/${repository}/pull/${number}#${anchor}`,
    ...(kind === 'issue'
      ? {
          issue_url: `https://api.github.com/repos/${repository}/issues/${number}`,
          minimized: minimizedShape(comment),
        }
      : {
          pull_request_url: `https://api.github.com/repos/${repository}/pulls/${number}`,
          path: comment.path ?? 'README.md',
          line: comment.line === undefined ? 1 : comment.line,
          start_line: comment.line === null ? null : (comment.startLine ?? null),
          original_line: comment.originalLine ?? comment.line ?? 1,
          original_start_line: comment.startLine ?? null,
          side: comment.side,
          subject_type: 'line',
          ...(comment.inReplyTo === undefined ? {} : { in_reply_to_id: comment.inReplyTo }),
          diff_hunk: '@@ -1 +1 @@',
          pull_request_review_id: null,
          commit_id: NO_COMMIT,
          original_commit_id: NO_COMMIT,
          _links: reviewLinks(comment),
        }),
    id,
    node_id: nodeId(kind === 'issue' ? 'IC' : 'PRRC', id),
    user: simpleUser(comment.user),
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
    author_association: comment.authorAssociation,
    body: comment.body,
    performed_via_github_app: null,
  };
}

/** Why a comment is hidden; `null` for one that is not. */
function minimizedShape({ minimized }: CommentEntity) {
  return minimized === undefined ? null : { reason: minimized };
}
