import { CourierError, type ErrorCode } from '../errors.ts';
import type { ExchangeError, Incoming } from '../http/exchange.ts';
import { isTlsFailure, isUnreachable, systemCodes } from '../http/system-codes.ts';
import { plainLine } from '../text/escape.ts';
import { parseJson } from '../text/json.ts';
import type { Redact } from '../text/redact.ts';
import type { Call } from './call.ts';
import { errorBody } from './contract.ts';

/** The call as messages name it: method and address without query. */
export interface CallName {
  readonly method: Call<unknown>['method'];
  readonly url: URL;
  readonly key: Call<unknown>['key'];
}

const MAX_ERROR_TEXT = 500;
const MAX_BODY_SAMPLE = 200;

export function nameOf({ method, url }: CallName): string {
  return `${method} ${url.origin}${url.pathname}`;
}

/** A reply that Node's HTTP parser refused, such as headers beyond its limit. */
function isParserFailure(codes: readonly string[]): boolean {
  return codes.some((code) => code.startsWith('HPE_'));
}

export type Retry = 'safe' | 'if-repeatable' | 'no';

/** Whether an attempt that broke may be made again: at all, and for calls that must not act twice. */
export function retryOfFault(error: ExchangeError): Retry {
  const codes = systemCodes(error);
  if (error.fault === 'aborted' || error.fault === 'too-large' || error.fault === 'encoding') return 'no';
  if (isTlsFailure(codes) || isParserFailure(codes)) return 'no';
  return error.sent ? 'if-repeatable' : 'safe';
}

const FAULT_TEXTS: Record<ExchangeError['fault'], string> = {
  'connect-timeout': 'no connection within the time limit',
  'headers-timeout': 'no reply within the time limit',
  'idle-timeout': 'the reply stopped half way',
  'total-timeout': 'the reply did not end within the time limit',
  'too-large': 'the reply is larger than 1 MiB',
  truncated: 'the reply was cut off',
  encoding: 'the reply has a content encoding that was not asked for',
  broken: 'the connection broke',
  aborted: 'the run was cancelled',
};

function codeOfFault(error: ExchangeError, codes: readonly string[]): ErrorCode {
  if (error.fault === 'aborted') return 'cancelled';
  if (error.fault === 'too-large' || error.fault === 'encoding' || error.fault === 'truncated') return 'protocol';
  return isParserFailure(codes) ? 'protocol' : 'network';
}

function hintOfFault(codes: readonly string[], call: CallName): string {
  if (isTlsFailure(codes)) {
    return `The certificate of ${call.url.host} was not accepted. For a private authority set NODE_EXTRA_CA_CERTS in the step's env to its certificate file; checking is never switched off.`;
  }
  if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN')) {
    return `The name ${call.url.hostname} could not be resolved. Check base-url and the runner's DNS; behind a proxy set HTTPS_PROXY.`;
  }
  return `Check base-url, and that the runner reaches ${call.url.host}; behind a proxy set HTTPS_PROXY and NO_PROXY.`;
}

/** A broken attempt as the error that the user sees. Only known codes of the cause are told, never its text. */
export function toFaultError(error: ExchangeError, call: CallName, attempts: number): CourierError {
  const codes = [...new Set(systemCodes(error))].filter(
    (code) => /^[A-Z][A-Z0-9_]{2,60}$/.test(code) && code !== 'ABORT_ERR',
  );
  const unreachable = codes.filter(isUnreachable);
  const detail = (unreachable.length > 0 ? unreachable : codes).join(', ');
  const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
  const code = codeOfFault(error, codes);
  return new CourierError({
    code,
    message: `${nameOf(call)} failed${tries}: ${FAULT_TEXTS[error.fault]}${detail === '' ? '' : ` (${detail})`}.`,
    hint: code === 'network' ? hintOfFault(codes, call) : undefined,
    mayHaveStarted: error.sent,
  });
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'config',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  407: 'network',
  408: 'network',
  409: 'conflict',
  410: 'not-found',
  413: 'config',
  422: 'config',
  425: 'network',
  429: 'rate-limited',
};

export function codeOfStatus(status: number): ErrorCode {
  return CODE_OF_STATUS[status] ?? (status >= 500 ? 'network' : 'protocol');
}

function hintOfStatus(status: number, call: CallName): string | undefined {
  const input = call.key === 'admin' ? 'admin-api-key' : 'assistant-api-key';
  switch (status) {
    case 401:
      return `The key in ${input} was not accepted: it may have expired or been revoked. Make a new one on the API keys page of the platform's dashboard and store it in the secret that the workflow passes.`;
    case 403:
      return `The key in ${input} may not do this: check its kind and scope, an IP allow-list of the platform, and the plan (static export needs the Enterprise plan).`;
    case 404:
    case 410:
      return 'Check the ids and the domain in the inputs: the platform does not know what the address names.';
    case 407:
      return 'The proxy asks for credentials: set HTTPS_PROXY to http://user:password@host:port from a secret.';
    case 409:
      return 'The platform says that this does not fit the present state; try again in a moment.';
    case 400:
    case 413:
    case 422:
      return 'The platform refused the request: check the inputs that the message names.';
    default:
      return status >= 500 ? 'The platform had a problem of its own. Run again later.' : undefined;
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** The platform's own words in an error reply, safe to print: redacted, inert, one line, cut. */
function errorText(reply: Incoming, redact: Redact): string {
  const parsed = errorBody.safeParse(parseJson(reply.body.toString('utf8')));
  return parsed.success ? platformText(parsed.data.error, redact) : '';
}

// Such as a presigned link that the platform could not use: its query is what makes it a secret.
const QUERY_OF_ADDRESS = /(https?:\/\/[^\s?#"'<>]{1,2000})[?#][^\s"'<>]*/gi;

/** Words of the platform about a failure, safe to print: no secret, no query of an address, inert, one line, cut. */
export function platformText(text: string, redact: Redact): string {
  return plainLine(redact(text).replace(QUERY_OF_ADDRESS, '$1?…'), MAX_ERROR_TEXT);
}

export interface StatusErrorInit {
  readonly reply: Incoming;
  readonly call: CallName;
  readonly redact: Redact;
  readonly retryAfterMs: number | undefined;
}

/** A reply with a status outside 2xx as the error that the user sees. */
export function toStatusError({ reply, call, redact, retryAfterMs }: StatusErrorInit): CourierError {
  const { status } = reply;
  if (isRedirect(status)) return toRedirectError(reply, call, redact);
  const text = errorText(reply, redact);
  const code = retryAfterMs !== undefined && status === 503 ? 'rate-limited' : codeOfStatus(status);
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  const wait = seconds === undefined ? '' : ` It may be called again in ${seconds} s.`;
  return new CourierError({
    code,
    message: `${nameOf(call)} answered ${status}${text === '' ? '.' : `: ${text}`}${code === 'rate-limited' ? wait : ''}`,
    hint:
      code === 'rate-limited'
        ? `The platform's rate limit is reached. Run again ${seconds === undefined ? 'later' : `in ${seconds} s`}.`
        : hintOfStatus(status, call),
    httpStatus: status,
    retryAfterMs,
    // A 4xx is the platform's word that it did not act; 408 and 5xx may come from something in front of it.
    mayHaveStarted: status >= 500 || status === 408,
  });
}

function toRedirectError(reply: Incoming, call: CallName, redact: Redact): CourierError {
  const target = redact(reply.headers.location?.split('?')[0] ?? '(nowhere)');
  return new CourierError({
    code: 'protocol',
    message: `${nameOf(call)} answered ${reply.status}, a redirect to ${plainLine(target, 200)}. Redirects are refused: the key must not travel to another address.`,
    hint: "Set base-url to the platform's final address.",
    httpStatus: reply.status,
  });
}

// JSON is not quoted: it may hold a link, which is a secret. A portal's HTML page tells where the request ended up.
function bodySample(reply: Incoming, redact: Redact): string | undefined {
  const text = redact(reply.body.subarray(0, 4 * MAX_BODY_SAMPLE).toString('utf8'));
  if (text.trim() === '') return '(empty)';
  return text.trimStart().startsWith('<') ? plainLine(text, MAX_BODY_SAMPLE) : undefined;
}

/** A 2xx reply that is not what the contract promises. `problem` names the field, or says what the body is. */
export function toProtocolError(init: {
  reply: Incoming;
  call: CallName;
  redact: Redact;
  problem: string;
}): CourierError {
  const { reply, call, redact, problem } = init;
  const type = plainLine(redact(reply.headers['content-type'] ?? 'no content type'), 80);
  const sample = bodySample(reply, redact);
  return new CourierError({
    code: 'protocol',
    message: `${nameOf(call)} answered ${reply.status} (${type}) with a reply that does not fit: ${problem}.`,
    hint:
      sample === undefined
        ? 'The platform may have changed its API, or base-url points at something else.'
        : `Check base-url: the reply begins: ${sample}`,
    httpStatus: reply.status,
    mayHaveStarted: true,
  });
}
