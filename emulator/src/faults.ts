import * as z from 'zod/mini';

/** Which requests a fault applies to. Without any field: every request. */
export interface FaultMatch {
  readonly method?: string | undefined;
  /**
   * A text is searched for anywhere in the path (without the query); an expression is tested
   * against path and query.
   */
  readonly path?: RegExp | string | undefined;
  /** The first matching request that gets the fault, counted from 1. */
  readonly nth?: number | undefined;
  /** How many matching requests in a row get it from then on. Default 1; `Infinity` for all. */
  readonly times?: number | undefined;
  /** Share of those requests that get it, 0 to 1, at random. Default: all of them. */
  readonly rate?: number | undefined;
}

/** What goes wrong. Several can be combined, such as a delay and a status. */
export interface FaultEffect {
  readonly delayMs?: number | undefined;
  /** This reply instead of the emulator's own. The request has no effect, unless `applied`. */
  readonly status?: number | undefined;
  /** Set on the reply, also on the emulator's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Bytes and text are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** The request takes effect although the reply is scripted. */
  readonly applied?: boolean | undefined;
  /** The connection is cut without a reply, before or after the request takes effect. */
  readonly reset?: 'before' | 'after' | undefined;
  /** The body ends after this many bytes, although `Content-Length` promised more. */
  readonly truncateAfterBytes?: number | undefined;
  /** The body has no `Content-Length`: it ends with the connection. */
  readonly closeDelimited?: boolean | undefined;
  /** The body is sent in pieces with a pause after each. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number } | undefined;
  /** These bytes are sent instead of a whole HTTP reply, then the connection closes. */
  readonly raw?: string | Uint8Array | undefined;
}

export interface Fault extends FaultEffect {
  readonly match?: FaultMatch | undefined;
}

interface FaultSubject {
  readonly method: string;
  readonly path: string;
  /** With the `?`, or empty. */
  readonly search: string;
}

/** The faults that are waiting for their requests. */
export class FaultScript {
  readonly #random: () => number;
  #entries: { readonly fault: Fault; seen: number }[] = [];

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  inject(fault: Fault): void {
    this.#entries.push({ fault, seen: 0 });
  }

  clear(): void {
    this.#entries = [];
  }

  /** The first fault for this request; those after it neither see nor count the request. */
  take(request: FaultSubject): FaultEffect | undefined {
    for (const entry of this.#entries) {
      const { nth = 1, times = 1, rate = 1, ...match } = entry.fault.match ?? {};
      if (!fits(match, request)) continue;
      entry.seen += 1;
      const isDue = entry.seen >= nth && entry.seen < nth + times;
      if (isDue && (rate >= 1 || this.#random() < rate)) return entry.fault;
    }
    return undefined;
  }
}

function fits({ method, path }: FaultMatch, request: FaultSubject): boolean {
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (path === undefined) return true;
  if (typeof path === 'string') return request.path.includes(path);
  // Without the flags by which a pattern would continue where its last search ended.
  const pattern = new RegExp(path.source, path.flags.replace(/[gy]/g, ''));
  return pattern.test(request.path + request.search);
}

const whole = z.int().check(z.minimum(0));
const count = z.int().check(z.minimum(1));

/**
 * A fault as JSON, for the control path: a path is a text, and `times: "always"` means all
 * requests.
 */
export const faultSchema = z.strictObject({
  match: z.optional(
    z.strictObject({
      method: z.optional(z.string()),
      path: z.optional(z.string()),
      nth: z.optional(count),
      times: z.optional(
        z.pipe(
          z.union([count, z.literal('always')]),
          z.transform((times) => (times === 'always' ? Number.POSITIVE_INFINITY : times)),
        ),
      ),
      rate: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    }),
  ),
  delayMs: z.optional(whole),
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.unknown()),
  applied: z.optional(z.boolean()),
  reset: z.optional(z.enum(['before', 'after'])),
  truncateAfterBytes: z.optional(whole),
  closeDelimited: z.optional(z.boolean()),
  drip: z.optional(z.strictObject({ bytes: count, everyMs: whole })),
  raw: z.optional(z.string()),
});
