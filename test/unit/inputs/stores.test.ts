import { describe, expect, it } from 'vitest';
import { readActionInputs, variableOf } from '../../../src/ci/github/runner.ts';
import { CourierError } from '../../../src/errors.ts';
import { readInputs } from '../../../src/inputs/read.ts';

const PLACE = { repository: 'acme/app', workspace: '/workspace' };

function read(given: Readonly<Record<string, string>>) {
  const all = {
    mode: 'export',
    'base-url': 'https://api.docs.example.com',
    'admin-api-key': 'svc_canary-admin-key',
    domain: 'docs.example.com',
    ...given,
  };
  const env = Object.fromEntries(Object.entries(all).map(([name, value]) => [variableOf(name), value]));
  const inputs = readInputs(readActionInputs(env), PLACE);
  if (inputs.mode !== 'export') throw new Error(inputs.mode);
  return inputs.to;
}

function failure(given: Readonly<Record<string, string>>): string {
  try {
    read(given);
  } catch (error) {
    if (error instanceof CourierError && error.code === 'config') return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('the destinations outside of a forge', () => {
  const K8S = 'k8s:docs/link#url';
  const VAULT = 'vault:secret/docs#url';
  const CONFIG = 'apiVersion: v1\nkind: Config';

  it('take a kubeconfig as text or as an absolute path, or none in a pod', () => {
    const kubernetes = { kubeconfig: CONFIG, context: 'prod', allowExec: true };
    const to = 'k8s:docs/link?context=prod#url';
    const given = { to, kubeconfig: CONFIG, 'allow-kube-exec': 'true' };
    expect(read(given)?.credentials).toMatchObject({ kubernetes, vault: undefined, secretToken: undefined });
    const path = read({ to: K8S, kubeconfig: '/home/ada/.kube/config' })?.credentials.kubernetes;
    expect(path).toEqual({ kubeconfig: '/home/ada/.kube/config', context: undefined, allowExec: false });
    expect(read({ to: K8S })?.credentials.kubernetes).toMatchObject({ kubeconfig: undefined });
  });

  it('take a way to log in to Vault: by the run itself, an AppRole, or a token', () => {
    const address = { to: VAULT, 'vault-address': 'https://vault.example.com:8200/' };
    const auth = (more: Readonly<Record<string, string>>) => read({ ...address, ...more })?.credentials.vault?.auth;
    const audience = 'https://vault.example.com:8200';
    expect(auth({ 'vault-role': 'docs' })).toEqual({ kind: 'jwt', path: 'jwt', role: 'docs', audience });
    expect(auth({ 'vault-role': 'docs', 'vault-auth-path': 'ci/github' })).toMatchObject({ path: 'ci/github' });
    expect(auth({ 'vault-role': 'docs', 'vault-audience': 'vault' })).toMatchObject({ audience: 'vault' });
    const id = '5f0f3b2e-0000-4000-8000-000000000000';
    expect(auth({ 'vault-auth': 'approle', 'vault-role': id, 'vault-token': `${id}-secret` })).toEqual({
      kind: 'approle',
      path: 'approle',
      roleId: id,
      secretId: `${id}-secret`,
    });
    expect(auth({ 'vault-auth': 'token', 'vault-token': 'hvs.canary0123' })).toEqual({
      kind: 'token',
      token: 'hvs.canary0123',
    });
  });

  const AWS = 'aws-sm:docs/link';
  const ROLE = 'arn:aws-us-gov:iam::123456789012:role/ci/docs-courier';

  it('take a role of AWS for the identity of the run, or leave the keys to the environment', () => {
    const aws = (more: Readonly<Record<string, string>>) => read({ to: AWS, ...more })?.credentials.aws;
    expect(aws({})).toEqual({ role: undefined });
    expect(aws({ 'aws-role': ROLE })).toEqual({ role: { arn: ROLE, audience: 'sts.amazonaws.com' } });
    expect(aws({ 'aws-role': ROLE, 'aws-audience': 'docs' })?.role?.audience).toBe('docs');
    expect(read({ to: K8S })?.credentials.aws).toBeUndefined();
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
      'permission without a kubeconfig',
      { to: K8S, 'allow-kube-exec': 'true' },
      'allow-kube-exec is read only together',
    ],
    ['a relative kubeconfig', { to: K8S, kubeconfig: 'kube/config' }, 'or the absolute path of one'],
    [
      'an address without a vault: destination',
      { to: K8S, 'vault-address': 'https://a.b' },
      'vault-address is read only together',
    ],
    ['another way to log in without one', { to: K8S, 'vault-auth': 'token' }, 'vault-auth is read only together'],
    ['no address', { to: VAULT, 'vault-role': 'docs' }, 'vault-address is missing'],
    ['plain http', { ...SERVER, 'vault-address': 'http://vault.example.com' }, 'http is for a loopback host only'],
    ['the path of the API', { ...SERVER, 'vault-address': 'https://a.b/v1' }, 'leave out /v1'],
    [
      'the address of the web interface',
      { ...SERVER, 'vault-address': 'https://a.b/ui/vault/secrets' },
      'leave out /ui',
    ],
    ['no role', { to: VAULT, 'vault-address': 'https://a.b' }, 'vault-role is missing'],
    ['a token for jwt', { ...SERVER, 'vault-token': 'hvs.canary0123' }, 'vault-token does not fit vault-auth: jwt'],
    ['no token', { ...SERVER, 'vault-auth': 'approle' }, 'vault-token is empty'],
    [
      'a role for a token',
      { ...SERVER, 'vault-auth': 'token', 'vault-token': 'hvs.canary0123' },
      'vault-role does not fit',
    ],
    ['an unknown way', { ...SERVER, 'vault-auth': 'jwt2' }, 'did you mean jwt'],
    [
      'a token with a path',
      { ...SERVER, 'vault-auth': 'token', 'vault-token': 'hvs.canary0123', 'vault-role': '', 'vault-auth-path': 'a' },
      'vault-auth-path does not fit',
    ],
    ['the whole path of the auth method', { ...SERVER, 'vault-auth-path': 'auth/jwt-github/' }, 'write jwt-github'],
    ['a path that leaves the auth methods', { ...SERVER, 'vault-auth-path': '../sys' }, 'the path of an auth method'],
    [
      'a role without a destination in AWS',
      { to: K8S, 'aws-role': ROLE },
      'aws-role is read only together with an aws-sm',
    ],
    [
      'an audience without a role',
      { to: AWS, 'aws-audience': 'docs' },
      'aws-audience is read only together with aws-role',
    ],
    ['the name of a role', { to: AWS, 'aws-role': 'docs-courier' }, 'the ARN of a role'],
    ['the ARN of a user', { to: AWS, 'aws-role': 'arn:aws:iam::123456789012:user/docs' }, 'the ARN of a role'],
    ['a key as the authority', { ...SERVER, 'vault-ca': '-----BEGIN PRIVATE KEY-----' }, 'certificates as PEM'],
    ['a namespace with a blank', { ...SERVER, 'vault-namespace': 'a b' }, 'the path of a namespace'],
  ])('refuse %s', (_what, given, expected) => {
    const message = failure(given);
    expect(message).toContain(expected);
    expect(message).not.toContain('canary0123');
    expect(message).not.toContain('kind: Config');
  });

  it('are never the state of another destination', () => {
    const server = { 'vault-address': 'https://vault.example.com', 'vault-role': 'docs' };
    expect(failure({ ...server, to: `${VAULT}\n${VAULT}_state` })).toContain('are the same destination');
    expect(failure({ to: `${AWS}\n${AWS}_state` })).toContain('are the same destination');
  });
});
