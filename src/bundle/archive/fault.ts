import { CourierError, errnoOf } from '../../errors.ts';
import { plainLine } from '../../text/escape.ts';

/** The archive does what no documentation bundle needs to do: nothing of it is kept. */
export function unsafe(reason: string, name?: string): CourierError {
  const where = name === undefined ? '' : ` at "${plainLine(name, 120)}"`;
  return new CourierError({
    code: 'unsafe-archive',
    message: `The bundle is not safe to unpack${where}: ${reason}.`,
    hint: 'Nothing of it was unpacked. Tell the platform about it; do not unpack this archive with other tools.',
  });
}

/** The archive is not what was sent off: cut, changed on the way, or made wrong. */
export function damaged(reason: string, cause?: unknown): CourierError {
  return new CourierError({
    code: 'integrity',
    message: `The bundle is damaged: ${reason}.`,
    hint: 'Nothing of it was kept. Run again; with export-job-id no second export is started.',
    cause,
  });
}

/** A file operation failed. `what` says what was being done, `path` to what. */
export function fileFault(what: string, path: string, cause: unknown): CourierError {
  if (cause instanceof CourierError) return cause;
  const code = errnoOf(cause);
  return new CourierError({
    code: 'io',
    message: `Could not ${what} ${path}${code === undefined ? '' : ` (${code})`}.`,
    hint: FILE_HINTS[code ?? ''] ?? 'Check that the path is on a writable disk of this runner.',
    cause,
  });
}

const FILE_HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space in an earlier step, or use a larger runner.',
  EDQUOT: 'The disk quota is used up.',
  EROFS: 'That file system is read-only: choose a path below the workspace or RUNNER_TEMP.',
  EACCES: 'The runner may not write there: choose a path below the workspace or RUNNER_TEMP.',
  EPERM: 'The runner may not write there: choose a path below the workspace or RUNNER_TEMP.',
  EMFILE: 'Too many files are open on this runner; run the step again.',
};
