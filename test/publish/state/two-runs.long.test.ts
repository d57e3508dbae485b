import { expect, test } from 'vitest';
import type { Fault } from '../../../emulator/src/faults.ts';
import { type RunningStep, type StepResult, startStep } from '../../support/runner.ts';
import { linkStatus, startActionWorld } from '../../support/world/built-action.ts';
import { NAME, STATE } from '../../support/world/names.ts';
import {
  type Arriving,
  arrived,
  completed,
  liveJob,
  stateOf,
  stepOfRun,
  until,
} from '../../support/world/runs.ts';
import type { World } from '../../support/world.ts';

const INPUTS = {
  export: {},
  refresh: { mode: 'refresh', 'refresh-before': '9000h' },
  rollback: { mode: 'rollback' },
} as const;
type Kind = keyof typeof INPUTS;

interface Match extends Arriving {
  readonly nth: number;
}

/**
 * The requests of a run that changes the link, in their order. The first claim of an export is for
 * its start.
 */
const WRITES: Readonly<Record<'claim' | 'link' | 'state', (kind: Kind) => Match>> = {
  claim: (kind) => ({
    method: 'POST',
    path: /\/actions\/variables$/,
    nth: kind === 'export' ? 2 : 1,
  }),
  link: () => ({ method: 'PUT', path: new RegExp(`/actions/secrets/${NAME}$`), nth: 1 }),
  state: (kind) => ({
    method: 'PATCH',
    path: new RegExp(`/${STATE}$`),
    nth: kind === 'export' ? 2 : 1,
  }),
};
type Write = keyof typeof WRITES;

/** A world in which two exports have been live, one after the other. */
async function startWithTwoExports(): Promise<World> {
  const world = await startActionWorld();
  for (const run of [0, 1]) await completed(world, run);
  return world;
}

/** Starts a run whose write gets the fault, and waits until that write has arrived. */
async function startHeld(
  world: World,
  kind: Kind,
  write: Write,
  fault: Omit<Fault, 'match'>,
): Promise<RunningStep> {
  const match = WRITES[write](kind);
  const before = arrived(world, match);
  world.github.inject({ ...fault, match });
  const step = await startStep(stepOfRun(world, 2, INPUTS[kind]));
  await until(() => arrived(world, match) >= before + match.nth);
  return step;
}

/**
 * The newer decision is live, and the next refresh renews it. The older run says that it did not
 * write, or had written before.
 */
async function expectNewest(world: World, older: StepResult, newest: StepResult): Promise<void> {
  const job = newest.outputs['job-id'];
  expect([liveJob(world, NAME), stateOf(world).jobId], older.log).toEqual([job, job]);
  if (older.exitCode !== 0)
    expect(older.outputs['error-code'], older.log).toMatch(/^(?:conflict|rate-limited)$/);
  const repaired = await completed(world, 9, INPUTS.refresh);
  expect(repaired.outputs['job-id'], `${older.log}\n${repaired.log}`).toBe(job);
  expect([liveJob(world, NAME), stateOf(world).jobId]).toEqual([job, job]);
  expect(await linkStatus(world)).toBe(200);
}

const PAIRS = [
  ['refresh', 'export'],
  ['export', 'export'],
  ['refresh', 'rollback'],
  ['rollback', 'export'],
] as const satisfies readonly (readonly [Kind, Kind])[];

const SLOW = PAIRS.flatMap(([one, other]) =>
  (['claim', 'state'] as const).map((write) => [write, one, other] as const),
);

// The other run waits for the claim of this one, for 45 s.
test.concurrent.each(SLOW)(
  'If the reply to the %s of a run (%s) comes only after another one (%s) has completed, the newer one stays live',
  { timeout: 200_000 },
  async (write, one, other) => {
    await using world = await startWithTwoExports();
    const older = await startHeld(world, one, write, {});
    older.kill('SIGSTOP');
    const newest = await completed(world, 3, INPUTS[other]);
    older.kill('SIGCONT');
    await expectNewest(world, await older.done, newest);
  },
);
