import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/ground/clock.ts';
import { fieldOf } from '../../src/ground/text/json.ts';
import { Http } from '../../src/http/http.ts';
import { KubernetesStore } from '../../src/stores/kubernetes/store.ts';
import { linkDigest } from '../../src/stores/port.ts';
import { expectError, failureOf } from './failure.ts';
import { fakeClock } from './fake-clock.ts';
import { FaultFront, type FrontRequest } from './fault-front.ts';
import { openStore } from './open-store.ts';
import { type ApiOptions, type ApiReply, TOKENS } from './real-servers/kubernetes.ts';
import { recordingLog } from './recording-log.ts';
import { describeStore, openRun, type StorePlace } from './store-scenarios.ts';
import { type Certificate, makeCertificate } from './tls.ts';

/** A Kubernetes API server, the real one or a small one. */
export interface Cluster extends AsyncDisposable {
  readonly url: string;
  readonly authority: { readonly cert: string };
  /** Of the user `certified`. */
  readonly client: Certificate;
  api(method: string, path: string, body?: unknown, options?: ApiOptions): Promise<ApiReply>;
}

const LINK = 'https://bundles.example.com/site.tar.gz?X-Amz-Signature=0123456789abcdef';
const SECRETS = '/api/v1/namespaces/default/secrets';
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const MERGE = { type: 'application/merge-patch+json' };

/**
 * What a key of a Secret does, on any API server: the small server of the tests is right if the
 * real one agrees.
 */
export function describeCluster(name: string, start: () => Promise<Cluster>): void {
  let cluster: Cluster;
  let front: FaultFront;
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = await makeCertificate();
    cluster = await start();
    front = await FaultFront.start({
      upstream: cluster.url,
      ca: cluster.authority.cert,
      tls: certificate,
    });
    await grantSecret(cluster, 'docs');
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });
  const reset = async () => {
    front.reset();
    await cluster.api('DELETE', `${SECRETS}/docs`);
    await createSecret(cluster, 'docs', { url: '', other: 'kept' });
  };
  beforeEach(reset);

  /** `front`: requests go through the front, where a test can break them. */
  function storeFor(
    user: unknown = { token: TOKENS.courier },
    destination: { namespace?: string; secret?: string; key?: string } = {},
    by: { front?: boolean; ca?: string; clock?: typeof systemClock } = {},
  ) {
    const log = recordingLog();
    const { clock = systemClock } = by;
    const http = new Http({ clock, log, signal: new AbortController().signal, random: () => 0 });
    const address = {
      scheme: 'k8s',
      namespace: 'default',
      secret: 'docs',
      key: 'url',
      ...destination,
    } as const;
    const server = by.front
      ? { url: front.url, ca: by.ca ?? certificate.cert }
      : { url: cluster.url, ca: by.ca ?? cluster.authority.cert };
    const credentials = {
      kubeconfig: kubeconfigOf(server, user),
      context: undefined,
      allowExec: false,
      workspace: undefined,
      env: {},
    };
    return new KubernetesStore({ address, http, log, credentials });
  }
  const broken = () =>
    storeFor(undefined, {}, { front: true, clock: fakeClock({ now: Date.now() }) });

  async function startDestination(): Promise<StorePlace> {
    await reset();
    const clock = fakeClock({ now: Date.now() });
    const read = async () => (await cluster.api('GET', `${SECRETS}/docs`)).body;
    const patch = async (body: unknown) => {
      const { status } = await cluster.api('PATCH', `${SECRETS}/docs`, body, MERGE);
      if (status !== 200) throw new Error(`the Secret was not changed: ${status}`);
    };
    return {
      clock,
      makeStore: () => storeFor(undefined, {}, { front: true, clock }),
      readLink: async () => decoded(fieldOf(await read(), 'data', 'url')) || undefined,
      readState: async () => {
        const state = fieldOf(await read(), 'metadata', 'annotations', 'docs-courier/state.url');
        return typeof state === 'string' ? state : undefined;
      },
      setState: (text) => patch({ metadata: { annotations: { 'docs-courier/state.url': text } } }),
      setLink: (link) => patch({ data: { url: btoa(link) } }),
      requests: () =>
        front.requests.map(({ method, path }) => `${method} ${path.replace(/^.*\/secrets\//, '')}`),
      parts: {
        open: { later: ['GET docs', 'PATCH docs?dryRun=All', 'GET docs'] },
        marks: ['GET docs', 'PATCH docs', 'PATCH docs'],
        deliver: { later: ['GET docs', 'PATCH docs'] },
      },
      loseReply: () => front.inject(isWrite, { kind: 'lose' }, 5),
      disturb: (fault) => front.inject(isWrite, fault, 5),
      refuse: () => front.inject(isWrite, { kind: 'reply', status: 403, body: status(403, 'no') }),
      [Symbol.asyncDispose]: async () => {},
    };
  }
  describeStore(`a Secret of ${name}`, startDestination);

  describe(`a Secret of ${name}`, () => {
    test('A new key in a Secret that has other keys is a warning that names them', async () => {
      const log = recordingLog();
      const warned = async (key: string) => {
        await openRun(
          { clock: fakeClock({ now: Date.now() }), makeStore: () => storeFor(undefined, { key }) },
          { log },
        );
        return log.text('warning');
      };
      expect(await warned('url')).toBe('');
      expect(await warned('ulr')).toContain(
        'Secret default/docs has other keys: other, url. Did you mean url?',
      );
    });

    test('Link and state are written at the same time, and everything else stays', async () => {
      const store = storeFor();
      const seen = await openStore(store);
      expect(seen).toMatchObject({ link: undefined, state: undefined });
      const written = await store.write({ link: LINK, state: '{"version":2}' }, seen);
      expect(written).toMatchObject({ link: { digest: linkDigest(LINK) }, state: '{"version":2}' });
      expect(
        (await cluster.api('GET', '/api/v1/namespaces/default/secrets/docs')).body,
      ).toMatchObject({
        metadata: {
          labels: { app: 'docs' },
          annotations: { 'docs-courier/state.url': '{"version":2}' },
        },
        data: { url: btoa(LINK), other: btoa('kept') },
      });
    });

    test('A client certificate works too', async () => {
      const [cert, key] = [cluster.client.cert, cluster.client.key].map((pem) =>
        Buffer.from(pem).toString('base64'),
      );
      const store = storeFor({ 'client-certificate-data': cert, 'client-key-data': key });
      expect((await store.write({ link: LINK }, await openStore(store))).link?.digest).toBe(
        linkDigest(LINK),
      );
    });

    test('A Secret is not changed if another writer was faster', async () => {
      const [one, two] = [storeFor(), storeFor()];
      const seen = await openStore(one);
      await two.write({ link: `${LINK}2` }, await openStore(two));
      expectError(await failureOf(one.write({ link: LINK }, seen)), {
        code: 'conflict',
        message: 'k8s:default/docs#url',
        mayHaveActed: false,
      });
      expect((await openStore(one)).link?.digest).toBe(linkDigest(`${LINK}2`));
    });

    test('A missing Secret is an error with the command that creates it', async () => {
      expectError(
        await failureOf(openStore(storeFor({ token: TOKENS.admin }, { secret: 'absent' }))),
        {
          code: 'not-found',
          hint: 'kubectl --namespace NAMESPACE create secret generic SECRET --from-literal=KEY=',
        },
      );
    });

    test('A Secret that the account may not patch is refused before anything starts, with the rule for its Role', async () => {
      const error = await failureOf(openStore(storeFor({ token: TOKENS.stranger })));
      expectError(error, {
        code: 'forbidden',
        hint: 'resourceNames: [docs]\n  verbs: [get, patch]',
        httpStatus: 403,
      });
      // Applied, a whole Role with the name of the guide would replace the rules of a rollout.
      expect(String(error.hint)).not.toMatch(/kind:|metadata:/);
    });

    test.each([
      ['Secret', { secret: 'dosc' }],
      ['namespace', { namespace: 'defautl' }],
    ])(
      'The refusal of a wrong %s says that a name may be wrong, and in which input',
      async (_, destination) => {
        expectError(await failureOf(openStore(storeFor(undefined, destination))), {
          code: 'forbidden',
          hint: 'or a name in to is wrong',
        });
      },
    );

    test('A Secret that is being deleted is refused before anything starts', async () => {
      const patch = (finalizers: readonly string[] | null) =>
        cluster.api('PATCH', `${SECRETS}/docs`, { metadata: { finalizers } }, MERGE);
      await patch(['example.com/backup']);
      const seen = await openStore(storeFor());
      await cluster.api('DELETE', `${SECRETS}/docs`);
      expectError(await failureOf(openStore(storeFor())), {
        code: 'config',
        message: /Secret default\/docs is being deleted since 20/,
        mayHaveActed: false,
      });
      const store = storeFor();
      const { version } = await store.read();
      const late = await failureOf(store.write({ link: LINK }, { ...seen, version }));
      expect(late).toMatchObject({ code: 'config', mayHaveActed: true });
      await patch([]);
      await cluster.api('DELETE', `${SECRETS}/docs`);
    });

    test.each([700, 900, 1000])(
      'A Secret with another key of %i kB is read and written',
      async (kilobytes) => {
        const data = { other: Buffer.alloc(kilobytes * 1000, 'x').toString('base64') };
        expect((await cluster.api('PATCH', `${SECRETS}/docs`, { data }, MERGE)).status).toBe(200);
        const store = storeFor();
        await store.write({ link: LINK, state: '{}' }, await openStore(store));
        expect(await store.read()).toMatchObject({
          link: { digest: linkDigest(LINK) },
          state: '{}',
        });
      },
    );

    test('An immutable Secret is refused before anything starts', async () => {
      await cluster.api(
        'PATCH',
        '/api/v1/namespaces/default/secrets/docs',
        { immutable: true },
        { type: 'application/merge-patch+json' },
      );
      expect(await failureOf(openStore(storeFor()))).toMatchObject({ code: 'config' });
    });

    test('A token that the server does not know is refused', async () => {
      const error = await failureOf(openStore(storeFor({ token: 'wrong-token-0123456789' })));
      expect(error).toMatchObject({ code: 'unauthorized' });
      expect(error.message).not.toContain('wrong-token');
    });

    test('The check of a Secret tries a patch, except for a reader', async () => {
      const sent = () => front.requests.filter(isWrite).length;
      const before = sent();
      await storeFor().preflight('read');
      expect(sent()).toBe(before);
      expect(await storeFor().preflight()).toEqual([
        {
          what: 'key url of Secret default/docs',
          outcome: 'ok',
          detail: 'The Secret exists; the key is new.',
        },
      ]);
    });
  });

  describe(`a fault on the way to ${name}`, () => {
    test.each<[string, number, string, { code: string; hint: string; mayHaveActed?: boolean }]>([
      ['an expired token', 401, 'Unauthorized', { code: 'unauthorized', hint: 'may have expired' }],
      [
        'a missing right',
        403,
        'secrets "docs" is forbidden: User "courier" cannot patch resource "secrets"',
        { code: 'forbidden', hint: 'resourceNames: [docs]' },
      ],
      [
        'the denial of an admission webhook',
        403,
        'admission webhook "policy.example.com" denied the request: no secrets today',
        { code: 'forbidden', hint: 'Ask the owner of' },
      ],
      [
        'a quota',
        403,
        'secrets "docs" is forbidden: exceeded quota: small',
        { code: 'forbidden', hint: 'Ask the owner of' },
      ],
      [
        'a namespace that is being deleted',
        403,
        'secrets "docs" is forbidden: unable to create new content in namespace default because it is being terminated',
        { code: 'forbidden', hint: 'Ask the owner of' },
      ],
      [
        'a Secret that was deleted meanwhile',
        404,
        'secrets "docs" not found',
        { code: 'not-found', hint: 'kubectl' },
      ],
      [
        'a refused object',
        422,
        'Secret "docs" is invalid',
        { code: 'config', hint: 'names the field' },
      ],
    ])(
      'The error for %s (%i) contains the fix, and nothing is written',
      async (_what, code, message, expected) => {
        const store = broken();
        const seen = await openStore(store);
        front.inject(isWrite, { kind: 'reply', status: code, body: status(code, message) });
        const error = await failureOf(store.write({ link: LINK, state: '{}' }, seen));
        expectError(error, {
          code: expected.code,
          message: message.slice(0, 60),
          hint: expected.hint,
          httpStatus: code,
          mayHaveActed: false,
        });
        expect(JSON.stringify([error.message, error.hint])).not.toContain('X-Amz');
        expect((await openStore(store)).link).toBeUndefined();
      },
    );

    test('A Secret in which the server stores something else than it was sent is an error', async () => {
      const store = broken();
      const seen = await openStore(store);
      const metadata = { uid: 'u', resourceVersion: '9' };
      front.inject(isWrite, {
        kind: 'reply',
        status: 200,
        body: { metadata, data: { url: btoa(`${LINK}2`) } },
      });
      expectError(await failureOf(store.write({ link: LINK }, seen)), {
        code: 'integrity',
        message: 'an admission controller changes it',
        mayHaveActed: true,
      });
    });

    test('A server with a certificate of another authority gets no request', async () => {
      expectError(
        await failureOf(
          openStore(
            storeFor(
              undefined,
              {},
              { front: true, ca: cluster.authority.cert, clock: fakeClock() },
            ),
          ),
        ),
        { code: 'network', hint: 'certificate-authority-data', mayHaveActed: false },
      );
      expect(front.requests).toEqual([]);
    });
  });
}

/** The Role of the documentation for one Secret, for the users `courier` and `certified`. */
export async function grantSecret(cluster: Cluster, secret: string): Promise<void> {
  await cluster.api('POST', `${RBAC}/roles`, {
    metadata: { name: `docs-courier-${secret}` },
    rules: [
      { apiGroups: [''], resources: ['secrets'], resourceNames: [secret], verbs: ['get', 'patch'] },
    ],
  });
  await cluster.api('POST', `${RBAC}/rolebindings`, {
    metadata: { name: `docs-courier-${secret}` },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'Role',
      name: `docs-courier-${secret}`,
    },
    subjects: ['courier', 'certified'].map((name) => ({
      kind: 'User',
      apiGroup: 'rbac.authorization.k8s.io',
      name,
    })),
  });
}

export function createSecret(
  cluster: Cluster,
  name: string,
  values: Readonly<Record<string, string>>,
) {
  return cluster.api('POST', SECRETS, {
    metadata: { name, labels: { app: 'docs' } },
    stringData: values,
  });
}

export function kubeconfigOf(
  { url, ca }: { readonly url: string; readonly ca: string },
  user: unknown,
): string {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify({
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  });
}

function isWrite({ method, path }: FrontRequest): boolean {
  return method === 'PATCH' && !path.includes('dryRun');
}

function status(code: number, message: string) {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message };
}

function decoded(value: unknown): string {
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
}
