import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import { type PlainReply, scriptedReply, sendReply } from '../server-faults.ts';
import type { App } from './app.ts';
import type { RecordedRequest } from './entities.ts';
import type { Store } from './store.ts';

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

interface ServerParts {
  readonly app: App;
  readonly store: Store;
  readonly tls: Pick<SecureContextOptions, 'key' | 'cert'> | undefined;
}

/** Puts the app behind a real socket: records, and lets faults happen to what goes over the wire. */
export async function startServer({ app, store, tls }: ServerParts): Promise<RunningServer> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    handle({ app, store, request, response }).catch((error: unknown) => {
      // A defect of the emulator itself: loud in the test's output, and a reply that no caller mistakes for GitHub's.
      console.error('GitHub emulator:', error);
      response.destroy();
    });
  };
  const server = tls ? createHttpsServer(tls, answer) : createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = readAddress(server.address());
  return {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    close: async () => {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export function readAddress(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address;
}

interface Exchange {
  readonly app: App;
  readonly store: Store;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function handle({ app, store, request, response }: Exchange): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  const scheme = 'encrypted' in request.socket ? 'https' : 'http';
  const url = new URL(request.url ?? '/', `${scheme}://${request.headers.host ?? 'localhost'}`);
  // GitHub Enterprise Server has its API below this prefix.
  const prefix = /^\/api\/v3(?=\/|$)/.exec(url.pathname)?.[0] ?? '';
  url.pathname = url.pathname.slice(prefix.length) || '/';
  const headers = singleHeaders(request);
  const method = request.method ?? 'GET';
  const record: RecordedRequest = {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    body: body.toString('utf8'),
    at: store.now(),
    token: store.token(bearer(headers.authorization))?.name,
    status: undefined,
  };
  store.requests.push(record);

  const fault = store.faults.take({ method, path: url.pathname, query: url.search.slice(1) }) ?? {};
  if (fault.delayMs !== undefined) await delay(fault.delayMs);
  if (fault.reset === 'before') return cut(request);
  const scripted = fault.status !== undefined || fault.body !== undefined || fault.raw !== undefined;
  const acts = !scripted || fault.applied === true || fault.reset === 'after';
  const own = acts
    ? await ask(app, new Request(url, requestInit({ method, headers, body })), url.origin + prefix)
    : undefined;
  if (fault.reset === 'after') return cut(request);
  const reply = scriptedReply(fault, own);
  record.status = reply.status;
  await sendReply(response, reply, fault);
}

function cut(request: IncomingMessage): void {
  request.socket.resetAndDestroy();
}

function requestInit(init: { method: string; headers: Record<string, string>; body: Buffer }): RequestInit {
  const hasBody = init.method !== 'GET' && init.method !== 'HEAD' && init.body.length > 0;
  return { method: init.method, headers: init.headers, ...(hasBody ? { body: new Uint8Array(init.body) } : {}) };
}

async function ask(app: App, request: Request, base: string): Promise<PlainReply> {
  const response = await app.fetch(request, { base });
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: [...response.headers], body };
}

function singleHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/** The token of `Authorization: Bearer …` or the older `token …`. */
export function bearer(header: string | undefined): string | undefined {
  return /^(?:bearer|token) +(\S+)$/i.exec(header ?? '')?.[1];
}
