import { expect, test } from 'vitest';
import { runTrial, type Trial } from './trials.ts';

// `npm run soak` runs 2,000 trials of two or three processes each. `CHAOS_SEEDS=7-9` repeats these, with their logs.
const SEEDS = seedsOf(process.env['CHAOS_SEEDS'] ?? (process.env['SOAK'] === '1' ? '1-2000' : '1-6'));
const AT_ONCE = 2;

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
  const violations = trials.flatMap(({ seed, mode, violations: all }) =>
    all.map((one) => `seed ${seed} (${mode}): ${one}`),
  );
  expect(violations).toEqual([]);
  const hopeful = trials.filter(({ mustSucceed }) => mustSucceed);
  const failed = hopeful
    .filter(({ error }) => error !== undefined)
    .map(({ seed, mode, error }) => `seed ${seed} (${mode}): ${error}`);
  expect(failed.length, failed.join('\n')).toBeLessThanOrEqual(hopeful.length * 0.001);
});
