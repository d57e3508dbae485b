import { randomBytes } from 'node:crypto';
import type { PageText } from '../../../bundle/pages.ts';
import { CourierError } from '../../../errors.ts';
import type { HttpReply } from '../../../http/exchange.ts';
import { PRIVATE_ADDRESS } from '../../../http/hosts.ts';
import type { Http } from '../../../http/http.ts';
import { type Service, systemCodes } from '../../../http/service.ts';
import { plainLine } from '../../../text/escape.ts';

/** What came back for one address of the site. */
export type Fetched =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly page: PageText;
      readonly cache: CacheHeaders | undefined;
    }
  | {
      readonly kind: 'status' | 'redirect' | 'unreachable';
      readonly status?: number | undefined;
      /** One sentence without a full stop. */
      readonly detail: string;
      readonly cache?: CacheHeaders | undefined;
      readonly retryAfterMs?: number | undefined;
    };

export type CacheHeaders = Readonly<Record<string, string>>;

interface FetcherInit {
  readonly http: Http;
  readonly readPageText: (html: string) => PageText;
  readonly maxBytes: number;
  /** Sent with each request, to the site's own origin and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivateHosts: boolean;
}

const SITE: Service = { name: 'the published site', addressSetting: 'live-url' };
const MOST_REDIRECTS = 5;
const LIMITS = { connectMs: 10_000, headersMs: 15_000, idleMs: 15_000, totalMs: 30_000 } as const;

/** Asks caches on the way for what the site has now: they revalidate (RFC 9111, 5.2.1.4), or do not know the address. */
const FRESH = { 'cache-control': 'no-cache', pragma: 'no-cache' } as const;
const FRESH_PARAMETER = 'docs-courier';

/** Headers by which caches say what they did. Their values are printed, so that no other is taken. */
const CACHE_HEADERS = ['age', 'cache-control', 'x-cache', 'cf-cache-status', 'x-vercel-cache', 'x-served-by', 'via'];
const LONGEST_HEADER = 100;

/** Fetches pages of one site as a browser without scripts does, bounded in time and size. */
export class PageFetcher {
  readonly #init: FetcherInit;

  constructor(init: FetcherInit) {
    this.#init = init;
  }

  /**
   * The page at an address. `fresh`: past the caches, as far as they allow it. Throws only what ends the run (`cancelled`)
   * and what no waiting mends: an address of a private network.
   */
  async fetch(address: URL, how: { readonly fresh: boolean; readonly timeLimitMs: number }): Promise<Fetched> {
    let url = how.fresh ? pastCaches(address) : address;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      const reply = await this.#request(url, how);
      if (!('status' in reply)) return { kind: 'unreachable', detail: reply.problem };
      const { location } = reply.headers;
      const isRedirect = [301, 302, 303, 307, 308].includes(reply.status) && location !== undefined;
      if (!isRedirect) return this.#read(reply);
      const target = URL.parse(location, url);
      if (target?.origin !== address.origin) {
        return { kind: 'redirect', status: reply.status, detail: strayText(target), cache: cacheHeaders(reply) };
      }
      url = how.fresh ? pastCaches(target) : target;
    }
    return { kind: 'redirect', detail: `there are more than ${MOST_REDIRECTS} redirects, one after the other` };
  }

  async #request(
    url: URL,
    { fresh, timeLimitMs }: { readonly fresh: boolean; readonly timeLimitMs: number },
  ): Promise<HttpReply | { readonly problem: string }> {
    const { http, headers, allowPrivateHosts, maxBytes } = this.#init;
    try {
      return await http.request({
        service: SITE,
        method: 'GET',
        url,
        headers: { accept: 'text/html,application/xhtml+xml', ...(fresh && FRESH), ...headers },
        repeat: 'never',
        accepts: () => true,
        allowPrivateHosts,
        limits: { ...LIMITS, bodyBytes: maxBytes },
        timeLimitMs,
      });
    } catch (error) {
      if (!(error instanceof CourierError) || error.code === 'cancelled') throw error;
      if (systemCodes(error).includes(PRIVATE_ADDRESS)) throw privateHost(url, error);
      return { problem: error.message.replace(/\.$/, '') };
    }
  }

  #read(reply: HttpReply): Fetched {
    const { status, headers, body } = reply;
    const cache = cacheHeaders(reply);
    if (status >= 200 && status <= 299) {
      return { kind: 'page', status, page: this.#init.readPageText(decode(body, headers['content-type'])), cache };
    }
    const seconds = /^\d{1,6}$/.exec(headers['retry-after'] ?? '')?.[0];
    const retryAfterMs = seconds === undefined ? undefined : Number(seconds) * 1000;
    return { kind: 'status', status, detail: `the site answered ${status}`, cache, retryAfterMs };
  }
}

function privateHost({ hostname }: URL, cause: CourierError): CourierError {
  return new CourierError({
    code: 'config',
    message: `live-url: ${hostname} has only addresses of a private network.`,
    hint: {
      text: 'If the site is inside of your own network, allow it:',
      inputs: { 'allow-private-hosts': 'true' },
    },
    cause,
  });
}

/** The same page under an address that no cache has seen. */
function pastCaches(address: URL): URL {
  const url = new URL(address);
  url.searchParams.set(FRESH_PARAMETER, randomBytes(6).toString('hex'));
  return url;
}

function strayText(target: URL | null): string {
  if (target === null) return 'the site redirects to no valid address';
  return `the site redirects to another origin, ${plainLine(target.origin, 100)}, which is not followed`;
}

/** As a browser reads it: by the charset of the reply, else UTF-8. */
function decode(body: Uint8Array, contentType = ''): string {
  const charset = /charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function cacheHeaders({ headers }: HttpReply): CacheHeaders | undefined {
  const found = CACHE_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, plainLine(value, LONGEST_HEADER)] as const] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** How long a cache goes on handing out its copy (RFC 9111, 4.2); undefined where the headers do not say. */
export function freshForSeconds({ age, 'cache-control': control = '' }: CacheHeaders): number | undefined {
  const lifetime = /s-maxage\s*=\s*"?(\d{1,9})/i.exec(control)?.[1] ?? /max-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1];
  if (lifetime === undefined || age === undefined || !/^\d{1,9}$/.test(age)) return undefined;
  return Math.max(0, Number(lifetime) - Number(age));
}
