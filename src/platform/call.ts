import type * as z from 'zod/mini';
import type { Late } from '../http/http.ts';
import type { Repeat } from '../http/request.ts';

export interface Call<T> {
  readonly method: 'GET' | 'POST';
  /** Path segments below the base address; each is percent-encoded, so that none can become two. */
  readonly path: readonly string[];
  readonly key: 'admin' | 'assistant';
  /** Sent as JSON; absent: no body at all. */
  readonly body?: unknown;
  readonly schema: Late<z.ZodMiniType<T>>;
  /** A status outside 2xx whose body is an answer as well. A body that does not fit is the status's usual error. */
  readonly also?: { readonly status: number; readonly schema: Late<z.ZodMiniType<T>> } | undefined;
  readonly repeat: Repeat;
  /** For the whole call, in milliseconds: a poll ends with the time that is left. */
  readonly timeLimitMs?: number | undefined;
  /** How long the reply is still waited for once the run was cancelled, in milliseconds: it names what was started. */
  readonly cancelGraceMs?: number | undefined;
  /** The documented limit, such as `10 starts per organization per hour`: a 429 without `Retry-After` is then final. */
  readonly hourlyLimit?: string | undefined;
}

export interface Transport {
  /** Throws a CourierError, and only that. */
  call<T>(call: Call<T>): Promise<Reply<T>>;
}

export interface Reply<T> {
  readonly value: T;
  /** The `Date` header: the platform's clock, by which a wrong local one shows. */
  readonly serverTime: Date | undefined;
}
