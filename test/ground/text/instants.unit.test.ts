import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHttpDate, readTime } from '../../../src/ground/text/instants.ts';

test.each([
  ['2026-11-23T07:12:00Z', '2026-11-23T07:12:00.000Z'],
  ['2026-11-23t07:12:00.123456789z', '2026-11-23T07:12:00.123Z'],
  ['2026-11-23 07:12:00+0100', '2026-11-23T06:12:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['Mon, 23 Nov 2026 07:12:00 GMT', '2026-11-23T07:12:00.000Z'],
  ['2027-03-05T09:30Z', '2027-03-05T09:30:00.000Z'],
  ['2027-03-05 09:30:15 UTC', '2027-03-05T09:30:15.000Z'],
  ['2027-03-05T09:30:15.5+02', '2027-03-05T07:30:15.500Z'],
  ['2027-03-05 09:30:15 -0530', '2027-03-05T15:00:15.000Z'],
  ['20270305T093015Z', '2027-03-05T09:30:15.000Z'],
  ['20270305T0930+0100', '2027-03-05T08:30:00.000Z'],
  ['2027-03-05T09:30:15,250Z', '2027-03-05T09:30:15.250Z'],
  ['2027-03-05T09:30+01:00[Europe/Paris]', '2027-03-05T08:30:00.000Z'],
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
  '2027-03-05T09:30',
  '2027-03-05T09:30[Europe/Paris]',
  '2027-03-05 09:30:15 CET',
  '20270305T093015',
  '20270230T093015Z',
  '2027-0305T09:30Z',
  '2027-03-05T09:3015Z',
  '2027-03-05T09:30:15+02:75',
  '2027-03-05T09:30.5Z',
  '20270305',
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
