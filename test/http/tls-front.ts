import { request as sendRequest } from 'node:http';
import { createServer } from 'node:https';
import { listen, stopServer } from '../support/listening.ts';
import type { Certificate } from '../support/tls.ts';

interface TlsFront extends AsyncDisposable {
  readonly port: number;
  /** Number of connections, including those that ended in the handshake. */
  readonly connections: () => number;
}

/**
 * Serves an http server with https. The address in the server's replies becomes the requested one,
 * as behind a load balancer.
 */
export async function startTlsFront(upstream: string, certificate: Certificate): Promise<TlsFront> {
  let connections = 0;
  const server = createServer({ ...certificate }, (request, response) => {
    const { host = '' } = request.headers;
    const options = { method: request.method, headers: { ...request.headers } };
    const onward = sendRequest(new URL(request.url ?? '/', upstream), options, async (reply) => {
      const body = Buffer.concat(await reply.toArray());
      const isJson = reply.headers['content-type']?.includes('json') ?? false;
      const text = isJson
        ? Buffer.from(body.toString().replaceAll(`http://${host}`, `https://${host}`))
        : body;
      const { 'transfer-encoding': _, ...headers } = reply.headers;
      response
        .writeHead(reply.statusCode ?? 502, { ...headers, 'content-length': text.length })
        .end(text);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connection', () => {
    connections += 1;
  });
  return {
    port: await listen(server),
    connections: () => connections,
    [Symbol.asyncDispose]: () => stopServer(server),
  };
}
