import { expect, test } from 'vitest';
import { assertNoLeaks, findLeaks } from './leaks.ts';

const KEY = 'svc_adm"in/Key?+1';
const secrets = { 'admin key': KEY };
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['raw', `x${KEY}y`],
  ['raw', `svc_adm"in/\n| Key?+1`],
  ['percent', `a=${encodeURIComponent(KEY)}`],
  ['percent', `a=${encodeURIComponent(KEY).toLowerCase()}`],
  ['json', JSON.stringify({ KEY })],
  ['json in json', JSON.stringify(JSON.stringify({ KEY }))],
  ['hex', Buffer.from(KEY).toString('hex').toUpperCase()],
  ['base64, shift 0', base64(KEY)],
  ['base64, shift 1', base64(`1${KEY}tail`)],
  ['base64, shift 2', base64(`user:${KEY}`)],
  ['base64, shift 0', base64(`abc${KEY}tail`)],
  ['base64url, shift 1', Buffer.from(`1${KEY}`).toString('base64url')],
])('The check finds a secret that leaked as %s', (form, text) => {
  expect(findLeaks(secrets, { stdout: text }).map((leak) => leak.form)).toContain(form);
  expect(() => assertNoLeaks(secrets, { stdout: text })).toThrow('admin key');
});

test('The check finds nothing if there is no leak, and never shows the value', () => {
  expect(() =>
    assertNoLeaks(secrets, { stdout: 'svc_ adm *** svc_admXin', report: '{}' }),
  ).not.toThrow();
  expect(() => assertNoLeaks(secrets, { stdout: KEY })).toThrow(/^(?!.*svc_adm).*$/);
});

test('A secret that is too short to be recognised is a mistake of the test', () => {
  expect(() => findLeaks({ short: 'abc' }, {})).toThrow('too short');
});
