import { describe, expect, it } from 'vitest';
import { measureFollowing } from '../bench/follow.ts';

describe('the schedule over a thousand simulated jobs', () => {
  const figures = measureFollowing();

  it.each(figures)(
    'The schedule sees the end of $temper jobs of $length within the allowed delay',
    ({ delayShare, jobs }) => {
      expect(jobs).toBeGreaterThan(5);
      expect(delayShare).toBeLessThanOrEqual(1);
    },
  );

  it('Steady jobs over two minutes are polled no more often than by a ten-second loop', () => {
    const long = figures.filter(
      ({ temper, length }) => temper === 'steady' && /^(2|10) to/.test(length),
    );
    expect(long).toHaveLength(2);
    for (const { requests } of long) expect(requests[0]).toBeLessThanOrEqual(requests[1]);
  });

  it('Jobs without progress of any length are polled no more often than by a ten-second loop, and seen no later', () => {
    const silent = figures.filter(({ temper }) => temper === 'silent');
    expect(silent).toHaveLength(4);
    for (const { requests, delayS } of silent) {
      expect(requests[0]).toBeLessThanOrEqual(requests[1]);
      expect(delayS[0]).toBeLessThanOrEqual(delayS[1]);
    }
  });

  it('Jobs over ten minutes are polled no more often than by a ten-second loop', () => {
    const long = figures.filter(({ length }) => length.startsWith('10 to'));
    expect(long).toHaveLength(4);
    for (const { requests } of long) expect(requests[0]).toBeLessThanOrEqual(requests[1]);
  });
});
