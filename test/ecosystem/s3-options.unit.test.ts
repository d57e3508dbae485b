import { describe, expect, test } from 'vitest';
import { readS3Options } from '../../emulator/src/platform/s3-options.ts';

const asked = { s3Endpoint: 'http://127.0.0.1:9000', s3Bucket: 'bundles', linkLifetimeMs: 1000 };
const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe("the emulator's storage of bundles", () => {
  test('The emulator keeps bundles in memory if no store is requested', () => {
    expect(
      readS3Options({ ...asked, s3Endpoint: undefined, s3Bucket: undefined }, env),
    ).toBeUndefined();
  });

  test('The emulator keeps bundles in the store, with credentials of the environment and a default region', () => {
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
    ['An endpoint without a bucket', { ...asked, s3Bucket: undefined }, env, /go together/],
    ['A bucket without an endpoint', { ...asked, s3Endpoint: undefined }, env, /go together/],
    [
      'An invalid address',
      { ...asked, s3Endpoint: 'localhost' },
      env,
      /must be an http or https address/,
    ],
    ['A store without credentials', asked, {}, /AWS_ACCESS_KEY_ID/],
    [
      'A link that would live longer than its signature',
      { ...asked, linkLifetimeMs: 604_800_001 },
      env,
      /168h/,
    ],
  ])('%s is an error that says why', (_, given, environment, message) => {
    expect(() => readS3Options(given, environment)).toThrow(message);
  });
});
