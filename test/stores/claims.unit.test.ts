import { expect, test } from 'vitest';
import { courierError } from '../../src/ground/errors.ts';
import { claimsAmong } from '../../src/stores/claims.ts';
import { expectError, failureOf } from '../support/failure.ts';

const conflict = courierError('conflict', 'It exists.', 'Try again.');

function claims(prepare: () => Promise<void>) {
  const texts = {
    prepare,
    create: () => Promise.reject(conflict),
    find: () => Promise.resolve(undefined),
    remove: () => Promise.resolve(),
  };
  return claimsAmong(texts, 'STATE');
}

test('Only a conflict about the claim itself says that the claim exists', async () => {
  expect(await claims(() => Promise.resolve()).create(7, '{}')).toBe(false);
  expectError(await failureOf(claims(() => Promise.reject(conflict)).create(7, '{}')), {
    code: 'conflict',
    message: 'It exists.',
  });
});
