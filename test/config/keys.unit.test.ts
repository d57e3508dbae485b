import { describe, expect, test } from 'vitest';
import { trustedValues } from '../../src/config/file.ts';
import { parseConfig, VALUE_KEYS } from '../../src/config/parse.ts';
import { INPUT_NAMES, type InputSource, SECRET_INPUTS } from '../../src/values/reader.ts';
import { makeRun, makeRunContext } from '../support/make-run.ts';
import { recordingLog } from '../support/recording-log.ts';

const given = (values: Readonly<Record<string, string>>): InputSource => ({
  value: (name) => values[name] ?? '',
  unknownNames: () => [],
});

/**
 * The keys that a change request may set in a CI system, each of them reviewed. A new key is not
 * among them until it is added.
 */
const HARMLESS = [
  'add',
  'base-path',
  'baseline-file',
  'bundle-path',
  'clean',
  'command',
  'compare-with',
  'context',
  'domain',
  'dry-run',
  'export-paths',
  'export-version',
  'extract-to',
  'filter',
  'forbid-lost-addresses',
  'if-no-state',
  'live-timeout',
  'max-page-drop',
  'max-size',
  'min-pages',
  'min-results',
  'on-not-live',
  'on-rollout-failure',
  'on-timeout',
  'project-id',
  'queries-file',
  'query',
  'refresh-before',
  'required-pages',
  'rollout',
  'rollout-timeout',
  'search-site',
  'status-comment',
  'timeout',
  'to',
  'verify',
  'wait-for-index',
];

test('In a CI system the file sets only reviewed keys, and a notice lists what was left out', () => {
  const values = new Map(VALUE_KEYS.map((key) => [key, 'x']));
  const log = recordingLog();
  const reader = { source: given({ mode: 'export' }), run: makeRun(makeRunContext()), log };
  const taken = [...trustedValues(values, reader).keys()];
  expect(taken.filter((key) => !HARMLESS.includes(key))).toEqual([]);
  for (const key of ['prompt', 'agent-job-id', 'export-job-id', 'allow-private-hosts']) {
    expect(taken).not.toContain(key);
    expect(log.text('notice')).toContain(key);
  }
});

test('On a person’s machine the file sets every key of the table', () => {
  const values = new Map(VALUE_KEYS.map((key) => [key, 'x']));
  const run = { ...makeRun(makeRunContext()), kind: 'local' } as const;
  const reader = { source: given({ mode: 'export' }), run, log: recordingLog() };
  expect([...trustedValues(values, reader).keys()]).toEqual(VALUE_KEYS);
});

test.each([
  ['change-request', 'agent', false],
  ['comment', 'agent', false],
  ['schedule', 'agent', true],
  ['change-request', 'export', true],
] as const)(
  'In a run by %s in mode %s it is %s that the file decides about the command',
  (cause, mode, isRead) => {
    const keys = ['command', 'project-id', 'context', 'status-comment', 'domain', 'dry-run'];
    const values = new Map(keys.map((key) => [key, 'x']));
    const run = { ...makeRun(makeRunContext()), cause };
    const taken = trustedValues(values, { source: given({ mode }), run, log: recordingLog() });
    expect([...taken.keys()]).toEqual(isRead ? keys : []);
  },
);

/** Where the program is started, they say what to do, with which file and for which site. */
const STARTED_WITH = ['mode', 'config-file', 'site'];

describe('what no file may set, on any machine', () => {
  const problemOf = async (text: string) =>
    String(
      await parseConfig(text, 'docs-courier.yml').then(
        () => 'no error',
        (error: unknown) => error,
      ),
    );

  test.each(
    [...INPUT_NAMES, 'to-command'].filter(
      (name) => ![...VALUE_KEYS, ...SECRET_INPUTS, ...STARTED_WITH].includes(name),
    ),
  )('The key %s in the file is an error with its line, the flag and the variable', async (key) => {
    expect(VALUE_KEYS).not.toContain(key);
    const variable = `DOCS_COURIER_${key.toUpperCase().replaceAll('-', '_')}`;
    const problem = await problemOf(`domain: docs.example.com\n${key}: https://evil.example.com\n`);
    expect(problem).toContain(`docs-courier.yml:2:1: ${key} `);
    expect(problem).toContain(`--${key} VALUE, the variable ${variable}=VALUE`);
    expect(await problemOf(`sites:\n  guide:\n    ${key}: https://evil.example.com\n`)).toContain(
      ':3:5: ',
    );
  });

  test.each(SECRET_INPUTS)(
    'The secret %s in the file is an error that does not repeat it',
    async (key) => {
      for (const text of [`${key}: leaked\n`, `sites:\n  guide:\n    ${key}: leaked\n`]) {
        const problem = await problemOf(text);
        expect(problem).toContain(
          `${key} is a secret and must not be in a file: remove it, replace the key`,
        );
        expect(problem).not.toContain('leaked');
      }
    },
  );

  test.each([
    ['as the value of a key', (key: string) => `domain: ${key}\n`],
    ['in a list', (key: string) => `export-paths: [guide, ${key}]\n`],
    ['in a site', (key: string) => `sites:\n  guide:\n    domain: ${key}\n`],
    ['in the paths of a site', (key: string) => `sites:\n  guide:\n    paths: ${key}\n`],
  ])('A key of the platform %s is an error that does not repeat it', async (_, textWith) => {
    const problem = await problemOf(textWith('svc_leaked7Qx4Zt9Kp2Wm6'));
    expect(problem).toContain(
      'this looks like a key: remove it, and replace the key that was written here',
    );
    expect(problem).not.toContain('leaked');
  });

  test.each([
    ['to', 'gitlab:project/1/NAME?server=https://git.example.com'],
    ['to', 'k8s:docs/link?context=prod#url'],
    ['to', '["github:secret/A", "aws-sm:link?region=eu-west-1"]'],
    ['to', '["aws-sm:link?region=eu-west-1", "github:secret/A"]'],
    ['to', '[" vault://vault.example.com/kv/docs#url", "github:secret/A"]'],
    ['to', 'vault://vault.example.com/kv/docs#url'],
    ['state', 'gitlab:project/1/NAME?server=https://git.example.com'],
  ])(
    'An address in %s of the file that names a server or an option is an error: %s',
    async (key, address) => {
      const text = address.startsWith('[') ? address : JSON.stringify(address);
      const problem = await problemOf(`domain: docs.example.com\n${key}: ${text}\n`);
      expect(problem).toMatch(
        new RegExp(`docs-courier\\.yml:2:1: ${key} names a server or an option`),
      );
      expect(problem).toContain(`DOCS_COURIER_${key.toUpperCase()}=ADDRESS`);
      const inSite = await problemOf(`sites:\n  guide:\n    ${key}: ${text}\n`);
      expect(inSite).toContain(`docs-courier.yml:3:5: ${key} names a server or an option`);
    },
  );

  test('The error about a server repeats the address without what follows "?", and nothing that may be a token', async () => {
    const shown = await problemOf('to: gitlab:project/1/NAME?server=https://git.example.com\n');
    expect(shown).toContain('gitlab:project/1/NAME;');
    expect(shown).not.toContain('git.example.com');
    const hidden = await problemOf(
      'to: gitlab:project/glpat-leaked7Qx4Zt9Kp2Wm6/NAME?server=https://git.example.com\n',
    );
    expect(hidden).toContain('one of its lines;');
    expect(hidden).not.toContain('leaked');
  });

  test('An address in the file has its kind, path and key', async () => {
    const { values } = await parseConfig(
      'to: [github:env/prod/A, "k8s:docs/link#url", file:out/link]\n',
      'x.yml',
    );
    expect(values.get('to')).toBe('github:env/prod/A\nk8s:docs/link#url\nfile:out/link');
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'The key %s, which every object has, is an unknown key at the top, as a key of a site, and as a mapping',
    async (key) => {
      for (const text of [
        `${key}: x\n`,
        `${key}: { domain: x }\n`,
        `sites:\n  guide:\n    ${key}: x\n`,
      ]) {
        expect(await problemOf(text)).toContain('unknown key');
      }
      expect(await problemOf(`sites:\n  ${key}: { paths: 1 }\n`)).not.toContain('object Object');
    },
  );
});

test.each([['1.10'], ['010'], ['1e3'], ['0x10'], ['True']])(
  'the value %s of a file is the text as it is written',
  async (written) => {
    const { values } = await parseConfig(`export-version: ${written}\n`, 'docs-courier.yml');
    expect(values.get('export-version')).toBe(written);
  },
);

test('A large file of wrong keys is refused at once, with the first of them', async () => {
  const text = Array.from({ length: 12_000 }, (_, index) => `wrong-${index}: x`).join('\n');
  const start = process.cpuUsage();
  const error = await parseConfig(text, 'docs-courier.yml').catch((thrown: unknown) => thrown);
  // Processor time of this process: other processes of the machine do not count.
  const { user } = process.cpuUsage(start);
  expect(user / 1000).toBeLessThan(5000);
  expect(String(error)).toContain('- and 11980 more');
});
