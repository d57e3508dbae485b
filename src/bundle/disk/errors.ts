import { CourierError, errnoOf } from '../../errors.ts';

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space in an earlier step, or use a larger runner.',
  EDQUOT: 'The disk quota is used up: free some space in an earlier step.',
  EROFS: 'That file system is read-only: choose a path below the workspace or RUNNER_TEMP.',
  EACCES: 'The runner may not write there: choose a path below the workspace or RUNNER_TEMP.',
  EPERM: 'The runner may not write there: choose a path below the workspace or RUNNER_TEMP.',
  EMFILE: 'Too many files are open on this runner: run the step again.',
};

/** `io`: a file operation failed. `what` is what was tried, such as `write to`; a CourierError is returned as it is. */
export function fileError(what: string, path: string, cause: unknown): CourierError {
  if (cause instanceof CourierError) return cause;
  const code = errnoOf(cause);
  return new CourierError({
    code: 'io',
    message: `Could not ${what} ${path}${code === undefined ? '' : ` (${code})`}.`,
    hint: HINTS[code ?? ''] ?? 'Check that the path is on a writable disk of this runner.',
    cause,
  });
}
