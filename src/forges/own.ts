import type { Comment, OwnAuthor } from './port.ts';

/** Whether a text is by the account that writes ours; one by anybody else holds no record of ours, whatever it says. */
export function isOwn({ author }: Pick<Comment, 'author'>, own: OwnAuthor): boolean {
  return own.kind === 'bot' ? author?.kind === 'bot' : author?.id === own.id;
}
