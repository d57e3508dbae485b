import { request as sendRequest } from 'node:http';
import { createServer } from 'node:https';
import { readAddress } from '../../emulator/src/server.ts';
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: readAddress(server.address()).port,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
