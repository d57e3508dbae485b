import * as z from 'zod/mini';
import type { CommentKind, ReactionEntity } from '../entities.ts';
import {
  type App,
  type AppContext,
  nodeId,
  notFound,
  paginate,
  readBody,
  readNumber,
  timestamp,
} from '../http.ts';
import { type Level, useRepository } from '../rights.ts';
import { simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';
import { conversation, useComment } from './comments.ts';

const reactionBody = z.object({
  content: z.enum(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']),
});

export function addReactionRoutes(app: App, store: Store): void {
  addPullReactions(app, store);
  const kinds: [CommentKind, string][] = [
    ['issue', 'issues'],
    ['review', 'pulls'],
  ];
  for (const [kind, folder] of kinds) {
    const path = `/repos/:owner/:repo/${folder}/comments/:id/reactions`;
    app.get(path, (c) => {
      const comment = useComment(c, store, { kind, level: 'read' });
      const own = store.conversations.reactions.filter(
        (reaction) => reaction.commentId === comment.id,
      );
      return c.json(paginate(c, own).items.map(reactionShape));
    });
    app.post(path, async (c) => {
      const comment = useComment(c, store, { kind, level: 'write' });
      const { content } = await readBody(c, reactionBody);
      const { reaction, created } = store.conversations.react(
        comment,
        store.user(c.get('token').login),
        content,
      );
      return c.json(reactionShape(reaction), created ? 201 : 200);
    });
    app.delete(`${path}/:reaction`, (c) => {
      const comment = useComment(c, store, { kind, level: 'write' });
      const id = readNumber(c, 'reaction');
      const index = store.conversations.reactions.findIndex(
        (reaction) => reaction.id === id && reaction.commentId === comment.id,
      );
      if (index < 0) throw notFound();
      store.conversations.reactions.splice(index, 1);
      return c.body(null, 204);
    });
  }
}

/** To the pull request itself. */
function addPullReactions(app: App, store: Store): void {
  const path = '/repos/:owner/:repo/issues/:number/reactions';
  const usePull = (c: AppContext, level: Level) => {
    const { fullName: repository } = useRepository(c, store, conversation(level));
    const number = readNumber(c, 'number');
    if (!store.conversations.pullRequest(repository, number)) throw notFound();
    return { id: -number, kind: 'issue', repository } as const;
  };
  app.get(path, (c) => {
    const { id, repository } = usePull(c, 'read');
    const own = store.conversations.reactions.filter(
      (one) => one.commentId === id && one.repository === repository,
    );
    return c.json(paginate(c, own).items.map(reactionShape));
  });
  app.post(path, async (c) => {
    const pull = usePull(c, 'write');
    const { content } = await readBody(c, reactionBody);
    const { reaction, created } = store.conversations.react(
      pull,
      store.user(c.get('token').login),
      content,
    );
    return c.json(reactionShape(reaction), created ? 201 : 200);
  });
}

function reactionShape(reaction: ReactionEntity) {
  return {
    id: reaction.id,
    node_id: nodeId('REA', reaction.id),
    user: simpleUser(reaction.user),
    content: reaction.content,
    created_at: timestamp(reaction.createdAt),
  };
}
