import { freePort } from '../free-port.ts';
import { Program, serverProgram } from './program.ts';

/**
 * A real Vault in its development mode: in memory, unsealed, http on the loopback. `secret/` is a
 * KV mount of version 2.
 */
export class VaultServer implements AsyncDisposable {
  readonly url: string;
  readonly rootToken: string;
  readonly #program: Program;

  private constructor(url: string, rootToken: string, program: Program) {
    this.url = url;
    this.rootToken = rootToken;
    this.#program = program;
  }

  static async start(): Promise<VaultServer> {
    const port = await freePort();
    const [url, rootToken] = [`http://127.0.0.1:${port}`, 'root-token-0123456789abcdef'];
    const program = await Program.start({
      program: serverProgram('vault'),
      arguments: ['server', '-dev', '-dev-no-store-token', `-dev-listen-address=127.0.0.1:${port}`],
      env: { VAULT_DEV_ROOT_TOKEN_ID: rootToken },
      isReady: async () => (await fetch(`${url}/v1/sys/health`)).ok,
    });
    return new VaultServer(url, rootToken, program);
  }

  /** A request as root, or with another token; the body is sent as JSON. */
  async api(
    method: string,
    path: string,
    body?: unknown,
    token = this.rootToken,
  ): Promise<{ status: number; body: unknown }> {
    const reply = await fetch(`${this.url}/v1/${path}`, {
      method,
      headers: { 'x-vault-token': token, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}
