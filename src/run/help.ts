import type { ErrorCode } from '../errors.ts';

/** Where the documentation of this version is read. */
const DOCUMENTATION = 'https://github.com/docs-courier/docs-courier/blob/v1/docs';

const SETUP = 'errors-setup';
const REMOTE = 'errors-remote';
const BUNDLE = 'errors-bundle';

const PAGES: Readonly<Record<ErrorCode, string>> = {
  config: SETUP,
  unauthorized: SETUP,
  forbidden: SETUP,
  'not-found': SETUP,
  refused: SETUP,
  conflict: REMOTE,
  'rate-limited': REMOTE,
  'job-failed': REMOTE,
  'timed-out': REMOTE,
  network: REMOTE,
  protocol: REMOTE,
  integrity: BUNDLE,
  'unsafe-archive': BUNDLE,
  'checks-failed': BUNDLE,
  io: BUNDLE,
  cancelled: BUNDLE,
};

/** The address of a page of the documentation, such as `how-to/refresh.md`. */
export function documentation(path: string): string {
  return `${DOCUMENTATION}/${path}`;
}

/** The section about an error code. */
export function helpAddress(code: ErrorCode): string {
  return documentation(`reference/${PAGES[code]}.md#error-${code}`);
}
