import { describe, expect, test } from 'vitest';
import { readActionInputs } from '../../src/ci/github/runner.ts';
import { readArguments } from '../../src/cli/arguments.ts';
import { FLAGS, misspeltVariables } from '../../src/cli/options.ts';
import { parseConfig, VALUE_KEYS } from '../../src/config/parse.ts';
import { readInputs } from '../../src/inputs/read.ts';
import { INPUT_NAMES } from '../../src/values/reader.ts';
import { REMOVED_NAMES, removedProblems } from '../../src/values/removed.ts';

describe('a removed input', () => {
  test.each<[string[], string]>([
    [
      ['secret-name', 'secret-scope'],
      'secret-name, secret-scope do not exist; give to an address, such as github:secret/NAME',
    ],
    [['forge-url'], 'forge-url does not exist; name the server in to, as in gitlab:project/ID/NAME?server=https://'],
    [['vault-auth', 'vault-auth-path'], 'do not exist; give vault-token; or vault-role'],
    [['wait'], 'not to wait, give timeout 0s and on-timeout detach'],
    [
      ['filter-version', 'filter-tag'],
      'filter-version, filter-tag do not exist; give filter, with a line such as version=2',
    ],
    [['search-comment'], 'search-comment does not exist; give comment, which is true, titles or false'],
    [
      ['fail-on'],
      'fail-on does not exist; remove it: with baseline-file, only a query that is worse than in that file',
    ],
    [['baseline-update'], 'copy the file at report-path to the path of baseline-file in a step after the search'],
    [['deployment-type'], 'give verify air-gapped'],
  ])('The removed inputs %j are answered with what to give', (names, text) => {
    expect(removedProblems(names)).toEqual([{ name: names[0], text: expect.stringContaining(text) }]);
  });

  test.each([...REMOVED_NAMES])('The removed input %s has an answer', (name) => {
    expect(removedProblems([name, 'domain'])).toEqual([
      { name, text: expect.stringMatching(new RegExp(`^${name} does not exist; .{9,}$`)) },
    ]);
  });

  test('A removed input is answered in a step, although the runner only warns', () => {
    const env = { INPUT_MODE: 'export', 'INPUT_SECRET-NAME': 'DOCS_URL', 'INPUT_SECRET-SCOPE': 'repository' };
    const destination = { repository: 'acme/app', workspace: '/workspace' };
    expect(() => readInputs(readActionInputs(env), destination)).toThrow(
      /secret-name, secret-scope do not exist; give to an address, such as github:secret\/NAME.*gitea:repo\/OWNER/,
    );
  });

  test('A removed flag is answered as a flag, and its value is not a second problem', () => {
    const { problems } = readArguments(['export', '--secret-name', 'A', '--wait', 'false', '--domain', 'a.b']);
    expect(problems).toEqual([
      expect.stringContaining('--secret-name does not exist; give to an address'),
      '--wait does not exist; remove it: the run waits until timeout; not to wait, give timeout 0s and on-timeout detach',
    ]);
  });

  test('A removed flag of the command line is answered, and a word that follows it is not a second problem', () => {
    const { problems } = readArguments(['search', 'q.yml', '--code-quality', 'quality.json', '--watch']);
    expect(problems).toEqual([
      '--code-quality does not exist; give --junit FILE, whose report GitLab shows in the merge request as well',
      expect.stringContaining('--watch does not exist; start the search after each change with a program for that'),
    ]);
    expect(readArguments(['search', '--watch', 'q.yml', '--fail-on=worse']).problems).toEqual([
      expect.stringContaining('--fail-on does not exist; remove it'),
      expect.stringContaining('--watch does not exist; '),
    ]);
  });

  test('A removed variable is answered as a variable', () => {
    expect(misspeltVariables({ DOCS_COURIER_WAIT: 'false' })).toEqual([
      expect.stringContaining('Variable: wait does not exist; remove it: the run waits until timeout'),
    ]);
  });

  test('A removed key of the configuration file is answered with line and column', async () => {
    const text = 'domain: a.b\nsites:\n  guide:\n    secret-name: A\n    secret-scope: environment\n    wait: false\n';
    const reading = parseConfig(text, 'docs-courier.yml');
    await expect(reading).rejects.toThrow('- docs-courier.yml:4:5: secret-name, secret-scope do not exist; give to');
    await expect(reading).rejects.toThrow('- docs-courier.yml:6:5: wait does not exist; remove it');
  });
});

test('No input, flag or key has a removed name', () => {
  expect([...INPUT_NAMES, ...FLAGS.keys(), ...VALUE_KEYS].filter((name) => REMOVED_NAMES.has(name))).toEqual([]);
});
