import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { Authority, type Issued } from './authority.ts';
import { Program, serverProgram } from './program.ts';

/**
 * Accounts of the test cluster. `admin` may do everything; the others only what the test grants
 * with RBAC.
 */
export const TOKENS = {
  admin: 'admin-token-0123456789abcdef',
  courier: 'courier-token-0123456789abcdef',
  stranger: 'stranger-token-0123456789abcdef',
} as const;

interface KubernetesOptions {
  readonly oidc?:
    | { readonly url: string; readonly caFile: string; readonly audience: string }
    | undefined;
}

export interface ApiReply {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiOptions {
  readonly token?: string;
  readonly type?: string;
}

/** One request to the API of a cluster. */
export function callApi(
  { url, ca }: { readonly url: string; readonly ca: string },
  method: string,
  path: string,
  body: unknown,
  options: ApiOptions,
): Promise<ApiReply> {
  const text =
    body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = https.request(`${url}${path}`, {
      method,
      ca,
      headers: {
        authorization: `Bearer ${options.token ?? TOKENS.admin}`,
        ...(text !== undefined && { 'content-type': options.type ?? 'application/json' }),
      },
    });
    request.on('error', reject);
    request.on('response', async (reply) => {
      const chunks: Buffer[] = [];
      for await (const chunk of reply) chunks.push(chunk);
      const received = Buffer.concat(chunks).toString();
      resolve({
        status: reply.statusCode ?? 0,
        body: received.startsWith('{') ? JSON.parse(received) : received,
      });
    });
    request.end(text);
  });
}

/**
 * A real kube-apiserver with its etcd, RBAC on, tokens and client certificates accepted. It has no
 * nodes, so pods never run.
 */
export class KubernetesServer implements AsyncDisposable {
  readonly url: string;
  readonly authority: Authority;
  /** Of the user `certified`, for kubeconfigs with a client certificate. */
  readonly client: Issued;
  readonly #parts: AsyncDisposableStack;

  private constructor(
    url: string,
    authority: Authority,
    client: Issued,
    parts: AsyncDisposableStack,
  ) {
    this.url = url;
    this.authority = authority;
    this.client = client;
    this.#parts = parts;
  }

  /** `oidc`: id tokens of this issuer are accepted too; the user is `github:` and the subject. */
  static async start({ oidc }: KubernetesOptions = {}): Promise<KubernetesServer> {
    await using parts = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'kubernetes-'));
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    const authority = await Authority.create(folder);
    const server = await authority.issue('server', '/CN=kube-apiserver', [
      'IP:127.0.0.1',
      'DNS:localhost',
    ]);
    const client = await authority.issue('client', '/CN=certified');
    const etcdUrl = parts.use(await Etcd.start(folder)).url;
    const port = await freePort();
    const url = `https://127.0.0.1:${port}`;
    await mkdir(join(folder, 'certs'));
    const tokens = Object.entries(TOKENS).map(
      ([name, token]) => `${token},${name},${name}${name === 'admin' ? ',system:masters' : ''}`,
    );
    await writeFile(join(folder, 'tokens.csv'), `${tokens.join('\n')}\n`);
    const options: Readonly<Record<string, string>> = {
      'etcd-servers': etcdUrl,
      'secure-port': String(port),
      'bind-address': '127.0.0.1',
      'advertise-address': '127.0.0.1',
      'tls-cert-file': server.certFile,
      'tls-private-key-file': server.keyFile,
      'client-ca-file': authority.certFile,
      'token-auth-file': join(folder, 'tokens.csv'),
      'authorization-mode': 'RBAC',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': server.certFile,
      'service-account-signing-key-file': server.keyFile,
      'service-cluster-ip-range': '10.0.0.0/24',
      'cert-dir': join(folder, 'certs'),
      // Would add a token to each pod, which needs a controller that does not run here.
      'disable-admission-plugins': 'ServiceAccount',
      ...(oidc && {
        'oidc-issuer-url': oidc.url,
        'oidc-ca-file': oidc.caFile,
        'oidc-client-id': oidc.audience,
        'oidc-username-claim': 'sub',
        'oidc-username-prefix': 'github:',
      }),
    };
    const cluster = new KubernetesServer(url, authority, client, parts);
    parts.use(
      await Program.start({
        program: serverProgram('kube-apiserver'),
        arguments: Object.entries(options).map(([name, value]) => `--${name}=${value}`),
        isReady: async () => (await cluster.api('GET', '/readyz')).status === 200,
      }),
    );
    return new KubernetesServer(url, authority, client, parts.move());
  }

  /**
   * A request as `admin`, or with another token. A string body is sent unchanged, anything else as
   * JSON.
   */
  api(method: string, path: string, body?: unknown, options: ApiOptions = {}): Promise<ApiReply> {
    return callApi({ url: this.url, ca: this.authority.cert }, method, path, body, options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}

class Etcd implements AsyncDisposable {
  readonly url: string;
  readonly #program: Program;

  private constructor(url: string, program: Program) {
    this.url = url;
    this.#program = program;
  }

  static async start(folder: string): Promise<Etcd> {
    const [url, peers] = [
      `http://127.0.0.1:${await freePort()}`,
      `http://127.0.0.1:${await freePort()}`,
    ];
    const options = [
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      url,
      '--advertise-client-urls',
      url,
    ];
    const cluster = [
      '--listen-peer-urls',
      peers,
      '--initial-advertise-peer-urls',
      peers,
      '--initial-cluster',
      `default=${peers}`,
    ];
    const program = await Program.start({
      program: serverProgram('etcd'),
      arguments: [...options, ...cluster],
      isReady: async () => (await fetch(`${url}/health`)).ok,
    });
    return new Etcd(url, program);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}
