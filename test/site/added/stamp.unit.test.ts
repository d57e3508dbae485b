import { describe, expect, test } from 'vitest';
import { fingerprintWith } from '../../../src/site/added/add.ts';
import { readStamp } from '../../../src/site/added/stamp/stamp.ts';

const STAMP = {
  version: 1,
  site: 'docs.example.com',
  project: null,
  exportJobId: 'exp_1',
  exportedAt: '2026-03-01T09:10:00.000Z',
  commit: { id: 'a'.repeat(40), from: 'acme-docs, check run 12' },
  label: 'v2',
  pages: 3,
  fingerprint: 'f'.repeat(64),
};

describe('the stamp of a published site', () => {
  test('A stamp is read as it was written, and members of a later version are left out', () => {
    const text = JSON.stringify({ ...STAMP, later: '<script>' });
    expect(readStamp(text)).toEqual({ ok: true, stamp: STAMP });
  });

  test.each([
    ['', 'is not JSON'],
    ['<!doctype html><p>Not found', 'is not JSON'],
    ['[]', 'is not a stamp of Docs Courier'],
    ['"docs"', 'is not a stamp of Docs Courier'],
    [
      JSON.stringify({ version: 2, fingerprint: '' }),
      'has version 2, and this Docs Courier reads version 1',
    ],
    [JSON.stringify({ ...STAMP, version: '1' }), 'is not a stamp of Docs Courier'],
    [JSON.stringify({ ...STAMP, version: 1.5 }), 'is not a stamp of Docs Courier'],
    [
      JSON.stringify({ ...STAMP, fingerprint: 'short' }),
      'is not a valid stamp: fingerprint is invalid',
    ],
    [
      JSON.stringify({ ...STAMP, exportJobId: '../../..' }),
      'is not a valid stamp: exportJobId is invalid',
    ],
    [
      JSON.stringify({ ...STAMP, exportedAt: 'yesterday' }),
      'is not a valid stamp: exportedAt is invalid',
    ],
    [
      JSON.stringify({ ...STAMP, exportedAt: 'Sun, 01 Mar 2026 09:10:00 GMT' }),
      'is not a valid stamp: exportedAt is invalid',
    ],
    [
      JSON.stringify({ ...STAMP, exportedAt: '2026-02-30T09:10:00.000Z' }),
      'is not a valid stamp: exportedAt is invalid',
    ],
    [JSON.stringify({ ...STAMP, pages: -1 }), 'is not a valid stamp: pages is invalid'],
    [JSON.stringify({ ...STAMP, site: 'x'.repeat(256) }), 'is not a valid stamp: site is invalid'],
    [
      JSON.stringify({ ...STAMP, commit: { ...STAMP.commit, id: '"; rm' } }),
      'is not a valid stamp: commit.id is invalid',
    ],
    [JSON.stringify(Object.fromEntries([['__proto__', STAMP]])), 'is not a stamp of Docs Courier'],
  ])('The text %s is not a stamp', (text, problem) => {
    expect(readStamp(text)).toEqual({ ok: false, problem });
  });
});

describe('what is added', () => {
  test('The fingerprint that decides about an image depends on the content and on the set of parts', () => {
    const content = 'c'.repeat(64);
    expect(fingerprintWith(content, [])).toBe(content);
    const stamped = fingerprintWith(content, ['stamp']);
    expect(stamped).toMatch(/^[0-9a-f]{64}$/);
    expect(stamped).not.toBe(content);
    expect(fingerprintWith('d'.repeat(64), ['stamp'])).not.toBe(stamped);
    expect(fingerprintWith(content, ['stamp', 'search'])).toBe(
      fingerprintWith(content, ['search', 'stamp']),
    );
    expect(fingerprintWith(content, ['stamp', 'search'])).not.toBe(stamped);
  });
});
