import * as z from 'zod/mini';
import type { CommentKind, ReactionEntity } from '../entities.ts';
import { type App, nodeId, notFound, paginate, readBody, readNumber, timestamp } from '../http.ts';
import { simpleUser } from '../shapes.ts';
import type { Store } from '../store.ts';
import { useComment } from './comments.ts';

const reactionBody = z.object({
  content: z.enum(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']),
});

export function addReactionRoutes(app: App, store: Store): void {
  const kinds: [CommentKind, string][] = [
    ['issue', 'issues'],
    ['review', 'pulls'],
  ];
  for (const [kind, folder] of kinds) {
    const path = `/repos/:owner/:repo/${folder}/comments/:id/reactions`;
    app.get(path, (c) => {
      const comment = useComment(c, store, { kind, level: 'read' });
      const own = store.conversations.reactions.filter((reaction) => reaction.commentId === comment.id);
      return c.json(paginate(c, own).items.map(reactionShape));
    });
    app.post(path, async (c) => {
      const comment = useComment(c, store, { kind, level: 'write' });
      const { content } = await readBody(c, reactionBody);
      const { reaction, created } = store.conversations.react(comment, store.user(c.get('token').login), content);
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

function reactionShape(reaction: ReactionEntity) {
  return {
    id: reaction.id,
    node_id: nodeId('REA', reaction.id),
    user: simpleUser(reaction.user),
    content: reaction.content,
    created_at: timestamp(reaction.createdAt),
  };
}
