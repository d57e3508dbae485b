import { describe, expect, it } from 'vitest';
import type { ExpiresAtFormat } from '../../../src/emulator/platform/options.ts';
import { makeDestination } from '../../support/make-inputs.ts';
import { BUNDLE, bundleInputs, callsOf, exportSite, filesOf, NAME, REPOSITORY, startWorld } from './harness.ts';

const HOUR_MS = 3_600_000;
const STORAGE = { method: 'GET', path: /X-Signature/ };
const BAD_LINKS = [
  'http://storage.example.com/b.tar.gz?sig=canary',
  'https://user:canary@storage.example.com/b.tar.gz',
  'https://169.254.169.254/latest/meta-data?sig=canary',
  'https://[fe80::1]/b?sig=canary',
  'javascript:alert(1)//canary',
  'ftp://storage.example.com/canary',
  `https://storage.example.com/${'a'.repeat(8192)}canary`,
  'https://storage.example.com/b\n?sig=canary',
  'https://storage.example.com/b?sig=canary\t',
  'https://storage.example.com/b?sig=$(id)canary',
  'https://storage.example.com/b?sig=`id`canary',
  'https://storage.example.com/b?sig="canary',
  "https://storage.example.com/b?sig='canary",
  'https://storage.example.com/b?sig=1;canary',
  'https://storage.example.com/b?sig=1|canary',
  'https://storage.example.com/b?sig=a canary',
  'https://storage.example.com/b?a=1,canary',
  'https://storage.example.com/?a&./d.sh&canary',
  'https://storage.example.com/a&env=canary',
  '',
  'canary',
];

describe('the time at which the link expires', () => {
  it.each(['iso', 'epoch-seconds', 'epoch-milliseconds'] satisfies ExpiresAtFormat[])(
    'is read as %s',
    async (expiresAt) => {
      await using world = await startWorld({ expiresAt, linkLifetimeMs: 24 * HOUR_MS });
      const { facts, told } = await exportSite(world);
      expect(facts?.status).toBe('completed');
      const lifeMs = Date.parse(told.expiresAt ?? '') - world.clock.now();
      expect(Math.abs(lifeMs - 24 * HOUR_MS)).toBeLessThan(2000);
    },
  );

  it.each(['missing', 'garbage', 'local-time'] satisfies ExpiresAtFormat[])(
    'is left empty with a warning where it is %s, and the link is handed on, into the secret too',
    async (expiresAt) => {
      await using world = await startWorld({ expiresAt });
      const { facts, told, log } = await exportSite(world, { to: makeDestination() });
      expect(facts?.status).toBe('completed');
      expect(told.expiresAt).toBeUndefined();
      expect(told.bundleUrl).toContain('X-Signature');
      expect(world.github.secret(REPOSITORY, NAME)?.value).toBe(told.bundleUrl);
      expect(log.text('warning')).toContain('expires-at stays empty');
      expect(callsOf(world, BUNDLE)).toHaveLength(1);
    },
  );

  it('in the past makes another link, three at most, and nothing is handed on', async () => {
    await using world = await startWorld({ linkLifetimeMs: -HOUR_MS });
    const { error, told } = await exportSite(world, { to: makeDestination() });
    expect(error?.code).toBe('protocol');
    expect(callsOf(world, BUNDLE)).toHaveLength(3);
    expect(told.bundleUrl).toBeUndefined();
    expect(world.github.secret(REPOSITORY, NAME)).toBeUndefined();
  });

  it('in the past once makes one more link, and that one is handed on', async () => {
    await using world = await startWorld({ linkLifetimeMs: 24 * HOUR_MS });
    const past = new Date(world.clock.now() - HOUR_MS).toISOString();
    world.platform.inject({ match: BUNDLE, body: { bundleUrl: `${world.platform.url}/old?sig=x1`, expiresAt: past } });
    const { told } = await exportSite(world);
    expect(told.bundleUrl).toContain('X-Signature');
    expect(Date.parse(told.expiresAt ?? '')).toBeGreaterThan(world.clock.now());
    expect(callsOf(world, BUNDLE)).toHaveLength(2);
  });

  it('within a minute makes another link, and the last one is handed on with a warning', async () => {
    await using world = await startWorld({ linkLifetimeMs: 30_000 });
    const { facts, told, log } = await exportSite(world);
    expect(facts?.status).toBe('completed');
    expect(told.bundleUrl).toContain('X-Signature');
    expect(callsOf(world, BUNDLE)).toHaveLength(3);
    expect(log.text('warning')).toContain('The link expires in 3');
  });

  it.each([-15, 15])('is judged by the clock of the platform where the own one is %i minutes off', async (minutes) => {
    await using world = await startWorld({ clock: { now: Date.now }, linkLifetimeMs: 10 * 60_000 });
    world.clock.jumpWall(minutes * 60_000);
    const { facts, log } = await exportSite(world);
    expect(facts?.status).toBe('completed');
    expect(callsOf(world, BUNDLE)).toHaveLength(1);
    expect(log.text('warning')).toMatch(/clock differs from the platform's by 1[45] min/);
  });
});

describe('a link that is not safe', () => {
  it.each(BAD_LINKS)('is neither fetched nor told nor stored: %j', async (bundleUrl) => {
    await using world = await startWorld();
    world.platform.inject({ match: { ...BUNDLE, times: 9 }, body: { bundleUrl, expiresAt: '2099-01-01T00:00:00Z' } });
    const bundle = bundleInputs({ extractTo: `${world.root}/workspace/site` });
    // A name as base address: then not even a link to another address is taken.
    const baseUrl = world.platform.url.replace('127.0.0.1', 'localhost');
    const { error, told, log } = await exportSite(world, { baseUrl, to: makeDestination(), bundle });
    expect(error?.code).toBe('protocol');
    expect(told.bundleUrl).toBeUndefined();
    expect(world.github.secret(REPOSITORY, NAME)).toBeUndefined();
    expect(callsOf(world, { method: 'GET', path: /^(?!\/v1)/ })).toHaveLength(0);
    expect(`${log.text()}${error?.message}${error?.hint}`).not.toContain('canary');
    expect(await filesOf(world)).toEqual([]);
  });
});

describe('the size that the platform tells', () => {
  it.each([0, -1, 1.5, 1e15, '12', null, { a: 1 }])('is ignored where it cannot be one: %j', async (sizeBytes) => {
    await using world = await startWorld();
    const bundleUrl = 'http://127.0.0.1:9/b?sig=0123456789';
    world.platform.inject({ match: BUNDLE, body: { bundleUrl, expiresAt: '2099-01-01T00:00:00Z', sizeBytes } });
    const { facts, told, log } = await exportSite(world);
    expect(facts?.status).toBe('completed');
    expect(told.bundleBytes).toBeUndefined();
    expect(log.text('warning') === '').toBe(sizeBytes === null);
  });
});

describe('a link that dies while it is used', () => {
  const denied = (code: string) => ({ status: 403, body: `<Error><Code>${code}</Code></Error>` });

  it.each(['ExpiredToken', 'AccessDenied'])('with %s is made anew, and the later one is handed on', async (code) => {
    await using world = await startWorld();
    world.platform.inject({ match: STORAGE, ...denied(code) });
    const bundle = bundleInputs({ extractTo: `${world.root}/workspace/site` });
    const { facts, told } = await exportSite(world, { bundle, to: makeDestination() });
    expect(facts?.status).toBe('completed');
    expect(callsOf(world, BUNDLE)).toHaveLength(2);
    const used = callsOf(world, { method: 'GET', path: /tar\.gz$/ });
    expect(new Set(used.map(({ query }) => query['X-Id'])).size).toBe(2);
    expect(told.bundleUrl).toContain(`X-Id=${used.at(-1)?.query['X-Id']}`);
    expect(world.github.secret(REPOSITORY, NAME)?.value).toBe(told.bundleUrl);
  });

  it('three times ends the run, and nothing stays behind', async () => {
    await using world = await startWorld();
    world.platform.inject({ match: { ...STORAGE, times: 99 }, ...denied('AccessDenied') });
    const bundle = bundleInputs({ extractTo: `${world.root}/workspace/site` });
    const { error } = await exportSite(world, { bundle });
    expect(error).toBeDefined();
    expect(callsOf(world, BUNDLE)).toHaveLength(3);
    expect(await filesOf(world)).toEqual([]);
  });

  it('never gets the key, whatever the storage answers', async () => {
    await using world = await startWorld();
    world.platform.inject({ match: STORAGE, ...denied('AccessDenied') });
    await exportSite(world, { bundle: bundleInputs({ extractTo: `${world.root}/workspace/site` }) });
    const storage = callsOf(world, { method: 'GET', path: /tar\.gz$/ });
    expect(storage.length).toBeGreaterThan(1);
    for (const { headers } of storage) expect(headers.authorization).toBeUndefined();
  });
});
