import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import type { TokenServer } from '../small-servers/token-server.ts';
import { Program, serverProgram } from './program.ts';

/** The real registry (Distribution 3.0) on a port of this machine, over http. */
export class RegistryServer implements AsyncDisposable {
  readonly host: string;
  readonly #parts: AsyncDisposableStack;

  private constructor(host: string, parts: AsyncDisposableStack) {
    this.host = host;
    this.#parts = parts;
  }

  static async start({
    login,
  }: {
    readonly login?: TokenServer | undefined;
  } = {}): Promise<RegistryServer> {
    await using parts = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'registry-'));
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    const host = `127.0.0.1:${await freePort()}`;
    const config: Record<string, unknown> = {
      version: '0.1',
      log: { level: 'error', accesslog: { disabled: true } },
      storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: true } },
      http: { addr: host, secret: 'not-a-secret' },
    };
    if (login !== undefined) {
      const jwks = join(folder, 'keys.json');
      await writeFile(jwks, login.keySet);
      const { realm, service, issuer } = login;
      config['auth'] = { token: { realm, service, issuer, jwks } };
    }
    const path = join(folder, 'config.yml');
    // JSON is YAML.
    await writeFile(path, JSON.stringify(config));
    const program = await Program.start({
      program: serverProgram('registry'),
      arguments: ['serve', path],
      env: { OTEL_TRACES_EXPORTER: 'none' },
      isReady: async () => [200, 401].includes((await fetch(`http://${host}/v2/`)).status),
    });
    parts.use(program);
    return new RegistryServer(host, parts.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

/** Runs crane, another program's client for registries. `config`: the folder of the credentials. */
export async function crane(args: readonly string[], config = '/nonexistent'): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', DOCKER_CONFIG: config };
  const options = { env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { stdout } = await promisify(execFile)(
    serverProgram('crane'),
    ['--insecure', ...args],
    options,
  );
  return stdout.trim();
}
