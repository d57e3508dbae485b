import { test } from 'vitest';
import { checkFigures } from '../../support/soak.ts';
import { runTrial, type Trial } from './trials.ts';

const isSoak = process.env['SOAK'] === '1';
// 860 trials of export and refresh are 2,000 processes, 287 of agent are 860. `CHAOS_SEEDS=7-9`
// repeats these, with their logs.
const SEEDS = seedsOf(process.env['CHAOS_SEEDS'] ?? (isSoak ? '1-1147' : '1-4'));
// A process that meets faults mostly waits.
const AT_ONCE = isSoak ? 8 : 2;
const PARTS = {
  'export and refresh': ['export', 'bundle', 'refresh'],
  agent: ['agent'],
};

function seedsOf(range: string): number[] {
  const [from = 1, to = from] = range.split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

async function runAll(): Promise<Trial[]> {
  const waiting = [...SEEDS];
  const trials: Trial[] = [];
  const work = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const trial = await runTrial(seed);
      trials.push(trial);
      if (process.env['CHAOS_SEEDS'] !== undefined) report(trial);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return trials;
}

function report({ seed, mode, mustSucceed, error, violations, log }: Trial): void {
  const isBad = violations.length > 0 || (mustSucceed && error !== undefined);
  console.log(
    `seed ${seed}: ${mode}${mustSucceed ? ', must succeed' : ''}: ${error ?? 'green'} ${violations.join('; ')}`,
  );
  if (isBad) console.log(log);
}

test(`${SEEDS.length} seeds of whole processes against failing servers violate no invariant`, {
  timeout: SEEDS.length * 60_000 + 120_000,
}, async () => {
  const trials = await runAll();
  for (const [part, modes] of Object.entries(PARTS)) {
    const ofPart = trials.filter(({ mode }) => modes.includes(mode));
    const hopeful = ofPart.filter(({ mustSucceed }) => mustSucceed);
    checkFigures({
      part: `whole processes, ${part} (${ofPart.length} seeds)`,
      runs: ofPart.reduce((sum, { processes }) => sum + processes, 0),
      recoverable: hopeful.length,
      failed: hopeful
        .filter(({ error }) => error !== undefined)
        .map(({ seed, mode, error }) => `seed ${seed} (${mode}): ${error}`),
      violations: ofPart.flatMap(({ seed, mode, violations }) =>
        violations.map((one) => `seed ${seed} (${mode}): ${one}`),
      ),
    });
  }
});
