import * as z from 'zod/mini';
import { type CourierError, type ErrorCode, hasCode, unless } from '../errors.ts';
import { RepositoryCalls } from '../github/repository-calls.ts';
import type { Context } from '../run/context.ts';
import type { Target } from './target.ts';

interface Asked {
  readonly target: Extract<Target, { readonly kind: 'work' }>;
  readonly token: string | undefined;
  readonly deps: Pick<Context, 'run' | 'github'>;
}

/** What a platform may answer about a branch that it does not find. */
const MAY_BE_GONE: readonly ErrorCode[] = ['not-found', 'config', 'job-failed'];

const reference = z.object({ ref: z.string() });

/**
 * Whether GitHub says that the branch of the event was deleted since: https://docs.github.com/rest/git/refs#get-a-reference.
 * False if that cannot be known. A branch that a person named is never gone: its name may be wrong.
 */
export async function isBranchGone(error: CourierError, { target, token, deps }: Asked): Promise<boolean> {
  const { run, github } = deps;
  const { branch, isNamed } = target;
  if (branch === undefined || isNamed || token === undefined || run.kind !== 'github') return false;
  if (!hasCode(error, ...MAY_BE_GONE)) return false;
  const repository = new RepositoryCalls(await github.connect(token), github.run.repository);
  const path = ['git', 'ref', 'heads', ...branch.split('/')];
  const found = await unless(['not-found'], () => repository.readPlain({ path }, reference)).catch((reason) => {
    if (hasCode(reason, 'cancelled')) throw reason;
    return 'unknown';
  });
  return found === undefined;
}
