import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, sign, verify } from '../../src/ground/signature.ts';

const secret = 'svc_0123456789abcdef';
const signing = {
  secret,
  purpose: 'docs-courier/record/v1',
  payload: { job: 'j1', state: 'sent' },
};

test('A signature is valid for the same payload, whatever the order of its keys', () => {
  const signature = sign(signing);
  expect(verify({ ...signing, payload: { state: 'sent', job: 'j1' }, signature })).toBe(true);
  expect(signature).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test.each([
  ['another secret', { secret: 'svc_0123456789abcdeg' }],
  ['another purpose', { purpose: 'docs-courier/state/v1' }],
  ['another payload', { payload: { job: 'j2', state: 'sent' } }],
])('A signature is not valid for %s', (_name, change) => {
  expect(verify({ ...signing, ...change, signature: sign(signing) })).toBe(false);
});

test('A text of another length or with other characters is not a signature', () => {
  for (const signature of ['', 'x', 'é'.repeat(43), sign(signing).slice(1), `${sign(signing)}=`]) {
    expect(verify({ ...signing, signature })).toBe(false);
  }
});

test('A secret of any length can sign', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 2000 }), fc.jsonValue(), (key, payload) => {
      const one = { secret: key, purpose: 'p', payload };
      expect(verify({ ...one, signature: sign(one) })).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('Canonical JSON keeps the values and orders the keys at every depth', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: undefined })).toBe('{"b":[{"c":2,"d":1}]}');
});
