import { describe, expect, it } from 'vitest';
import { type Given, problemOf, readExport } from './reading.ts';

type Env = Given;

const whereOf = (env: Env, kind = 'github') => ({ run: { kind, env } });
const read = (given: Given, env: Env = {}, kind?: string) =>
  readExport(given, whereOf(env, kind)).to;
const failure = (given: Given, env: Env = {}) => problemOf(given, whereOf(env));

describe('the destinations outside of a forge', () => {
  const K8S = 'k8s:docs/link#url';
  const VAULT = 'vault:secret/docs#url';
  const CONFIG = 'apiVersion: v1\nkind: Config';

  it('A kubeconfig is a text or an absolute path, and is not needed in a pod', () => {
    const kubernetes = { kubeconfig: CONFIG, context: 'prod', allowExec: true };
    const to = 'k8s:docs/link?context=prod#url';
    const given = { to, kubeconfig: CONFIG, 'allow-kube-exec': 'true' };
    expect(read(given)?.credentials).toMatchObject({
      kubernetes,
      vault: undefined,
      secretToken: undefined,
    });
    const path = read({ to: K8S, kubeconfig: '/home/ada/.kube/config' })?.credentials.kubernetes;
    expect(path).toEqual({
      kubeconfig: '/home/ada/.kube/config',
      context: undefined,
      allowExec: false,
    });
    expect(read({ to: K8S })?.credentials.kubernetes).toMatchObject({ kubeconfig: undefined });
  });

  it('Without the input, KUBECONFIG counts, then the pod, and on a laptop the file of kubectl', () => {
    const path = (env: Env, kind?: string) =>
      read({ to: K8S }, env, kind)?.credentials.kubernetes?.kubeconfig;
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', HOME: '/home/ada' };
    expect(path({ ...pod, KUBECONFIG: '/kube/ci' })).toBe('/kube/ci');
    expect(path(pod, 'local')).toBeUndefined();
    expect(path({ HOME: '/home/ada' }, 'local')).toBe('/home/ada/.kube/config');
    expect(path({ HOME: '/home/ada' })).toBeUndefined();
    expect(failure({ to: K8S }, { KUBECONFIG: '/kube/a:/kube/b' })).toContain(
      'the absolute path of one file',
    );
    expect(failure({ to: 'k8s:docs/link?context=a#url' }, pod)).toContain(
      '?context= in to is read only together',
    );
    expect(failure({ to: K8S, 'allow-kube-exec': 'true' }, pod)).toContain(
      'allow-kube-exec is read only together',
    );
  });

  const URL = 'https://vault.example.com:8200';

  it('The login to Vault follows from what is given, inputs before variables', () => {
    const auth = (given: Env, env: Env = {}) =>
      read({ to: VAULT, 'vault-address': `${URL}/`, ...given }, env)?.credentials.vault?.auth;
    const jwt = { kind: 'jwt', path: 'jwt', role: 'docs', audience: URL };
    const all = {
      VAULT_TOKEN: 'root',
      VAULT_ROLE_ID: 'role-1',
      VAULT_SECRET_ID: 'secret-canary0123',
    };
    expect(auth({ 'vault-role': 'docs' }, all)).toEqual(jwt);
    expect(auth({ 'vault-role': 'auth/ci/github/role/docs' })).toEqual({
      ...jwt,
      path: 'ci/github',
    });
    expect(auth({ 'vault-role': 'docs', 'id-token-audience': 'vault' })).toEqual({
      ...jwt,
      audience: 'vault',
    });
    expect(auth({ 'vault-token': 'hvs.a' }, all)).toEqual({
      kind: 'token',
      token: 'hvs.a',
      source: 'vault-token',
    });
    expect(auth({}, all)).toEqual({ kind: 'token', token: 'root', source: 'VAULT_TOKEN' });
    const approle = {
      kind: 'approle',
      path: 'approle',
      roleId: 'role-1',
      secretId: 'secret-canary0123',
    };
    expect(auth({}, { ...all, VAULT_TOKEN: '' })).toEqual(approle);
    expect(auth({ 'vault-role': 'auth/ci/login' }, all)).toEqual({ ...approle, path: 'ci' });
  });

  it('Address, namespace and authority of Vault come from its variables', () => {
    const PEM = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----';
    const env = {
      VAULT_ADDR: URL,
      VAULT_TOKEN: 'root',
      VAULT_NAMESPACE: 'admin/docs',
      VAULT_CACERT_BYTES: PEM,
    };
    const vault = (more: Env) => read({ to: VAULT }, { ...env, ...more })?.credentials.vault;
    expect(vault({})).toMatchObject({ address: URL, namespace: 'admin/docs', ca: { pem: PEM } });
    expect(vault({ VAULT_CACERT: '/etc/vault.pem' })?.ca).toEqual({ path: '/etc/vault.pem' });
    expect(vault({ VAULT_SKIP_VERIFY: 'false' })).toMatchObject({ address: URL });
    expect(
      read({ to: VAULT, 'vault-address': 'https://b.example' }, env)?.credentials.vault?.address,
    ).toBe('https://b.example');
  });

  it.each<[string, Env, string]>([
    [
      'VAULT_SKIP_VERIFY',
      { VAULT_SKIP_VERIFY: 'true' },
      'the check of the certificate is never switched off',
    ],
    [
      'a token of three characters',
      { VAULT_TOKEN: 'abc' },
      'VAULT_TOKEN is not allowed; it must be a token of at least 4 characters',
    ],
    [
      'a key as the authority',
      { VAULT_CACERT_BYTES: '-----BEGIN PRIVATE KEY-----' },
      'certificates as PEM',
    ],
    ['a relative path of the authority', { VAULT_CACERT: 'ca.pem' }, 'the absolute path of a file'],
    ['a namespace with a space', { VAULT_NAMESPACE: 'a b' }, 'the path of a namespace'],
    [
      'an address without TLS',
      { VAULT_ADDR: 'http://vault.example.com' },
      'variable VAULT_ADDR is not allowed',
    ],
    [
      'an AppRole without its secret',
      { VAULT_TOKEN: '', VAULT_ROLE_ID: 'a' },
      'VAULT_SECRET_ID is empty',
    ],
    ['no credentials', { VAULT_TOKEN: '' }, 'No Vault credentials: give vault-role'],
  ])('A variable of Vault is refused: %s', (_what, env, expected) => {
    const message = failure(
      { to: VAULT },
      { VAULT_ADDR: URL, VAULT_TOKEN: 'hvs.canary0123', ...env },
    );
    expect(message).toContain(expected);
    expect(message).toContain('An input is wrong');
    expect(message).not.toContain('canary0123');
  });

  const AWS = 'aws-sm:docs/link';
  const ROLE = 'arn:aws-us-gov:iam::123456789012:role/ci/docs-courier';

  it('A role of AWS is for the identity of the run; without it the environment has the keys', () => {
    const aws = (more: Readonly<Record<string, string>>) =>
      read({ to: AWS, ...more })?.credentials.aws;
    expect(aws({})).toEqual({ role: undefined });
    expect(aws({ 'aws-role': ROLE })).toEqual({
      role: { arn: ROLE, audience: 'sts.amazonaws.com' },
    });
    expect(aws({ 'aws-role': ROLE, 'id-token-audience': 'docs' })?.role?.audience).toBe('docs');
    expect(read({ to: K8S })?.credentials.aws).toBeUndefined();
    const role = (env: Env) => read({ to: AWS }, env)?.credentials.aws?.role?.arn;
    expect(role({ AWS_ROLE_ARN: ROLE })).toBe(ROLE);
    expect(role({ AWS_ROLE_ARN: ROLE, AWS_ACCESS_KEY_ID: 'AKIA' })).toBeUndefined();
    expect(role({ AWS_ROLE_ARN: ROLE, AWS_WEB_IDENTITY_TOKEN_FILE: '/token' })).toBeUndefined();
    expect(failure({ to: AWS }, { AWS_ROLE_ARN: 'docs' })).toContain(
      'the variable AWS_ROLE_ARN is not allowed',
    );
  });

  it('Each kind of login has an audience', () => {
    const both = {
      to: `${AWS}\n${VAULT}`,
      'vault-address': URL,
      'vault-role': 'docs',
      'aws-role': ROLE,
    };
    const audiences = (text: string) => {
      const { vault, aws } = read({ ...both, 'id-token-audience': text })?.credentials ?? {};
      return [vault?.auth.kind === 'jwt' ? vault.auth.audience : undefined, aws?.role?.audience];
    };
    expect(audiences('')).toEqual([URL, 'sts.amazonaws.com']);
    expect(audiences('vault: https://v\naws: sts')).toEqual(['https://v', 'sts']);
    expect(audiences('aws: sts')).toEqual([URL, 'sts']);
    expect(failure({ ...both, 'id-token-audience': 'https://v' })).toContain(
      'one value, and the run logs in to vault',
    );
    expect(failure({ ...both, 'id-token-audience': 'vault: a\nb' })).toContain(
      'one audience, or the lines',
    );
    expect(failure({ ...both, 'id-token-audience': 'vault: a\nvault: b' })).toContain(
      'one audience, or the lines',
    );
    const token = { to: VAULT, 'vault-address': URL, 'vault-token': 'hvs.a' };
    expect(failure({ ...token, 'id-token-audience': 'a' })).toContain(
      'is read only if the run logs in with its id',
    );
    expect(failure({ ...token, 'id-token-audience': 'aws: a' })).toContain('has a line for aws');
  });

  const SERVER = { to: VAULT, 'vault-address': 'https://vault.example.com', 'vault-role': 'docs' };
  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a kubeconfig without a k8s: destination',
      { to: VAULT, kubeconfig: CONFIG },
      'kubeconfig is read only together with a k8s',
    ],
    [
      'two clusters',
      { to: 'k8s:docs/a?context=a#url\nk8s:docs/b?context=b#url', kubeconfig: CONFIG },
      'one step writes to one cluster',
    ],
    [
      'a relative kubeconfig',
      { to: K8S, kubeconfig: 'kube/config' },
      'or the absolute path of one',
    ],
    [
      'an address without a vault: destination',
      { to: K8S, 'vault-address': 'https://a.b' },
      'vault-address is read only together',
    ],
    ['no address', { to: VAULT, 'vault-role': 'docs' }, 'vault-address is missing'],
    [
      'plain http',
      { ...SERVER, 'vault-address': 'http://vault.example.com' },
      'http is for a loopback host only',
    ],
    ['the path of the API', { ...SERVER, 'vault-address': 'https://a.b/v1' }, 'without /v1'],
    [
      'the address of the web interface',
      { ...SERVER, 'vault-address': 'https://a.b/ui/vault/secrets' },
      'without /ui',
    ],
    [
      'no role',
      { to: VAULT, 'vault-address': 'https://a.b' },
      'No Vault credentials: give vault-role',
    ],
    [
      'a token and a role',
      { ...SERVER, 'vault-token': 'hvs.canary0123' },
      'vault-role does not fit vault-token',
    ],
    [
      'a path that is not that of a role',
      { ...SERVER, 'vault-role': 'auth/jwt/docs' },
      'auth/MOUNT/role/NAME',
    ],
    [
      'a path that leaves the auth methods',
      { ...SERVER, 'vault-role': 'auth/../role/x' },
      'auth/MOUNT/role/NAME',
    ],
    [
      'an AppRole without ids',
      { ...SERVER, 'vault-role': 'auth/ci/login' },
      'VAULT_ROLE_ID is empty',
    ],
    [
      'an audience without a role',
      { to: AWS, 'id-token-audience': 'docs' },
      'by vault-role or aws-role',
    ],
    [
      'a role without a destination in AWS',
      { to: K8S, 'aws-role': ROLE },
      'aws-role is read only together with an aws-sm',
    ],
    ['the name of a role', { to: AWS, 'aws-role': 'docs-courier' }, 'the ARN of a role'],
    [
      'the ARN of a user',
      { to: AWS, 'aws-role': 'arn:aws:iam::123456789012:user/docs' },
      'the ARN of a role',
    ],
  ])('An input of a store is refused: %s', (_what, given, expected) => {
    const message = failure(given);
    expect(message).toContain(expected);
    expect(message).not.toContain('canary0123');
    expect(message).not.toContain('kind: Config');
  });

  it('A destination is never the state of another one', () => {
    const server = { 'vault-address': 'https://vault.example.com', 'vault-role': 'docs' };
    expect(failure({ ...server, to: `${VAULT}\n${VAULT}_state` })).toContain(
      'are the same destination',
    );
    expect(failure({ to: `${AWS}\n${AWS}_state` })).toContain('are the same destination');
  });
});
