import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_POLL_MS,
  MIN_POLL_MS,
  nextPollMs,
  type Observation,
  predictEndMs,
  readFractions,
} from '../../src/platform/follow.ts';

const middle = () => 0.5;
const at = (atMs: number, progress?: unknown): Observation => ({ atMs, progress });

describe('the time until the next poll', () => {
  it('The wait is half of the remaining time that steady progress predicts', () => {
    expect(nextPollMs([at(1000, 10), at(5000, 50)], middle)).toBe(2500);
  });

  it('The wait is a tenth of the elapsed time if progress does not advance', () => {
    expect(nextPollMs([at(1000, 10), at(60_000, 10)], middle)).toBe(6000);
  });

  it.each([undefined, null, 'unknown', -1])(
    'The wait is ten seconds if the progress is %j at each poll',
    (progress) => {
      for (const random of [0, 1]) {
        expect(nextPollMs([at(1000, progress)], () => random)).toBe(10_000);
        expect(nextPollMs([at(1000, progress), at(600_000, progress)], () => random)).toBe(10_000);
      }
    },
  );

  it('The wait is always one to fifteen seconds, whatever the job reports', () => {
    const observation = fc.record({
      atMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      progress: fc.oneof(
        fc.double(),
        fc.integer(),
        fc.string(),
        fc.constant(undefined),
        fc.object(),
        fc.constant(null),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(observation, { maxLength: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seen, random) => {
          const ms = nextPollMs(seen, () => random);
          return ms >= MIN_POLL_MS && ms <= MAX_POLL_MS;
        },
      ),
    );
  });

  it('The wait varies by a tenth, so many runs do not poll at the same time', () => {
    const seen = [at(1000, 0), at(100_000, 0)];
    expect(nextPollMs(seen, () => 0)).toBe(9000);
    expect(nextPollMs(seen, () => 1)).toBe(11_000);
  });

  it('The wait does not shrink to nothing if progress goes backwards or stalls', () => {
    const stalled = [at(1000, 10), at(2000, 20), at(100_000, 20), at(101_000, 5)];
    expect(nextPollMs(stalled, middle)).toBeGreaterThan(9000);
  });
});

describe('progress of unknown unit', () => {
  it('Progress is a fraction if it has decimals up to one, else percent', () => {
    expect(readFractions([at(1, 0.25), at(2, 1)])).toEqual([0.25, 1]);
    expect(readFractions([at(1, 1), at(2, 50)])).toEqual([0.01, 0.5]);
    expect(readFractions([at(1, '40%'), at(2, ' 60 ')])).toEqual([0.4, 0.6]);
  });

  it.each([Number.NaN, -1, 500, 'half', {}, null, '1e9', Number.POSITIVE_INFINITY])(
    'The progress %s is ignored',
    (progress) => {
      expect(readFractions([at(1, 10), at(2, progress)])[1]).toBeUndefined();
    },
  );

  it('A single progress value predicts no end', () => {
    expect(predictEndMs([at(1000, 50)])).toBeUndefined();
    expect(predictEndMs([at(1000, 50), at(2000, 50)])).toBeUndefined();
    expect(predictEndMs([at(1000, 50), at(2000, 75)])).toBe(3000);
  });
});
