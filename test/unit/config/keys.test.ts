import { describe, expect, test } from 'vitest';
import { trustedValues } from '../../../src/config/file.ts';
import { parseConfig, VALUE_KEYS } from '../../../src/config/parse.ts';
import type { InputSource } from '../../../src/inputs/reader.ts';
import { makeRun, makeRunContext } from '../../support/make-run.ts';
import { recordingLog } from '../../support/recording-log.ts';

const given = (values: Readonly<Record<string, string>>): InputSource => ({
  value: (name) => values[name] ?? '',
  unknownNames: () => [],
});

/** The keys that a change request may set in a CI system, each of them reviewed. A new key is not among them until it is added. */
const HARMLESS = [
  'base-path',
  'baseline-file',
  'baseline-update',
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
  'fail-on',
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
  for (const key of ['base-url', 'prompt', 'agent-job-id', 'export-job-id', 'allow-private-hosts']) {
    expect(taken).not.toContain(key);
    expect(log.text('notice')).toContain(key);
  }
});

test.each([
  ['change-request', 'agent', false],
  ['comment', 'agent', false],
  ['schedule', 'agent', true],
  ['change-request', 'export', true],
] as const)('In a run by %s in mode %s it is %s that the file decides about the command', (cause, mode, isRead) => {
  const keys = ['command', 'project-id', 'context', 'status-comment', 'domain', 'dry-run'];
  const values = new Map(keys.map((key) => [key, 'x']));
  const run = { ...makeRun(makeRunContext()), cause };
  const taken = trustedValues(values, { source: given({ mode }), run, log: recordingLog() });
  expect([...taken.keys()]).toEqual(isRead ? keys : []);
});

describe('an address in the file in a CI system', () => {
  const run = makeRun(makeRunContext());
  const read = (to: string, step: Readonly<Record<string, string>> = {}) =>
    trustedValues(new Map([['to', to]]), { source: given({ mode: 'export', ...step }), run, log: recordingLog() });

  test.each([
    'gitlab:project/1/NAME?server=https://git.example.com',
    'k8s:docs/link?context=prod#url',
    'github:secret/A\naws-sm:link?region=eu-west-1',
    'vault://vault.example.com/kv/docs#url',
  ])('An address in the file that specifies a server or an option is an error in a CI system: %s', (to) => {
    expect(() => read(to)).toThrow(/names a server or an option/);
    expect(() => read(to, { to: 'github:secret/A' })).not.toThrow();
    const laptop = { source: given({ mode: 'export' }), run: { ...run, kind: 'local' as const }, log: recordingLog() };
    expect(trustedValues(new Map([['to', to]]), laptop).get('to')).toBe(to);
  });

  test('An address in the file may specify kind, path and key in a CI system', () => {
    expect(read('github:env/prod/A\nk8s:docs/link#url\nfile:out/link.txt').get('to')).toContain('k8s:docs/link#url');
  });
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
