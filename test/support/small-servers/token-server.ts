import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import http from 'node:http';
import * as z from 'zod/mini';
import { parseJson } from '../../../src/ground/text/json.ts';
import { listen, stopServer } from '../listening.ts';

interface User {
  readonly password: string;
  /** Such as `pull,push`. */
  readonly actions: string;
}

const claims = z.object({
  exp: z.number(),
  access: z.array(z.object({ name: z.string(), actions: z.array(z.string()) })),
});

/**
 * The login service of a registry: tokens for one repository, signed so that the real registry
 * accepts them.
 */
export class TokenServer implements AsyncDisposable {
  readonly service = 'registry.example.com';
  readonly issuer = 'token-server';
  /** What was asked for, with the user if there was one. */
  readonly requests: {
    readonly user: string | undefined;
    readonly scope: string;
    readonly method: string;
  }[] = [];
  /** Tokens are good for so long. */
  lifeS = 300;
  /**
   * What a reply says about that, if it is something else than a number: some services send a text.
   */
  expiresIn: unknown;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #users: Readonly<Record<string, User>>;
  readonly #server: http.Server;
  #url = '';

  private constructor(users: Readonly<Record<string, User>>) {
    this.#users = users;
    this.#server = http.createServer((incoming, outgoing) => {
      void this.#answer(incoming).then(({ status, body }) => {
        outgoing
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(body));
      });
    });
  }

  static async start(users: Readonly<Record<string, User>>): Promise<TokenServer> {
    const server = new TokenServer(users);
    server.#url = `http://127.0.0.1:${await listen(server.#server)}`;
    return server;
  }

  get realm(): string {
    return `${this.#url}/token`;
  }

  /** The public key, as the real registry reads it from a file. */
  get keySet(): string {
    return JSON.stringify({
      keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'key-1', use: 'sig' }],
    });
  }

  judge(
    token: string | undefined,
    repository: string,
    action: string,
  ): 'good' | 'invalid_token' | 'insufficient_scope' {
    const [head = '', payload = '', signature = ''] = token?.split('.') ?? [];
    const key = { key: this.#keys.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      key,
      Buffer.from(signature, 'base64url'),
    );
    if (!isSigned) return 'invalid_token';
    const { exp, access } = claims.parse(parseJson(Buffer.from(payload, 'base64url').toString()));
    if (exp * 1000 < Date.now()) return 'invalid_token';
    const isGranted = access.some(
      ({ name, actions }) => name === repository && actions.includes(action),
    );
    return isGranted ? 'good' : 'insufficient_scope';
  }

  async #answer(
    incoming: http.IncomingMessage,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const isForm = incoming.method === 'POST';
    const query = isForm
      ? new URLSearchParams(Buffer.concat(chunks).toString())
      : new URL(incoming.url ?? '', this.#url).searchParams;
    const [, basic] = /^Basic (.+)$/.exec(incoming.headers.authorization ?? '') ?? [];
    const given = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString();
    const [name, password] = isForm
      ? ['identity', query.get('refresh_token') ?? '']
      : (given?.split(':') ?? []);
    const scope = query.get('scope') ?? '';
    this.requests.push({ user: name, scope, method: incoming.method ?? '' });
    const user = this.#users[name ?? 'anonymous'];
    if (name !== undefined && user?.password !== password) {
      return {
        status: 401,
        body: { errors: [{ code: 'UNAUTHORIZED', message: 'wrong password' }] },
      };
    }
    const [, repository = '', wanted = ''] = /^repository:(.+):([a-z,]+)$/.exec(scope) ?? [];
    const allowed = user?.actions.split(',') ?? [];
    const actions = wanted.split(',').filter((one) => allowed.includes(one));
    const token = this.#token({ name: repository, actions });
    const expiry = { expires_in: this.expiresIn === undefined ? this.lifeS : this.expiresIn };
    return {
      status: 200,
      body: isForm ? { access_token: token, token: null, ...expiry } : { token, ...expiry },
    };
  }

  #token(access: { readonly name: string; readonly actions: readonly string[] }): string {
    const now = Math.floor(Date.now() / 1000);
    // In whole seconds, and never shorter than what is promised.
    const times = { exp: now + 1 + this.lifeS, nbf: now - 10, iat: now };
    const body = { iss: this.issuer, sub: '', aud: this.service, ...times, jti: randomUUID() };
    const granted = access.actions.length === 0 ? [] : [{ type: 'repository', ...access }];
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${encode({ typ: 'JWT', alg: 'ES256', kid: 'key-1' })}.${encode({ ...body, access: granted })}`;
    const key = { key: this.#keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopServer(this.#server);
  }
}
