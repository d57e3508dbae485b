import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCredentialRedact } from '../../src/prompt/credentials.ts';
import { measureGrowth } from '../support/growth.ts';

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
  [
    'a private key',
    `-----BEGIN RSA PRIVATE KEY-----\n${letters(60)}\n-----END RSA PRIVATE KEY-----`,
  ],
  ['the beginning of a private key', `-----BEGIN PRIVATE KEY-----\n${letters(60)}`],
])('This credential is removed anywhere in a text: %s', (_name, secret) => {
  for (const text of [secret, `see ${secret} there`, `"${secret}"`, `token=${secret}\n`]) {
    expect(redact(text)).not.toContain(secret.slice(0, -2));
    expect(redact(text)).toMatch(/\[credential removed\]|\*\*\*/);
  }
});

// In the format of the services, with seeded letters, so nothing here is a real credential.
const hex = (count: number) => '3f9a1c7e5b2d8046'.repeat(Math.ceil(count / 16)).slice(0, count);
const upper = (count: number) => letters(count).toUpperCase();

const FORMATS: readonly (readonly [name: string, text: string])[] = [
  ['a GitHub app token', `ghs_${letters(36)}`],
  ['a GitLab token', `glpat-${letters(20)}`],
  ['a GitLab deploy token', `gldt-${letters(20)}`],
  ['a GitLab runner token', `glrt-${letters(20)}`],
  ['a Stripe key', `sk_live_${letters(24)}`],
  ['a restricted Stripe key', `rk_live_${letters(99)}`],
  ['a secret of a Stripe webhook', `whsec_${letters(32)}`],
  ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${letters(80)}`],
  ['a RubyGems key', `rubygems_${hex(48)}`],
  ['an npm token', `npm_${letters(36)}`],
  ['a Docker token', `dckr_pat_${letters(27)}`],
  ['a Vault token', `hvs.${letters(24)}`],
  ['a long Vault token', `hvs.${letters(90)}`],
  ['a Google API key', `AIza${letters(35)}`],
  ['a Google client secret', `GOCSPX-${letters(28)}`],
  ['a Google access token', `ya29.${letters(60)}`],
  ['a Hugging Face token', `hf_${letters(34)}`],
  ['an OpenAI key', `sk-proj-${letters(80)}`],
  ['an Anthropic key', `sk-ant-api03-${letters(93)}AA`],
  ['a Slack app token', `xapp-1-A${upper(10)}-1234567890123-${hex(64)}`],
  ['a Slack hook', `https://hooks.slack.com/services/T${upper(8)}/B${upper(10)}/${letters(24)}`],
  ['a Discord hook', `https://discord.com/api/webhooks/123456789012345678/${letters(68)}`],
  [
    'a Teams hook',
    `https://acme.webhook.office.com/webhookb2/${hex(36)}@${hex(36)}/IncomingWebhook/${hex(32)}/${hex(36)}`,
  ],
  ['a Telegram token', `123456789:AA${letters(33)}`],
  ['a Twilio key', `SK${hex(32)}`],
  ['a SendGrid key', `SG.${letters(22)}.${letters(43)}`],
  ['a Mailgun key', `key-${hex(32)}`],
  ['an AWS secret key', `aws_secret_access_key = ${letters(20)}/${letters(19)}`],
  ['an AWS secret key of an environment', `AWS_SECRET_ACCESS_KEY="${letters(20)}+${letters(19)}"`],
  ['a signature of an S3 address', `https://b.s3.amazonaws.com/x?a=b&X-Amz-Signature=${hex(64)}`],
  [
    'a signature of a Google address',
    `https://storage.googleapis.com/b/o?X-Goog-Signature=${hex(256)}`,
  ],
  [
    'a signature of an Azure address',
    `https://x.blob.core.windows.net/c?sv=2020&sig=${letters(43)}%3D`,
  ],
  [
    'an Azure account key',
    `AccountName=x;AccountKey=${letters(86)}==;EndpointSuffix=core.windows.net`,
  ],
  ['a password in an address', `https://joe:${letters(12)}@db.acme.dev/x`],
  ['a password of a database', `postgres://joe:${letters(12)}@db.internal:5432/x`],
  ['a bearer token', `Authorization: Bearer ${letters(40)}`],
  [
    'basic credentials',
    `Authorization: Basic ${Buffer.from(`joe:${letters(20)}`).toString('base64')}`,
  ],
  [
    'a PGP key',
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${letters(64)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  ],
  [
    'an SSH key',
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters(64)}\n-----END OPENSSH PRIVATE KEY-----`,
  ],
  [
    'a service account',
    `"private_key": "-----BEGIN PRIVATE KEY-----\\n${letters(64)}\\n-----END PRIVATE KEY-----\\n"`,
  ],
  ['an age key', `AGE-SECRET-KEY-1${upper(58)}`],
  ['a Shopify token', `shpat_${hex(32)}`],
  ['a DigitalOcean token', `dop_v1_${hex(64)}`],
  ['a Databricks token', `dapi${hex(32)}`],
  ['a Terraform token', `${letters(14)}.atlasv1.${letters(64)}`],
  ['a Grafana token', `glsa_${letters(32)}_${hex(8)}`],
  ['a Linear key', `lin_api_${letters(40)}`],
  ['a Notion token', `ntn_${letters(46)}`],
  ['a Figma token', `figd_${letters(40)}`],
  ['a Tailscale key', `tskey-auth-${letters(12)}-${letters(32)}`],
  ['an Atlassian token', `ATATT3xFfGF0${letters(180)}`],
  ['an Airtable token', `pat${letters(14)}.${hex(64)}`],
  ['a Postman key', `PMAK-${hex(24)}-${hex(34)}`],
  ['a Sentry token', `sntrys_${letters(80)}`],
  ['a New Relic key', `NRAK-${upper(27)}`],
  ['a Heroku key', `HRKU-AA${letters(58)}`],
  ['a Doppler token', `dp.pt.${letters(43)}`],
  ['a Vercel token', `vcp_${letters(24)}`],
  ['a Cloudflare token', `cfut_${letters(40)}${hex(8)}`],
  ['a token of a package registry', `//registry.acme.dev/:_authToken=${hex(36)}`],
  ['a group key of AWS', `AROA${upper(16)}`],
  ['a Square token', `sq0atp-${letters(22)}`],
  ['a 1Password token', `ops_eyJ${letters(250)}`],
];

test.each(FORMATS)('This credential format is removed: %s', (_name, text) => {
  const shown = redact(`here: ${text} end`);
  expect(shown).toMatch(/^here: .*\[credential removed\].* end$/s);
  expect(shown).not.toMatch(/aB3dE5gH7j|3f9a1c7e5b/i);
});

test.each([
  'https://user:password@example.com/path',
  'Authorization: Bearer YOUR_ACCESS_TOKEN_HERE_1',
  'Authorization: Bearer ${{ secrets.API_TOKEN }}',
  'api_key: process.env.MY_SERVICE_API_KEY_1',
  'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'https://example.com/?code=the-code-of-the-page',
  'sha512-pq9cOZqlsSr3HCmMGnsRYyfLQ0rPvXnVUVvjVzP1pbJmDOiZ0T4f2qdGUBlrFRGJjyGzuRkV1vXv2a4eJ6sGAg==',
  'commit 3f9a1c7e5b2d80463f9a1c7e5b2d80463f9a1c7e',
  '@acme/task-runner-with-a-long-name, risk-assessment-of-2024-numbers',
])('This ordinary documentation stays: %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('The documentation of the installed packages has fewer than one false alarm in 10,000 lines', () => {
  const root = join(import.meta.dirname, '../..');
  const files = [join(root, 'node_modules'), join(root, 'docs')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(md|mdx|markdown)$/i.test(name))
      .map((name) => join(folder, name)),
  );
  let lines = 0;
  const alarms: string[] = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const shown = redact(text).split('\n');
    lines += shown.length;
    // Tokens in GitHub's format, made up for the documentation of its own client, do not count as
    // false alarms.
    if (!file.includes('@octokit'))
      alarms.push(...shown.filter((line) => line.includes('[credential removed]')));
  }
  expect(lines).toBeGreaterThan(20_000);
  expect(alarms.length, alarms.join('\n')).toBeLessThan(lines / 10_000);
});

test.each([
  'The ghost_writer of svc_list',
  'sk-8',
  'AKIA',
  'a.b.c',
  'xoxo',
  'Set gh_token to your token.',
])('The text %j is not a credential', (text) => {
  expect(redact(text)).toBe(text);
});

test('The text around a credential stays', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('see ', 'key: ', '(', '\n'),
      fc.constantFrom(' end', ')', '\n', ', then'),
      (before, after) => {
        expect(redact(`${before}ghp_${letters(36)}${after}`)).toBe(
          `${before}[credential removed]${after}`,
        );
      },
    ),
  );
});

test.each([
  'ghp_',
  'eyJaaaaaaaa.',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN ',
  'sk-',
  'xoxb-',
  'svc_',
  'a',
  'aws',
  'aws secret ',
  'api_key',
  'api-',
  '?code=',
  'https://a:',
  'a:b@',
  'authorization: ',
  'AccountKey=',
  'postgres://',
  '"',
  ' ',
  '-',
  '{"auths":',
])('The work for a long text of %j grows with its length, not faster', (bit) => {
  const text = bit.repeat(Math.ceil(65_536 / bit.length));
  expect(measureGrowth(redact, text)).toBeLessThan(6);
});
