import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectError, failure } from '../support/failure.ts';
import { makeDestination } from '../support/make-inputs.ts';
import { link, openDelivery } from '../support/world/delivery.ts';
import { DOMAIN, NAME } from '../support/world/names.ts';
import { startWorld } from '../support/world.ts';

async function startFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'destinations-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

function both(path: string) {
  const secret = makeDestination();
  return { ...secret, addresses: [...secret.addresses, { scheme: 'file', path } as const] };
}

test('A link goes to every destination, each with a separate state, and a refresh keeps all of them fresh', async () => {
  await using world = await startWorld();
  await using folder = await startFolder();
  await world.platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
  const path = join(folder.path, 'link.txt');
  const made = link(world, 1);
  const facts = await (await openDelivery(world, { init: { to: both(path) } })).deliver({
    jobId: 'job-1',
    link: made,
  });
  expect(facts).toMatchObject({
    updated: true,
    destinations: [
      { destination: `github:secret/${NAME}`, written: true },
      { destination: `file:${path}`, written: true },
    ],
  });
  expect([world.secret(), await readFile(path, 'utf8')]).toEqual([made.url, made.url]);
  expect((await world.refresh({ to: both(path) })).facts).toMatchObject({
    changed: true,
    delivery: { updated: true },
  });
  expect(await readFile(path, 'utf8')).toBe(world.secret());
  expect(world.secret()).toBe(world.recorded.bundleUrl);
});

test('A destination that fails is reported, and the others are still written', async () => {
  await using world = await startWorld();
  await using folder = await startFolder();
  const path = join(folder.path, 'link.txt');
  const delivery = await openDelivery(world, { init: { to: both(path) } });
  world.github.inject({ match: { method: 'PUT' }, status: 403, body: { message: 'no' } });
  const made = link(world, 24);
  expect(await failure(delivery.deliver({ jobId: 'job-1', link: made }))).toMatchObject({
    code: 'forbidden',
  });
  expect(await readFile(path, 'utf8')).toBe(made.url);
  expect(world.recorded.delivery).toMatchObject({
    updated: false,
    destinations: [
      { destination: `github:secret/${NAME}`, written: false, error: { code: 'forbidden' } },
      { destination: `file:${path}`, written: true },
    ],
  });
});

test('An export that the state of the second destination refuses leaves nothing in the first', async () => {
  await using world = await startWorld();
  await using folder = await startFolder();
  const path = join(folder.path, 'link.txt');
  const addresses = [{ scheme: 'file', path } as const, ...makeDestination().addresses];
  const delivery = await openDelivery(world, { init: { to: { ...makeDestination(), addresses } } });
  world.github.inject({ match: { method: 'POST', times: 99 }, status: 500, body: {} });
  let isStarted = false;
  const start = async () => {
    isStarted = true;
  };
  expect(await failure(delivery.start('job-1', start))).toMatchObject({ code: 'network' });
  expect(isStarted).toBe(false);
  expect(JSON.parse(await readFile(`${path}.state.json`, 'utf8')).runs ?? []).toEqual([]);
});

test('A refresh brings the newest export to a destination that the export could not write', async () => {
  await using world = await startWorld();
  await using folder = await startFolder();
  const path = join(folder.path, 'link.txt');
  const to = both(path);
  const first = await world.export({ to }, { run: { runId: '1' } });
  world.clock.advance(3_600_000);
  world.github.inject({
    match: { method: 'PUT', times: 99 },
    status: 403,
    body: { message: 'no' },
  });
  const second = await world.export({ to }, { run: { runId: '2' } });
  expect(second.error).toMatchObject({ code: 'forbidden' });
  expect(world.secret()).toContain(first.facts.jobId);
  world.github.clearFaults();
  world.clock.advance(3_600_000);
  const { facts, error } = await world.refresh({ to }, { run: { runId: '3' } });
  expect(error).toBeUndefined();
  expect(facts).toMatchObject({ jobId: second.facts.jobId, delivery: { updated: true } });
  expect(world.secret()).toContain(second.facts.jobId);
  expect(await readFile(path, 'utf8')).toBe(world.secret());
});

test('A refresh continues if one destination is unreachable, updates a new destination, and fails at its end', async () => {
  await using world = await startWorld();
  await using folder = await startFolder();
  await world.platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
  await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, 48) });
  const path = join(folder.path, 'link.txt');
  const three = both(path);
  const to = {
    ...three,
    addresses: [
      ...three.addresses,
      { scheme: 'file', path: join(folder.path, 'no/link') } as const,
    ],
  };
  const error = (await world.refresh({ to })).error;
  expectError(error, { code: 'io', message: 'no cannot be written to' });
  expect(await readFile(path, 'utf8')).toBe(world.secret());
  expect(world.secret()).toBe(world.recorded.bundleUrl);
});

test.each([
  ['if-no-state: skip', { ifNoState: 'skip' }, undefined],
  ['a dry run', { dryRun: true }, 1],
] as const)(
  'A refresh with %s fails too if one of its destinations is unreachable',
  async (_what, inputs, hours) => {
    await using world = await startWorld();
    await using folder = await startFolder();
    if (hours !== undefined)
      await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, hours) });
    const { error } = await world.refresh({ to: both(join(folder.path, 'no/link')), ...inputs });
    expect(error).toMatchObject({ code: 'io' });
  },
);

test('A refresh writes one link into every destination if one of them is due', async () => {
  await using world = await startWorld();
  await using folder = await startFolder();
  await world.platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
  const path = join(folder.path, 'link.txt');
  const { addresses, credentials } = both(path);
  const at = (address: (typeof addresses)[number] | undefined) => ({
    init: { to: { addresses: address === undefined ? [] : [address], credentials } },
  });
  const first = await openDelivery(world, at(addresses[0]));
  const job = { jobId: 'job-1' };
  await first.deliver({ ...job, link: link(world, 48) });
  await (await openDelivery(world, at(addresses[1]))).deliver({ ...job, link: link(world, 1) });
  expect((await world.refresh({ to: both(path) })).facts).toMatchObject({
    changed: true,
    delivery: { updated: true },
  });
  expect(await readFile(path, 'utf8')).toBe(world.secret());
});

test('Destinations of different sites are not refreshed together', async () => {
  await using world = await startWorld();
  await using folder = await startFolder();
  const path = join(folder.path, 'link.txt');
  const { addresses, credentials } = both(path);
  await (await openDelivery(world)).deliver({ jobId: 'job-1', link: link(world, 1) });
  const other = { to: { addresses: addresses.slice(1), credentials }, domain: 'other.example.com' };
  await (await openDelivery(world, { init: other })).deliver({
    jobId: 'job-2',
    link: link(world, 1),
  });
  expectError((await world.refresh({ to: both(path) })).error, {
    code: 'config',
    message: /different sites: .*other\.example\.com/,
  });
});

const pushed = { repository: { default_branch: 'main' } };
test.each([
  ['the default branch', { GITHUB_REF_NAME: 'main' }, true],
  ['a protected branch', { GITHUB_REF_NAME: 'release', GITHUB_REF_PROTECTED: 'true' }, true],
  ['a tag', { GITHUB_REF_NAME: 'v1', GITHUB_REF_TYPE: 'tag' }, true],
  ['another branch', { GITHUB_REF_NAME: 'feature', GITHUB_REF_PROTECTED: 'false' }, false],
] as const)('A push to %s is allowed to write the link: %s', async (_what, env, isAllowed) => {
  await using world = await startWorld();
  const opened = openDelivery(world, { payload: pushed, env });
  if (isAllowed) expect((await opened).plan()).toHaveLength(2);
  else
    expect(await failure(opened)).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('branch'),
    });
});
