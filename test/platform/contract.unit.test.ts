import { describe, expect, it } from 'vitest';
import { readInstant, updateStatus } from '../../src/platform/contract.ts';

describe('replies of the platform', () => {
  it('An expiry as an HTTP date is read', () => {
    expect(readInstant('Sun, 06 Nov 1994 08:49:37 GMT')?.toISOString()).toBe(
      '1994-11-06T08:49:37.000Z',
    );
  });

  it.each([
    '06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 06 Nov 1994',
    'Sun, 99 Nov 1994 08:49:37 GMT',
  ])('A date that is not exactly an HTTP date is not: %s', (text) => {
    expect(readInstant(text)).toBeUndefined();
  });

  it.each([
    {},
    { status: null, commit: null, logs: 'text' },
    { commit: { sha: 7 } },
    { commit: 'abc' },
  ])('No field of an update is required: %j', (body) => {
    expect(updateStatus.parse(body)).toMatchObject({});
  });

  it('A field of an update that is null is read as one that is absent', () => {
    const fields = [
      '_id',
      'projectId',
      'createdAt',
      'endedAt',
      'summary',
      'logs',
      'screenshot',
      'author',
      'commit',
    ];
    const nulls = Object.fromEntries(fields.map((field) => [field, null]));
    expect(updateStatus.parse({ ...nulls, status: 'success' })).toEqual({ status: 'success' });
    const commit = {
      sha: null,
      ref: null,
      filesChanged: { added: null, modified: [], removed: null },
    };
    expect(updateStatus.parse({ status: 'success', commit })).toEqual({
      status: 'success',
      commit: { filesChanged: { modified: [] } },
    });
  });
});
