import { describe, expect, test } from 'vitest';
import { publishPresentation } from '../../src/publish/summary.ts';
import { expectError } from '../support/failure.ts';
import { makeDestination } from '../support/make-inputs.ts';
import { hintOf } from '../support/make-run.ts';
import { TARGETS } from '../support/world/delivery.ts';
import { HOUR_MS, NAME, POLL, STATE } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

const DAY_MS = 24 * HOUR_MS;

/** Exports of three runs, a day between two of them; the ids of their jobs, oldest first. */
async function exported(world: World, count = 3): Promise<string[]> {
  const jobs: string[] = [];
  for (let index = 1; index <= count; index += 1) {
    const run = { runId: String(500 + index), sha: String(index).repeat(40), actor: 'maya' };
    const { facts, error } = await world.export({ to: makeDestination() }, { run });
    if (facts.jobId === undefined || error !== undefined) throw error ?? new Error('no job');
    jobs.push(facts.jobId);
    world.clock.advance(DAY_MS);
  }
  return jobs;
}

const stateOf = (world: World) =>
  JSON.parse(world.github.variable(TARGETS.repository, STATE)?.value ?? '{}');

/** The job of the link in the secret. */
const linkedJob = (world: World, jobs: readonly string[]) =>
  jobs.find((job) => world.secret()?.includes(job));

describe('a rollback', () => {
  test('A rollback restores the previous export with a fresh link, and starts no export', async () => {
    await using world = await startWorld();
    const jobs = await exported(world);
    const starts = world.calls({ method: 'POST', path: /jobs$/ }).length;
    const { facts, log, error } = await world.rollback({}, { run: { actor: 'omar' } });
    expect(error).toBeUndefined();
    expect(facts).toMatchObject({
      status: 'completed',
      jobId: jobs[1],
      formerJobId: jobs[2],
      changed: true,
    });
    expect(log.text()).toContain(
      `Rolling back from export job ${jobs[2]} to ${jobs[1]}, which was first live at 20`,
    );
    expect(world.calls({ method: 'POST', path: /jobs$/ })).toHaveLength(starts);
    expect(linkedJob(world, jobs)).toBe(jobs[1]);
    expect((await fetch(world.secret() ?? '')).status).toBe(200);
    expect(stateOf(world)).toMatchObject({
      jobId: jobs[1],
      rollback: { from: jobs[2], by: 'omar', run: '901/rollback' },
      history: [
        { job: jobs[2], commit: '3'.repeat(40), by: 'maya', withdrawn: expect.any(String) },
        { job: jobs[1], commit: '2'.repeat(40), by: 'maya', pages: 2 },
        { job: jobs[0] },
      ],
      // The last export of the destination is still the one of its run.
      runs: [{ id: '503', jobId: jobs[2] }, { id: '502' }, { id: '501' }],
    });
    const report = {
      version: 1,
      mode: 'rollback',
      startedAt: '',
      elapsedMs: 1,
      ...facts,
      status: 'completed',
    } as const;
    const summary = publishPresentation.summary(report, world.clock.now());
    expect(summary).toMatch(
      new RegExp(
        `\\| \`${jobs[1]}\` \\| \\*\\*live\\*\\* \\| 20.* \\| 2 \\| \`2222222\` \\| +\\| maya \\|`,
      ),
    );
    expect(summary).toContain(`| \`${jobs[2]}\` | rolled back at 20`);
    expect(summary).not.toContain('sig=');
  });

  test('A re-run of a rollback restores the same export, and not an older one', async () => {
    await using world = await startWorld();
    const jobs = await exported(world);
    await world.rollback();
    world.clock.advance(HOUR_MS);
    const again = await world.rollback({}, { run: { runAttempt: 2 } });
    expect(again.facts).toMatchObject({
      status: 'completed',
      jobId: jobs[1],
      formerJobId: jobs[2],
    });
    const next = await world.rollback({}, { run: { runId: '902' } });
    expect(next.facts).toMatchObject({ jobId: jobs[0], formerJobId: jobs[1] });
  });

  test('A re-run of a rollback that wrote nothing goes back from the export that another rollback restored', async () => {
    await using world = await startWorld();
    const jobs = await exported(world);
    expect((await world.rollback({}, { run: { runId: '901' } })).facts).toMatchObject({
      jobId: jobs[1],
    });
    world.clock.advance(HOUR_MS);
    world.github.inject({
      match: { method: 'GET', path: '/public-key' },
      status: 403,
      body: { message: 'no' },
    });
    expect((await world.rollback({}, { run: { runId: '902' } })).error).toMatchObject({
      code: 'forbidden',
    });
    const again = await world.rollback({}, { run: { runId: '902', runAttempt: 2 } });
    expect(again.facts).toMatchObject({ jobId: jobs[0], formerJobId: jobs[1] });
  });

  test('A rollback to a specified export can also go forward again', async () => {
    await using world = await startWorld();
    const [first, , third] = await exported(world);
    expect((await world.rollback({ exportJobId: first })).facts.jobId).toBe(first);
    world.clock.advance(HOUR_MS);
    expect(
      (await world.rollback({ exportJobId: third }, { run: { runId: '902' } })).facts,
    ).toMatchObject({
      jobId: third,
      formerJobId: first,
    });
  });

  test('A dry run of a rollback writes nothing, and lists what it would write', async () => {
    await using world = await startWorld();
    const jobs = await exported(world);
    const writes = world.writes().length;
    const { facts } = await world.rollback({ dryRun: true });
    expect(facts).toMatchObject({ status: 'completed', jobId: jobs[1] });
    expect(facts.planned?.map(({ action }) => action)).toEqual([
      'make a bundle link',
      'write the link',
      'write the state',
    ]);
    expect(world.writes()).toHaveLength(writes);
  });

  test('A new run finishes a rollback that reached only some destinations, and does not go one export further back', async () => {
    await using world = await startWorld();
    const to = makeDestination();
    const file = { scheme: 'file', path: `${world.workspace}/link` } as const;
    const both = { ...to, addresses: [...to.addresses, file] };
    const jobs: string[] = [];
    for (const runId of ['1', '2', '3']) {
      jobs.push((await world.export({ to: both }, { run: { runId } })).facts.jobId ?? '');
      world.clock.advance(DAY_MS);
    }
    world.github.inject({
      match: { method: 'PUT', times: 99 },
      status: 403,
      body: { message: 'no' },
    });
    expect((await world.rollback({ to: both }, { run: { runId: '901' } })).error).toMatchObject({
      code: 'forbidden',
    });
    expect(linkedJob(world, jobs)).toBe(jobs[2]);
    world.github.clearFaults();
    world.clock.advance(HOUR_MS);
    const { facts, error } = await world.rollback({ to: both }, { run: { runId: '902' } });
    expect(error).toBeUndefined();
    expect(facts).toMatchObject({ jobId: jobs[1], formerJobId: jobs[2] });
    expect(linkedJob(world, jobs)).toBe(jobs[1]);
    expect(world.log.text('info')).toContain(`Finishing the rollback to export job ${jobs[1]}`);
    const next = await world.rollback({ to: both }, { run: { runId: '903' } });
    expect(next.facts).toMatchObject({ jobId: jobs[0], formerJobId: jobs[1] });
    expect(next.facts.delivery?.destinations?.map(({ written }) => written)).toEqual([true, true]);
  });
});

describe('a refused rollback', () => {
  const refused = async (world: World, ...[inputs, options]: Parameters<World['rollback']>) => {
    const [writes, before] = [world.writes().length, world.secret()];
    const { error } = await world.rollback(inputs, options);
    expect(world.writes()).toHaveLength(writes);
    expect(world.secret()).toBe(before);
    return error;
  };

  test('A rollback without a state is refused', async () => {
    await using world = await startWorld();
    expectError(await refused(world), { code: 'not-found', message: 'can be rolled back' });
    expect(world.platform.requests).toHaveLength(0);
  });

  test('A rollback from the first export is refused', async () => {
    await using world = await startWorld();
    const [first] = await exported(world, 1);
    expectError(await refused(world), {
      code: 'not-found',
      message: `no export before the live one, job ${first}`,
    });
  });

  test('A rollback to a job that was never live is refused, and no line to paste would make it live', async () => {
    await using world = await startWorld();
    await exported(world, 2);
    const error = await refused(world, { exportJobId: 'job-elsewhere' });
    expectError(error, { code: 'not-found', message: 'job-elsewhere is not among' });
    expect(hintOf(error)).toBe(
      'A rollback restores only exports of the same destination. Name one of them.',
    );
  });

  test('A rollback to the job that is live is refused', async () => {
    await using world = await startWorld();
    const [, second] = await exported(world, 2);
    expect(await refused(world, { exportJobId: second })).toMatchObject({
      code: 'config',
      message: `Export job ${second} is already live in github:secret/${NAME}. Nothing was written.`,
    });
  });

  test.each([
    [
      'that the platform no longer knows',
      { status: 404, body: { error: 'Job not found' } },
      'not-found',
      'no longer knows',
    ],
    [
      'that is not finished',
      { body: { jobId: 'JOB', status: 'running' } },
      'conflict',
      'its status is running',
    ],
    [
      'that has failed',
      { body: { jobId: 'JOB', status: 'failed' } },
      'job-failed',
      'its status is failed',
    ],
  ])('A rollback to a job %s is refused', async (_what, reply, code, message) => {
    await using world = await startWorld();
    const [first = ''] = await exported(world, 2);
    const body = { ...reply.body, ...('jobId' in reply.body && { jobId: first }) };
    world.platform.inject({
      match: { ...POLL, path: `/v1/static-export/jobs/${first}` },
      ...reply,
      body,
    });
    expect(await refused(world)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('A rollback of a link that was edited manually is refused, unless the job is specified', async () => {
    await using world = await startWorld();
    const jobs = await exported(world, 2);
    world.clock.advance(DAY_MS);
    world.github.setSecret(TARGETS.repository, {
      name: NAME,
      value: 'https://theirs.example.com/a',
    });
    expectError(await refused(world), { code: 'integrity', message: 'edited manually' });
    expect((await world.rollback({ exportJobId: jobs[0] })).facts).toMatchObject({
      status: 'completed',
    });
    expect(linkedJob(world, jobs)).toBe(jobs[0]);
  });

  test('A rollback in a run that people without write access can cause is refused', async () => {
    await using world = await startWorld();
    await exported(world, 2);
    const error = await refused(
      world,
      {},
      { eventName: 'issue_comment', payload: { action: 'created' } },
    );
    expect(error).toMatchObject({ code: 'refused' });
  });
});
