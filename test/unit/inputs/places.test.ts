import { describe, expect, it } from 'vitest';
import { readActionInputs, variableOf } from '../../../src/ci/github/runner.ts';
import { CourierError } from '../../../src/errors.ts';
import { readInputs } from '../../../src/inputs/read.ts';
import { formatAddress } from '../../../src/stores/address.ts';

const PLACE = { repository: 'acme/app', workspace: '/workspace' };
const TOKEN = 'ghp_0123456789abcdef0123';

function read(given: Readonly<Record<string, string>>, forge?: 'github' | 'gitea') {
  const all = {
    mode: 'export',
    'base-url': 'https://api.docs.example.com',
    'admin-api-key': 'svc_canary-admin-key',
    domain: 'docs.example.com',
    ...given,
  };
  const env = Object.fromEntries(Object.entries(all).map(([name, value]) => [variableOf(name), value]));
  const inputs = readInputs(readActionInputs(env), { ...PLACE, forge });
  if (inputs.mode !== 'export') throw new Error(inputs.mode);
  return inputs.to;
}

function failure(given: Readonly<Record<string, string>>, forge?: 'github' | 'gitea'): string {
  try {
    read(given, forge);
  } catch (error) {
    if (error instanceof CourierError && error.code === 'config') return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('the destinations of a link', () => {
  it('are one a line, each in its shortest form', () => {
    const to = 'github:repo/Acme/App/DOCS_URL\n\n  github:repo/acme/other/env/prod/DOCS_URL\r\nfile:out/link.txt\n';
    const destinations = read({ to, 'secret-token': TOKEN });
    expect(destinations?.addresses.map(formatAddress)).toEqual([
      'github:secret/DOCS_URL',
      'github:repo/acme/other/env/prod/DOCS_URL',
      'file:/workspace/out/link.txt',
    ]);
    expect(destinations?.credentials.secretToken).toBe(TOKEN);
  });

  it('are the secret of secret-name and those of to together', () => {
    const destinations = read({ 'secret-name': 'DOCS_URL', 'secret-token': TOKEN, to: 'file:/tmp/link' });
    expect(destinations?.addresses.map(formatAddress)).toEqual(['github:secret/DOCS_URL', 'file:/tmp/link']);
  });

  it('need no token where none of them is a forge', () => {
    expect(read({ to: 'file:/tmp/link' })?.credentials.secretToken).toBeUndefined();
    expect(failure({ to: 'file:/tmp/link', 'secret-token': TOKEN })).toContain(
      'secret-token is read only together with',
    );
    expect(failure({ to: 'github:secret/A' })).toContain('secret-token is empty');
  });

  it('take the access inputs of an organization also by address', () => {
    const access = { 'secret-visibility': 'selected', 'secret-selected-repositories': 'app' };
    expect(read({ to: 'github:org/acme/A', 'secret-token': TOKEN, ...access })?.credentials).toMatchObject({
      visibility: 'selected',
      selectedRepositories: ['app'],
    });
    expect(failure({ to: 'github:secret/A', 'secret-token': TOKEN, 'secret-visibility': 'all' })).toContain(
      'secret-visibility is read only for a secret of an organization',
    );
  });

  it.each([
    ['github:secret/A\ngithub:repo/ACME/app/A', 'github:secret/A is named twice'],
    ['github:env/prod/A\ngithub:env/PROD/A', 'are the same destination'],
    ['file:a/../link\nfile:/workspace/link', 'file:/workspace/link is named twice'],
    ['file:link\nfile:link.state.json', 'are the same destination'],
    ['github:secret/A\ngihtub:secret/B', 'did you mean github:?'],
    ['github:secret/a', 'capital letters'],
    ['vault:https://u:canary@vault/secret#url', 'one of its lines'],
    ['ghp_canary0123456789ABCDEFghijkl', 'one of its lines'],
  ])('%j is refused', (to, words) => {
    const message = failure({ to, 'secret-token': TOKEN });
    expect(message).toContain(words);
    expect(message).not.toContain('canary0');
    expect(message).not.toContain('u:canary');
  });

  it('name the secret of secret-name once', () => {
    expect(failure({ to: 'github:secret/A', 'secret-name': 'A', 'secret-token': TOKEN })).toContain('named twice');
  });
});

describe('a secret-name on Gitea', () => {
  const readOn = (given: Readonly<Record<string, string>>) => read(given, 'gitea')?.addresses.map(formatAddress);

  it('means the secret of Gitea, of this repository, another one or an organization', () => {
    const secret = { 'secret-name': 'DOCS_URL', 'secret-token': TOKEN };
    expect(readOn(secret)).toEqual(['gitea:repo/acme/app/DOCS_URL']);
    expect(readOn({ ...secret, 'secret-repository': 'acme/other' })).toEqual(['gitea:repo/acme/other/DOCS_URL']);
    expect(readOn({ ...secret, 'secret-scope': 'organization', 'secret-organization': 'acme' })).toEqual([
      'gitea:org/acme/DOCS_URL',
    ]);
  });

  it('is refused for an environment, for who may see it, and where Gitea reserves the name', () => {
    const secret = { 'secret-name': 'DOCS_URL', 'secret-token': TOKEN };
    const environment = { 'secret-scope': 'environment', 'secret-environment': 'prod' };
    expect(failure({ ...secret, ...environment }, 'gitea')).toContain('no secrets of environments');
    const organization = { 'secret-scope': 'organization', 'secret-organization': 'acme' };
    expect(failure({ ...secret, ...organization, 'secret-visibility': 'all' }, 'gitea')).toContain('secret-visibility');
    for (const name of ['CI', 'GITEA_X', 'FORGEJO_X']) {
      expect(failure({ ...secret, 'secret-name': name }, 'gitea')).toContain('Gitea reserves');
    }
  });

  it('and the same secret in to are one destination', () => {
    const both = { 'secret-name': 'DOCS_URL', 'secret-token': TOKEN, to: 'gitea:repo/Acme/app/DOCS_URL' };
    expect(failure(both, 'gitea')).toContain('the same destination');
  });
});
