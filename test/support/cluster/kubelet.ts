import https from 'node:https';
import { listen, stopServer } from '../listening.ts';
import type { Certificate } from '../tls.ts';

/** The only node of a test cluster. The API server requests only the logs of containers from it. */
export class Kubelet implements AsyncDisposable {
  port = 0;
  readonly #server: https.Server;
  readonly #logs = new Map<string, string>();

  private constructor({ key, cert }: Certificate) {
    this.#server = https.createServer({ key, cert }, ({ url = '' }, reply) => {
      const { pathname } = new URL(url, 'https://node');
      const log = this.#logs.get(pathname);
      if (log === undefined) reply.writeHead(400).end('container not found');
      else reply.writeHead(200, { 'content-type': 'text/plain' }).end(log);
    });
  }

  static async start(certificate: Certificate): Promise<Kubelet> {
    const kubelet = new Kubelet(certificate);
    kubelet.port = await listen(kubelet.#server);
    return kubelet;
  }

  /** What the container has printed. */
  setLog(
    pod: { readonly namespace: string; readonly name: string },
    container: string,
    log: string,
  ): void {
    this.#logs.set(`/containerLogs/${pod.namespace}/${pod.name}/${container}`, log);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopServer(this.#server);
  }
}
