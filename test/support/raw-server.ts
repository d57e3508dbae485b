import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from './listening.ts';

/** What a raw server does with one request: it has the socket and can do anything with it. */
export type RawReply = (socket: Socket, request: RawRequest) => void | Promise<void>;

interface RawRequest {
  readonly head: string;
  readonly body: string;
}

interface RawServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: RawRequest[];
  /** Number of connections, including those without a request. */
  readonly connections: () => number;
}

/**
 * A server on a plain socket, for replies that no HTTP library would send. Request n gets reply n,
 * the last one repeats.
 */
export async function startRawServer(...replies: RawReply[]): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (end < 0 || received.length < end + 4 + length) return;
      const request = {
        head: received.slice(0, end),
        body: received.slice(end + 4, end + 4 + length),
      };
      received = '';
      requests.push(request);
      void replies[Math.min(requests.length, replies.length) - 1]?.(socket, request);
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A well-formed reply; `headers` are extra lines. */
export function reply(
  status: number,
  body: string | Buffer,
  headers: readonly string[] = [],
): RawReply {
  return (socket) => {
    const bytes = Buffer.from(body);
    const lines = [
      `HTTP/1.1 ${status} X`,
      'content-type: application/json',
      `content-length: ${bytes.length}`,
      'connection: close',
      ...headers,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.end(bytes);
  };
}

export function json(status: number, value: unknown, headers: readonly string[] = []): RawReply {
  return reply(status, JSON.stringify(value), headers);
}

/** Exactly these bytes, then the end of the connection. */
export function raw(text: string): RawReply {
  return (socket) => {
    socket.end(text);
  };
}

export const reset: RawReply = (socket) => {
  socket.resetAndDestroy();
};

export const silence: RawReply = () => {};

/** Headers and a first piece, and then a piece every `everyMs` forever. */
export function drip(everyMs: number): RawReply {
  return async (socket) => {
    socket.write(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
    );
    for (let piece = 0; piece < 900 && !socket.destroyed; piece += 1) {
      await delay(everyMs);
      socket.write(' ');
    }
  };
}
