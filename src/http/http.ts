import { Buffer } from 'node:buffer';
import type * as z from 'zod/mini';
import { cancelled } from '../ground/clock.ts';
import { CourierError } from '../ground/errors.ts';
import type { Work } from '../ground/log.ts';
import { formatDuration } from '../ground/text/amounts.ts';
import { describeIssues, parseJson } from '../ground/text/json.ts';
import type { Redact } from '../ground/text/redact.ts';
import {
  type BodySource,
  EXCHANGE_LIMITS,
  ExchangeError,
  type ExchangeLimits,
  exchange,
  type HeaderFields,
  type HttpReply,
  isStreamed,
  type TlsOptions,
} from './exchange.ts';
import { literalRefusal, publicLookup } from './hosts.ts';
import { agentFor } from './proxy.ts';
import {
  afterRetryAfterMs,
  LONGEST_THROTTLED_MS,
  LONGEST_WAIT_MS,
  MAX_ATTEMPTS,
  MAX_RETRIES_PER_RUN,
  pauseMs,
} from './retries.ts';
import {
  type CallWords,
  contentFailure,
  type Failure,
  faultFailure,
  type Service,
  statusFailure,
} from './service.ts';

/**
 * Whether a failed call is made again. `always`: repeating does no harm. `unless-acted`: only if
 * the other side cannot have acted, that is, if there was no connection, or it answered 429, or 503
 * with `Retry-After`. `never`: one attempt, the caller handles failures itself.
 */
type Repeat = 'always' | 'unless-acted' | 'never';

/** How a call is made. */
export interface CallSettings {
  /**
   * Names in lower case. `user-agent`, `accept-encoding` and `content-length` are set if they are
   * left out.
   */
  readonly headers?: HeaderFields | undefined;
  readonly repeat?: Repeat;
  /** The limits of one attempt, as far as they differ from those of the run. */
  readonly limits?: Partial<ExchangeLimits>;
  /**
   * For the whole call, with all attempts and waits between them, in milliseconds: a poll ends with
   * the time that is left.
   */
  readonly timeLimitMs?: number | undefined;
  /** Instead of the run's signal, such as for the last write after the run was cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Which replies are an answer and no failure; 2xx without it. Redirects are never followed. */
  readonly accepts?: (reply: HttpReply) => boolean;
}

export interface HttpRequest extends CallSettings {
  readonly service: Service;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly body?: string | BodySource | undefined;
  /**
   * Headers that are made for each attempt, such as a signature with the time of the attempt. Names
   * in lower case.
   */
  readonly sign?: () => Promise<HeaderFields>;
  readonly repeat: Repeat;
  /** In messages and in the log; without it method and address, without the query. */
  readonly name?: string;
  /** No further attempt begins after so many milliseconds; an attempt under way is not cut. */
  readonly waitLimitMs?: number | undefined;
  /**
   * How long an attempt under way is still waited for after a cancellation, in ms: its reply names
   * what was started.
   */
  readonly cancelGraceMs?: number;
  /** Authorities and client certificate of this service. */
  readonly tls?: TlsOptions | undefined;
  /**
   * `false`, for addresses that the program was given by others: a connection to a private address
   * is refused. Behind a proxy this is not checked, since the proxy resolves the name.
   */
  readonly allowPrivateHosts?: boolean;
  /**
   * Redacts the reply before JSON is read from it, and what messages quote of it. Without it, only
   * the log's redaction is used, for messages.
   */
  readonly redact?: Redact;
  /**
   * What is wrong with an accepted reply, such as `it is not JSON`: such a reply is a failure like
   * a broken connection. undefined: nothing is wrong.
   */
  readonly check?: (reply: HttpReply) => string | undefined;
}

// A shorter wait is not shown.
const UNNOTICED_MS = 100;
// A server that asks for a shorter wait than this is not throttling: the attempt counts, so that
// such a server cannot keep a call busy forever.
const SHORTEST_THROTTLE_MS = 1000;

export function isSuccess(reply: HttpReply): boolean {
  return reply.status >= 200 && reply.status <= 299;
}

/**
 * The headers of the request, after those that every request has unless it sets them itself. A
 * write without a body says that it has none: some servers refuse it without a length.
 */
function headersOf(request: HttpRequest): Record<string, string> {
  const headers: Record<string, string> = {
    'accept-encoding': 'identity',
    'user-agent': 'docs-courier',
  };
  const body = request.body;
  if (isStreamed(body)) {
    headers['content-length'] = String(body.bytes);
  } else if (body !== undefined || /^(POST|PUT|PATCH)$/.test(request.method)) {
    headers['content-length'] = String(Buffer.byteLength(body ?? ''));
  }
  return { ...headers, ...request.headers };
}

interface HttpInit extends Work {
  /**
   * How long all calls together may wait because a server asked them to, in milliseconds; without
   * it, only each call has a limit.
   */
  readonly throttledMs?: number | undefined;
  readonly random?: (() => number) | undefined;
  readonly limits?: Partial<ExchangeLimits>;
}

type Outcome<T> = { readonly value: T } | Failure;

type Schema<T> = z.ZodMiniType<T>;
/** A value, or a function that loads it. */
export type Late<T> = T | (() => Promise<T>);

async function load<T>(schema: Late<Schema<T>>): Promise<Schema<T>> {
  return typeof schema === 'function' ? schema() : schema;
}

/** How replies of a call are read. */
interface Reading<T> {
  /**
   * The value or a failure; undefined: the reply is not accepted, and its status says the failure.
   */
  readonly read: (reply: HttpReply) => Promise<Outcome<T> | undefined>;
  /** Called while the other side works: loads what `read` needs. */
  readonly prepare?: (() => Promise<unknown>) | undefined;
}

/** How far a call is: what an attempt needs to know of the attempts before it. */
interface Progress {
  /** The wait before this attempt. */
  readonly waitMs: number;
  /**
   * Counts from 1. An attempt that was throttled, and after which the call waited, is not counted.
   */
  readonly attempt: number;
  /** How often the call was throttled. */
  readonly throttles: number;
  /** How long the call waited because it was throttled. */
  readonly throttledMs: number;
}

/**
 * HTTP for every service that the program talks to: the limits of an attempt, the repetition of
 * attempts with one budget for the run, the errors for failures, proxies. Make one `Http` for a run
 * and hand it to all clients.
 *
 * ```ts
 * const http = new Http({ clock, log, signal });
 * const reply = await http.request({ service, method: 'GET', url, headers: { authorization }, repeat: 'always' });
 * const { value } = await http.requestJson({ service, method: 'PUT', url, body, repeat: 'always', tls: { ca } }, schema);
 * ```
 *
 * Both throw a CourierError, and only that: `network` or `protocol` if the exchange broke,
 * otherwise the code that the service's `meaning` has for the status, or else the table in
 * http/service.ts. `mayHaveActed` is true if the request may have had an effect. The body is read
 * whole or not at all: at most `limits.bodyBytes`, and never less than `content-length`.
 */
export class Http {
  readonly #init: HttpInit;
  readonly #redact: Redact = (text) => this.#init.log.redact(text);
  #retriesLeft = MAX_RETRIES_PER_RUN;
  #throttledLeftMs: number;

  constructor(init: HttpInit) {
    this.#init = init;
    this.#throttledLeftMs = init.throttledMs ?? Number.POSITIVE_INFINITY;
  }

  /** The whole reply, if `accepts` takes it and `check` finds nothing wrong with it. */
  request(request: HttpRequest): Promise<HttpReply> {
    const accepts = request.accepts ?? isSuccess;
    const read = async (reply: HttpReply) => {
      if (!accepts(reply)) return undefined;
      const problem = request.check?.(reply);
      if (problem === undefined) return { value: reply };
      // A proxy or the connection may have changed the reply: another attempt may get it whole.
      return contentFailure(reply, this.#wordsOf(request), problem, 'if-repeatable');
    };
    return this.#repeat(request, { read });
  }

  /**
   * The reply's JSON as the schema has it; `protocol` if it does not fit, naming the field. `also`
   * is a failure status whose body may be an answer too: a body that fits the schema of `also` is
   * given, any other one is the failure that the status says. A schema may be a function that loads
   * it: the function is called while the request is on its way.
   */
  requestJson<T>(
    request: Omit<HttpRequest, 'check'>,
    schema: Late<Schema<T>>,
    also?: { readonly status: number; readonly schema: Late<Schema<T>> },
  ): Promise<{ value: T; reply: HttpReply }> {
    const accepts = request.accepts ?? isSuccess;
    let loading: Promise<readonly [Schema<T>, Schema<T> | undefined]> | undefined;
    // The schemas are loaded once for all attempts.
    const prepare = () => {
      loading ??= Promise.all([load(schema), also && load(also.schema)]);
      return loading;
    };
    const read = async (reply: HttpReply) => {
      const [usualSchema, alsoSchema] = await prepare();
      // What is read may be shown later, so the secrets of this request are hidden in it. No reply
      // has a reason to repeat them.
      const text = reply.body.toString('utf8');
      const json = parseJson(request.redact?.(text) ?? text);
      const alsoParsed = reply.status === also?.status ? alsoSchema?.safeParse(json) : undefined;
      if (alsoParsed?.success) return { value: { value: alsoParsed.data, reply } };
      if (!accepts(reply)) return undefined;
      const parsed = usualSchema.safeParse(json);
      if (parsed.success) return { value: { value: parsed.data, reply } };
      const words = this.#wordsOf(request);
      if (json !== undefined) {
        // Valid JSON is whole: another attempt would get the same.
        return contentFailure(reply, words, describeIssues(parsed.error.issues), 'no');
      }
      // JSON that was cut off is not JSON. In a reply of unknown length the cut is not noticed
      // before: another attempt may get all of it.
      const retry = reply.lengthKnown ? 'no' : 'if-repeatable';
      return contentFailure(reply, words, 'it is not JSON', retry);
    };
    return this.#repeat(request, { read, prepare });
  }

  #wordsOf(request: HttpRequest): CallWords {
    const { url, service } = request;
    return {
      name: request.name ?? `${request.method} ${url.origin}${url.pathname}`,
      url,
      service,
      redact: request.redact ?? this.#redact,
    };
  }

  /**
   * Makes attempts until one gives a value. Throws the last failure when no further one is allowed.
   */
  async #repeat<T>(request: HttpRequest, reading: Reading<T>): Promise<T> {
    const { clock, log } = this.#init;
    const signal = request.signal ?? this.#init.signal;
    const startMs = clock.monotonicMs();
    const endMs = startMs + (request.timeLimitMs ?? Infinity);
    // From then on, no further attempt begins.
    const noAttemptMs = Math.min(endMs, startMs + (request.waitLimitMs ?? Infinity));
    let progress: Progress = { waitMs: 0, attempt: 1, throttles: 0, throttledMs: 0 };
    // True once an attempt may have had an effect: then the call may have had one, whatever a later
    // attempt ends with.
    let mayHaveActed = false;
    try {
      for (;;) {
        // At least 1, since the wait before may have ended late.
        const remainingMs = Math.max(1, endMs - clock.monotonicMs());
        const outcome = await this.#attempt(request, reading, progress, remainingMs);
        if ('value' in outcome) return outcome.value;
        const next = this.#nextAttempt(request, outcome, progress);
        if (next === undefined) throw outcome.error;
        const isTooLate = clock.monotonicMs() + next.waitMs >= noAttemptMs;
        if (isTooLate) throw outcome.error;
        mayHaveActed ||= outcome.error.mayHaveActed;
        // A repetition takes one of the retries of the run, or, if it was throttled, of the time
        // that the run may wait: the other difference is 0.
        this.#retriesLeft -= next.attempt - progress.attempt;
        this.#throttledLeftMs -= next.throttledMs - progress.throttledMs;
        progress = next;
        const when = next.waitMs < UNNOTICED_MS ? 'now' : `in ${formatDuration(next.waitMs)}`;
        log.info(`${outcome.error.message} Trying again ${when}.`);
        await clock.sleep(next.waitMs, signal);
      }
    } catch (error) {
      throw withEffect(error, request, mayHaveActed);
    }
  }

  /**
   * One attempt, of at most `remainingMs`: its value, or its failure. Throws if the run was
   * cancelled.
   */
  async #attempt<T>(
    request: HttpRequest,
    reading: Reading<T>,
    progress: Progress,
    remainingMs: number,
  ): Promise<Outcome<T>> {
    const words = this.#wordsOf(request);
    const { clock, log } = this.#init;
    const ownLimits = { ...EXCHANGE_LIMITS, ...this.#init.limits, ...request.limits };
    const limits = within(ownLimits, remainingMs);
    try {
      const reply = await this.#exchange(request, limits, () => {
        // If loading fails, `read` waits for it again and throws the error.
        reading.prepare?.().catch(() => {});
      });
      log.debug(`${words.name}: ${reply.status}, ${reply.body.length} bytes`);
      const outcome = await reading.read(reply);
      // undefined: the reply is not accepted.
      return outcome ?? statusFailure(reply, words, clock.now(), progress.throttles);
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      if (error.fault === 'aborted')
        throw cancelled(error).with({ mayHaveActed: error.sent, cause: error });
      return faultFailure(error, words, limits, progress.attempt);
    }
  }

  /**
   * Sends the request once. Throws an ExchangeError if it breaks; `cancelled` if the run was
   * cancelled before.
   */
  async #exchange(
    request: HttpRequest,
    limits: ExchangeLimits,
    onSent: () => void,
  ): Promise<HttpReply> {
    let signal = request.signal ?? this.#init.signal;
    if (signal.aborted) throw cancelled(signal.reason);
    const { method, url, body, tls, cancelGraceMs } = request;
    const isChecked = request.allowPrivateHosts === false;
    // An IP address in the URL is not resolved, so that `publicLookup` would not see it.
    const refusal = isChecked ? literalRefusal(url) : undefined;
    if (refusal !== undefined) {
      throw new ExchangeError({ fault: 'broken', sent: false, cause: refusal });
    }
    // No kept connection if it matters whether the other side has acted: if it breaks now, that is
    // unknown. None for a checked address: another call may have made it without the check.
    const mayKeep = request.repeat !== 'unless-acted' && !isChecked;
    const agent = await agentFor(url, { keep: mayKeep });
    const lookup = isChecked ? publicLookup() : undefined;
    const headers = { ...headersOf(request), ...(await request.sign?.()) };
    if (cancelGraceMs !== undefined) signal = delayedAbort(signal, cancelGraceMs);
    return exchange({ method, url, headers, body, agent, tls, lookup, onSent }, limits, signal);
  }

  /**
   * Where the call is at the next attempt; undefined: there is no next attempt. An attempt that was
   * throttled is repeated within limits of time, any other one within limits of number.
   */
  #nextAttempt(request: HttpRequest, failure: Failure, last: Progress): Progress | undefined {
    const { error, retryAfterMs } = failure;
    if (!mayRepeat(request.repeat, failure.retry)) return undefined;
    if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS) return undefined;
    const random = this.#init.random ?? Math.random;
    // A 503 with `Retry-After` is an outage, and counts as a failed attempt.
    const isThrottled = error.code === 'rate-limited' && error.httpStatus !== 503;
    const throttles = isThrottled ? last.throttles + 1 : last.throttles;
    if (isThrottled && retryAfterMs !== undefined && retryAfterMs >= SHORTEST_THROTTLE_MS) {
      // A wait that the server asked for uses up no retries, only the time that the call and the
      // run may wait.
      const throttledMs = last.throttledMs + retryAfterMs;
      // A call that may wait for long, such as a start, has its own limit.
      if (throttledMs > (request.waitLimitMs ?? LONGEST_THROTTLED_MS)) return undefined;
      if (retryAfterMs > this.#throttledLeftMs) return undefined;
      const waitMs = afterRetryAfterMs(retryAfterMs, random);
      return { waitMs, attempt: last.attempt, throttles, throttledMs };
    }
    if (last.attempt >= MAX_ATTEMPTS || this.#retriesLeft <= 0) return undefined;
    const waitMs = pauseMs(error.code, retryAfterMs, last.attempt, random);
    const throttledMs = last.throttledMs;
    return { waitMs, attempt: last.attempt + 1, throttles, throttledMs };
  }
}

/**
 * The error, which says whether the call may have had an effect, by this attempt or an earlier one.
 * A call that only reads has none.
 */
function withEffect(error: unknown, request: HttpRequest, earlierMayHave: boolean): unknown {
  if (!(error instanceof CourierError)) return error;
  const mayHaveActed = mayChange(request) && (earlierMayHave || error.mayHaveActed);
  // `with` would make this error the cause, but it is the same failure: its own cause stays.
  return error.with({ mayHaveActed, cause: error.cause });
}

function mayChange({ method, repeat }: HttpRequest): boolean {
  // Some services also read by POST, which may be repeated.
  if (method === 'POST') return repeat !== 'always';
  return method !== 'GET' && method !== 'HEAD';
}

/** Always after `safe`: the other side has not acted. After `if-repeatable` it may have acted. */
function mayRepeat(repeat: Repeat, retry: Failure['retry']): boolean {
  if (repeat === 'never') return false;
  return retry === 'safe' || (retry === 'if-repeatable' && repeat === 'always');
}

/** The limits, none of them longer than the time that is left for the call. */
function within(limits: ExchangeLimits, remainingMs: number): ExchangeLimits {
  return {
    connectMs: Math.min(limits.connectMs, remainingMs),
    headersMs: Math.min(limits.headersMs, remainingMs),
    idleMs: Math.min(limits.idleMs, remainingMs),
    totalMs: Math.min(limits.totalMs, remainingMs),
    bodyBytes: limits.bodyBytes,
  };
}

/**
 * A signal that aborts `delayMs` after the given one: for a request that must still be finished
 * once the run was cancelled.
 */
export function delayedAbort(signal: AbortSignal, delayMs: number): AbortSignal {
  const controller = new AbortController();
  // `unref`: this timer alone does not keep the program running.
  const start = () => setTimeout(() => controller.abort(signal.reason), delayMs).unref();
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return controller.signal;
}
