import { describe, expect, test } from 'vitest';
import { readS3Options } from '../../../emulator/src/platform/s3-options.ts';

const asked = { s3Endpoint: 'http://127.0.0.1:9000', s3Bucket: 'bundles', linkLifetimeMs: 1000 };
const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('where the emulator keeps its bundles', () => {
  test('in memory, when no store is asked for', () => {
    expect(readS3Options({ ...asked, s3Endpoint: undefined, s3Bucket: undefined }, env)).toBeUndefined();
  });

  test('in the store, with credentials of the environment and a region that every store takes', () => {
    expect(readS3Options(asked, env)).toEqual({
      endpoint: 'http://127.0.0.1:9000',
      bucket: 'bundles',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: undefined,
    });
  });

  test.each([
    ['an endpoint without a bucket', { ...asked, s3Bucket: undefined }, env, /go together/],
    ['a bucket without an endpoint', { ...asked, s3Endpoint: undefined }, env, /go together/],
    ['what is no address', { ...asked, s3Endpoint: 'localhost' }, env, /must be an http or https address/],
    ['no credentials', asked, {}, /AWS_ACCESS_KEY_ID/],
    ['a link that would live longer than a signature may', { ...asked, linkLifetimeMs: 604_800_001 }, env, /168h/],
  ])('%s is an error that says what is missing', (_, given, environment, message) => {
    expect(() => readS3Options(given, environment)).toThrow(message);
  });
});
