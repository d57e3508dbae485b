import { CourierError } from '../../errors.ts';

/** The same failure with what it means for the link. A cancelled run has its own words. */
export function withMeaning(error: unknown, meaning: string): unknown {
  if (!(error instanceof CourierError) || error.code === 'cancelled') return error;
  return error.with({ message: `${error.message} ${meaning}` });
}

/** Two runs write one destination. */
export function conflictError(message: string, jobId: string | undefined): CourierError {
  const anyway = jobId === undefined ? '' : ' To write the link of this job all the same, give its id:';
  return new CourierError({
    code: 'conflict',
    message,
    hint: {
      text: `Let only one run at a time write a destination, with a concurrency group.${anyway}`,
      inputs: jobId === undefined ? undefined : { 'export-job-id': jobId },
    },
  });
}

/** Runs it; a failure says what it means. */
export async function explained<T>(meaning: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw withMeaning(error, meaning);
  }
}

/** Only a refusal leads back. After a cut, a 5xx, or a write that was accepted and does not show, nobody knows. */
export function isRefusal(error: unknown): boolean {
  return error instanceof CourierError && !error.mayHaveStarted && error.code !== 'cancelled';
}

/** The first error, with the messages of all; undefined: there is none. */
export function joined(errors: readonly CourierError[]): CourierError | undefined {
  const [first, ...others] = new Set(errors);
  if (first === undefined || others.length === 0) return first;
  return first.with({ message: [first, ...others].map(({ message }) => message).join('\n') });
}
