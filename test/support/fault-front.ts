import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { listen, stopServer } from './listening.ts';

export interface FrontRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
}

/**
 * What happens to a request. `reply` (JSON) and `raw`: the server never sees it. `lose`: the server
 * acts, and its reply is lost. `hold`: it reaches the server later, also if its client is gone by
 * then. `cut`: only so many bytes of the reply arrive, its head included.
 */
export type FrontFault =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'raw'; readonly status: number; readonly text: string }
  | { readonly kind: 'lose' }
  | { readonly kind: 'hold'; readonly ms: number };

/** A reply instead of an effect, or an effect without a reply. */
export type Disturbance = Extract<FrontFault, { readonly kind: 'reply' | 'lose' }>;

interface Rule {
  readonly matches: (request: FrontRequest) => boolean;
  readonly fault: FrontFault;
  times: number;
}

interface FrontOptions {
  readonly upstream: string;
  /** PEM of the authority of the server behind. */
  readonly ca?: string | undefined;
  /** The certificate of the front itself; without it, it uses plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * A server in front of any other one: passes requests on unchanged, and breaks the selected ones.
 */
export class FaultFront implements AsyncDisposable {
  readonly url: string;
  readonly requests: FrontRequest[];
  readonly #rules: Rule[];
  readonly #server: http.Server;
  readonly #upstream: http.Agent;

  private constructor(
    url: string,
    server: http.Server,
    upstream: http.Agent,
    requests: FrontRequest[],
    rules: Rule[],
  ) {
    this.url = url;
    this.#server = server;
    this.#upstream = upstream;
    this.requests = requests;
    this.#rules = rules;
  }

  static async start({ upstream, ca, tls }: FrontOptions): Promise<FaultFront> {
    const requests: FrontRequest[] = [];
    const rules: Rule[] = [];
    // One connection for each request would be a tenth of the processor time of the tests of a
    // store.
    const agent = new (upstream.startsWith('https:') ? https : http).Agent({ keepAlive: true, ca });
    const handle = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => {
      const body = await textOf(incoming);
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        body,
        headers: incoming.headers,
      };
      requests.push(request);
      const rule = rules.find(({ matches, times }) => times > 0 && matches(request));
      if (rule !== undefined) rule.times -= 1;
      const fault = rule?.fault;
      if (fault?.kind === 'reply') {
        outgoing.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
        outgoing.end(JSON.stringify(fault.body ?? {}));
        return;
      }
      if (fault?.kind === 'raw') {
        outgoing.writeHead(fault.status).end(fault.text);
        return;
      }
      if (fault?.kind === 'hold') await delay(fault.ms);
      const reply = await forward(`${upstream}${request.path}`, incoming, body, agent);
      if (fault?.kind !== 'lose') outgoing.writeHead(reply.status, reply.headers).end(reply.body);
      else outgoing.socket?.destroy();
    };
    const listener = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => {
      handle(incoming, outgoing).catch(() => outgoing.destroy());
    };
    const server =
      tls === undefined ? http.createServer(listener) : https.createServer({ ...tls }, listener);
    const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${await listen(server)}`;
    return new FaultFront(url, server, agent, requests, rules);
  }

  /** The next matching requests, one without `times`. */
  inject(matches: (request: FrontRequest) => boolean, fault: FrontFault, times = 1): void {
    this.#rules.push({ matches, fault, times });
  }

  /** Removes requests and faults. */
  reset(): void {
    this.#rules.length = 0;
    this.requests.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopServer(this.#server);
    this.#upstream.destroy();
  }
}

function forward(
  url: string,
  incoming: http.IncomingMessage,
  body: string,
  agent: http.Agent,
): Promise<Reply> {
  const { host: _, connection: __, ...headers } = incoming.headers;
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: incoming.method, headers, agent }, async (reply) => {
      const chunks: Buffer[] = [];
      for await (const chunk of reply) chunks.push(chunk);
      resolve({
        status: reply.statusCode ?? 0,
        headers: reply.headers,
        body: Buffer.concat(chunks),
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export async function textOf(incoming: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Disturbs the next requests to an emulator that change something. */
export function disturbing(emulator: {
  inject(fault: {
    readonly match: { readonly method: string; readonly times: number };
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly reset?: 'after';
  }): void;
}): (fault: Disturbance) => void {
  return (fault) => {
    const reply =
      fault.kind === 'lose'
        ? { reset: 'after' as const }
        : { status: fault.status, ...(fault.headers && { headers: fault.headers }) };
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      emulator.inject({ match: { method, times: 5 }, ...reply });
  };
}
