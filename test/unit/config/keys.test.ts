import { expect, test } from 'vitest';
import { trustedValues } from '../../../src/config/file.ts';
import { VALUE_KEYS } from '../../../src/config/keys.ts';
import { makeRun, makeRunContext } from '../../support/make-run.ts';
import { recordingLog } from '../../support/recording-log.ts';

/** Reviewed one by one: what a change request may decide in a CI system. A new key is not among them until it is added. */
const HARMLESS = [
  'base-path',
  'baseline-file',
  'baseline-update',
  'bundle-path',
  'clean',
  'command',
  'compare-with',
  'context',
  'deployment-environment',
  'deployment-type',
  'domain',
  'dry-run',
  'export-paths',
  'export-version',
  'extract-to',
  'fail-on',
  'filter-groups',
  'filter-language',
  'filter-tag',
  'filter-version',
  'forbid-lost-addresses',
  'if-no-state',
  'issue-assignees',
  'issue-labels',
  'issue-on-failure',
  'live-timeout',
  'max-page-drop',
  'max-requests',
  'max-size',
  'min-pages',
  'min-results',
  'on-not-live',
  'on-rollout-failure',
  'on-timeout',
  'page-size',
  'project-id',
  'queries-file',
  'query',
  'refresh-before',
  'required-pages',
  'rollout',
  'rollout-timeout',
  'score-threshold',
  'status-comment',
  'timeout',
  'to',
  'verify',
  'wait-for-index',
];

test('in a CI system the file decides nothing that was not reviewed, and a notice names what was left out', () => {
  const values = new Map(VALUE_KEYS.map((key) => [key, 'x']));
  const log = recordingLog();
  const taken = [...trustedValues(values, makeRun(makeRunContext()), log).keys()];
  expect(taken.filter((key) => !HARMLESS.includes(key))).toEqual([]);
  for (const key of ['base-url', 'prompt', 'agent-job-id', 'export-job-id', 'allow-private-hosts']) {
    expect(taken).not.toContain(key);
    expect(log.text('notice')).toContain(key);
  }
});

test('in a CI system a destination of the file names no server: a change request could send the token there', () => {
  const run = makeRun(makeRunContext());
  const values = (to: string) => new Map([['to', to]]);
  const to = 'file:link\ngitlab:project/7/LINK?server=https://gitlab.example.com';
  expect(() => trustedValues(values(to), run, recordingLog())).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringContaining('a to with a query') }),
  );
  expect(trustedValues(values('gitlab:project/7/LINK'), run, recordingLog()).get('to')).toBe('gitlab:project/7/LINK');
  expect(trustedValues(values(to), { ...run, kind: 'local' }, recordingLog()).get('to')).toBe(to);
});
