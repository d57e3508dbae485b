import * as z from 'zod/mini';
import { getJson, type Octokit, readReply } from '../../github/client.ts';
import { needing } from './needing.ts';

const PAGE_SIZE = 100;

type Repository = Readonly<Record<'owner' | 'repo', string>>;

/** Calls about one repository. Each says `what` it wants, for the message where it is refused. */
export class Calls {
  readonly #octokit: Octokit;
  readonly #name: string;
  readonly #repository: Repository;

  /** `fullName`: `owner/name`. */
  constructor(octokit: Octokit, fullName: string) {
    this.#octokit = octokit;
    this.#name = fullName;
    this.#repository = splitName(fullName);
  }

  read<T>(what: string, route: string, parameters: object, schema: z.ZodMiniType<T>): Promise<T> {
    return needing(`${what} of ${this.#name}`, () =>
      getJson(this.#octokit, route, { ...this.#repository, ...parameters }, schema),
    );
  }

  /**
   * All entries of a list, each page parsed as it came: the client library's own paging takes an empty reply for an empty
   * page, and what is missing from such a list could be the record of a message that was sent.
   */
  list<T>(what: string, route: string, parameters: object, entry: z.ZodMiniType<T>): Promise<T[]> {
    const query = { ...this.#repository, ...parameters, per_page: PAGE_SIZE };
    return needing(`${what} of ${this.#name}`, async () => {
      const all: T[] = [];
      for (let page = 1; ; page += 1) {
        const { data, headers } = await this.#octokit.request(route, { ...query, page });
        const entries = readReply(z.array(entry), data, route);
        all.push(...entries);
        const { link } = headers;
        if (link === undefined ? entries.length < PAGE_SIZE : !/\brel="next"/.test(link)) return all;
      }
    });
  }
}

export function splitName(fullName: string): Repository {
  const [owner = '', repo = ''] = fullName.split('/');
  return { owner, repo };
}
