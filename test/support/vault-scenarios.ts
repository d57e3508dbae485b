import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/ground/clock.ts';
import { fieldOf } from '../../src/ground/text/json.ts';
import { Http } from '../../src/http/http.ts';
import { linkDigest } from '../../src/stores/port.ts';
import type { VaultAuthInputs } from '../../src/stores/vault/inputs.ts';
import { VaultStore } from '../../src/stores/vault/store.ts';
import { expectError, failureOf } from './failure.ts';
import { fakeClock } from './fake-clock.ts';
import { FaultFront, type FrontRequest } from './fault-front.ts';
import { openStore } from './open-store.ts';
import { recordingLog } from './recording-log.ts';
import { describeStore, type StorePlace } from './store-scenarios.ts';
import { makeCertificate } from './tls.ts';

/** A Vault, the real one or a small one. */
interface AnyVault extends AsyncDisposable {
  readonly url: string;
  readonly rootToken: string;
  api(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<{ status: number; body: unknown }>;
}

interface VaultOptions {
  readonly front?: boolean;
  readonly clock?: typeof systemClock;
  readonly log?: ReturnType<typeof recordingLog>;
  readonly namespace?: string;
  readonly idToken?: (audience: string) => Promise<string>;
  /** Instead of the server's own address and the front's. */
  readonly server?: { readonly address: string; readonly ca: string | undefined };
}

const LINK = 'https://bundles.example.com/site.tar.gz?X-Amz-Signature=0123456789abcdef';

/**
 * What a key of a secret does, on any Vault: the small server of the tests is right if the real one
 * agrees.
 */
export function describeVault(name: string, start: () => Promise<AnyVault>): void {
  let vault: AnyVault;
  let front: FaultFront;
  beforeAll(async () => {
    vault = await start();
    front = await FaultFront.start({ upstream: vault.url });
    await vault.api('POST', 'sys/mounts/old', { type: 'kv', options: { version: '1' } });
    await vault.api('PUT', 'sys/policies/acl/docs', {
      policy: 'path "secret/data/docs/*" { capabilities = ["create", "read", "patch"] }',
    });
    await vault.api('PUT', 'sys/policies/acl/replacer', {
      policy: 'path "secret/data/docs/*" { capabilities = ["create", "read", "update", "patch"] }',
    });
    await vault.api('PUT', 'sys/policies/acl/creator', {
      policy: 'path "secret/data/docs/*" { capabilities = ["create", "read"] }',
    });
    await vault.api('PUT', 'sys/policies/acl/reader', {
      policy: 'path "secret/data/docs/*" { capabilities = ["read"] }',
    });
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
  });

  let count = 0;
  /** Each test has its own secret. */
  beforeEach(() => {
    front.reset();
    count += 1;
  });
  const ofSecret = (method: string, body?: unknown) =>
    vault.api(method, `secret/data/docs/site-${count}`, body);
  const byToken = (token: string) => ({ kind: 'token', token, source: 'VAULT_TOKEN' }) as const;

  function storeFor(
    auth: VaultAuthInputs = byToken(vault.rootToken),
    destination: { mount?: string; path?: string } = {},
    by: VaultOptions = {},
  ) {
    const { clock = systemClock, log = recordingLog() } = by;
    const http = new Http({
      clock,
      log,
      signal: new AbortController().signal,
      random: () => 0,
    });
    const address = {
      scheme: 'vault',
      mount: 'secret',
      path: `docs/site-${count}`,
      key: 'url',
      ...destination,
    } as const;
    const at = by.server ?? { address: by.front ? front.url : vault.url, ca: undefined };
    const server = { ...at, namespace: by.namespace };
    const { idToken = () => Promise.reject(new Error('not asked for')) } = by;
    return new VaultStore({ address, server, auth, idToken, http, log });
  }

  async function tokenWith(policy: string): Promise<string> {
    const { body } = await vault.api('POST', 'auth/token/create', { policies: [policy] });
    return JSON.parse(JSON.stringify(body)).auth.client_token;
  }
  const storeAs = async (policy: string) => storeFor(byToken(await tokenWith(policy)));
  const behindFront = () =>
    storeFor(undefined, {}, { front: true, clock: fakeClock({ now: Date.now() }) });

  async function startDestination(): Promise<StorePlace> {
    const destination = { path: `docs/site-${count}` };
    const clock = fakeClock({ now: Date.now() });
    const token = await tokenWith('docs');
    const read = async (key: string) => {
      const value = fieldOf((await ofSecret('GET')).body, 'data', 'data', key);
      return typeof value === 'string' ? value : undefined;
    };
    const change = async (key: string, value: string) => {
      const held = { url: await read('url'), url_state: await read('url_state') };
      const { status } = await ofSecret('POST', { data: { ...held, [key]: value } });
      if (status !== 200) throw new Error(`the secret was not changed: ${status}`);
    };
    return {
      clock,
      keepsVersions: true,
      makeStore: () => storeFor(byToken(token), destination, { front: true, clock }),
      readLink: () => read('url'),
      readState: () => read('url_state'),
      setState: (text) => change('url_state', text),
      setLink: (link) => change('url', link),
      requests: () =>
        front.requests.map(
          ({ method, path }) => `${method} ${path.replace('/v1/', '').replace(/site-\d+/, 'X')}`,
        ),
      parts: {
        open: {
          later: [
            'GET sys/internal/ui/mounts/secret/docs/X',
            'GET secret/data/docs/X',
            'POST sys/capabilities-self',
            'GET secret/data/docs/X',
          ],
        },
        marks: [
          'GET secret/data/docs/X',
          'POST secret/data/docs/X',
          'GET secret/data/docs/X',
          'PATCH secret/data/docs/X',
          'GET secret/data/docs/X',
        ],
        deliver: {
          later: ['GET secret/data/docs/X', 'PATCH secret/data/docs/X', 'GET secret/data/docs/X'],
        },
      },
      loseReply: () => front.inject(isWrite, { kind: 'lose' }, 5),
      disturb: (fault) => front.inject(isWrite, fault, 5),
      refuse: () =>
        front.inject(isWrite, {
          kind: 'reply',
          status: 403,
          body: { errors: ['permission denied'] },
        }),
      [Symbol.asyncDispose]: async () => {},
    };
  }
  describeStore(`a secret of ${name}`, startDestination);

  describe(`a secret of ${name}`, () => {
    test('A secret is created with link and state in one version', async () => {
      const store = await storeAs('docs');
      const seen = await openStore(store);
      expect(seen).toMatchObject({ link: undefined, version: '0' });
      const written = await store.write({ link: LINK, state: '{}' }, seen);
      expect(written).toEqual({
        link: { digest: linkDigest(LINK), version: '1' },
        state: '{}',
        version: '1',
      });
    });

    test('A secret keeps its other keys', async () => {
      await ofSecret('POST', { data: { other: 'kept' } });
      const store = await storeAs('docs');
      await store.write({ link: LINK }, await openStore(store));
      expect((await ofSecret('GET')).body).toMatchObject({
        data: { data: { other: 'kept', url: LINK } },
      });
    });

    test('A proxy that answers a change with 404 removes no other key, and the error says so', async () => {
      await ofSecret('POST', { data: { other: 'kept' } });
      const store = behindFront();
      const seen = await openStore(store);
      front.inject(({ method }) => method === 'PATCH', {
        kind: 'reply',
        status: 404,
        body: 'Not Found',
      });
      expectError(await failureOf(store.write({ link: LINK, state: '{}' }, seen)), {
        code: 'protocol',
        message: 'Vault shows version 1',
        hint: 'PATCH',
        httpStatus: 404,
        mayHaveActed: false,
      });
      expect((await ofSecret('GET')).body).toMatchObject({
        data: { data: { other: 'kept' }, metadata: { version: 1 } },
      });
    });

    test('A secret that is deleted after it was read is a conflict, and is read again before it is written', async () => {
      await ofSecret('POST', { data: { other: 'x' } });
      const store = storeFor();
      const seen = await openStore(store);
      await ofSecret('DELETE');
      expect(await failureOf(store.write({ link: LINK }, seen))).toMatchObject({
        code: 'conflict',
      });
      expect(await store.write({ link: LINK }, await store.read())).toMatchObject({ version: '2' });
    });

    test('A deleted secret is written again with the capability update, and is refused without it before anything starts', async () => {
      await ofSecret('POST', { data: { url: LINK } });
      await ofSecret('DELETE');
      expectError(await failureOf(openStore(await storeAs('docs'))), {
        code: 'forbidden',
        message: 'lacks update on',
      });
      const store = await storeAs('replacer');
      const seen = await openStore(store);
      expect(seen).toMatchObject({ link: undefined, version: '1' });
      expect(await store.write({ link: LINK }, seen)).toMatchObject({ version: '2' });
    });

    test('A new secret needs the capability patch as well, for the writes after the first', async () => {
      expectError(await failureOf(openStore(await storeAs('creator'))), {
        code: 'forbidden',
        message: 'lacks patch on',
      });
    });

    test('A secret is not changed if another writer was faster', async () => {
      const [one, two] = [storeFor(), storeFor()];
      const seen = await openStore(one);
      await two.write({ link: `${LINK}2` }, await openStore(two));
      expect(await failureOf(one.write({ link: LINK }, seen))).toMatchObject({
        code: 'conflict',
        mayHaveActed: false,
      });
      expect((await openStore(one)).link?.digest).toBe(linkDigest(`${LINK}2`));
    });

    test('A secret that another writer changes right after this run is a conflict', async () => {
      const store = behindFront();
      const seen = await openStore(store);
      const isReadBack = ({ method }: FrontRequest) =>
        method === 'GET' && front.requests.some(isWrite);
      const data = { data: { url: `${LINK}2` }, metadata: { version: 2 } };
      front.inject(isReadBack, { kind: 'reply', status: 200, body: { data } });
      const error = await failureOf(store.write({ link: LINK }, seen));
      expect(error).toMatchObject({ code: 'conflict', mayHaveActed: true });
    });

    test('A secret in a version 1 engine is refused, and nothing is stored there', async () => {
      expectError(await failureOf(openStore(storeFor(undefined, { mount: 'old', path: 'docs' }))), {
        code: 'config',
        message: 'The secrets engine at old/ is kv, version 1',
      });
      expect((await vault.api('GET', 'old/data/docs')).status).toBe(404);
    });

    test.each(['data', 'metadata'])(
      "The path %s/ of Vault's HTTP API is refused, unless there is a secret",
      async (part) => {
        const path = `${part}/docs/site-${count}`;
        const token = await tokenWith('docs');
        for (const auth of [undefined, byToken(token)]) {
          expectError(await failureOf(openStore(storeFor(auth, { path }))), {
            code: 'config',
            hint: 'without data/ and metadata/',
          });
        }
        expect((await vault.api('GET', `secret/data/${path}`)).status).toBe(404);
        await vault.api('POST', `secret/data/${path}`, { data: { other: 'x' } });
        await openStore(storeFor(undefined, { path }));
      },
    );

    test('A secret that the token may only read is refused before anything starts, with the policy to paste, except to a reader', async () => {
      await ofSecret('POST', { data: { other: 'kept' } });
      const store = await storeAs('reader');
      expectError(await failureOf(openStore(store)), {
        code: 'forbidden',
        message: 'lacks patch',
        hint: 'capabilities = ["create", "read", "update", "patch"]',
      });
      await store.preflight('read');
      expect(await store.read()).toMatchObject({ link: undefined });
    });

    test('A token that Vault does not know is refused', async () => {
      const error = await failureOf(openStore(storeFor(byToken('wrong-token-0123456789'))));
      expectError(error, { code: 'unauthorized', message: 'it has expired' });
      expect(error.message).not.toContain('wrong-token');
    });
  });

  describe(`logging in to ${name}`, () => {
    test('A run can log in with AppRole', async () => {
      await vault.api('POST', 'sys/auth/approle', { type: 'approle' });
      await vault.api('POST', 'auth/approle/role/docs', { token_policies: ['docs'] });
      const field = (body: unknown, name: string): string =>
        JSON.parse(JSON.stringify(body)).data[name];
      const roleId = field(
        (await vault.api('GET', 'auth/approle/role/docs/role-id')).body,
        'role_id',
      );
      const secretId = field(
        (await vault.api('POST', 'auth/approle/role/docs/secret-id')).body,
        'secret_id',
      );
      const log = recordingLog();
      const auth = { kind: 'approle', path: 'approle', roleId, secretId } as const;
      const store = storeFor(auth, {}, { log });
      await store.write({ link: LINK }, await openStore(store));
      expect(log.masks.length).toBeGreaterThan(0);
      const error = await failureOf(openStore(storeFor({ ...auth, secretId: 'wrong' })));
      expect(error).toMatchObject({ code: 'unauthorized' });
    });

    test.each(['jwt', 'ci/github'])(
      'A run can log in with its id token, with the auth method at %s/',
      async (path) => {
        await vault.api('POST', `sys/auth/${path}`, { type: 'jwt' });
        const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' });
        await vault.api('POST', `auth/${path}/config`, { jwt_validation_pubkeys: [publicKey] });
        const role = {
          role_type: 'jwt',
          user_claim: 'sub',
          bound_audiences: ['vault'],
          token_policies: ['docs'],
        };
        await vault.api('POST', `auth/${path}/role/docs`, {
          ...role,
          bound_claims: { repository: 'acme/docs' },
        });
        const tokenFor = (repository: string) => async (audience: string) => {
          const encode = (value: unknown) =>
            Buffer.from(JSON.stringify(value)).toString('base64url');
          const now = Math.floor(Date.now() / 1000);
          const claims = {
            iss: 'ci',
            sub: 'run',
            aud: audience,
            repository,
            iat: now,
            exp: now + 300,
          };
          const text = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`;
          const signature = sign('sha256', Buffer.from(text), {
            key: pair.privateKey,
            dsaEncoding: 'ieee-p1363',
          });
          return `${text}.${signature.toString('base64url')}`;
        };
        const auth = { kind: 'jwt', path, role: 'docs', audience: 'vault' } as const;
        const store = storeFor(auth, {}, { idToken: tokenFor('acme/docs') });
        expect(await store.write({ link: LINK }, await openStore(store))).toMatchObject({
          version: '1',
        });
        const error = await failureOf(
          openStore(storeFor(auth, {}, { idToken: tokenFor('evil/fork') })),
        );
        expectError(error, {
          code: 'unauthorized',
          hint: 'bound_audiences (this run asks for vault)',
        });
        expect(String(error.hint)).toContain(`vault read auth/${path}/role/docs`);
      },
    );

    test('A login with a missing auth method is an error that contains its path', async () => {
      const auth = { kind: 'approle', path: 'nowhere', roleId: 'a', secretId: 'b' } as const;
      expectError(await failureOf(openStore(storeFor(auth))), {
        code: 'unauthorized',
        hint: 'nowhere/, write vault-role: auth/MOUNT/login',
      });
    });
  });

  test(`Each request to ${name} contains the namespace`, async () => {
    const store = storeFor(undefined, {}, { front: true, namespace: 'admin/docs' });
    await store.write({ link: LINK }, await openStore(store));
    expect(new Set(front.requests.map(({ headers }) => headers['x-vault-namespace']))).toEqual(
      new Set(['admin/docs']),
    );
  });

  describe(`a certificate of ${name}`, () => {
    test('Only a certificate that the given authority has signed is accepted', async () => {
      const [own, other] = [await makeCertificate(), await makeCertificate()];
      await using tls = await FaultFront.start({ upstream: vault.url, tls: own });
      const at = (ca: string | undefined) =>
        storeFor(
          undefined,
          {},
          { server: { address: tls.url, ca }, clock: fakeClock({ now: Date.now() }) },
        );
      const store = at(own.cert);
      expect(await store.write({ link: LINK }, await openStore(store))).toMatchObject({
        version: '1',
      });
      const count0 = tls.requests.length;
      for (const ca of [other.cert, undefined]) {
        expectError(await failureOf(openStore(at(ca))), {
          code: 'network',
          hint: 'give its certificate in VAULT_CACERT or VAULT_CACERT_BYTES. Checking is never switched off',
          mayHaveActed: false,
        });
      }
      expect(tls.requests).toHaveLength(count0);
    });
  });

  describe(`a fault on the way to ${name}`, () => {
    test.each<[string, number, string, { code: string; hint: string }]>([
      [
        'a token that expired meanwhile',
        403,
        'permission denied',
        { code: 'forbidden', hint: '"create", "read", "update", "patch"' },
      ],
      [
        'a limit on the size of secrets',
        413,
        'http: request body too large',
        { code: 'config', hint: '' },
      ],
      [
        'a path that Vault does not accept',
        405,
        'unsupported operation',
        { code: 'protocol', hint: '' },
      ],
    ])(
      'The error for %s (%i) contains the fix, and nothing is written',
      async (_what, code, message, expected) => {
        const store = behindFront();
        const seen = await openStore(store);
        front.inject(isWrite, { kind: 'reply', status: code, body: { errors: [message] } });
        const error = await failureOf(store.write({ link: LINK, state: '{}' }, seen));
        expectError(error, {
          code: expected.code,
          message,
          hint: expected.hint,
          httpStatus: code,
          mayHaveActed: false,
        });
        expect(JSON.stringify([error.message, error.hint])).not.toContain('X-Amz');
        expect((await openStore(store)).link).toBeUndefined();
      },
    );

    test('A Vault that stays sealed is reported before anything starts', async () => {
      const store = behindFront();
      front.inject(
        () => true,
        { kind: 'reply', status: 503, body: { errors: ['Vault is sealed'] } },
        9,
      );
      const error = await failureOf(openStore(store));
      expect(error).toMatchObject({ code: 'network', httpStatus: 503 });
      expect(`${error.message} ${String(error.hint)}`).toMatch(/Vault is sealed.*Unseal it/s);
    });
  });
}

function isWrite({ method, path }: FrontRequest): boolean {
  return (method === 'PATCH' || method === 'POST') && path.includes('/data/');
}
