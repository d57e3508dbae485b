import { Buffer } from 'node:buffer';
import type http from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Attempt, ExchangeError, type OpenLimits, type Outgoing, requestHeaders } from './open.ts';

/** What one attempt may take. Tests hand in smaller ones. */
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
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** False where the end of the connection was the only sign that the body has ended. */
  readonly lengthKnown: boolean;
}

/** Sends one request and reads the whole reply, within the limits. Rejects with an ExchangeError, and only that. */
export async function exchange(
  outgoing: Outgoing,
  { limits, signal }: { limits: ExchangeLimits; signal: AbortSignal },
): Promise<HttpReply> {
  const attempt = new Attempt(signal);
  const total = setTimeout(() => attempt.end('total-timeout'), limits.totalMs);
  try {
    const reply = await requestHeaders(outgoing, limits, attempt);
    return await readReply(reply, limits, attempt);
  } catch (cause) {
    throw attempt.errorOf(cause);
  } finally {
    clearTimeout(total);
    attempt.close();
  }
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

async function readReply(reply: http.IncomingMessage, limits: ExchangeLimits, attempt: Attempt): Promise<HttpReply> {
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
  // Node's parser compares what came with `content-length`, and waits for the last chunk of a chunked body.
  if (!reply.complete) throw new ExchangeError({ fault: 'truncated', sent: true });
  const lengthKnown = reply.headers['content-length'] !== undefined || reply.headers['transfer-encoding'] !== undefined;
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks), lengthKnown };
}
