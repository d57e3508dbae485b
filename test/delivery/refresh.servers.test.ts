import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectError } from '../support/failure.ts';
import { makeDestination, SECRET_TOKEN } from '../support/make-inputs.ts';
import { hintOf } from '../support/make-run.ts';
import { link, openDelivery, TARGETS } from '../support/world/delivery.ts';
import { HOUR_MS, NAME, STATE } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

test('An export sends 16 requests to GitHub, a refresh that is due 11, and one that is not due 3', async () => {
  await using world = await startWorld();
  const sentBy = async (run: () => Promise<unknown>) => {
    // Two writes within one second have the same date, so another read is needed to tell them
    // apart.
    world.clock.advance(60_000);
    const before = world.github.requests.length;
    await run();
    return world.github.requests.length - before;
  };
  // Every runner of GitHub says it.
  const options = { run: { repositoryId: 11 } };
  const exportOnce = () => world.export({ to: makeDestination() }, options);
  const refresh = (refreshBeforeMs: number) => world.refresh({ refreshBeforeMs }, options);
  await exportOnce();
  await refresh(10_000 * HOUR_MS);
  // Claims that nothing needs any more are removed.
  world.clock.advance(10 * 60_000);
  expect(await sentBy(exportOnce)).toBe(16);
  world.clock.advance(10 * 60_000);
  expect(await sentBy(() => refresh(10_000 * HOUR_MS))).toBe(11);
  expect(await sentBy(() => refresh(1))).toBe(3);
});

/** A finished export whose link, stored in the secret, expires in this many hours. */
async function exported(world: World, hours: number | undefined): Promise<string> {
  const { jobId } = await world.platform.addExportJob({
    jobId: 'job-1',
    domain: 'acme.example.com',
  });
  await (await openDelivery(world)).deliver({ jobId, link: link(world, hours) });
  return jobId;
}

const posts = (world: World) =>
  world.platform.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);

test('A link that is valid for two more hours is kept if one hour is enough, without a request to the platform', async () => {
  await using world = await startWorld();
  await exported(world, 2);
  const [secret, count] = [world.secret(), world.writes().length];
  const facts = (await world.refresh({ refreshBeforeMs: HOUR_MS })).facts;
  expect(facts).toMatchObject({ status: 'completed', changed: false });
  const expiresAt = Date.parse(facts.expiresAt ?? '');
  expect(expiresAt - world.clock.now()).toBe(2 * HOUR_MS);
  expect(Date.parse(facts.dueAt ?? '')).toBe(expiresAt - HOUR_MS);
  expect(world.platform.requests).toHaveLength(0);
  expect(world.writes()).toHaveLength(count);
  expect(world.secret()).toBe(secret);
});

test.each([
  ['in half an hour', 0.5],
  ['an hour ago', -1],
  ['at an unknown time', undefined],
])(
  'A link that expires %s is made again: one bundle call, no export, a secret that works',
  async (_when, hours) => {
    await using world = await startWorld();
    await exported(world, hours);
    const facts = (await world.refresh({ refreshBeforeMs: HOUR_MS })).facts;
    expect(facts).toMatchObject({ changed: true, delivery: { updated: true, stateWritten: true } });
    expect(posts(world)).toEqual(['/v1/static-export/jobs/job-1/bundle']);
    expect(world.secret()).toBe(world.recorded.bundleUrl);
    expect((await fetch(world.secret() ?? '')).status).toBe(200);
    expect((await world.refresh({ refreshBeforeMs: HOUR_MS / 2 })).facts).toMatchObject({
      changed: false,
    });
  },
);

test.each([
  [
    'for less time than refresh-before',
    { life: 6, before: 24, pause: 4 },
    'The link works for 6 h only: refresh-before is 24h, so each run renews it. Run the refresh more often than every 6 h',
  ],
  [
    'for less time than the pause between two runs',
    { life: 6, before: 1, pause: 9 },
    'The link works for 6 h only: the last one was written 9 h ago, so it had expired. Run',
  ],
  [
    'for less time than both',
    { life: 6, before: 12, pause: 9 },
    'refresh-before is 12h, so each run renews it; the last one was written 9 h ago, so it had expired. Run',
  ],
  ['for longer than both', { life: 48, before: 46, pause: 3 }, undefined],
])('A refresh of a link that works %s warns once, with both figures', async (_, hours, warned) => {
  const { life, before, pause } = hours;
  await using world = await startWorld({ platform: { linkLifetimeMs: life * HOUR_MS } });
  await world.export({ to: makeDestination() });
  world.clock.advance(pause * HOUR_MS);
  const { facts, log } = await world.refresh({ refreshBeforeMs: before * HOUR_MS });
  expect(facts).toMatchObject({ changed: true });
  const warnings = log.entries.filter(({ level }) => level === 'warning');
  const expected = warned === undefined ? [] : [expect.stringContaining(warned)];
  expect(warnings.map(({ message }) => message)).toEqual(expected);
});

test.each([
  [0.5, /^The stored link works until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/m],
  [-1, /^The stored link stopped working at /m],
])(
  'A refresh that fails, of a link that works for %s more hours, says until when',
  async (hours, text) => {
    await using world = await startWorld();
    await exported(world, hours);
    world.platform.inject({
      match: { method: 'POST', path: /\/bundle$/, times: 9 },
      status: 403,
      body: { error: 'not in your plan' },
    });
    const { error, log } = await world.refresh({ refreshBeforeMs: HOUR_MS });
    expectError(error, { code: 'forbidden', message: text });
    expect(log.text('warning')).toBe('');
  },
);

test('A refresh that fails after it began to write, and one without an expiry, do not say what works', async () => {
  await using world = await startWorld();
  await exported(world, 0.5);
  world.github.inject({ match: { method: 'PUT', path: /secrets/, times: 9 }, status: 403 });
  const { error } = await world.refresh({ refreshBeforeMs: HOUR_MS });
  expect(error?.message).not.toContain('The stored link');
  await using other = await startWorld();
  await exported(other, undefined);
  other.platform.inject({ match: { method: 'POST', path: /\/bundle$/, times: 9 }, status: 403 });
  const failed = await other.refresh({ refreshBeforeMs: HOUR_MS });
  expect(failed.error?.code).toBe('forbidden');
  expect(failed.error?.message).not.toContain('The stored link');
});

test('A job that the platform no longer knows is not-found, with the advice to export', async () => {
  await using world = await startWorld();
  await (await openDelivery(world)).deliver({ jobId: 'job-gone', link: link(world, -1) });
  expectError((await world.refresh()).error, { code: 'not-found', hint: 'Run an export again' });
});

test('Without a state the job is not-found, and the hint is export-job-id', async () => {
  await using world = await startWorld();
  const error = (await world.refresh()).error;
  expectError(error, { code: 'not-found', hint: 'with:\n  export-job-id: ID' });
  expect(world.platform.requests).toHaveLength(0);
});

test('Before the first export a refresh with if-no-state: skip is skipped, and says why', async () => {
  await using world = await startWorld();
  expect((await world.refresh({ ifNoState: 'skip' })).facts).toMatchObject({
    status: 'skipped',
    changed: false,
    reason: `The variable ${STATE} of repository acme/docs names no finished export yet, and if-no-state is skip`,
  });
  expect(world.platform.requests).toHaveLength(0);
});

/** The state names another job than the one that it was signed with. */
function nameOtherJob({ github }: World): void {
  const { value = '' } = github.variable(TARGETS.repository, STATE) ?? {};
  const changed = value.replaceAll('job-1', 'job-evil');
  github.setVariable(TARGETS.repository, { name: STATE, value: changed });
}

test('A state whose signature is invalid fails the refresh, even with if-no-state: skip', async () => {
  await using world = await startWorld();
  await exported(world, 24);
  nameOtherJob(world);
  expect((await world.refresh({ ifNoState: 'skip' })).error).toMatchObject({ code: 'integrity' });
});

test('An unknown job of export-job-id is reported, with where to find both ids', async () => {
  await using world = await startWorld();
  const byDomain = (await world.refresh({ exportJobId: 'job-typo' })).error;
  expect(byDomain).toMatchObject({
    code: 'not-found',
    message: expect.stringMatching(
      /^The platform does not know the export job "job-typo" of export-job-id\. /,
    ),
  });
  expect(hintOf(byDomain)).toContain(
    'the log or the job-id output of the run that started the export',
  );
  const byProject = (await world.refresh({ exportJobId: 'job-typo', projectId: 'project-typo' }))
    .error;
  expect(byProject).toMatchObject({
    code: 'not-found',
    message: expect.stringMatching(
      /^The platform does not know the export job "job-typo" of export-job-id in the project "project-typo" of project-id\. /,
    ),
  });
  expect(hintOf(byProject)).toContain('project-id from the API keys page');
});

test('After a rotated key, a refresh names the cause, the job that the state names, and the way out', async () => {
  await using world = await startWorld();
  await exported(world, 24);
  nameOtherJob(world);
  const error = (await world.refresh()).error;
  expectError(error, {
    code: 'integrity',
    message: /key was probably replaced .* names export job job-evil, which cannot be verified/s,
    hint: { inputs: { 'export-job-id': '' } },
  });
  expect(world.platform.requests).toHaveLength(0);
  expect((await world.refresh({ exportJobId: 'job-1' })).facts).toMatchObject({
    changed: true,
    jobId: 'job-1',
  });
  expect((await world.refresh({ refreshBeforeMs: 1 })).facts).toMatchObject({
    changed: false,
    jobId: 'job-1',
  });
});

test('Without the Variables permission a refresh is forbidden and names it', async () => {
  await using world = await startWorld();
  await exported(world, 1);
  world.github.setToken(SECRET_TOKEN, { permissions: { secrets: 'write' } });
  expectError((await world.refresh()).error, {
    code: 'forbidden',
    hint: 'Variables: Read and write',
  });
  expect(world.platform.requests).toHaveLength(0);
});

test('A dry run reads everything, lists each write with its target, and writes nothing', async () => {
  await using world = await startWorld();
  await exported(world, 0.5);
  const count = world.writes().length;
  const facts = (await world.refresh({ dryRun: true })).facts;
  expect(facts.changed).toBe(false);
  expect(facts.planned?.map(({ target }) => target)).toEqual([
    `POST ${world.platform.url}/v1/static-export/jobs/job-1/bundle`,
    `secret ${NAME} of repository acme/docs`,
    `variable ${STATE} of repository acme/docs`,
  ]);
  expect(posts(world)).toEqual([]);
  expect(world.writes()).toHaveLength(count);
});

test('A job given by id is used immediately, whatever is stored', async () => {
  await using world = await startWorld();
  await exported(world, 48);
  await world.platform.addExportJob({ jobId: 'job-2', domain: 'acme.example.com' });
  expect((await world.refresh({ exportJobId: 'job-2' })).facts).toMatchObject({
    changed: true,
    formerJobId: 'job-1',
  });
  expect(posts(world)).toEqual(['/v1/static-export/jobs/job-2/bundle']);
});

test('A dry run of a refresh that is not due says that nothing would be written', async () => {
  await using world = await startWorld();
  await exported(world, 48);
  expect((await world.refresh({ dryRun: true })).facts).toMatchObject({
    changed: false,
    planned: [],
  });
});

test('A link that is dead at the download is made again, and the last one is the one in secret, output and state', async () => {
  await using world = await startWorld();
  await exported(world, 0.5);
  const root = await mkdtemp(join(tmpdir(), 'refresh-'));
  await mkdir(join(root, 'temp'));
  const { platform } = world;
  const body =
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
  platform.inject({ match: { method: 'GET', path: '/storage/' }, status: 403, body });
  platform.behaviour.linkLifetimeMs = 5 * HOUR_MS;
  const bundle = {
    bundlePath: join(root, 'docs.tar.gz'),
    extractTo: undefined,
    servedAt: undefined,
    clean: false,
    verify: 'off',
    allowPrivateHosts: false,
  } as const;
  try {
    const facts = (
      await world.refresh({ bundle }, { run: { workspace: root, runnerTemp: join(root, 'temp') } })
    ).facts;
    expect(facts).toMatchObject({ changed: true, delivery: { updated: true, stateWritten: true } });
    const made = world.log.masks.filter((mask) => mask.startsWith('http'));
    expect(made).toHaveLength(2);
    expect(posts(world)).toHaveLength(2);
    expect(world.secret()).toBe(made[1]);
    expect(world.recorded.bundleUrl).toBe(made[1]);
    expect(world.state()).toMatchObject({ expiresAt: world.recorded.expiresAt });
    expect((await readFile(bundle.bundlePath)).subarray(0, 2).toString('hex')).toBe('1f8b');
  } finally {
    await rm(root, { recursive: true });
  }
});

test('A job given by id without a state is noted without a site, and any export of this secret continues from there', async () => {
  await using world = await startWorld();
  await world.platform.addExportJob({ jobId: 'job-9', domain: 'acme.example.com' });
  expect((await world.refresh({ exportJobId: 'job-9' })).facts).toMatchObject({ changed: true });
  const delivery = await openDelivery(world);
  expect(delivery.state).toMatchObject({ jobId: 'job-9' });
  expect(delivery.resume()).toEqual({ kind: 'start' });
  expect(world.log.text('warning')).toBe('');
  await delivery.start('job-next');
  expect((await world.refresh({ refreshBeforeMs: 1000 * HOUR_MS })).facts).toMatchObject({
    changed: true,
  });
});

test('A refresh without the Variables permission, of a job given by id, writes only the secret', async () => {
  await using world = await startWorld();
  await world.platform.addExportJob({ jobId: 'job-9', domain: 'acme.example.com' });
  world.github.setToken(SECRET_TOKEN, { permissions: { secrets: 'write' } });
  const facts = (await world.refresh({ exportJobId: 'job-9' })).facts;
  expect(facts).toMatchObject({ changed: true, delivery: { updated: true, stateWritten: false } });
  expect(world.secret()).toBe(world.recorded.bundleUrl);
});
