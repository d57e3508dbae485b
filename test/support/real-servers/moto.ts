import { freePort } from '../free-port.ts';
import { Program, serverProgram } from './program.ts';

/** A third-party implementation of AWS's APIs: moto, in memory. It accepts every signature. */
export class MotoServer implements AsyncDisposable {
  readonly url: string;
  readonly #program: Program;

  private constructor(url: string, program: Program) {
    this.url = url;
    this.#program = program;
  }

  static async start(): Promise<MotoServer> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = await Program.start({
      program: serverProgram('moto', 'bin/moto_server'),
      arguments: ['--host', '127.0.0.1', '--port', String(port)],
      isReady: async () => (await fetch(`${url}/moto-api/`)).ok,
    });
    return new MotoServer(url, program);
  }

  /** From now on, moto checks signatures and policies like AWS. */
  async checkRights(): Promise<void> {
    await fetch(`${this.url}/moto-api/reset-auth`, { method: 'POST', body: '0' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}
