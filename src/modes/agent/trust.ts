import type { Account } from '../../forge/github/event.ts';
import { isAtLeast } from '../../forge/github/permission.ts';
import type { PullRequest } from '../../forge/github/pull-request.ts';
import { isAllowedBot, isBot } from './person.ts';
import { isCode, type Session } from './session.ts';

/** Whose text may be quoted to the agent. */
export interface Trust {
  /** Title, description. */
  readonly pullText: boolean;
  /** The diff, with the names of its files and branches. */
  readonly diff: boolean;
  author(account: Account | undefined): Promise<boolean>;
}

// One lookup per author: a pull request with more authors is a crowd, and the rest of them is counted and not quoted.
const MOST_LOOKUPS = 60;

export async function judgeTrust(session: Session, pull: PullRequest, madeThis: boolean): Promise<Trust> {
  const author = createAuthorTrust(session);
  const { allowOutsideText } = session.inputs;
  const pullText = allowOutsideText || madeThis || (await author(pull.author));
  return { pullText, diff: pullText && (allowOutsideText || ownsHead(session, pull)), author };
}

// What stands on a branch was pushed by those who may push there: writers of this repository, or the fork's owner.
function ownsHead({ deps }: Session, { head, author }: PullRequest): boolean {
  if (head.repository === undefined) return false;
  const [owner = ''] = head.repository.toLowerCase().split('/');
  return (
    head.repository.toLowerCase() === deps.github.run.repository.toLowerCase() || owner === author?.login.toLowerCase()
  );
}

function createAuthorTrust({ inputs, permissions, deps }: Session): Trust['author'] {
  const known = new Set<string>();
  let warned = false;
  return async (account) => {
    if (inputs.allowOutsideText) return true;
    if (account === undefined) return false;
    if (isBot(account)) return isAllowedBot(account, inputs.allowedBots);
    if (!known.has(account.login) && known.size >= MOST_LOOKUPS) return false;
    known.add(account.login);
    try {
      return isAtLeast(await permissions.rank(account.login), inputs.requiredPermission);
    } catch (error) {
      if (!isCode(error, 'network', 'forbidden', 'rate-limited')) throw error;
      if (!warned) deps.log.warning(`${error.message} Text whose author could not be looked up is not quoted.`);
      warned = true;
      return false;
    }
  };
}
