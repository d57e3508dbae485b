import { createPublicKey, randomUUID, verify } from 'node:crypto';
import http from 'node:http';
import * as z from 'zod/mini';
import { parseJson } from '../../../src/ground/text/json.ts';
import { textOf } from '../fault-front.ts';
import { listen, stopServer } from '../listening.ts';

const mountBody = z.object({
  type: z.string(),
  options: z.optional(z.object({ version: z.string() })),
});
const authBody = z.object({ type: z.string() });
const policyBody = z.object({ policy: z.string() });
const tokenBody = z.object({ policies: z.array(z.string()) });
const writeBody = z.object({
  options: z.optional(z.object({ cas: z.optional(z.number()) })),
  data: z.record(z.string(), z.nullable(z.string())),
});
const capabilitiesBody = z.object({ paths: z.array(z.string()) });
const appRoleBody = z.object({ token_policies: z.array(z.string()) });
const appLoginBody = z.object({ role_id: z.string(), secret_id: z.string() });
const jwtConfigBody = z.object({ jwt_validation_pubkeys: z.array(z.string()) });
const jwtRoleBody = z.object({
  bound_audiences: z.array(z.string()),
  bound_claims: z.optional(z.record(z.string(), z.string())),
  token_policies: z.array(z.string()),
});
const jwtLoginBody = z.object({ role: z.string(), jwt: z.string() });
const claimsOf = z.record(z.string(), z.union([z.string(), z.number()]));

class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(String(status));
    this.status = status;
    this.body = body;
  }
}

function refused(status: number, ...errors: string[]): Refusal {
  return new Refusal(status, { errors });
}

interface Version {
  readonly number: number;
  /** undefined: it was deleted. */
  readonly data: Readonly<Record<string, string>> | undefined;
}

interface Rule {
  readonly path: string;
  readonly capabilities: readonly string[];
}

/**
 * The part of Vault that a store for a key of a KV secret needs, in memory: versions with
 * check-and-set, policies, tokens, AppRole and JWT logins. `describeVault` compares it with the
 * real one.
 */
export class SmallVault implements AsyncDisposable {
  readonly rootToken = 'root-token-0123456789abcdef';
  #url = '';
  readonly #server: http.Server;
  readonly #mounts = new Map([['secret', { type: 'kv', version: '2', uuid: randomUUID() }]]);
  readonly #policies = new Map<string, readonly Rule[]>();
  /** Mount paths of auth methods, and their kinds. */
  readonly #auths = new Map<string, string>();
  readonly #tokens = new Map<string, readonly string[]>();
  readonly #secrets = new Map<string, Version>();
  readonly #appRoles = new Map<
    string,
    { id: string; secrets: string[]; policies: readonly string[] }
  >();
  readonly #jwtRoles = new Map<string, z.infer<typeof jwtRoleBody>>();
  #jwtKeys: readonly string[] = [];

  private constructor() {
    this.#server = http.createServer((incoming, outgoing) => {
      this.#handle(incoming)
        .then((body) => send(outgoing, body === undefined ? 204 : 200, body))
        .catch((error: unknown) => {
          if (error instanceof Refusal) send(outgoing, error.status, error.body);
          else outgoing.destroy();
        });
    });
  }

  static async start(): Promise<SmallVault> {
    const vault = new SmallVault();
    vault.#url = `http://127.0.0.1:${await listen(vault.#server)}`;
    return vault;
  }

  get url(): string {
    return this.#url;
  }

  /** A request as root, or with another token; the body is sent as JSON. */
  async api(method: string, path: string, body?: unknown, token: string = this.rootToken) {
    const reply = await fetch(`${this.#url}/v1/${path}`, {
      method,
      headers: { 'x-vault-token': token, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : parseJson(text) };
  }

  async #handle(incoming: http.IncomingMessage): Promise<unknown> {
    const body = parseJson(await textOf(incoming));
    const path = new URL(incoming.url ?? '', this.#url).pathname
      .replace(/^\/v1\//, '')
      .split('/')
      .map(decodeURIComponent);
    const { method = '' } = incoming;
    const [area, ...rest] = path;
    if (area === 'auth' && rest.at(-1) === 'login') {
      const kind = this.#auths.get(rest.slice(0, -1).join('/'));
      if (kind === undefined) throw refused(403, 'permission denied');
      return this.#logIn(kind, body);
    }
    const token = String(incoming.headers['x-vault-token'] ?? '');
    const isRoot = token === this.rootToken;
    if (!isRoot && !this.#tokens.has(token))
      throw refused(403, 'permission denied', 'invalid token');
    if (area === 'sys' && rest[0] === 'capabilities-self') {
      return {
        capabilities: this.#capabilities(token, capabilitiesBody.parse(body).paths[0] ?? ''),
      };
    }
    if (area === 'sys' && rest[0] === 'internal') return this.#showMount(token, rest.slice(3));
    if (area === 'sys' || area === 'auth') {
      if (!isRoot) throw refused(403, 'permission denied');
      return this.#configure(area, rest, method, body);
    }
    return this.#keyValue(token, path, method, body, incoming.headers['content-type'] ?? '');
  }

  #configure(area: string, [what = '', ...rest]: string[], method: string, body: unknown): unknown {
    const name = rest.at(-1) ?? '';
    if (area === 'sys' && what === 'mounts') {
      const { type, options } = mountBody.parse(body);
      this.#mounts.set(name, { type, version: options?.version ?? '1', uuid: randomUUID() });
    } else if (area === 'sys' && what === 'policies') {
      this.#policies.set(name, rulesOf(policyBody.parse(body).policy));
    } else if (what === 'token') {
      return { auth: this.#newToken(tokenBody.parse(body).policies) };
    } else if (area === 'sys') {
      this.#auths.set(rest.join('/'), authBody.parse(body).type);
    } else if (what === 'approle') return this.#configureAppRole(rest, method, body);
    else if (name === 'config') this.#jwtKeys = jwtConfigBody.parse(body).jwt_validation_pubkeys;
    else this.#jwtRoles.set(name, jwtRoleBody.parse(body));
    return undefined;
  }

  #configureAppRole([, name = '', field]: string[], method: string, body: unknown): unknown {
    const role = this.#appRoles.get(name);
    if (field === undefined) {
      const policies = appRoleBody.parse(body).token_policies;
      this.#appRoles.set(name, { id: randomUUID(), secrets: [], policies });
      return undefined;
    }
    if (role === undefined) throw refused(404);
    if (field === 'role-id' && method === 'GET') return { data: { role_id: role.id } };
    role.secrets.push(randomUUID());
    return { data: { secret_id: role.secrets.at(-1) } };
  }

  #logIn(kind: string, body: unknown): unknown {
    if (kind === 'approle') {
      const { role_id: id, secret_id: secret } = appLoginBody.parse(body);
      const role = [...this.#appRoles.values()].find(
        (one) => one.id === id && one.secrets.includes(secret),
      );
      if (role === undefined) throw refused(400, 'invalid role or secret ID');
      return { auth: this.#newToken(role.policies) };
    }
    const { role: name, jwt } = jwtLoginBody.parse(body);
    const role = this.#jwtRoles.get(name);
    if (role === undefined) throw refused(400, `role "${name}" could not be found`);
    const [head = '', payload = '', signature = ''] = jwt.split('.');
    const isSigned = this.#jwtKeys.some((key) =>
      verify(
        'sha256',
        Buffer.from(`${head}.${payload}`),
        { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    );
    if (!isSigned)
      throw refused(
        400,
        'error validating token: no known key successfully validated the token signature',
      );
    const claims = claimsOf.parse(parseJson(Buffer.from(payload, 'base64url').toString()));
    if (!role.bound_audiences.includes(String(claims['aud']))) {
      throw refused(
        400,
        'error validating token: invalid audience (aud) claim: audience claim does not match any bound audience',
      );
    }
    for (const [claim, value] of Object.entries(role.bound_claims ?? {})) {
      if (claims[claim] !== value)
        throw refused(
          400,
          `error validating claims: claim "${claim}" does not match any associated bound claim values`,
        );
    }
    return { auth: this.#newToken(role.token_policies) };
  }

  #newToken(policies: readonly string[]) {
    const token = `hvs.${randomUUID()}`;
    this.#tokens.set(token, policies);
    return { client_token: token, lease_duration: 600 };
  }

  #rules(token: string): readonly Rule[] {
    return (this.#tokens.get(token) ?? []).flatMap((policy) => this.#policies.get(policy) ?? []);
  }

  #capabilities(token: string, path: string): readonly string[] {
    if (token === this.rootToken) return ['root'];
    const found = this.#rules(token).filter((rule) =>
      rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path,
    );
    return found.length === 0 ? ['deny'] : found.flatMap(({ capabilities }) => capabilities);
  }

  #showMount(token: string, path: string[]): unknown {
    const [name = ''] = path;
    const mount = this.#mounts.get(name);
    const isAllowed =
      token === this.rootToken ||
      this.#rules(token).some((rule) => rule.path.startsWith(`${name}/`));
    if (mount === undefined || !isAllowed) {
      throw refused(
        403,
        `preflight capability check returned 403, please ensure client's policies grant access to path "${path.join('/')}/"`,
      );
    }
    return { data: { type: mount.type, uuid: mount.uuid, options: { version: mount.version } } };
  }

  #keyValue(token: string, path: string[], method: string, body: unknown, type: string): unknown {
    const [mount = '', ...rest] = path;
    const capabilities = this.#capabilities(token, path.join('/'));
    const need = (...wanted: string[]) => {
      if (![...wanted, 'root'].some((one) => capabilities.includes(one)))
        throw refused(403, 'permission denied');
    };
    if (this.#mounts.get(mount)?.version !== '2' || rest[0] !== 'data') throw refused(404);
    const key = path.join('/');
    const current = this.#secrets.get(key);
    switch (method) {
      case 'GET':
        need('read');
        if (current === undefined) throw refused(404);
        if (current.data === undefined) throw new Refusal(404, shown(current));
        return shown(current);
      case 'DELETE':
        need('delete');
        if (current !== undefined) this.#secrets.set(key, { ...current, data: undefined });
        return undefined;
      case 'PATCH':
        need('patch');
        if (!type.startsWith('application/merge-patch+json')) throw refused(415);
        if (current?.data === undefined) throw refused(404);
        return this.#store(key, current, body, current.data);
      default:
        need(current === undefined ? 'create' : 'update');
        return this.#store(key, current, body, {});
    }
  }

  #store(
    key: string,
    current: Version | undefined,
    body: unknown,
    into: Readonly<Record<string, string>>,
  ): unknown {
    const { options, data } = writeBody.parse(body);
    const number = current?.number ?? 0;
    if (options?.cas !== undefined && options.cas !== number) {
      throw refused(400, 'check-and-set parameter did not match the current version');
    }
    const all: Record<string, string | null> = { ...into, ...data };
    const kept = Object.entries(all).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as const],
    );
    this.#secrets.set(key, { number: number + 1, data: Object.fromEntries(kept) });
    return { data: { version: number + 1 } };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopServer(this.#server);
  }
}

function rulesOf(policy: string): readonly Rule[] {
  return [...policy.matchAll(/path "([^"]+)"\s*\{\s*capabilities = \[([^\]]*)\]/g)].map(
    ([, path = '', list = '']) => ({
      path,
      capabilities: [...list.matchAll(/"(\w+)"/g)].map(([, one = '']) => one),
    }),
  );
}

function shown({ data, number }: Version) {
  return { data: { data: data ?? null, metadata: { version: number } } };
}

function send(outgoing: http.ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
}
