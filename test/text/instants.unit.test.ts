import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHttpDate, readTime } from '../../src/text/instants.ts';

test.each([
  ['2026-11-23T07:12:00Z', '2026-11-23T07:12:00.000Z'],
  ['2026-11-23t07:12:00.123456789z', '2026-11-23T07:12:00.123Z'],
  ['2026-11-23 07:12:00+0100', '2026-11-23T06:12:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['Mon, 23 Nov 2026 07:12:00 GMT', '2026-11-23T07:12:00.000Z'],
])('The time %s is %s', (text, iso) => {
  expect(new Date(readTime(text) ?? 0).toISOString()).toBe(iso);
});

test.each([
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-04-31T12:00:00+02:00',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01',
  'Mon, 30 Feb 2026 00:00:00 GMT',
  'Mon, 23 Nyv 2026 00:00:00 GMT',
  'Mon, 23 Nov 2026 00:00:00 CET',
  '1 March 2026',
  '',
  undefined,
  null,
])('The text %j is not a time', (text) => {
  expect(readTime(text)).toBeUndefined();
});

test('Every time that JavaScript writes is read as itself', () => {
  const date = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, (time) => {
      expect(readTime(time.toISOString())).toBe(time.getTime());
      expect(readHttpDate(time.toUTCString())).toBe(Math.floor(time.getTime() / 1000) * 1000);
    }),
  );
});
