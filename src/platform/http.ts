import type * as z from 'zod/mini';
import type { Reply } from './client.ts';

export interface Call<T> {
  readonly method: 'GET' | 'POST';
  /** Path segments below the base address; each is checked or encoded, never joined as it is. */
  readonly path: readonly string[];
  readonly key: 'admin' | 'assistant';
  readonly body?: unknown;
  readonly schema: z.ZodMiniType<T>;
  /**
   * `always`: repeating does no harm. `unless-acted`: only where the platform cannot have acted. `never`: one attempt, the
   * caller has its own way with failures.
   */
  readonly repeat: 'always' | 'unless-acted' | 'never';
}

export interface Transport {
  call<T>(call: Call<T>): Promise<Reply<T>>;
}
