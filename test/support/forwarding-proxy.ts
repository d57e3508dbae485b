import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from './listening.ts';
import type { Certificate } from './tls.ts';

export interface ForwardingProxyOptions {
  /** Requires these in `Proxy-Authorization`; anything else gets status 407. */
  readonly credentials?: { readonly user: string; readonly password: string } | undefined;
  /** Accepts the connection for a CONNECT and then cuts it without a reply. */
  readonly dropConnect?: boolean | undefined;
  /** Speaks TLS with this certificate. */
  readonly certificate?: Certificate | undefined;
  /** Names that only the proxy can resolve, to addresses. */
  readonly hosts?: Readonly<Record<string, string>> | undefined;
}

interface ProxiedRequest {
  readonly method: string;
  /** For CONNECT `host:port`, else the whole requested address. */
  readonly target: string;
  readonly authorized: boolean;
}

interface ForwardingProxy extends AsyncDisposable {
  /** For HTTP_PROXY and HTTPS_PROXY; without credentials. */
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  close(): Promise<void>;
}

/** A real HTTP proxy: tunnels CONNECT and forwards requests in absolute form. */
export async function startForwardingProxy(
  options: ForwardingProxyOptions = {},
): Promise<ForwardingProxy> {
  const requests: ProxiedRequest[] = [];
  const tunnels = new Set<Duplex>();
  const record = (request: IncomingMessage): boolean => {
    const authorized = isAuthorized(request, options.credentials);
    requests.push({ method: request.method ?? '', target: request.url ?? '', authorized });
    return authorized;
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (record(request)) forward(request, response);
    else
      response
        .writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' })
        .end('authentication required');
  };
  const { certificate } = options;
  const server =
    certificate === undefined
      ? createServer(onRequest)
      : createTlsServer({ ...certificate }, onRequest);
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    tunnels.add(socket);
    socket.on('close', () => tunnels.delete(socket));
    if (!record(request)) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\n\r\n',
      );
    } else if (options.dropConnect) {
      socket.destroy();
    } else {
      tunnel({ target: request.url ?? '', socket, head, hosts: options.hosts ?? {} });
    }
  });
  const port = await listen(server);
  const close = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    for (const socket of tunnels) socket.destroy();
    await closed;
  };
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isAuthorized(
  request: IncomingMessage,
  wanted: ForwardingProxyOptions['credentials'],
): boolean {
  if (!wanted) return true;
  const expected = Buffer.from(`${wanted.user}:${wanted.password}`).toString('base64');
  return request.headers['proxy-authorization'] === `Basic ${expected}`;
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  if (!URL.canParse(request.url ?? '')) {
    response.writeHead(400).end('a proxy accepts only absolute addresses');
    return;
  }
  const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers;
  const onward = sendRequest(request.url ?? '', { method: request.method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
    reply.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}

interface Tunnel {
  readonly target: string;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly hosts: Readonly<Record<string, string>>;
}

function tunnel({ target, socket, head, hosts }: Tunnel): void {
  const { hostname, port } = new URL(`http://${target}`);
  const onward = connect(
    Number(port || 80),
    hosts[hostname] ?? hostname.replace(/^\[|\]$/g, ''),
    () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    },
  );
  onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  onward.on('close', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}
