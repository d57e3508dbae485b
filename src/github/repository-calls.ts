import * as z from 'zod/mini';
import { CourierError, hasCode } from '../errors.ts';
import { type Octokit, readReply } from './client.ts';

interface RepositoryCall {
  /** What it is for, if the message says that it was refused: `read comment 7`. */
  readonly what: string;
  /** Below the repository; each part is escaped. */
  readonly path: readonly string[];
  /** GET without it. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of the body; of the query of a GET. */
  readonly fields?: Readonly<Record<string, string | number>>;
}

const PAGE_SIZE = 100;
/** More than any pull request that people still read. */
const MAX_PAGES = 100;

const READ_ONLY =
  'The token of a run for a pull request from a fork only reads, whatever the workflow gives it. Leave the comment out there, or write it in a run for another event, such as push.';

/** Calls about one repository. If GitHub refuses, the error says what the token lacks. */
export class RepositoryCalls {
  readonly #octokit: Octokit;
  readonly #name: string;
  readonly #isOfFork: boolean;

  /** `fullName`: `owner/name`. `isOfFork`: the run is for a pull request from a fork. */
  constructor(octokit: Octokit, fullName: string, isOfFork: boolean) {
    this.#octokit = octokit;
    this.#name = fullName;
    this.#isOfFork = isOfFork;
  }

  send(call: RepositoryCall): Promise<{ readonly status: number }> {
    return this.#needing(call.what, () => this.#request(call));
  }

  read<T>(call: RepositoryCall, schema: z.ZodMiniType<T>): Promise<T> {
    return this.#needing(call.what, () => this.readPlain(call, schema));
  }

  /** As `read`, with the error as it comes. */
  async readPlain<T>(call: Omit<RepositoryCall, 'what'>, schema: z.ZodMiniType<T>): Promise<T> {
    return readReply(schema, (await this.#request(call)).data, routeOf(call));
  }

  /**
   * All entries of a list. Octokit's own paging takes an empty reply for an empty page: a record
   * could be missing.
   */
  list<T>(call: RepositoryCall, entry: z.ZodMiniType<T>): Promise<T[]> {
    return this.#needing(call.what, async () => {
      const all: T[] = [];
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const fields = { ...call.fields, per_page: PAGE_SIZE, page };
        const { data, headers } = await this.#request({ ...call, fields });
        const entries = readReply(z.array(entry), data, routeOf(call));
        all.push(...entries);
        const { link } = headers;
        if (link === undefined ? entries.length < PAGE_SIZE : !/\brel="next"/.test(link))
          return all;
      }
      // A record could be on a page that was not read.
      throw new CourierError({
        code: 'protocol',
        message: `GitHub has more than ${MAX_PAGES} pages when asked to ${call.what} of ${this.#name}.`,
      });
    });
  }

  #request(call: Omit<RepositoryCall, 'what'>) {
    const [owner = '', repo = ''] = this.#name.split('/');
    return this.#octokit.request(routeOf(call), { owner, repo, ...call.fields });
  }

  /** Names what failed, and the permission to add if a job may not have given it to its token. */
  async #needing<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const permissions = { 'pull-requests': 'write' } as const;
      if (hasCode(error, 'forbidden') && error.lacksPermission) {
        throw error.with({
          message: `The token may not ${what} of ${this.#name}.`,
          hint: this.#isOfFork
            ? READ_ONLY
            : { text: 'Give the token of the job the permission:', permissions },
        });
      }
      if (!hasCode(error, 'not-found')) throw error;
      throw error.with({
        message: `The token cannot ${what} of ${this.#name}: GitHub does not find it (404).`,
        // GitHub answers 404 about what a token may not see.
        hint: {
          text: 'It does not exist, or the token of the job lacks the permission:',
          permissions,
        },
      });
    }
  }
}

function routeOf({ method = 'GET', path }: Omit<RepositoryCall, 'what'>): string {
  return `${method} ${['/repos/{owner}/{repo}', ...path.map(encodeURIComponent)].join('/')}`;
}
