import type { Log } from '../ground/log.ts';

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

/** How messages name the other side of a connection, and the settings that are about it. */
interface Connection {
  /** The host with its port, and the proxy, if the certificate may be that of the proxy. */
  readonly host: string;
  /** The setting with the address of the host, such as `base-url`. */
  readonly addressSetting: string;
  /** How to trust the certificate of a private authority. */
  readonly trust: string;
}

/**
 * What each cause means, by the codes of Node.js and OpenSSL, with what can be done about it. HOST
 * and SETTING stand for those of a `Connection`.
 */
const CAUSES: readonly (readonly [codes: RegExp, advice: string])[] = [
  [
    /^CERT_HAS_EXPIRED$/,
    'The certificate of HOST has expired: who runs it has to renew it. If it has not, the clock of this machine is wrong.',
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    'The certificate of HOST is not valid yet. If it should be, the clock of this machine is behind.',
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'The certificate of HOST is for another name. Write the name of the certificate in SETTING, or let who runs it add this name to the certificate.',
  ],
  [
    /^(CERT_REVOKED|CERT_REJECTED)$/,
    'The certificate of HOST was revoked: who runs it has to replace it.',
  ],
  [
    // Before TLS 1.3 a server closes the handshake with one of the first two.
    /^ERR_SSL_(SSLV3_ALERT_HANDSHAKE_FAILURE|SSLV3_ALERT_BAD_CERTIFICATE|TLSV13_ALERT_CERTIFICATE_REQUIRED|TLSV1_ALERT_UNKNOWN_CA)$/,
    'HOST ended the handshake: it may require a client certificate, which this connection has not or which HOST does not accept, or offer only ciphers that are no longer safe.',
  ],
  [
    /^(ERR_SSL_(UNSUPPORTED_PROTOCOL|TLSV1_ALERT_PROTOCOL_VERSION|NO_PROTOCOLS_AVAILABLE|DH_KEY_TOO_SMALL|EE_KEY_TOO_SMALL|CA_KEY_TOO_SMALL|CA_MD_TOO_WEAK|LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED|UNSAFE_LEGACY_RENEGOTIATION_DISABLED)|CA_MD_TOO_WEAK|EE_KEY_TOO_SMALL|CA_KEY_TOO_SMALL)$/,
    'HOST offers only versions of TLS, or keys, that are no longer safe: who runs it has to update it.',
  ],
];

/** What to do about a certificate or handshake that failed with these codes. */
export function certificateAdvice(codes: readonly string[], at: Connection): string {
  for (const [cause, advice] of CAUSES) {
    if (!codes.some((code) => cause.test(code))) continue;
    const ofHost = advice.replaceAll('HOST', () => at.host);
    return `${ofHost.replace('SETTING', () => at.addressSetting)} ${NEVER_OFF}`;
  }
  return `The certificate of ${at.host} was not accepted. For a private authority ${at.trust}. ${NEVER_OFF}`;
}

const NEVER_OFF = 'Checking is never switched off.';
