import type { CheckRunSeed, DeploymentSeed } from '../../emulator/src/github/emulator.ts';
import { fakeClock } from './fake-clock.ts';
import { LATER, MERGED, startMerge } from './merge.ts';
import { HOUR_MS, REPOSITORY } from './world/names.ts';
import type { World, WorldOptions } from './world.ts';

/** What the GitHub App of a platform makes for a commit, and the events of it. */

export const PUBLISHER = 'acme-docs';
export const BOT = `${PUBLISHER}[bot]`;
const START = Date.parse('2026-01-01T12:00:00Z');

export function check({ github }: World, seed: Partial<CheckRunSeed> = {}): void {
  github.addCheckRun({ repository: REPOSITORY, headSha: MERGED, app: PUBLISHER, ...seed });
}

export function deploy({ github }: World, seed: Partial<DeploymentSeed> = {}): number {
  const made = github.addDeployment({
    repository: REPOSITORY,
    sha: MERGED,
    creator: BOT,
    states: ['success'],
    ...seed,
  });
  return made.id;
}

/** A check run of one hour before the push, as of a preview whose commit became the head of the branch. */
export const BEFORE_PUSH = { startedAt: START - HOUR_MS, completedAt: START - HOUR_MS + 60_000 } as const;

type Event = (world: World) => void;

/** A world that begins at noon, in which something happens once so much time is over. */
export async function startMergeWith(
  events: readonly (readonly [atMs: number, event: Event])[],
  options: WorldOptions = {},
): Promise<World> {
  const started: { world?: World } = {};
  const left = [...events];
  const startMs = 1000;
  const clock = fakeClock({
    now: START,
    onSleep() {
      while (started.world !== undefined && left[0] !== undefined && clock.monotonicMs() - startMs >= left[0][0]) {
        left.shift()?.[1](started.world);
      }
    },
  });
  const world = await startMerge({ ...options, clock });
  started.world = world;
  return world;
}

const repository = { default_branch: 'main' };
const creator = { login: BOT, type: 'Bot' };

export function deploymentEvent(change: object = {}, status: object = {}) {
  const deployment = {
    ...{ sha: MERGED, ref: 'main', environment: 'production', creator },
    ...{ production_environment: true, ...change },
  };
  const payload = { repository, deployment, deployment_status: { state: 'success', creator, ...status } };
  return { eventName: 'deployment_status', payload, run: { sha: MERGED } };
}

export function checkEvent(change: object = {}) {
  const run = { app: { slug: PUBLISHER }, head_sha: MERGED, status: 'completed', conclusion: 'success' };
  const check_run = { ...run, check_suite: { head_branch: 'main' }, ...change };
  return { eventName: 'check_run', payload: { action: 'completed', repository, check_run }, run: { sha: LATER } };
}
