import { apiToken } from './keys.ts';
import type { InputReader, ReadDestination } from './reader.ts';
import { booleanOr } from './values.ts';

/** The comment about a search check, on the pull request that it runs for. */
export interface SearchCommentInputs {
  readonly token: string;
  /** What was found instead is shown in a public repository too. */
  readonly pages: boolean;
}

export function readSearchComment(
  reader: InputReader,
  { takesNotices = true }: ReadDestination,
): SearchCommentInputs | undefined {
  const chosen = reader.required('search-comment', booleanOr('pages')) ?? false;
  if (chosen === false) return undefined;
  const token = reader.required('github-token', apiToken, ': search-comment is written with it');
  if (!takesNotices) reader.problem('search-comment works on GitHub Actions alone; remove it');
  return token === undefined ? undefined : { token, pages: chosen === 'pages' };
}
