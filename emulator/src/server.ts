import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import type { FaultEffect, FaultScript } from './faults.ts';
import { faultyReply, readReply, replaces, sendReply, type WireReply } from './wire.ts';

/** A request as it was received. */
export interface Arrival {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

interface ArrivalRecord {
  /** What faults match. */
  readonly path: string;
  /** Set before the reply is sent; undefined: the connection was cut. */
  status: number | undefined;
}

/** An emulated service, without a socket. */
export interface Service {
  readonly faults: FaultScript;
  fetch(request: Request): Promise<Response> | Response;
  /**
   * Called for each request before anything else; undefined: it is not recorded or logged, and gets
   * no fault.
   */
  record(arrival: Arrival): ArrivalRecord | undefined;
}

interface ServerInit {
  readonly service: Service;
  /** 0: any free port. */
  readonly port: number;
  /** Receives one line per request, without its query: it may contain a signature. */
  readonly log?: ((line: string) => void) | undefined;
  /** Serves https with this certificate. */
  readonly tls?: Pick<SecureContextOptions, 'key' | 'cert'> | undefined;
}

interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

// This machine only: everyone who can reach an emulator can read what tests put into it.
const LOOPBACK = '127.0.0.1';

/** Serves a service on a local port, where requests are recorded and faults happen. */
export async function startServer(init: ServerInit): Promise<RunningServer> {
  const { tls } = init;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    new Exchange(init, request, response).run().catch((error: unknown) => {
      // A bug of the emulator itself: logged, and without a reply that a caller could mistake for
      // the service's.
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
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
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
      // Before the reply is sent: its receiver may read the record.
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

  /** The reply, changed as the fault says; undefined if the connection must be cut. */
  async #reply(arrival: Arrival, fault: FaultEffect): Promise<WireReply | undefined> {
    if (fault.delayMs !== undefined) await delay(fault.delayMs);
    if (fault.reset === 'before') return undefined;
    // Whether the request has its effect, even if the fault then hides that.
    const acts = !replaces(fault) || fault.applied === true || fault.reset === 'after';
    const ownReply = acts
      ? await readReply(await this.#init.service.fetch(toRequest(arrival)))
      : undefined;
    return fault.reset === 'after' ? undefined : faultyReply(fault, ownReply);
  }
}

function toRequest({ method, url, headers, body }: Arrival): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  return new Request(url, { method, headers, ...(hasBody && { body }) });
}
