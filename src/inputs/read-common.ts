import type { CommentInputs } from './inputs.ts';
import type { InputReader, ReadDestination } from './reader.ts';
import * as values from './values.ts';

/** Inputs of more than one mode. */

export interface Common {
  readonly baseUrl: string;
  readonly dryRun: boolean;
}

export function readCommon(reader: InputReader): Common {
  const baseUrl = reader.required('base-url', values.baseUrl);
  const dryRun = reader.required('dry-run', values.boolean);
  return { baseUrl: baseUrl ?? '', dryRun: dryRun ?? false };
}

/** How long a job is followed. */
export function readFollow(reader: InputReader) {
  const timeoutMs = reader.required('timeout', values.duration) ?? 0;
  const onTimeout = reader.required('on-timeout', values.oneOf(['fail', 'detach'])) ?? 'fail';
  return { timeoutMs, onTimeout } as const;
}

/** undefined: no comment is written. */
export function readComment(reader: InputReader, { takesNotices = true }: ReadDestination): CommentInputs | undefined {
  const chosen = reader.required('comment', values.booleanOr('titles')) ?? false;
  if (chosen === false) return undefined;
  const token = reader.required('github-token', values.apiToken, ': comment is written with it');
  if (!takesNotices) reader.problem('comment works on GitHub Actions only; remove it');
  if (reader.text('mode') === 'export' && ['', 'none'].includes(reader.text('compare-with'))) {
    reader.problem('comment is read only together with compare-with; write compare-with: previous');
  }
  return token === undefined ? undefined : { token, titles: chosen === 'titles' };
}
