import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { GiteaComment, GiteaPull, GiteaUser } from '../../../emulator/src/gitea/conversations.ts';
import { commentShape, userShape } from '../../../emulator/src/gitea/shapes.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/gitea/issue_comment-writer.json');
const recorded = z.object({ event: z.record(z.string(), z.unknown()) });
const part = z.record(z.string(), z.unknown());

/** The payload of a new comment as a real Gitea delivered it, with the emulator's objects. */
export function commentPayload(server: string, pull: GiteaPull, comment: GiteaComment, sender: GiteaUser): object {
  const { event } = recorded.parse(JSON.parse(readFileSync(FIXTURE, 'utf8')));
  const { number, title, body } = pull;
  const [own, issue] = [part.parse(event['comment']), part.parse(event['issue'])];
  return {
    ...event,
    comment: { ...own, ...commentShape(server, comment, true), user: userShape(comment.user) },
    issue: { ...issue, number, title, body },
    sender: userShape(sender),
  };
}
