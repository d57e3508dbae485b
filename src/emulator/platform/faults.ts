/** Which requests a fault meets. Nothing given: every request. */
export interface FaultMatch {
  readonly method?: string | undefined;
  /** A text is looked for anywhere in the path (without the query); an expression is tested against path and query. */
  readonly path?: RegExp | string | undefined;
  /** The first matching request that is met, counted from 1. */
  readonly nth?: number | undefined;
  /** How many matching requests in a row are met from there on. Default 1; `Infinity` for all. */
  readonly times?: number | undefined;
}

/** What goes wrong. Several may be given together, such as a delay and a status. */
export interface FaultEffect {
  readonly delayMs?: number | undefined;
  /** This reply in place of the emulator's own. The request has no effect, unless `applied`. */
  readonly status?: number | undefined;
  /** Set on the reply, the emulator's own too. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Bytes and text go out as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The request takes effect although the reply is a scripted one. */
  readonly applied?: boolean | undefined;
  /** The connection is cut without a reply, before or after the request took effect. */
  readonly reset?: 'before' | 'after' | undefined;
  /** The body ends after this many bytes, although `Content-Length` promised more. */
  readonly truncateAfterBytes?: number | undefined;
  /** The body has no `Content-Length`: it ends where the connection ends. */
  readonly closeDelimited?: boolean | undefined;
  /** The body comes in pieces with a pause after each. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number } | undefined;
  /** These bytes go out in place of a whole HTTP reply, then the connection closes. */
  readonly raw?: string | Uint8Array | undefined;
}

export interface Fault extends FaultEffect {
  readonly match?: FaultMatch | undefined;
}

export interface FaultSubject {
  readonly method: string;
  readonly path: string;
  /** With its `?`, or empty. */
  readonly search: string;
}

export interface FaultScript {
  inject(fault: Fault): void;
  /** The first fault that meets this request; those after it neither see nor count the request. */
  take(request: FaultSubject): FaultEffect | undefined;
  clear(): void;
}

export function createFaultScript(): FaultScript {
  let entries: { fault: Fault; seen: number }[] = [];
  return {
    inject(fault) {
      entries.push({ fault, seen: 0 });
    },
    clear() {
      entries = [];
    },
    take(request) {
      for (const entry of entries) {
        const match = entry.fault.match ?? {};
        if (!meets(match, request)) continue;
        entry.seen += 1;
        const first = match.nth ?? 1;
        if (entry.seen >= first && entry.seen < first + (match.times ?? 1)) return entry.fault;
      }
      return undefined;
    },
  };
}

function meets({ method, path }: FaultMatch, request: FaultSubject): boolean {
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (path === undefined) return true;
  if (typeof path === 'string') return request.path.includes(path);
  return new RegExp(path.source, path.flags.replace(/[gy]/g, '')).test(request.path + request.search);
}
