/** The one table from HTTP statuses and from Node's error codes to the error codes of this project. */
import type { ErrorCode } from '../errors.ts';

/**
 * Whether a failed call may be made again. `safe`: the other side has not acted. `if-repeatable`: it may have acted.
 * `no`: the same call would fail in the same way.
 */
export type Retry = 'safe' | 'if-repeatable' | 'no';

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'config',
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not-found',
  407: 'network',
  408: 'network',
  409: 'conflict',
  410: 'not-found',
  412: 'conflict',
  413: 'config',
  422: 'config',
  425: 'network',
  429: 'rate-limited',
};

/** The error code of a status outside of 2xx. */
export function codeOfStatus(status: number): ErrorCode {
  return CODE_OF_STATUS[status] ?? (status >= 500 ? 'network' : 'protocol');
}

/**
 * 429, and 503 with `Retry-After`, say that nothing was done (RFC 9110, section 10.2.3, and RFC 6585); any other failure
 * status may come after the other side has acted.
 */
export function retryOfStatus(status: number, retryAfterMs: number | undefined): Retry {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return 'safe';
  return status === 408 || status === 425 || status >= 500 ? 'if-repeatable' : 'no';
}

// Codes of Node's resolver and sockets for "the connection was never made".
const UNREACHABLE: readonly string[] = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
];

/** True for a code that says that the connection was never made. */
export function isUnreachable(code: string): boolean {
  return UNREACHABLE.includes(code);
}

/** All error codes in an error, its causes and the members of its AggregateErrors: Happy Eyeballs hides them there. */
export function systemCodes(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const members = error instanceof AggregateError ? error.errors : [];
  return [...own, ...[error.cause, ...members].flatMap((inner) => systemCodes(inner, depth + 1))];
}

const TLS_FAILURE =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH$|EPROTO$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/;

/** Certificate and handshake errors: repeating does not help, and nothing may switch the check off. */
export function isTlsFailure(codes: readonly string[]): boolean {
  return codes.some((code) => TLS_FAILURE.test(code));
}

/** A reply that Node's HTTP parser refused, such as one with headers beyond its limit. */
export function isParserFailure(codes: readonly string[]): boolean {
  return codes.some((code) => code.startsWith('HPE_'));
}
