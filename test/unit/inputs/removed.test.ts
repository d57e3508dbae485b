import { describe, expect, test } from 'vitest';
import { readActionInputs } from '../../../src/ci/github/runner.ts';
import { readArguments } from '../../../src/cli/arguments.ts';
import { FLAGS, misspeltVariables } from '../../../src/cli/options.ts';
import { parseConfig, VALUE_KEYS } from '../../../src/config/parse.ts';
import { readInputs } from '../../../src/inputs/read.ts';
import { INPUT_NAMES } from '../../../src/inputs/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../../../src/inputs/removed.ts';

const show = (name: string, value: string) => `${name}: ${value}`;

function problems(given: Readonly<Record<string, string>>): string[] {
  const value = (name: string) => given[name] ?? '';
  return removedProblems({ names: Object.keys(given).filter((name) => REMOVED_NAMES.has(name)), value, show }).map(
    ({ text }) => text,
  );
}

describe('a removed input', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a secret of the repository',
      { 'secret-name': 'DOCS_URL', 'secret-scope': 'repository' },
      'secret-name, secret-scope do not exist; write to: github:secret/DOCS_URL',
    ],
    [
      'a secret of an environment whose name has a slash',
      { 'secret-scope': 'environment', 'secret-environment': 'prod/eu', 'secret-name': 'A' },
      'secret-scope, secret-environment, secret-name do not exist; write to: github:env/prod%2Feu/A',
    ],
    [
      'a secret of an environment of another repository',
      { 'secret-scope': 'environment', 'secret-environment': 'prod', 'secret-repository': 'o/r', 'secret-name': 'A' },
      'write to: github:repo/o/r/env/prod/A',
    ],
    [
      'a secret of an organization for some repositories',
      {
        'secret-name': 'A',
        'secret-scope': 'organization',
        'secret-organization': 'acme',
        'secret-visibility': 'selected',
        'secret-selected-repositories': 'a\nb, c',
      },
      'write to: github:org/acme/A?visibility=selected&repositories=a,b,c',
    ],
    [
      'a secret of Gitea',
      { forge: 'gitea', 'secret-name': 'A', 'secret-repository': 'o/r' },
      'write to: gitea:repo/o/r/A',
    ],
    [
      'a server of another forge',
      { 'forge-url': 'https://git.example.com' },
      'write to: gitlab:project/ID/NAME?server=https://git.example.com',
    ],
    [
      'a login to Vault that is mounted elsewhere',
      { 'vault-auth': 'jwt', 'vault-auth-path': 'jwt-ci', 'vault-role': 'docs' },
      'vault-auth, vault-auth-path do not exist; write vault-role: auth/jwt-ci/role/docs',
    ],
    ['a run that does not wait', { wait: 'false' }, 'wait does not exist; write timeout: 0s and on-timeout: detach'],
    ['a run that waits', { wait: 'true' }, 'wait does not exist; remove it: the run waits until timeout'],
    ['a filter', { 'filter-version': '2' }, 'filter-version does not exist; write filter: version=2'],
    ['a comment of a search', { 'search-comment': 'pages' }, 'write comment: titles'],
    ['an air-gapped deployment', { 'deployment-type': 'air-gapped' }, 'write verify: air-gapped'],
  ])('A removed input is answered with the text to write: %s', (_name, given, text) => {
    const found = problems(given);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(text);
  });

  test.each([...REMOVED_NAMES])('The removed input %s has an answer without a value', (name) => {
    expect(problems({ [name]: 'x' })).toEqual([expect.stringMatching(/ do(es)? not exist; [^{}|]{9,}$/)]);
  });

  test('The answer to a removed input does not repeat a key that was given by mistake', () => {
    const [text] = problems({ 'secret-name': 'ghp_canary0123456789ABCDEFghijkl' });
    expect(text).toContain('write to: github:secret/NAME');
    expect(text).not.toContain('canary');
  });

  test('A removed input is answered in a step, although the runner only warns', () => {
    const env = { INPUT_MODE: 'export', 'INPUT_SECRET-NAME': 'DOCS_URL', 'INPUT_SECRET-SCOPE': 'repository' };
    const destination = { repository: 'acme/app', workspace: '/workspace' };
    expect(() => readInputs(readActionInputs(env), destination)).toThrow(
      'secret-name, secret-scope do not exist; write to: github:secret/DOCS_URL',
    );
    expect(() => readInputs(readActionInputs(env), { ...destination, forge: 'gitea' })).toThrow(
      'write to: gitea:repo/OWNER/REPO/DOCS_URL',
    );
  });

  test('A removed flag is answered as a flag, with its value', () => {
    const { problems } = readArguments(['export', '--secret-name', 'A', '--wait', 'false', '--domain', 'a.b']);
    expect(problems).toEqual([
      '--secret-name does not exist; write --to github:secret/A',
      '--wait does not exist; write --timeout 0s and --on-timeout detach',
    ]);
  });

  test('A removed variable is answered as a variable', () => {
    expect(misspeltVariables({ DOCS_COURIER_WAIT: 'false' })).toEqual([
      'Variable: wait does not exist; write DOCS_COURIER_TIMEOUT=0s and DOCS_COURIER_ON_TIMEOUT=detach',
    ]);
  });

  test('A removed key of the configuration file is answered with line and column', async () => {
    const text = 'domain: a.b\nsites:\n  guide:\n    secret-name: A\n    secret-scope: environment\n    wait: false\n';
    await expect(parseConfig(text, 'docs-courier.yml')).rejects.toThrow(
      [
        'docs-courier.yml cannot be used:',
        '- docs-courier.yml:4:5: secret-name, secret-scope do not exist; write to: github:env/ENVIRONMENT/A',
        '- docs-courier.yml:6:5: wait does not exist; write timeout: 0s and on-timeout: detach',
      ].join('\n'),
    );
  });
});

test('No input, flag or key has a removed name', () => {
  expect([...INPUT_NAMES, ...FLAGS.keys(), ...VALUE_KEYS].filter((name) => REMOVED_NAMES.has(name))).toEqual([]);
});
