import { CourierError } from '../../src/ground/errors.ts';

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
