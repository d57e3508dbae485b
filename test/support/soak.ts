import { expect } from 'vitest';

interface Figures {
  /** What ran, as the start of a line. */
  readonly part: string;
  readonly runs: number;
  /** How many of them met only what a run recovers from. */
  readonly recoverable: number;
  /** Those of them that did not end right, as sentences with their seed. */
  readonly failed: readonly string[];
  /** Violated invariants, as sentences with their seed. */
  readonly violations: readonly string[];
}

/**
 * `npm run soak` prints these figures. No invariant is violated, and 99.9 % of the recoverable runs
 * end right, in every test.
 */
export function checkFigures({ part, runs, recoverable, failed, violations }: Figures): void {
  if (process.env['SOAK'] === '1') {
    const right = recoverable - failed.length;
    const share = recoverable === 0 ? '-' : `${((100 * right) / recoverable).toFixed(2)} %`;
    console.log(
      `soak: ${part}: ${runs} runs, ${recoverable} with recoverable faults, ended right ${right} (${share}), violated invariants ${violations.length}`,
    );
  }
  expect(violations, violations.join('\n')).toEqual([]);
  expect(failed.length, failed.join('\n')).toBeLessThanOrEqual(recoverable * 0.001);
}
