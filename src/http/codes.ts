/** OpenSSL's reasons if the other side does not speak TLS, such as a port for http. */
const NO_TLS_REASON = /wrong version number|packet length too long|http request/i;

/** True for a code of Node's resolver or sockets which says that the connection was never made. */
export function isUnreachable(code: string): boolean {
  return /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/.test(code);
}

/**
 * All error codes in an error, in its causes and in the members of its AggregateErrors. Node.js
 * makes an AggregateError when it has tried several addresses of a host (Happy Eyeballs).
 */
export function systemCodes(error: unknown, depth = 0): string[] {
  // An error can be its own cause, so that the depth has a limit.
  if (!(error instanceof Error) || depth > 8) return [];
  const codes = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const members = error instanceof AggregateError ? error.errors : [];
  // With EPROTO, Node.js gives the reason of OpenSSL only in the text of the error.
  if (codes.includes('EPROTO') && NO_TLS_REASON.test(error.message)) {
    codes.push('ERR_SSL_WRONG_VERSION_NUMBER');
  }
  return [...codes, ...[error.cause, ...members].flatMap((inner) => systemCodes(inner, depth + 1))];
}

const TLS_FAILURE =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH$|EPROTO$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/;

/**
 * True if one of the codes is that of a certificate or handshake error: repeating the call does not
 * help.
 */
export function isTlsFailure(codes: readonly string[]): boolean {
  return codes.some((code) => TLS_FAILURE.test(code));
}

/**
 * As `isTlsFailure`, for an error with its causes: a loop that polls must end with such an error.
 */
export function isTlsError(error: unknown): boolean {
  return isTlsFailure(systemCodes(error));
}
