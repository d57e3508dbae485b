import type { Clock } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { HttpReply } from '../http/exchange.ts';
import { Http } from '../http/http.ts';
import { isJsonType } from '../http/json.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Log } from '../log.ts';
import { plainLine } from '../text/escape.ts';
import { parseJson } from '../text/json.ts';
import { githubService } from './service.ts';

/** The GitHub REST client: Octokit's typed routes and pagination over our HTTP. Its calls throw CourierErrors. */
export type Octokit = Awaited<ReturnType<typeof createOctokit>>;

export interface OctokitInit {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly random?: (() => number) | undefined;
  /** For one attempt, the body included. */
  readonly timeoutMs?: number | undefined;
  /** Shares its retry budget with the other services of the run; without it this client has one of its own. */
  readonly http?: Http | undefined;
}

// RFC 9110, section 9.2.2, and PATCH as GitHub's REST API has it: these set a state, and setting it twice does no harm.
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']);
const ATTEMPT_TIMEOUT_MS = 60_000;
// A page of a hundred comments of 64 KiB, each character escaped, is below this.
const MAX_BODY_BYTES = 48 * 1024 ** 2;
const MAX_REDIRECTS = 3;

/** Loads Octokit, and gives it our own `fetch`: limits, retries, proxies and errors are those of src/http. */
export async function createOctokit(init: OctokitInit) {
  const [{ Octokit: Core }, { restEndpointMethods }, { paginateRest }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-rest-endpoint-methods'),
    import('@octokit/plugin-paginate-rest'),
  ]);
  const silent = () => {};
  const octokit = new (Core.plugin(restEndpointMethods, paginateRest))({
    auth: init.token,
    baseUrl: init.apiUrl,
    userAgent: 'docs-courier',
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const fetcher = new GitHubFetch(init);
  octokit.hook.wrap('request', async (request, options) => {
    const { method, url, request: given = {} } = options;
    const name = callName(method, url, options);
    // Set in place: Octokit binds its own hooks to this object and drops another one. `options.request` itself is shared by all
    // calls, so that gets a copy.
    options.request = {
      ...given,
      fetch: (address: string, sent: FetchInit) => fetcher.fetch(name, address, { ...sent, signal: given.signal }),
    };
    try {
      return await request(options);
    } catch (error) {
      // Octokit wraps what its `fetch` throws.
      throw error instanceof Error && error.cause instanceof CourierError ? error.cause : error;
    }
  });
  return octokit;
}

/** Method and path, such as `GET /repos/acme/docs`, with the values in place of the names in braces. */
function callName(method: string, url: string, values: Readonly<Record<string, unknown>>): string {
  const template = (URL.canParse(url) ? new URL(url).pathname : url.split('?')[0]) ?? '';
  const path = template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : placeholder;
  });
  return `GitHub ${method} ${plainLine(path, 200)}`;
}

/** What Octokit hands to its `fetch`. */
interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

class GitHubFetch {
  readonly #http: Http;
  readonly #init: OctokitInit;
  readonly #origin: string;

  constructor(init: OctokitInit) {
    this.#http = init.http ?? new Http(init);
    this.#init = init;
    this.#origin = new URL(init.apiUrl).origin;
  }

  /**
   * A `fetch` that gives a reply only when it has been read whole. Octokit takes a body that could not be read for an empty one, and
   * an empty reply for a success: what was cut, or is no JSON where JSON is promised, must not get that far.
   */
  async fetch(name: string, address: string, sent: FetchInit): Promise<Response> {
    let url = new URL(address);
    for (let hops = 0; ; hops += 1) {
      this.#checkHost(name, url);
      const reply = await this.#http.request(this.#request(name, url, sent));
      const next = redirectOf(reply, url);
      if (next === undefined) return responseOf(reply, url);
      if (hops >= MAX_REDIRECTS) throw tooManyRedirects(name);
      url = next;
    }
  }

  /** The token goes to the API's own address only, also where a link or a redirect in a reply names another. */
  #checkHost(name: string, url: URL): void {
    if (url.origin === this.#origin) return;
    throw new CourierError({
      code: 'protocol',
      message: `${name} was not sent: a reply of GitHub leads to another host, ${plainLine(url.origin, 100)}, and the token must not travel there.`,
      hint: 'If a proxy is between the runner and GitHub, check whether it changes replies.',
    });
  }

  #request(name: string, url: URL, { method, headers, body, signal }: FetchInit): HttpRequest {
    const totalMs = this.#init.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
    const verb = methodOf(method);
    const isRead = verb === 'GET' || verb === 'HEAD';
    const promisesJson = verb !== 'HEAD' && (headers['accept'] ?? '').includes('json');
    return {
      service: githubService,
      name,
      method: verb,
      url,
      headers,
      body: typeof body === 'string' ? body : undefined,
      repeat: REPEATABLE_METHODS.has(verb) ? 'always' : 'unless-acted',
      limits: {
        headersMs: Math.min(30_000, totalMs),
        idleMs: Math.min(30_000, totalMs),
        totalMs,
        bodyBytes: MAX_BODY_BYTES,
      },
      signal: signal ?? this.#init.signal,
      // A repository that was renamed answers with a redirect; one that would turn a write into a read is refused.
      accepts: ({ status }) =>
        (status >= 200 && status < 300) ||
        status === 307 ||
        status === 308 ||
        (isRead && (status === 301 || status === 302)),
      check: (reply) => (promisesJson ? jsonProblem(reply, isRead) : undefined),
    };
  }
}

function methodOf(method: string): HttpRequest['method'] {
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'POST':
    case 'PUT':
    case 'PATCH':
    case 'DELETE':
      return method;
    default:
      throw new Error(`no GitHub call has the method ${method}`);
  }
}

/** What is wrong with a reply that promises JSON. Writes are answered without a body in places, which then says so. */
function jsonProblem(reply: HttpReply, isRead: boolean): string | undefined {
  const { status, headers, body, lengthKnown } = reply;
  if (status === 204 || status === 205 || status >= 300) return undefined;
  if (body.length === 0 && !isRead && lengthKnown) return undefined;
  if (!isJsonType(headers['content-type'])) return 'its content type is not JSON';
  return parseJson(body.toString('utf8')) === undefined ? 'it is not JSON' : undefined;
}

function redirectOf(reply: HttpReply, url: URL): URL | undefined {
  if (reply.status < 300) return undefined;
  const { location = '' } = reply.headers;
  return URL.canParse(location, url.href) ? new URL(location, url) : new URL('about:blank');
}

function tooManyRedirects(name: string): CourierError {
  return new CourierError({
    code: 'protocol',
    message: `${name} was redirected more than ${MAX_REDIRECTS} times.`,
    hint: 'If a proxy is between the runner and GitHub, check whether it changes replies.',
  });
}

/** The reply as Octokit reads it. Our encoding headers are dropped: the body is decoded already. */
function responseOf(reply: HttpReply, url: URL): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value === undefined || name === 'content-encoding' || name === 'content-length') continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const hasBody = reply.status !== 204 && reply.status !== 205;
  const response = new Response(hasBody ? new Uint8Array(reply.body) : null, { status: reply.status, headers });
  return Object.defineProperty(response, 'url', { value: url.href });
}
