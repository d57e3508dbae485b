import { Buffer } from 'node:buffer';
import type {
  Agent,
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { HttpClient, type HttpClientResponse } from '@actions/http-client';
import type { RequestInfo } from '@actions/http-client/lib/interfaces';
import { checkBypass, getProxyUrl } from '@actions/http-client/lib/proxy';
import { configError } from '../errors.ts';
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

/** Of a request. Names in lower case. */
export type HeaderFields = Readonly<Record<string, string>>;

/** A body that is sent as it is read, such as a file. Each attempt opens it again. */
export interface BodySource {
  readonly bytes: number;
  /** `onPiece`: call it for each piece that is handed over. */
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

/** Until the reply's headers are there. */
interface OpenLimits {
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
  options: { limits: OpenLimits; signal: AbortSignal },
): Promise<IncomingMessage> {
  const attempt = new Attempt(options.signal);
  try {
    return await requestHeaders(outgoing, options.limits, attempt);
  } catch (cause) {
    throw attempt.failed(cause);
  }
}

/** What ends an attempt, and how far it came. */
class Attempt {
  sent = false;
  readonly #abort = new AbortController();
  /** The first reason counts; what follows from it does not. */
  readonly signal: AbortSignal;

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
  }

  end(fault: ExchangeFault, proxyStatus?: number): void {
    this.#abort.abort(new ExchangeError({ fault, sent: this.sent, proxyStatus }));
  }

  close(): void {
    // No code reads the reason; without one, each request would make an error with a stack.
    this.#abort.abort('closed');
  }

  /** Closes it, and gives the error that it failed with. */
  failed(cause: unknown): ExchangeError {
    const isEnded = this.signal.aborted;
    this.close();
    // Once it was ended, whatever else went wrong follows from that.
    const first = isEnded ? this.signal.reason : cause;
    if (!(first instanceof ExchangeError)) {
      return new ExchangeError({ fault: isEnded ? 'aborted' : 'broken', sent: this.sent, cause });
    }
    // What the agent gives after a refusal of the proxy is not a connection to the server.
    const sent = this.sent && first.fault !== 'proxy';
    return new ExchangeError({ fault: first.fault, sent, cause, proxyStatus: first.proxyStatus });
  }
}

/** The reply's head; its body is unread. */
function requestHeaders(
  outgoing: Outgoing,
  limits: OpenLimits,
  attempt: Attempt,
): Promise<IncomingMessage> {
  const { body, onSent } = outgoing;
  const signal = attempt.signal;
  return new Promise((resolve, reject) => {
    const connect = setTimeout(() => attempt.end('connect-timeout'), limits.connectMs);
    const wait = setTimeout(() => attempt.end('headers-timeout'), limits.headersMs);
    const settle = (end: () => void) => {
      clearTimeout(connect);
      clearTimeout(wait);
      end();
    };
    const fail = (cause: unknown) => settle(() => reject(cause));
    // Nothing answers before it has the whole body.
    const source = typeof body === 'object' ? body.open(() => wait.refresh()) : undefined;
    source?.on('error', fail);
    signal.addEventListener('abort', () => source?.destroy(), { once: true });
    // A request that waits for a proxy's tunnel has no socket yet, and one without a socket emits
    // nothing when it is ended.
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    const client = new Client(outgoing, signal, (request) => {
      // Without this, the agent would hand on the proxy's own reply as if it came from the server.
      request.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
        if (statusCode !== 200) attempt.end('proxy', statusCode);
      });
      request.on('socket', (socket) =>
        onceReady(socket, () => {
          clearTimeout(connect);
          attempt.sent = true;
          // What was written before the connection was made is sent first.
          if (onSent !== undefined) setImmediate(onSent);
        }),
      );
      let isAnswered = false;
      request.on('response', () => {
        isAnswered = true;
      });
      // Before `close`: the toolkit passes an error on in a later turn, and the reason would be
      // lost.
      request.on('error', fail);
      // A reply that switches protocols (101) closes the request and is neither a response nor an
      // error.
      request.on('close', () => {
        if (!isAnswered) fail(new Error('closed without a reply'));
      });
    });
    const text = typeof body === 'string' ? body : null;
    client
      .request(outgoing.method, outgoing.url.href, source ?? text, outgoing.headers)
      .then((reply) => settle(() => resolve(reply.message)))
      .catch(fail);
  });
}

// It may be idle for as long as the limits of the call allow, which are kept here.
const SOCKET_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The client of the toolkit, without its redirects, retries, agents and limits: those are the ones
 * of this folder.
 */
class Client extends HttpClient {
  readonly #observe: (request: ClientRequest) => void;

  constructor(outgoing: Outgoing, signal: AbortSignal, observe: (request: ClientRequest) => void) {
    const prepareRequest = (options: RequestOptions) => {
      Object.assign(options, outgoing.tls, {
        // The toolkit leaves the brackets of an IPv6 address, which no resolver knows, and replaces
        // the user agent.
        host: outgoing.url.hostname.replace(/^\[|\]$/g, ''),
        headers: outgoing.headers,
        agent: outgoing.agent,
        lookup: outgoing.lookup,
        signal,
        ...CHECKED,
      });
    };
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
   * The toolkit keeps its request to itself; what became of it decides whether it may be repeated.
   */
  override requestRaw(
    info: RequestInfo,
    data: string | NodeJS.ReadableStream,
  ): Promise<HttpClientResponse> {
    const httpModule = info.httpModule;
    const request = (options: RequestOptions, onReply: (reply: IncomingMessage) => void) => {
      const made = httpModule.request(options, onReply);
      this.#observe(made);
      return made;
    };
    return super.requestRaw(
      { ...info, httpModule: Object.create(httpModule, { request: { value: request } }) },
      data,
    );
  }
}

// From here on bytes of the request may be on the wire. A socket that the agent kept is ready at
// once; one that leads through a proxy is connected when it comes, but its handshake with the
// server is still to be made.
function onceReady(socket: Socket, ready: () => void): void {
  // It failed before it was handed over.
  if (socket.destroyed) return;
  if (socket instanceof TLSSocket && socket.getFinished() === undefined)
    socket.once('secureConnect', ready);
  else if (socket.connecting) socket.once('connect', ready);
  else ready();
}

/** What one attempt may take. Tests pass smaller ones. */
export interface ExchangeLimits extends OpenLimits {
  /** Between two pieces of the body. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Of the decoded body. */
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
    // A server may answer before it has the whole body. Any other request has ended, and to end it
    // again would make an error with a stack.
    if (typeof outgoing.body === 'object') attempt.close();
  }
}

// We never ask for an encoding; a proxy on the way may still apply one.
const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

function decoded(reply: IncomingMessage): Readable {
  const encoding = reply.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return reply;
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined) throw new ExchangeError({ fault: 'encoding', sent: true });
  reply.once('error', (cause) => decoder.destroy(cause));
  return reply.pipe(decoder);
}

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
  // Node's parser compares what came with `content-length`, and waits for the last chunk of a
  // chunked body.
  if (!reply.complete) throw new ExchangeError({ fault: 'truncated', sent: true });
  const lengthKnown =
    reply.headers['content-length'] !== undefined ||
    reply.headers['transfer-encoding'] !== undefined;
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    body: Buffer.concat(chunks),
    lengthKnown,
  };
}

/**
 * The proxy that the environment names for this address, by the rules of the runner's own toolkit.
 */
export function proxyFor(url: URL): URL | undefined {
  // Where clouds serve credentials to their machines: no proxy gets there.
  if (/^(169\.254\.\d+\.\d+|\[fd00:ec2::.*\])$/.test(url.hostname)) return undefined;
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const given = process.env[name.toLowerCase()] || process.env[name];
  if (!given || checkBypass(url)) return undefined;
  // The toolkit gives nothing for an address that it cannot read: the request would go out past the
  // proxy.
  const proxy = getProxyUrl(url);
  const isHttp = proxy !== undefined && /^https?:$/.test(proxy.protocol);
  // A character that ends the host, such as #, makes a part of a password the host.
  if (isHttp && !`${proxy.pathname}${proxy.search}${proxy.hash}`.includes('@')) return proxy;
  throw configError(
    `The variable ${name} is not the address of a proxy. Nothing was sent.`,
    `Write ${name}=http://HOST:PORT or ${name}=http://USER:PASSWORD@HOST:PORT. In the user name and the password, every character but letters and digits is written percent-encoded: # is %23, % is %25, @ is %40, / is %2F.`,
  );
}

/** The address of a proxy without its password. */
export function proxyName(url: URL): string | undefined {
  const proxy = proxyFor(url);
  return proxy && `${proxy.protocol}//${proxy.host}`;
}

interface Pool {
  readonly kept: http.Agent;
  readonly fresh: http.Agent;
}

/**
 * The options of the agent are also those of the connection to an https proxy; those of each
 * request are for its server.
 */
function makePool(make: (options: http.AgentOptions) => http.Agent): Pool {
  return {
    kept: make({ keepAlive: true, ...CHECKED }),
    fresh: make({ keepAlive: false, ...CHECKED }),
  };
}

const direct: Readonly<Record<string, Pool>> = {
  'http:': makePool((options) => new http.Agent(options)),
  'https:': makePool((options) => new https.Agent(options)),
};
const tunnels = new Map<string, Promise<Pool>>();

/**
 * The agent for an address: through the proxy if there is one. `keep: false` gives a separate
 * connection, for calls that must not be written to a kept connection that breaks in that moment:
 * then it is not known whether the request arrived.
 */
export async function agentFor(url: URL, options: { keep: boolean }): Promise<http.Agent> {
  const proxy = proxyFor(url);
  const pool = proxy === undefined ? direct[url.protocol] : await tunnelsOf(proxy);
  if (pool === undefined) throw new Error(`no agent for ${url.protocol}`);
  return options.keep ? pool.kept : pool.fresh;
}

function tunnelsOf(proxy: URL): Promise<Pool> {
  const opened = tunnels.get(proxy.href) ?? openTunnels(proxy);
  tunnels.set(proxy.href, opened);
  return opened;
}

async function openTunnels(proxy: URL): Promise<Pool> {
  // Loaded here: few runs have a proxy, and every run would pay for it at its start.
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const headers: Record<string, string> = {};
  if (proxy.username !== '' || proxy.password !== '') {
    // Not as part of the address: the library prints that if DEBUG is set.
    const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
    headers['Proxy-Authorization'] = `Basic ${credentials}`;
  }
  const address = `${proxy.protocol}//${proxy.host}`;
  return makePool((options) => new HttpsProxyAgent(address, { ...options, headers }));
}
