import { expect } from 'vitest';
import { CourierError } from '../../src/ground/errors.ts';
import { hintOf } from './make-run.ts';

type Fields = 'httpStatus' | 'mayHaveActed' | 'retryAfterMs' | 'lacksPermission';

/** What an error must have; a text or pattern must be found in its message or hint. */
interface ExpectedError extends Partial<Pick<CourierError, Fields>> {
  readonly code?: string;
  readonly message?: string | RegExp;
  /** As GitHub's log shows it, or fields of it. */
  readonly hint?: string | RegExp | object;
}

/** An error of this program with these fields and texts. */
export function expectError(error: unknown, expected: ExpectedError): void {
  const { message, hint, ...fields } = expected;
  expect(error).toBeInstanceOf(CourierError);
  expect(error).toMatchObject(fields);
  if (message !== undefined) expect(Object(error).message).toMatch(message);
  if (typeof hint === 'string' || hint instanceof RegExp) expect(hintOf(error)).toMatch(hint);
  else if (hint !== undefined) expect(error).toMatchObject({ hint });
}

/** The error of a rejected promise; fails if it was not rejected. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It succeeded.');
    },
    (error: unknown) => error,
  );
}

/** The error of a rejected promise, which must be one of this program. */
export async function failureOf(promise: Promise<unknown>): Promise<CourierError> {
  const error = await failure(promise);
  if (error instanceof CourierError) return error;
  throw new Error('It did not fail with a CourierError.', { cause: error });
}
