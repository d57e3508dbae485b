import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { errorCodes, errorWords, refusalIn } from '../../../src/stores/registry/replies.ts';

const replyOf = (status: number, body: unknown) => ({
  status,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  lengthKnown: true,
});

test.each([
  [{ errors: [{ code: 'DENIED', message: 'no' }] }, 'DENIED no'],
  [{ errors: [{ message: 'blocked by policy' }] }, 'blocked by policy'],
  [{ errors: [{ code: 'A' }, { code: 'B', message: 'b' }] }, 'A; B b'],
  [{ details: 'incorrect username or password' }, 'incorrect username or password'],
  [{ error: 'invalid_grant', error_description: 'expired' }, 'invalid_grant; expired'],
  [{ message: 'not here' }, 'not here'],
  ['<html>', ''],
  [[], ''],
  [{ errors: 'none' }, ''],
])('The words of the reply %j are "%s"', (body, words) => {
  expect(errorWords(replyOf(403, body))).toBe(words);
});

test.each([
  [403, 'adding 12.0 MiB would exceed the quota', 'forbidden'],
  [412, 'storage limit reached', 'forbidden'],
  [415, 'unsupported media type', 'config'],
  [400, 'media type application/vnd.oci.image.manifest.v1+json is not supported', 'config'],
  [403, 'installation not allowed to create a package', undefined],
  // A limit of calls is another thing.
  [429, 'quota exceeded', undefined],
  [503, 'quota exceeded', undefined],
])('A %i with the words "%s" means %s', (status, message, code) => {
  const reply = replyOf(status, { errors: [{ code: 'X', message }] });
  expect(refusalIn(reply)?.code).toBe(code);
  expect(errorCodes(reply)).toEqual(['X']);
});
