import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateWindow } from '../src/platform/rate-window.ts';

test('A window of the given length never contains more uses than the limit, and the reported wait is exact', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(400), { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (gaps, limit) => {
        const window = createRateWindow(1000);
        const granted: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const wait = window.take({ key: 'k', limit, now });
          const recent = granted.filter((at) => at > now - 1000);
          expect(wait === undefined).toBe(recent.length < limit);
          if (wait !== undefined) {
            now += wait;
            expect(window.take({ key: 'k', limit, now })).toBeUndefined();
          }
          granted.push(now);
          expect(granted.filter((at) => at > now - 1000).length).toBeLessThanOrEqual(limit);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('Keys are counted separately, and clearing removes all counts', () => {
  const window = createRateWindow(1000);
  expect(window.take({ key: 'a', limit: 1, now: 0 })).toBeUndefined();
  expect(window.take({ key: 'b', limit: 1, now: 0 })).toBeUndefined();
  expect(window.take({ key: 'a', limit: 1, now: 400 })).toBe(600);
  window.clear();
  expect(window.take({ key: 'a', limit: 1, now: 400 })).toBeUndefined();
});
