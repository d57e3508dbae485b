import type * as z from 'zod/mini';
import { hasCode } from '../ground/errors.ts';
import { type Octokit, readReply } from './client.ts';
import { ownerAndRepo } from './connection.ts';
import { eachOf, listAll } from './lists.ts';

/** Fields of the body, or of the query of a GET; and the form of the reply, as `AS_SHOWN`. */
type Fields = Readonly<Record<string, string | number | typeof AS_SHOWN.headers>>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Texts come as they were written, and in HTML as a page shows them. */
export const AS_SHOWN = { headers: { accept: 'application/vnd.github.full+json' } } as const;

const READ_ONLY =
  'The token of a run for a pull request from a fork only reads, whatever the workflow gives it. Leave the comment out there, or write it in a run for another event, such as push.';

/**
 * The tag of a template for a path below the repository. Its values are escaped, so that none can
 * contain a slash.
 */
export function pathOf(
  parts: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string {
  // Joins the parts as written, each followed by its value.
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

function routeOf(method: Method, path: string): string {
  return `${method} /repos/{owner}/{repo}${path === '' ? '' : '/'}${path}`;
}

/**
 * Calls about one repository. `purpose` says what a call is for, such as `read comment 7`: if
 * GitHub refuses the call, the error names it, and what the token lacks.
 */
export class RepositoryCalls {
  /** `owner/name`. */
  readonly fullName: string;
  readonly #octokit: Octokit;
  readonly #isRunOfFork: boolean;

  /** `isRunOfFork`: the run is for a pull request from a fork. */
  constructor(octokit: Octokit, fullName: string, isRunOfFork = false) {
    this.#octokit = octokit;
    this.fullName = fullName;
    this.#isRunOfFork = isRunOfFork;
  }

  /** Makes a call and gives the status of its reply. */
  async send(purpose: string, method: Method, path: string, fields?: Fields): Promise<number> {
    return (await this.#withAdvice(purpose, () => this.#request(method, path, fields))).status;
  }

  /** Makes a call and gives the data of its reply, as the schema describes it. */
  read<T>(
    purpose: string,
    path: string,
    schema: z.ZodMiniType<T>,
    fields?: Fields,
    method: Method = 'GET',
  ): Promise<T> {
    return this.#withAdvice(purpose, async () => {
      const reply = await this.#request(method, path, fields);
      return readReply(schema, reply.data, routeOf(method, path));
    });
  }

  /** As `read`, for a caller that explains errors itself: they stay as they are. */
  async readPlain<T>(path: string, schema: z.ZodMiniType<T>, fields?: Fields): Promise<T> {
    return readReply(schema, (await this.#request('GET', path, fields)).data, routeOf('GET', path));
  }

  /** All entries of a list. */
  list<T>(purpose: string, path: string, entry: z.ZodMiniType<T>, fields?: Fields): Promise<T[]> {
    const parameters = { ...ownerAndRepo(this.fullName), ...fields };
    return this.#withAdvice(purpose, () =>
      listAll(this.#octokit, routeOf('GET', path), parameters, entry),
    );
  }

  /** The entries of a list, as far as they are asked for; errors stay as they are. */
  each<T>(path: string, entry: z.ZodMiniType<T>, fields: Fields): AsyncGenerator<T> {
    return eachOf(
      this.#octokit,
      routeOf('GET', path),
      { ...ownerAndRepo(this.fullName), ...fields },
      entry,
    );
  }

  #request(method: Method, path: string, fields: Fields | undefined) {
    return this.#octokit.request(routeOf(method, path), {
      ...ownerAndRepo(this.fullName),
      ...fields,
    });
  }

  /** Makes a call; its error names the purpose, and the permission that the token may lack. */
  async #withAdvice<T>(purpose: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      // Enough for all calls here about pull requests and their comments.
      const permissions = { 'pull-requests': 'write' } as const;
      if (hasCode(error, 'forbidden') && error.lacksPermission) {
        const text = 'Give the token of the job the permission:';
        throw error.with({
          message: `The token may not ${purpose} of ${this.fullName}.`,
          hint: this.#isRunOfFork ? READ_ONLY : { text, permissions },
        });
      }
      if (!hasCode(error, 'not-found')) throw error;
      // GitHub answers 404 about what a token may not see; the token of a fork's run sees all.
      const text = 'It does not exist, or the token of the job lacks the permission:';
      throw error.with({
        message: `The token cannot ${purpose} of ${this.fullName}: GitHub does not find it (404).`,
        hint: { text, permissions },
      });
    }
  }
}
