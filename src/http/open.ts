import type { Buffer } from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Certificates as PEM. `ca` replaces the authorities that Node trusts; `cert` and `key` are a client certificate. */
export interface TlsOptions {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name in the server's certificate, where it is not the host of the address. */
  readonly servername?: string | undefined;
}

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  readonly agent: http.Agent;
  readonly tls?: TlsOptions | undefined;
  /** Resolves the host name in place of the system's resolver; not used behind a proxy. */
  readonly lookup?: LookupFunction | undefined;
  /** Called once the connection is made and the beginning of the request is on its way. */
  readonly onSent?: (() => void) | undefined;
}

/** Until the reply's headers are there. */
export interface OpenLimits {
  readonly connectMs: number;
  /** From the request to the reply's headers. */
  readonly headersMs: number;
}

type ExchangeFault =
  | 'connect-timeout'
  | 'headers-timeout'
  | 'idle-timeout'
  | 'total-timeout'
  | 'too-large'
  | 'truncated'
  | 'encoding'
  | 'proxy'
  | 'broken'
  | 'aborted';

/** One attempt went wrong. `sent` is false only when the other side cannot have seen any of the request. */
export class ExchangeError extends Error {
  readonly fault: ExchangeFault;
  readonly sent: boolean;
  /** The status with which a proxy refused the tunnel. */
  readonly proxyStatus: number | undefined;

  constructor(init: {
    fault: ExchangeFault;
    sent: boolean;
    cause?: unknown;
    proxyStatus?: number | undefined;
  }) {
    super(init.fault, { cause: init.cause });
    this.name = 'ExchangeError';
    this.fault = init.fault;
    this.sent = init.sent;
    this.proxyStatus = init.proxyStatus;
  }
}

/**
 * Sends one request and gives the reply with its body unread: for downloads, which have limits of their own for the body.
 * Whoever calls it destroys the reply when `signal` aborts or the body is not wanted. Rejects with an ExchangeError, and
 * only that.
 */
export async function openReply(
  outgoing: Outgoing,
  { limits, signal }: { limits: OpenLimits; signal: AbortSignal },
): Promise<http.IncomingMessage> {
  const attempt = new Attempt(signal);
  try {
    return await requestHeaders(outgoing, limits, attempt);
  } catch (cause) {
    attempt.close();
    throw attempt.errorOf(cause);
  }
}

/** What ends an attempt, and how far it came. */
export class Attempt {
  sent = false;
  #fault: ExchangeFault | undefined;
  #proxyStatus: number | undefined;
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onCancel = () => this.end('aborted');

  constructor(outer: AbortSignal) {
    this.#outer = outer;
    outer.addEventListener('abort', this.#onCancel, { once: true });
    if (outer.aborted) this.#onCancel();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The first reason counts; what follows from it does not. */
  end(fault: ExchangeFault): void {
    this.#fault ??= fault;
    this.#abort.abort();
  }

  refusedByProxy(status: number): void {
    this.#proxyStatus = status;
    this.end('proxy');
  }

  close(): void {
    this.#outer.removeEventListener('abort', this.#onCancel);
    this.#abort.abort();
  }

  errorOf(cause: unknown): ExchangeError {
    const known = cause instanceof ExchangeError ? cause.fault : 'broken';
    return new ExchangeError({
      fault: this.#fault ?? known,
      // What the agent hands over then is no connection to the server.
      sent: this.sent && this.#fault !== 'proxy',
      cause,
      proxyStatus: this.#proxyStatus,
    });
  }
}

/** The reply's head; its body is unread. */
export function requestHeaders(
  outgoing: Outgoing,
  limits: OpenLimits,
  attempt: Attempt,
): Promise<http.IncomingMessage> {
  const { method, url, headers, body, agent, tls, lookup, onSent } = outgoing;
  const { signal } = attempt;
  const send = url.protocol === 'https:' ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const connect = setTimeout(() => attempt.end('connect-timeout'), limits.connectMs);
    const wait = setTimeout(() => attempt.end('headers-timeout'), limits.headersMs);
    const stop = () => {
      clearTimeout(connect);
      clearTimeout(wait);
    };
    const fail = (cause: unknown) => {
      stop();
      reject(cause);
    };
    const request = send(url, { ...tls, ...(lookup && { lookup }), method, headers, agent, signal });
    // A request that waits for a proxy's tunnel has no socket yet, and one without a socket emits nothing when it is ended.
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    // Without this, the agent would hand on the proxy's own reply as if it came from the server.
    request.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
      if (statusCode !== 200) attempt.refusedByProxy(statusCode);
    });
    request.on('socket', (socket) =>
      onceReady(socket, () => {
        clearTimeout(connect);
        attempt.sent = true;
        // What was written before the connection stood goes out first.
        if (onSent !== undefined) setImmediate(onSent);
      }),
    );
    request.on('response', (reply) => {
      stop();
      resolve(reply);
    });
    request.on('error', fail);
    // A reply that switches protocols (101) closes the request and is neither a response nor an error.
    request.on('close', () => fail(new Error('closed without a reply')));
    request.end(body);
  });
}

// From here on bytes of the request may be on the wire. A socket that the agent kept is ready at once; one that leads through
// a proxy is connected when it comes, but its handshake with the server is still to be made.
function onceReady(socket: Socket, ready: () => void): void {
  // It failed before it was handed over.
  if (socket.destroyed) return;
  if (socket instanceof TLSSocket && socket.getFinished() === undefined) socket.once('secureConnect', ready);
  else if (socket.connecting) socket.once('connect', ready);
  else ready();
}
