import {
  type CourierError,
  courierError,
  type ErrorCode,
  type Hint,
  protocolError,
} from '../ground/errors.ts';
import { formatDuration } from '../ground/text/amounts.ts';
import { plainLine } from '../ground/text/escape.ts';
import { fieldOf, parseJson } from '../ground/text/json.ts';
import { excerpt, type Redact } from '../ground/text/redact.ts';
import { certificateAdvice } from './certificates.ts';
import { isTlsFailure, isUnreachable, systemCodes } from './codes.ts';
import type { ExchangeError, ExchangeLimits, HttpReply } from './exchange.ts';
import { PRIVATE_ADDRESS } from './hosts.ts';
import { proxyName } from './proxy.ts';
import { readRetryAfter, serverTimeMs } from './retries.ts';

/**
 * A remote service: how messages name it, and what its failure replies mean if that differs from
 * the common table.
 */
export interface Service {
  /** Such as `the platform`. */
  readonly name: string;
  /** The setting to check when the service is not reached, such as `base-url`. */
  readonly addressSetting: string;
  /** Where a person finds the address of the service, as a sentence. */
  readonly addressHelp?: string;
  /**
   * The setting that takes the certificate of a private authority, such as `VAULT_CACERT`; without
   * it, NODE_EXTRA_CA_CERTS.
   */
  readonly authoritySetting?: string;
  /** Replies of the service contain keys: no message quotes a reply. */
  readonly givesKeys?: boolean;
  /** The service's own words in an error reply, raw: they are redacted, made inert and cut here. */
  readonly errorText?: (reply: HttpReply) => string | undefined;
  /** What a failure status means here; what is left out comes from the common table. */
  readonly meaning?: (reply: HttpReply, context: MeaningContext) => Meaning | undefined;
}

/**
 * Whether a failed call may be made again. `safe`: yes, the other side has not acted.
 * `if-repeatable`: it may have acted, so only if repeating does no harm. `no`: the same call would
 * fail in the same way.
 */
type Retry = 'safe' | 'if-repeatable' | 'no';

export interface MeaningContext {
  /** The wall clock of the service, else that of this machine; epoch milliseconds. */
  readonly nowMs: number;
  /** The address of the request. */
  readonly url: URL;
  /** How often this call was throttled before. */
  readonly throttles: number;
  /** The `Retry-After` header. */
  readonly retryAfterMs: number | undefined;
}

export interface Meaning {
  readonly code?: ErrorCode | undefined;
  readonly hint?: string | Hint | undefined;
  readonly retry?: Retry | undefined;
  /**
   * How long to wait before the next call, if the reply says it elsewhere than in `Retry-After`.
   */
  readonly retryAfterMs?: number | undefined;
  /** The reply says that the credentials lack a permission. */
  readonly lacksPermission?: boolean | undefined;
}

/** What a failure means by its words: of the rows that fit, the first one counts. */
export type Meanings = readonly (readonly [words: RegExp, meaning: Meaning])[];

export function meaningOf(words: string, meanings: Meanings): Meaning | undefined {
  return meanings.find(([pattern]) => pattern.test(words))?.[1];
}

/** One attempt that did not give a value. */
export interface Failure {
  readonly error: CourierError;
  readonly retry: Retry;
  /** How long the service asks to wait before the next call. */
  readonly retryAfterMs?: number | undefined;
}

/** How messages name one call, and the redaction of what they quote. */
export interface CallWords {
  /** Such as `GET https://example.com/path`, without the query. */
  readonly name: string;
  readonly url: URL;
  readonly service: Service;
  readonly redact: Redact;
}

const MAX_ERROR_TEXT = 500;
const MAX_BODY_SAMPLE = 200;
/** OpenSSL's codes if the other side does not speak TLS, such as a port for http. */
const NO_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;

/** A status outside of 2xx as the error that the user sees. `ownMs`: the clock of this machine. */
export function statusFailure(
  reply: HttpReply,
  call: CallWords,
  ownMs: number,
  throttles: number,
): Failure {
  const foreign = errorOfForeignReply(reply, call);
  if (foreign !== undefined) return { error: foreign, retry: 'no' };
  const status = reply.status;
  const nowMs = serverTimeMs(reply.headers, ownMs);
  const headerMs = readRetryAfter(reply.headers['retry-after'], nowMs);
  const context = { nowMs, throttles, url: call.url, retryAfterMs: headerMs };
  const meaning = call.service.meaning?.(reply, context) ?? {};
  const retryAfterMs = meaning.retryAfterMs ?? headerMs;
  const code = meaning.code ?? codeOfStatus(status, retryAfterMs);
  // With a 4xx the service says that it did not act. A 408 or 5xx may come from a proxy in front of
  // the service, which may have acted, unless it asks to wait: see `retryOfStatus`.
  const mayHaveActed = (status >= 500 && code !== 'rate-limited') || status === 408;
  let message = `${call.name} answered ${status}${errorText(reply, call)}`;
  let { hint, retry } = meaning;
  if (code === 'rate-limited') {
    let when = 'later';
    if (retryAfterMs !== undefined) {
      when = `in ${formatDuration(retryAfterMs)}`;
      message += ` It may be called again ${when}.`;
    }
    // With a 503 it is an overload or maintenance, and not a limit.
    hint ??= `Run again ${when}: until then, ${call.service.name} accepts no more calls.`;
    // A service does not carry out a call over its limit.
    retry ??= 'safe';
  }
  const error = courierError(code, message, hint ?? hintOfStatus(status, call), {
    httpStatus: status,
    // In an error it is the end of a rate limit. For any other failure, only the next attempt needs
    // it, which reads it from `Failure`.
    retryAfterMs: code === 'rate-limited' ? retryAfterMs : undefined,
    mayHaveActed,
    lacksPermission: meaning.lacksPermission,
  });
  return { error, retry: retry ?? retryOfStatus(status, retryAfterMs), retryAfterMs };
}

/** The JSON of a reply; undefined if it is not JSON. */
export function jsonOf(reply: HttpReply): unknown {
  return parseJson(reply.body.toString('utf8'));
}

/** The text at this path of a JSON reply; undefined if there is none. */
export function textAt(reply: HttpReply, ...path: readonly string[]): string | undefined {
  const value = fieldOf(jsonOf(reply), ...path);
  if (typeof value === 'string') return value;
  return undefined;
}

// An address in the words of a service, such as a presigned link that the service could not use:
// its query makes the link a secret. Also matches addresses without a query, so that a long text
// with many `https://` is read only once.
const ADDRESS = /(https?:\/\/[^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi;

/**
 * The words of a service about a failure in a form that is safe to print: one line, cut, inert, and
 * without secrets and the queries of addresses.
 */
export function foreignText(text: string, redact: Redact): string {
  // An address without a query stays as it is.
  const withoutQueries = (raw: string) =>
    redact(raw).replace(ADDRESS, (whole: string, address: string) =>
      whole === address ? whole : `${address}?…`,
    );
  return excerpt(text, { redact: withoutQueries, max: MAX_ERROR_TEXT });
}

/** The end of the sentence that says what the service answered: its words, or only a period. */
function errorText(reply: HttpReply, call: CallWords): string {
  const text = foreignText(call.service.errorText?.(reply) ?? '', call.redact);
  if (text === '') return '.';
  return /[.!?…]$/.test(text) ? `: ${text}` : `: ${text}.`;
}

/**
 * What to do about a status for which the service has no hint; undefined: the message says it all.
 */
function hintOfStatus(status: number, call: CallWords): string | undefined {
  if (status === 407) return proxyHint(407, call.url);
  if (status < 500) return undefined;
  return `This is a problem of ${call.service.name} itself. Run again later.`;
}

/** The path of a page where people log in. */
export const LOGIN_PAGE = /\b(log[-_]?in|sign[-_]?in|sso|saml|oauth2?|authorize)\b/i;

/** The error for a redirect, which may lead to a login page. */
function redirectError(reply: HttpReply, call: CallWords): CourierError {
  // Without its query, which may contain a secret.
  const address = call.redact(reply.headers.location?.split(/[?#]/)[0] ?? '(no address)');
  const target = plainLine(address, 200);
  if (LOGIN_PAGE.test(address)) {
    return foreignError(reply, call, `a redirect to the login page ${target}`);
  }
  return protocolError(
    `${call.name} answered ${reply.status}, a redirect to ${target}. Redirects are refused: the credentials must not travel to another address.`,
    `Set ${call.service.addressSetting} to the final address.`,
    { httpStatus: reply.status },
  );
}

/**
 * The error of a redirect, and of a server that does not know the API; undefined: the API itself
 * answered.
 */
function errorOfForeignReply(reply: HttpReply, call: CallWords): CourierError | undefined {
  const status = reply.status;
  if (status >= 300 && status < 400) return redirectError(reply, call);
  // A web page with one of these statuses is from a server that does not know the API. With any
  // other status it may be from a proxy in front of the API: 5xx, 407, 408, 429, and 401 with a
  // login page.
  const isOfOtherServer = [400, 403, 404, 405, 410, 501].includes(status);
  if (isOfOtherServer && isWebPage(reply)) return pageError(reply, call);
  // The API knows every method that is called, so a 405 without JSON is not from it.
  if (status === 405 && jsonOf(reply) === undefined) {
    return pageError(reply, call);
  }
  return undefined;
}

/** True if the reply is HTML, by its content type or its beginning. */
function isWebPage(reply: HttpReply): boolean {
  return (
    /^text\/html\b/i.test(reply.headers['content-type'] ?? '') ||
    /^\s*<(!doctype|html)\b/i.test(reply.body.toString('utf8'))
  );
}

/** The error for a web page, or another reply that is not JSON, instead of a reply of the API. */
function pageError(reply: HttpReply, call: CallWords): CourierError {
  const page = isWebPage(reply) ? 'a web page' : 'a reply that is not JSON';
  const sample = bodySample(reply, call);
  return foreignError(reply, call, page, sample && ` The reply begins: ${sample}`);
}

/**
 * The error for a reply that is not from the API: from another server, or from a login page or
 * firewall in front of the API. `what` says what the reply is; `begins` quotes its beginning.
 */
function foreignError(reply: HttpReply, call: CallWords, what: string, begins = ''): CourierError {
  const status = reply.status;
  const service = call.service;
  let hint = `Set ${service.addressSetting} to the address of the API; ${call.url.origin} is not that address.`;
  if (status === 403) {
    hint += ' If the address is right, a firewall or a login page in front of it answered.';
  }
  if (service.addressHelp !== undefined) hint += ` ${service.addressHelp}`;
  return protocolError(
    `${call.name} answered ${status} with ${what}: this is not the API of ${service.name}.`,
    `${hint}${begins}`,
    {
      httpStatus: status,
      // With a good status, a proxy may have passed the request on to the API before it answered.
      mayHaveActed: status < 300,
      isForeign: true,
    },
  );
}

/**
 * The failure for a reply with a good status whose body is not what the API documents. `problem`
 * names the field, or says what the body is.
 */
export function contentFailure(
  reply: HttpReply,
  call: CallWords,
  problem: string,
  retry: Retry,
): Failure {
  if (isWebPage(reply)) return { error: pageError(reply, call), retry };
  const type = plainLine(call.redact(reply.headers['content-type'] ?? 'no content type'), 80);
  const setting = call.service.addressSetting;
  const sample = bodySample(reply, call);
  const error = protocolError(
    `${call.name} answered ${reply.status} (${type}) with an invalid reply: ${problem}.`,
    sample === undefined
      ? `The API may have changed, or ${setting} is the address of something else.`
      : `Check ${setting}: the reply begins: ${sample}`,
    { httpStatus: reply.status, mayHaveActed: true },
  );
  return { error, retry };
}

// What a message may quote of a body: the beginning of a web page, which shows where the request
// ended up. Any other body, such as JSON, is not quoted: it may contain a link, which is a secret.
function bodySample(reply: HttpReply, call: CallWords): string | undefined {
  if (call.service.givesKeys) return undefined;
  // Redacted before it is cut: the redaction would not find half of a secret.
  const text = call.redact(reply.body.toString('utf8')).trimStart();
  if (text === '') return '(empty)';
  if (text.startsWith('<')) return plainLine(text, MAX_BODY_SAMPLE);
  return undefined;
}

/**
 * A broken attempt as the error that the user sees. The message shows the error codes of the cause,
 * never its text.
 */
export function faultFailure(
  error: ExchangeError,
  call: CallWords,
  limits: ExchangeLimits,
  attempts: number,
): Failure {
  // Only what has the form of a system's code: a message shows no text of a cause. ABORT_ERR only
  // says that the attempt was ended, which the fault says too.
  const codes = [...new Set(systemCodes(error))].filter(
    (code) => /^[A-Z][A-Z0-9_]{2,60}$/.test(code) && code !== 'ABORT_ERR',
  );
  // If no connection was made, any other code only follows from that.
  const unreachable = codes.filter(isUnreachable);
  const shown = (unreachable.length > 0 ? unreachable : codes).join(', ');
  const detail = shown === '' ? '' : ` (${shown})`;
  const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
  const isPrivate = codes.includes(PRIVATE_ADDRESS);
  // Node's HTTP parser refused the reply, such as for headers that are too long.
  const isUnread = codes.some((code) => code.startsWith('HPE_'));
  // Refused by this program or by Node, and not broken on the way.
  const isRefused =
    isPrivate || isUnread || error.fault === 'too-large' || error.fault === 'encoding';
  const code = isRefused || error.fault === 'truncated' ? 'protocol' : 'network';
  // `protocol` is about the reply of the server, which no setting here changes, except for a
  // private address.
  const isHinted = code === 'network' || isPrivate;
  // Another attempt would end in the same way: the reply and the certificate would be the same.
  const isFinal = isRefused || isTlsFailure(codes);
  return {
    error: courierError(
      code,
      `${call.name} failed${tries}: ${textOfFault(error, limits)}${detail}.`,
      isHinted ? hintOfFault(error, codes, call) : undefined,
      { cause: error, mayHaveActed: error.sent },
    ),
    retry: isFinal ? 'no' : retryOfFault(error),
  };
}

/** Whether the call may be sent again after an attempt that broke in this way. */
function retryOfFault(error: ExchangeError): Retry {
  if (error.fault === 'proxy') {
    // The proxy refused to connect, so that nothing was sent. It may recover if it is overloaded;
    // its other refusals, such as of wrong credentials, stay the same.
    const status = error.proxyStatus ?? 0;
    const isOverloaded = status >= 500 || status === 429;
    if (isOverloaded) return 'safe';
    return 'no';
  }
  // Once a part of the request was sent, the other side may have acted on it.
  return error.sent ? 'if-repeatable' : 'safe';
}

function textOfFault(error: ExchangeError, limits: ExchangeLimits): string {
  const within = (ms: number) => `within the time limit of ${formatDuration(ms)}`;
  const texts = {
    'connect-timeout': `no connection ${within(limits.connectMs)}`,
    'headers-timeout': `no reply ${within(limits.headersMs)}`,
    'idle-timeout': `the reply stopped for ${formatDuration(limits.idleMs)}`,
    'total-timeout': `the reply did not end ${within(limits.totalMs)}`,
    'too-large': `the reply is larger than ${limits.bodyBytes / 1024 ** 2} MiB`,
    truncated: 'the reply was cut off',
    encoding: 'the reply has a content encoding that was not asked for',
    proxy: `the proxy refused the connection with status ${error.proxyStatus}`,
    broken: 'the connection broke',
    aborted: 'the run was cancelled',
  };
  return texts[error.fault];
}

/** What to do about a fault: about private addresses, the proxy, TLS, or else the address. */
function hintOfFault(error: ExchangeError, codes: readonly string[], call: CallWords): string {
  const { url, service } = call;
  if (codes.includes(PRIVATE_ADDRESS)) {
    return `${url.hostname} has only addresses of a private network. If the platform runs inside your network, set allow-private-hosts: true.`;
  }
  if (error.fault === 'proxy') return proxyHint(error.proxyStatus ?? 0, url);
  const proxy = proxyName(url);
  // Not sent and no TLS error: already the connection to the proxy failed.
  if (proxy !== undefined && !error.sent && !isTlsFailure(codes)) {
    return `The proxy ${proxy}, which HTTPS_PROXY or HTTP_PROXY names, does not answer. Check its address, or list ${url.hostname} in NO_PROXY if no proxy is needed.`;
  }
  if (codes.some((code) => NO_TLS.test(code))) {
    return `Port ${url.port || '443'} of ${url.hostname} does not speak https; it may be a port for http. Write the port for https in ${service.addressSetting}. http is for a loopback host only.`;
  }
  if (isTlsFailure(codes)) {
    const authority =
      service.authoritySetting === undefined
        ? 'set NODE_EXTRA_CA_CERTS to the path of its certificate, in a workflow under env of the step, in a shell with export NODE_EXTRA_CA_CERTS=/path/to/ca.pem before the command'
        : `give its certificate in ${service.authoritySetting}`;
    // Behind an https proxy, the certificate may be that of the proxy: the error does not say whose
    // it is.
    const orProxy = proxy?.startsWith('https:') ? ` or of the proxy ${proxy}` : '';
    const host = `${url.host}${orProxy}`;
    const { addressSetting } = service;
    return certificateAdvice(codes, { host, addressSetting, trust: authority });
  }
  return `Check ${service.addressSetting}, and that this machine resolves the name and reaches ${url.host}; behind a proxy set HTTPS_PROXY and NO_PROXY.`;
}

function proxyHint(status: number, url: URL): string {
  if (status === 407) {
    return 'The proxy asks for credentials: set HTTPS_PROXY to http://user:password@host:port from a secret.';
  }
  return `The proxy in HTTPS_PROXY does not connect to ${url.host}: allow it there, or add the host to NO_PROXY.`;
}

const CODES: Readonly<Record<number, ErrorCode>> = {
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

/** The error code of a status outside of 2xx. A 503 with `Retry-After` is a rate limit too. */
function codeOfStatus(status: number, retryAfterMs: number | undefined): ErrorCode {
  if (status === 503 && retryAfterMs !== undefined) return 'rate-limited';
  return CODES[status] ?? (status >= 500 ? 'network' : 'protocol');
}

/**
 * 429, and 503 with `Retry-After`, say that the service has not acted (RFC 9110, 10.2.3, RFC 6585);
 * 408, 425 and other 5xx may come after it has acted.
 */
function retryOfStatus(status: number, retryAfterMs: number | undefined): Retry {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return 'safe';
  return status === 408 || status === 425 || status >= 500 ? 'if-repeatable' : 'no';
}
