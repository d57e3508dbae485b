// Codes of Node's resolver and sockets for "the connection was never made".
const UNREACHABLE: readonly string[] = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
];

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

/** Certificate and handshake errors: repeating does not help, and nothing may switch the check off. */
export function isTlsFailure(codes: readonly string[]): boolean {
  return codes.some((code) =>
    /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO$|INVALID_CA|INVALID_PURPOSE)/.test(
      code,
    ),
  );
}
