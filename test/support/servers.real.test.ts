import { expect, test } from 'vitest';
import { GiteaServer } from './real-servers/gitea.ts';
import { KubernetesServer, TOKENS } from './real-servers/kubernetes.ts';
import { MotoServer } from './real-servers/moto.ts';
import { VaultServer } from './real-servers/vault.ts';

test('A Kubernetes API server keeps a Secret, and does not let a stranger read it', async () => {
  await using cluster = await KubernetesServer.start();
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'docs' },
    stringData: { url: 'https://example.com' },
  };
  expect((await cluster.api('POST', '/api/v1/namespaces/default/secrets', secret)).status).toBe(201);
  const path = '/api/v1/namespaces/default/secrets/docs';
  expect((await cluster.api('GET', path)).body).toMatchObject({ data: { url: btoa('https://example.com') } });
  expect((await cluster.api('GET', path, undefined, { token: TOKENS.stranger })).status).toBe(403);
});

test('Vault keeps versions of a secret', async () => {
  await using vault = await VaultServer.start();
  expect(await vault.api('POST', 'secret/data/docs', { data: { url: 'one' } })).toMatchObject({ status: 200 });
  expect(await vault.api('GET', 'secret/data/docs')).toMatchObject({ body: { data: { metadata: { version: 1 } } } });
  expect(await vault.api('GET', 'secret/data/docs', undefined, 'wrong-token')).toMatchObject({ status: 403 });
});

test('Gitea stores a secret of a repository, and never shows it', async () => {
  await using gitea = await GiteaServer.start();
  const token = await gitea.addUser('ada');
  expect(await gitea.api('POST', '/user/repos', { name: 'app', auto_init: true }, token)).toMatchObject({
    status: 201,
  });
  const path = '/repos/ada/app/actions/secrets/LINK';
  expect(await gitea.api('PUT', path, { data: 'https://example.com' }, token)).toMatchObject({ status: 201 });
  expect((await gitea.api('GET', path, undefined, token)).status).toBe(405);
});

test('Moto emulates Secrets Manager', async () => {
  await using moto = await MotoServer.start();
  const reply = await fetch(moto.url, {
    method: 'POST',
    headers: {
      'x-amz-target': 'secretsmanager.CreateSecret',
      'content-type': 'application/x-amz-json-1.1',
      authorization:
        'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/secretsmanager/aws4_request, SignedHeaders=host, Signature=b',
    },
    body: JSON.stringify({ Name: 'docs', SecretString: 'one', ClientRequestToken: '0'.repeat(32) }),
  });
  expect(await reply.json()).toMatchObject({ Name: 'docs' });
});
