import { Buffer } from 'node:buffer';
import type * as z from 'zod/mini';
import { cancelled } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { Work } from '../log.ts';
import { formatDuration } from '../text/amounts.ts';
import { describeIssues, parseJson } from '../text/json.ts';
import type { Redact } from '../text/redact.ts';
import {
  agentFor,
  type BodySource,
  EXCHANGE_LIMITS,
  ExchangeError,
  type ExchangeLimits,
  exchange,
  type HttpReply,
  type TlsOptions,
} from './exchange.ts';
import { literalRefusal, publicLookup } from './hosts.ts';
import {
  afterRetryAfterMs,
  backoffMs,
  type CallWords,
  contentFailure,
  type Failure,
  faultFailure,
  LONGEST_THROTTLED_MS,
  LONGEST_WAIT_MS,
  MAX_ATTEMPTS,
  MAX_RETRIES_PER_RUN,
  type Service,
  statusFailure,
  throttleMs,
} from './service.ts';

/**
 * `always`: repeating does no harm. `unless-acted`: only if the other side cannot have acted: never
 * connected, 429, 503 with `Retry-After`. `never`: one attempt, the caller handles failures itself.
 */
type Repeat = 'always' | 'unless-acted' | 'never';

export interface HttpRequest {
  readonly service: Service;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /**
   * Names in lower case. `user-agent`, `accept-encoding` and `content-length` are set if they are
   * left out.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | BodySource | undefined;
  /**
   * Headers that are made for each attempt, such as a signature with the time of the attempt. Names
   * in lower case.
   */
  readonly sign?: (() => Promise<Readonly<Record<string, string>>>) | undefined;
  readonly repeat: Repeat;
  /** In messages and in the log; without it method and address, without the query. */
  readonly name?: string | undefined;
  /** Of one attempt, if they differ from those of the run. */
  readonly limits?: Partial<ExchangeLimits> | undefined;
  /**
   * For the whole call, with all attempts and waits between them, in milliseconds: a poll ends with
   * the time that is left.
   */
  readonly timeLimitMs?: number | undefined;
  /** No further attempt begins after so many milliseconds; one under way is not cut. */
  readonly waitLimitMs?: number | undefined;
  /** Instead of the run's signal, such as for the last words after the run was cancelled. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long an attempt under way is still waited for after a cancellation, in ms: its reply names
   * what was started.
   */
  readonly cancelGraceMs?: number | undefined;
  /** Authorities and client certificate of this service. */
  readonly tls?: TlsOptions | undefined;
  /**
   * `false`: for addresses from outside; a connection to a private address is refused. Behind a
   * proxy it cannot be known.
   */
  readonly allowPrivateHosts?: boolean | undefined;
  /**
   * Redacts what the reply says in messages, instead of the log's redaction: if secrets are known
   * that the log does not know.
   */
  readonly redact?: Redact | undefined;
  /** Which replies are an answer and no failure; 2xx without it. Redirects are never followed. */
  readonly accepts?: ((reply: HttpReply) => boolean) | undefined;
  /**
   * What is wrong with an accepted reply, such as `it is not JSON`: then it counts like a broken
   * connection.
   */
  readonly check?: ((reply: HttpReply) => string | undefined) | undefined;
}

function isSuccess({ status }: HttpReply): boolean {
  return status >= 200 && status <= 299;
}

function wordsOf(
  { name, method, url, service, redact }: HttpRequest,
  logRedact: Redact,
): CallWords {
  return {
    name: name ?? `${method} ${url.origin}${url.pathname}`,
    url,
    service,
    redact: redact ?? logRedact,
  };
}

function headersOf({ method, headers, body }: HttpRequest): Record<string, string> {
  const hasBody = body !== undefined || method === 'POST' || method === 'PUT' || method === 'PATCH';
  const bytes = typeof body === 'object' ? body.bytes : Buffer.byteLength(body ?? '');
  return {
    'accept-encoding': 'identity',
    'user-agent': 'docs-courier',
    ...(hasBody && { 'content-length': String(bytes) }),
    ...headers,
  };
}

interface HttpInit extends Work {
  /**
   * How long all calls together may wait because they were asked to, in milliseconds; without it
   * each has its own limit alone.
   */
  readonly throttledMs?: number | undefined;
  readonly random?: (() => number) | undefined;
  readonly limits?: Partial<ExchangeLimits> | undefined;
}

type Outcome<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Failure);

type Schema<T> = z.ZodMiniType<T>;
/** A value, or a function that loads it. */
export type Late<T> = T | (() => Promise<T>);

async function load<T>(schema: Late<Schema<T>>): Promise<Schema<T>> {
  return typeof schema === 'function' ? schema() : schema;
}

/** How replies of a call are read. */
interface Reading<T> {
  /** undefined: the reply is the failure that its status says. */
  readonly read: (reply: HttpReply) => Outcome<T> | undefined | Promise<Outcome<T> | undefined>;
  /** Called while the other side works: what reading takes can be loaded then. */
  readonly prepare?: (() => Promise<unknown>) | undefined;
}

/** What an attempt may know of those before it. */
interface Progress {
  /** Counts from 1; a throttle that was waited for is not an attempt. */
  attempt: number;
  throttles: number;
  throttledMs: number;
  /**
   * An attempt was sent, and nothing shows that it was refused: a later refusal says nothing about
   * it.
   */
  mayHaveStarted: boolean;
}

/**
 * HTTP for every service that the program talks to: one attempt with its limits, one retry loop
 * with one budget for the run, one reading of failures, proxies. Make one for a run and hand it to
 * all clients.
 *
 * ```ts
 * const http = new Http({ clock, log, signal });
 * const reply = await http.request({ service, method: 'GET', url, headers: { authorization }, repeat: 'always' });
 * const { value } = await http.requestJson({ service, method: 'PUT', url, body, repeat: 'always', tls: { ca } }, schema);
 * ```
 *
 * Both throw a CourierError, and only that: `network` and `protocol` for what broke on the way, the
 * code of the status else (http/service.ts), or what the service's `meaning` says. `mayHaveStarted`
 * is true if the request may have had an effect. The body is read whole or not at all: at most
 * `limits.bodyBytes`, and never less than `content-length`.
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

  /** The whole reply, with a status that `accepts` takes. */
  request(request: HttpRequest): Promise<HttpReply> {
    const { accepts = isSuccess, check } = request;
    const read = (reply: HttpReply): Outcome<HttpReply> | undefined => {
      if (!accepts(reply)) return undefined;
      const problem = check?.(reply);
      if (problem === undefined) return { ok: true, value: reply };
      return {
        ok: false,
        ...contentFailure(reply, wordsOf(request, this.#redact), problem, 'if-repeatable'),
      };
    };
    return this.#repeat(request, { read });
  }

  /**
   * The reply's JSON as the schema has it; `protocol` if it does not fit, naming the field. `also`
   * is a failure status whose body is an answer as well: if it does not fit its schema, it is the
   * failure that it says. A schema may be given as a function that loads it: that is called while
   * the request is on its way.
   */
  requestJson<T>(
    request: Omit<HttpRequest, 'check'>,
    schema: Late<Schema<T>>,
    also?: { readonly status: number; readonly schema: Late<Schema<T>> },
  ): Promise<{ value: T; reply: HttpReply }> {
    const { accepts = isSuccess, redact = (text: string) => text } = request;
    let loading: Promise<readonly [Schema<T>, Schema<T> | undefined]> | undefined;
    const prepare = () => {
      loading ??= Promise.all([load(schema), also && load(also.schema)]);
      return loading;
    };
    const read = async (
      reply: HttpReply,
    ): Promise<Outcome<{ value: T; reply: HttpReply }> | undefined> => {
      const [usual, other] = await prepare();
      // No reply has a reason to contain our credentials: a reply that repeats them ends here.
      const json = parseJson(redact(reply.body.toString('utf8')));
      const answer = reply.status === also?.status ? other?.safeParse(json) : undefined;
      if (answer?.success === true) return { ok: true, value: { value: answer.data, reply } };
      if (!accepts(reply)) return undefined;
      const parsed = usual.safeParse(json);
      if (parsed.success) return { ok: true, value: { value: parsed.data, reply } };
      const problem = json === undefined ? 'it is not JSON' : describeIssues(parsed.error.issues);
      // Without a length, JSON that does not parse is all that shows that a reply was cut off.
      const isCut = json === undefined && !reply.lengthKnown;
      const words = wordsOf(request, this.#redact);
      return {
        ok: false,
        ...contentFailure(reply, words, problem, isCut ? 'if-repeatable' : 'no'),
      };
    };
    return this.#repeat(request, { read, prepare });
  }

  async #repeat<T>(request: HttpRequest, reading: Reading<T>): Promise<T> {
    const { clock, log } = this.#init;
    const { signal = this.#init.signal, timeLimitMs = Infinity, waitLimitMs = Infinity } = request;
    const endMs = clock.monotonicMs() + timeLimitMs;
    const lastMs = Math.min(endMs, clock.monotonicMs() + waitLimitMs);
    const progress: Progress = { attempt: 1, throttles: 0, throttledMs: 0, mayHaveStarted: false };
    try {
      for (;;) {
        if (signal.aborted) throw cancelled(signal.reason);
        const leftMs = Math.max(1, endMs - clock.monotonicMs());
        const outcome = await this.#attempt(request, reading, { progress, leftMs });
        if (outcome.ok) return outcome.value;
        const waitMs = this.#waitMs(request, outcome, progress);
        if (waitMs === undefined || clock.monotonicMs() + waitMs >= lastMs) throw outcome.error;
        progress.mayHaveStarted ||= outcome.error.mayHaveStarted;
        log.info(
          `${outcome.error.message} Trying again ${waitMs < 100 ? 'now' : `in ${formatDuration(waitMs)}`}.`,
        );
        await clock.sleep(waitMs, signal);
      }
    } catch (error) {
      const isUnsure =
        progress.mayHaveStarted && error instanceof CourierError && !error.mayHaveStarted;
      throw isUnsure ? error.with({ mayHaveStarted: true, cause: error.cause }) : error;
    }
  }

  async #attempt<T>(
    request: HttpRequest,
    { read, prepare }: Reading<T>,
    { progress, leftMs }: { readonly progress: Progress; readonly leftMs: number },
  ): Promise<Outcome<T>> {
    const words = wordsOf(request, this.#redact);
    const { clock, log, limits: usual } = this.#init;
    const limits = within({ ...EXCHANGE_LIMITS, ...usual, ...request.limits }, leftMs);
    try {
      // A failure of what is loaded comes up where the reply is read.
      const reply = await this.#exchange(request, limits, () => void prepare?.().catch(() => {}));
      log.debug(`${words.name}: ${reply.status}, ${reply.body.length} bytes`);
      const context = { nowMs: clock.now(), throttles: progress.throttles };
      return (await read(reply)) ?? { ok: false, ...statusFailure(reply, words, context) };
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      if (error.fault === 'aborted') throw cancelledCall(request, error);
      return { ok: false, ...faultFailure(error, words, limits, progress.attempt) };
    }
  }

  async #exchange(
    request: HttpRequest,
    limits: ExchangeLimits,
    onSent: () => void,
  ): Promise<HttpReply> {
    const { method, url, body, tls } = request;
    const isChecked = request.allowPrivateHosts === false;
    const refusal = isChecked ? literalRefusal(url) : undefined;
    if (refusal !== undefined)
      throw new ExchangeError({ fault: 'broken', sent: false, cause: refusal });
    // A kept connection was not checked when it was made.
    const agent = await agentFor(url, { keep: request.repeat !== 'unless-acted' && !isChecked });
    const lookup = isChecked ? publicLookup() : undefined;
    const headers = { ...headersOf(request), ...(await request.sign?.()) };
    const { signal = this.#init.signal, cancelGraceMs } = request;
    return exchange(
      { method, url, headers, body, agent, tls, lookup, onSent },
      {
        limits,
        signal: cancelGraceMs === undefined ? signal : delayedAbort(signal, cancelGraceMs),
      },
    );
  }

  /** How long to wait before the next attempt; undefined: there is none. Counts what it allows. */
  #waitMs(
    request: HttpRequest,
    { error, retry, retryAfterMs }: Failure,
    progress: Progress,
  ): number | undefined {
    if (!mayRepeat(request.repeat, retry)) return undefined;
    if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS) return undefined;
    const { random = Math.random } = this.#init;
    // A 503 with `Retry-After` is an outage, and counted as one.
    const isThrottled = error.code === 'rate-limited' && error.httpStatus !== 503;
    if (isThrottled) progress.throttles += 1;
    if (isThrottled && retryAfterMs !== undefined && retryAfterMs >= SHORTEST_THROTTLE_MS) {
      return this.#hasTimeToWait(retryAfterMs, request, progress)
        ? afterRetryAfterMs(retryAfterMs, random)
        : undefined;
    }
    if (progress.attempt >= MAX_ATTEMPTS || this.#retriesLeft <= 0) return undefined;
    const { attempt } = progress;
    progress.attempt += 1;
    this.#retriesLeft -= 1;
    if (retryAfterMs !== undefined) return afterRetryAfterMs(retryAfterMs, random);
    return error.code === 'rate-limited'
      ? throttleMs({ attempt, random })
      : backoffMs({ attempt, random });
  }

  /**
   * Waiting as asked for is not a failure: it draws on no retries, but on the time of the call and
   * of the run. True while that lasts.
   */
  #hasTimeToWait(
    waitMs: number,
    { waitLimitMs = LONGEST_THROTTLED_MS }: HttpRequest,
    progress: Progress,
  ): boolean {
    progress.throttledMs += waitMs;
    this.#throttledLeftMs -= waitMs;
    return progress.throttledMs <= waitLimitMs && this.#throttledLeftMs >= 0;
  }
}

function mayRepeat(repeat: Repeat, retry: Failure['retry']): boolean {
  if (repeat === 'never') return false;
  return retry === 'safe' || (retry === 'if-repeatable' && repeat === 'always');
}

// A server that asks for no wait at all is not throttling; without this it could keep a call busy
// forever.
const SHORTEST_THROTTLE_MS = 1000;

function within(limits: ExchangeLimits, leftMs: number): ExchangeLimits {
  const cap = (name: 'connectMs' | 'headersMs' | 'idleMs' | 'totalMs') => ({
    [name]: Math.min(limits[name], leftMs),
  });
  return {
    ...limits,
    ...cap('connectMs'),
    ...cap('headersMs'),
    ...cap('idleMs'),
    ...cap('totalMs'),
  };
}

function cancelledCall({ method, repeat }: HttpRequest, error: ExchangeError): CourierError {
  const writes =
    method === 'PUT' || method === 'PATCH' || method === 'DELETE' || repeat === 'unless-acted';
  return new CourierError({
    code: 'cancelled',
    message: 'The run was cancelled.',
    mayHaveStarted: error.sent && writes,
    cause: error,
  });
}

/**
 * A signal that aborts so long after the given one: for what must still be said once the run was
 * cancelled.
 */
export function delayedAbort(signal: AbortSignal, delayMs: number): AbortSignal {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(signal.reason), delayMs).unref();
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return controller.signal;
}
