import { type InputReader, laptopToken, type ReadDestination } from '../values/reader.ts';
import { apiToken } from '../values/values.ts';
import type { Kind } from './kind.ts';

/** Why the token of the run itself is not enough, in the words of its system. */
const WHY_TOKEN: Readonly<Record<string, string>> = {
  local:
    ': it is a token that may write the secret. For github: addresses the variable GH_TOKEN is read too',
  gitlab:
    ': CI_JOB_TOKEN cannot write variables. It is a project access token with the role Maintainer and the scope api',
};

/**
 * The token for destinations on forges. `tokens`: which token each destination takes; undefined:
 * none.
 */
export function readSecretToken(
  reader: InputReader,
  tokens: readonly Kind<unknown>['token'][],
  destination: ReadDestination,
): string | undefined {
  const needed = tokens.filter((token) => token !== undefined);
  if (needed.length === 0) {
    reader.forbid(
      ['secret-token'],
      'is read only together with a github:, gitea: or gitlab: address in to',
    );
    return undefined;
  }
  // The token that the command gh uses. It must not reach another server.
  if (needed.every((token) => token === 'github') && !reader.isGiven('secret-token')) {
    const own = laptopToken(destination.run);
    if (own !== undefined) return own;
  }
  return reader.required(
    'secret-token',
    apiToken,
    WHY_TOKEN[destination.run?.kind ?? ''] ?? ": the workflow's own token cannot write secrets",
  );
}
