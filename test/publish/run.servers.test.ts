import { describe, expect, it } from 'vitest';
import { expectError } from '../support/failure.ts';
import { bundleInputs, makeDestination, SECRET_TOKEN } from '../support/make-inputs.ts';
import { hintOf } from '../support/make-run.ts';
import { runStepInProcess } from '../support/step-in-process.ts';
import { BUNDLE, DOMAIN, NAME, POLL, START, STATE } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

const to = makeDestination();
const AGAIN = { run: { runAttempt: 2 } };

const PUBLISH = { publish: 'true', 'project-id': 'project-1' };
const PROJECT = { platform: { projectId: 'project-1' } };

function stepInputs({ platform }: World, given: Readonly<Record<string, string>>) {
  return {
    mode: 'export',
    'base-url': platform.url,
    'admin-api-key': platform.keys.admin,
    domain: DOMAIN,
    to: `github:secret/${NAME}`,
    'secret-token': SECRET_TOKEN,
    ...given,
  };
}

describe('an export', () => {
  it('A step with publish: true that attaches says in the log that nothing is published', async () => {
    await using world = await startWorld(PROJECT);
    await world.platform.addExportJob({ jobId: 'job-1', domain: DOMAIN });
    const inputs = stepInputs(world, { ...PUBLISH, 'export-job-id': 'job-1' });
    const { exitCode, log } = await runStepInProcess(world, { inputs });
    expect(exitCode).toBe(0);
    expect(world.platform.updates).toEqual([]);
    expect(log.text('info')).toContain('Nothing is published');
  });

  it('An export starts one job and makes one link, which is the same in output, to and folder', async () => {
    await using world = await startWorld();
    const bundle = bundleInputs({
      bundlePath: `${world.root}/temp/docs.tar.gz`,
      extractTo: `${world.root}/workspace/site`,
    });
    const { facts, recorded, log } = await world.export({ to, bundle });
    expect(facts).toMatchObject({
      status: 'completed',
      delivery: { updated: true, stateWritten: true },
    });
    expect(world.secret()).toBe(recorded.bundleUrl);
    expect(world.files()).toContain('workspace/site/index.html');
    expect(world.calls(START)).toHaveLength(1);
    expect(world.calls(BUNDLE)).toHaveLength(1);
    expect(log.masks).toContain(recorded.bundleUrl);
    expect(log.saidBeforeMask()).toEqual([]);
    expect(log.text()).not.toContain('X-Signature');
  });

  it('If the id cannot be stored, the export continues; log, annotation and outputs show how to attach', async () => {
    await using world = await startWorld();
    await world.export({ to });
    // A refusal is final: the id is not written once more.
    world.github.inject({ match: { method: 'PATCH' }, status: 422, body: { message: 'no' } });
    const { facts, recorded, log } = await world.export({ to });
    const jobId = world.platform.exportJobs[1]?.jobId;
    expect(facts.status).toBe('completed');
    expect(recorded.jobId).toBe(jobId);
    expect(log.text('warning')).toContain(`export-job-id: ${jobId}`);
    expect(log.text('warning')).toContain('a re-run of this job would start a new export');
    expect(log.text('info')).toContain(`Started export job ${jobId}`);
  });

  it('An export that fails at the secret keeps link and job, and attaching to it needs no second export', async () => {
    await using world = await startWorld();
    world.github.inject({ match: { method: 'PUT' }, status: 403, body: { message: 'read-only' } });
    const { error, recorded } = await world.export({ to });
    expectError(error, { code: 'forbidden', message: `export-job-id: ${recorded.jobId}` });
    expect(recorded.delivery).toMatchObject({ updated: false, stateWritten: false });
    expect(recorded.bundleUrl).toBeDefined();
    const { facts } = await world.export({ to, exportJobId: recorded.jobId });
    expect(facts.status).toBe('completed');
    expect(world.platform.exportJobs).toHaveLength(1);
  });
});

it('A job that the platform does not know says to leave domain out if both ids are given', async () => {
  await using world = await startWorld(PROJECT);
  const inputs = stepInputs(world, { 'project-id': 'project-1', 'export-job-id': 'job-9' });
  const { exitCode, log } = await runStepInProcess(world, { inputs });
  expect(exitCode).toBe(1);
  expect(log.text('error')).toContain('leave domain out, and give the project if the step');
});

describe('the timeout', () => {
  it.each([
    ['without timeout', {}, 0],
    ['without timeout, and publish: true', PUBLISH, 1],
    ['with 50m', { timeout: '50m' }, 0],
    ['with 51m', { timeout: '51m' }, 1],
  ])(
    'A token of an App that may expire before the write is a warning: %s',
    async (_, given, count) => {
      await using world = await startWorld(PROJECT);
      const { log } = await runStepInProcess(world, { inputs: stepInputs(world, given) });
      const warning = log.text('warning');
      expect(warning.split('may have expired').length - 1).toBe(count);
      // Without the input, nothing says that it has a value.
      if (given === PUBLISH) expect(warning).not.toContain('timeout');
    },
  );

  it('An export that runs out of time fails, or detaches if the input says so', async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'poll', polls: 1e9 } },
    });
    const late = await world.export({ timeoutMs: 60_000 });
    expectError(late.error, { code: 'timed-out', hint: 'The export is still running.' });
    expect(hintOf(late.error)).toContain(`export-job-id: ${late.recorded.jobId}`);
    const { facts, recorded } = await world.export({ timeoutMs: 60_000, onTimeout: 'detach' });
    expect(facts.status).toBe('detached');
    expect(facts.reason).toContain(`export-job-id: ${recorded.jobId}`);
  });

  it('With a timeout of 0 the run starts the job and ends, without a poll', async () => {
    await using world = await startWorld();
    const { facts, recorded } = await world.export({ timeoutMs: 0, onTimeout: 'detach' });
    expect(facts.status).toBe('detached');
    expect(recorded.jobId).toBe(world.platform.exportJobs[0]?.jobId);
    expect(world.platform.requests).toHaveLength(1);
    expect(world.clock.sleeps).toEqual([]);
  });
});

describe('attaching', () => {
  it('Attaching starts nothing, and a completed job needs one poll', async () => {
    await using world = await startWorld();
    await world.platform.addExportJob({ jobId: 'job-7' });
    const { facts, recorded } = await world.export({ exportJobId: 'job-7', domain: undefined });
    expect(facts.status).toBe('completed');
    expect(recorded).toMatchObject({ jobId: 'job-7', origin: 'attached' });
    expect(world.calls(START)).toHaveLength(0);
    expect(world.calls(POLL)).toHaveLength(1);
  });
});

describe('a re-run', () => {
  it('A re-run attaches to its job, even if the job is completed', async () => {
    await using world = await startWorld();
    const first = await world.export({ to });
    const { facts, recorded, log } = await world.export({ to }, AGAIN);
    expect(facts.status).toBe('completed');
    expect(recorded).toMatchObject({ origin: 'resumed', jobId: first.recorded.jobId });
    expect(log.text('info')).toContain('Another one needs a new run');
    expect(world.platform.exportJobs).toHaveLength(1);
    expect(world.secret()).toBe(recorded.bundleUrl);
  });

  it('A re-run attaches to a job that was cancelled halfway', async () => {
    await using world = await startWorld({
      platform: { exportJobs: { advance: 'poll', polls: 4 } },
    });
    const cancel = new AbortController();
    const onRecord = () => {
      if (world.calls(POLL).length > 0) cancel.abort();
    };
    const first = await world.export({ to }, { signal: cancel.signal, onRecord });
    expect(first.error?.code).toBe('cancelled');
    const second = await world.export({ to }, AGAIN);
    expect(second.recorded).toMatchObject({ origin: 'resumed', jobId: first.recorded.jobId });
    expect(world.platform.exportJobs).toHaveLength(1);
  });

  it.each([
    ['failed', { status: 'failed' }],
    ['is gone', 404],
  ])('A re-run starts a new export if its job %s', async (_, fate) => {
    await using world = await startWorld();
    const first = await world.export({ to });
    const reply =
      typeof fate === 'number' ? { status: fate, body: { error: 'gone' } } : { body: fate };
    world.platform.inject({ match: POLL, ...reply });
    const second = await world.export({ to }, AGAIN);
    expect(second.facts.status).toBe('completed');
    expect(second.recorded.origin).toBe('started');
    expect(second.recorded.jobId).not.toBe(first.recorded.jobId);
  });

  it('A re-run warns and starts a new export if it is unknown whether the first attempt started one', async () => {
    await using world = await startWorld();
    world.platform.inject({ match: START, reset: 'after' });
    expect((await world.export({ to })).error?.mayHaveActed).toBe(true);
    const second = await world.export({ to }, AGAIN);
    expect(second.facts.status).toBe('completed');
    expect(second.log.text('warning')).toMatch(
      /A new export is started, because .* may still be running/,
    );
    expect(world.platform.exportJobs).toHaveLength(2);
  });
});

describe('a dry run', () => {
  it('A dry run writes nothing anywhere and lists every write', async () => {
    await using world = await startWorld();
    const bundle = bundleInputs({
      bundlePath: `${world.root}/temp/docs.tar.gz`,
      extractTo: `${world.root}/workspace/site`,
    });
    const { facts, recorded } = await world.export({ dryRun: true, to, bundle });
    expect(facts.status).toBe('completed');
    const planned =
      facts.planned?.map(({ action, target }) => `${action}: ${target}`).join('\n') ?? '';
    for (const part of [
      'start an export',
      '{jobId}/bundle',
      'docs.tar.gz',
      'workspace/site',
      `secret ${NAME}`,
      STATE,
    ]) {
      expect(planned).toContain(part);
    }
    expect(world.platform.requests).toEqual([]);
    expect(world.writes()).toEqual([]);
    expect(world.github.requests.length).toBeGreaterThan(0);
    expect(world.files()).toEqual([]);
    expect(recorded.jobId).toBeUndefined();
  });

  it('A dry run that attaches names the job, and plans no start', async () => {
    await using world = await startWorld();
    expect((await world.export({ dryRun: true, exportJobId: 'job-7' })).error?.code).toBe(
      'not-found',
    );
    await world.platform.addExportJob({ jobId: 'job-7' });
    const { facts, recorded } = await world.export({ dryRun: true, exportJobId: 'job-7' });
    expect(recorded.jobId).toBe('job-7');
    expect(facts.planned).toHaveLength(1);
    expect(facts.planned?.[0]?.target).toContain('/job-7/bundle');
    expect(world.calls({ method: 'POST', path: '/' })).toEqual([]);
  });

  it('A dry run shows that a finished job without pages would be held back', async () => {
    await using world = await startWorld();
    const dryRun = (jobId: string) => world.export({ dryRun: true, exportJobId: jobId });
    await world.platform.addExportJob({ jobId: 'job-7', archive: new Uint8Array() });
    const { facts, recorded } = await dryRun('job-7');
    expect(facts.planned).toHaveLength(1);
    expect(recorded.guard).toMatchObject({
      verdict: 'failed',
      checks: [{ name: 'min-pages', outcome: 'failed' }],
    });
    await world.platform.addExportJob({ jobId: 'job-8' });
    expect((await dryRun('job-8')).recorded.guard).toBeUndefined();
  });
});
