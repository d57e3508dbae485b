import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { App } from './app.ts';
import type { RecordedRequest } from './entities.ts';
import type { FaultEffect } from './faults.ts';
import { CONTROL_PREFIX } from './routes/control.ts';
import type { Store } from './store.ts';
import { faultyReply, readReply, replaces, sendReply } from './wire.ts';

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ServerInit {
  readonly app: App;
  readonly store: Store;
  readonly port: number;
  readonly log: (line: string) => void;
}

/** Puts the app behind a socket of this machine, where requests are recorded and faults happen. */
export async function startServer(init: ServerInit): Promise<RunningServer> {
  const listener = getRequestListener(
    (request, { incoming, outgoing }) => {
      if (!(incoming instanceof IncomingMessage) || !(outgoing instanceof ServerResponse))
        return new Response(null, { status: 505 });
      return handle({ ...init, request, incoming, outgoing });
    },
    // Else Request and Response of the whole process would be replaced.
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(init.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : init.port;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Exchange extends ServerInit {
  readonly request: Request;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function handle(exchange: Exchange): Promise<Response> {
  const { app, store, request, log } = exchange;
  const url = new URL(request.url);
  if (url.pathname.startsWith(`${CONTROL_PREFIX}/`)) return app(request);
  const startedMs = performance.now();
  const body = await request.text();
  const record = recordRequest({ request, url, body, at: store.clock.now() });
  store.requests.push(record);
  const fault = store.faults.take({ method: request.method, path: url.pathname, search: url.search });
  const init = { method: request.method, headers: request.headers, ...(body === '' ? {} : { body }) };
  const again = new Request(url, init);
  const response = fault ? await misbehave({ ...exchange, request: again, fault, record }) : await app(again);
  if (!fault) record.status = response.status;
  const took = Math.round(performance.now() - startedMs);
  // Without the query: it may hold a signature, and a log is shown to others.
  log(`${request.method} ${url.pathname} ${record.status ?? 'cut off'}${fault ? ' (fault)' : ''} ${took} ms`);
  return response;
}

function recordRequest(seen: { request: Request; url: URL; body: string; at: number }): RecordedRequest {
  const { request, url, body, at } = seen;
  return {
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(request.headers),
    body,
    at,
    status: undefined,
  };
}

interface Misbehaviour extends Exchange {
  readonly fault: FaultEffect;
  readonly record: RecordedRequest;
}

async function misbehave({ app, request, incoming, outgoing, fault, record }: Misbehaviour): Promise<Response> {
  if (fault.delayMs !== undefined) await delay(fault.delayMs);
  if (fault.reset !== 'before') {
    const acts = !replaces(fault) || fault.applied === true || fault.reset === 'after';
    const own = acts ? await readReply(await app(request)) : undefined;
    const reply = faultyReply(fault, own);
    if (fault.reset === undefined) {
      record.status = fault.raw === undefined ? reply.status : undefined;
      await sendReply({ outgoing, reply, fault });
      return RESPONSE_ALREADY_SENT;
    }
  }
  incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}
