import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterRetryAfterMs,
  backoffMs,
  readRetryAfter,
  serverTimeMs,
} from '../../src/http/retries.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  it('Retry-After is whole seconds or a date in one of the three forms of HTTP', () => {
    expect(readRetryAfter('0', NOW)).toBe(0);
    expect(readRetryAfter('120', NOW)).toBe(120_000);
    expect(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', NOW)).toBe(60_000);
    expect(readRetryAfter('Thursday, 01-Jan-26 00:01:00 GMT', NOW)).toBe(60_000);
    expect(readRetryAfter('Thu Jan  1 00:01:00 2026', NOW)).toBe(60_000);
    expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', NOW)).toBe(0);
  });

  it('The clock of the server is the date of its reply and the age in a cache, else the own clock', () => {
    const date = 'Thu, 01 Jan 2026 00:10:00 GMT';
    expect(serverTimeMs({ date }, NOW)).toBe(NOW + 600_000);
    expect(serverTimeMs({ date, age: '60' }, NOW)).toBe(NOW + 660_000);
    expect(serverTimeMs({ date, age: '-60' }, NOW)).toBe(NOW + 600_000);
    for (const strange of [undefined, '', '0', '2026-01-01T00:10:00Z'])
      expect(serverTimeMs({ date: strange }, NOW)).toBe(NOW);
  });

  it('Any other value of Retry-After is ignored', () => {
    const strange = [
      '',
      '-5',
      '1e9',
      'abc',
      '120, 60',
      '3.5',
      '9'.repeat(400),
      ' 5',
      '5s',
      '2026-01-01T00:00:00Z',
      'Thursday, 01-January-26 00:00:00 GMT',
      'Thu Jan 1 00:01:00 2026',
      'Mon, 30 Feb 2026 00:00:00 GMT',
    ];
    for (const header of strange) expect(readRetryAfter(header, NOW)).toBeUndefined();
    expect(readRetryAfter(undefined, NOW)).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (header) => {
        const ms = readRetryAfter(header, NOW);
        return ms === undefined || (/^\d{1,10}$/.test(header) && ms === Number(header) * 1000);
      }),
    );
  });

  it('The wait is the whole Retry-After, and at most a tenth longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 120_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (ms, random) => {
          const wait = afterRetryAfterMs(ms, () => random);
          return wait >= ms && wait <= Math.ceil(ms * 1.1);
        },
      ),
    );
    expect([0, 0.5, 1].map((random) => afterRetryAfterMs(10_000, () => random))).toEqual([
      10_000, 10_500, 11_000,
    ]);
  });
});

describe('the default backoff', () => {
  it('The backoff is random up to a limit that doubles from half a second to twenty seconds', () => {
    const ceilings = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => backoffMs(attempt, () => 1));
    expect(ceilings).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
    expect(backoffMs(5, () => 0)).toBe(0);
  });
});
