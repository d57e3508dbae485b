import * as z from 'zod/mini';
import type { Octokit } from '../../github/client.ts';
import { metadata, type PublicKey, readPublicKey, type SecretMetadata } from './secret.ts';
import {
  type GitHubSettings,
  type StoredVariable,
  stateName,
  VARIABLES_PER_PAGE,
  variable,
} from './settings.ts';
import { type GitHubTarget, scopeOf } from './target.ts';

/** What GitHub said last about the requests that its token has left. */
interface Quota {
  readonly remaining: number;
  /** When the full number returns, epoch milliseconds. */
  readonly resetMs: number;
}

/** Secrets and state variables of one repository, environment or organization, by name. */
interface GitHubList {
  readonly holderId: number;
  readonly publicKey: PublicKey;
  readonly secrets: ReadonlyMap<string, SecretMetadata>;
  readonly variables: ReadonlyMap<string, StoredVariable>;
}

const named = z.object({ name: z.string() });
const secretEntry = z.extend(metadata, named.shape);
const variableEntry = z.extend(variable, named.shape);
// A list is read if at least so many destinations are in it. One destination by its name costs four
// requests; a list costs four and one for each further page, with what others put there.
const LEAST_DESTINATIONS = 4;

/**
 * Reads the secrets and variables of a repository, environment or organization once for the many
 * destinations in it, and watches the quota of their token.
 */
export class GitHubLists {
  /** How many destinations are in each list, by the key of the list. */
  readonly #counts = new Map<string, number>();
  readonly #lists = new Map<string, Promise<GitHubList>>();
  /** The lists that were read, by their key. */
  readonly #finished = new Map<string, GitHubList>();
  readonly #watched = new WeakSet<Octokit>();
  #quota: Quota | undefined;

  get quota(): Quota | undefined {
    return this.#quota;
  }

  /**
   * Call it when GitHub has refused a request because of the quota: no requests are left. Without a
   * quota in an earlier reply, it is not known when it returns, and none is noted.
   */
  noteLimit(): void {
    if (this.#quota !== undefined) this.#quota = { ...this.#quota, remaining: 0 };
  }

  /** Counts a destination; gives a key that all destinations in the same list have. */
  add(target: GitHubTarget): string {
    const key = keyOf(target);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return key;
  }

  /** The list that the destination is in, read once; undefined: too few destinations share it. */
  listFor(settings: GitHubSettings): Promise<GitHubList> | undefined {
    const key = keyOf(settings.target);
    if ((this.#counts.get(key) ?? 0) < LEAST_DESTINATIONS) return undefined;
    // The promise is kept, so that destinations that ask at the same time share one reading.
    const list = this.#lists.get(key) ?? this.#read(settings, key);
    this.#lists.set(key, list);
    return list;
  }

  /**
   * The text of a destination's state, which anyone may have written, with the id that its signature
   * is bound to; undefined: not listed.
   */
  stateOf(target: GitHubTarget, name: string) {
    const { holderId, variables } = this.#finished.get(keyOf(target)) ?? {};
    const text = variables?.get(stateName(name))?.value;
    if (holderId === undefined || text === undefined) return undefined;
    return { holderId, text };
  }

  /** Reads the quota from all further replies to this client; once for each client. */
  watch(octokit: Octokit): void {
    if (this.#watched.has(octokit)) return;
    this.#watched.add(octokit);
    octokit.hook.after('request', (reply) => {
      // A server of an organization may count no requests: without the headers, both are NaN.
      const remaining = Number(reply.headers['x-ratelimit-remaining']);
      const resetS = Number(reply.headers['x-ratelimit-reset']);
      if (Number.isInteger(remaining) && Number.isInteger(resetS)) {
        this.#quota = { remaining, resetMs: resetS * 1000 };
      }
    });
  }

  /** Reads the list with this key, and keeps it for `stateOf`. */
  async #read(settings: GitHubSettings, listKey: string): Promise<GitHubList> {
    const { publicKey } = await readPublicKey(settings);
    const holderId = await settings.holderId();
    const secrets = await settings.list('list the secrets', 'GET /secrets', {}, secretEntry);
    const variables = await settings.list(
      'list the variables',
      'GET /variables',
      { per_page: VARIABLES_PER_PAGE },
      variableEntry,
    );
    const list = { holderId, publicKey, secrets: byName(secrets), variables: byName(variables) };
    this.#finished.set(listKey, list);
    return list;
  }
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

/** The key of the list that a destination is in. In lower case, as GitHub ignores case in names. */
function keyOf(target: GitHubTarget): string {
  return scopeOf(target).name.toLowerCase();
}
