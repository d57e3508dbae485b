import { hasCode } from '../../errors.ts';
import type { GiteaApi } from '../../gitea/api.ts';
import type { Log } from '../../log.ts';
import { plainLine } from '../../text/escape.ts';
import type { Account, Rank } from '../port.ts';
import { rankUnknown } from '../shared.ts';
import * as replies from './replies.ts';

interface RanksInit {
  /** With the token that asks. */
  readonly api: GiteaApi;
  /** The path of the repository. */
  readonly folder: readonly string[];
  /** The forge's. */
  readonly name: string;
  /** The token is one for this question alone: `secret-token`. */
  readonly hasOwnToken: boolean;
  readonly log: Log;
  readonly signal: AbortSignal | undefined;
}

/** What accounts may do in the repository; each is asked about once. */
export class Ranks {
  readonly #init: RanksInit;
  readonly #known = new Map<number, Promise<Rank>>();

  constructor(init: RanksInit) {
    this.#init = init;
  }

  of(account: Account): Promise<Rank> {
    const lookup = this.#known.get(account.id) ?? this.#lookUp(account);
    this.#known.set(account.id, lookup);
    return lookup;
  }

  async #lookUp({ login, id }: Account): Promise<Rank> {
    const { api, folder, name, log, hasOwnToken, signal } = this.#init;
    const path = [...folder, 'collaborators', login, 'permission'];
    try {
      const standing = await api.read({ method: 'GET', path, signal }, replies.standing);
      if (standing.user?.id === id) return replies.rankOf(standing.permission);
      log.warning(
        `${name}'s reply about the permission of ${plainLine(login, 60)} is about another account; it counts as none.`,
      );
      return 'none';
    } catch (error) {
      if (hasCode(error, 'not-found') && (await this.#seesRepository())) return 'none';
      const isRefused = hasCode(error, 'forbidden', 'unauthorized', 'not-found');
      const known = isRefused ? error.with({ code: 'forbidden', hint: rankTokenHint(hasOwnToken) }) : error;
      throw rankUnknown(known, login, name);
    }
  }

  /** Whether "not found" is about the account: the server says the same of a repository that a token does not see. */
  async #seesRepository(): Promise<boolean> {
    const { api, folder, signal } = this.#init;
    const { status } = await api.send({
      method: 'GET',
      path: folder,
      signal,
      accepts: (reply) => [200, 401, 403, 404].includes(reply.status),
    });
    return status === 200;
  }
}

/** How to make the token that may ask what people may do. It only reads. */
const RANK_TOKEN_STEPS = [
  '1. Make an account for a bot, and make it an administrator of this repository alone (Settings, Collaborators).',
  '2. As that account: Settings, Applications, Generate New Token, with read:repository and nothing else.',
  '3. Store it as an Actions secret of this repository, and give it to the step:',
  'with:',
  '  secret-token: ${{ secrets.DOCS_PERMISSION_TOKEN }}',
].join('\n');

/** What to do where the server does not say what an account may do: never that the account may not. */
export function rankTokenHint(isGiven: boolean): string {
  const what = isGiven
    ? 'secret-token may not ask what people may do in this repository: its account must be an administrator of the repository, and the token needs read:repository.'
    : 'Only an administrator of the repository may ask that, which the token of a job never is: secret-token is missing.';
  return `${what}\n${RANK_TOKEN_STEPS}`;
}

const PERMISSIONS = { 'pull-requests': 'write', contents: 'read' } as const;
const SCOPES = 'Where github-token is a token of an account, it needs write:issue, read:repository and read:user.';

/** Names what failed, and what the token lacks. */
export async function needing<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (hasCode(error, 'forbidden')) {
      const message = `github-token may not ${what}. ${error.message}`;
      throw error.with({
        message,
        hint: { text: `Give the token of the job these permissions. ${SCOPES}`, permissions: PERMISSIONS },
      });
    }
    if (!hasCode(error, 'not-found')) throw error;
    throw error.with({
      message: `github-token cannot ${what}: the server does not find it (404).`,
      hint: {
        text: `It does not exist, or the token does not see it. Give the token of the job these permissions. ${SCOPES}`,
        permissions: PERMISSIONS,
      },
    });
  }
}
