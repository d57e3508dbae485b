import type { Octokit } from '../../github/client.ts';
import type { CommentTrigger } from './event.ts';
import type { Repository } from './permission.ts';

export type Reaction = 'eyes' | 'rocket' | 'confused' | '-1';

export interface Reacting {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly comment: Pick<CommentTrigger, 'place' | 'id'>;
  readonly content: Reaction;
}

/** `new`, or `known` where this account had reacted so already. A review's text takes no reaction by REST: `none`. */
export async function react({ octokit, repository, comment, content }: Reacting): Promise<'new' | 'known' | 'none'> {
  if (comment.place === 'review') return 'none';
  const target = { ...repository, comment_id: comment.id, content };
  const { status } =
    comment.place === 'conversation'
      ? await octokit.rest.reactions.createForIssueComment(target)
      : await octokit.rest.reactions.createForPullRequestReviewComment(target);
  return status === 201 ? 'new' : 'known';
}
