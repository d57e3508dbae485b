import type { Log } from '../log.ts';

/**
 * The option of every connection with TLS, to a server or to a proxy. Without this option, Node.js
 * accepts any certificate if NODE_TLS_REJECT_UNAUTHORIZED is 0.
 */
export const CHECKED = { rejectUnauthorized: true };

/**
 * Warns if NODE_TLS_REJECT_UNAUTHORIZED is 0: it has no effect. Says what to do instead. Call it
 * once in a process.
 */
export function warnOfUncheckedTls(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return;
  log.warning(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here: Docs Courier checks every certificate. To trust a private authority, remove the variable and set NODE_EXTRA_CA_CERTS to the file of its certificate.',
  );
}
