import { Buffer } from 'node:buffer';
import type { Redact } from '../text/redact.ts';
import type { ExchangeLimits, HttpReply } from './exchange.ts';
import type { TlsOptions } from './open.ts';
import type { CallWords, Service } from './service.ts';

/**
 * `always`: repeating does no harm. `unless-acted`: only where the other side cannot have acted: never connected, 429, 503 with
 * `Retry-After`. `never`: one attempt, the caller handles failures itself.
 */
export type Repeat = 'always' | 'unless-acted' | 'never';

export interface HttpRequest {
  readonly service: Service;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /** Names in lower case. `user-agent`, `accept-encoding` and `content-length` are set where they are left out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Buffer | undefined;
  /** Headers that each attempt needs anew, such as a signature with the time of the attempt. Names in lower case. */
  readonly sign?: (() => Promise<Readonly<Record<string, string>>>) | undefined;
  readonly repeat: Repeat;
  /** In messages and in the log; without it method and address, without the query. */
  readonly name?: string | undefined;
  /** Of one attempt, where they differ from those of the run. */
  readonly limits?: Partial<ExchangeLimits> | undefined;
  /** For the whole call, with all attempts and waits between them, in milliseconds: a poll ends with the time that is left. */
  readonly timeLimitMs?: number | undefined;
  /** In place of the run's own signal, such as for the last words after the run was cancelled. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long an attempt under way is still waited for once the run was cancelled, in milliseconds: where the reply names what
   * was started. No further attempt is made.
   */
  readonly cancelGraceMs?: number | undefined;
  /** Authorities and client certificate of this service. */
  readonly tls?: TlsOptions | undefined;
  /** `false`: for addresses from outside; a connection to a private address is refused. Behind a proxy it cannot be known. */
  readonly allowPrivateHosts?: boolean | undefined;
  /** Redacts what the reply says in messages, in place of the log's own: where secrets are known that the log does not know. */
  readonly redact?: Redact | undefined;
  /** Which replies are an answer and no failure; 2xx without it. Redirects are never followed. */
  readonly accepts?: ((reply: HttpReply) => boolean) | undefined;
  /**
   * Looks at an accepted reply: gives what is wrong with it, such as `it is not JSON`. The call then fails as `protocol`, and is
   * repeated as after a broken connection.
   */
  readonly check?: ((reply: HttpReply) => string | undefined) | undefined;
}

export function isSuccess({ status }: HttpReply): boolean {
  return status >= 200 && status <= 299;
}

export function wordsOf({ name, method, url, service, redact }: HttpRequest, logRedact: Redact): CallWords {
  return { name: name ?? `${method} ${url.origin}${url.pathname}`, url, service, redact: redact ?? logRedact };
}

export function headersOf({ method, headers, body }: HttpRequest): Record<string, string> {
  const hasBody = body !== undefined || method === 'POST' || method === 'PUT' || method === 'PATCH';
  return {
    'accept-encoding': 'identity',
    'user-agent': 'docs-courier',
    ...(hasBody && { 'content-length': String(Buffer.byteLength(body ?? '')) }),
    ...headers,
  };
}
