import { type InputContext, type InputReader, laptopToken } from '../values/reader.ts';
import { apiToken } from '../values/values.ts';

/**
 * Why the token of the run itself is not enough, by the kind of the run. Each text continues the
 * message that `secret-token` is empty, so that it begins with a colon.
 */
const WHY_TOKEN: Readonly<Record<string, string>> = {
  local:
    ': it is a token that may write the secret. For github: addresses the variable GH_TOKEN is read too',
  gitlab:
    ': CI_JOB_TOKEN cannot write variables. It is a project access token with the role Maintainer and the scope api',
};

/** In every other kind of run, and if nothing is known of the run. */
const WHY_TOKEN_ELSEWHERE = ": the workflow's own token cannot write secrets";

/**
 * The token with which the destinations of a run on a forge are written. `forges` has the forge of
 * each of them. `context` says what the run is. Gives undefined if there is no such destination, or
 * if the token is missing or wrong, which the reader then reports.
 */
export function readSecretToken(
  reader: InputReader,
  forges: readonly string[],
  context: InputContext,
): string | undefined {
  const [forge, ...others] = new Set(forges);
  if (forge === undefined) {
    reader.forbid(
      ['secret-token'],
      'is read only together with a github:, gitea: or gitlab: address in to',
    );
    return undefined;
  }
  // The token of one server must not reach another one.
  if (others.length > 0) {
    reader.problem(
      'to',
      'to names secrets on several servers, and secret-token is for one; use a step for each',
    );
  }
  // On a person's machine the token of the command gh is used, unless one is given. It is for
  // GitHub alone.
  if (forge === 'github' && !reader.isGiven('secret-token')) {
    const ghToken = laptopToken(context.run);
    if (ghToken !== undefined) return ghToken;
  }
  const why = WHY_TOKEN[context.run?.kind ?? ''] ?? WHY_TOKEN_ELSEWHERE;
  return reader.required('secret-token', apiToken, why);
}
