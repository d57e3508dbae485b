import https from 'node:https';
import type { Certificate } from '../tls.ts';

/** The only node of a test cluster. The API server requests only the logs of containers from it. */
export class Kubelet implements AsyncDisposable {
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
    await new Promise<void>((resolve) => kubelet.#server.listen(0, '127.0.0.1', resolve));
    return kubelet;
  }

  get port(): number {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    return address.port;
  }

  /** What the container has printed. */
  setLog(
    pod: { readonly namespace: string; readonly name: string },
    container: string,
    log: string,
  ): void {
    this.#logs.set(`/containerLogs/${pod.namespace}/${pod.name}/${container}`, log);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
