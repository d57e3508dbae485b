import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Which requests a fault meets. Nothing given: every request. */
export interface FaultMatch {
  readonly method?: string | undefined;
  /** A text is looked for anywhere in the path (without the query); an expression is tested against path and query. */
  readonly path?: RegExp | string | undefined;
  /** Skip this many matching requests less one: `nth: 3` meets the third first. Default 1. */
  readonly nth?: number | undefined;
  /** How many requests in a row are met from there on. Default 1; `Infinity` for all. */
  readonly times?: number | undefined;
}

/** What goes wrong. Several may be given together, such as a delay and a status. */
export interface FaultEffect {
  readonly delayMs?: number | undefined;
  /** This reply instead of the server's own. The request has no effect, unless `applied`. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Bytes and text go out as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The request takes effect although the reply is a scripted one. */
  readonly applied?: boolean | undefined;
  /** The connection is cut without a reply, before or after the request took effect. */
  readonly reset?: 'before' | 'after' | undefined;
  /** The reply's body ends after this many bytes, although `Content-Length` promised more. */
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

export interface FaultScript {
  inject(fault: Fault): void;
  /** The first fault that meets this request. Faults injected later do not see (and do not count) a request that an earlier one met. */
  take(request: { readonly method: string; readonly path: string; readonly query: string }): FaultEffect | undefined;
  clear(): void;
}

export function createFaultScript(): FaultScript {
  let entries: { fault: Fault; seen: number }[] = [];
  return {
    inject: (fault) => {
      entries.push({ fault, seen: 0 });
    },
    clear: () => {
      entries = [];
    },
    take(request) {
      for (const entry of entries) {
        if (!matches(entry.fault.match ?? {}, request)) continue;
        entry.seen += 1;
        const first = entry.fault.match?.nth ?? 1;
        if (entry.seen >= first && entry.seen < first + (entry.fault.match?.times ?? 1)) return entry.fault;
      }
      return undefined;
    },
  };
}

function matches(match: FaultMatch, request: { method: string; path: string; query: string }): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== request.method) return false;
  if (match.path === undefined) return true;
  if (typeof match.path === 'string') return request.path.includes(match.path);
  // A fresh search each time, also for an expression with the g flag.
  match.path.lastIndex = 0;
  return match.path.test(request.query === '' ? request.path : `${request.path}?${request.query}`);
}

export interface PlainReply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** The reply that a fault scripts, or the server's own where it scripts none. */
export function scriptedReply(fault: FaultEffect, own: PlainReply | undefined): PlainReply {
  const headers = Object.entries(fault.headers ?? {});
  if (fault.status === undefined && fault.body === undefined && own) {
    const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
    return { ...own, headers: [...own.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...headers] };
  }
  const type = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return {
    status: fault.status ?? 200,
    headers: type ? headers : [['content-type', 'application/json; charset=utf-8'], ...headers],
    body: readBytes(fault.body ?? {}),
  };
}

function readBytes(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Writes a reply to the socket, misbehaving as the fault says. */
export async function sendReply(response: ServerResponse, reply: PlainReply, fault: FaultEffect = {}): Promise<void> {
  if (fault.raw !== undefined) {
    response.socket?.end(fault.raw);
    return;
  }
  for (const [name, value] of reply.headers) response.appendHeader(name, value);
  if (fault.closeDelimited) {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
  } else if (!response.hasHeader('content-length')) response.setHeader('content-length', reply.body.length);
  response.writeHead(reply.status);
  if (fault.truncateAfterBytes !== undefined) {
    response.write(reply.body.subarray(0, fault.truncateAfterBytes), () => response.destroy());
    return;
  }
  const step = fault.drip?.bytes ?? reply.body.length;
  for (let from = 0; from < reply.body.length && !response.destroyed; from += step) {
    response.write(reply.body.subarray(from, from + step));
    if (fault.drip) await delay(fault.drip.everyMs);
  }
  response.end();
}
