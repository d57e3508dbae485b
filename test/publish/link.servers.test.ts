import { describe, expect, it } from 'vitest';
import type { ExpiresAtFormat } from '../../emulator/src/platform/options.ts';
import { outputsOf } from '../../src/run/outputs.ts';
import { pax, tarGz } from '../site/archives.ts';
import { startBundleServer } from '../support/bundle-server.ts';
import { bundleInputs, makeDestination } from '../support/make-inputs.ts';
import { BUNDLE, DOMAIN, NAME, POLL, START, TARGET } from '../support/world/names.ts';
import { startWorld } from '../support/world.ts';

// One of each kind; the rules themselves are in `test/platform/link.unit.test.ts`.
const BAD_LINKS = [
  'http://storage.example.com/b.tar.gz?sig=canary',
  'https://169.254.169.254/latest/meta-data?sig=canary',
  'https://storage.example.com/b\n?sig=canary',
  'https://storage.example.com/b?sig=$(id)canary',
  '',
];

describe('the expiry of the link', () => {
  it.each(['missing', 'garbage', 'local-time'] satisfies ExpiresAtFormat[])(
    'If the expiry is %s, it is left empty with a warning, and the link is used, also in the secret',
    async (expiresAt) => {
      await using world = await startWorld({ platform: { expiresAt } });
      const { facts, recorded, log } = await world.export({ to: makeDestination() });
      expect(facts.status).toBe('completed');
      expect(recorded.expiresAt).toBeUndefined();
      expect(recorded.bundleUrl).toContain('X-Signature');
      expect(world.secret()).toBe(recorded.bundleUrl);
      expect(log.text('warning')).toContain('expires-at stays empty');
      expect(world.calls(BUNDLE)).toHaveLength(1);
    },
  );
});

it('The runner passes on every output but the link, although the link contains the expiry, the job and the site', async () => {
  await using world = await startWorld();
  const expiresAt = '2099-01-01T00:00:00.000Z';
  const jobId = 'exp_0123456789abcdef0123456789';
  const signature = 'k7Gq2mZpk7Gq2mZpk7Gq2mZp';
  const query = `se=${encodeURIComponent(expiresAt)}&job=${jobId}&site=${DOMAIN}&sig=${signature}`;
  const bundleUrl = `${world.platform.url}/b.tar.gz?${query}`;
  world.platform.inject({
    match: START,
    status: 202,
    body: { jobId },
  });
  world.platform.inject({
    match: POLL,
    body: { jobId, status: 'completed', pageCount: 12345678 },
  });
  world.platform.inject({ match: BUNDLE, body: { bundleUrl, expiresAt } });
  const { facts, log } = await world.export({ to: makeDestination() });
  const { 'bundle-url': link, ...outputs } = outputsOf('export', facts);
  expect(outputs).toMatchObject({ 'expires-at': expiresAt, 'job-id': jobId });
  const values = Object.values(outputs).map(String);
  expect(log.masks.filter((mask) => values.some((value) => value.includes(mask)))).toEqual([]);
  expect(log.masks).toEqual(expect.arrayContaining([signature, link]));
});

describe('an unsafe link', () => {
  it.each(BAD_LINKS)(
    'An unsafe link is neither fetched nor recorded nor stored: %j',
    async (bundleUrl) => {
      await using world = await startWorld();
      world.platform.inject({
        match: { ...BUNDLE, times: 9 },
        body: { bundleUrl, expiresAt: '2099-01-01T00:00:00Z' },
      });
      const bundle = bundleInputs({ extractTo: `${world.root}/workspace/site` });
      // With a name as base address, even a link to another address is refused.
      const baseUrl = world.platform.url.replace('127.0.0.1', 'localhost');
      const { error, recorded, log } = await world.export({
        baseUrl,
        to: makeDestination(),
        bundle,
      });
      expect(error?.code).toBe('protocol');
      expect(recorded.bundleUrl).toBeUndefined();
      expect(world.github.secret(TARGET, NAME)).toBeUndefined();
      expect(world.calls({ method: 'GET', path: /^(?!\/v1)/ })).toHaveLength(0);
      expect(`${log.text()}${error?.message}${error?.hint}`).not.toContain('canary');
      expect(world.files()).toEqual([]);
    },
  );
});

describe('a bundle that fails a check', () => {
  const page = {
    name: 'index.html',
    content: '<script src="https://cdn.example.com/x.js"></script><a href="/gone">x</a>',
  };
  it.each([
    ['a link that leads nowhere', 'strict', 'checks-failed', tarGz([page])],
    ['a load from another host', 'air-gapped', 'checks-failed', tarGz([page])],
    [
      'a path that leads out of the folder',
      'report',
      'unsafe-archive',
      tarGz([page, { name: '../x', content: 'x' }]),
    ],
    ['a damaged header', 'report', 'integrity', tarGz([page, pax({ path: 'a' })])],
  ] as const)(
    'A bundle with %s (verify: %s) leaves bundle-url and expires-at empty: %s',
    async (_, verify, code, archive) => {
      await using world = await startWorld();
      await using storage = await startBundleServer(archive);
      const bundleUrl = `${storage.url}?sig=0123456789`;
      world.platform.inject({
        match: BUNDLE,
        body: { bundleUrl, expiresAt: '2099-01-01T00:00:00Z' },
      });
      const bundle = bundleInputs({ extractTo: `${world.root}/workspace/site`, verify });
      const { error, recorded, log } = await world.export({ bundle, to: makeDestination() });
      expect(error?.code).toBe(code);
      const outputs = outputsOf('export', recorded);
      expect([outputs['bundle-url'], outputs['expires-at']]).toEqual([undefined, undefined]);
      expect(outputs['job-id']).toMatch(/./);
      expect(log.masks).toContain(bundleUrl);
      expect(world.secret()).toBeUndefined();
    },
  );
});
