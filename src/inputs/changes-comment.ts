import { apiToken } from './keys.ts';
import type { InputReader, ReadDestination } from './reader.ts';
import { booleanOr } from './values.ts';

/** The comment about what an export changed, on the pull request that was merged for it. */
export interface ChangesCommentInputs {
  readonly token: string;
  /** Titles and addresses are shown in a public repository too. */
  readonly titles: boolean;
}

export function readChangesComment(
  reader: InputReader,
  { takesNotices = true }: ReadDestination,
): ChangesCommentInputs | undefined {
  const chosen = reader.required('changes-comment', booleanOr('titles')) ?? false;
  if (chosen === false) return undefined;
  const token = reader.required('github-token', apiToken, ': changes-comment is written with it');
  if (!takesNotices) reader.problem('changes-comment works on GitHub Actions alone; remove it');
  if (reader.text('mode') === 'export' && ['', 'none'].includes(reader.text('compare-with'))) {
    reader.problem('changes-comment is read only together with compare-with; write compare-with: previous');
  }
  return token === undefined ? undefined : { token, titles: chosen === 'titles' };
}
