import { expect, test } from 'vitest';
import type { FaultEffect } from '../../../emulator/src/platform/emulator.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { WORKFLOW_TOKEN } from '../../support/merge.ts';
import {
  HEAD,
  NEXT,
  onPullRequest,
  pushHead,
  startPreviews,
} from '../../support/pull-request-run.ts';
import { seeded } from '../../support/simulated-job.ts';
import type { World } from '../../support/world.ts';

const RUNS = process.env.SOAK ? 1000 : 100;
const FAULT_RATE = 0.2;
const REQUEST = { method: 'POST', path: '/v1/project/preview/' };
const FAULTS: readonly FaultEffect[] = [
  { status: 500 },
  { status: 502, applied: true },
  { status: 503, headers: { 'retry-after': '2' } },
  { status: 429, headers: { 'retry-after': '7' } },
  { status: 429 },
  { reset: 'before' },
  { reset: 'after' },
  { truncateAfterBytes: 5 },
];

interface Injectable {
  inject(fault: FaultEffect & { match: { nth: number } }): void;
}

function scatter(server: Injectable, random: () => number): void {
  let met = 0;
  for (let request = 1; request <= 60; request += 1) {
    const effect = random() < FAULT_RATE ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined;
    if (effect === undefined) continue;
    server.inject({ ...effect, match: { nth: request - met } });
    met += 1;
  }
}

/** A clock that cancels the run in the sleep with this number. */
function cancelling(world: World, at: number, controller: AbortController) {
  const clock = fakeClock({ now: world.clock.now() });
  let sleeps = 0;
  const sleep: typeof clock.sleep = (ms, signal) => {
    sleeps += 1;
    if (sleeps === at) controller.abort('SIGTERM');
    return clock.sleep(ms, signal);
  };
  return new Proxy(clock, {
    get: (target, name) => (name === 'sleep' ? sleep : Reflect.get(target, name, target)),
  });
}

async function startRun(world: World, sha: string, random: () => number) {
  const controller = new AbortController();
  // A kill is a cancellation whose last words are lost: the outside sees the same requests.
  const isCancelled = random() < 0.2;
  const clock = isCancelled
    ? cancelling(world, 1 + Math.floor(random() * 4), controller)
    : world.clock;
  const comment = { token: WORKFLOW_TOKEN, titles: false };
  const options = { ...onPullRequest(sha), random, clock, signal: controller.signal };
  return world.update({ token: WORKFLOW_TOKEN, comment, timeoutMs: 300_000 }, options);
}

test(`Of ${RUNS} previews with faults, none is requested twice without need, and no comment claims what did not happen`, {
  timeout: 600_000,
}, async () => {
  const violations: string[] = [];
  const ends = new Map<string, number>();
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const random = seeded(seed);
    await using world = await startPreviews();
    const isOld = random() < 0.2;
    if (isOld) world.platform.scriptNextUpdate({ commit: '1'.repeat(40) });
    if (random() < 0.1) world.platform.scriptNextUpdate({ outcome: 'failure' });
    scatter(world.platform, random);
    scatter(world.github, random);
    const first = await startRun(world, HEAD, random);
    const accepted = () =>
      world.calls(REQUEST).filter(({ status }) => status === 202 || status === undefined).length;
    const hold = (holds: boolean, otherwise: string) =>
      holds || violations.push(`seed ${seed}: ${otherwise}`);
    hold(accepted() <= (isOld ? 2 : 1), `${accepted()} requests of one run may have been accepted`);
    await pushHead(world, NEXT);
    const second = await startRun(world, NEXT, random);
    for (const { error, facts, recorded } of [first, second]) {
      const end = error?.code ?? facts.status ?? '';
      ends.set(end, (ends.get(end) ?? 0) + 1);
      hold(
        error === undefined || recorded.previewUrl === undefined || error.code === 'cancelled',
        'red with an address',
      );
      hold(
        error?.mayHaveActed !== true ||
          error.code === 'cancelled' ||
          /may have been requested/.test(error.message),
        'unsure, and nothing says so',
      );
    }
    for (const { body } of world.github.comments) {
      for (const [, commit = ''] of body.matchAll(/^Contains commit `(\w{7})`, ready/gm)) {
        const made = world.platform.updates.some(
          (one) => one.status === 'success' && one.commit?.sha.startsWith(commit),
        );
        hold(made, `a comment names ${commit}, and no preview of it succeeded`);
        const isNewest = commit === NEXT.slice(0, 7);
        const isMarked = body.includes('**Outdated**');
        // Only a run that could write at all can mark it.
        hold(!(isNewest && isMarked), 'the newest preview is marked as outdated');
      }
    }
    // A first comment whose reply was lost is not repeated by its run, and a later run finds it.
    hold(world.github.comments.length <= 1, `${world.github.comments.length} comments`);
  }
  expect(violations).toEqual([]);
  expect(ends.get('completed') ?? 0).toBeGreaterThan(RUNS * 0.6);
  expect(ends.get('cancelled') ?? 0).toBeGreaterThan(RUNS * 0.1);
  console.log(Object.fromEntries(ends));
});
