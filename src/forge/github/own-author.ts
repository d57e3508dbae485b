import { CourierError } from '../../errors.ts';
import type { Octokit } from '../../github/client.ts';
import type { Comment } from './pull-request.ts';

/** Who writes our comments: an account by its id, or some bot, where a token cannot tell which one it is. */
export type OwnAuthor = { readonly kind: 'bot' } | { readonly kind: 'account'; readonly id: number };

const BOT: OwnAuthor = { kind: 'bot' };

/**
 * The author of what a token writes. The workflow's own token and those of Apps (`ghs_`) are bots, and may not ask who they
 * are; any other token is asked. No person's account is a bot, so that nobody's copy of a comment of ours counts as ours.
 */
export async function readOwnAuthor(octokit: Octokit, token: string): Promise<OwnAuthor> {
  if (token.startsWith('ghs_')) return BOT;
  try {
    const { data } = await octokit.rest.users.getAuthenticated();
    return { kind: 'account', id: data.id };
  } catch (error) {
    if (error instanceof CourierError && (error.httpStatus === 403 || error.httpStatus === 404)) return BOT;
    throw error;
  }
}

export function isOwn({ author }: Pick<Comment, 'author'>, own: OwnAuthor): boolean {
  return own.kind === 'bot' ? author?.type === 'Bot' : author?.id === own.id;
}
