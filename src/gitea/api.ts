import * as z from 'zod/mini';
import { CourierError } from '../errors.ts';
import type { HttpReply } from '../http/exchange.ts';
import type { Http, HttpRequest } from '../http/http.ts';
import type { Meaning, Service } from '../http/service.ts';
import { parseJson } from '../text/json.ts';

// https://docs.gitea.com/api/: `APIError`.
const errorBody = z.object({ message: z.string() });

const service: Service = {
  name: 'Gitea',
  addressSetting: 'the server (?server= in the address)',
  errorText: (reply) => {
    const parsed = errorBody.safeParse(parseJson(reply.body.toString('utf8')));
    return parsed.success ? parsed.data.message : undefined;
  },
  meaning,
};

function meaning({ status }: HttpReply): Meaning | undefined {
  switch (status) {
    case 401:
      return { hint: 'The token is not accepted: it was deleted, or it is for another server.' };
    case 403:
      return { lacksPermission: true };
    case 422:
      return { code: 'config' };
    default:
      return undefined;
  }
}

export interface GiteaRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1/`; each part is escaped. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: unknown;
  /** `always` without it: repeating a request does no harm. */
  readonly repeat?: HttpRequest['repeat'] | undefined;
  readonly accepts?: HttpRequest['accepts'];
  readonly limits?: HttpRequest['limits'];
  /** Instead of the run's. */
  readonly signal?: AbortSignal | undefined;
}

/** The REST API of a Gitea or Forgejo server, with one token. Throws a CourierError, and only that. */
export class GiteaApi {
  readonly #http: Http;
  readonly #serverUrl: string;
  readonly #token: string;

  /** `serverUrl` is the address of the server, which may have a path, without a trailing slash. */
  constructor(http: Http, serverUrl: string, token: string) {
    if (!URL.canParse(serverUrl)) {
      throw new CourierError({
        code: 'config',
        message: `The address of the Gitea server, "${serverUrl}", is not a URL. Nothing was sent.`,
        hint: 'Name it in the address of the destination: gitea:repo/OWNER/REPO/NAME?server=https://gitea.example.com',
      });
    }
    this.#http = http;
    this.#serverUrl = serverUrl;
    this.#token = token;
  }

  send(request: GiteaRequest): Promise<HttpReply> {
    return this.#http.request(this.#outgoing(request));
  }

  /** The reply's JSON as the schema has it; `protocol` where it does not fit. */
  async read<T>(request: GiteaRequest, schema: z.ZodMiniType<T>): Promise<T> {
    return (await this.readReply(request, schema)).value;
  }

  /** As `read`, with the headers. */
  readReply<T>(request: GiteaRequest, schema: z.ZodMiniType<T>): Promise<{ value: T; reply: HttpReply }> {
    return this.#http.requestJson(this.#outgoing(request), schema);
  }

  /**
   * All entries of a list that has pages. A server may give fewer entries a page than were asked for; the count that it
   * reports, or an empty page, is the end.
   */
  async readAll<T>(request: GiteaRequest, entry: z.ZodMiniType<T>): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = { ...request.query, limit: PAGE_SIZE, page };
      const { value, reply } = await this.#http.requestJson(this.#outgoing({ ...request, query }), z.array(entry));
      all.push(...value);
      const total = Number(reply.headers['x-total-count'] ?? Number.NaN);
      if (value.length === 0 || all.length >= total || (Number.isNaN(total) && value.length < PAGE_SIZE)) return all;
    }
    throw new CourierError({
      code: 'protocol',
      message: `The list ${request.path.join('/')} has more than ${MAX_PAGES} pages.`,
    });
  }

  #outgoing({ path, query = {}, body, repeat = 'always', ...rest }: GiteaRequest): HttpRequest {
    const url = new URL(`${this.#serverUrl}/api/v1/${path.map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return {
      ...rest,
      service,
      url,
      repeat,
      headers: {
        accept: 'application/json',
        authorization: `token ${this.#token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }
}

// What servers give at most, unless they are set up otherwise: https://docs.gitea.com/administration/config-cheat-sheet#api-api
const PAGE_SIZE = 50;
// Far more than any server has; a reply that never ends must not keep us.
const MAX_PAGES = 100;
