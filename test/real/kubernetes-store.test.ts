import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { CourierError } from '../../src/errors.ts';
import { Http } from '../../src/http/http.ts';
import { KubernetesStore } from '../../src/store/kubernetes/store.ts';
import { linkDigest, type Snapshot } from '../../src/store/port.ts';
import { KubernetesServer, TOKENS } from '../support/real-servers/kubernetes.ts';
import { recordingLog } from '../support/recording-log.ts';

const LINK = 'https://bundles.example.com/site.tar.gz?X-Amz-Signature=0123456789abcdef';
let cluster: KubernetesServer;
beforeAll(async () => {
  cluster = await KubernetesServer.start();
  await cluster.api('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', {
    metadata: { name: 'docs-courier' },
    rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['docs'], verbs: ['get', 'patch'] }],
  });
  await cluster.api('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    metadata: { name: 'docs-courier' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'docs-courier' },
    subjects: ['courier', 'certified'].map((name) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name })),
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());
beforeEach(async () => {
  await cluster.api('DELETE', '/api/v1/namespaces/default/secrets/docs');
  await cluster.api('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'docs', labels: { app: 'docs' } },
    stringData: { url: '', other: 'kept' },
  });
});

function kubeconfig(user: object): string {
  const ca = Buffer.from(cluster.authority.cert).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server: cluster.url, 'certificate-authority-data': ca } }],
    users: [{ name: 'test', user }],
  });
}

function storeFor(user: object = { token: TOKENS.courier }, place: { secret?: string; namespace?: string } = {}) {
  const log = recordingLog();
  const http = new Http({ clock: systemClock, log, signal: new AbortController().signal });
  const address = { scheme: 'k8s', namespace: 'default', secret: 'docs', key: 'url', ...place } as const;
  const credentials = {
    kubeconfig: kubeconfig(user),
    context: undefined,
    allowExec: false,
    workspace: undefined,
    env: {},
  };
  return new KubernetesStore({ address, http, mask: (secret) => log.mask(secret), credentials });
}

async function failure(promise: Promise<unknown>): Promise<CourierError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof CourierError) return error;
  throw new Error('it did not fail with a CourierError', { cause: error });
}

describe('a Secret of a real cluster', () => {
  test('takes link and state in one write, and keeps everything else', async () => {
    const store = storeFor();
    const seen = await store.open();
    expect(seen).toMatchObject({ link: undefined, state: undefined });
    const written = await store.write({ link: LINK, state: '{"version":2}' }, seen);
    expect(written).toMatchObject({ link: { digest: linkDigest(LINK) }, state: '{"version":2}' });
    expect((await cluster.api('GET', '/api/v1/namespaces/default/secrets/docs')).body).toMatchObject({
      metadata: { labels: { app: 'docs' }, annotations: { 'docs-courier/state.url': '{"version":2}' } },
      data: { url: btoa(LINK), other: btoa('kept') },
    });
  });

  test('is reached with a client certificate as well', async () => {
    const [cert, key] = [cluster.client.cert, cluster.client.key].map((pem) => Buffer.from(pem).toString('base64'));
    const store = storeFor({ 'client-certificate-data': cert, 'client-key-data': key });
    expect((await store.write({ link: LINK }, await store.open())).link?.digest).toBe(linkDigest(LINK));
  });

  test('is not changed when another writer was faster', async () => {
    const [one, two] = [storeFor(), storeFor()];
    const seen = await one.open();
    await two.write({ link: `${LINK}2` }, await two.open());
    const error = await failure(one.write({ link: LINK }, seen));
    expect(error).toMatchObject({ code: 'conflict', mayHaveStarted: false });
    expect(error.message).toContain('k8s:default/docs#url');
    expect((await one.open()).link?.digest).toBe(linkDigest(`${LINK}2`));
  });

  test('takes a repeated write for done when the first one got through', async () => {
    const store = storeFor();
    const seen: Snapshot = await store.open();
    await store.write({ link: LINK }, seen);
    expect((await store.write({ link: LINK }, seen)).link?.digest).toBe(linkDigest(LINK));
  });

  test('that does not exist is an error with the command that creates it', async () => {
    const error = await failure(storeFor({ token: TOKENS.admin }, { secret: 'absent' }).open());
    expect(error).toMatchObject({ code: 'not-found' });
    expect(String(error.hint)).toContain(
      'kubectl --namespace default create secret generic absent --from-literal=url=',
    );
  });

  test('that the account may not patch is refused before anything starts, with the Role to paste', async () => {
    const error = await failure(storeFor({ token: TOKENS.stranger }).open());
    expect(error).toMatchObject({ code: 'forbidden', httpStatus: 403 });
    expect(String(error.hint)).toContain('resourceNames: [docs]\n    verbs: [get, patch]');
  });

  test('that is immutable is refused before anything starts', async () => {
    await cluster.api(
      'PATCH',
      '/api/v1/namespaces/default/secrets/docs',
      { immutable: true },
      { type: 'application/merge-patch+json' },
    );
    expect(await failure(storeFor().open())).toMatchObject({ code: 'config' });
  });

  test('is not asked with a token that the server does not know', async () => {
    const error = await failure(storeFor({ token: 'wrong-token-0123456789' }).open());
    expect(error).toMatchObject({ code: 'unauthorized' });
    expect(error.message).not.toContain('wrong-token');
  });

  test('checks itself in one row', async () => {
    expect(await storeFor().check()).toEqual([
      { what: 'key url of Secret default/docs', outcome: 'ok', detail: 'The Secret exists; the key is new.' },
    ]);
  });
});
