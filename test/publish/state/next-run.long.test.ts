import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runStep, startStep } from '../../support/runner.ts';
import { linkStatus, startActionWorld } from '../../support/world/built-action.ts';
import { NAME } from '../../support/world/names.ts';
import type { World } from '../../support/world.ts';
import { arrived, completed, liveJob, stateOf, stepOfRun, until } from './runs.ts';

// A run that another one left in its section waits for 45 s.
const PATIENT = { timeout: 200_000 };
const REFRESH = { mode: 'refresh', 'refresh-before': '9000h' };
const ROLLBACK = { mode: 'rollback' };
const SECOND = 'DOCS_SECOND_URL';
const LINK = { method: 'PUT', path: new RegExp(`/actions/secrets/${NAME}$`) };

async function exports(
  world: World,
  count: number,
  inputs: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const jobs: string[] = [];
  for (let run = 0; run < count; run += 1)
    jobs.push((await completed(world, run, inputs)).outputs['job-id'] ?? '');
  return jobs;
}

async function expectLive(world: World, job: string | undefined, names = [NAME]): Promise<void> {
  expect([...names.map((name) => liveJob(world, name)), stateOf(world).jobId]).toEqual([
    ...names.map(() => job),
    job,
  ]);
  expect(await linkStatus(world)).toBe(200);
}

const INTERRUPTIONS = ['is killed', 'is answered with 503'] as const;

/** A rollback that ends at its write of the link. */
async function interrupt(
  world: World,
  how: (typeof INTERRUPTIONS)[number],
  inputs: Readonly<Record<string, string>>,
) {
  if (how === 'is answered with 503') {
    world.github.inject({
      match: { ...LINK, times: Number.POSITIVE_INFINITY },
      status: 503,
      body: { message: 'Later.' },
    });
    const ended = await runStep(stepOfRun(world, 10, inputs));
    expect(ended.exitCode, ended.log).toBe(1);
    return world.github.clearFaults();
  }
  world.github.inject({ match: LINK, delayMs: 30_000, reset: 'before' });
  const before = arrived(world, LINK);
  const step = await startStep(stepOfRun(world, 10, inputs));
  await until(() => arrived(world, LINK) > before);
  step.kill('SIGKILL');
  await step.done;
}

const BOTH = { to: `github:secret/${NAME}\ngithub:secret/${SECOND}` };

test.concurrent.each(
  INTERRUPTIONS.flatMap((how) => [
    [how, 'one destination', {}] as const,
    [how, 'two destinations', BOTH] as const,
  ]),
)(
  'After a rollback that %s, to %s, a new rollback restores the same export',
  PATIENT,
  async (how, _count, to) => {
    await using world = await startActionWorld();
    const jobs = await exports(world, 3, to);
    await interrupt(world, how, { ...ROLLBACK, ...to });
    const again = await completed(world, 11, { ...ROLLBACK, ...to });
    expect(again.outputs['job-id'], again.log).toBe(jobs[1]);
    const names = to === BOTH ? [NAME, SECOND] : [NAME];
    await expectLive(world, jobs[1], names);
    await completed(world, 12, { ...REFRESH, ...to });
    await expectLive(world, jobs[1], names);
  },
);

const DESTINATIONS = [
  ['a secret', { to: `github:secret/${NAME}` }],
  ['a file', { to: 'file:out/link.txt', 'secret-token': '' }],
] as const;

test.concurrent.each(DESTINATIONS)(
  'After an export to %s that the platform refused, because its domain is misspelt, the corrected one completes',
  async (_what, to) => {
    await using world = await startActionWorld();
    const workspace = world.workspace;
    const step = (run: number, inputs: Readonly<Record<string, string>>) => ({
      ...stepOfRun(world, run, { ...to, ...inputs }),
      workspace,
    });
    const misspelt = await runStep(step(1, { domain: 'acmee.example.com' }));
    expect(misspelt.exitCode, misspelt.log).toBe(1);
    expect(world.platform.exportJobs).toEqual([]);
    const doctor = await runStep(step(2, { mode: 'doctor' }));
    expect(doctor.exitCode, doctor.log).toBe(0);
    const corrected = await runStep(step(3, {}));
    expect(corrected.exitCode, corrected.log).toBe(0);
    const link =
      'secret-token' in to ? readFileSync(join(workspace, 'out/link.txt'), 'utf8') : world.secret();
    expect(link).toContain(corrected.outputs['job-id']);
    const refreshed = await runStep(step(4, REFRESH));
    expect([refreshed.exitCode, refreshed.outputs['job-id']], refreshed.log).toEqual([
      0,
      corrected.outputs['job-id'],
    ]);
  },
);
