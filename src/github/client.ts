import type { getOctokit } from '@actions/github';
import * as z from 'zod/mini';
import { CourierError, type Hint } from '../errors.ts';
import type { HttpReply } from '../http/exchange.ts';
import type { Http, HttpRequest } from '../http/http.ts';
import { type Meaning, type MeaningContext, type Service, textAt } from '../http/service.ts';
import { plainLine } from '../text/escape.ts';
import { describeIssues, fieldOf, isJsonType, parseJson } from '../text/json.ts';
import { parseUrl } from '../text/names.ts';

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
  const silent = () => {};
  const octokit = getOctokit(init.token, {
    baseUrl: init.apiUrl,
    userAgent: 'docs-courier',
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  octokit.hook.wrap('request', async (request, options) => {
    const given = options.request ?? {};
    const call = {
      name: callName(options.method, options.url, options),
      once: given['once'] === true,
      mayBeAbsent: given['mayBeAbsent'] === true,
      signal: given.signal ?? init.signal,
    };
    // Set in place: Octokit binds its own hooks to this object and drops another one.
    // `options.request` itself is shared by all calls, so that gets a copy.
    options.request = {
      ...given,
      fetch: (address: string, sent: FetchInit) => fetchWhole(init, call, address, sent),
    };
    try {
      return await request(options);
    } catch (error) {
      if (call.mayBeAbsent && isAbsence(error)) return error.response;
      // Octokit wraps what its `fetch` throws.
      throw error instanceof Error && error.cause instanceof CourierError ? error.cause : error;
    }
  });
  return octokit;
}

/** Method and path, such as `GET /repos/acme/docs`, with values for the names in braces. */
function callName(method: string, url: string, values: Readonly<Record<string, unknown>>): string {
  const template = (URL.canParse(url) ? new URL(url).pathname : url.split('?')[0]) ?? '';
  const path = template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    encodeURIComponent(String(values[name] ?? placeholder)),
  );
  return `GitHub ${method} ${plainLine(path, 200)}`;
}

/** What Octokit hands to its `fetch`. */
interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
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
 * As `request` of a call: it is sent once, and given up in time. For a write that is decided upon
 * again before it is sent again: what was decided before a pause counts no more after it.
 */
export const ONCE = { once: true } as const;

/**
 * As `request` of a call: 404 is an answer. The reply has this status, and its data is of no use.
 */
export const MAY_BE_ABSENT = { mayBeAbsent: true } as const;

/** What Octokit throws for a reply with status 404 that `fetchWhole` has let pass. */
function isAbsence(error: unknown): error is { readonly response: OctokitReply } & Error {
  return (
    error instanceof Error && 'response' in error && 'status' in error && error.status === NOT_FOUND
  );
}

// Another run may write 45 s after this one has read (`publish/state/protocol`).
const ONCE_TIMEOUT_MS = 20_000;
const NOT_FOUND = 404;

/**
 * A `fetch` that gives a reply only when it has been read whole. Octokit takes a body that could
 * not be read for an empty one, and an empty reply for a success: what was cut, or is not JSON
 * where JSON is promised, must not get that far.
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
    // The token goes to the API's own address only, even if a link or a redirect in a reply names
    // another.
    if (url.origin !== origin) {
      const target = plainLine(url.origin, 100);
      throw badReply(
        `${call.name} was not sent: a reply of GitHub leads to another host, ${target}, and the token must not travel there.`,
      );
    }
    const timeoutMs = init.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
    const reply = await init.http.request(requestOf(call, url, sent, timeoutMs));
    if (reply.status < 300 || reply.status === NOT_FOUND) return responseOf(reply, url);
    url = parseUrl(reply.headers.location ?? '', url.href) ?? new URL('about:blank');
  }
  throw badReply(`${call.name} was redirected more than ${MAX_REDIRECTS} times.`);
}

function badReply(message: string): CourierError {
  return new CourierError({
    code: 'protocol',
    message,
    hint: 'If a proxy is between the runner and GitHub, check whether it changes replies.',
  });
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function requestOf(call: Call, url: URL, sent: FetchInit, timeoutMs: number): HttpRequest {
  const { headers, body } = sent;
  const totalMs = call.once ? Math.min(timeoutMs, ONCE_TIMEOUT_MS) : timeoutMs;
  const pauseMs = Math.min(30_000, totalMs);
  const method = METHODS.find((one) => one === sent.method);
  if (method === undefined) throw new Error(`no GitHub call has the method ${sent.method}`);
  const isRead = method === 'GET' || method === 'HEAD';
  const promisesJson = method !== 'HEAD' && headers['accept']?.includes('json');
  // A repository that was renamed answers with a redirect; one that would turn a write into a read
  // is refused.
  const redirects = isRead ? [301, 302, 307, 308] : [307, 308];
  return {
    service: githubService,
    name: call.name,
    method,
    url,
    headers,
    body: typeof body === 'string' ? body : undefined,
    repeat: call.once ? 'never' : repeatOf(method, url),
    limits: { headersMs: pauseMs, idleMs: pauseMs, totalMs, bodyBytes: MAX_BODY_BYTES },
    signal: call.signal,
    accepts: (reply) => {
      const { status } = reply;
      if (status === NOT_FOUND)
        return call.mayBeAbsent && isJsonType(reply.headers['content-type']);
      return (status >= 200 && status < 300) || redirects.includes(status);
    },
    check: (reply) => (promisesJson ? jsonProblem(reply, isRead) : undefined),
  };
}

/** A second reaction of the same kind is the first one. */
function repeatOf(method: string, url: URL): 'always' | 'unless-acted' {
  if (REPEATABLE_METHODS.has(method) || url.pathname.endsWith('/reactions')) return 'always';
  return 'unless-acted';
}

/**
 * What is wrong with a reply that promises JSON. Writes are answered without a body in places,
 * which then says so.
 */
function jsonProblem(reply: HttpReply, isRead: boolean): string | undefined {
  const { status, body } = reply;
  if (status === 204 || status === 205 || status >= 300) return undefined;
  if (body.length === 0 && !isRead && reply.lengthKnown) return undefined;
  if (!isJsonType(reply.headers['content-type'])) return 'its content type is not JSON';
  if (parseJson(body.toString('utf8')) === undefined) return 'it is not JSON';
  return undefined;
}

/** The reply as Octokit reads it. Our encoding headers are dropped: the body is decoded already. */
function responseOf(reply: HttpReply, url: URL): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value === undefined || name === 'content-encoding' || name === 'content-length') continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const hasBody = reply.status !== 204 && reply.status !== 205;
  const response = new Response(hasBody ? new Uint8Array(reply.body) : null, {
    status: reply.status,
    headers,
  });
  return Object.defineProperty(response, 'url', { value: url.href });
}

/** GitHub's REST API as the HTTP ground sees it. */
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
  const errors = fieldOf(parseJson(reply.body.toString('utf8')), 'errors');
  if (!Array.isArray(errors)) return message;
  const details = errors.map(detailOf).filter((text) => text !== '');
  if (details.length === 0) return message;
  return `${message}: ${details.join('; ')}`;
}

function detailOf(error: unknown): string {
  const said = fieldOf(error, 'message') ?? error;
  if (typeof said === 'string') return said;
  return ['resource', 'field', 'code'].flatMap((name) => fieldOf(error, name) ?? []).join(' ');
}

/** GitHub's own words in an error reply; empty if there are none. */
function messageOf(reply: HttpReply): string {
  return textAt(reply, 'message') ?? '';
}

// The texts with which GitHub refuses a token that lacks a permission or a role, and those of its
// rate limits. Both come with status 403, and GitHub documents the text as the difference: this is
// the one place where a text decides.
// https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
const LACKS_PERMISSION =
  /resource not accessible by|must have .{0,200}\brights\b|must be an? .{0,200}\b(owner|admin|administrator|member)\b|do(es)? not have .{0,200}\b(permission|access)\b/i;
const RATE_LIMIT = /\brate limit\b|\babuse detection\b/i;

/** True if the reply says that the token lacks a permission; any other 403 has another reason. */
function saysPermissionIsMissing(message: string): boolean {
  return LACKS_PERMISSION.test(message) && !RATE_LIMIT.test(message);
}

const SECONDARY_LIMIT_MS = 60_000;
const SHORTEST_WAIT_MS = 1000;

function meaning(reply: HttpReply, context: MeaningContext): Meaning | undefined {
  const { status } = reply;
  const waitMs = rateLimitMs(reply, context);
  if (waitMs !== undefined) return { code: 'rate-limited', retry: 'safe', retryAfterMs: waitMs };
  if (status === 401)
    return { hint: 'The token was not accepted: it may have expired or been revoked.' };
  if (status === 403) {
    const lacksPermission = saysPermissionIsMissing(messageOf(reply));
    const reason = ssoHint(reply, context.url) ?? addressHint(reply);
    if (reason !== undefined || !lacksPermission) return { hint: reason, lacksPermission };
    return { hint: permissionHint(reply), lacksPermission };
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
  if (context.retryAfterMs !== undefined) return context.retryAfterMs;
  const reset = Number(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] === '0' && Number.isSafeInteger(reset)) {
    return Math.max(SHORTEST_WAIT_MS, reset * 1000 - context.nowMs);
  }
  if (status === 403 && !RATE_LIMIT.test(message)) return undefined;
  // "Otherwise, wait for at least one minute before retrying", and then longer each time.
  return SECONDARY_LIMIT_MS * 2 ** context.throttles;
}

/**
 * The organization wants single sign-on for this token. The header names the address; its query is
 * a secret of the person.
 * https://docs.github.com/rest/authentication/authenticating-to-the-rest-api#authenticating-with-a-personal-access-token
 */
function ssoHint(reply: HttpReply, url: URL): Hint | undefined {
  const header = reply.headers['x-github-sso'];
  if (typeof header !== 'string' || !header.startsWith('required')) return undefined;
  const found = parseUrl(/\burl=(\S+)/.exec(header)?.[1] ?? '');
  // The API of github.com is at api.github.com, that of an own server at its own name.
  const isOwn = found?.protocol === 'https:' && found.host === url.host.replace(/^api\./, '');
  const where = isOwn ? `${found.origin}${found.pathname}` : 'its settings, under Configure SSO';
  return {
    text: `The organization requires single sign-on for this token. Authorize the token at ${where}, and run again.`,
  };
}

/** The organization takes requests from some addresses only. */
function addressHint(reply: HttpReply): Hint | undefined {
  if (!/\bIP allow list\b/i.test(messageOf(reply))) return undefined;
  return {
    text: "The organization has an IP allow list, and the address of this runner is not in it. Add the runner's address there, or use a runner with an address that is in it.",
  };
}

/** The permission that GitHub names in the header of a refusal. */
function permissionHint(reply: HttpReply): Hint {
  const accepted = String(reply.headers['x-accepted-github-permissions'] ?? '');
  // Alternatives are separated by `;`, permissions that are needed together by `,`; the first
  // alternative is the narrowest.
  const first = accepted.replace(/;.*/s, '');
  const permissions: Record<string, 'read' | 'write'> = {};
  for (const [, name = '', level] of first.matchAll(/\b([a-z_]{3,40})=(read|write)\b/g))
    permissions[name.replaceAll('_', '-')] = level === 'read' ? 'read' : 'write';
  const text = 'The token lacks a permission that this call needs.';
  if (Object.keys(permissions).length === 0) return { text };
  return { text, permissions };
}

/**
 * What a reply of GitHub says, as the schema has it; `protocol` if a field is missing or of another
 * kind, naming route and field. `route` is such as `GET /repos/{owner}/{repo}`.
 */
export function readReply<T>(schema: z.ZodMiniType<T>, data: unknown, route?: string): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const what = route === undefined ? "GitHub's reply" : `GitHub's reply to ${route}`;
  const error = badReply(`${what} is invalid: ${describeIssues(result.error.issues)}.`);
  // The call itself was answered: a write took place.
  throw error.with({ mayHaveStarted: true });
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Makes one call and reads its JSON: `getJson(octokit, 'GET /repos/{owner}/{repo}', { owner, repo
 * }, z.object({ id: z.number() }))`. For every method; throws what the call throws, and `protocol`
 * if the reply does not fit.
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

const PAGE_SIZE = 100;

/**
 * All items of a list, page by page along GitHub's `link` headers, at most `maxItems`. A list in an
 * object, such as `{ total_count, secrets: [] }`, is taken out of it. A page whose link leads to
 * another host is refused.
 */
export async function listAll<T>(
  octokit: Octokit,
  route: string,
  parameters: Parameters,
  schema: z.ZodMiniType<T>,
  maxItems = 10_000,
): Promise<T[]> {
  const page = z.array(schema);
  const items: T[] = [];
  const asked = { per_page: PAGE_SIZE, ...parameters };
  for await (const reply of octokit.paginate.iterator(route, asked)) {
    items.push(...readReply(page, reply.data, route));
    if (items.length >= maxItems) break;
  }
  return items.slice(0, maxItems);
}
