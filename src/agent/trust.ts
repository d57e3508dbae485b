import { hasCode } from '../errors.ts';
import type { Account, PullRequest } from '../forges/port.ts';
import { isAllowedBot, isAtLeast } from './person.ts';
import type { Session } from './session.ts';

// One lookup per author: a pull request with more authors is a crowd, and the rest of them is counted and not quoted.
const MAX_LOOKUPS = 60;

/** Whose text may be quoted to the agent. */
export class Trust {
  readonly #session: Session;
  readonly #known = new Set<number>();
  #hasWarned = false;
  /** Title, description. */
  pullText = false;
  /** The diff, with the names of its files and branches. */
  diff = false;

  private constructor(session: Session) {
    this.#session = session;
  }

  static async of(session: Session, pull: PullRequest, madeThis: boolean): Promise<Trust> {
    const trust = new Trust(session);
    const { allowOutsideText } = session.inputs;
    trust.pullText = allowOutsideText || madeThis || (await trust.author(pull.author));
    trust.diff = trust.pullText && (allowOutsideText || trust.#ownsHead(pull));
    return trust;
  }

  async author(account: Account | undefined): Promise<boolean> {
    const { inputs, forge, deps } = this.#session;
    if (inputs.allowOutsideText) return true;
    if (account === undefined) return false;
    if (account.kind !== 'person') return isAllowedBot(account, inputs.allowedBots);
    if (!this.#known.has(account.id) && this.#known.size >= MAX_LOOKUPS) return false;
    this.#known.add(account.id);
    try {
      return isAtLeast(await forge.rank(account), inputs.requiredPermission);
    } catch (error) {
      if (!hasCode(error, 'network', 'forbidden', 'rate-limited')) throw error;
      if (!this.#hasWarned) {
        deps.log.warning(`${error.message} Text whose author could not be looked up is not quoted.`);
      }
      this.#hasWarned = true;
      return false;
    }
  }

  // What is on a branch was pushed by those who may push there: writers of this repository, or the fork's owner.
  #ownsHead({ head, author }: PullRequest): boolean {
    if (head.repository === undefined) return false;
    const [owner = ''] = head.repository.toLowerCase().split('/');
    return isOwnHead(this.#session, head) || owner === author?.login.toLowerCase();
  }
}

/** The head is a branch of this repository, and not of a fork. */
export function isOwnHead({ deps }: Session, head: PullRequest['head']): boolean {
  return head.repository?.toLowerCase() === deps.forge.repository.toLowerCase();
}
