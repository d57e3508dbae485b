import * as z from 'zod/mini';
import { protocolError } from '../ground/errors.ts';
import type { HeaderFields, HttpReply, TlsOptions } from './exchange.ts';
import type { CallSettings, Http, HttpRequest } from './http.ts';
import type { Service } from './service.ts';

/**
 * Settings for a write that follows from what a run has read: it is sent once, within 20 s. After a
 * pause the decision may be out of date, so the transport does not repeat the write: the caller
 * reads again and decides again. Another run may write 45 s after this one has read
 * (`delivery/protocol`).
 */
export const ONCE = { repeat: 'never', timeLimitMs: 20_000 } as const;

// Far more pages than any server has: a list that never ends must not keep the run busy.
const MAX_PAGES = 100;

/** One call of a JSON API. Without `repeat`, it is repeated: then repeating must do no harm. */
export interface ApiRequest extends CallSettings {
  readonly method: HttpRequest['method'];
  /** Below the address of the API; each part is escaped. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Where an API is, and the headers that identify the caller. */
export interface ApiAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly headers: HeaderFields;
  readonly tls?: TlsOptions | undefined;
}

/** An API that takes and gives JSON. Its calls throw a CourierError, and only that. */
export class JsonApi {
  readonly #http: Http;
  readonly #service: Service;
  readonly #access: () => ApiAccess | Promise<ApiAccess>;

  /** `access` is called for each request. */
  constructor(http: Http, service: Service, access: () => ApiAccess | Promise<ApiAccess>) {
    this.#http = http;
    this.#service = service;
    this.#access = access;
  }

  /** The whole reply, whatever it contains. */
  async send(request: ApiRequest): Promise<HttpReply> {
    return this.#http.request(await this.#outgoing(request));
  }

  /**
   * The reply's JSON as the schema has it; `protocol` if it does not fit. `missing` is the schema
   * of the body of a 404, if a 404 is an answer and not a failure.
   */
  async read<T>(
    request: ApiRequest,
    schema: z.ZodMiniType<T>,
    missing?: z.ZodMiniType<T>,
  ): Promise<T> {
    const also = missing && { status: 404, schema: missing };
    return (await this.#http.requestJson(await this.#outgoing(request), schema, also)).value;
  }

  /**
   * All entries of a list that has pages of `pageSize` entries, which the query of the request asks
   * for. The last page is one with which there are as many entries as the server says, or one that
   * is not full, unless the server says that there are more; an empty one always: an entry may have
   * been removed while the pages were read.
   */
  async listAll<T>(request: ApiRequest, pageSize: number, entry: z.ZodMiniType<T>): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const sent = await this.#outgoing({ ...request, query: { ...request.query, page } });
      const { value: entries, reply } = await this.#http.requestJson(sent, z.array(entry));
      all.push(...entries);
      // NaN if the server gives no total.
      const total = Number(reply.headers['x-total-count']);
      // Some servers give smaller pages than were asked for.
      const isShort = entries.length < pageSize && !(all.length < total);
      if (entries.length === 0 || all.length === total || isShort) return all;
    }
    // A part of the list is not given: the other entries would seem not to exist.
    throw protocolError(`The list ${request.path.join('/')} has more than ${MAX_PAGES} pages.`);
  }

  /** The call as an HTTP request: its address, its headers, its body as JSON. */
  async #outgoing(request: ApiRequest): Promise<HttpRequest> {
    const access = await this.#access();
    const path = request.path.map(encodeURIComponent).join('/');
    const url = new URL(`${access.url}/${path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { accept: 'application/json', ...access.headers };
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    return {
      ...request,
      repeat: request.repeat ?? 'always',
      service: this.#service,
      url,
      tls: access.tls,
      headers: { ...headers, ...request.headers },
      body: JSON.stringify(request.body),
    };
  }
}
