import { Buffer } from 'node:buffer';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What one attempt may take. Tests hand in smaller ones. */
export interface ExchangeLimits {
  readonly connectMs: number;
  /** From the request to the reply's headers. */
  readonly headersMs: number;
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

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly agent: http.Agent;
}

export interface Incoming {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** False where the end of the connection was the only sign that the body is over. */
  readonly lengthKnown: boolean;
}

export type ExchangeFault =
  | 'connect-timeout'
  | 'headers-timeout'
  | 'idle-timeout'
  | 'total-timeout'
  | 'too-large'
  | 'truncated'
  | 'encoding'
  | 'broken'
  | 'aborted';

/** One attempt went wrong. `sent` is false only when the other side cannot have seen any of the request. */
export class ExchangeError extends Error {
  readonly fault: ExchangeFault;
  readonly sent: boolean;

  constructor(init: { fault: ExchangeFault; sent: boolean; cause?: unknown }) {
    super(init.fault, { cause: init.cause });
    this.name = 'ExchangeError';
    this.fault = init.fault;
    this.sent = init.sent;
  }
}

/** Sends one request and reads the whole reply, within the limits. Rejects with an ExchangeError, and only that. */
export async function exchange(
  outgoing: Outgoing,
  { limits, signal }: { limits: ExchangeLimits; signal: AbortSignal },
): Promise<Incoming> {
  const attempt = new AbortController();
  const progress = { sent: false };
  let fault: ExchangeFault | undefined;
  const give = (reason: ExchangeFault) => {
    fault ??= reason;
    attempt.abort();
  };
  const onCancel = () => give('aborted');
  signal.addEventListener('abort', onCancel, { once: true });
  if (signal.aborted) onCancel();
  const total = setTimeout(() => give('total-timeout'), limits.totalMs);
  try {
    const reply = await requestHeaders(outgoing, { limits, signal: attempt.signal, give, progress });
    return await readReply(reply, { limits, give });
  } catch (cause) {
    const known = cause instanceof ExchangeError ? cause.fault : 'broken';
    throw new ExchangeError({ fault: fault ?? known, sent: progress.sent, cause });
  } finally {
    clearTimeout(total);
    signal.removeEventListener('abort', onCancel);
    attempt.abort();
  }
}

interface Attempt {
  readonly limits: ExchangeLimits;
  readonly signal: AbortSignal;
  readonly give: (reason: ExchangeFault) => void;
  readonly progress: { sent: boolean };
}

function requestHeaders(outgoing: Outgoing, attempt: Attempt): Promise<http.IncomingMessage> {
  const { limits, signal, give, progress } = attempt;
  const { method, url, headers, body, agent } = outgoing;
  const send = url.protocol === 'https:' ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const connect = setTimeout(() => give('connect-timeout'), limits.connectMs);
    const wait = setTimeout(() => give('headers-timeout'), limits.headersMs);
    const stop = () => {
      clearTimeout(connect);
      clearTimeout(wait);
    };
    const fail = (cause: unknown) => {
      stop();
      reject(cause);
    };
    const request = send(url, { method, headers, agent, signal });
    // A request that waits for a proxy's tunnel has no socket yet, and one without a socket tells nobody that it was ended.
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    request.on('socket', (socket) =>
      onceReady(socket, () => {
        clearTimeout(connect);
        progress.sent = true;
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
  if (socket instanceof TLSSocket && socket.getFinished() === undefined) socket.once('secureConnect', ready);
  else if (socket.connecting) socket.once('connect', ready);
  else ready();
}

// We never ask for an encoding; a proxy on the way may still apply one.
function decoded(reply: http.IncomingMessage): Readable {
  const encoding = (reply.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const through = (decoder: ReturnType<typeof createGunzip>) => {
    reply.once('error', (cause) => decoder.destroy(cause));
    return reply.pipe(decoder);
  };
  switch (encoding) {
    case 'identity':
    case '':
      return reply;
    case 'gzip':
      return through(createGunzip());
    case 'deflate':
      return through(createInflate());
    case 'br':
      return through(createBrotliDecompress());
    default:
      throw new ExchangeError({ fault: 'encoding', sent: true });
  }
}

async function readReply(
  reply: http.IncomingMessage,
  { limits, give }: { limits: ExchangeLimits; give: (reason: ExchangeFault) => void },
): Promise<Incoming> {
  const chunks: Buffer[] = [];
  let size = 0;
  const idle = setTimeout(() => give('idle-timeout'), limits.idleMs);
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
  if (!reply.complete) throw new ExchangeError({ fault: 'truncated', sent: true });
  const lengthKnown = reply.headers['content-length'] !== undefined || reply.headers['transfer-encoding'] !== undefined;
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks), lengthKnown };
}
