import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldOf } from '../../src/ground/text/json.ts';
import { manifestsOf } from '../support/cluster/guide.ts';
import { KubernetesServer } from '../support/real-servers/kubernetes.ts';

/** Where an object of this kind is created. */
const PATHS: Readonly<Record<string, string>> = {
  Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/docs/roles',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/docs/rolebindings',
  Pod: '/api/v1/namespaces/docs/pods',
  ServiceAccount: '/api/v1/namespaces/docs/serviceaccounts',
  ConfigMap: '/api/v1/namespaces/docs/configmaps',
  Service: '/api/v1/namespaces/docs/services',
  Deployment: '/apis/apps/v1/namespaces/docs/deployments',
  CronJob: '/apis/batch/v1/namespaces/docs/cronjobs',
};
const GUIDES = readdirSync(join(import.meta.dirname, '../../docs/how-to'));
const MANIFESTS = GUIDES.flatMap((page) =>
  Object.keys(PATHS).flatMap((kind) =>
    manifestsOf(page, kind).map((manifest) => ({ page, kind, manifest })),
  ),
);

let cluster: KubernetesServer;
beforeAll(async () => {
  cluster = await KubernetesServer.start();
  await cluster.api('POST', '/api/v1/namespaces', { metadata: { name: 'docs' } });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('Each kind of object is on some page', () => {
  expect(new Set(MANIFESTS.map(({ kind }) => kind))).toEqual(new Set(Object.keys(PATHS)));
});

test.each(MANIFESTS)(
  'A $kind of $page is accepted as a reader copies it, with no unknown field',
  async (given) => {
    const path = `${PATHS[given.kind]}?dryRun=All&fieldValidation=Strict`;
    const { status, body } = await cluster.api('POST', path, given.manifest);
    expect(status, String(fieldOf(body, 'message'))).toBe(201);
  },
);
