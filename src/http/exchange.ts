import { Buffer } from 'node:buffer';
import type {
  Agent,
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { HttpClient, type HttpClientResponse } from '@actions/http-client';
import type { RequestInfo } from '@actions/http-client/lib/interfaces';
import { CHECKED } from './certificates.ts';

/**
 * Certificates as PEM. `ca` replaces the authorities that Node trusts; `cert` and `key` are a
 * client certificate.
 */
export interface TlsOptions {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name in the server's certificate, if it is not the host of the address. */
  readonly servername?: string | undefined;
}

/** The headers of a request. Names in lower case. */
export type HeaderFields = Readonly<Record<string, string>>;

/**
 * A streamed body: it is sent while it is read, such as that of a file. Each attempt opens it
 * again.
 */
export interface BodySource {
  readonly bytes: number;
  /** The body from its beginning; it calls `onPiece` for each piece that it hands over. */
  open(onPiece: () => void): Readable;
}

interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderFields;
  readonly body: string | BodySource | undefined;
  readonly agent: Agent;
  readonly tls?: TlsOptions | undefined;
  /** Resolves the host name instead of the system's resolver; not used behind a proxy. */
  readonly lookup?: LookupFunction | undefined;
  /** Called once the connection is made and the beginning of the request is on its way. */
  readonly onSent?: (() => void) | undefined;
}

/** Limits of an attempt until the reply's headers have arrived. */
interface OpenLimits {
  /** Until the connection is made, with its TLS handshake. */
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

/**
 * One attempt went wrong. `sent` is false only when the other side cannot have seen any of the
 * request.
 */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
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
    this.fault = init.fault;
    this.sent = init.sent;
    this.proxyStatus = init.proxyStatus;
  }
}

/**
 * Sends one request and gives the reply with its body unread: for downloads, which have their own
 * limits for the body. The caller destroys the reply when `signal` aborts or the body is not
 * wanted. Rejects with an ExchangeError, and only that.
 */
export async function openReply(
  outgoing: Outgoing,
  limits: OpenLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const attempt = new Attempt(signal);
  try {
    return await requestHeaders(outgoing, limits, attempt);
  } catch (cause) {
    throw attempt.failed(cause);
  }
}

/** One attempt: the signal that ends it, and whether it was sent. */
class Attempt {
  /** The server may have seen a part of the request. */
  sent = false;
  readonly #abort = new AbortController();
  /** Keeps the first reason; later ones only follow from it. */
  readonly signal: AbortSignal;

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
  }

  /** Ends the attempt as failed, for this reason. */
  end(fault: ExchangeFault, proxyStatus?: number): void {
    this.#abort.abort(new ExchangeError({ fault, sent: this.sent, proxyStatus }));
  }

  /** Ends the attempt, as it is no longer needed. */
  close(): void {
    // No code reads the reason. Without a reason, `abort` makes an error with a stack each time.
    this.#abort.abort('closed');
  }

  /** Closes the attempt, and gives the reason why it failed. `cause` is what was thrown. */
  failed(cause: unknown): ExchangeError {
    const isEnded = this.signal.aborted;
    this.close();
    // If the attempt was ended, what was thrown only follows from that.
    const reason = isEnded ? this.signal.reason : cause;
    if (reason instanceof ExchangeError) {
      // If the proxy refused, the socket that counted as ready leads to no server.
      const sent = this.sent && reason.fault !== 'proxy';
      const { fault, proxyStatus } = reason;
      return new ExchangeError({ fault, sent, cause, proxyStatus });
    }
    // The caller's signal has ended the attempt, or Node.js has thrown something.
    return new ExchangeError({ fault: isEnded ? 'aborted' : 'broken', sent: this.sent, cause });
  }
}

/**
 * Sends the request with the HTTP client of the runner's toolkit, and gives the reply with its body
 * unread, once its headers have arrived. Rejects with whatever went wrong first: `Attempt.failed`
 * makes an ExchangeError of it.
 */
function requestHeaders(
  outgoing: Outgoing,
  limits: OpenLimits,
  attempt: Attempt,
): Promise<IncomingMessage> {
  const { body, onSent } = outgoing;
  const signal = attempt.signal;
  return new Promise((resolve, reject) => {
    const connectTimer = setTimeout(() => attempt.end('connect-timeout'), limits.connectMs);
    const headersTimer = setTimeout(() => attempt.end('headers-timeout'), limits.headersMs);
    // Only the first call decides: a promise ignores `resolve` and `reject` after that.
    const settle = (end: () => void) => {
      clearTimeout(connectTimer);
      clearTimeout(headersTimer);
      end();
    };
    const fail = (cause: unknown) => settle(() => reject(cause));
    // While a streamed body is being sent, no answer is expected: each piece starts the wait for
    // the headers again.
    const source = isStreamed(body) ? body.open(() => headersTimer.refresh()) : undefined;
    source?.on('error', fail);
    signal.addEventListener('abort', () => source?.destroy(), { once: true });
    // A request that waits for a proxy's tunnel has no socket yet. Without a socket, a request
    // emits nothing when it is ended, so that the end has to be noticed here.
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    const client = new Client(outgoing, signal, (request) => {
      // The agent would otherwise give the proxy's refusal as if it were the server's reply.
      request.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
        if (statusCode !== 200) attempt.end('proxy', statusCode);
      });
      request.on('socket', (socket) =>
        onceReady(socket, () => {
          clearTimeout(connectTimer);
          attempt.sent = true;
          // In a later turn of the event loop: Node.js first writes the part of the request that
          // waited for the connection.
          if (onSent !== undefined) setImmediate(onSent);
        }),
      );
      let isAnswered = false;
      request.on('response', () => {
        isAnswered = true;
      });
      // The toolkit passes an error on in a later turn, after `close`: without this listener, the
      // reason would be lost.
      request.on('error', fail);
      // A reply that switches protocols (101) closes the request and is neither a response nor an
      // error.
      request.on('close', () => {
        if (!isAnswered) fail(new Error('closed without a reply'));
      });
    });
    // The toolkit takes a text or a stream, and wants null for a request without a body.
    const text = typeof body === 'string' ? body : null;
    client
      .request(outgoing.method, outgoing.url.href, source ?? text, outgoing.headers)
      .then((reply) => settle(() => resolve(reply.message)))
      .catch(fail);
  });
}

// The most that Node.js takes: the limits of the call, which this file keeps, decide how long a
// socket may be idle.
const SOCKET_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The client of the toolkit. Its redirects, retries, agents and limits are not used: this folder
 * has its own.
 */
class Client extends HttpClient {
  readonly #observe: (request: ClientRequest) => void;

  constructor(outgoing: Outgoing, signal: AbortSignal, observe: (request: ClientRequest) => void) {
    const prepareRequest = (options: RequestOptions) => {
      Object.assign(options, outgoing.tls, {
        // The toolkit would keep the brackets of an IPv6 address, which no resolver knows, and
        // replace the user agent.
        host: outgoing.url.hostname.replace(/^\[|\]$/g, ''),
        headers: outgoing.headers,
        agent: outgoing.agent,
        lookup: outgoing.lookup,
        signal,
        ...CHECKED,
      });
    };
    // A handler must have this method; the next line says that it is never called.
    const handleAuthentication = () =>
      Promise.reject(new Error('no handler of ours authenticates'));
    const handler = { prepareRequest, canHandleAuthentication: () => false, handleAuthentication };
    super('docs-courier', [handler], {
      allowRedirects: false,
      allowRetries: false,
      socketTimeout: SOCKET_TIMEOUT_MS,
    });
    this.#observe = observe;
  }

  /**
   * The toolkit does not show its request, and `requestHeaders` has to listen to it: so for this
   * call, the module that makes the request is replaced by one that hands it to `observe`.
   */
  override requestRaw(
    info: RequestInfo,
    data: string | NodeJS.ReadableStream,
  ): Promise<HttpClientResponse> {
    const httpModule = info.httpModule;
    const request = (options: RequestOptions, onReply: (reply: IncomingMessage) => void) => {
      const clientRequest = httpModule.request(options, onReply);
      this.#observe(clientRequest);
      return clientRequest;
    };
    return super.requestRaw(
      { ...info, httpModule: Object.create(httpModule, { request: { value: request } }) },
      data,
    );
  }
}

// Calls `ready` once the socket is connected to the server: from then on, bytes of the request may
// be on the wire. A kept socket is ready at once. A socket through a proxy is connected when the
// agent gives it, but its TLS handshake with the server is still to come: until its end,
// `getFinished` gives undefined.
function onceReady(socket: Socket, ready: () => void): void {
  // The socket failed before the agent gave it: it is never ready.
  if (socket.destroyed) return;
  if (socket instanceof TLSSocket && socket.getFinished() === undefined)
    socket.once('secureConnect', ready);
  else if (socket.connecting) socket.once('connect', ready);
  else ready();
}

/** The limits of one attempt. Tests pass smaller ones. */
export interface ExchangeLimits extends OpenLimits {
  /** Between two pieces of the reply's body. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Of the reply's body, decoded. */
  readonly bodyBytes: number;
}

export const EXCHANGE_LIMITS: ExchangeLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 60_000,
  bodyBytes: 1024 * 1024,
};

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** False if the end of the connection was the only sign that the body has ended. */
  readonly lengthKnown: boolean;
}

/**
 * Sends one request and reads the whole reply, within the limits. Rejects with an ExchangeError,
 * and only that.
 */
export async function exchange(
  outgoing: Outgoing,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<HttpReply> {
  const attempt = new Attempt(signal);
  const total = setTimeout(() => attempt.end('total-timeout'), limits.totalMs);
  try {
    const reply = await requestHeaders(outgoing, limits, attempt);
    return await collectReply(reply, limits, attempt);
  } catch (cause) {
    throw attempt.failed(cause);
  } finally {
    clearTimeout(total);
    // A server may answer before it has the whole of a streamed body: the sending must end here. A
    // request with any other body was sent whole, and closing it would only make an error.
    if (isStreamed(outgoing.body)) attempt.close();
  }
}

export function isStreamed(body: string | BodySource | undefined): body is BodySource {
  return typeof body === 'object';
}

// Requests ask for no content encoding; a proxy on the way may still apply one.
const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** The reply's body without its content encoding. Throws `encoding` for one that is not known. */
function decoded(reply: IncomingMessage): Readable {
  const encoding = reply.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return reply;
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined) throw new ExchangeError({ fault: 'encoding', sent: true });
  // `pipe` does not pass on errors.
  reply.once('error', (cause) => decoder.destroy(cause));
  return reply.pipe(decoder);
}

/**
 * Reads the body within the limits. Throws `too-large`, `encoding`, or `truncated` if the body is
 * not whole, also after the attempt was ended: `Attempt.failed` then puts the first reason in its
 * place.
 */
async function collectReply(
  reply: IncomingMessage,
  limits: ExchangeLimits,
  attempt: Attempt,
): Promise<HttpReply> {
  const chunks: Buffer[] = [];
  let size = 0;
  const idle = setTimeout(() => attempt.end('idle-timeout'), limits.idleMs);
  try {
    for await (const chunk of decoded(reply)) {
      idle.refresh();
      size += chunk.length;
      if (size > limits.bodyBytes) throw new ExchangeError({ fault: 'too-large', sent: true });
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof ExchangeError) throw cause;
    throw new ExchangeError({ fault: 'truncated', sent: true, cause });
  } finally {
    clearTimeout(idle);
    reply.destroy();
  }
  // `complete` is false if the body is shorter than `content-length`, or has no last chunk.
  if (!reply.complete) throw new ExchangeError({ fault: 'truncated', sent: true });
  const lengthKnown =
    reply.headers['content-length'] !== undefined ||
    reply.headers['transfer-encoding'] !== undefined;
  return {
    // Each reply has a status; the type is also that of requests.
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    body: Buffer.concat(chunks),
    lengthKnown,
  };
}
