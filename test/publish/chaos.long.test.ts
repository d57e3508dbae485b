import { expect, test } from 'vitest';
import type { FaultEffect } from '../../emulator/src/platform/emulator.ts';
import type { PublishFacts } from '../../src/publish/summary.ts';
import { bundleInputs, makeDestination } from '../support/make-inputs.ts';
import { seeded } from '../support/simulated-job.ts';
import { checkFigures } from '../support/soak.ts';
import { NAME, START, STATE, TARGET } from '../support/world/names.ts';
import { type Outcome, startWorld, type World } from '../support/world.ts';

const RUNS = process.env.SOAK ? 2000 : 500;
const FAULT_RATE = 0.1;
const MAX_REQUESTS = 120;
const SECRET = makeDestination();

const FAULTS: readonly FaultEffect[] = [
  { status: 500 },
  { status: 502, body: '<html>bad gateway</html>', headers: { 'content-type': 'text/html' } },
  { status: 503 },
  { status: 503, headers: { 'retry-after': '2' } },
  { status: 429, headers: { 'retry-after': '7' } },
  { status: 408 },
  { status: 524 },
  { reset: 'before' },
  { reset: 'after' },
  { truncateAfterBytes: 5 },
];
// Bytes of unknown length that end too early are a damaged archive, and not a cut-off one.
const API_FAULTS: readonly FaultEffect[] = [
  ...FAULTS,
  { closeDelimited: true, truncateAfterBytes: 5 },
];
/** GitHub's faults that a repeatable call recovers from. */
const GITHUB_FAULTS: readonly FaultEffect[] = FAULTS.slice(0, 9);

interface Injectable {
  inject(fault: FaultEffect & { match: { nth: number } }): void;
}

/** Lets each of the coming requests meet a random fault with the given probability. */
function scatter(server: Injectable, faults: readonly FaultEffect[], random: () => number): void {
  let met = 0;
  for (let request = 1; request <= MAX_REQUESTS; request += 1) {
    const effect = random() < FAULT_RATE ? faults[Math.floor(random() * faults.length)] : undefined;
    if (effect === undefined) continue;
    // A fault does not count requests that met an earlier fault.
    server.inject({ ...effect, match: { nth: request - met } });
    met += 1;
  }
}

/** One run of a seed: each fourth with a secret, each fifth with a download. */
async function runSeed(world: World, seed: number): Promise<Outcome<PublishFacts>> {
  const random = seeded(seed);
  world.platform.reset();
  world.github.reset();
  // An existing variable: a creation whose reply is lost is reported and not repeated.
  world.github.setVariable(TARGET, { name: STATE, value: '{}' });
  scatter(world.platform, seed % 5 === 0 ? FAULTS : API_FAULTS, random);
  scatter(world.github, GITHUB_FAULTS, random);
  const bundle = bundleInputs(
    seed % 5 === 0 ? { bundlePath: `${world.root}/temp/${seed}.tar.gz` } : {},
  );
  return world.export({ bundle, to: seed % 4 === 0 ? SECRET : undefined }, { random });
}

test(`Of ${RUNS} exports with faults in every tenth request nearly all succeed, and none starts a second job`, {
  timeout: 1_200_000,
}, async () => {
  await using world = await startWorld({ platform: { exportJobs: { advance: 'poll', polls: 3 } } });
  const failed: string[] = [];
  const violations: string[] = [];
  let ambiguous = 0;
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const { facts, error, recorded } = await runSeed(world, seed);
    const hold = (holds: boolean, otherwise: string) =>
      holds || violations.push(`seed ${seed}: ${otherwise}`);
    hold(world.platform.exportJobs.length <= 1, 'one run started two exports');
    if (error?.mayHaveStarted && recorded.jobId === undefined) {
      ambiguous += 1;
      hold(
        world.calls(START).filter(({ status }) => status === 202).length <= 1,
        'two starts were accepted',
      );
      hold(error.message.includes('may have started'), 'an export may run, and nothing says so');
      continue;
    }
    if (error !== undefined) failed.push(`seed ${seed}: ${error.code}: ${error.message}`);
    else {
      hold(facts.status === 'completed', `green, but ${facts.status}`);
      hold(
        recorded.jobId === world.platform.exportJobs[0]?.jobId,
        'green, but another job is named',
      );
      const held = world.github.secret(TARGET, NAME)?.value;
      hold(
        seed % 4 !== 0 || held === recorded.bundleUrl,
        'green, but the secret holds another link',
      );
    }
  }
  expect(ambiguous).toBeGreaterThan(RUNS * 0.01);
  expect(ambiguous).toBeLessThan(RUNS * 0.12);
  // A start whose reply is lost is not repeated: the run says that an export may run.
  checkFigures({
    part: 'one process, export',
    runs: RUNS,
    recoverable: RUNS - ambiguous,
    failed,
    violations,
  });
});
