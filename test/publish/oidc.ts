import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, stopServer } from '../support/listening.ts';
import { Authority } from '../support/real-servers/authority.ts';

const REQUEST_TOKEN = 'request-token-0123456789abcdef';
const LIFE_S = 300;

/**
 * The service that gives a job of GitHub its id token, and describes its verification with OpenID
 * Connect discovery. The claims are those of
 * https://docs.github.com/actions/reference/security/oidc.
 */
export class IdTokenIssuer implements AsyncDisposable {
  /** The issuer in each token. */
  readonly url: string;
  /** PEM file of the authority of the issuer's certificate. */
  readonly caFile: string;
  /** The variables of a job with `permissions: id-token: write`. */
  readonly env: Readonly<Record<string, string>>;
  /** Each issued token. */
  readonly issued: readonly string[];
  /** What verifies a token, as PEM. */
  readonly publicKey: string;
  readonly #parts: AsyncDisposableStack;

  private constructor(
    init: Pick<IdTokenIssuer, 'url' | 'caFile' | 'env' | 'issued' | 'publicKey'>,
    parts: AsyncDisposableStack,
  ) {
    this.url = init.url;
    this.caFile = init.caFile;
    this.env = init.env;
    this.issued = init.issued;
    this.publicKey = init.publicKey;
    this.#parts = parts;
  }

  /** Each token has these claims of the job, such as `sub`. */
  static async start(job: Readonly<Record<string, string>>): Promise<IdTokenIssuer> {
    await using parts = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'issuer-'));
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    const authority = await Authority.create(folder);
    const { key, cert } = await authority.issue('issuer', '/CN=issuer', ['IP:127.0.0.1']);
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const issued: string[] = [];
    const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' };
    let url = '';
    const discovery = https.createServer({ key, cert }, (request, reply) => {
      const about = {
        issuer: url,
        jwks_uri: `${url}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      };
      reply.writeHead(200, { 'content-type': 'application/json' });
      reply.end(JSON.stringify(request.url === '/jwks' ? { keys: [jwk] } : about));
    });
    url = `https://127.0.0.1:${await listen(discovery)}`;
    parts.defer(() => stopServer(discovery));
    const requests = http.createServer((request, reply) => {
      if (request.headers.authorization?.toLowerCase() !== `bearer ${REQUEST_TOKEN}`)
        return reply.writeHead(401).end('{}');
      const audience = new URL(request.url ?? '', 'http://any').searchParams.get('audience');
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        ...job,
        iss: url,
        aud: audience,
        iat: now,
        nbf: now - 5,
        exp: now + LIFE_S,
      };
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const text = `${encode({ alg: 'RS256', typ: 'JWT', kid: '1' })}.${encode(claims)}`;
      const value = `${text}.${sign('sha256', Buffer.from(text), keys.privateKey).toString('base64url')}`;
      issued.push(value);
      return reply
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ value }));
    });
    const port = await listen(requests);
    parts.defer(() => stopServer(requests));
    const env = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
    };
    const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const init = { url, caFile: authority.certFile, env, issued, publicKey };
    return new IdTokenIssuer(init, parts.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }
}
