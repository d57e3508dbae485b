import { hasCode } from '../../errors.ts';
import type { GiteaApi } from '../../gitea/api.ts';
import type { Log } from '../../log.ts';
import { plainLine } from '../../text/escape.ts';
import type { Account, Rank } from '../port.ts';
import { rankUnknown } from '../rank-unknown.ts';
import { rankTokenHint } from './advice.ts';
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
