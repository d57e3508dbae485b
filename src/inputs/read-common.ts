import type { InputContext, InputReader } from '../values/reader.ts';
import * as values from '../values/values.ts';

export type CommonInputs = ReturnType<typeof readCommon>;

/** The inputs of every mode but `plan`. `??` is for a wrong input, which ends the run. */
export function readCommon(reader: InputReader) {
  // Neither of these asks the platform.
  const isLocal = reader.isGiven('search-site') || reader.isGiven('from');
  const baseUrl = isLocal
    ? reader.optional('base-url', values.baseUrl)
    : reader.required('base-url', values.baseUrl);
  return {
    /** Without a trailing slash; a path prefix is kept. Empty if the platform is not asked. */
    baseUrl: baseUrl ?? '',
    dryRun: reader.required('dry-run', values.boolean) ?? false,
  } as const;
}

const FOLLOW_MS = 30 * 60_000;

/** How long a job is followed. */
export function readFollow(reader: InputReader, usualMs = FOLLOW_MS) {
  return {
    /** 0 or more. */
    timeoutMs: reader.optional('timeout', values.duration) ?? usualMs,
    onTimeout: reader.required('on-timeout', values.oneOf(['fail', 'detach'])) ?? 'fail',
  } as const;
}

/** How the comment is written; undefined: none is written, or an input is wrong. */
export function readComment(reader: InputReader, { takesNotices = true }: InputContext) {
  const chosen = reader.required('comment', values.booleanOrTitles) ?? false;
  if (chosen === false) return undefined;
  const token = reader.required('github-token', values.apiToken, ': comment is written with it');
  // Below, all faults are reported, also without a token.
  if (!takesNotices) reader.problem('comment', 'comment works on GitHub Actions only; remove it');
  // The comment of an export says what has changed, which only a comparison shows.
  if (reader.text('mode') === 'export' && ['', 'none'].includes(reader.text('compare-with'))) {
    let earlier = 'previous';
    if (reader.isGiven('from')) earlier = 'the path of an earlier manifest';
    reader.problem(
      'comment',
      `comment is read only together with compare-with; write compare-with: ${earlier}`,
    );
  }
  if (token === undefined) return undefined;
  return {
    token,
    /** Titles and addresses of pages are shown in a public repository too. */
    titles: chosen === 'titles',
  } as const;
}
