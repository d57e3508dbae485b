import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCredentialRedact } from '../../../src/prompt/credentials.ts';
import { measureGrowth } from '../../support/growth.ts';

const ADMIN = 'svc_adminKeyForTests0123456789';
const redact = createCredentialRedact(ADMIN, ['ghs_workflowTokenForTests0123456789abc']);
const letters = (count: number) => 'aB3dE5gH7j'.repeat(Math.ceil(count / 10)).slice(0, count);

test.each([
  ['a personal token', `ghp_${letters(36)}`],
  ['a long app token', `ghs_${letters(250)}.${letters(250)}_${letters(15)}`],
  ['a fine-grained token', `github_pat_${letters(22)}_${letters(59)}`],
  ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE'],
  ['a model provider key', `sk-${letters(40)}`],
  ['a Slack token', `xoxb-123456789012-${letters(24)}`],
  ['a JSON Web Token', `eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`],
  ['a platform key', `svc_${letters(32)}`],
  ['a platform assistant key', `svc_dsc_${letters(32)}`],
  ['our own admin key', ADMIN],
  ['our own admin key as base64', Buffer.from(ADMIN).toString('base64').replace(/=+$/, '')],
  ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${letters(60)}\n-----END RSA PRIVATE KEY-----`],
  ['the beginning of a private key', `-----BEGIN PRIVATE KEY-----\n${letters(60)}`],
])('%s is taken out wherever it stands', (_name, secret) => {
  for (const text of [secret, `see ${secret} there`, `"${secret}"`, `token=${secret}\n`]) {
    expect(redact(text)).not.toContain(secret.slice(0, -2));
    expect(redact(text)).toMatch(/\[credential removed\]|\*\*\*/);
  }
});

test.each(['The ghost_writer of svc_list', 'sk-8', 'AKIA', 'a.b.c', 'xoxo', 'Set gh_token to your token.'])(
  '%j is no credential',
  (text) => {
    expect(redact(text)).toBe(text);
  },
);

test('text around a credential stays', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('see ', 'key: ', '(', '\n'),
      fc.constantFrom(' end', ')', '\n', ', then'),
      (before, after) => {
        expect(redact(`${before}ghp_${letters(36)}${after}`)).toBe(`${before}[credential removed]${after}`);
      },
    ),
  );
});

test.each(['ghp_', 'eyJaaaaaaaa.', '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', 'sk-', 'xoxb-', 'svc_', 'a'])(
  'the work for a long text of %j grows with its length, not faster',
  (bit) => {
    const text = bit.repeat(Math.ceil(1_048_576 / bit.length));
    expect(measureGrowth(redact, text)).toBeLessThan(6);
  },
);
