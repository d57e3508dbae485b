import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CourierError } from '../../src/ground/errors.ts';
import { readKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import { ClusterLogin } from '../../src/kubernetes/login.ts';
import { expectError, failureOf } from '../support/failure.ts';

const TOKEN = 'canary-token-0123456789';
const PEM = Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n').toString(
  'base64',
);
const SERVER = 'https://kubernetes.example.com:6443';

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly more?: object;
}

function configOf({ cluster = {}, user = { token: TOKEN }, more = {} }: Parts = {}): string {
  return JSON.stringify({
    'current-context': 'prod',
    contexts: [
      { name: 'prod', context: { cluster: 'c', user: 'u' } },
      { name: 'other', context: { cluster: 'c2', user: 'u' } },
    ],
    clusters: [
      { name: 'c', cluster: { server: `${SERVER}/`, ...cluster } },
      { name: 'c2', cluster: { server: 'https://other.example.com' } },
    ],
    users: [{ name: 'u', user }],
    ...more,
  });
}

function read(source: string, options: { context?: string; allowExec?: boolean } = {}) {
  const { context, allowExec = false } = options;
  return readKubeconfig(source, {
    context,
    allowExec,
    readFile: async (path) => `content of ${path}`,
  });
}

function textOf({ message, hint }: CourierError): string {
  return `${message} ${JSON.stringify(hint)}`;
}

describe('a kubeconfig', () => {
  test('A kubeconfig returns server, authority and identity of its current context, or of the specified one', async () => {
    const config = configOf({
      cluster: { 'certificate-authority-data': PEM, 'tls-server-name': 'kubernetes' },
    });
    expect(await read(config)).toMatchObject({
      server: SERVER,
      serverName: 'kubernetes',
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
      identity: { kind: 'token', token: TOKEN },
    });
    expect(await read(config, { context: 'other' })).toMatchObject({
      server: 'https://other.example.com',
    });
  });

  test('A kubeconfig may specify programs and files if that is allowed', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', args: ['-q'] };
    const allowed = { allowExec: true };
    expect((await read(configOf({ user: { exec } }), allowed)).identity).toMatchObject({
      kind: 'exec',
    });
    expect((await read(configOf({ user: { tokenFile: '/t' } }), allowed)).identity).toMatchObject({
      path: '/t',
    });
    const files = { 'client-certificate': '/c', 'client-key': '/k' };
    expect((await read(configOf({ user: files }), allowed)).identity).toMatchObject({
      key: 'content of /k',
    });
  });

  test('Entries that the chosen context does not use may have any form', async () => {
    const more = {
      contexts: [{ name: 'prod', context: { cluster: 'c', user: 'u' } }, { name: 'empty' }, 'text'],
      clusters: [{ name: 'c', cluster: { server: SERVER } }, { name: 'old', cluster: {} }, null],
      users: [
        {
          name: 'u',
          user: { token: TOKEN, exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
        },
        {
          name: 'other',
          user: { exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'x' } },
        },
        { name: 'empty' },
      ],
    };
    expect(await read(configOf({ more }))).toMatchObject({
      server: SERVER,
      identity: { kind: 'token', token: TOKEN },
    });
  });

  const EXEC = { apiVersion: 'client.authentication.k8s.io/v1', command: 'curl', args: [TOKEN] };
  test.each<[string, string, string, { context?: string; allowExec?: boolean }?]>([
    ['a program without permission', configOf({ user: { exec: EXEC } }), '(exec)'],
    [
      'a token file without permission',
      configOf({ user: { tokenFile: '/etc/shadow' } }),
      '(tokenFile)',
    ],
    [
      'a certificate file',
      configOf({ user: { 'client-certificate': '/c' } }),
      '(client-certificate)',
    ],
    [
      'an authority file',
      configOf({ cluster: { 'certificate-authority': '/ca' } }),
      '(certificate-authority)',
    ],
    [
      'a check switched off',
      configOf({ cluster: { 'insecure-skip-tls-verify': true } }),
      'insecure-skip-tls-verify',
    ],
    ['a proxy', configOf({ cluster: { 'proxy-url': 'http://proxy' } }), 'HTTPS_PROXY'],
    ['plain http', configOf({ cluster: { server: 'http://a' } }), 'not an https address'],
    [
      'an empty query in the address',
      configOf({ cluster: { server: 'https://a/?' } }),
      'not an https address',
    ],
    [
      'a fragment in the address',
      configOf({ cluster: { server: 'https://a/#' } }),
      'not an https address',
    ],
    [
      'a password in the address',
      configOf({ cluster: { server: `https://a:${TOKEN}@b` } }),
      'not an https address',
    ],
    [
      'a password',
      configOf({ user: { username: 'a', password: TOKEN } }),
      'a user name and password',
    ],
    ['an auth-provider', configOf({ user: { 'auth-provider': { name: 'gcp' } } }), 'auth-provider'],
    ['a user without anything', configOf({ user: {} }), 'has no token'],
    ['an unknown context', configOf(), 'prod, other', { context: 'staging' }],
    ['no current context', configOf({ more: { 'current-context': '' } }), '?context=NAME'],
    ['a context without its cluster', configOf({ more: { clusters: [] } }), 'has no cluster c'],
    ['a context without its user', configOf({ more: { users: [] } }), 'has no user'],
    [
      'an authority that is not PEM',
      configOf({ cluster: { 'certificate-authority-data': 'AAAA' } }),
      'is not PEM',
    ],
    [
      'an exec of an old version',
      configOf({ user: { exec: { ...EXEC, apiVersion: 'v1alpha1' } } }),
      'documented form',
    ],
    [
      'a cluster without an address',
      configOf({ more: { clusters: [{ name: 'c', cluster: {} }] } }),
      'form in cluster c: server',
    ],
    [
      'a context without its fields',
      configOf({ more: { contexts: [{ name: 'prod', context: {} }] } }),
      'form in context prod: cluster',
    ],
    ['text that is not YAML', `token: ${TOKEN}\n  : [`, 'is not valid YAML'],
    ['YAML that is something else', `- ${TOKEN}`, 'documented form'],
    ['aliases', `a: &a [${TOKEN}]\nb: [*a, *a]`, 'YAML'],
  ])(
    'A kubeconfig with %s is refused, without showing its content',
    async (_what, source, expected, options) => {
      const error = await failureOf(read(source, options));
      expect(error).toMatchObject({ code: 'config' });
      expect(textOf(error)).toContain(expected);
      expect(textOf(error)).not.toContain('canary');
    },
  );
});

describe('logging in to a cluster', () => {
  async function loginWith(
    kubeconfig: string | undefined,
    more: { allowExec?: boolean; env?: object } = {},
  ) {
    const folder = await mkdtemp(join(tmpdir(), 'login-'));
    const workspace = join(folder, 'workspace');
    await mkdir(workspace);
    const masks: string[] = [];
    const login = (text = kubeconfig, allowExec = more.allowExec ?? true) => {
      const credentials = {
        kubeconfig: text,
        context: undefined,
        allowExec,
        workspace,
        env: { ...more.env },
      };
      return new ClusterLogin(credentials, (secret) => masks.push(secret)).login();
    };
    const remove = () => rm(folder, { recursive: true });
    return { folder, workspace, masks, login, [Symbol.asyncDispose]: remove };
  }

  test('A login masks a token and a private key before they are used', async () => {
    await using place = await loginWith(configOf());
    expect(await place.login()).toMatchObject({ server: SERVER, token: TOKEN });
    expect(place.masks).toEqual([TOKEN]);
    await place.login(
      configOf({ user: { 'client-certificate-data': PEM, 'client-key-data': PEM } }),
    );
    expect(place.masks.at(-1)).toContain('-----BEGIN');
  });

  test('A login reads a file outside the workspace, but not one inside, not even by a link', async () => {
    await using place = await loginWith(undefined);
    const [outside, inside] = [join(place.folder, 'config'), join(place.workspace, 'config')];
    for (const path of [outside, inside]) await writeFile(path, configOf());
    expect(await place.login(outside)).toMatchObject({ token: TOKEN });
    await symlink(inside, join(place.folder, 'link'));
    for (const path of [
      inside,
      join(place.folder, 'link'),
      join(place.folder, 'x/../workspace/config'),
    ]) {
      expect(textOf(await failureOf(place.login(path)))).toContain('is in the workspace');
    }
    expect(textOf(await failureOf(place.login(join(place.folder, 'none'))))).toContain(
      'cannot be read',
    );
  });

  test('A login runs a plugin without the inputs of the step, and masks its token', async () => {
    const env = {
      PATH: process.env['PATH'],
      INPUT_KEY: 'canary',
      DOCS_COURIER_ADMIN_API_KEY: 'canary',
      KEPT: 'yes',
    };
    await using place = await loginWith(undefined, { env });
    const program = join(place.folder, 'plugin');
    const status =
      '{"kind":"ExecCredential","status":{"token":"\'"$KEPT-${INPUT_KEY-}${DOCS_COURIER_ADMIN_API_KEY-}-plugin"\'"}}';
    await writeFile(program, `#!/bin/sh\necho '${status}'\n`);
    await chmod(program, 0o700);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: program };
    expect(await place.login(configOf({ user: { exec } }))).toMatchObject({ token: 'yes--plugin' });
    expect(place.masks).toEqual(['yes--plugin']);
    await writeFile(program, '#!/bin/sh\necho canary; exit 3\n');
    const error = await failureOf(place.login(configOf({ user: { exec } })));
    expectError(error, { code: 'unauthorized', message: 'with exit code 3' });
    expect(textOf(error)).not.toContain('canary');
  });

  test('A login without a kubeconfig uses the service account of the pod, whose token is read each time', async () => {
    await using place = await loginWith(undefined);
    await writeFile(join(place.folder, 'ca.crt'), 'the authority');
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    const given = {
      kubeconfig: undefined,
      context: undefined,
      allowExec: false,
      workspace: place.workspace,
      env,
    };
    const login = new ClusterLogin({ ...given, serviceAccount: place.folder }, (secret) =>
      place.masks.push(secret),
    );
    for (const token of ['first-token-0123', 'second-token-0123']) {
      await writeFile(join(place.folder, 'token'), `${token}\n`);
      expect(await login.login()).toEqual({
        server: 'https://[fd00::1]:6443',
        tls: { ca: 'the authority' },
        token,
      });
    }
    expect(place.masks).toEqual(['first-token-0123', 'second-token-0123']);
  });

  test('A login without a kubeconfig needs the service account of a pod', async () => {
    await using place = await loginWith(undefined);
    expect(textOf(await failureOf(place.login()))).toContain(
      'this process is not running in a pod',
    );
  });
});
