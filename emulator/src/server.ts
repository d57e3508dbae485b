import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import type { FaultEffect, FaultScript } from './faults.ts';
import { faultyReply, readReply, replaces, sendReply, type WireReply } from './wire.ts';

/** A request as it came. */
export interface Arrival {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface ArrivalRecord {
  /** As faults match it. */
  readonly path: string;
  /** Set before the reply is sent; undefined: the connection was cut. */
  status: number | undefined;
}

/** An emulated service, without a socket. */
export interface Service {
  readonly faults: FaultScript;
  fetch(request: Request): Promise<Response> | Response;
  /** Called for each request before anything else; undefined: it is neither recorded nor logged, and gets no fault. */
  record(arrival: Arrival): ArrivalRecord | undefined;
}

interface ServerInit {
  readonly service: Service;
  /** 0: any free port. */
  readonly port: number;
  /** Takes one line a request, without its query: it may hold a signature. */
  readonly log?: ((line: string) => void) | undefined;
  /** Serves https with this certificate. */
  readonly tls?: Pick<SecureContextOptions, 'key' | 'cert'> | undefined;
}

interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

// Nobody but this machine: whoever reaches an emulator reads what tests put into it.
const LOOPBACK = '127.0.0.1';

/** Puts a service behind a socket of this machine, where requests are recorded and faults happen. */
export async function startServer(init: ServerInit): Promise<RunningServer> {
  const { tls } = init;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    new Exchange(init, request, response).run().catch((error: unknown) => {
      // A defect of the emulator itself: loud, and no reply that a caller could mistake for the service's.
      console.error('Emulator:', error);
      response.destroy();
    });
  };
  const server = tls ? createHttpsServer(tls, answer) : createHttpServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(init.port, LOOPBACK, resolve);
  });
  const { port } = readAddress(server.address());
  return {
    url: tls ? `https://localhost:${port}` : `http://${LOOPBACK}:${port}`,
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

class Exchange {
  readonly #init: ServerInit;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(init: ServerInit, request: IncomingMessage, response: ServerResponse) {
    this.#init = init;
    this.#request = request;
    this.#response = response;
  }

  async run(): Promise<void> {
    const { service, log } = this.#init;
    const startedMs = performance.now();
    const arrival = await this.#read();
    const record = service.record(arrival);
    const { method, url } = arrival;
    const subject = { method, path: record?.path ?? url.pathname, search: url.search };
    const fault = (record && service.faults.take(subject)) ?? {};
    const reply = await this.#reply(arrival, fault);
    if (record !== undefined) {
      // Before the reply is sent: whoever has it may read the record.
      record.status = fault.raw === undefined ? reply?.status : undefined;
      const outcome = `${record.status ?? 'cut off'}${Object.keys(fault).length > 0 ? ' (fault)' : ''}`;
      log?.(`${method} ${url.pathname} ${outcome} ${Math.round(performance.now() - startedMs)} ms`);
    }
    if (reply === undefined) this.#request.socket.resetAndDestroy();
    else await sendReply({ outgoing: this.#response, reply, fault });
  }

  async #read(): Promise<Arrival> {
    const request = this.#request;
    const scheme = 'encrypted' in request.socket ? 'https' : 'http';
    const body = new Uint8Array(Buffer.concat(await request.toArray()));
    const url = new URL(request.url ?? '/', `${scheme}://${request.headers.host ?? LOOPBACK}`);
    const headers = Object.entries(request.headers).map(([name, value = '']): [string, string] => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]);
    return { method: request.method ?? 'GET', url, headers: Object.fromEntries(headers), body };
  }

  /** The reply, misbehaving as the fault says; undefined where the connection is to be cut. */
  async #reply(arrival: Arrival, fault: FaultEffect): Promise<WireReply | undefined> {
    if (fault.delayMs !== undefined) await delay(fault.delayMs);
    if (fault.reset === 'before') return undefined;
    const acts = !replaces(fault) || fault.applied === true || fault.reset === 'after';
    const own = acts ? await readReply(await this.#init.service.fetch(toRequest(arrival))) : undefined;
    return fault.reset === 'after' ? undefined : faultyReply(fault, own);
  }
}

function toRequest({ method, url, headers, body }: Arrival): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  return new Request(url, { method, headers, ...(hasBody && { body }) });
}
