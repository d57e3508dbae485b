import { expect, it } from 'vitest';
import { makeDestination } from '../support/make-inputs.ts';
import { DOMAIN, JOBS } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';

const PROJECT = 'proj_1';
const PROJECT_JOBS = `/v1/static-export/${PROJECT}/jobs`;
const byProject = { domain: undefined, projectId: PROJECT } as const;
const byDomain = { domain: DOMAIN, projectId: undefined } as const;

/** A platform on which both forms of the export API are there. */
function startBoth(): Promise<World> {
  return startWorld({ platform: { projectId: PROJECT } });
}

/** The requests about one job, in the form by domain and in that by project. */
function asked(world: World, jobId: string | undefined) {
  const about = (path: string) =>
    world.platform.requests.filter((one) => one.path.startsWith(`${path}/${jobId}`)).length;
  return { domain: about(JOBS), project: about(PROJECT_JOBS) };
}

it.each([
  ['by domain, whatever project-id says now', byDomain, { projectId: PROJECT }, 'domain'],
  ['by project, although no project-id is given', byProject, {}, 'project'],
] as const)(
  'A refresh reads the job in the form in which it was started: %s',
  async (_, form, now, expected) => {
    await using world = await startBoth();
    const to = makeDestination();
    const { recorded } = await world.export({ ...form, to });
    const before = asked(world, recorded.jobId);
    const { facts, error } = await world.refresh({ to, ...now, refreshBeforeMs: 48 * 3_600_000 });
    expect(error).toBeUndefined();
    expect(facts).toMatchObject({ status: 'completed', jobId: recorded.jobId, changed: true });
    const after = asked(world, recorded.jobId);
    expect(after[expected]).toBeGreaterThan(before[expected]);
    const other = expected === 'domain' ? 'project' : 'domain';
    expect(after[other]).toBe(before[other]);
  },
);

it.each([
  ['project', byProject, byDomain],
  ['domain', byDomain, byProject],
] as const)(
  'After the form has changed, a refresh and a rollback to a job by %s read each job in its form',
  async (first, earlier, later) => {
    await using world = await startBoth();
    const to = makeDestination();
    const old = (await world.export({ ...earlier, to }, { run: { runId: '1' } })).recorded.jobId;
    const live = (await world.export({ ...later, to }, { run: { runId: '2' } })).recorded.jobId;
    const due = await world.refresh({ to, refreshBeforeMs: 48 * 3_600_000 });
    expect(due.error).toBeUndefined();
    expect(due.facts).toMatchObject({ jobId: live, changed: true });
    const back = await world.rollback({ to });
    expect(back.error).toBeUndefined();
    expect(back.facts).toMatchObject({ status: 'completed', jobId: old });
    expect(asked(world, old)[first === 'project' ? 'domain' : 'project']).toBe(0);
    expect(asked(world, live)[first]).toBe(0);
  },
);

it.each([
  ['by domain', byDomain, byProject],
  ['by project', byProject, byDomain],
] as const)(
  'A re-run follows the job that the first attempt started %s in the same form',
  async (_, first, now) => {
    await using world = await startBoth();
    world.platform.behaviour.exportJobs = { advance: 'time', durationMs: 120_000 };
    const to = makeDestination();
    const short = await world.export({ ...first, to, timeoutMs: 10_000 });
    expect(short.error).toMatchObject({ code: 'timed-out' });
    const again = await world.export({ ...now, to }, { run: { runAttempt: 2 } });
    expect(again.error).toBeUndefined();
    expect(again.facts).toMatchObject({
      status: 'completed',
      jobId: short.recorded.jobId,
      origin: 'resumed',
    });
    expect(world.platform.exportJobs).toHaveLength(1);
  },
);

it.each([404, 405])(
  'A %i of the form by domain says to leave domain out if a project is given',
  async (status) => {
    await using world = await startBoth();
    world.platform.inject({ match: { method: 'POST', path: JOBS }, status, body: { error: 'no' } });
    const content = { publish: true, projectId: PROJECT, token: undefined } as const;
    const { error } = await world.export({ ...byDomain, content });
    expect(JSON.stringify(error?.hint)).toContain(
      'this platform may export by project only: leave domain out',
    );
    expect(world.platform.requests.filter(({ path }) => path.startsWith(PROJECT_JOBS))).toEqual([]);
  },
);
