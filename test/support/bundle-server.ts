import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { listen, stopServer } from './listening.ts';

/**
 * What the server does with one request. By default it sends the archive, or the requested part of
 * it.
 */
export interface Behaviour {
  /** The connection is cut at this position of the archive. */
  readonly cutAt?: number;
  /** Stops sending at this position and keeps the connection open. */
  readonly stallAt?: number;
  /** Sends this many bytes every 5 ms. */
  readonly dripBytes?: number;
  readonly ignoreRange?: boolean;
  readonly etag?: string | undefined;
  /**
   * Sends the requested part even if it is of another archive than the one that the request names.
   */
  readonly ignoreMatch?: boolean;
  /** No Content-Length. */
  readonly chunked?: boolean;
  readonly contentEncoding?: string;
  readonly contentRange?: string;
  /** A body instead of the archive. */
  readonly body?: Buffer | string;
  readonly status?: number;
  /** With `status`: the body never ends, and nothing is sent. */
  readonly endless?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirect?: string;
}

export interface BundleServer extends AsyncDisposable {
  /** With the query of a presigned link. */
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly { readonly url: string; readonly headers: IncomingHttpHeaders }[];
}

/**
 * Object storage with one archive. Each request uses one of `behaviours`; after them the server
 * behaves normally.
 */
export async function startBundleServer(
  archive: Buffer,
  behaviours: readonly Behaviour[] = [],
): Promise<BundleServer> {
  const requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const behaviour = behaviours[requests.length] ?? {};
    requests.push({ url: request.url ?? '', headers: request.headers });
    response.on('error', () => {});
    void answer({ archive, behaviour, request, response });
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  return {
    origin,
    url: `${origin}/bundles/docs.tar.gz?X-Amz-Signature=0123456789abcdef`,
    requests,
    [Symbol.asyncDispose]: () => stopServer(server),
  };
}

interface Answering {
  readonly archive: Buffer;
  readonly behaviour: Behaviour;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The body of S3 for a link that it refuses. */
export function s3Error(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no</Message></Error>`;
}

async function answer({ archive, behaviour, request, response }: Answering): Promise<void> {
  const { redirect, status, headers = {} } = behaviour;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (redirect !== undefined) {
    response.writeHead(307, { location: redirect }).end();
    return;
  }
  if (status !== undefined) {
    response.writeHead(status, { 'content-type': 'application/xml' });
    if (behaviour.endless) response.write('<Error>');
    else response.end(behaviour.body ?? '');
    return;
  }
  const body = behaviour.body === undefined ? archive : Buffer.from(behaviour.body);
  const etag = 'etag' in behaviour ? behaviour.etag : '"first"';
  const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
  const start = from === undefined || behaviour.ignoreRange ? 0 : Number(from);
  if (start > 0 && request.headers['if-match'] !== etag && !behaviour.ignoreMatch) {
    response.writeHead(412).end();
    return;
  }
  if (etag !== undefined) response.setHeader('etag', etag);
  if (behaviour.contentEncoding !== undefined)
    response.setHeader('content-encoding', behaviour.contentEncoding);
  if (!behaviour.chunked) response.setHeader('content-length', body.length - start);
  if (start > 0)
    response.setHeader(
      'content-range',
      behaviour.contentRange ?? `bytes ${start}-${body.length - 1}/${body.length}`,
    );
  response.writeHead(start > 0 ? 206 : 200);
  await send({ response, behaviour, part: body.subarray(start), start });
}

interface Sending {
  readonly response: ServerResponse;
  readonly behaviour: Behaviour;
  readonly part: Buffer;
  readonly start: number;
}

async function send({ response, behaviour, part, start }: Sending): Promise<void> {
  const { cutAt, stallAt, dripBytes } = behaviour;
  if (dripBytes !== undefined) {
    for (let at = 0; at < part.length && !response.destroyed; at += dripBytes) {
      response.write(part.subarray(at, at + dripBytes));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    response.end();
    return;
  }
  const end = cutAt ?? stallAt;
  if (end === undefined) {
    response.end(part);
    return;
  }
  const piece = part.subarray(0, Math.max(0, end - start));
  if (piece.length > 0) await new Promise((resolve) => response.write(piece, resolve));
  else response.flushHeaders();
  // A proper end of the connection within the reply: everything sent arrives, and then nothing.
  if (cutAt !== undefined) response.socket?.end();
}
