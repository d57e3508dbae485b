import { HttpClient } from '@actions/http-client';
import type * as z from 'zod/mini';
import { type Clock, cancelled } from '../clock.ts';
import { CourierError } from '../errors.ts';
import { EXCHANGE_LIMITS, ExchangeError, type ExchangeLimits, exchange, type Incoming } from '../http/exchange.ts';
import {
  afterRetryAfterMs,
  backoffMs,
  LONGEST_WAIT_MS,
  MAX_ATTEMPTS,
  MAX_RETRIES_PER_RUN,
  readRetryAfter,
} from '../http/retry.ts';
import type { Log } from '../log.ts';
import { parseJson } from '../text/json.ts';
import { createRedact } from '../text/redact.ts';
import type { Call, Reply, Transport } from './call.ts';
import { type CallName, nameOf, retryOfFault, toFaultError, toProtocolError, toStatusError } from './failure.ts';

export interface TransportInit {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly keys: { readonly admin?: string | undefined; readonly assistant?: string | undefined };
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly random?: () => number;
  readonly limits?: ExchangeLimits;
}

/** The outcome of one attempt that did not give a value. */
interface Failure {
  readonly error: CourierError;
  readonly retry: 'safe' | 'if-repeatable' | 'no';
  /** Told by the other side. */
  readonly retryAfterMs: number | undefined;
}

type Attempt<T> = { readonly ok: true; readonly reply: Reply<T> } | ({ readonly ok: false } & Failure);

const REPEATABLE_STATUS: ReadonlySet<number> = new Set([408, 425, 429]);

// 429, and 503 with Retry-After, say that nothing was done; any other failure status may come after the deed.
function retryOfStatus(status: number, retryAfterMs: number | undefined): Failure['retry'] {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return 'safe';
  return REPEATABLE_STATUS.has(status) || status >= 500 ? 'if-repeatable' : 'no';
}

/**
 * HTTP to the platform: authorization, time and size limits, retries, redaction. Redirects are refused, since following one
 * would carry the key along. This is the only file that repeats a call to the platform.
 */
export function createTransport(init: TransportInit): Transport {
  const { clock, log, signal, random = Math.random } = init;
  // Of the library only its choice of agent is used: proxies and NO_PROXY. Its own retries and redirects stay out of the way.
  const kept = new HttpClient('docs-courier', [], { keepAlive: true });
  // A kept connection can break just as we write to it, and then nobody knows whether the request arrived.
  const fresh = new HttpClient('docs-courier', [], { keepAlive: false });
  const redact = createRedact(Object.values(init.keys).filter((key) => key !== undefined));
  let retriesLeft = MAX_RETRIES_PER_RUN;

  async function attemptOnce<T>(call: Call<T>, name: CallName, attempt: number): Promise<Attempt<T>> {
    try {
      const reply = await exchange(
        {
          method: call.method,
          url: name.url,
          headers: headersOf(call, init.keys),
          body: call.body === undefined ? undefined : JSON.stringify(call.body),
          agent: (call.repeat === 'unless-acted' ? fresh : kept).getAgent(name.url.href),
        },
        { limits: init.limits ?? EXCHANGE_LIMITS, signal },
      );
      log.debug(`${nameOf(name)}: ${reply.status}, ${reply.body.length} bytes`);
      return judge(call, reply);
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      if (error.fault === 'aborted') throw cancelledCall(call, error);
      return {
        ok: false,
        error: toFaultError(error, name, attempt),
        retry: retryOfFault(error),
        retryAfterMs: undefined,
      };
    }
  }

  function judge<T>(call: Call<T>, reply: Incoming): Attempt<T> {
    const name = callName(init.baseUrl, call);
    if (reply.status === call.also?.status) {
      const parsed = call.also.schema.safeParse(parseJson(redact(reply.body.toString('utf8'))));
      if (parsed.success) return { ok: true, reply: { value: parsed.data, serverTime: serverTime(reply) } };
    }
    if (reply.status < 200 || reply.status > 299) {
      const retryAfterMs = readRetryAfter(reply.headers['retry-after'], clock.now());
      const error = toStatusError({ reply, call: name, redact, retryAfterMs });
      if (reply.status === 429 && retryAfterMs === undefined && call.hourlyLimit !== undefined) {
        return { ok: false, error: withLimit(error, call.hourlyLimit), retry: 'no', retryAfterMs };
      }
      return { ok: false, error, retry: retryOfStatus(reply.status, retryAfterMs), retryAfterMs };
    }
    return readValue({ call, name, reply });
  }

  function readValue<T>({ call, name, reply }: { call: Call<T>; name: CallName; reply: Incoming }): Attempt<T> {
    // No reply has a reason to hold our key: what echoes it gets no further than here, whatever is done with the value.
    const json = parseJson(redact(reply.body.toString('utf8')));
    const parsed = call.schema.safeParse(json);
    if (parsed.success) return { ok: true, reply: { value: parsed.data, serverTime: serverTime(reply) } };
    const problem = json === undefined ? 'it is not JSON' : describeIssues(parsed.error.issues);
    const error = toProtocolError({ reply, call: name, redact, problem });
    // Without a length, JSON that does not parse is all that shows that a reply was cut off.
    const retry = json === undefined && !reply.lengthKnown ? 'if-repeatable' : 'no';
    return { ok: false, error, retry, retryAfterMs: undefined };
  }

  function waitMs(call: Call<unknown>, failure: Failure, attempt: number): number | undefined {
    const allowed = failure.retry === 'safe' || (failure.retry === 'if-repeatable' && call.repeat === 'always');
    if (!allowed || call.repeat === 'never' || attempt >= MAX_ATTEMPTS || retriesLeft <= 0) return undefined;
    if (failure.retryAfterMs === undefined) return backoffMs({ attempt, random });
    return failure.retryAfterMs > LONGEST_WAIT_MS ? undefined : afterRetryAfterMs(failure.retryAfterMs, random);
  }

  return {
    async call(call) {
      const name = callName(init.baseUrl, call);
      for (let attempt = 1; ; attempt += 1) {
        if (signal.aborted) throw cancelled(signal.reason);
        const result = await attemptOnce(call, name, attempt);
        if (result.ok) return result.reply;
        const wait = waitMs(call, result, attempt);
        if (wait === undefined) throw result.error;
        retriesLeft -= 1;
        log.info(`${result.error.message} Trying again in ${(wait / 1000).toFixed(1)} s.`);
        await clock.sleep(wait, signal);
      }
    },
  };
}

// Uses of an hour come back within the hour, not within the seconds that attempts are apart.
function withLimit(error: CourierError, limit: string): CourierError {
  return error.with({ hint: `The platform's limit is reached: ${limit}. Run again within the hour.` });
}

function callName(baseUrl: string, call: Call<unknown>): CallName {
  return {
    method: call.method,
    url: new URL(`${baseUrl}/${call.path.map(encodeURIComponent).join('/')}`),
    key: call.key,
  };
}

function headersOf(call: Call<unknown>, keys: TransportInit['keys']): Record<string, string> {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const key = keys[call.key];
  if (key === undefined) throw new CourierError({ code: 'config', message: `The ${call.key} API key is missing.` });
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    authorization: `Bearer ${key}`,
    'user-agent': 'docs-courier',
    ...(body === undefined
      ? call.method === 'POST' && { 'content-length': '0' }
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
}

function serverTime(reply: Incoming): Date | undefined {
  const time = Date.parse(reply.headers.date ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${issue.path.length === 0 ? 'the reply' : issue.path.map(String).join('.')}: ${wordingOf(issue)}`)
    .join('; ');
}

// The library has no words of its own for a wrong type unless it is given a language.
function wordingOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type' ? `must be ${WORDS[issue.expected] ?? issue.expected}` : issue.message;
}

function cancelledCall(call: Call<unknown>, error: ExchangeError): CourierError {
  const acted = error.sent && call.repeat === 'unless-acted';
  return new CourierError({
    code: 'cancelled',
    message: 'The run was cancelled.',
    mayHaveStarted: acted,
    cause: error,
  });
}
