import type * as z from 'zod/mini';
import type { HttpReply } from '../../http/exchange.ts';
import type { Http, HttpRequest } from '../../http/http.ts';
import type { Meaning, Service } from '../../http/service.ts';
import { parseJson } from '../../text/json.ts';
import { errorReply } from './contract.ts';

const service: Service = { name: 'GitLab', addressSetting: 'the server (?server= in the address)', errorText, meaning };

/** `message` is a text, or an object with an array of texts for each field; a missing scope is in `error`. */
function errorText(reply: HttpReply): string | undefined {
  const parsed = errorReply.safeParse(parseJson(reply.body.toString('utf8')));
  if (!parsed.success) return undefined;
  const { message, error, error_description: description } = parsed.data;
  return [message, error, description]
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join(': ');
}

function meaning({ status }: HttpReply): Meaning | undefined {
  // GitLab answers a request that does not fit its rules with 400, or with 409 where two variables have the key.
  return status === 400 ? { code: 'config' } : undefined;
}

export interface GitLabRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/api/v4/`; each part is escaped. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly repeat: HttpRequest['repeat'];
  readonly signal?: AbortSignal | undefined;
}

/** GitLab's REST API, version 4. */
export class GitLabApi {
  readonly #http: Http;
  readonly #url: string;
  readonly #token: string;

  /** `url` is the address of the server, without `/api/v4`. */
  constructor(http: Http, url: string, token: string) {
    this.#http = http;
    this.#url = url;
    this.#token = token;
  }

  /** Throws a CourierError, and only that. */
  async send<T>({ path, query, body, ...request }: GitLabRequest, schema: z.ZodMiniType<T>): Promise<T> {
    const url = new URL(`${this.#url}/api/v4/${path.map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${this.#token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = { ...request, service, url, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await this.#http.requestJson(sent, schema)).value;
  }
}
