import type { InputReader, ReadDestination } from './reader.ts';
import { apiToken, booleanOr } from './values.ts';

/** The comment about what an export changed, or about a search check. */
export interface CommentInputs {
  readonly token: string;
  /** Titles and addresses of pages are shown in a public repository too. */
  readonly titles: boolean;
}

/** undefined: no comment is written. */
export function readComment(reader: InputReader, { takesNotices = true }: ReadDestination): CommentInputs | undefined {
  const chosen = reader.required('comment', booleanOr('titles')) ?? false;
  if (chosen === false) return undefined;
  const token = reader.required('github-token', apiToken, ': comment is written with it');
  if (!takesNotices) reader.problem('comment works on GitHub Actions only; remove it');
  if (reader.text('mode') === 'export' && ['', 'none'].includes(reader.text('compare-with'))) {
    reader.problem('comment is read only together with compare-with; write compare-with: previous');
  }
  return token === undefined ? undefined : { token, titles: chosen === 'titles' };
}
