import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/failure.ts';
import { bundleInputs } from '../support/make-inputs.ts';
import { BUNDLE, JOBS, POLL, START } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

const PROJECT = 'proj_1';
const PROJECT_JOBS = `/v1/static-export/${PROJECT}/jobs`;
const byProject = { domain: undefined, projectId: PROJECT } as const;

/** A world whose platform exports by project. */
function startProject(): Promise<World> {
  return startWorld({ platform: { projectId: PROJECT } });
}

describe('an export by project', () => {
  it('An export by project starts, polls and links a job through its own address, and names the request', async () => {
    await using world = await startProject();
    const { facts, recorded, log } = await world.export({ ...byProject, basePath: '/docs' });
    expect(facts.status).toBe('completed');
    expect(recorded).toMatchObject({
      jobId: world.platform.exportJobs[0]?.jobId,
      expiresAt: expect.any(String),
    });
    expect(recorded.bundleUrl).toContain('/storage/');
    expect(recorded.pageCount).toBeUndefined();
    expect(log.text('info')).toContain(`POST ${PROJECT_JOBS}`);
    expect(world.calls({ method: 'POST', path: JOBS })).toEqual([]);
    expect(world.calls({ method: 'POST', path: PROJECT_JOBS }).map(({ body }) => body)).toEqual([
      '{"basePath":"/docs"}',
    ]);
  });

  it('An export by project is polled every ten seconds, since it shows no progress', async () => {
    const exportJobs = { advance: 'poll', polls: 5 } as const;
    await using world = await startWorld({ platform: { projectId: PROJECT, exportJobs } });
    const before = world.clock.monotonicMs();
    expect((await world.export(byProject)).facts.status).toBe('completed');
    const polls = world.calls({ method: 'GET', path: PROJECT_JOBS }).length - 1;
    expect(polls).toBeGreaterThanOrEqual(5);
    expect(world.clock.monotonicMs() - before).toBe(polls * 10_000);
  });

  it('An export by project sends no body without a base path, and an empty one for "/"', async () => {
    await using world = await startProject();
    await world.export(byProject);
    await world.export({ ...byProject, basePath: '' });
    expect(world.calls({ method: 'POST', path: PROJECT_JOBS }).map(({ body }) => body)).toEqual([
      '',
      '{"basePath":""}',
    ]);
  });

  it('If both are given, the export is by project, and the domain is only shown', async () => {
    await using world = await startProject();
    const { facts, log } = await world.export({ projectId: PROJECT });
    expect(facts.status).toBe('completed');
    expect(log.text('info')).toContain(
      `Starting an export of acme.example.com: POST ${PROJECT_JOBS}`,
    );
  });

  it('An export by project downloads an archive, with a fresh link if the first has expired', async () => {
    await using world = await startWorld({
      platform: { projectId: PROJECT, linkLifetimeMs: 3_600_000 },
    });
    world.platform.inject({
      match: { path: '/storage/' },
      status: 403,
      body: '<Error><Code>AccessDenied</Code></Error>',
    });
    const { facts, recorded } = await world.export({
      ...byProject,
      bundle: bundleInputs({ bundlePath: `${world.root}/workspace/a.tar.gz` }),
    });
    expect(facts.status).toBe('completed');
    expect(recorded.bundleBytes).toBe(world.platform.exportJobs[0]?.sizeBytes);
    expect(world.platform.exportJobs[0]?.links).toBeGreaterThan(2);
  });

  it('An export by project unpacks a site whose links begin with the base path, and verification accepts it', async () => {
    await using world = await startProject();
    const bundle = bundleInputs({ extractTo: `${world.root}/workspace/site`, verify: 'strict' });
    const { facts, recorded, error } = await world.export({
      ...byProject,
      basePath: '/docs',
      bundle,
    });
    expect(error).toBeUndefined();
    expect(facts.status).toBe('completed');
    expect(await readFile(`${world.root}/workspace/site/index.html`, 'utf8')).toContain(
      'href="/docs/install.html"',
    );
    expect(recorded.pageCount).toBe(2);
  });

  it('An export by project never logs the link that every reply of a completed job contains', async () => {
    await using world = await startProject();
    const { recorded, log } = await world.export(byProject);
    const signature = /X-Signature=(\w+)/.exec(recorded.bundleUrl ?? '')?.[1] ?? 'none';
    for (const level of ['info', 'warning', 'debug'] as const)
      expect(log.text(level)).not.toContain(signature);
  });

  it('An export by project reports a failure with the reason of the job', async () => {
    await using world = await startProject();
    world.platform.scriptNextExport({ outcome: 'failed', error: 'A page is broken.' });
    const { error } = await world.export(byProject);
    expectError(error, { code: 'job-failed', message: 'A page is broken.' });
  });

  it('A 404 on the first call of an export by project suggests domain', async () => {
    await using world = await startProject();
    world.platform.inject({ match: { path: PROJECT_JOBS }, status: 404, body: { error: 'no' } });
    const { error } = await world.export(byProject);
    expect(JSON.stringify(error?.hint)).toContain('give the site instead of project-id');
  });

  it('A 405 on the first call of an export suggests base-url first, and then the other revision', async () => {
    await using world = await startProject();
    const missing = { status: 405, body: { error: 'method not allowed' } };
    world.platform.inject({ match: { path: PROJECT_JOBS }, ...missing });
    expect((await world.export(byProject)).error?.hint).toEqual({
      text: expect.stringMatching(/^Check base-url.* may export by domain only/),
      inputs: { domain: '' },
    });
    world.platform.inject({ match: START, ...missing });
    expect((await world.export()).error?.hint).toEqual({
      text: expect.stringMatching(/^Check base-url.* may export by project only/),
      inputs: { 'project-id': '' },
    });
  });
});

describe('an export by domain', () => {
  it('An export by domain sends version and paths if they are given', async () => {
    await using world = await startWorld();
    await world.export({ exportPaths: ['install'] });
    expect(world.calls(START)[0]?.body).toBe('{"domain":"acme.example.com","paths":["install"]}');
    expect(world.platform.exportJobs[0]?.pageCount).toBe(2);
  });

  it('A 404 on the first call of an export by domain suggests project-id, and a later 404 does not', async () => {
    await using world = await startWorld();
    world.platform.inject({
      match: START,
      status: 404,
      body: { error: 'no' },
    });
    expect((await world.export()).error?.hint).toMatchObject({
      text: expect.stringContaining('made by domain'),
      inputs: { 'project-id': expect.any(String) },
    });
    world.platform.inject({
      match: BUNDLE,
      status: 404,
      body: { error: 'no' },
    });
    const { error } = await world.export();
    expect(error?.code).toBe('not-found');
    expect(JSON.stringify(error?.hint)).not.toContain('project-id');
  });
});

describe('a refused start', () => {
  it('A start refused with 402 names the plan, and one refused with 403 every cause, the login in front of a site too', async () => {
    await using world = await startWorld({ platform: { plan: 'free' } });
    expectError((await world.export()).error, {
      code: 'forbidden',
      message: 'requires an Enterprise plan',
      hint: 'Enterprise plan',
    });
    Object.assign(world.platform.behaviour, { plan: 'enterprise', privateSites: ['acme'] });
    const { error } = await world.export();
    expect(error).toMatchObject({ code: 'forbidden' });
    for (const cause of [
      'lack write access',
      'address of this machine',
      'another organization',
      'after a login',
    ]) {
      expect(error?.hint).toContain(cause);
    }
  });

  it('A start refused with 429 and an hourly limit ends immediately', async () => {
    await using world = await startProject();
    world.platform.inject({ match: { times: 9 }, status: 429, body: { error: 'Too many.' } });
    const { error } = await world.export(byProject);
    expectError(error, { code: 'rate-limited', hint: '10 export starts' });
    expect(world.platform.requests).toHaveLength(1);
    expect(world.clock.sleeps).toEqual([]);
  });
});

describe('a running export', () => {
  const busy = (jobId: string) => ({
    match: START,
    status: 409,
    body: { error: 'An export is running.', jobId },
  });

  it('A running export with a known id is waited for, and then another is started', async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'poll', polls: 3 } },
    });
    const first = await world.export({ timeoutMs: 0, onTimeout: 'detach' });
    const running = first.recorded.jobId ?? '';
    world.platform.inject(busy(running));
    const { facts, recorded, log } = await world.export();
    expect(facts.status).toBe('completed');
    expect(recorded.jobId).not.toBe(running);
    expect(log.text('info')).toContain(
      `An export of acme.example.com is running already: job ${running}.`,
    );
    expect(world.platform.exportJobs.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ]);
  });

  it('A running export that does not end in time is timed-out, with its id, and nothing is started', async () => {
    await using world = await startWorld();
    world.platform.scriptNextExport({ stalled: true });
    const running =
      (await world.export({ timeoutMs: 0, onTimeout: 'detach' })).recorded.jobId ?? '';
    world.platform.inject(busy(running));
    const { error } = await world.export({ timeoutMs: 90_000 });
    expectError(error, {
      code: 'timed-out',
      message: `Export job ${running} of acme.example.com was running already`,
      hint: { inputs: { 'export-job-id': running } },
    });
    expect(error?.message).toContain('no export was started');
    expect(world.platform.exportJobs).toHaveLength(1);
  });

  it.each([
    ['its id is not known', { error: 'Busy.' }],
    ['the body is not JSON', '<html>'],
  ])('A running export is a conflict that says where to look, if %s', async (_, body) => {
    await using world = await startWorld();
    world.platform.inject({ match: START, status: 409, body });
    const { error } = await world.export();
    expectError(error, { code: 'conflict', hint: 'dashboard', mayHaveActed: false });
    expect(world.platform.exportJobs).toHaveLength(0);
  });

  it('A running export that the platform then does not know is a conflict as well', async () => {
    await using world = await startWorld();
    world.platform.inject(busy('job-of-elsewhere'));
    expect((await world.export()).error).toMatchObject({ code: 'conflict' });
  });

  it('A running export that cannot be polled leaves no doubt that nothing was started', async () => {
    await using world = await startWorld();
    world.platform.inject(busy('job-1'));
    world.platform.inject({
      match: { ...POLL, times: 99 },
      status: 503,
      body: { error: 'down' },
    });
    const { error } = await world.export();
    expect(error).toMatchObject({ code: 'network', mayHaveActed: false });
    expect(error?.message).not.toContain('may have started');
  });
});

describe('a stalled job', () => {
  it('A stalled job causes one warning, and the run continues to poll it', async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'time', durationMs: 60_000 } },
    });
    world.platform.scriptNextExport({ stalled: true });
    const { error, log } = await world.export({ timeoutMs: 30 * 60_000 });
    expect(error?.code).toBe('timed-out');
    expect(log.text('warning').match(/may have stalled/g)).toHaveLength(1);
  });
});
