import type { getOctokit } from '@actions/github';
import type * as z from 'zod/mini';
import { CourierError, type Hint, protocolError } from '../ground/errors.ts';
import { plainLine } from '../ground/text/escape.ts';
import { describeIssues, fieldOf, isJsonType, parseJson } from '../ground/text/json.ts';
import { parseUrl } from '../ground/text/names.ts';
import type { HeaderFields, HttpReply } from '../http/exchange.ts';
import type { Http, HttpRequest } from '../http/http.ts';
import {
  jsonOf,
  type Meaning,
  type MeaningContext,
  type Service,
  textAt,
} from '../http/service.ts';

/**
 * The GitHub REST client: Octokit's typed routes and pagination over our HTTP. Its calls throw
 * CourierErrors.
 */
export type Octokit = Awaited<ReturnType<typeof createOctokit>>;

type OctokitReply = Awaited<ReturnType<ReturnType<typeof getOctokit>['request']>>;

interface OctokitInit {
  readonly token: string;
  readonly apiUrl: string;
  readonly http: Http;
  readonly signal: AbortSignal;
  /** For one attempt, the body included. */
  readonly timeoutMs?: number | undefined;
}

// RFC 9110, section 9.2.2, and PATCH as GitHub's REST API has it: these set a state, and setting it
// twice does no harm.
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']);
const ATTEMPT_TIMEOUT_MS = 60_000;
/** For so long at most, nothing of a reply may come. */
const LONGEST_PAUSE_MS = 30_000;
// A page of a hundred comments of 64 KiB, each character escaped, is below this.
const MAX_BODY_BYTES = 48 * 1024 ** 2;
const MAX_REDIRECTS = 3;

/**
 * Octokit as `@actions/github` makes it, with our own `fetch`: limits, retries, proxies and errors
 * are those of src/http. That package reads the event file when it is loaded, so the caller has
 * checked that file.
 */
export async function createOctokit(init: OctokitInit) {
  const { getOctokit } = await import('@actions/github');
  // What Octokit would print is in the errors that the caller gets.
  const silent = () => {};
  const octokit = getOctokit(init.token, {
    baseUrl: init.apiUrl,
    userAgent: 'docs-courier',
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  octokit.hook.wrap('request', async (request, options) => {
    const settings = options.request ?? {};
    const call = {
      name: callName(options.method, options.url, options),
      once: settings['once'] === true,
      mayBeAbsent: settings['mayBeAbsent'] === true,
      signal: settings.signal ?? init.signal,
    };
    // Octokit's own hooks keep this `options` object, so it is changed and not copied. All calls
    // share `options.request`, so that is copied and not changed.
    options.request = {
      ...settings,
      fetch: (address: string, sent: FetchInit) => fetchWhole(init, call, address, sent),
    };
    try {
      return await request(options);
    } catch (error) {
      // The caller of such a call reads the status 404 from the reply.
      if (call.mayBeAbsent && isAbsence(error)) return error.response;
      // Octokit wraps the error of its `fetch`: the caller gets ours.
      const wrapsOurs = error instanceof Error && error.cause instanceof CourierError;
      throw wrapsOurs ? error.cause : error;
    }
  });
  return octokit;
}

/**
 * The name of a call in messages: method and path, such as `GET /repos/acme/docs`, with values for
 * the names in braces.
 */
function callName(method: string, url: string, values: Parameters): string {
  // A route is only a path; the next page of a list is a whole address, from a header.
  const template = URL.canParse(url) ? new URL(url).pathname : url.replace(/\?.*/s, '');
  const path = template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    encodeURIComponent(String(values[name] ?? placeholder)),
  );
  return `GitHub ${method} ${plainLine(path, 200)}`;
}

/** What Octokit hands to its `fetch`. */
interface FetchInit {
  readonly method: string;
  readonly headers: HeaderFields;
  readonly body?: unknown;
}

interface Call {
  readonly name: string;
  /** See `ONCE`. */
  readonly once: boolean;
  /** See `MAY_BE_ABSENT`. */
  readonly mayBeAbsent: boolean;
  readonly signal: AbortSignal;
}

/**
 * As `request` of a call: the call is sent once, without repeats, and ends within 20 seconds. For a
 * write that depends on what was read just before: after a pause, the caller reads and decides
 * again.
 */
export const ONCE = { once: true } as const;

/**
 * As `request` of a call: status 404 gives a reply instead of an error. Its data must not be read.
 */
export const MAY_BE_ABSENT = { mayBeAbsent: true } as const;

/** What Octokit throws for a reply with status 404 that `fetchWhole` has let pass. */
function isAbsence(error: unknown): error is { readonly response: OctokitReply } & Error {
  return (
    error instanceof Error && 'response' in error && 'status' in error && error.status === NOT_FOUND
  );
}

// By the protocol in `delivery/protocol`, another run may write 45 s after this run has read.
const ONCE_TIMEOUT_MS = 20_000;
const NOT_FOUND = 404;

/**
 * A `fetch` for Octokit that throws for a reply that was cut, or that is not the JSON that it
 * should be. Octokit would take such a body for an empty one, and an empty reply for a success.
 */
async function fetchWhole(
  init: OctokitInit,
  call: Call,
  address: string,
  sent: FetchInit,
): Promise<Response> {
  const { origin } = new URL(init.apiUrl);
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    // A link or a redirect in a reply can name another host, which must not get the token.
    if (url.origin !== origin) {
      const target = plainLine(url.origin, 100);
      throw badReply(
        `${call.name} was not sent: a reply of GitHub leads to another host, ${target}, and the token must not travel there.`,
      );
    }
    const timeoutMs = init.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
    // For every other status than these and redirects, the request throws.
    const reply = await init.http.request(requestOf(call, url, sent, timeoutMs));
    if (reply.status < 300 || reply.status === NOT_FOUND) return responseOf(reply, url);
    // A redirect without a usable address is refused like one to another host.
    url = parseUrl(reply.headers.location ?? '', url.href) ?? new URL('about:blank');
  }
  throw badReply(`${call.name} was redirected more than ${MAX_REDIRECTS} times.`);
}

/** The error for a reply that GitHub itself would not send. */
function badReply(message: string): CourierError {
  return protocolError(
    message,
    'If a proxy is between the runner and GitHub, check whether it changes replies.',
  );
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The request for our HTTP that Octokit's `fetch` asks for, with what counts as a good reply. */
function requestOf(call: Call, url: URL, sent: FetchInit, timeoutMs: number): HttpRequest {
  const { headers, body } = sent;
  const totalMs = call.once ? Math.min(timeoutMs, ONCE_TIMEOUT_MS) : timeoutMs;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, totalMs);
  // Octokit's method is any text, and our HTTP takes only these.
  const method = METHODS.find((one) => one === sent.method);
  if (method === undefined) throw new Error(`no GitHub call has the method ${sent.method}`);
  const isRead = method === 'GET' || method === 'HEAD';
  // A reply to HEAD has no body.
  const promisesJson = method !== 'HEAD' && headers['accept']?.includes('json');
  // A repository that was renamed answers with a redirect, which `fetchWhole` follows. After 301
  // and 302, a client sends a write as a GET, so only a read follows these.
  const redirects = isRead ? [301, 302, 307, 308] : [307, 308];
  return {
    service: githubService,
    name: call.name,
    method,
    url,
    headers,
    // Octokit makes JSON text of the fields of a call; the body of a GET is undefined.
    body: typeof body === 'string' ? body : undefined,
    repeat: call.once ? 'never' : repeatOf(method, url),
    limits: { headersMs: pauseMs, idleMs: pauseMs, totalMs, bodyBytes: MAX_BODY_BYTES },
    signal: call.signal,
    accepts: (reply) => {
      const { status } = reply;
      // A 404 without JSON is a page of a proxy, which does not say what GitHub has.
      if (status === NOT_FOUND)
        return call.mayBeAbsent && isJsonType(reply.headers['content-type']);
      return (status >= 200 && status < 300) || redirects.includes(status);
    },
    check: (reply) => (promisesJson ? jsonProblem(reply, isRead) : undefined),
  };
}

/**
 * Whether a call may be sent again after a failure. A POST may be if it certainly did nothing; a
 * reaction always, since GitHub adds it only once.
 */
function repeatOf(method: string, url: URL): 'always' | 'unless-acted' {
  if (REPEATABLE_METHODS.has(method) || url.pathname.endsWith('/reactions')) return 'always';
  return 'unless-acted';
}

/**
 * What is wrong with a reply to a call that asked for JSON; undefined: nothing. Some writes are
 * answered without a body, by status 204 or 205 or with a length of 0.
 */
function jsonProblem(reply: HttpReply, isRead: boolean): string | undefined {
  const { status, body } = reply;
  // Of a redirect and a 404, no body is read.
  if (status === 204 || status === 205 || status >= 300) return undefined;
  if (body.length === 0 && !isRead && reply.lengthKnown) return undefined;
  if (!isJsonType(reply.headers['content-type'])) return 'its content type is not JSON';
  if (parseJson(body.toString('utf8')) === undefined) return 'it is not JSON';
  return undefined;
}

/**
 * The reply as Octokit reads it, without the headers of an encoding: the body is decoded already.
 */
function responseOf(reply: HttpReply, url: URL): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value === undefined || name === 'content-encoding' || name === 'content-length') continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // A `Response` with one of these throws if it gets a body, even an empty one.
  const hasBody = reply.status !== 204 && reply.status !== 205;
  const response = new Response(hasBody ? new Uint8Array(reply.body) : null, {
    status: reply.status,
    headers,
  });
  // Octokit reads the address from it; a constructed `Response` has none.
  return Object.defineProperty(response, 'url', { value: url.href });
}

/** GitHub's REST API, as `src/http` needs to know it. */
const githubService: Service = {
  name: 'GitHub',
  addressSetting: 'the address of the API (GITHUB_API_URL)',
  errorText: reasonOf,
  meaning,
};

/**
 * All that GitHub says in an error reply: what is wrong with a request (422) is in `errors`, as
 * objects or texts.
 * https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed
 */
function reasonOf(reply: HttpReply): string {
  const message = messageOf(reply);
  const errors = fieldOf(jsonOf(reply), 'errors');
  if (!Array.isArray(errors)) return message;
  const details = errors.map(detailOf).filter((text) => text !== '');
  if (details.length === 0) return message;
  return `${message}: ${details.join('; ')}`;
}

/** One entry of `errors` as text; empty if it has no text and no known field. */
function detailOf(error: unknown): string {
  // An entry is a text, an object with a text, or an object that only names what is wrong.
  const message = fieldOf(error, 'message') ?? error;
  if (typeof message === 'string') return message;
  const facts = ['resource', 'field', 'code'].map((name) => fieldOf(error, name));
  return facts.filter((fact) => fact !== undefined).join(' ');
}

/** GitHub's own words in an error reply; empty if there are none. */
function messageOf(reply: HttpReply): string {
  return textAt(reply, 'message') ?? '';
}

// The texts of GitHub for a token that lacks a permission or a role, and for its rate limits. Both
// have status 403, and GitHub documents the text as the difference: only here a text decides.
// https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
const LACKS_PERMISSION =
  /resource not accessible by|must have .{0,200}\brights\b|must be an? .{0,200}\b(owner|admin|administrator|member)\b|do(es)? not have .{0,200}\b(permission|access)\b/i;
const RATE_LIMIT = /\brate limit\b|\babuse detection\b/i;

/** True if the text of a reply with status 403 says that the token lacks a permission. */
function saysPermissionIsMissing(message: string): boolean {
  return LACKS_PERMISSION.test(message) && !RATE_LIMIT.test(message);
}

const SECONDARY_LIMIT_MS = 60_000;
const SHORTEST_WAIT_MS = 1000;

/** What an error reply of GitHub means; undefined: no more than its status. */
function meaning(reply: HttpReply, context: MeaningContext): Meaning | undefined {
  const { status } = reply;
  const waitMs = rateLimitMs(reply, context);
  // GitHub does not carry out a call over the limit, so that even a write may be sent again.
  if (waitMs !== undefined) return { code: 'rate-limited', retry: 'safe', retryAfterMs: waitMs };
  if (status === 401)
    return { hint: 'The token was not accepted: it may have expired or been revoked.' };
  if (status === 403) {
    const lacksPermission = saysPermissionIsMissing(messageOf(reply));
    // Single sign-on and the IP allow list explain more than a missing permission.
    const otherCause = ssoHint(reply, context.url) ?? addressHint(reply);
    if (otherCause === undefined && lacksPermission)
      return { hint: permissionHint(reply), lacksPermission };
    return { hint: otherCause, lacksPermission };
  }
  if (status < 500) return undefined;
  return { hint: 'GitHub had an internal problem. See its status page, and run again later.' };
}

/**
 * How long a primary or secondary rate limit asks to wait; undefined: no limit was hit. The rules
 * are GitHub's:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
function rateLimitMs(reply: HttpReply, context: MeaningContext): number | undefined {
  const { status, headers } = reply;
  if (status !== 403 && status !== 429) return undefined;
  const message = messageOf(reply);
  if (status === 403 && saysPermissionIsMissing(message)) return undefined;
  // What the header `retry-after` asks for.
  if (context.retryAfterMs !== undefined) return context.retryAfterMs;
  const reset = Number(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] === '0' && Number.isSafeInteger(reset)) {
    // A reset that has passed and is still in force: another call at once would not help either.
    const floorMs = SHORTEST_WAIT_MS * 2 ** context.throttles;
    return Math.max(floorMs, reset * 1000 - context.nowMs);
  }
  // A 429 is always a limit; a 403 is one only by its text.
  if (status === 403 && !RATE_LIMIT.test(message)) return undefined;
  // "Otherwise, wait for at least one minute before retrying", and then longer each time:
  // `throttles` counts the replies to this call that were over a limit.
  return SECONDARY_LIMIT_MS * 2 ** context.throttles;
}

/**
 * The hint for an organization that requires single sign-on for this token, with the address from
 * a header where the person authorizes it; undefined for any other reply.
 * https://docs.github.com/rest/authentication/authenticating-to-the-rest-api#authenticating-with-a-personal-access-token
 */
function ssoHint(reply: HttpReply, url: URL): Hint | undefined {
  const header = reply.headers['x-github-sso'];
  if (typeof header !== 'string' || !header.startsWith('required')) return undefined;
  const ssoUrl = parseUrl(/\burl=(\S+)/.exec(header)?.[1] ?? '');
  // The API of github.com is at api.github.com; that of an Enterprise Server is at the host itself.
  const gitHubHost = url.host.replace(/^api\./, '');
  // A person opens the address and authorizes a token there, so no other host is shown.
  const isOnGitHub = ssoUrl?.protocol === 'https:' && ssoUrl.host === gitHubHost;
  // The query of the address is a secret of that person, and is left out.
  const where = isOnGitHub
    ? `${ssoUrl.origin}${ssoUrl.pathname}`
    : 'its settings, under Configure SSO';
  return {
    text: `The organization requires single sign-on for this token. Authorize the token at ${where}, and run again.`,
  };
}

/** The hint for an organization with an IP allow list; undefined for any other reply. */
function addressHint(reply: HttpReply): Hint | undefined {
  if (!/\bIP allow list\b/i.test(messageOf(reply))) return undefined;
  return {
    text: "The organization has an IP allow list, and the address of this runner is not in it. Add the runner's address there, or use a runner with an address that is in it.",
  };
}

/** The hint with the permissions that GitHub names in a header, if it names any. */
function permissionHint(reply: HttpReply): Hint {
  const accepted = String(reply.headers['x-accepted-github-permissions'] ?? '');
  // Alternatives are separated by `;`, permissions that are needed together by `,`; the first
  // alternative is the narrowest.
  const narrowest = accepted.replace(/;.*/s, '');
  const permissions: Record<string, 'read' | 'write'> = {};
  for (const [, name = '', level] of narrowest.matchAll(/\b([a-z_]{3,40})=(read|write)\b/g))
    permissions[name.replaceAll('_', '-')] = level === 'read' ? 'read' : 'write';
  const text = 'The token lacks a permission that this call needs.';
  if (Object.keys(permissions).length === 0) return { text };
  return { text, permissions };
}

/**
 * The data of a reply as the schema describes it. Throws `protocol`, naming route and field, if a
 * field is missing or of another type. `route`: such as `GET /repos/{owner}/{repo}`.
 */
export function readReply<T>(schema: z.ZodMiniType<T>, data: unknown, route?: string): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const replyName = route === undefined ? "GitHub's reply" : `GitHub's reply to ${route}`;
  const error = badReply(`${replyName} is invalid: ${describeIssues(result.error.issues)}.`);
  // GitHub has answered the call: if it was a write, that took place.
  throw error.with({ mayHaveActed: true });
}

export type Parameters = Readonly<Record<string, unknown>>;

/**
 * Makes one call and reads its JSON: `getJson(octokit, 'GET /repos/{owner}/{repo}', { owner, repo
 * }, z.object({ id: z.number() }))`. Any method works. Throws what the call
 * throws, and `protocol` if the reply does not fit the schema.
 */
export async function getJson<T>(
  octokit: Octokit,
  route: string,
  parameters: Parameters,
  schema: z.ZodMiniType<T>,
): Promise<T> {
  const reply = await octokit.request(route, { ...parameters });
  return readReply(schema, reply.data, route);
}
